#!/usr/bin/env python3
"""Makes a run folder with one body of many triangles and smooth shapes, to time `solidyn report` by.

    benchmarks/report/synthetic_run.py FOLDER --triangles 100000 --shapes 32 --pictures 1000 [--stress | --full-mesh]
    time solidyn report FOLDER
"""
import argparse
import json
import pathlib

import h5py
import numpy as np


def surface(n_triangles):
    """A closed tube of triangles: [n, 3] positions (m), [m, 3] triangles."""
    around = int(round((n_triangles / 8) ** 0.5))
    along = n_triangles // (2 * around)
    a, s = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.linspace(0, 1, along + 1))
    x = np.column_stack([s.ravel(), 0.05 * np.cos(a).ravel(), 0.05 * np.sin(a).ravel()])
    j, i = np.meshgrid(np.arange(around), np.arange(along))
    p, q = (i * around + j).ravel(), (i * around + (j + 1) % around).ravel()
    return x, np.concatenate([np.column_stack([p, q, p + around]), np.column_stack([q, q + around, p + around])])


def shape(x, k):
    """Bending of order k / 2 in one of two planes, with the axial motion that goes with it. [n, 3], m per unit"""
    wave, axis = np.pi * (k // 2 + 1), 1 + k % 2
    values = np.zeros_like(x)
    values[:, axis] = np.sin(wave * x[:, 0])
    values[:, 0] = -x[:, axis] * wave * np.cos(wave * x[:, 0])
    return values


def stress_shape(x, k):
    """Its bending stress, [n, 6] in the order xx yy zz yz zx xy, Pa per unit."""
    wave, axis = np.pi * (k // 2 + 1), 1 + k % 2
    values = np.zeros((len(x), 6))
    values[:, 0] = 2.1e11 * x[:, axis] * wave**2 * np.sin(wave * x[:, 0])
    values[:, 5 - axis + 1] = 1e9 * np.cos(wave * x[:, 0])
    return values


def write_fields(path, x, triangles, times, poses, q, rates, velocity, spin):
    """The same motion as positions of all nodes, as of a body that keeps them."""
    shapes = np.array([shape(x, k) for k in range(q.shape[1])])
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["format_version"] = np.bytes_("solidyn fields"), np.int64(1)
        file["times"] = times
        part = file.create_group("parts/tube")
        part.attrs["name"] = np.bytes_("tube")
        part["nodes"], part["cells/tri3"] = np.arange(1, len(x) + 1), triangles
        for k, pose in enumerate(poses):
            w, z = pose[3], pose[6]
            turn = np.array([[1 - 2 * z * z, -2 * w * z, 0], [2 * w * z, 1 - 2 * z * z, 0], [0, 0, 1]])
            arm = (x + np.tensordot(q[k], shapes, 1)) @ turn.T
            part[f"positions/{k:06d}"] = arm + pose[:3]
            part[f"velocity/{k:06d}"] = velocity[k] + np.cross([0, 0, spin], arm) + np.tensordot(rates[k], shapes, 1) @ turn.T


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    for word, default in (("triangles", 100_000), ("shapes", 32), ("pictures", 1000)):
        parser.add_argument(f"--{word}", type=int, default=default)
    parser.add_argument("--stress", action="store_true")
    parser.add_argument("--full-mesh", action="store_true", help="fields.h5 with all nodes, in place of motion.h5")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    x, triangles = surface(given.triangles)
    times = np.linspace(0, 1, given.pictures)
    orders = np.arange(given.shapes)
    q = 0.02 / (1 + orders)**2 * np.sin(2 * np.pi * np.outer(times, 2 + orders) + orders)
    angle = 4 * np.pi * times
    zero = np.zeros_like(times)
    rates = 0.02 / (1 + orders)**2 * 2 * np.pi * (2 + orders) * np.cos(2 * np.pi * np.outer(times, 2 + orders) + orders)
    spin = 4 * np.pi
    velocity = np.column_stack([0.1 * spin * np.cos(angle), zero, zero])
    poses = np.column_stack([0.1 * np.sin(angle), zero, zero, np.cos(angle / 2), zero, zero, np.sin(angle / 2)])
    (given.folder / "summary.json").write_text(json.dumps({"solidyn": "summary", "status": "done", "title": "a tube", "time": 1.0}))
    if given.full_mesh:
        return write_fields(given.folder / "fields.h5", x, triangles, times, poses, q, rates, velocity, spin)
    body = {"name": "tube", "type": "modal", "mass": 1.0, "colour": "", "coordinates": given.shapes, "nodes": 0, "lines": [],
            "radius": 0.0, "in_fields": False}
    scene = {"title": "a tube", "independent": "time", "unit": "s", "gravity": [0, 0, -9.81], "model": "", "overrides": [],
             "bodies": [body], "frames": [], "joints": [], "symbols": [], "velocities": True}
    with h5py.File(given.folder / "motion.h5", "w") as file:
        file.attrs["format"], file.attrs["format_version"] = np.bytes_("solidyn motion"), np.int64(2)
        file["scene"], file["times"], file["rows"] = np.array([json.dumps(scene)], dtype="S"), times, np.column_stack(
            [poses, q, velocity, zero, zero, zero + spin, rates])
        at = file.create_group("surfaces/0")
        at["nodes"], at["positions"] = np.arange(1, len(x) + 1), x.astype("f4")
        at["cells_tri3"] = triangles
        at["shapes"] = np.array([shape(x, k) for k in orders], dtype="f4")
        if given.stress:
            at["stress_shapes"] = np.array([stress_shape(x, k) for k in orders], dtype="f4")


if __name__ == "__main__":
    main()
