"""Trains a small model by DistributedDataParallel, and sets the all-reduces in its trace beside all_reduce_cost.

    torchrun --nproc-per-node 8 tests/real/ddp.py

all_reduce.py comes first: the model is fitted to what it measured.
"""

import argparse
from pathlib import Path

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from beside import print_beside
from job import Job
from lab import Model
from recording import collectives, library, record, trace_path, write_sizes


def perceptron(width):
    """Layers of several widths, so that the buckets have several sizes."""
    widths = [width // 2, width, width, 4 * width, width // 4, 10]
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def note_and_average(sizes, bucket):
    """What DistributedDataParallel does with a bucket by itself, an average by all-reduce; and its size is noted."""
    gradients = bucket.buffer()
    sizes.append(gradients.numel() * gradients.element_size())
    gradients.div_(dist.get_world_size())
    reduced = dist.all_reduce(gradients, async_op=True).get_future()
    return reduced.then(lambda future: future.value()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/real"), help="folder of all that is recorded")
    parser.add_argument("--width", type=int, default=512, help="of the widest layers but one")
    parser.add_argument("--batch", type=int, default=32, help="rows of each rank")
    parser.add_argument("--bucket-mb", type=float, default=1)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    asked = parser.parse_args()
    with Job() as job:
        sizes = []
        module = perceptron(asked.width).to(job.device)
        model = DistributedDataParallel(module, bucket_cap_mb=asked.bucket_mb)
        model.register_comm_hook(sizes, note_and_average)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        rows = torch.randn(asked.batch, asked.width // 2, device=job.device)

        def step():
            optimizer.zero_grad()
            model(rows).square().mean().backward()
            optimizer.step()

        for _ in range(asked.warmup):
            step()
        sizes.clear()
        record(job, step, asked.steps, trace_path(asked.output, "ddp", job, job.rank))
        job.wait()
        if job.rank == 0:
            report(asked.output, job, sizes)


def report(folder, job, sizes):
    """A trace of Gloo has no sizes; the buckets were reduced in the order of its events."""
    paths = [trace_path(folder, "ddp", job, rank) for rank in range(job.ranks)]
    write_sizes(folder, "ddp", job, {"bucket_bytes": sizes})
    all_reduces = collectives(paths, {"all_reduce"})
    if len(all_reduces) != len(sizes):
        raise RuntimeError(f"the traces have {len(all_reduces)} all-reduces that match, of {len(sizes)} buckets")
    print(f"ddp: {library()}, {job.backend}, {job.ranks} ranks, traces {paths[0].name} to {paths[-1].name}")
    measured = [("all_reduce", size, one["seconds"]) for size, one in zip(sizes, all_reduces)]
    print_beside(measured, Model(folder / "all_reduce.csv", job.ranks), {"all_reduce": 1})
    if job.backend == "gloo":
        print("ddp: these share the cores with the backward around them; the model's all-reduces do not")


if __name__ == "__main__":
    main()
