"""The page of a report in Chromium, opened from file:// with WebGL and without: what it decodes, draws, colours and writes is what
the run holds; no request leaves it, its console stays empty, and names of a model stay text.

    report_browser.py --solidyn build/bin/solidyn --mpiexec mpirun --viewer build/viewer/viewer.js
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

from support import COARSE, FLEXIBLE, SOURCE, History, Program

sys.path.insert(0, str(SOURCE / "tests" / "report"))
import sample_pages  # noqa: E402
from browser import WITH_WEBGL, WITHOUT_WEBGL, Browser, missing_programs  # noqa: E402

def projected(browser, points, shape):
    """Pixels of points [3, V] in a picture of the given shape, by the page's camera."""
    matrix = np.array(browser.run("const m = solidyn.camera().matrices(arguments[1], arguments[0]); return [...m.view_projection]",
                                  *shape)).reshape(4, 4).T
    x, y, _, w = matrix @ np.vstack([points, np.ones(points.shape[1])])
    return np.array([(0.5 + 0.5 * x / w) * shape[1], (0.5 - 0.5 * y / w) * shape[0]])


def silhouette(at, triangles, shape):
    """Pixels whose centre is in one of the triangles."""
    mask = np.zeros(shape, bool)
    for triangle in triangles:
        x, y = at[0, triangle], at[1, triangle]
        low_x, high_x = max(0, int(x.min())), min(shape[1], int(x.max()) + 2)
        low_y, high_y = max(0, int(y.min())), min(shape[0], int(y.max()) + 2)
        px, py = np.meshgrid(np.arange(low_x, high_x) + 0.5, np.arange(low_y, high_y) + 0.5)
        sides = [(x[j] - x[i]) * (py - y[i]) - (y[j] - y[i]) * (px - x[i]) for i, j in ((0, 1), (1, 2), (2, 0))]
        inside = np.all([side >= 0 for side in sides], axis=0) | np.all([side <= 0 for side in sides], axis=0)
        mask[low_y:high_y, low_x:high_x] |= inside
    return mask


def drawn(pixels, background):
    return np.abs(pixels - background).sum(axis=2) > 40


def overlap(a, b):
    return (a & b).sum() / max(1, (a | b).sum())


def decodes_the_motion(browser, bar):
    pictures = np.linspace(0, len(bar.times) - 1, 20).astype(int)
    for time_ in bar.times[pictures]:
        found = np.reshape(browser.ask("positions", 0, 0, 0, float(time_)), (3, -1))
        assert np.abs(found - bar.positions(time_)).max() < 5e-5, time_
    q = bar.coordinates(np.float64(bar.times[37]))
    stress = np.abs(sum(value * stress[0] for value, stress in zip(q, bar.stresses)))
    field = {"kind": "mises", "component": 0, "label": "", "unit": ""}
    found = np.array(browser.ask("values", 0, 0, 0, float(bar.times[37]), field))
    assert np.abs(found - stress).max() < 0.01 * stress.max()
    assert abs(browser.ask("history", 0, "angle", 0.25) - bar.angle(0.25)) < 1e-5
    assert np.isnan(browser.ask("history", 0, "gap", 0.8) or np.nan)


def draws_the_surface(browser, bar):
    """Silhouettes at two instants are those of the projected surface; a body that stands does not move."""
    masks = {}
    for time_, factor in ((0.25, 1), (1.3, 4)):
        browser.show(time=time_, hidden=[1], edges="none", factor=factor)
        pixels = browser.pixels()
        mask = drawn(pixels, pixels[2, 2])
        q = bar.coordinates(np.float64(time_))
        local = bar.points + factor * sum(value * shape for value, shape in zip(q, bar.shapes))
        c, s = np.cos(bar.angle(time_)), np.sin(bar.angle(time_))
        wanted = silhouette(projected(browser, np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ local, mask.shape), bar.triangles, mask.shape)
        assert wanted.sum() > 2000 and overlap(mask, wanted) >= 0.97, (time_, factor, overlap(mask, wanted))
        masks[time_] = mask
    assert overlap(masks[0.25], masks[1.3]) < 0.5
    standing = []
    for time_ in (0.25, 1.3):
        browser.show(time=time_, hidden=[0], factor=1)
        standing.append(browser.pixels())
    assert (standing[0] == standing[1]).all() and drawn(standing[0], standing[0][2, 2]).sum() > 1000


def colours_by_the_legend(browser, bar):
    """At vertices that look at the eye the picture has the legend's colour, darkened by the light at most to 0.7."""
    time_ = float(bar.times[37])
    field = {"kind": "mises", "component": 0, "label": "von Mises stress", "unit": "Pa"}
    browser.show(time=time_, hidden=[1], edges="none", factor=1, field=field, range=None)
    values = np.array(browser.ask("values", 0, 0, 0, time_, field))
    low, high = browser.ask("range")
    pixels, x = browser.pixels(), bar.positions(time_)
    eye = np.array(browser.run("return solidyn.camera().matrices(900, 600).eye"))
    axis = x[:, -1] - x[:, -2]
    radial = x - x[:, [-2]] - np.outer(axis, axis @ (x - x[:, [-2]])) / (axis @ axis)
    facing = ((eye[:, None] - x) * radial).sum(axis=0)
    facing[(bar.points[0] < 0.1 * bar.length) | (bar.points[0] > 0.9 * bar.length)] = -np.inf
    facing = np.argsort(-facing)
    at = projected(browser, x, pixels.shape[:2])
    checked = 0
    for vertex in facing[:100:5]:
        column, row = int(at[0, vertex]), int(at[1, vertex])
        wanted = np.array(palette((values[vertex] - low) / (high - low)))
        error = min(np.abs(pixels[row, column] - light * wanted).max() for light in np.linspace(0.7, 1.02, 33))
        assert error < 14, (vertex, pixels[row, column], wanted)
        checked += 1
    assert checked == 20 and values[facing[:100:5]].max() > 0.3 * high
    legend = browser.run("return document.querySelector('.legend').innerText")
    assert "von Mises stress [Pa]" in legend and legend.count("e7") + legend.count("e6") >= 2, legend


def palette(s):
    """Viridis by its stops, as matplotlib has it."""
    stops = [(68, 1, 84), (72, 36, 117), (65, 68, 135), (53, 95, 141), (42, 120, 142), (33, 145, 140), (34, 168, 132),
             (68, 191, 112), (122, 209, 81), (189, 223, 38), (253, 231, 37)]
    return [np.interp(s * 10, range(11), [stop[c] for stop in stops]) for c in range(3)]


def reads_velocities(browser):
    """Those that the data has, not differences of pictures: the block stands."""
    field = {"kind": "velocity", "component": 0, "label": "velocity", "unit": "m/s"}
    x = np.reshape(browser.ask("positions", 0, 1, 0, 0.5), (3, -1)) - np.array([[-0.16, 0, 0]]).T
    wanted = np.linalg.norm(np.array([sample_pages.BLOCK_VELOCITY]).T + np.cross(sample_pages.BLOCK_SPIN, x.T).T, axis=0)
    assert np.allclose(browser.ask("values", 0, 1, 0, 0.5, field), wanted, atol=2e-3)


def draws_arrows(browser):
    """A load's arrow ends where it pushes; reactions come when their family is chosen; an open contact has no symbol."""
    browser.show(names=True, hidden=[], symbols=True, time=0.5, field={"kind": "none", "component": 0, "label": "bodies", "unit": ""})
    labels = "return [...document.querySelectorAll('.label:not([hidden])')].map((label) => label.textContent)"
    assert "stop" not in browser.run(labels) and "pull of the hinge" not in browser.run(labels)
    key = browser.run("return document.querySelector('.symbol-key').innerText")
    assert all(word in key for word in ("drives", "loads", "reactions of joints", "longest arrow: 60 N")), key
    browser.run("[...document.querySelectorAll('.symbol-key label')].find((entry) => entry.innerText.includes('reactions')).click()")
    browser.run("solidyn.draw()")
    assert "pull of the hinge" in browser.run(labels)
    browser.show(names=False)


def several(browser, folder, viewer):
    """Values stand at their own curves, rows of sweeps open their own runs, and of buckets nothing is made up."""
    page = folder / "several.html"
    page.write_text(sample_pages.several_runs_page().html(viewer), encoding="utf-8")
    browser.open(page)
    text = "return document.querySelector('#app').innerText"
    assert "1 of 2 runs failed: run_002." in browser.run(text)
    tab(browser, "Tables")
    assert "the first 20000 of 30000 events" in browser.run(text)
    tab(browser, "Sweep")
    rows = browser.run("return [...document.querySelectorAll('tbody tr')].map((row) => row.classList.contains('choosable'))")
    assert rows == [True, False], rows
    browser.run("document.querySelector('tr.choosable').click()")
    browser.wait(lambda: browser.run("return document.querySelector('header select').value") == "2")
    tab(browser, "Plots")
    browser.wait(lambda: browser.run("return document.querySelectorAll('.uplot').length") == 2)
    low, high = browser.ask("history", 3, "a", 1.0)
    assert abs(high + low) < 1e-6 and abs(high - 1.5) < 0.01, (low, high)
    for instant in np.linspace(0.001, 1.9, 21):      # through where the steps grow, too
        low, high = browser.ask("history", 3, "uneven", float(instant))
        assert low - 1e-6 <= instant <= high + 1e-6 and high - low < 0.041, (instant, low, high)
    browser.run("const over = document.querySelector('.u-over'), box = over.getBoundingClientRect();"
                "for (const kind of ['mouseenter', 'mousemove']) over.dispatchEvent(new MouseEvent(kind, {bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + 20}))")
    entries = browser.wait(lambda: [entry for entry in browser.run("return [...document.querySelectorAll('.chart-legend .entry')].map((entry) => entry.innerText)")
                                    if any(character.isdigit() for character in entry)])
    for label, value in (("a \u00b7 one/out", "1.5"), ("b \u00b7 one/out", "2.5"), ("a \u00b7 two/out", "3.5"), ("b \u00b7 two/out", "4.5"), ("a \u00b7 long/out", " .. 1.")):
        assert any(label in entry and value in entry for entry in entries), (label, entries)
    browser.run("const select = [...document.querySelectorAll('.bar select')].find((select) => select.innerText.includes('spectrum'));"
                "select.value = 'spectrum'; select.dispatchEvent(new Event('change'))")
    browser.wait(lambda: "no spectrum can be made" in browser.run(text))
    assert "long/out" not in browser.run("return document.querySelector('.charts').innerText")
    browser.is_quiet()


def follows_the_run(browser, folder, viewer):
    """The instant stands in the diagrams over what the chosen run's pictures stand over; the heading is its title."""
    page = folder / "mixed.html"
    page.write_text(sample_pages.mixed_page().html(viewer), encoding="utf-8")
    browser.open(page)
    legends = "return [...document.querySelectorAll('.chart-legend .entry')].map((entry) => entry.innerText)"
    head = "return document.querySelector('h1').innerText"
    browser.wait(lambda: len(browser.run(legends)) == 2)
    browser.show(time=3.0)
    assert browser.run(head) == "snaps" and [entry.split()[2:] for entry in browser.run(legends)] == [["statics", "30"], ["dynamics"]], browser.run(legends)
    browser.run("const select = document.querySelector('header select'); select.value = '1'; select.dispatchEvent(new Event('change'))")
    browser.wait(lambda: browser.run(head) == "swings")
    browser.show(time=0.03)
    wanted = [["statics"], ["dynamics", "0.06"]]
    browser.wait(lambda: [entry.split()[2:] for entry in browser.run(legends)] == wanted)
    browser.show(picked={"body": 0, "surface": 0, "vertex": 0})
    browser.wait(lambda: len(browser.run(legends)) == 3)
    assert browser.run("return solidyn.plots()")[0]["axis"] == "time [s]"
    assert "over load step or time" in browser.run("return document.querySelector('.plots .bar').innerText")
    browser.is_quiet()


def in_firefox(page, folder):
    """One picture of the page by Firefox itself: Debian has no driver for it."""
    program, picture = shutil.which("firefox-esr"), folder / "firefox.png"
    try:
        from matplotlib.image import imread
    except ImportError:
        return print("skipped: Firefox, whose picture matplotlib would read")
    if not program:
        return print("skipped: firefox-esr is missing (scripts/install_packages browser)")
    command = [program, "--headless", "--no-remote", "--profile", tempfile.mkdtemp(dir=folder), "--window-size=1200,700", "--screenshot", picture, f"file://{page}#time=0.25"]
    for _ in range(2):      # as for Chromium
        try:
            subprocess.run(command, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            break
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            continue
    pixels = imread(picture)[:, :, :3]
    machine = pixels[150:600, 50:650]
    blue = (machine[:, :, 2] > machine[:, :, 0] + 0.15).mean()
    assert pixels.shape[0] == 700 and 0.01 < blue < 0.5, (pixels.shape, blue)
    return None


def far_and_late(browser, folder, viewer, wish=""):
    """Places count from the world's origin, times in double precision, and velocities are those of the data, in numbers and colours."""
    bars, page = sample_pages.FarAndLate(), folder / "far.html"
    page.write_text(bars.page().html(viewer), encoding="utf-8")
    browser.open(page, wish)
    field = {"kind": "velocity", "component": 0, "label": "velocity", "unit": "m/s"}
    assert np.allclose(browser.ask("times"), bars.begin + np.linspace(0, 1, 11), rtol=0, atol=1e-6)
    for after in (0.0, 0.55):
        instant = bars.begin + after
        x = np.reshape(browser.ask("positions", 0, 1, 0, instant), (3, -1)) - bars.origin[:, None]
        assert abs(x - bars.points - np.array([[0, 0.4, 0]]).T).max() < 5e-5
        assert abs(browser.ask("history", 0, "ramp", instant) - after) < 1e-6
        for body, speed in enumerate(bars.speeds(after)):
            assert np.allclose(browser.ask("values", 0, body, 0, instant, field), speed, atol=1e-3), (body, after)
            browser.show(time=instant, hidden=[1 - body], edges="none", field=field, range=[0, 6], picked=None, maximum=False, symbols=False)
            pixels = browser.pixels()
            colour = np.median(pixels[drawn(pixels, pixels[2, 2])], axis=0)
            error = min(np.abs(colour - light * np.array(palette(speed / 6))).max() for light in np.linspace(0.7, 1.02, 33))
            assert error < 14, (body, after, colour)
    browser.show(picked={"body": 0, "surface": 0, "vertex": 0})
    text = browser.run("return document.querySelector('.picked').innerText")
    assert "(1000000, \u22121999999.95, 5) m" in text and "3.2 m/s" in text, text
    browser.show(time=bars.begin + 0.25)
    assert browser.run("return document.querySelector('.time').textContent") == "100000.25 s"
    browser.is_quiet()


def tab(browser, name):
    browser.run("[...document.querySelectorAll('.tabs button')].find((tab) => tab.textContent === arguments[0]).click()", name)


def shows_names_as_text(browser):
    browser.show(names=True, hidden=[], symbols=True)
    labels = browser.run("return [...document.querySelectorAll('.label:not([hidden])')].map((label) => label.textContent)")
    assert all(name in labels for name in [*sample_pages.NAMES, "bar", "weight", "leash"]), labels
    for name, words in (("Bodies", sample_pages.NAMES[:1]), ("Tables", [*sample_pages.NAMES, "a warning of <b>nothing</b>", "1.25", "1e\u22127"]),
                        ("Model", ["title: bar # </script>", "--set bodies.bar.mass=1"]), ("Plots", ["tip.x", "hinge.force"]),
                        ("Linear", ["Campbell diagram", "Poles", "Bode and Nyquist", "push.force_z"]), ("About", ["three 0.187.0", "uplot 1.6.32"])):
        tab(browser, name)
        time.sleep(0.1)
        text = browser.run("return document.querySelector('.panel').innerText")
        assert all(word in text for word in words), (name, words, text)
    assert browser.run("return document.querySelectorAll('#app b').length") == 0


def answers(browser, bar, folder):
    """Picking, modes, the instant in plots, and the picture on the disk."""
    from selenium.webdriver.common.action_chains import ActionChains
    browser.show(time=0.25, hidden=[1], factor=1)
    x = bar.positions(0.25)
    vertex = bar.points.shape[1] // 2
    pixel = browser.ask("pixel", x[:, vertex].tolist())
    overlay = browser.driver.find_element("css selector", ".overlay")
    ActionChains(browser.driver).move_to_element_with_offset(
        overlay, round(pixel["x"] - overlay.size["width"] / 2), round(pixel["y"] - overlay.size["height"] / 2)).click().perform()
    picked = browser.run("return solidyn.view.get().picked")
    assert picked and picked["body"] == 0, picked
    node = browser.ask("nodes", 0, 0, 0)[picked["vertex"]]
    assert f"node {node}" in browser.run("return document.querySelector('.picked').innerText")
    tab(browser, "Plots")
    browser.wait(lambda: f"of bar, node {node}" in browser.run("return document.querySelector('.panel').innerText"))
    tab(browser, "Linear")
    browser.wait(lambda: browser.run("const row = document.querySelector('tr.choosable'); if (row) row.click(); return !!row"))
    browser.wait(lambda: browser.run("return solidyn.view.get().showing") == "modes")
    moves_about_the_equilibrium(browser)
    browser.run("document.querySelector('.back').click()")
    browser.wait(lambda: browser.run("return solidyn.view.get().showing") == "motion")
    browser.run("[...document.querySelectorAll('.toolbar button')].find((button) => button.textContent === 'picture').click()")
    saved = browser.wait(lambda: list(folder.glob("*.png")))
    browser.wait(lambda: saved[0].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and saved[0].stat().st_size > 5000)
    saved[0].unlink()


def moves_about_the_equilibrium(browser):
    """Displacements of a mode count from the middle of its motion; a picked vertex has a curve over the phase."""
    field, shape = {"kind": "displacement", "component": 0, "label": "displacement", "unit": "m"}, sample_pages.SwingingBar(1200, 2)
    largest = sample_pages.MODE_AMPLITUDE * np.linalg.norm(shape.shapes[0], axis=0)
    browser.show(playing=False, field=field, factor=1)
    assert np.allclose(browser.ask("range"), [0, largest.max()], atol=1e-3 * largest.max())
    for phase in (0, 0.25, 0.6):
        browser.show(time=phase)
        assert np.allclose(browser.ask("values_on_stage", 0, 0, field), largest * abs(np.cos(2 * np.pi * phase)), atol=1e-3 * largest.max()), phase
    vertex = int(largest.argmax())
    tab(browser, "Plots")
    browser.show(time=0.9, picked={"body": 0, "surface": 0, "vertex": vertex})
    chart = browser.wait(lambda: browser.run("return [...document.querySelectorAll('.chart')].map((chart) => chart.innerText)"
                                             ".filter((text) => text.includes('displacement of bar'))"))
    value = float(chart[0].split()[-1])
    assert abs(value - largest.max() * np.cos(0.2 * np.pi)) < 5e-3 * largest.max(), chart
    assert browser.run("return solidyn.plots()")[0] == {"axis": "phase [periods]", "from": 0, "to": 1}


def sample(browser, kind, viewer, folder):
    report, bar = sample_pages.swinging_bar_page(1600)
    page = folder / "sample.html"
    page.write_text(report.html(viewer), encoding="utf-8")
    browser.open(page, "#webgl" if kind == "webgl" else "")
    assert browser.ask("renderer") == kind
    decodes_the_motion(browser, bar)
    draws_the_surface(browser, bar)
    colours_by_the_legend(browser, bar)
    reads_velocities(browser)
    draws_arrows(browser)
    shows_names_as_text(browser)
    answers(browser, bar, folder)
    if kind == "software":
        assert "without WebGL" in browser.run("return document.querySelector('.stage-note').innerText")
    browser.is_quiet()
    if kind == "webgl":      # a browser may take it away at any time
        browser.run("document.querySelector('canvas.picture').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
        browser.wait(lambda: browser.ask("renderer") == "software")
        browser.show(hidden=[], time=0.25)
        assert drawn(browser.pixels(), browser.pixels()[2, 2]).sum() > 1000


def damaged(browser, viewer, folder):
    """A page whose data is cut says so, and the tables that stand in the file still read."""
    report, _ = sample_pages.swinging_bar_page(400, 2, 11)
    report.blob = report.blob[:len(report.blob) // 20]
    page = folder / "damaged.html"
    page.write_text(report.html(viewer), encoding="utf-8")
    browser.open(page)
    assert browser.run("return document.documentElement.dataset.ready") == "failed"
    assert "cannot be shown" in browser.run("return document.body.innerText")
    assert browser.run("return getComputedStyle(document.getElementById('static')).display") != "none"


def a_run_of_solidyn(browser, arguments, folder):
    """Nodes at the snapshots of fields.h5, and the history's numbers, of a page that solidyn wrote."""
    import h5py
    out, page = folder / "out", folder / "run.html"
    program = Program(arguments)
    program.done("run", FLEXIBLE, *COARSE, "--set", "analyses.dynamics.duration=2e-3", "--set", "output.fields_interval=2e-4",
                 "--set", "output.motion_interval=1e-4", "-o", out)
    program.done("report", out, "-o", page)
    browser.open(page)
    manifest = json.loads(browser.run("return document.getElementById('manifest').textContent"))
    tolerance, scene, fastest = manifest["tolerance"], manifest["runs"][0]["scene"], 0.0
    velocity = {"kind": "velocity", "component": 0, "label": "velocity", "unit": "m/s"}
    names = [body["name"] for body in browser.ask("bodies")]
    rod = names.index("rod")
    with h5py.File(out / "fields.h5") as fields:
        nodes = fields["parts/rod/nodes"][:]
        pages_nodes = browser.ask("nodes", 0, rod, 0)
        rows = np.searchsorted(nodes, pages_nodes)
        assert (nodes[rows] == pages_nodes).all()
        times = fields["times"][:]
        assert np.isfinite(times).sum() >= 10, times
        for i in np.flatnonzero(np.isfinite(times)):
            wanted = fields[f"parts/rod/positions/{sorted(fields['parts/rod/positions'], key=int)[i]}"][:][rows].T
            found = np.reshape(browser.ask("positions", 0, rod, 0, float(times[i])), (3, -1))
            assert np.linalg.norm(found - wanted, axis=0).max() <= tolerance, (times[i], tolerance)
            wanted = np.linalg.norm(fields[f"parts/rod/velocity/{i:06d}"][:][rows], axis=1)
            found = browser.ask("values", 0, rod, 0, float(times[i]), velocity)
            assert abs(found - wanted).max() <= scene["velocity_tolerance"], (times[i], scene["velocity_tolerance"])
            fastest = max(fastest, wanted.max())
        assert fastest > 20 * scene["velocity_tolerance"], "nothing moves: the test says nothing"
    history = History(out)
    for name in history.names[1:]:
        for row in (0, len(history.rows) // 2, -1):
            wanted = history.column(name)[row]
            assert abs(browser.ask("history", 0, name, history.times[row]) - wanted) <= 1e-5 * abs(wanted) + 1e-9, (name, row)
    browser.is_quiet()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--viewer", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if missing_programs():
        return print(f"skipped: {missing_programs()} (scripts/install_packages browser)")
    if not arguments.viewer.exists():
        return print(f"skipped: {arguments.viewer} is missing: built without SOLIDYN_VIEWER")
    viewer = arguments.viewer.read_text()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        with Browser(WITH_WEBGL, folder) as browser:
            far_and_late(browser, folder, viewer, "#webgl")
            sample(browser, "webgl", viewer, folder)
        with Browser(WITHOUT_WEBGL, folder) as browser:
            sample(browser, "software", viewer, folder)
            a_run_of_solidyn(browser, arguments, folder)
            several(browser, folder, viewer)
            follows_the_run(browser, folder, viewer)
            far_and_late(browser, folder, viewer)
            damaged(browser, viewer, folder)
        in_firefox(folder / "sample.html", folder)
    return None


if __name__ == "__main__":
    sys.exit(main())
