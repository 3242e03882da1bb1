"""What a configuration can name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List

from . import _kenga
from ._kenga import Error

if TYPE_CHECKING:
    from .names import FamilyName


def list(family: FamilyName | None = None) -> List[Dict[str, Any]]:
    """Lists every algorithm, operator, generator and technique, as ``kenga list --json``.

    :param family: only the members of this one
    :returns: of each member its ``family``, ``name``, ``about``, ``params``, ``source``, and the ``encodings`` it works on
    :raises Error: for a family that is not known

    >>> [member["name"] for member in list("encoding")]
    ['cells', 'rows', 'cages', 'values', 'permutation']
    """
    members: List[Dict[str, Any]] = json.loads(_kenga.members())
    if family is None:
        return members
    found = [member for member in members if member["family"] == family]
    if not found:
        known = ", ".join(dict.fromkeys(member["family"] for member in members))
        raise Error(f"there is no family {family!r}; known: {known}")
    return found
