"""Prints measured collectives beside the model, a line for each size."""

from collections import defaultdict
from statistics import median


def print_beside(measured, model, shares):
    """
    measured: (kind, bytes, seconds) of each collective
    shares: of each kind, how much of an all-reduce it is: a ring's all-gather, or reduce-scatter, is half of one
    """
    times = defaultdict(list)
    for kind, size, seconds in measured:
        times[kind, size].append(seconds)
    print(f"{'kind':>14} {'bytes':>12} {'count':>6} {'measured us':>12} {'all_reduce_cost us':>19} {'ratio':>6}")
    for (kind, size), seconds in sorted(times.items()):
        cost = model.all_reduce_seconds(size) * shares[kind]
        middle = median(seconds)
        print(f"{kind:>14} {size:12} {len(seconds):6} {middle * 1e6:12.1f} {cost * 1e6:19.1f} {middle / cost:6.2f}")
