"""Builds the optional compiled part beside its source; where there is no compiler, the wheel is portable and slower.

With BELEG_BUILD_NATIVE=require a failure ends the build, with BELEG_BUILD_NATIVE=0 nothing is compiled.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = tuple(f"src/beleg/adapters/native/{name}.c" for name in ("run_pass", "held_run", "tree_saving"))
SUFFIX = ".bin"
"""No .so: they are no modules of Python, and must not be taken for some."""
FLAGS = ("-O3", "-std=gnu11", "-fPIC", "-shared", "-fvisibility=hidden")
COMPILERS = ("cc", "gcc", "clang")


class CompiledPart(BuildHookInterface):
    """Compiles before a wheel or an editable install is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles, and marks the wheel as one for this platform where that went well."""
        wanted = os.environ.get("BELEG_BUILD_NATIVE", "1")
        sources = [Path(self.root, source) for source in SOURCES]
        trouble = "it is not wanted" if wanted == "0" else compiled_all(sources)
        if trouble is not None:
            # One that was built from another source must not be taken for this one.
            for source in sources:
                source.with_suffix(SUFFIX).unlink(missing_ok=True)
        if wanted == "0":
            return
        if trouble is None:
            build_data["artifacts"] += [str(Path(source).with_suffix(SUFFIX)) for source in SOURCES]
            build_data["pure_python"] = False
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["tag"] = f"py3-none-{platform}"
        elif wanted == "require":
            raise RuntimeError(f"the compiled part could not be built: {trouble}")
        else:
            self.app.display_warning(f"built without the compiled part: {trouble}")


def compiled_all(sources: list[Path]) -> str | None:
    """Compiles every source to a library beside it; what went wrong, if anything."""
    for source in sources:
        trouble = compiled(source, source.with_suffix(SUFFIX))
        if trouble is not None:
            return trouble
    return None


def compiled(source: Path, library: Path) -> str | None:
    """Compiles a source to a library; what went wrong, if anything."""
    named = shlex.split(os.environ.get("CC", ""))
    compiler = named or [found for name in COMPILERS if (found := shutil.which(name))][:1]
    if not compiler:
        return "there is no C compiler"
    part = library.with_name(f"{library.stem}.{os.getpid()}.part")
    try:
        command = [*compiler, *FLAGS, "-o", str(part), str(source), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.strip()[-2000:] or f"the compiler ended with {done.returncode}"
        part.replace(library)
    except OSError as error:
        return str(error)
    finally:
        part.unlink(missing_ok=True)
    return None
