/* Tells whether the app has drawn what it was last asked for: `window.appIsDrawn`.

   The state that Streamlit writes into the page says nothing of a run that was asked for and has not begun yet, and on
   a busy machine that takes its time. So this reads what goes over the socket: a run is asked for by a BackMsg, begins
   with a ForwardMsg `new_session`, and ends with `script_finished`. */
(() => {
  const ASKED = 11, BEGUN = 4, ENDED = 6, FOR_ANOTHER = 2; // fields of BackMsg and ForwardMsg; a status of ENDED
  const ABOUT = new Set([1, 2]); // hash and metadata, which stand before what a message says

  /* The number of the field that a message consists of, and its value where that is a number. */
  const read = (data) => {
    const bytes = new Uint8Array(data);
    let at = 0;
    const number = () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        value += (bytes[at] & 127) * scale;
        if (!(bytes[at++] & 128)) return value;
      }
    };
    while (at < bytes.length) {
      const tag = number();
      const value = number(); // or the length of what follows
      if (!ABOUT.has(tag >> 3)) return { field: tag >> 3, value };
      if ((tag & 7) === 2) at += value;
    }
    return {};
  };

  let asked = true, running = false;
  window.appIsDrawn = false;
  const tell = () => { window.appIsDrawn = !asked && !running; };

  window.WebSocket = class extends WebSocket {
    constructor(address, ...more) {
      super(address, ...more);
      this.isOfApp = String(address).includes("_stcore/stream");
      if (this.isOfApp) this.addEventListener("message", ({ data }) => {
        const { field, value } = read(data);
        if (field === BEGUN) [asked, running] = [false, true];
        if (field === ENDED && value !== FOR_ANOTHER) running = false;
        tell();
      });
    }
    send(data) {
      if (this.isOfApp && read(data).field === ASKED) { asked = true; tell(); }
      super.send(data);
    }
  };
})();
