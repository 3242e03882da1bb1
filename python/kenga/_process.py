"""A command of kenga in a process of its own: its arguments, its input, and what it says."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Optional, Union

from . import _toml
from ._kenga import Error
from .problem import Problem
from .program import SYS_PATH
from .puzzle import Puzzle, _is_path, read

#: A configuration: a TOML file, or the same as a dict.
Config = Union[str, "os.PathLike[str]", Mapping[str, Any]]

#: Puzzles: some of them, or their files or texts.
Puzzles = Union[Puzzle, str, "os.PathLike[str]", Iterable[Union[Puzzle, str, "os.PathLike[str]"]]]

#: Told, a line at a time, how far a command is.
Lines = Callable[[str], object]

#: What runs kenga as a child: found where this package is, whatever the current folder holds.
_CHILD = (
    f"import sys; sys.path.insert(0, {os.path.dirname(os.path.dirname(os.path.abspath(__file__)))!r}); "
    "from kenga.__main__ import child; child()"
)

#: How an error that kenga has drawn begins.
_ERROR = "  × "

#: How the error of an argument begins.
_USAGE = "error: "


@dataclass(frozen=True)
class Said:
    """What a command has written, and how it ended."""

    code: int
    output: str
    #: What it wrote to standard error.
    lines: list[str]

    def warn_unless_done(self, progress: tuple[str, ...]) -> None:
        """Warns of what the command says that was not done, but for lines of progress, which begin so."""
        told = [line for line in self.lines if line and not line.startswith((*progress, *_NOTES))]
        if self.code == 1 and told:
            warnings.warn("\n".join(told), stacklevel=3)


#: How lines begin that are for people.
_NOTES = ("note: ", "warning: ")


def call(arguments: list[str], text: str | None, progress: bool | Lines) -> Said:
    """Runs a command, with a text as its standard input.

    :raises Error: for what kenga refuses
    """
    alive, line = os.pipe()
    # Functions of modules are found where this process finds them.
    paths = os.pathsep.join(map(os.path.abspath, sys.path))
    environment = {
        **os.environ, "KENGA_PROGRESS": "0.5" if progress else "0", "NO_COLOR": "1", "COLUMNS": "1000", SYS_PATH: paths
    }  # fmt: skip
    command = [sys.executable, "-c", _CHILD, str(alive), *arguments]
    lines: list[str] = []
    try:
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as given, _shown(progress) as show:
            given.write((text or "").encode())
            given.seek(0)
            # Python loses a signal that comes within certain callbacks of an import: the child has it blocked until it has
            # begun. Here a child that is not known yet would go on.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                process = subprocess.Popen(
                    command, stdin=given, stdout=output, stderr=subprocess.PIPE, pass_fds=[alive], env=environment,
                    # Ctrl-C on a terminal is for all its processes, and twice is too much: here it is passed on.
                    start_new_session=True, encoding="utf-8", errors="replace",
                )  # fmt: skip
            except BaseException:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                raise
            with process:
                _follow(process, lines, show, before)
            output.seek(0)
            said = Said(process.returncode, output.read().decode(), lines)
    finally:
        os.close(line)
        os.close(alive)
    _judge(said)
    return said


def _follow(
    process: subprocess.Popen[str], lines: list[str], show: Optional[Lines], mask: Collection[int]
) -> None:
    """Reads what a command says until it has ended, with a mask of signals. An exception here lets it end in good order."""
    assert process.stderr is not None
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for line in process.stderr:
            lines.append(line.rstrip("\n"))
            if show is not None:
                show(lines[-1])
        process.wait()
    except BaseException:
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise


def _judge(said: Said) -> None:
    """Raises what a command has refused, and warns of what it notes."""
    if said.code in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    if said.code == 2:
        raise Error(_error(said.lines))
    if said.code not in (0, 1, 3):
        raise Error("\n".join(["the command was killed", *said.lines]))
    for line in said.lines:
        if line.startswith(_NOTES):
            warnings.warn(line, stacklevel=4)


def _error(lines: list[str]) -> str:
    """The error among the lines that a command has written."""
    begins = [place for place, line in enumerate(lines) if line.startswith((_ERROR, _USAGE))]
    told = lines[begins[-1] :] if begins else lines
    text = "\n".join(line for line in told if not line.startswith(("Usage:", "For more information"))).strip()
    return spoken(text.removeprefix(_ERROR.strip()).removeprefix(_USAGE.strip()).strip() if begins else text)


#: A drawing of a text that the caller has not written: a dict as TOML, or what sets a value.
_DRAWING = re.compile(r"\n *╭─\[(?:--set|standard input)[^\n]*\n.*?\n *╰─+(?=\n|\Z)", re.DOTALL)

#: Words about the command line, and where Python has them.
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)(?: <[^>]*>)?")

#: What helps on the command line alone.
_HELP = re.compile(r"\n *(?:help: )?(?:`kenga [\w ]*--help` shows all options|such as `kenga [^`]*`)")


def spoken(text: str) -> str:
    """An error of the command line as Python says it: with the names of arguments in place of options."""
    text = _DRAWING.sub("", text)
    return _OPTION.sub(lambda option: option[1].replace("-", "_"), _HELP.sub("", text))


def options(given: Mapping[str, Any]) -> list[str]:
    """Options of the command line: None and False are left out, a list gives its option several times."""
    words = []
    for key, value in given.items():
        option = "--" + key.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            values = value if isinstance(value, (list, tuple)) else [value]
            words += [f"{option}={os.fspath(one) if hasattr(one, '__fspath__') else one}" for one in values]
    return words


def assignments(set: Mapping[str, Any] | None) -> list[str]:
    """What ``--set`` takes."""
    return [f"{key}={_toml._value(value, key)}" for key, value in (set or {}).items()]


@contextmanager
def speaking() -> Iterator[None]:
    """Says errors as Python does."""
    try:
        yield
    except Error as bad:
        raise Error(spoken(str(bad))) from None


class Inputs:
    """What a command reads: files, those that it needs for objects, and a text as standard input."""

    #: The standard input.
    text: str | None = None

    def __enter__(self) -> Inputs:
        self._folder = tempfile.TemporaryDirectory(prefix="kenga-")
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def config(self, config: Config | None) -> str | None:
        """The name of a configuration; a dict becomes the standard input."""
        if isinstance(config, Mapping):
            self.text = _toml.dumps(config)
            return "-"
        return None if config is None else os.fspath(config)

    def config_file(self, folder: str, config: Config | None) -> str | None:
        """The name of a configuration; a dict becomes a file with the name of its algorithm."""
        if not isinstance(config, Mapping):
            return self.config(config)
        name = config.get("algorithm", {}).get("name", "algorithm")
        path = Path(self._folder.name, folder, f"{name}.toml")
        path.parent.mkdir()
        path.write_text(_toml.dumps(config), encoding="utf-8")
        return os.fspath(path)

    def problem(self, problem: Problem) -> str:
        """The name of a configuration of a problem, whose function other processes import."""
        if problem._name is None:
            raise Error("the function of the problem must be importable: put it in a module")
        path = Path(self._folder.name, "problem.toml")
        path.write_text(problem._config({}), encoding="utf-8")
        return os.fspath(path)

    def puzzles(self, puzzles: Puzzles) -> list[str]:
        """The names of files of puzzles; puzzles themselves become one."""
        texts, files = [], []
        for one in [puzzles] if isinstance(puzzles, (Puzzle, str, os.PathLike)) else puzzles:
            if isinstance(one, Puzzle):
                texts.append(one.text())
            elif isinstance(one, str) and not _is_path(one):
                texts += [puzzle.text() for puzzle in read(one)]
            else:
                files.append(os.fspath(one))
        if texts:
            path = Path(self._folder.name, "puzzles.jsonl")
            path.write_text("".join(texts), encoding="utf-8")
            files.append(os.fspath(path))
        return files


@contextmanager
def _shown(progress: bool | Lines) -> Iterator[Optional[Lines]]:
    """What is called with each line of progress: a function, a line of tqdm where it is installed, or nothing."""
    if callable(progress) or not progress:
        yield progress if callable(progress) else None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(bar_format="{desc}", leave=False) as bar:
        yield bar.set_description_str
