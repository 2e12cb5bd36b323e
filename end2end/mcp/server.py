"""A server on a store of its own, for as long as it is asked."""

import os
import re
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("COLLOQUY_BIN", ROOT / "target/release/colloquy")


@contextmanager
def serve(**environment):
    """Where it listens. It speaks on the rehearsal model, without pauses."""
    with tempfile.TemporaryDirectory(prefix="colloquy-") as folder:
        env = {
            "PATH": os.environ["PATH"],
            "LEPTOS_SITE_ADDR": "127.0.0.1:0",
            "DATABASE_URL": f"sqlite://{folder}/colloquy.db",
            "COLLOQUY_MODEL": "rehearsal",
            "COLLOQUY_REHEARSAL_PACE": "0",
            **environment,
        }
        with subprocess.Popen([PROGRAM], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as server:
            try:
                said = re.search(r"http://[0-9.:]+", server.stdout.readline())
                if not said:
                    raise RuntimeError("the server ended before it listened")
                yield said[0]
            finally:
                server.kill()
