"""``python -m clew.testing --port N``: the test model for anyone without a key, until Ctrl-C."""

from __future__ import annotations

import argparse
import sys
import threading

from clew.errors import ClewError
from clew.testing import MODES, ModelServer, agent, extractor

SCRIPTS = {"agent": agent, "extractor": extractor}


def main() -> int:
    """Run the server and print how to use it. Loopback only."""
    parser = argparse.ArgumentParser(prog="python -m clew.testing", description=__doc__)
    parser.add_argument("--port", type=int, default=8399, help="port on 127.0.0.1; 0 means any free one")
    parser.add_argument("--model", default="clew-test", help="name of the model")
    parser.add_argument("--script", choices=SCRIPTS, default="agent", help="what the model plays")
    parser.add_argument("--mode", choices=MODES, metavar="NAME", default="", help="a way to differ from other servers")
    parser.add_argument("--modes", action="store_true", help="list the modes, and end")
    options = parser.parse_args()
    if options.modes:
        print("\n".join(f"{name:20} {mode.says}" for name, mode in MODES.items()))
        return 0
    try:
        script = SCRIPTS[options.script]()
        with ModelServer(script, port=options.port, model=options.model, mode=options.mode) as server:
            print(f"CLEW_LLM_BASE_URL={server.base_url} CLEW_LLM_MODEL={server.model} CLEW_POLICY=llm", flush=True)
            threading.Event().wait()
    except KeyboardInterrupt:
        pass
    except ClewError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
