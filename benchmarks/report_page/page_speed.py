#!/usr/bin/python3
"""How fast the page of a report opens and draws in Chromium without WebGL, by sample pages of any size.

    viewer/bundle viewer/node_modules /tmp/viewer.js        (packages: npm ci --ignore-scripts in viewer/)
    benchmarks/report_page/page_speed.py /tmp/viewer.js 100000 32 1001 [--stress] [--repeat 5]
"""
import argparse
import pathlib
import statistics
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "report"), str(ROOT / "tests" / "programs")]
import report_browser  # noqa: E402
import sample_pages  # noqa: E402

LARGEST_SIMPLE = 20_000


def coarser_lattice(bar, along, around):
    """Triangles of every n-th ring and line of the bar's lattice, at most LARGEST_SIMPLE."""
    step = int(numpy.ceil(numpy.sqrt(len(bar.triangles) / (0.9 * LARGEST_SIMPLE))))
    rings, lines = numpy.arange(0, along + 1, step), numpy.arange(0, around, step)
    triangles = []
    for low, high in zip(rings[:-1] * around, rings[1:] * around):
        for i, line in enumerate(lines):
            after = lines[(i + 1) % len(lines)]
            triangles += [[low + line, low + after, high + after], [low + line, high + after, high + line]]
    return numpy.array(triangles)


def sample(viewer, n_triangles, n_shapes, n_times, stress):
    around = max(8, int((n_triangles / 16) ** 0.5))
    along = max(4, n_triangles // (2 * around))
    simple = (lambda bar: coarser_lattice(bar, along, around)) if n_triangles > LARGEST_SIMPLE + 100 else None
    report, _ = sample_pages.swinging_bar_page(n_triangles, n_shapes, n_times, simple)
    run = report.manifest["runs"][0]
    run.pop("linear")
    if not stress:
        run["scene"]["bodies"][0]["meshes"][0].pop("stress")
    return report.html(viewer)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("viewer", type=pathlib.Path)
    parser.add_argument("triangles", type=int)
    parser.add_argument("shapes", type=int)
    parser.add_argument("times", type=int)
    parser.add_argument("--stress", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        page = folder / "page.html"
        page.write_text(sample(given.viewer.read_text(), given.triangles, given.shapes, given.times, given.stress), encoding="utf-8")
        megabytes = page.stat().st_size / 1e6
        opening, frames = [], {"bodies": [], "deformation": [], **({"mises": []} if given.stress else {})}
        # The picture has the 960 x 540 pixels of the software renderer, a little less than the window.
        with report_browser.Browser([*report_browser.WITHOUT_WEBGL, "--window-size=1700,720"], folder) as browser:
            for _ in range(given.repeat):
                begin = time.monotonic()
                browser.open(page)
                opening.append(time.monotonic() - begin)
                for kind, found in frames.items():
                    browser.show(field={"kind": "none" if kind == "bodies" else kind, "component": 0, "label": kind, "unit": ""}, maximum=False)
                    found.append(statistics.median(browser.ask("time_pictures", 20)))
                browser.driver.get("about:blank")
    print(f"{given.triangles} triangles, {given.shapes} shapes, {given.times} pictures{', stress' if given.stress else ''}: ",
          f"{megabytes:.1f} MB, opened in {statistics.median(opening):.2f} s; a picture in ms: ",
          ", ".join(f"{kind} {statistics.median(found):.1f}" for kind, found in frames.items()), sep="")


if __name__ == "__main__":
    main()
