"""Trains a small model by FullyShardedDataParallel, and sets the all-gathers and reduce-scatters in its trace beside
all_reduce_cost, of which each is a half.

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
from recording import collectives, library, record, trace_path

SHARES = {"all_gather": 0.5, "reduce_scatter": 0.5}


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
        return f"its {job.backend} has no reduce-scatter ({str(error).splitlines()[0]})"
    return None


def train(job, asked):
    """Records some steps, each unit of the model sharded by itself."""
    from torch.distributed.fsdp import FullyShardedDataParallel

    device_id = job.device if job.device.type == "cuda" else None
    units = [
        FullyShardedDataParallel(torch.nn.Linear(width, width).to(job.device), device_id=device_id)
        for width in (asked.width, 2 * asked.width)
    ]
    optimizers = [torch.optim.SGD(unit.parameters(), lr=0.01) for unit in units]
    rows = [torch.randn(asked.batch, width, device=job.device) for width in (asked.width, 2 * asked.width)]

    def step():
        for unit, optimizer, batch in zip(units, optimizers, rows):
            optimizer.zero_grad()
            unit(batch).square().mean().backward()
            optimizer.step()

    for _ in range(asked.warmup):
        step()
    record(job, step, asked.steps, trace_path(asked.output, "fsdp", job, job.rank))
    job.wait()


def report(folder, job):
    paths = [trace_path(folder, "fsdp", job, rank) for rank in range(job.ranks)]
    sized = [one for one in collectives(paths, SHARES) if "bytes" in one]
    print(f"fsdp: {library()}, {job.backend}, {job.ranks} ranks, traces {paths[0].name} to {paths[-1].name} in {folder}")
    if not sized:
        print("fsdp: this PyTorch writes no sizes into its traces")
        return
    measured = [(one["kind"], one["bytes"], one["seconds"]) for one in sized]
    print_beside(measured, Model(folder / "all_reduce.csv", job.ranks), SHARES)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/real"), help="folder of all_reduce.csv and the traces")
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
            report(asked.output, job)


if __name__ == "__main__":
    main()
