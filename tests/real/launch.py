"""Starts a script on some ranks of this machine: launch.py RANKS SCRIPT [ARGUMENT...]

It does what torchrun does for one machine, whose version in Debian 12 fails on the Python there.
"""

import os
import socket
import subprocess
import sys
import time


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(ranks, words):
    shared = {
        "WORLD_SIZE": str(ranks),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(free_port()),
        "OMP_NUM_THREADS": "1",
        # Distributions build PyTorch without it.
        "USE_LIBUV": "0",
    }
    return [
        subprocess.Popen([sys.executable, *words], env={**os.environ, **shared, "RANK": rank, "LOCAL_RANK": rank})
        for rank in map(str, range(ranks))
    ]


def wait(processes):
    """The first status that is not 0, or 0 when all have ended; where one fails, the others are ended too."""
    while True:
        statuses = [process.poll() for process in processes]
        failed = [status for status in statuses if status]
        if failed or None not in statuses:
            for process in processes:
                process.terminate()
                process.wait()
            return failed[0] if failed else 0
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(wait(start(int(sys.argv[1]), sys.argv[2:])))
