"""The command `shardlab`, whose answers the measured times stand beside."""

import json
import os
import subprocess
from pathlib import Path

COMMAND = os.environ.get("SHARDLAB_CLI", str(Path(__file__).parents[2] / "build" / "bin" / "shardlab"))


def answer(*words):
    """What `shardlab WORD...` answers."""
    ran = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)
    if ran.returncode != 0:
        raise RuntimeError(ran.stderr.strip())
    return json.loads(ran.stdout)


class Model:
    """all_reduce_cost over the links that a measured all-reduce was fitted to, a link for each range of sizes."""

    def __init__(self, runs, ranks):
        self.ranks = ranks
        self.regimes = answer("fit", "--input", runs, "--ranks", ranks)["regimes"]
        self.steps = answer("all-reduce-cost", "--ranks", ranks, "--bytes", 0)["steps"]

    def all_reduce_seconds(self, size):
        """The time of an all-reduce of so many bytes, of a ring on the link of the nearest regime."""
        fastest = 1e18  # of a link of the lab: where times do not grow with the size, there is no other
        regime = min(self.regimes, key=lambda regime: max(regime["from_bytes"] - size, size - regime["to_bytes"], 0))
        cost = answer(
            *("all-reduce-cost", "--ranks", self.ranks, "--bytes", size),
            *("--latency-seconds", regime["latency_seconds"] / self.steps),
            *("--bytes-per-second", regime.get("bus_bytes_per_second", fastest)),
        )
        return cost["seconds"]
