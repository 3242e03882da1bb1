"""Examples in docstrings show what they give."""

import doctest
import importlib
import pkgutil

import pytest

import kenga

MODULES = ["kenga"] + [f"kenga.{module.name}" for module in pkgutil.iter_modules(kenga.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("_kenga", "__main__"))])
def test_examples_give_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_everything_public_is_documented():
    for name in kenga.__all__:
        assert name.startswith("__") or name in ("TERMS", "Algorithm") or getattr(kenga, name).__doc__, name
