"""Where a model runs and with which numbers: chosen when it is loaded, and reported."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.errors import DeviceError

if TYPE_CHECKING:
    import torch

CPU_PIECES = 1024
"""Pieces in a batch, padding included. On a processor larger batches fall out of its cache and are slower."""
GPU_PIECES = 65_536
"""A GPU wants much work at a time; 64k pieces of a model of width 1024 take about 2 GB in half precision."""
PRECISIONS = ("auto", "fp32", "bf16", "fp16")


@dataclass(frozen=True, slots=True)
class Device:
    """`name` as torch writes it (cpu, cuda:0, mps); `precision` is fp32, bf16 or fp16; `threads` on a CPU."""

    name: str
    precision: str
    threads: int

    def __str__(self) -> str:
        return f"{self.name}, {self.precision}" + (f", {self.threads} threads" if self.name == "cpu" else "")

    @property
    def dtype(self) -> "torch.dtype":
        """The type of the weights."""
        import torch

        return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[self.precision]

    @property
    def batch_pieces(self) -> int:
        """Default size of a batch."""
        return CPU_PIECES if self.name == "cpu" else GPU_PIECES


def choose(name: str = "auto", precision: str = "auto") -> Device:
    """The device and precision to use.

    auto: the first GPU, else the CPU; bf16 on a GPU that computes with it, fp16 on another one, fp32 on a CPU
    (docs/decisions/0007). Raises `DeviceError` for a device that is not there or cannot do that precision.
    """
    import torch

    if precision not in PRECISIONS:
        raise DeviceError(f"{precision} is no precision. Use one of {', '.join(PRECISIONS)}.")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    _check(name)
    if precision == "auto":
        precision = _best(name)
    if name == "cpu" and precision == "fp16":
        raise DeviceError("A CPU does not compute with fp16. Set precision to fp32 or bf16.")
    return Device(name, precision, _cores())


def _check(name: str) -> None:
    """Put a number on the device: a wrong name or a missing GPU shows here."""
    import torch

    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = (str(error).splitlines() or [""])[0]
        raise DeviceError(
            f"The device {name} cannot be used here: {reason}. Set device to cpu or auto, or install a torch "
            "made for it."
        ) from error


def _best(name: str) -> str:
    import torch

    if name == "cpu":
        return "fp32"
    return "bf16" if name.startswith("cuda") and torch.cuda.is_bf16_supported() else "fp16"


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
