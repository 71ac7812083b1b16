"""Importing any part of Beleg changes nothing: no file, socket, thread, process, variable or log handler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from architecture.source import modules, require_none

WATCH = """
import _thread, importlib, json, logging, os, sys, threading

found, put = [], set()
current = None
forbidden = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.chdir", "os.mkdir",
    "os.remove", "os.rename", "os.rmdir", "os.chmod", "os.truncate", "os.link", "os.symlink", "shutil.", "tempfile.",
    "sqlite3.", "urllib.", "http.client.",
)
HARMLESS = ("socket.gethostname",)

def culprit():
    # The innermost frame of the package that is being watched: a library may act on its own import.
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_globals.get("__name__", "").split(".")[0] == watched:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return "?"

def hook(event, arguments):
    if current is None:
        return
    if event == "open":
        path, mode, flags = arguments
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (isinstance(flags, int) and flags & 0o3):
            found.append(f"{current}: writes {path!r} at {culprit()}")
    elif event in ("os.putenv", "os.unsetenv"):
        # A library may set a variable while it loads, as numpy does; what counts is what stays.
        (put.add if event == "os.putenv" else put.discard)(arguments[0])
    elif event.startswith(forbidden) and event not in HARMLESS:
        found.append(f"{current}: {event} {arguments!r} at {culprit()}")

def watch_threads(module, name):
    # Python 3.11 does not audit the start of a thread.
    start = getattr(module, name)

    def started(*arguments, **options):
        if current is not None:
            found.append(f"{current}: {name} {arguments!r} at {culprit()}")
        return start(*arguments, **options)

    setattr(module, name, started)

for module in (_thread, threading):
    for name in [name for name in vars(module) if name.strip("_") in ("start_new_thread", "start_joinable_thread")]:
        watch_threads(module, name)
watched, names = json.loads(sys.stdin.read())
before, folder = dict(os.environ), os.getcwd()
sys.addaudithook(hook)
for current in names:
    importlib.import_module(current)
    if put or dict(os.environ) != before:
        found.append(f"{current}: changes the environment: {sorted(put)}")
        before = dict(os.environ)
        put.clear()
    if os.getcwd() != folder:
        found.append(f"{current}: changes the working folder")
        os.chdir(folder)
    loggers = [logging.getLogger(), *logging.Logger.manager.loggerDict.values()]
    handlers = [h for logger in loggers for h in getattr(logger, "handlers", ())]
    if any(not isinstance(h, logging.NullHandler) for h in handlers):
        found.append(f"{current}: installs a logging handler")
        for logger in loggers:
            getattr(logger, "handlers", []).clear()
current = None
print(json.dumps(found))
"""


def effects(watched: str, names: list[str], tmp_path: Path, **extra: str) -> tuple[list[str], list[str]]:
    """What importing modules does, and the files that stand in the working folder and at home afterwards."""
    home, folder = tmp_path / "home", tmp_path / "cwd"
    home.mkdir()
    folder.mkdir()
    environment = {**os.environ, **extra, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "COVERAGE_PROCESS_START"):
        environment.pop(name, None)
    ended = subprocess.run(
        [sys.executable, "-c", WATCH],
        input=json.dumps([watched, names]),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    left: list[str] = [str(path.relative_to(tmp_path)) for place in (home, folder) for path in place.rglob("*")]
    found: list[Any] = json.loads(ended.stdout)
    return found, left


def test_no_public_module_has_a_side_effect(tmp_path: Path) -> None:
    public = [module.name for module in modules() if not any(part.startswith("_") for part in module.name.split("."))]
    found, left = effects("beleg", ["beleg", *public], tmp_path)
    require_none(found, "Do this in a function that is called, not when the module is imported")
    require_none(left, "Write into a folder that the caller names, and not when a module is imported")


@pytest.mark.parametrize(
    ("statement", "sign"),
    [
        ("open('left', 'w')", "writes"),
        ("import socket; socket.socket()", "socket"),
        ("import threading; threading.Thread(target=print).start()", "thread"),
        ("import os; os.environ['A'] = 'b'", "environment"),
        ("import logging; logging.basicConfig()", "handler"),
        ("import os; os.chdir('/')", "working folder"),
        ("import subprocess; subprocess.run(['true'])", "subprocess"),
    ],
)
def test_the_rule_sees_what_it_forbids(tmp_path: Path, statement: str, sign: str) -> None:
    (tmp_path / "made_up.py").write_text(statement, encoding="utf-8")
    found, left = effects("made_up", ["made_up"], tmp_path, PYTHONPATH=str(tmp_path))
    assert any(sign in effect for effect in found)
    assert left == (["cwd/left"] if sign == "writes" else [])
