"""Prints kenga/names.py, the names that kenga knows as types: `python python/tests/names.py > python/kenga/names.py`.

A test fails where that file is not what this prints.
"""

import json

from kenga import _kenga

HEAD = '''"""The names that kenga knows, as types. python/tests/names.py writes this file from the tables of `kenga list`.

>>> from typing import get_args
>>> "tournament" in get_args(SelectionName)
True
"""

from typing import Literal
'''

#: The longest line.
WIDTH = 120


def literal(name: str, about: str, values: "list[str]") -> str:
    """The definition of a type."""
    lines, line = [], "   "
    for value in values:
        word = f' "{value}",'
        if len(line) + len(word) > WIDTH:
            lines.append(line)
            line = "   "
        line += word
    lines.append(line)
    return "\n#: {}.\n{} = Literal[  # fmt: skip\n{}\n]\n".format(about, name, "\n".join(lines))


def text() -> str:
    """The text of the file."""
    families: "dict[str, list[str]]" = {}
    for member in json.loads(_kenga.members()):
        families.setdefault(member["family"], []).append(member["name"])
    found = HEAD + literal("FamilyName", "What `kenga list` lists", [*families])
    for family, names in families.items():
        # Keys of a configuration are no names that anything takes.
        if family != "configuration":
            found += literal(_title(family), f"The members of the family `{family}`", names)
    for what, names in json.loads(_kenga.names()).items():
        found += literal(_title(what), ABOUT[what], names)
    return found


#: What the names are that stand in no family.
ABOUT = {
    "format": "The formats that puzzles are written in",
    "export": "The formats that results are exported to",
    "metric": "What settings are compared by",
    "tier": "How hard a puzzle is for a person",
}


def _title(family: str) -> str:
    return "".join(word.title() for word in family.split("_")) + "Name"


if __name__ == "__main__":
    print(text(), end="")
