"""scripts/plot calls the column `time` what it is: seconds of a motion, the load parameter of statics.

    plot.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from support import SOURCE, parsed_arguments

HISTORY = "# units: s,m\ntime,tip\n0,0\n0.5,1\n1,4\n"


def words_of_picture(folder, run):
    """The picture as SVG, with its text as text."""
    (folder / "matplotlibrc").write_text("svg.fonttype: none\n")
    picture = folder / "picture.svg"
    subprocess.run([str(SOURCE / "scripts" / "plot"), str(run), "-o", str(picture)], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "MATPLOTLIBRC": str(folder)})
    return picture.read_text()


def main():
    parsed_arguments()
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        print("skipped: matplotlib is missing")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "history.csv").write_text(HISTORY)
        (folder / "statics.csv").write_text(HISTORY)
        for integrator, label in (("generalized_alpha", "time [s]"), ("statics", "load parameter")):
            (folder / "summary.json").write_text(f'{{"integrator": "{integrator}"}}')
            words = words_of_picture(folder, folder)
            assert f">{label}<" in words, (integrator, label)
            assert (">time" in words) == (integrator != "statics"), integrator
        assert ">load parameter<" in words_of_picture(folder, folder / "statics.csv")
        (folder / "summary.json").unlink()
        assert ">time [s]<" in words_of_picture(folder, folder)


if __name__ == "__main__":
    sys.exit(main())
