"""One rank of a job, started by torchrun or by launch.py: on GPUs over NCCL, on CPUs over Gloo."""

import os
import time

import torch
import torch.distributed as dist


class Job:
    """The process group that the environment describes (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT)."""

    def __init__(self):
        on_gpus = torch.cuda.is_available()
        self.backend = "nccl" if on_gpus else "gloo"
        self.device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if on_gpus else torch.device("cpu")
        if on_gpus:
            torch.cuda.set_device(self.device)
        dist.init_process_group(self.backend)
        self.rank = dist.get_rank()
        self.ranks = dist.get_world_size()
        # The same model on every rank.
        torch.manual_seed(0)

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        # A rank that left early would take its connections away from those that are still at work.
        if failure is None:
            dist.barrier()
        dist.destroy_process_group()

    def say(self, line):
        """Prints a line, once."""
        if self.rank == 0:
            print(line, flush=True)

    def wait(self):
        """Until all ranks are here, and their devices have nothing left to do."""
        dist.barrier()
        self.finish()

    def finish(self):
        """Until this rank's device has nothing left to do."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def seconds_of(self, work):
        """How long this rank takes, from when all are ready."""
        self.wait()
        start = time.perf_counter()
        work()
        self.finish()
        return time.perf_counter() - start

    def slowest(self, seconds):
        """Of a list of times the slowest rank's, each."""
        times = torch.tensor(seconds, dtype=torch.float64, device=self.device)
        dist.all_reduce(times, op=dist.ReduceOp.MAX)
        return times.tolist()
