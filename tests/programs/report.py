"""`solidyn report` writes one HTML file whose positions are those of fields.h5 within the bound that it states, the same from
any number of ranks and from every second writing; what is no run, damaged or foreign it refuses with exit status 2.

    report.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import base64
import hashlib
import html.parser
import json
import os
import pathlib
import shutil
import sys
import tempfile
import zlib

import h5py
import numpy as np

from support import COARSE, EXAMPLES, FLEXIBLE, History, Program, parsed_arguments, summary

NAME = "</script><b>\"quoted\" \\ & שלום"
SHORT = [FLEXIBLE, *COARSE, "--set", "analyses.dynamics.duration=2e-3", "--set", "output.fields_interval=2e-4",
         "--set", "output.motion_interval=1e-4", "--set", "bodies.rod.stress={}",
         "--set", "bodies.crank.appearance={shape: cylinder, radius: 0.01, length: 0.15, colour: '#aa3377'}"]
SOLID = """
solidyn: 1
title: "%s"
materials: {rubber: {youngs_modulus: 1.0e6, poissons_ratio: 0.3, density: 1000}}
bodies:
  bar: {type: corotational, mesh: MESH, material: rubber, pose: {rotation: {axis: [0, 1, 0], angle: 0.3}},
        velocity: {angular: [0, 0, 20]}}
  flyer: {type: rigid, mass: 1, inertia: [1, 1, 1], velocity: {linear: [3, 4, 5], angular: [1, 2, 3]}}
  mast: {type: beam, points: {foot: [0, 0, 0], top: [0, 0, 0.4]}, elements: 4, section: {type: circle, radius: 0.005},
         material: rubber}
joints: {clamp: {type: fixed, between: [ground, mast.foot]}}
analyses: [{dynamics: {duration: 0.02, step: 1.0e-3}}]
output: {fields_interval: 2.0e-3, report: true}
"""
TYPES = {"f32": "<f4", "i16": "<i2", "u16": "<u2", "i32": "<i4", "u32": "<u4", "u8": "u1"}


class Elements(html.parser.HTMLParser):
    """The page as a browser reads it: elements with their text."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open, self.attributes = {}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.attributes.append((tag, dict(attrs)))
        self.open.append(dict(attrs).get("id", tag))

    def handle_endtag(self, tag):
        if self.open:
            self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.found[self.open[-1]] = self.found.get(self.open[-1], "") + data


class Page:
    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.elements = Elements(self.text)
        self.manifest = json.loads(self.elements.found["manifest"])
        self.blob = base64.b64decode(self.elements.found["data"])

    def array(self, i):
        about = self.manifest["arrays"][i]
        kind = np.dtype(TYPES[about["type"]])
        planes = zlib.decompress(self.blob[about["at"]:about["at"] + about["bytes"]])
        n, width = int(np.prod(about["shape"])), kind.itemsize
        assert len(planes) == n * width, about
        values = np.frombuffer(planes, "u1").reshape(width, n).T.copy().view(f"<u{width}").ravel()
        if about["delta"]:
            k = about["delta"]
            values = np.where(values & 1, ~(values >> 1), values >> 1).astype(f"<u{width}")
            for first in range(k):
                values[first::k] = np.cumsum(values[first::k], dtype=f"<u{width}")
        values = values.view(kind).reshape(about["shape"])
        return values.astype(float) * about["scale"] if "scale" in about else values.astype(float)

    def positions(self, body, t):
        """Of the first mesh of a body at a picture, by node tags."""
        mesh = body["meshes"][0]
        x = self.array(mesh["positions"])
        q = self.array(body["coordinates"]) if "coordinates" in body else None
        for shape in mesh["shapes"]:
            x = x + q[shape["coordinate"], t] * self.array(shape["array"])
        pose = self.array(body["pose"])[:, t]
        return dict(zip(self.array(mesh["nodes"]).astype(int), (rotation(pose[3:]) @ x + pose[:3, None]).T))

    def stress(self, body, t):
        mesh, q = body["meshes"][0], self.array(body["coordinates"])
        sigma = sum(q[shape["coordinate"], t] * self.array(shape["array"]) for shape in mesh["stress"]["shapes"])
        return dict(zip(self.array(mesh["nodes"]).astype(int), von_mises(sigma).T))


def von_mises(s):
    xx, yy, zz, yz, zx, xy = s
    return np.sqrt(0.5 * ((xx - yy)**2 + (yy - zz)**2 + (zz - xx)**2) + 3 * (yz**2 + zx**2 + xy**2))


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def body_of(page, name):
    return next(body for body in page.manifest["runs"][0]["scene"]["bodies"] if body["name"] == name)


def written(fields):
    """Times of the snapshots that there are."""
    times = fields["times"][:]
    return times[~np.isnan(times)]


def check_positions(page, fields, name):
    """At all snapshots and all nodes, within what the page says."""
    scene = page.manifest["runs"][0]["scene"]
    times, body = page.array(scene["times"]), body_of(page, name)
    bound = page.manifest["tolerance"]
    assert 0 < bound <= scene["size"] / 2000 * 1.05, (bound, scene["size"])
    tags, worst, moved = fields[f"parts/{name}/nodes"][:], 0.0, 0.0
    n_checked = 0
    for k, time in enumerate(written(fields)):
        x = fields[f"parts/{name}/positions/{k:06d}"][:]
        t = int(np.argmin(abs(times - time)))
        assert abs(times[t] - time) <= 1e-6 * abs(times[-1]), time
        shown = page.positions(body, t)
        assert set(shown) == set(tags.tolist())
        worst = max(worst, max(np.linalg.norm(shown[tag] - x[i]) for i, tag in enumerate(tags)))
        moved = max(moved, abs(x - fields[f"parts/{name}/positions/000000"][:]).max())
        n_checked += 1
    assert n_checked > 5 and moved > 20 * bound, "nothing moves: the test says nothing"
    assert worst <= bound, (worst, bound)


def check_stress(page, fields):
    times, body = page.array(page.manifest["runs"][0]["scene"]["times"]), body_of(page, "rod")
    tags, largest, worst = fields["parts/rod/nodes"][:], 0.0, 0.0
    name = next(name for name in fields["parts/rod"] if name.startswith("von"))
    for k, time in enumerate(written(fields)):
        sigma = fields[f"parts/rod/{name}/{k:06d}"][:]
        shown = page.stress(body, int(np.argmin(abs(times - time))))
        worst = max(worst, max(abs(shown[tag] - sigma[i]) for i, tag in enumerate(tags)))
        largest = max(largest, sigma.max())
    assert largest > 1e5 and worst <= 0.01 * largest, (worst, largest)


def check_page(page, out):
    run = page.manifest["runs"][0]
    found = summary(out)
    assert run["summary"] == found and run["status"] == "completed", run["status"]
    history = History(out)
    for i, column in enumerate(run["history"]["columns"], 1):
        assert (column["name"], column["unit"]) == (history.names[i], history.units[i])
        assert np.allclose(page.array(column["array"]), history.column(i), rtol=1e-6, atol=1e-30), column
    joints = {joint["name"]: joint for joint in run["scene"]["joints"]}
    assert joints["main_bearing"]["type"] == "revolute" and set(joints) >= {"crank_pin", "slider_pin", "guide"}
    assert body_of(page, "crank")["primitives"][0] == {
        "shape": "cylinder", "size": [0.01, 0.15], "position": [0, 0, 0], "quaternion": [1, 0, 0, 0]}
    assert body_of(page, "crank")["colour"] == "#aa3377"
    box = body_of(page, "slider")["primitives"][0]
    assert box["shape"] == "box" and np.allclose(np.array(box["size"])**2, 6e-6 / 0.0333780, rtol=1e-6), box
    # The pin's frame, carried by the crank, is where the rod's own frame is.
    pin = joints["crank_pin"]["frames"]
    crank = page.array(run["scene"]["bodies"][pin[0]["body"]]["pose"])
    rod = page.array(pin[1]["pose"])
    for t in range(crank.shape[1]):
        assert np.allclose(rotation(crank[3:, t]) @ pin[0]["position"] + crank[:3, t], rod[:3, t], atol=1e-6)
    assert "solidyn: 1" in run["model"] and any("appearance" in text for text in run["set"])
    assert run["warnings"] == found["warnings"]


def check_policy(page):
    """The policy lets one script run, which is the page's last; nothing names another file."""
    policy = next(a["content"] for tag, a in page.elements.attributes if tag == "meta" and "content" in a
                  and a.get("http-equiv") == "Content-Security-Policy")
    script = page.text[page.text.rindex("<script>") + len("<script>"):page.text.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy and policy.startswith("default-src 'none'"), policy
    assert len(script) > 0
    for tag, attributes in page.elements.attributes:
        assert not {"src", "href", "srcset"} & set(attributes), (tag, attributes)


def check_modal(arguments, folder):
    out, other = folder / "one", folder / "two"
    cache = folder / "cache"
    Program(arguments, cache=cache).done("run", *SHORT, "-o", out)
    solidyn = Program(arguments)
    solidyn.done("report", out, "-o", folder / "a.html")
    page = Page(folder / "a.html")
    with h5py.File(out / "fields.h5") as fields:
        check_positions(page, fields, "rod")
        check_stress(page, fields)
    check_page(page, out)
    check_policy(page)
    solidyn.done("report", out, "-o", folder / "a2.html")
    assert (folder / "a.html").read_bytes() == (folder / "a2.html").read_bytes()
    Program(arguments, 2, cache=cache).done("run", *SHORT, "-o", other)
    with h5py.File(out / "motion.h5") as a, h5py.File(other / "motion.h5") as b:
        n = len(written(a))
        assert n == 21 and np.array_equal(written(a), written(b))
        # Modes may have either sign on other ranks: what moves is seen by poses and frames, not by coordinates.
        assert np.allclose(a["rows"][:n, :14], b["rows"][:n, :14], rtol=0, atol=1e-7)
        for name in ("nodes", "positions", "shapes", "stress_shapes"):
            x, y = a[f"surfaces/1/{name}"][:], b[f"surfaces/1/{name}"][:]
            assert np.allclose(x, y, rtol=1e-5, atol=1e-6 * abs(x).max()), name
        scenes = [json.loads(file["scene"][0]) for file in (a, b)]
        assert scenes[0] == scenes[1]
    return out


def check_without_motion(arguments, out, folder):
    """An older folder: what fields.h5 shows."""
    old = folder / "old"
    shutil.copytree(out, old)
    (old / "motion.h5").unlink()
    Program(arguments).done("report", old, "-o", folder / "old.html")
    with h5py.File(old / "fields.h5") as fields:
        check_positions(Page(folder / "old.html"), fields, "rod")


def check_velocities(fields, name):
    """Those of fields.h5 are the rates of its positions, of bodies without axes of their own too."""
    part, times = fields[f"parts/{name}"], written(fields)
    worst = largest = 0.0
    for k in range(1, len(times) - 1):
        x = [part[f"positions/{i:06d}"][:] for i in (k - 1, k + 1)]
        v = part[f"velocity/{k:06d}"][:]
        worst = max(worst, abs((x[1] - x[0]) / (times[k + 1] - times[k - 1]) - v).max())
        largest = max(largest, abs(v).max())
    assert largest > 0.1 and worst < 0.05 * largest, (name, worst, largest)


def check_superelements(arguments, folder):
    """Their shapes follow their interfaces, which are no coordinates of their own."""
    out = folder / "superelements"
    Program(arguments).done("run", EXAMPLES / "superelements" / "slider_crank_two.yaml", "-o", out, "--report", "--set", "analyses.dynamics.duration=8e-3",
                            "--set", "output.fields_interval=5e-4", "--set", "output.motion_interval=5e-4")
    page = Page(out / "report.html")
    with h5py.File(out / "fields.h5") as fields:
        for name in ("rod_1", "rod_2"):
            check_positions(page, fields, name)


def check_solid(arguments, folder):
    """All nodes kept, a beam, and a title that is no markup; the report comes with the run."""
    model = folder / "solid.yaml"
    mesh = pathlib.Path(COARSE[1].split("=")[1])
    model.write_text((SOLID % NAME.replace("\\", "\\\\").replace('"', '\\"')).replace("MESH", str(mesh)))
    out = folder / "solid"
    Program(arguments).done("run", model, "-o", out)
    page = Page(out / "report.html")
    assert page.manifest["title"] == NAME and page.elements.found["title"] == NAME
    with h5py.File(out / "fields.h5") as fields:
        check_positions(page, fields, "bar")
        check_velocities(fields, "bar")
    beam = body_of(page, "mast")
    assert beam["meshes"] and len(page.array(beam["meshes"][0]["nodes"])) == 5 * 8


def check_failed(arguments, folder):
    out = folder / "failed"
    failed = Program(arguments)("run", *SHORT, "--report", "--set", "joints.drive.angle=4e6*t^3", "--set",
                                "analyses.dynamics.step=1e-3", "--set", "analyses.dynamics.duration=0.2", "--set",
                                "analyses.dynamics.max_iterations=2", "-o", out)
    assert failed.returncode == 1, failed.stderr
    run = Page(out / "report.html").manifest["runs"][0]
    assert run["status"] == "failed" and run["message"] == summary(out)["failure"]["message"]


def refused(solidyn, words, *parts):
    before = {path: path.stat().st_mtime_ns for path in words[-1].parent.iterdir()}
    done = solidyn("report", *words[:-1], "-o", words[-1])
    assert done.returncode == 2, (words, done.returncode, done.stderr)
    for part in parts:
        assert part in done.stderr, (part, done.stderr)
    assert {path: path.stat().st_mtime_ns for path in words[-1].parent.iterdir()} == before, "a file was written"


def check_refusals(arguments, out, folder):
    solidyn, html_file = Program(arguments), folder / "refused.html"
    (folder / "empty").mkdir()
    refused(solidyn, [folder / "empty", html_file], "summary.json", "give the folder")
    refused(solidyn, [folder / "nowhere", html_file], "does not exist")
    foreign = folder / "foreign.html"
    foreign.write_text("<html>mine</html>")
    refused(solidyn, [out, foreign], "foreign.html", "no report of Solidyn")
    refused(solidyn, [out, out, html_file], "is given twice")
    os.mkfifo(folder / "pipe")
    refused(solidyn, [out, folder / "pipe"], "no report of Solidyn")
    for words in ([out, "-o", folder / ("x" * 300)], [folder / ("x" * 300), "-o", html_file]):
        done = solidyn("report", *words)
        assert done.returncode == 2 and "File name too long" in done.stderr, done.stderr
    if os.path.exists("/dev/full"):
        (folder / "full.html").symlink_to("/dev/full")
        refused(solidyn, [out, folder / "full.html"], "full.html")
    bad = folder / "bad"
    shutil.copytree(out, bad)
    whole = (out / "motion.h5").read_bytes()
    for part in (0, 100, len(whole) // 2):
        (bad / "motion.h5").write_bytes(whole[:part])
        refused(solidyn, [bad, html_file], "motion.h5")
    for damage, words in ((lambda f: f.attrs.modify("format_version", 99), "newer Solidyn"),
                          (lambda f: f.attrs.modify("format", "other"), "not written by Solidyn"),
                          (lambda f: f.__delitem__("rows"), "damaged"),
                          (lambda f: f["surfaces/1/positions"].parent.__delitem__("nodes"), "damaged"),
                          (lambda f: f["surfaces/1/cells_tri6"].write_direct(
                              np.full(f["surfaces/1/cells_tri6"].shape, 10**9)), "no such nodes"),
                          (lambda f: f["surfaces/1"].__delitem__("cells_tri6"), "cells of rod are missing"),
                          (lambda f: f["surfaces/1/nodes"].write_direct(
                              np.full(f["surfaces/1/nodes"].shape, -7)), "has a node -7"),
                          (lambda f: f["surfaces/1/positions"].write_direct(
                              np.full(f["surfaces/1/positions"].shape, 3e38, dtype="f4")), "no places")):
        (bad / "motion.h5").write_bytes(whole)
        with h5py.File(bad / "motion.h5", "r+") as file:
            damage(file)
        refused(solidyn, [bad, html_file], "motion.h5", words)
    for name in ("times", "rows", "scene", "surfaces/1/nodes", "surfaces/1/shapes"):
        (bad / "motion.h5").write_bytes(whole)
        with h5py.File(bad / "motion.h5", "r+") as file:
            shape, kind = (2**40, *file[name].shape[1:]), file[name].dtype
            del file[name]
            file.create_dataset(name, shape=shape, dtype=kind, chunks=(1024, *shape[1:]))
        refused(solidyn, [bad, html_file], "motion.h5", "damaged")
    (bad / "motion.h5").write_bytes(whole)
    whole_summary = summary(bad)
    for wrong in ({"status": None}, {"title": 1}, {"failure": "x"}, {"failure": {"message": 1}}):
        (bad / "summary.json").write_text(json.dumps({**whole_summary, **wrong}))
        refused(solidyn, [bad, html_file], "summary.json is damaged")
    (bad / "summary.json").write_text(json.dumps(whole_summary))
    (bad / "motion.h5").unlink()
    with h5py.File(bad / "fields.h5", "r+") as file:
        file.attrs.modify("format", "of another program")
    refused(solidyn, [bad, html_file], "fields.h5", "not written by Solidyn")


def is_without_page(arguments):
    """Whether this Solidyn cannot write reports, said aloud."""
    if "without the page" not in Program(arguments)("report", ".").stderr:
        return False
    print("skipped: built with SOLIDYN_VIEWER=OFF")
    return True


def main():
    arguments = parsed_arguments()
    if is_without_page(arguments):
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        out = check_modal(arguments, folder)
        check_without_motion(arguments, out, folder)
        check_solid(arguments, folder)
        check_superelements(arguments, folder)
        check_failed(arguments, folder)
        check_refusals(arguments, out, folder)


if __name__ == "__main__":
    sys.exit(main())
