"""What the program tests share: starting solidyn as a user does, and reading what it wrote."""
import argparse
import json
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = SOURCE / "examples"
RIGID = str(EXAMPLES / "slider_crank" / "slider_crank_rigid.yaml")
FLEXIBLE = str(EXAMPLES / "slider_crank" / "slider_crank.yaml")
COARSE = ["--set", f"bodies.rod.mesh={SOURCE}/meshes/rod_circular_coarse.msh"]


def parsed_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--mpiexec", required=True)
    return parser.parse_args()


class Program:
    """solidyn on some ranks; no cache of reduced bodies unless asked for, so that nothing is shared. All ranks compute, however
    small the meshes of a test are, unless `may_sleep`."""

    def __init__(self, arguments, ranks=1, cache="", may_sleep=False):
        self.ranks = ranks
        self.takes_all = ranks > 1 and not may_sleep
        self.command = [arguments.solidyn]
        if ranks > 1:
            self.command = [arguments.mpiexec, "-n", str(ranks), "--oversubscribe"] + self.command
        self.environment = {**os.environ, "SOLIDYN_CACHE": str(cache)}

    def line(self, words):
        all_ranks = ["--all-ranks"] if self.takes_all and words[0] == "run" else []
        return self.command + [str(word) for word in words[:1]] + all_ranks + [str(word) for word in words[1:]]

    def __call__(self, *words, folder=None, timeout=300):
        return subprocess.run(self.line(words), capture_output=True,
                              text=True, timeout=timeout, cwd=folder, env=self.environment)

    def done(self, *words, folder=None):
        """Runs it, and stops the test unless it succeeds."""
        result = self(*words, folder=folder)
        assert result.returncode == 0, (words, self.ranks, result.returncode, result.stderr)
        return result

    def start(self, *words):
        return subprocess.Popen(self.line(words), env=self.environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def ranks_of(self, process):
        """Process numbers of the ranks of a started program."""
        if self.ranks == 1:
            return [process.pid]
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        return [int(child) for child in children.split()]


def summary(folder):
    return json.loads((folder / "summary.json").read_text())


class History:
    """history.csv, or another table like it, whose format is part of what is tested."""

    def __init__(self, folder, name="history.csv"):
        lines = (folder / name).read_text().splitlines()
        assert lines[0].startswith("# units: s,"), lines[0]
        self.units = lines[0][len("# units: "):].split(",")
        self.names = lines[1].split(",")
        assert self.names[0] == "time" and len(self.names) == len(self.units), lines[:2]
        self.rows = [[float(cell) for cell in line.split(",")] for line in lines[2:]]
        assert all(len(row) == len(self.names) for row in self.rows)
        self.times = [row[0] for row in self.rows]
        assert all(a < b for a, b in zip(self.times, self.times[1:])), "times do not grow"

    def column(self, i):
        """By its number or its name."""
        i = self.names.index(i) if isinstance(i, str) else i
        return [row[i] for row in self.rows]


def largest_difference(a, b, of_unit=False):
    """Over all columns and the rows whose times both have, relative to the range of a's column, or to the largest number in its unit."""
    assert a.names == b.names and a.units == b.units
    in_b = dict(zip(b.times, b.rows))
    pairs = [(row, in_b[row[0]]) for row in a.rows if row[0] in in_b]
    assert pairs and pairs[-1][0] is a.rows[-1] and pairs[-1][1] is b.rows[-1], "other last rows"
    worst = (0.0, "")
    in_unit = {}
    for i, unit in enumerate(a.units):
        in_unit[unit] = max([in_unit.get(unit, 0.0), *map(abs, a.column(i))])
    for i, name in enumerate(a.names):
        column = a.column(i)
        scale = max(column) - min(column) or max(map(abs, column)) or 1.0
        if of_unit:
            scale = in_unit[a.units[i]] or 1.0
        worst = max(worst, (max(abs(p[i] - q[i]) for p, q in pairs) / scale, name))
    return worst
