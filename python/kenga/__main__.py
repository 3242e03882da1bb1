"""The command `kenga`, which is also `python -m kenga`."""

from __future__ import annotations

import os
import signal
import sys

from . import _kenga


def main() -> int:
    """Does what the arguments of the process ask for; returns the exit code."""
    # The handlers that a program begins with: Python's own would do nothing before the work has ended.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    return _kenga.main(_command(), sys.argv[1:])


def _command() -> list[str]:
    """What starts this command once more."""
    script = os.path.abspath(sys.argv[0])
    is_script = os.path.isfile(script) and os.path.basename(script) != "__main__.py"
    return [sys.executable, script] if is_script else [sys.executable, "-m", "kenga"]


def child() -> None:
    """:func:`main` in a process that :mod:`kenga.commands` has started, and which ends in good order when that one is gone.

    The first argument is the file descriptor of a pipe that the other process holds open.
    """
    import threading

    line = int(sys.argv.pop(1))
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()
    # A Ctrl-C that came while Python began has waited.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    sys.exit(main())


def _end_with(line: int) -> None:
    os.read(line, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
