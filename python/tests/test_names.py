"""Names as types, and the stub of the extension module."""

import ast
import builtins
import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import kenga
from kenga import _kenga, names

HERE = Path(kenga.__file__).parent
CONFIG = Path(__file__).parents[1] / "pyproject.toml"


def test_every_name_is_in_a_type():
    generator = Path(__file__).with_name("names.py")
    printed = subprocess.run([sys.executable, generator], capture_output=True, text=True, check=True).stdout
    assert printed == (HERE / "names.py").read_text(encoding="utf-8"), "run python python/tests/names.py > python/kenga/names.py"


def test_the_types_have_the_members_that_kenga_lists():
    for family, names_of in (("algorithm", names.AlgorithmName), ("selection", names.SelectionName)):
        assert [member["name"] for member in kenga.list(family)] == [*get_args(names_of)]
    assert set(get_args(names.FamilyName)) == {member["family"] for member in kenga.list()}
    with pytest.raises(kenga.Error, match="there is no family 'selections'; known: algorithm, encoding"):
        kenga.list("selections")


def test_a_star_import_hides_nothing_of_python():
    brought = {}
    exec("from kenga import *", brought)
    brought.pop("__builtins__")
    assert brought.keys() == set(kenga.__all__) and not brought.keys() & set(vars(builtins)), "nothing is hidden"
    # Those of kenga are there under its name.
    assert kenga.list is not list and kenga.open is not open and {"list", "open"} <= set(dir(kenga))


def test_compare_has_the_options_of_the_command():
    command = [sys.executable, "-m", "kenga", "compare", "--help"]
    help = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "1000"}).stdout
    options = {}
    for entry in re.split(r"\n +(?:-\w, )?--(?=[a-z])", help.partition("\nOptions:")[2])[1:]:
        default = re.search(r"\[default: ([\d.]+)\]", entry)
        options[re.match("[a-z-]+", entry)[0].replace("-", "_")] = default and float(default[1])
    assert options["alpha"] == 0.05
    # The data of a comparison is its JSON; other functions have `puzzles` for --puzzle too.
    for name in ("json", "color", "help", "version"):
        options.pop(name, None)
    options["puzzles"] = options.pop("puzzle")
    parameters = inspect.signature(kenga.compare).parameters
    assert {*options} == {*parameters} - {"folders"}
    for name, default in options.items():
        assert parameters[name].default == default or (default is None and not parameters[name].default), name


def test_everything_public_can_be_had():
    assert set(kenga.__all__) <= set(dir(kenga))
    for name in kenga.__all__:
        assert getattr(kenga, name) is not None
    with pytest.raises(AttributeError, match="module 'kenga' has no attribute 'sovle'"):
        kenga.sovle


def test_the_types_that_checkers_see_are_those_that_are_loaded():
    checked = set()
    for node in ast.walk(ast.parse((HERE / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            checked |= {(node.module, alias.name) for alias in node.names}
            assert all(alias.asname == alias.name for alias in node.names), "checkers take `as` for an export"
    loaded = {(module, name) for name, module in kenga._HOME.items()}
    assert loaded == {one for one in checked if one[0] not in (None, "_kenga")}


def test_the_stub_has_what_the_module_has():
    stub = ast.parse((HERE / "_kenga.pyi").read_text(encoding="utf-8"))
    told = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    told["__version__"] = None
    there = {name for name in vars(_kenga) if not name.startswith("__") or name == "__version__"} - {"_kenga"}
    assert there == set(told)
    for name, node in told.items():
        if isinstance(node, ast.FunctionDef):
            assert _parameters(node) == [*inspect.signature(getattr(_kenga, name)).parameters], name
        elif isinstance(node, ast.ClassDef) and not issubclass(getattr(_kenga, name), Exception):
            _compare_class(getattr(_kenga, name), node)


def _compare_class(there: type, node: ast.ClassDef) -> None:
    methods = {method.name: method for method in node.body if isinstance(method, ast.FunctionDef)}
    public = {name for name in vars(there) if not name.startswith("_")}
    assert public == {name for name in methods if not name.startswith("_")}, there
    for name, method in methods.items():
        if callable(getattr(there, name)) and not name.startswith("_"):
            assert _parameters(method) == [*inspect.signature(getattr(there, name)).parameters], (there, name)


def _parameters(function: ast.FunctionDef) -> "list[str]":
    return [argument.arg for argument in function.args.args]


def test_annotations_name_what_there_is():
    for name in ("Folder", "Comparison", "Report", "Puzzle", "Answer"):
        assert inspect.isclass(getattr(kenga, name)) and getattr(kenga, name).__module__.startswith("kenga")
    assert get_type_hints(kenga.Validation)["holds"]


def checked(folder, *command):
    """What a type checker says of a user's file, which is elsewhere than the package."""
    shutil.copy(Path(__file__).with_name("user.py"), folder)
    path = str(HERE.parent)
    environment = {**os.environ, "MYPYPATH": path if HERE.parent.name == "python" else "", "PYTHONPATH": path}
    return subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=folder, env=environment)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_a_users_file_passes_mypy(tmp_path):
    ended = checked(tmp_path, "mypy", "--strict", "--cache-dir", "/dev/null", "user.py")
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")
def test_a_users_file_passes_pyright(tmp_path):
    # It fetches the checker itself when it is first used.
    if checked(tmp_path, "pyright", "--version").returncode != 0:
        pytest.skip("pyright cannot be had")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict", "extraPaths": [str(HERE.parent)]}))
    ended = checked(tmp_path, "pyright", "--pythonpath", sys.executable, "user.py")
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_the_package_passes_mypy():
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", CONFIG, "--cache-dir", "/dev/null", "-p", "kenga"],
        capture_output=True,
        text=True,
        cwd=CONFIG.parent,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
