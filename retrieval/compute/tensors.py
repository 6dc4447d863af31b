"""Between lists of pieces and tensors on a device. Imports torch: for modules of torch models only."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np
import torch

from retrieval.compute.device import Device
from retrieval.compute.engine import Engine
from retrieval.errors import DeviceError
from retrieval.ports import Vectors


class Cut(Protocol):
    """Something that was cut into pieces."""

    @property
    def ids(self) -> Sequence[int]:
        """The numbers of the pieces."""


Item = TypeVar("Item", bound=Cut)
Result = TypeVar("Result")


def padded(rows: Sequence[Sequence[int]], fill: int, device: Device) -> torch.Tensor:
    """(n, longest) int64 on the device, short rows filled up. To a GPU it goes by pinned memory."""
    matrix = np.full((len(rows), max(map(len, rows))), fill, np.int64)
    for i, row in enumerate(rows):
        matrix[i, : len(row)] = row
    tensor = torch.from_numpy(matrix)
    if device.name.startswith("cuda"):
        return tensor.pin_memory().to(device.name, non_blocking=True)
    return tensor.to(device.name)


def mask(rows: Sequence[Sequence[int]], device: Device) -> torch.Tensor:
    """(n, longest) int64 on the device: 1 where there is a piece, 0 where a row is filled up."""
    return padded([[1] * len(row) for row in rows], 0, device)


def halving(
    forward: Callable[[Sequence[Item]], Sequence[Result]],
) -> Callable[[Sequence[Item]], list[Result]]:
    """The same work without gradients; a batch that a GPU has no memory for is done in two halves.

    Raises `DeviceError` if there is none for a single text.
    """

    def run(batch: Sequence[Item]) -> list[Result]:
        try:
            with torch.inference_mode():
                return list(forward(batch))
        except torch.OutOfMemoryError as error:
            if len(batch) == 1:
                raise DeviceError(
                    f"The device has no memory for one text of {len(batch[0].ids)} pieces: {error}. "
                    "Free some, set a smaller max_length, or device to cpu."
                ) from error
        torch.cuda.empty_cache()
        half = len(batch) // 2
        return run(batch[:half]) + run(batch[half:])

    return run


def unit(vectors: torch.Tensor) -> Vectors:
    """float32 on the CPU, of unit length along the last axis."""
    rows: Vectors = torch.nn.functional.normalize(vectors.float(), dim=-1).cpu().numpy()
    return rows


def engine(
    name: str,
    forward: Callable[[Sequence[Item]], Sequence[Result]],
    device: Device,
    first: Item,
    batch_pieces: int,
    waiting: int,
) -> Engine[Item, Result]:
    """The engine of a torch model, warmed up with a first small item.

    torch keeps its number of threads per thread, so it is set on the engine's own. `batch_pieces` of 0 are as
    many as the device wants.
    """
    run = halving(forward)

    def begin() -> None:
        if device.name == "cpu":
            torch.set_num_threads(device.threads)
        run([first])

    return Engine(name, run, lambda item: len(item.ids), batch_pieces or device.batch_pieces, waiting, begin)
