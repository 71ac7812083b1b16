"""Nothing that is read can run: no pickle, no eval, no unsafe YAML."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from architecture.source import Module, modules, require_none

MODULES = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "jsonpickle"}
BUILTINS = {"eval", "exec", "compile", "__import__"}
CALLS = {
    "yaml.load", "yaml.load_all", "yaml.full_load", "yaml.full_load_all", "yaml.unsafe_load", "yaml.unsafe_load_all",
    "torch.load", "os.system", "os.popen", "pandas.read_pickle", "numpy.lib.format.open_memmap",
}  # fmt: skip
UNSAFE_LOADERS = {"yaml.Loader", "yaml.UnsafeLoader", "yaml.FullLoader", "yaml.CLoader", "yaml.CFullLoader"}


def unsafe_loading(module: Module) -> Iterator[str]:
    for node, full in module.imports():
        if full.split(".")[0] in MODULES:
            yield f"{module.at(node)} imports {full}"
    for node, full in module.names():
        if full in UNSAFE_LOADERS:
            yield f"{module.at(node)} {full}"
    for call, full in module.calls():
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        if full in BUILTINS | CALLS:
            yield f"{module.at(call)} {full}()"
        elif full == "numpy.load" and not _is(named.get("allow_pickle"), value=False):
            yield f"{module.at(call)} numpy.load() without allow_pickle=False"
        elif _is(named.get("shell"), value=True):
            yield f"{module.at(call)} shell=True"


def _is(node: ast.expr | None, *, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def test_nothing_that_is_read_can_run() -> None:
    require_none(
        (found for module in modules() for found in unsafe_loading(module)),
        "Read data as data: JSON and YAML through beleg.adapters.formats, arrays with allow_pickle=False",
    )


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from joblib import load",
        "eval('1')",
        "import yaml\nyaml.load('a', Loader=yaml.SafeLoader)",
        "from yaml import UnsafeLoader\nx = UnsafeLoader",
        "import torch as t\nt.load('a')",
        "import numpy as np\nnp.load('a')",
        "import subprocess\nsubprocess.run('a', shell=True)",
    ],
)
def test_the_rule_sees_what_it_forbids(text: str) -> None:
    assert list(unsafe_loading(Module.of(text)))


def test_the_rule_allows_a_method_of_that_name() -> None:
    assert list(unsafe_loading(Module.of("import re\nre.compile('a')\nmodel.eval()\n"))) == []
