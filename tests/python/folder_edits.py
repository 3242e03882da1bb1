"""Edits of results folders, for folders.py: values, rows, columns and whole files, with a ledger and checksums made to fit."""

import collections
import csv
import gzip
import hashlib
import io
import json
import re
import zlib

ROW_OPERATIONS = ["a row is gone", "a row is there twice", "rows are swapped", "the rows of a run are gone", "a row claims to be solved"]
OPERATIONS = [
    "a digit", "a digit", "a letter", "bytes are gone", "garbage", "a column is gone", "a value", "a value", "the file is gone",
    "a file more", "a foreign file", "a run is gone", *ROW_OPERATIONS,
]

# Files that folders do not have, so that they are not kenga's there.
MORE_FILES = ["notes.txt", "terms.csv", "operators.csv.gz"]


def edit(folder, others, rng):
    """Makes one edit: the file and the operation, or None where the operation is not possible.

    `others` are folders from which a file may be taken.
    """
    path = rng.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    text, operation = path.read_bytes(), rng.choice(OPERATIONS)
    changed = None
    if operation == "a file more":
        path = path.with_name(rng.choice(MORE_FILES))
        changed = None if path.exists() else text
    elif operation == "a foreign file":
        foreign = [other / path.name for other in others if (other / path.name).exists()]
        changed = rng.choice(foreign).read_bytes() if foreign else None
    elif operation == "the file is gone":
        path.unlink()
        return path, operation
    elif operation == "a run is gone":
        return remove_run(path.parent, rng)
    elif operation == "bytes are gone":
        changed = text[: -rng.randint(1, 300)]
    elif operation == "garbage":
        changed = text + rng.choice([b"x", b"0,0", b"0,0\n", b"\0" * 9, b"\n", text[-50:]])
    elif operation in ROW_OPERATIONS:
        changed = change_rows(members_of(text) if path.suffix == ".gz" else lines_of(text), operation, rng)
    elif path.suffix == ".gz":
        changed = change_member(text, operation, rng)
    elif operation in ("a digit", "a letter"):
        changed = change_byte(text, operation, rng)
    elif operation == "a value" and path.suffix in (".json", ".jsonl"):
        changed = change_value(text, path.suffix == ".jsonl", rng)
    elif operation == "a column is gone" and path.suffix == ".csv":
        changed = without_column(text, rng)
    if changed is None or path.exists() and changed == text:
        return None
    path.write_bytes(changed)
    return path, operation


def lines_of(text):
    return re.findall(rb"[^\n]*\n|[^\n]+", text)


def members_of(text):
    """The members of a gzip file, up to bytes that are not one."""
    members = []
    while text:
        stream = zlib.decompressobj(31)
        try:
            stream.decompress(text)
        except zlib.error:
            break
        if not stream.eof:
            break
        members.append(text[: len(text) - len(stream.unused_data)])
        text = stream.unused_data
    return members


def change_byte(text, operation, rng):
    """Another digit in the place of one, or another letter."""
    alphabet = b"0123456789" if operation == "a digit" else b"abcdefghijklmnopqrstuvwxyz"
    places = [place for place, byte in enumerate(text) if byte in alphabet]
    if not places:
        return None
    place = rng.choice(places)
    other = rng.choice([byte for byte in alphabet if byte != text[place]])
    return text[:place] + bytes([other]) + text[place + 1 :]


def change_member(text, operation, rng):
    """Another byte in the text of a member of a gzip file."""
    members = members_of(text)
    if operation not in ("a digit", "a letter") or not members:
        return None
    at = rng.randrange(len(members))
    inner = change_byte(gzip.decompress(members[at]), operation, rng)
    if inner is None:
        return None
    members[at] = gzip.compress(inner, mtime=0)
    return b"".join(members)


def change_rows(rows, operation, rng):
    """Changes rows, or members of a gzip file, behind the first one, which is the header."""
    if len(rows) < 3:
        return None
    at, other = rng.sample(range(1, len(rows)), 2)
    if operation == "a row is gone":
        rows.pop(at)
    elif operation == "a row is there twice":
        rows.insert(other, rows[at])
    elif operation == "rows are swapped":
        rows[at], rows[other] = rows[other], rows[at]
    elif operation == "a row claims to be solved":
        rows[at] = rows[at].replace(b",false,false,", b",true,true,")
    else:
        rows = rows[:1] + without_run(rows[1:], run_of(rows[at]))
    return b"".join(rows)


def run_of(row):
    return row.split(b",")[0]


def without_run(rows, run):
    return [row for row in rows if run_of(row) != run]


def remove_run(folder, rng):
    """Removes one run from every file."""
    files = {path: lines_of(path.read_bytes()) for path in folder.glob("*.csv")}
    runs = files.get(folder / "runs.csv", [])[1:]
    if not runs:
        return None
    run = run_of(rng.choice(runs))
    for path, rows in files.items():
        if rows and rows[0].startswith(b"run,"):
            path.write_bytes(b"".join(rows[:1] + without_run(rows[1:], run)))
    return folder / "runs.csv", "a run is gone"


def without_column(text, rng):
    rows = list(csv.reader(io.StringIO(text.decode(), newline="")))
    column = rng.randrange(len(rows[0]))
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(row[:column] + row[column + 1 :] for row in rows)
    return stream.getvalue().encode()


def change_value(text, has_lines, rng):
    """Another value, a key more or a key less in a file of JSON, or in one of its lines."""
    lines = lines_of(text) if has_lines else [text]
    if not lines:
        return None
    at = rng.randrange(len(lines))
    value = json.loads(lines[at])
    places, tables = [], [value]
    while tables:
        table = tables.pop()
        for key in list(table) if isinstance(table, dict) else range(len(table)):
            places.append((table, key))
            if isinstance(table[key], (dict, list)):
                tables.append(table[key])
    table, key = rng.choice(places)
    old = table[key]
    if rng.random() < 0.15:
        del table[key]
    elif isinstance(old, bool):
        table[key] = not old
    elif isinstance(old, (int, float)):
        table[key] = rng.choice([old + 1, old * 2, 0, -old])
    elif isinstance(old, str):
        table[key] = rng.choice([old + "x", old[1:], ""])
    elif isinstance(old, dict):
        old["extra"] = 1
    elif old:
        old.append(old[-1])
    # As kenga writes it, so that the value alone gives the edit away.
    style = {"separators": (",", ":")} if has_lines else {"indent": 2}
    lines[at] = (json.dumps(value, ensure_ascii=False, **style) + "\n").encode()
    return b"".join(lines)


def sum_again(folder):
    """Makes the checksums again."""
    path = folder / "checksums.txt"
    names = [line.partition("  ")[2] for line in path.read_text(errors="replace").splitlines()]
    sums = [(hashlib.sha256((folder / name).read_bytes()).hexdigest(), name) for name in names if (folder / name).is_file()]
    path.write_text("".join(f"{digest}  {name}\n" for digest, name in sums))


def book_again(folder):
    """Makes the ledger again: for each run of runs.csv the bytes of its rows in each file, and their checksum."""
    path = folder / "ledger.csv"
    lines = lines_of(path.read_bytes())[:1]
    if not lines or not lines[0].startswith(b"run,"):
        return
    names = lines[0].decode(errors="replace").strip().split(",")[1:-1]
    files = [rows_by_run(folder / name) for name in names]
    for run in files[names.index("runs.csv")] if "runs.csv" in names else []:
        rows = [rows.get(run, b"") for rows in files]
        sizes = b",".join(b"%d" % len(row) for row in rows)
        lines.append(b"%s,%s,%08x\n" % (run, sizes, zlib.crc32(b"".join(rows))))
    path.write_bytes(b"".join(lines))


def rows_by_run(path):
    """The bytes of the rows of each run, or of its members of a gzip file."""
    rows = collections.defaultdict(bytes)
    if not path.exists():
        return rows
    text = path.read_bytes()
    if path.suffix == ".gz":
        for member in members_of(text)[1:]:
            rows[run_of(gzip.decompress(member))] += member
        return rows
    row = b""
    for line in lines_of(text)[1:]:
        row += line
        # A row ends where a line does, unless a quote is open there.
        if row.count(b'"') % 2 == 0:
            rows[run_of(row)] += row
            row = b""
    return rows
