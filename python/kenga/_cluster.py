"""The workers of a cluster, by whichever library there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def make(client: Any, task: Callable[..., object], tasks: list[tuple[Any, ...]]) -> None:
    """Has the workers of a Dask ``Client``, the module ``ray`` or an executor do tasks, and waits until they have."""
    if hasattr(client, "remote") and hasattr(client, "get"):  # the module ray
        client.get([client.remote(task).remote(*arguments) for arguments in tasks])
        return
    waiting = [client.submit(task, *arguments) for arguments in tasks]
    for future in waiting:
        future.result()
