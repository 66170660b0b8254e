"""Measures torch.distributed.all_reduce by size, and holds the fitted model to the sizes that it was not fitted to.

    torchrun --nproc-per-node 8 tests/real/all_reduce.py
"""

import argparse
import csv
from pathlib import Path
from statistics import median

import torch
import torch.distributed as dist

import lab
from job import Job


def measure(job, size, warmup, iterations):
    """Seconds of one all-reduce of `size` bytes: the median of the slowest rank's."""
    tensor = torch.ones(size // 4, dtype=torch.float32, device=job.device)
    seconds = [job.seconds_of(lambda: dist.all_reduce(tensor)) for _ in range(warmup + iterations)]
    return median(job.slowest(seconds[warmup:]))


def write_runs(path, job, measured):
    """The CSV that `shardlab fit` reads; its column of times is named as nccl-tests' table has it."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["run_id", "nranks", "size_B", "oop_time_us"])
        for size, seconds in measured:
            writer.writerow([f"torch_{job.backend}", job.ranks, size, f"{seconds * 1e6:.2f}"])


def print_prediction(path, ranks):
    """Measured beside what a fit to every other size says of those between."""
    (run,) = lab.answer("measure", "nccl-tests", path, "--ranks", ranks)["runs"]
    held_out = run["fit"]["held_out"]
    print(f"{'bytes':>12} {'measured us':>12} {'predicted us':>13} {'off by':>7}")
    for point in held_out["points"]:
        measured, predicted = point["measured_seconds"] * 1e6, point["fitted_seconds"] * 1e6
        print(f"{point['bytes']:12} {measured:12.1f} {predicted:13.1f} {point['relative_error']:7.1%}")
    off = held_out["median_relative_error"]
    print(f"of sizes that the model was not fitted to, it is off by {off:.1%} in the median")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/real"), help="folder for all_reduce.csv")
    parser.add_argument("--min-bytes", type=int, default=1 << 10)
    parser.add_argument("--max-bytes", type=int, default=1 << 26)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=30)
    asked = parser.parse_args()
    with Job() as job:
        measured = []
        size = asked.min_bytes
        while size <= asked.max_bytes:
            measured.append((size, measure(job, size, asked.warmup, asked.iterations)))
            size *= 2
        if job.rank == 0:
            asked.output.mkdir(parents=True, exist_ok=True)
            path = asked.output / "all_reduce.csv"
            write_runs(path, job, measured)
            print(f"all_reduce: PyTorch {torch.__version__}, {job.backend}, {job.ranks} ranks, written to {path}")
            print_prediction(path, job.ranks)


if __name__ == "__main__":
    main()
