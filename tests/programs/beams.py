"""Beams from model files: Meijaard's cantilever with its compliance, modes and answers to a shaking wall; a mast with loads along its line,
a string under tension, a finger with driven curvature; the same on 1, 2 and 4 ranks; runs that go on after a checkpoint; lines in pictures; a tower
from the lines of a mesh file.

    beams.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import sys
import tempfile

import h5py

from support import EXAMPLES, SOURCE, History, Program, largest_difference, parsed_arguments, summary

CANTILEVER = EXAMPLES / "beams" / "cantilever.yaml"
STRING, FINGER = EXAMPLES / "beams" / "string.yaml", EXAMPLES / "beams" / "finger.yaml"
MAST = EXAMPLES / "beams" / "mast.yaml"
PENDULUM = [EXAMPLES / "beams" / "pendulum.yaml", "--set", "bodies.rope.elements=20", "--set",
            "output.checkpoint_every=10"]
TOWER, TOWER_LINES = EXAMPLES / "beams" / "tower.yaml", 29
AGREES = 1e-9  # of each column's range, once the rope has begun to swing

LENGTH, EI, MASS = 2.0, 1.725e6, 78.5  # m, N m^2, kg/m
COMPLIANCE = [[0.0883273, -0.0838904, -0.1870898],  # C09, whose digits begin as those of P-STRAIN (52)
              [-0.0838904, 0.0837945, 0.1637056],
              [-0.1870898, 0.1637056, 0.5926494]]
FREQUENCIES = [4.77470, 21.2222, 56.648, 110.227]  # C09, converged, in units of sqrt(EI/(MASS L^4))


def table(path):
    return list(csv.DictReader(path.read_text().splitlines()[1:]))


def answers_of(folder):
    """Of each input and output: frequency, Hz, and complex answer."""
    answers = {}
    for row in table(folder / "frequency_response.csv"):
        answers.setdefault((row["input"], row["output"]), []).append(
            (float(row["frequency"]), complex(float(row["real"]), float(row["imaginary"]))))
    return answers


def check_compliance(answers):
    """u, v and L times the angle by F_x, F_y and M/L, in units of L^3/(EI)."""
    unit = LENGTH**3 / EI
    inputs = [("push.force_x", 1.0), ("push.force_y", 1.0), ("push.torque_z", LENGTH)]
    outputs = [("tip.x", 1.0), ("tip.y", 1.0), ("angle", LENGTH)]
    for j, (force, arm) in enumerate(inputs):
        for i, (place, lever) in enumerate(outputs):
            frequency, value = answers[force, place][0]
            assert frequency == 0.0 and value.imag == 0.0
            found = value.real * arm * lever / unit
            assert abs(found - COMPLIANCE[i][j]) < 1e-7, (force, place, found)
    print("cantilever: all digits of the compliance")


def check_peaks(answers, modes):
    """The amplitude of the tip per that of the wall has a peak near each of four modes, and only there."""
    amplitudes = [(f, abs(value)) for f, value in answers["shaker", "tip.y"]]
    assert abs(amplitudes[0][1] - 1.0) < 1e-9, amplitudes[0]  # the tip goes with the wall
    peaks = [b[0] for a, b, c in zip(amplitudes, amplitudes[1:], amplitudes[2:])
             if a[1] < b[1] > c[1]]
    assert len(peaks) == 4, peaks
    for peak, mode in zip(peaks, modes):
        assert abs(peak / mode - 1) < 0.03, (peak, mode)
    print("cantilever: peaks at", ", ".join(f"{peak:g}" for peak in peaks), "Hz")


def modes_in_plane(folder):
    """Of all modes, Hz, those next to the table's: the square section has others across the plane."""
    found = [float(row["frequency"]) for row in table(folder / "modes.csv")]
    unit = math.sqrt(EI / (MASS * LENGTH**4)) / (2 * math.pi)
    modes = [min(found, key=lambda f: abs(f - unit * w)) for w in FREQUENCIES]
    for mode, expected in zip(modes[:3], FREQUENCIES):
        assert abs(mode / (unit * expected) - 1) < 0.01, (modes, unit)  # C09, of four elements
    return modes


def check_cantilever(arguments, folder):
    out = folder / "cantilever"
    Program(arguments).done("run", CANTILEVER, "-o", out)
    assert summary(out)["status"] == "done" and summary(out)["warnings"] == [], summary(out)
    answers = answers_of(out)
    check_compliance(answers)
    check_peaks(answers, modes_in_plane(out))
    # As drawn, without statics: what round-off leaves of the balance of stiff forces is no motion.
    Program(arguments).done("run", CANTILEVER, "--set", "analyses=[{modes: {count: 2}}]", "-o", folder / "as_drawn")
    assert summary(folder / "as_drawn")["warnings"] == [], summary(folder / "as_drawn")


def check_ranks(arguments, folder):
    words = [*PENDULUM, "--set", "analyses.dynamics.duration=0.3", "--set", "output.history_every=1"]
    histories = {}
    for ranks in (1, 2, 4):
        out = folder / f"ranks_{ranks}"
        Program(arguments, ranks).done("run", *words, "-o", out)
        assert summary(out)["status"] == "done" and summary(out)["warnings"] == []
        histories[ranks] = History(out)
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        assert worst <= AGREES, (ranks, worst, column)
    print("pendulum: the same on 1, 2 and 4 ranks")


def check_section_at_the_foot(history):
    """Along the mast, world's x and y: the opposite of what the ground exerts, at any moment."""
    pairs = [("axial", "force_z"), ("shear_y", "force_x"), ("shear_z", "force_y"),
             ("torsion", "torque_z"), ("bending_y", "torque_x"), ("bending_z", "torque_y")]
    for component, reaction in pairs:
        inside = history.column(history.names.index(f"section.{component}"))
        outside = history.column(history.names.index(f"foot.{reaction}"))
        assert max(abs(value) for value in outside) > 0.1, reaction
        worst = max(abs(a + b) for a, b in zip(inside, outside))
        assert worst < 1e-4, (component, worst)  # N, N m: of kN
    area, modulus = math.pi * (0.07**2 - 0.066**2), math.pi / 4 * (0.07**4 - 0.066**4) / 0.07
    for row in history.rows:
        of = {name: row[i] for i, name in enumerate(history.names)}
        bending = math.hypot(of["section.bending_y"], of["section.bending_z"]) / modulus
        assert abs(of["stress"] - of["section.axial"] / area - bending) < 1e-6 * abs(bending) + 1.0


def check_mast(arguments, folder):
    """Loads along the line: their work is all of the energy, the same on 1, 2 and 4 ranks."""
    histories = []
    for ranks in (1, 2, 4):
        out = folder / f"mast_{ranks}"
        Program(arguments, ranks).done("run", MAST, "--set", "analyses.dynamics.duration=0.6", "-o", out)
        assert summary(out)["status"] == "done" and summary(out)["warnings"] == []
        histories.append(History(out))
    energy = summary(folder / "mast_1")["energy"]
    assert energy["work"] > 100 and energy["relative_drift"] < 2e-5, energy
    for history in histories[1:]:
        worst, column = largest_difference(histories[0], history)
        assert worst <= AGREES, (worst, column)
    check_section_at_the_foot(histories[0])
    print("mast: energy to", energy["relative_drift"])


def check_string(arguments, folder):
    """Tones by tension, a little sharp: two of each, in both planes."""
    out = folder / "string"
    Program(arguments).done("run", STRING, "-o", out)
    assert summary(out)["status"] == "done" and summary(out)["warnings"] == [], summary(out)
    found = [float(row["frequency"]) for row in table(out / "modes.csv") if row["kind"] == "oscillation"]
    length, tension, radius = 0.65, 73.0, 1.27e-4
    mass, EI = 7850 * math.pi * radius**2, 2.1e11 * math.pi / 4 * radius**4
    for n in (1, 2, 3, 4):
        wave = n * math.pi / length
        expected = wave / (2 * math.pi) * math.sqrt((tension + EI * wave**2) / mass)
        assert len([f for f in found if abs(f / expected - 1) < 2e-4]) == 2, (n, found, expected)
    print("string: tones", ", ".join(f"{f:.1f}" for f in found[::2]), "Hz")


def check_finger(arguments, folder):
    """An arc at any time, by dynamics and by kinematics; its drive's work is all of the energy."""
    histories = []
    for words in ([], ["--set", "analyses=[{kinematics: {duration: 0.6, step: 0.002}}]"]):
        for ranks in (1, 2, 4):
            out = folder / f"finger_{len(histories)}"
            Program(arguments, ranks).done("run", FINGER, *words, "-o", out)
            assert summary(out)["status"] == "done" and summary(out)["warnings"] == [], summary(out)
            histories.append(History(out))
    assert summary(folder / "finger_0")["energy"]["relative_drift"] < 1e-4, summary(folder / "finger_0")
    for history in histories[1:3]:
        worst, column = largest_difference(histories[0], history)
        assert worst <= AGREES, (worst, column)
    for history in histories:
        of = dict(zip(history.names, history.rows[-1]))
        assert abs(of["angle"] - 1.6) < 1e-9 and abs(of["tip.x"] - math.sin(1.6) / 8) < 1e-6, of
        assert abs(of["tip.y"] - (1 - math.cos(1.6)) / 8) < 1e-6, of
        assert abs(of["knuckle.shear_y"] + of["hand.force_y"]) < 1e-6, of
        assert abs(of["knuckle.bending_z"] + of["hand.torque_z"]) < 1e-6, of
    print("finger: energy to", summary(folder / "finger_0")["energy"]["relative_drift"])


def check_restart(arguments, folder):
    def until(duration):
        return [*PENDULUM, "--set", f"analyses.dynamics.duration={duration}", "--set",
                "output.history_every=1"]
    whole, parts, solidyn = folder / "whole", folder / "parts", Program(arguments)
    solidyn.done("run", *until(0.3), "-o", whole)
    solidyn.done("run", *until(0.15), "-o", parts)
    Program(arguments, 2).done("run", *until(0.3), "-o", parts, "--restart")
    worst, column = largest_difference(History(whole), History(parts))
    print(f"pendulum: continued to {worst:.1e} of {column}")
    assert len(History(whole).rows) == len(History(parts).rows) and worst <= AGREES, (worst, column)


def check_pictures(folder):
    """Twenty lines, as long as the rope, whose nodes are those that the sensors see."""
    with h5py.File(folder / "whole" / "fields.h5") as file:
        part = file["parts/rope"]
        assert part["cells/line2"].shape == (20, 2)
        last = len([t for t in file["times"][:] if t == t]) - 1
        nodes, time = part[f"positions/{last:06}"][:], file["times"][last]
    history = History(folder / "whole")
    row = min(history.rows, key=lambda row: abs(row[0] - time))
    tip = [row[history.names.index(f"tip.{axis}")] for axis in "xyz"]
    assert max(abs(a - b) for a, b in zip(nodes[-1], tip)) < 1e-12, (nodes[-1], tip)
    length = sum(math.dist(a, b) for a, b in zip(nodes, nodes[1:]))
    assert abs(length / 1.2 - 1) < 0.1, length  # it stretches
    assert 'NumberOfElements="20" NodesPerElement="2"' in (folder / "whole" / "fields.xdmf").read_text()


def check_tower(arguments, folder):
    """Lines of a Nastran file: the same on 1, 2 and 4 ranks, all in pictures, and told by `info`."""
    histories, modes = {}, {}
    for ranks in (1, 2, 4):
        out = folder / f"tower_{ranks}"
        Program(arguments, ranks).done("run", TOWER, "-o", out, "--set", "output.fields_interval=1")
        assert summary(out)["status"] == "done" and summary(out)["warnings"] == [], summary(out)
        histories[ranks] = History(out)
        modes[ranks] = [float(row["frequency"]) for row in table(out / "modes.csv")]
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        assert worst <= AGREES, (ranks, worst, column)
        assert all(abs(a / b - 1) < AGREES for a, b in zip(modes[1], modes[ranks])), modes
    with h5py.File(folder / "tower_1" / "fields.h5") as file:
        part = file["parts/tower"]
        assert part["cells/line2"].shape == (2 * TOWER_LINES, 2)
        nodes = part["positions/000000"][:]
    sag = nodes[:, 2].max() - 4.2  # the highest node is the mast's
    assert abs(sag) < 0.01, sag
    told = Program(arguments).done("info", TOWER.with_suffix(".bdf"), "--mesh-units", "tonne-mm-s").stdout
    assert f"lines      {TOWER_LINES} for beams" in told, told
    assert "section    legs: 8 lines, tube, steel" in told, told
    print("tower: the same on 1, 2 and 4 ranks; modes from", modes[1][0], "Hz")


MIXED = """GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,0.,1.
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,1,2,3,0.,0.,1.
PBARL,1,1,,ROD
,.01
MAT1,1,2.e11,,.3,7850.
CTETRA,9,2,1,2,3,4
PSOLID,2,1
SPC1,1,123,1
"""
MIXED_MODEL = """solidyn: 1
bodies:
  frame: {type: beam, mesh: mixed.bdf, mesh_units: SI, elements: 3}
analyses:
  - dynamics: {duration: 0.01, step: 0.005}
"""


def check_mixed(arguments, folder):
    """Solids and supports beside the lines are left, and told; lines are divided."""
    (folder / "mixed.bdf").write_text(MIXED)
    (folder / "mixed.yaml").write_text(MIXED_MODEL)
    told = Program(arguments, 2).done("run", folder / "mixed.yaml", "-o", folder / "mixed").stderr
    assert told.count("1 solids and faces are not part of the beam frame") == 1, told
    assert told.count("1 supports in the file are ignored") == 1, told
    assert "6 beam elements, 7 nodes" in told, told
    print("mixed mesh: what is left is told")


def check_tower_with_strains(arguments, folder):
    """Braces under tension as drawn, rings that do not twist: the same on ranks that have not read the file."""
    histories = []
    for ranks in (1, 2):
        out = folder / f"strained_{ranks}"
        Program(arguments, ranks).done("run", TOWER, "-o", out, "--set", "bodies.tower.groups.braces.prestress={axial: 800}", "--set",
                                       "bodies.tower.groups.rings={fixed_strains: [twist]}", "--set", "sensors.ring_strain={type: "
                                       "section_strain, body: tower, line: 17, fraction: 0.3}", "--set", "sensors.stress={type: "
                                       "section_force, body: tower, point: foot_2, group: legs, component: stress_max}")
        histories.append(History(out))
    worst, column = largest_difference(*histories)
    assert worst <= AGREES, (worst, column)
    last = dict(zip(histories[0].names, histories[0].rows[-1]))
    assert abs(last["ring_strain.twist"]) < 1e-15 and abs(last["ring_strain.curvature_y"]) > 1e-6, last
    drawn, loaded = (row[histories[0].names.index("brace")] for row in (histories[0].rows[0], histories[0].rows[-1]))
    assert loaded > 200 and last["stress"] < -1e5, (drawn, loaded, last)
    print("tower: tension of its braces", round(loaded), "N")


def check_doubtful_units(arguments, folder):
    """A file in N, mm and MPa read as SI has steel with waves a thousand times too fast."""
    model, out = SOURCE / "tests" / "verification" / "beams" / "lines_bdf.yaml", folder / "units"
    words = ["run", model, "--set", "loads.push.force=[0, 0, 0]", "-o", out]
    assert "wave speed" not in Program(arguments).done(*words).stderr
    told = Program(arguments).done(*words, "--set", "bodies.beam.mesh_units=SI").stderr
    assert told.count("bodies.beam: the wave speed in a bar of material MAT1 7 is 5.09e+06 m/s") == 1, told
    print("units: waves that no solid carries are told")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_cantilever(arguments, folder)
        check_ranks(arguments, folder)
        check_mast(arguments, folder)
        check_string(arguments, folder)
        check_finger(arguments, folder)
        check_restart(arguments, folder)
        check_pictures(folder)
        check_tower(arguments, folder)
        check_tower_with_strains(arguments, folder)
        check_doubtful_units(arguments, folder)
        check_mixed(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
