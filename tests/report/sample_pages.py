#!/usr/bin/python3
"""Pages of `solidyn report` written without Solidyn: a second implementation of how arrays are packed, and machines whose
positions, colours and curves are known in closed form, for the tests of the page's script.

    sample_pages.py BUNDLE OUT.html [--triangles N] [--shapes K] [--times T]
"""
import argparse
import base64
import hashlib
import json
import math
import pathlib
import zlib

import numpy

WIDTHS = {"f32": "<u4", "i32": "<u4", "u32": "<u4", "i16": "<u2", "u16": "<u2", "u8": "u1"}
TYPES = {"f32": "<f4", "i32": "<i4", "u32": "<u4", "i16": "<i2", "u16": "<u2", "u8": "u1"}


def zigzag_differences(values, step):
    """Differences over `step` elements in the type's width, with the sign in the lowest bit."""
    differences = values.copy()
    differences[step:] = values[step:] - values[:-step]
    bits = 8 * values.dtype.itemsize
    signed = differences.view(values.dtype.str.replace("u", "i"))
    return ((signed << 1) ^ (signed >> (bits - 1))).view(values.dtype)


class Report:
    """The manifest and the bytes behind it."""

    def __init__(self, title):
        self.arrays, self.blob = [], bytearray()
        self.manifest = {"format": 1, "solidyn": "0.1.0", "title": title, "tolerance": 5e-5, "notes": [], "runs": [],
                         "arrays": self.arrays}

    def array(self, values, kind="f32", delta=1, scale=None, offset=None):
        """Packs an array and returns its number."""
        values = numpy.ascontiguousarray(values, dtype=TYPES[kind])
        flat = values.reshape(-1).view(WIDTHS[kind])
        coded = zigzag_differences(flat, delta) if delta and flat.size else flat
        planes = coded.view("u1").reshape(-1, coded.dtype.itemsize).T.tobytes()
        packed = zlib.compress(planes, 9)
        entry = {"type": kind, "shape": list(values.shape), "at": len(self.blob), "bytes": len(packed), "delta": delta}
        if scale is not None:
            entry["scale"] = scale
        if offset is not None:
            entry["offset"] = offset
        self.arrays.append(entry)
        self.blob += packed
        return len(self.arrays) - 1

    def rounded(self, values):
        """As 16-bit integers of 1/32000 of the largest value."""
        step = max(float(numpy.abs(values).max()), 1e-300) / 32000
        return self.array(numpy.rint(values / step), "i16", scale=step)

    def html(self, bundle):
        digest = base64.b64encode(hashlib.sha256(bundle.encode()).digest()).decode()
        policy = (f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; "
                  "media-src blob:")
        manifest = json.dumps(self.manifest, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
        data = base64.b64encode(bytes(self.blob)).decode()
        return ("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                f"<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"><title>report</title>"
                "<style>@media(scripting:enabled){html:not(.failed) #static{display:none}}</style></head>\n"
                "<body><div id=\"app\"></div><main id=\"static\"><p>tables</p></main>\n"
                f"<script type=\"application/json\" id=\"manifest\">{manifest}</script>\n"
                f"<script type=\"application/octet-stream\" id=\"data\">{data}</script>\n"
                f"<script>{bundle}</script></body></html>\n")


def bar_surface(length, radius, along, around):
    """Nodes [3, V], triangles [F, 3], end circles [E, 2] and lines along it of a closed round bar about x, from 0 to length."""
    angles = 2 * numpy.pi * numpy.arange(around) / around
    x, angle = numpy.meshgrid(numpy.linspace(0, length, along + 1), angles, indexing="ij")
    points = numpy.stack([x.ravel(), radius * numpy.cos(angle).ravel(), radius * numpy.sin(angle).ravel()])
    first, last = points.shape[1], points.shape[1] + 1
    points = numpy.concatenate([points, [[0, length], [0, 0], [0, 0]]], axis=1)
    triangles, ends = [], []
    for i in range(along):
        for j in range(around):
            a, b = i * around + j, i * around + (j + 1) % around
            triangles += [[a, b, b + around], [a, b + around, a + around]]
    for j in range(around):
        a, b = j, (j + 1) % around
        triangles += [[first, b, a], [last, along * around + a, along * around + b]]
        ends += [[a, b], [along * around + a, along * around + b]]
    triangles = numpy.array(triangles)      # counter-clockwise seen from outside
    rings = [[i * around + j, (i + 1) * around + j] for i in range(along) for j in range(around)]
    rings += [[i * around + j, i * around + (j + 1) % around] for i in range(along + 1) for j in range(around)]
    return points, triangles, numpy.array(ends), numpy.array(rings)


def bending_shapes(points, length, radius, count):
    """Sines over the length in y and z; and their bending stress E y phi'' for a modulus of 1 GPa, components xx .. xy."""
    shapes, stresses = [], []
    for k in range(count):
        half_waves, axis = 1 + k // 2, 1 + k % 2
        wave = half_waves * numpy.pi / length
        shape = numpy.zeros_like(points)
        shape[axis] = numpy.sin(wave * points[0])
        shape[0] = -points[axis] * wave * numpy.cos(wave * points[0])
        stress = numpy.zeros((6, points.shape[1]))
        stress[0] = 1e9 * points[axis] * wave ** 2 * numpy.sin(wave * points[0])
        shapes.append(shape)
        stresses.append(stress)
    return shapes, stresses


def constant(vector, n):
    """[3, n]"""
    return numpy.repeat(numpy.array([vector]).T, n, axis=1)


def quaternion_about_y(angle):
    return [numpy.cos(angle / 2), 0 * angle, numpy.sin(angle / 2), 0 * angle]


class SwingingBar:
    """A flexible bar on a hinge at the origin, whose axis is y, beside a rigid block that stands; all motions in closed form."""

    length, radius = 0.8, 0.05

    def __init__(self, triangles=2400, shapes=6, times=201):
        around = max(8, int(math.sqrt(triangles / 16)))
        along = max(4, triangles // (2 * around))
        self.points, self.triangles, self.ends, self.edges = bar_surface(self.length, self.radius, along, around)
        self.shapes, self.stresses = bending_shapes(self.points, self.length, self.radius, shapes)
        self.times = numpy.linspace(0, 2, times)

    def angle(self, time):
        return 1.2 * numpy.sin(numpy.pi * time)

    def pose(self, time):
        """[7, T]"""
        angle = self.angle(time)
        return numpy.stack([0 * time, 0 * time, 0 * time, *quaternion_about_y(angle)])

    def coordinates(self, time):
        """[K, T], m"""
        return numpy.stack([0.012 / (1 + k) * numpy.sin((3 + 2 * k) * numpy.pi * time) for k in range(len(self.shapes))])

    def positions(self, time):
        """[3, V] at one instant, m."""
        local = self.points + sum(q * shape for q, shape in zip(self.coordinates(numpy.float64(time)), self.shapes))
        c, s = math.cos(self.angle(time)), math.sin(self.angle(time))
        return numpy.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ local

    def body(self, report, simple=None):
        mesh = {"positions": report.rounded(self.points), "triangles": report.array(self.triangles, "u32"),
                "feature_edges": report.array(self.ends, "u32"), "element_edges": report.array(self.edges, "u32"),
                "nodes": report.array(1001 + numpy.arange(self.points.shape[1]), "i32"),
                "shapes": [{"array": report.rounded(shape), "coordinate": k} for k, shape in enumerate(self.shapes)],
                "stress": {"components": ["xx", "yy", "zz", "yz", "zx", "xy"], "unit": "Pa",
                           "shapes": [{"array": report.rounded(stress), "coordinate": k} for k, stress in enumerate(self.stresses)]}}
        if simple is not None:
            mesh["simple"] = {"triangles": report.array(simple, "u32")}
        return {"name": "bar", "type": "modal", "mass": 0.61, "pose": report.array(self.pose(self.times)),
                "coordinates": report.array(self.coordinates(self.times)), "meshes": [mesh]}

    def scene(self, report, names):
        n = len(self.times)
        still = numpy.repeat(numpy.array([[-0.16, 0, 0, 1, 0, 0, 0]]).T, n, axis=1)
        tip = numpy.stack([numpy.zeros((3, n)), numpy.stack([self.length * numpy.cos(self.angle(self.times)), 0 * self.times,
                                                              -self.length * numpy.sin(self.angle(self.times))])]).reshape(6, n)
        force = numpy.stack([0 * self.times, 0 * self.times, -20 - 10 * numpy.cos(numpy.pi * self.times)])
        anchor = numpy.repeat(numpy.array([[0.3, 0, -0.7]]).T, n, axis=1)
        return {"size": 2.0, "centre": [0.35, 0, 0], "up": [0, 0, 1], "times": report.array(self.times),
                "bodies": [self.body(report), {"name": names[0], "type": "rigid", "mass": 4.0, "pose": report.array(still),
                           "velocity": report.rounded(constant(BLOCK_VELOCITY, n)), "angular_velocity": report.rounded(constant(BLOCK_SPIN, n)),
                           "primitives": [{"shape": "box", "size": [0.2, 0.2, 0.2], "position": [0, 0, 0], "quaternion": [1, 0, 0, 0],
                                           "colour": "#7a8794"}]}],
                "joints": [{"name": names[1], "type": "revolute", "driven": True, "frames": [
                    {"body": -1, "position": [0, 0, 0], "quaternion": [math.sqrt(0.5), -math.sqrt(0.5), 0, 0]},
                    {"body": 0, "position": [0, 0, 0], "quaternion": [math.sqrt(0.5), -math.sqrt(0.5), 0, 0]}]}],
                "symbols": [{"name": "weight", "kind": "load", "points": report.array(tip[3:]), "vector": report.array(force), "unit": "N"},
                            {"name": "stop", "kind": "contact", "points": report.array(anchor), "vector": report.array(0 * force), "unit": "N"},
                            {"name": "pull of the hinge", "kind": "reaction", "points": report.array(0 * anchor), "vector": report.array(-2 * force), "unit": "N"},
                            {"name": "leash", "kind": "spring", "points": report.array(numpy.concatenate([anchor, tip[3:]]))}]}


# Of the block, which stands all the same: a page that shows them has read them.
BLOCK_VELOCITY, BLOCK_SPIN = (1.0, 2.0, -2.0), (0.0, 0.0, 5.0)
MODE_AMPLITUDE = 0.06
NAMES = ["</script><b>block & \"co\"", "\u05e6\u05d9\u05e8 \u05e8\u05d0\u05e9\u05d9 'hinge'"]


def history(report, bar):
    """Columns of three units over 2001 rows; one has gaps."""
    time = numpy.linspace(0, 2, 2001)
    gaps = numpy.where((time > 0.7) & (time < 0.9), numpy.nan, numpy.cos(5 * time))
    infinite = numpy.where(numpy.abs(time - 1.5) < 0.004, numpy.inf, 3 * numpy.sin(9 * time))
    columns = [("angle", "rad", bar.angle(time)), ("tip.x", "m", bar.length * numpy.cos(bar.angle(time))),
               ("tip.z", "m", -bar.length * numpy.sin(bar.angle(time))), ("gap", "m", gaps), ("hinge.force", "N", infinite)]
    return {"x": report.array(time), "reduced": False,
            "columns": [{"name": name, "unit": unit, "array": report.array(values)} for name, unit, values in columns]}


def linear(report, bar):
    """Modes at five speeds, a frequency response, and the pictures of two modes of the bar."""
    rows = []
    for speed in numpy.linspace(0, 400, 5):
        for mode, (frequency, slope) in enumerate(((40, 0.05), (40, -0.05), (120, 0.02)), 1):
            f = frequency + slope * speed
            rows.append({"time": 0.0, "speed": float(speed), "mode": mode, "branch": mode, "kind": "oscillation", "frequency": f,
                         "natural_frequency": f, "damping_ratio": 0.01 * mode, "real": -0.01 * mode * 2 * math.pi * f,
                         "imaginary": 2 * math.pi * f, "moves_most": "bar", "part_of_energy": 0.9})
    f = numpy.logspace(0, 3, 400)
    answer = 1 / (4000 - (2 * numpy.pi * f) ** 2 + 8j * numpy.pi * f) + 0.2 / (1e6 - (2 * numpy.pi * f) ** 2 + 40j * numpy.pi * f)
    response = [{"input": "push.force_z", "output": "tip.z", "unit": "m/N", "frequency": report.array(f), "real": report.array(answer.real),
                 "imaginary": report.array(answer.imag)},
                # Round-off, as of what cannot move
                {"input": "push.force_z", "output": "tip.y", "unit": "rad/N", "frequency": report.array(f), "real": report.array(1e-33 * answer.real),
                 "imaginary": report.array(1e-35 * answer.real)}]
    phase = 2 * numpy.pi * numpy.arange(8) / 8
    mode_bar = SwingingBar(1200, 2)
    still = numpy.repeat(numpy.array([[0, 0, 0, 1, 0, 0, 0]]).T, 16, axis=1)
    body = mode_bar.body(report)
    body["pose"] = report.array(still)
    amplitudes = numpy.zeros((2, 16))
    amplitudes[0, :8] = amplitudes[1, 8:] = MODE_AMPLITUDE * numpy.cos(phase)
    body["coordinates"] = report.array(amplitudes)
    scene = {"size": 1.0, "centre": [0.4, 0, 0], "up": [0, 0, 1], "times": report.array(numpy.arange(16)), "bodies": [body]}
    return {"modes": rows, "frequency_response": response, "scene": scene,
            "periods": [{"row": 0, "first": 0, "count": 8}, {"row": 1, "first": 8, "count": 8}]}


def swinging_bar_page(triangles=2400, shapes=6, times=201, simple=None):
    """The report and the bar behind it."""
    report = Report("bar on a hinge </title> \u202ertl\u202c & \"quotes\"")
    bar = SwingingBar(triangles, shapes, times)
    scene = bar.scene(report, NAMES)
    if simple is not None:
        scene["bodies"][0]["meshes"][0]["simple"] = {"triangles": report.array(simple(bar), "u32")}
    run = {"name": "out", "status": "completed", "model": "title: bar # </script>\n", "set": ["bodies.bar.mass=1"], "log": "info: done\n",
           "warnings": ["a warning of <b>nothing</b>"], "independent": {"name": "time", "unit": "s"},
           "summary": {"solidyn": "summary", "status": "done", "steps": 2000, "time": 2.0, "seconds": {"total": 1.25, "solve": 0.5},
                       "energy": {"kinetic": 1.5, "strain": 0.25, "relative_drift": 1e-7}, "warnings": []},
           "history": history(report, bar), "events": [{"time": 0.5, "contact": "stop", "kind": "impact"}],
           "scene": scene, "linear": linear(report, bar)}
    report.manifest["runs"].append(run)
    return report, bar


class FarAndLate:
    """Two bars far from the origin, late: one moves by velocity shapes, the other by rates, and neither as its pictures say."""

    origin, begin = numpy.array([1e6, -2e6, 5.0]), 1e5

    def __init__(self):
        self.points, self.triangles, _, _ = bar_surface(0.8, 0.05, 8, 12)

    @staticmethod
    def speeds(time):
        """Of all nodes of each bar, m/s, `time` after the beginning."""
        return 1 + 4 * time, 5 - 4 * time

    def page(self):
        report, times = Report("far and late"), numpy.linspace(0, 1, 11)
        n, up = self.points.shape[1], constant([0, 0, 1], self.points.shape[1])

        def bar(name, y, q, mesh, **more):
            pose = numpy.repeat(numpy.array([[0, y, 0, 1, 0, 0, 0]]).T, len(times), axis=1)
            surface = {"positions": report.rounded(self.points), "triangles": report.array(self.triangles, "u32"),
                       "nodes": report.array(numpy.arange(n), "i32"), **mesh}
            still = report.rounded(numpy.zeros((3, len(times))))
            return {"name": name, "type": "flexible", "pose": report.array(pose), "velocity": still, "angular_velocity": still,
                    "coordinates": report.array(q[None]), "meshes": [surface], **more}

        first, second = self.speeds(times)
        bodies = [bar("shaped", 0, first, {"velocity": {"shapes": [{"array": report.rounded(up), "coordinate": 0}]}}),
                  bar("rated", 0.4, 0 * times, {"shapes": [{"array": report.rounded(1e-3 * up), "coordinate": 0}]},
                      rates=report.array(1e3 * second[None]))]
        late = report.array(times, offset=self.begin)
        report.manifest["runs"] = [{"name": "out", "status": "completed", "independent": {"name": "time", "unit": "s"},
            "history": {"x": late, "reduced": False, "columns": [{"name": "ramp", "unit": "m", "array": report.array(times)}]},
            "scene": {"size": 1.0, "centre": [0.4, 0.2, 0], "origin": self.origin.tolist(), "velocity_tolerance": 1e-3, "times": late,
                      "bodies": bodies}}]
        return report


def several_runs_page():
    """Two runs with columns of the same names over other times, one whose rows became buckets, and a sweep of the first, one run of which failed."""
    report = Report("several runs")

    def run(name, n, columns):
        x = report.array(numpy.linspace(0, 2, n))
        return {"name": name, "status": "completed", "independent": {"name": "time", "unit": "s"}, "history": {"x": x, "reduced": False, "columns": [
            {"name": column, "unit": unit, "array": report.array(numpy.full(n, value))} for column, unit, value in columns]}}

    low, high = -1 - numpy.linspace(0, 1, 400), 1 + numpy.linspace(0, 1, 400)
    long = run("long/out", 2, [])
    long["history"] = {"x": report.array((numpy.arange(400) + 0.5) / 200), "reduced": True,
                       "columns": [{"name": "a", "unit": "m", "array": report.array(numpy.stack([low, high]))}]}
    # y = t by buckets of ten rows, whose steps grow from 1e-4 to 2e-3
    t = numpy.concatenate([numpy.linspace(0, 0.0999, 1000), 0.1 + numpy.arange(1, 1001) * 2e-3]).reshape(-1, 10)
    long["history"]["columns"].append({"name": "uneven", "unit": "m", "buckets": report.array(t[:, 5]),
                                       "array": report.array(numpy.stack([t[:, 0], t[:, 9]]))})
    rows = [["run_001", 1.0, "done", 2.5], ["run_002", 2.0, "failed", None]]
    columns = [{"name": name, "unit": "1", "values": [row[i] for row in rows]} for i, name in enumerate(("run", "bodies.arm.mass", "status", "a.max"))]
    sweep = {"name": "sweep", "status": "failed", "message": "1 of 2 runs failed: run_002.",
             "sweep": {"parameters": ["bodies.arm.mass"], "columns": columns, "runs": [2, None]}}
    report.manifest["runs"] += [sweep, run("one/out", 50, [("a", "m", 1.5), ("b", "m", 2.5)]), run("two/out", 80, [("a", "m", 3.5), ("b", "m", 4.5), ("c", "N", 9.0)]), long]
    report.manifest["notes"] = ["one/out: the first 20000 of 30000 events are listed"]
    return report


def mixed_page():
    """Statics over steps of the load, and dynamics over time, of a box each."""
    report = Report("snaps")
    for name, title, axis, end, slope in (("statics", "snaps", {"name": "load step", "unit": ""}, 10, 10), ("dynamics", "swings", {"name": "time", "unit": "s"}, 0.1, 2)):
        times = numpy.linspace(0, end, 21)
        pose = numpy.stack([0 * times, 0 * times, times / end, 1 + 0 * times, 0 * times, 0 * times, 0 * times])
        box = {"shape": "box", "size": [0.2, 0.3, 0.4], "position": [0, 0, 0], "quaternion": [1, 0, 0, 0]}
        scene = {"size": 1.5, "centre": [0, 0, 0.5], "times": report.array(times),
                 "bodies": [{"name": "box", "type": "rigid", "pose": report.array(pose), "primitives": [box]}]}
        report.manifest["runs"].append({"name": name, "status": "completed", "summary": {"title": title}, "independent": axis, "scene": scene,
            "history": {"x": report.array(times), "reduced": False, "columns": [{"name": "z", "unit": "m", "array": report.array(slope * times)}]}})
    return report


def main():
    parser = argparse.ArgumentParser(description="writes a sample page")
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--triangles", type=int, default=2400)
    parser.add_argument("--shapes", type=int, default=6)
    parser.add_argument("--times", type=int, default=201)
    given = parser.parse_args()
    report, _ = swinging_bar_page(given.triangles, given.shapes, given.times)
    given.out.write_text(report.html(given.bundle.read_text()), encoding="utf-8")


if __name__ == "__main__":
    main()
