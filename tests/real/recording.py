"""Records training steps by torch.profiler, and reads the trace again by `shardlab measure trace`."""

import gzip
import json
import shutil
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

import lab


def record(job, step, steps, path):
    """Profiles some steps, and writes this rank's trace, compressed."""
    activities = [ProfilerActivity.CPU]
    if job.device.type == "cuda":
        activities.append(ProfilerActivity.CUDA)
    job.wait()
    with profile(activities=activities) as profiler:
        for _ in range(steps):
            step()
        job.finish()
    plain = path.with_suffix("")
    profiler.export_chrome_trace(str(plain))
    with open(plain, "rb") as source, gzip.open(path, "wb") as target:
        shutil.copyfileobj(source, target)
    plain.unlink()


def collectives(paths, kinds):
    """The collectives of these kinds in the traces of a job's ranks, each with the time of the rank that came last,
    which waited for nobody."""
    measured = lab.answer("measure", "trace", *paths)
    return [one for one in measured.get("matched", measured["collectives"]) if one["kind"] in kinds]


def trace_path(folder: Path, name, job, rank):
    """Where the trace of a rank stands."""
    return folder / f"{name}_{job.backend}_rank{rank}.json.gz"


def write_sizes(folder: Path, name, job, sizes):
    """The sizes of what the steps sent, in their order."""
    (folder / f"{name}_{job.backend}_sizes.json").write_text(json.dumps(sizes) + "\n")


def library():
    return f"PyTorch {torch.__version__}"
