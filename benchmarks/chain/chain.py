#!/usr/bin/env python3
"""The chain of benchmark_chain as a model file: python3 benchmarks/chain/chain.py 1000 > chain.yaml"""
import argparse

HEAD = """solidyn: 1
title: chain of {n} links
gravity: [0, -9.81, 0]

bodies:
"""
LINK = ("  link{i}: {{type: rigid, mass: 1, inertia: [1e-3, {j:.17g}, {j:.17g}], "
        "pose: {{position: [{x}, 0, 0]}}}}\n")
JOINT = "  joint{i}: {{type: revolute, between: [{before}, link{i}], at: [{x}, 0, 0], axis: [0, 0, 1]}}\n"
TAIL = """
analyses:
  - dynamics: {{duration: {duration}, step: 1e-3}}

sensors:
  tip: {{type: position, of: link{n}}}
"""


def write_chain(n, duration):
    """Text of the model of n links."""
    parts = [HEAD.format(n=n)]
    parts += [LINK.format(i=i, j=1 / 12, x=i - 0.5) for i in range(1, n + 1)]
    parts.append("\njoints:\n")
    parts += [JOINT.format(i=i, before=f"link{i - 1}" if i > 1 else "ground", x=i - 1)
              for i in range(1, n + 1)]
    parts.append(TAIL.format(n=n, duration=duration))
    return "".join(parts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("links", type=int)
    parser.add_argument("--duration", type=float, default=0.1)
    arguments = parser.parse_args()
    print(write_chain(arguments.links, arguments.duration), end="")
