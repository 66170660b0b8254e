"""Trains two layers by FullyShardedDataParallel, and sets the collectives in its trace beside all_reduce_cost.

    torchrun --nproc-per-node 8 tests/real/fsdp.py

all_reduce.py comes first: the model is fitted to what it measured. Where PyTorch or its backend cannot shard, it says
why and ends well.
"""

import argparse
from pathlib import Path

import torch
import torch.distributed as dist

from beside import print_beside
from job import Job
from lab import Model
from recording import collectives, library, record, trace_path, write_sizes

# An all-gather and a reduce-scatter by a ring are half an all-reduce each; Gloo reduces whole to scatter.
SHARES = {"all_gather": 0.5, "reduce_scatter": 0.5, "all_reduce": 1}


def why_not(job):
    """What keeps FSDP from running here; None where nothing does."""
    try:
        from torch.distributed.fsdp import FullyShardedDataParallel  # noqa: F401
    except (ImportError, ValueError) as error:
        return f"its FullyShardedDataParallel cannot be imported ({error})"
    try:
        whole = torch.ones(job.ranks, device=job.device)
        scatter = getattr(dist, "reduce_scatter_tensor", None) or dist._reduce_scatter_base
        scatter(torch.empty(1, device=job.device), whole)
    except RuntimeError as error:
        return f"its {job.backend} cannot reduce-scatter ({str(error).splitlines()[0]})"
    return None


def unit_widths(asked):
    return (asked.width, 2 * asked.width)


def unit_bytes(width, ranks):
    """The weights and biases of a layer, padded so that each rank has as many."""
    parameters = width * width + width
    return 4 * (parameters + -parameters % ranks)


def train(job, asked):
    """Records some steps. The units are sharded each by itself, and take turns."""
    from torch.distributed.fsdp import FullyShardedDataParallel

    units = []
    for width in unit_widths(asked):
        unit = FullyShardedDataParallel(torch.nn.Linear(width, width).to(job.device), device_id=job.device)
        optimizer = torch.optim.SGD(unit.parameters(), lr=0.01)
        units.append((unit, optimizer, torch.randn(asked.batch, width, device=job.device)))

    def step():
        for unit, optimizer, rows in units:
            optimizer.zero_grad()
            unit(rows).square().mean().backward()
            optimizer.step()

    for _ in range(asked.warmup):
        step()
    record(job, step, asked.steps, trace_path(asked.output, "fsdp", job, job.rank))
    job.wait()


def report(job, asked):
    """Not every trace has sizes; each unit had as many collectives as the other, one unit after the other."""
    paths = [trace_path(asked.output, "fsdp", job, rank) for rank in range(job.ranks)]
    sizes = [unit_bytes(width, job.ranks) for width in unit_widths(asked)] * asked.steps
    found = collectives(paths, SHARES)
    if not found or len(found) % len(sizes) != 0:
        raise RuntimeError(f"the traces have {len(found)} collectives that match, of {len(sizes)} passes")
    write_sizes(asked.output, "fsdp", job, {"unit_bytes": sizes})
    print(f"fsdp: {library()}, {job.backend}, {job.ranks} ranks, traces {paths[0].name} to {paths[-1].name}")
    of_each = len(found) // len(sizes)
    measured = [(one["kind"], sizes[index // of_each], one["seconds"]) for index, one in enumerate(found)]
    print_beside(measured, Model(asked.output / "all_reduce.csv", job.ranks), SHARES)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/real"), help="folder of all that is recorded")
    parser.add_argument("--width", type=int, default=1024, help="of the smaller one of two layers")
    parser.add_argument("--batch", type=int, default=32, help="rows of each rank")
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    asked = parser.parse_args()
    with Job() as job:
        reason = why_not(job)
        if reason:
            job.say(f"fsdp: not run, {library()}: {reason}")
            return
        train(job, asked)
        if job.rank == 0:
            report(job, asked)


if __name__ == "__main__":
    main()
