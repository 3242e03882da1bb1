"""Configurations as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ._kenga import Error

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def dumps(table: Mapping[str, Any]) -> str:
    """The text of a table; keys whose value is None are left out.

    >>> print(dumps({"seed": 1, "algorithm": {"name": "genetic", "mutation": {"rate": 1e-3}}, "sweep": {"a.b": [1, 2]}}))
    seed = 1
    <BLANKLINE>
    [algorithm]
    name = "genetic"
    <BLANKLINE>
    [algorithm.mutation]
    rate = 0.001
    <BLANKLINE>
    [sweep]
    "a.b" = [1, 2]
    """
    return "\n\n".join(_tables((), table))


def _tables(path: tuple[str, ...], table: Mapping[str, Any]) -> list[str]:
    """A table and those inside, each with its heading."""
    values = {key: value for key, value in table.items() if value is not None}
    inner = {key: value for key, value in values.items() if isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value, key)}" for key, value in values.items() if key not in inner]
    if path and (lines or not inner):
        lines.insert(0, "[" + ".".join(map(_key, path)) + "]")
    texts = ["\n".join(lines)] if lines else []
    for key, value in inner.items():
        texts += _tables((*path, key), value)
    return texts


def _key(key: str) -> str:
    if not isinstance(key, str):
        raise Error(f"{key!r} is no key of a configuration: keys are texts")
    return key if _BARE.match(key) else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, key: str) -> str:
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        value = value.item()
    elif hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(inner)} = {_value(of, inner)}" for inner, of in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item, key) for item in value) + "]"
    if hasattr(value, "__fspath__"):
        return _text(value.__fspath__())
    raise Error(f"{key} is a {type(value).__name__}: a configuration holds texts, numbers, flags, lists and tables")
