"""Tables for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any


def text(value: object) -> str:
    """A value as it stands in a cell; nothing where it is unknown."""
    if value is None or value != value:
        return ""
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    return html.escape(shown)


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """A table of rows that have the same columns."""
    rows = [*rows]
    head = "".join(f"<th>{text(name)}</th>" for name in (rows[0] if rows else ()))
    body = "".join("<tr>" + "".join(f"<td>{text(cell)}</td>" for cell in row.values()) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def pairs(values: Mapping[str, Any]) -> str:
    """A table of names and their values."""
    rows = "".join(f"<tr><th>{text(name)}</th><td>{text(value)}</td></tr>" for name, value in values.items())
    return f"<table><tbody>{rows}</tbody></table>"
