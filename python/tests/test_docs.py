"""Examples in docstrings show what they give, and those of docs/python.md run as they are written."""

import doctest
import importlib
import pkgutil
import re
import sys

import pytest

import kenga
from conftest import PUZZLES

PAGE = PUZZLES.parent / "docs" / "python.md"

MODULES = ["kenga"] + [f"kenga.{module.name}" for module in pkgutil.iter_modules(kenga.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("_kenga", "__main__"))])
def test_examples_give_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_the_page_runs_as_it_is_written(tmp_path, monkeypatch):
    for package in ("pandas", "polars"):
        pytest.importorskip(package)
    for folder in ("configs", "puzzles"):
        (tmp_path / folder).symlink_to(PAGE.parents[1] / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    known = {"__name__": "page"}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        if file := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / file[1]).write_text(block)
        exec(compile(block, str(PAGE), "exec"), known)
    del sys.modules["one_plus_one"]


def test_everything_public_is_documented():
    for name in kenga.__all__:
        assert name.startswith("__") or name in ("TERMS", "Algorithm") or getattr(kenga, name).__doc__, name
