"""Joints, couplings and drives from model files: examples against closed forms on 1, 2 and 4 ranks, what each
type forbids, laws of each level, and a restart.

    joints.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import subprocess
import sys
import tempfile

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments

AGREES = 1e-9  # of each column's range
MODELS = ["cardan_shaft", "gear_train", "roller_coaster", "rolling_disc"]


def compare(name, out):
    script = EXAMPLES / name / "compare.py"
    done = subprocess.run([str(script), str(out)], capture_output=True, text=True)
    print(f"{name}: {done.stdout}{done.stderr}")
    assert done.returncode == 0, name


def check_ranks(arguments, name, folder):
    histories = {}
    for ranks in (1, 2, 4):
        out = folder / f"{name}_{ranks}"
        Program(arguments, ranks).done("run", EXAMPLES / name / f"{name}.yaml", "-o", out)
        histories[ranks] = History(out)
        compare(name, out)
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        assert worst < AGREES, f"{name}: {ranks} ranks differ by {worst} of the range of {column}"


# What is zero in every row of a run of FALLING, in which a body falls and turns on one joint.
CATALOGUE = {
    "universal": ("at: [0, 0, 0], axis: [1, 0, 0], second_axis: [1, 0.3, 0.2]",
                  lambda s: [s["x"], s["y"], s["z"]]),
    "constant_velocity": ("at: [0, 0, 0], axis: [1, 0, 0], second_axis: [1, 0.3, 0.2]",
                          lambda s: [s["x"], s["y"], s["z"]]),
    "screw": ("at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.5",
              lambda s: [s["x"], s["y"], s["z"] - 0.5 * s["turn.z"] / (2 * math.pi), s["turn.x"],
                         s["turn.y"]]),
    "point_on_line": ("at: [0, 0, 0], axis: [0, 0, 1]", lambda s: [s["x"], s["y"]]),
    "in_line": ("at: [0, 0, 0], axis: [0, 1, 0]", lambda s: [s["x"], s["z"]]),
    "point_on_plane": ("at: [0, 0, 0], axis: [1, 0, 0]", lambda s: [s["x"]]),
    "point_on_curve": ("at: [0, 0, 0], points: [[0, 0, 5], [0, 0, -300]]", lambda s: [s["x"], s["y"]]),
    "in_plane": ("at: [0, 0, 0], axis: [0, 1, 0]", lambda s: [s["y"]]),
    "parallel_axes": ("axis: [0, 0, 1]", lambda s: [s["turn.x"], s["turn.y"]]),
    "parallel": ("axis: [0, 1, 0]", lambda s: [s["turn.x"], s["turn.z"]]),
    "perpendicular_axes": ("axis: [0, 0, 1], second_axis: [1, 0, 0]", lambda s: [s["tip.z"] - s["z"]]),
    "perpendicular": ("axis: [0, 1, 0], second_axis: [1, 0, 0]", lambda s: [s["tip.y"] - s["y"]]),
    "orientation": ("", lambda s: [s["turn.x"], s["turn.y"], s["turn.z"]]),
    "distance": ("at: [0, 0, 1], to: [0, 0, 0]", lambda s: [math.hypot(s["x"], s["y"], s["z"] - 1) - 1]),
    "rolling": ("axis: [1, 0, 0], radius: 0.4, normal: [0, 0, 1]",
                lambda s: [s["z"] + 0.4 - 0.4 * math.sqrt(1 - (s["tip.z"] - s["z"]) ** 2)]),
    "point_path": ("position: [\"0.1*sin(5*t)\", \"0.2*t^2\", 0]",
                   lambda s: [s["x"] - 0.1 * math.sin(5 * s["time"]), s["y"] - 0.2 * s["time"] ** 2, s["z"]]),
    "distance_drive": ("at: [0, 0, 1], to: [0, 0, 0], length: \"1 + 0.2*t^2\"",
                       lambda s: [math.hypot(s["x"], s["y"], s["z"] - 1) - 1 - 0.2 * s["time"] ** 2]),
    "translation_drive": ("at: [0, 0, 0], axis: [0, 1, 0], translation: {table: [[0, 0], [0.1, 0.1]], "
                          "interpolation: linear}", lambda s: [s["y"] - min(s["time"], 0.1)]),
}
FALLING = """solidyn: 1
gravity: [1, -2, -9.81]
bodies:
  body:
    type: rigid
    mass: 2
    center_of_mass: [0.2, 0.1, -0.1]
    inertia: [0.05, 0.08, 0.1]
    velocity: {{angular: [0.5, 1, 2]}}
    frames: {{tip: {{position: [1, 0, 0]}}, centre: {{position: [0.2, 0.1, -0.1]}}}}
joints:
  joint: {{type: {type}, between: [ground, body]{keys}}}
sensors:
  body: {{type: position, of: body}}
  turn: {{type: orientation, of: body}}
  tip: {{type: position, of: body.tip}}
  energy: {{type: energy}}
analyses:
  - dynamics: {{duration: 0.3, step: 5.0e-4, rho_infinity: 0.9}}
"""


def check_catalogue(arguments, folder):
    """Each type from a model file: what it forbids does not happen, and energy stays where nothing drives."""
    for name, (keys, what_vanishes) in CATALOGUE.items():
        model = folder / "falling.yaml"
        model.write_text(FALLING.format(type=name, keys=", " + keys if keys else ""))
        done = Program(arguments)("run", model, "-o", folder / name)
        # A jump of a driven velocity is an impact, whose work a sum over steps does not see.
        assert done.returncode == (3 if name == "translation_drive" else 0), (name, done.returncode, done.stderr)
        history = History(folder / name)
        for row in history.rows:
            s = dict(zip(history.names, row))
            s.update({axis: s[f"body.{axis}"] for axis in "xyz"})
            worst = max(abs(value) for value in what_vanishes(s))
            assert worst < 1e-8, (name, s["time"], worst)
        energy = history.column(history.names.index("energy"))
        if not any(law in keys for law in ("position", "translation", "length")):
            assert max(energy) - min(energy) < 1e-3, (name, max(energy) - min(energy))


def check_drives(arguments, folder):
    """One motion by its position, its speed and its acceleration."""
    laws = {"angle": "0.1*sin(20*t)", "angular_velocity": "2*cos(20*t)",
            "angular_acceleration": "-40*sin(20*t)"}
    model = folder / "drive.yaml"
    ends = {}
    for key, law in laws.items():
        start = ", start_rate: 2" if key == "angular_acceleration" else ""
        model.write_text(f"""solidyn: 1
bodies:
  arm: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], center_of_mass: [0.1, 0, 0]}}
joints:
  hinge: {{type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}}
  drive: {{type: rotation_drive, joint: hinge, {key}: "{law}"{start}}}
sensors:
  angle: {{type: joint_angle, joint: hinge}}
  torque: {{type: reaction, joint: drive, component: torque_z}}
analyses:
  - dynamics: {{duration: 1, step: 1.0e-4}}
""")
        Program(arguments).done("run", model, "-o", folder / key)
        ends[key] = History(folder / key).rows[-1][1:]
    angle, torque = ends["angle"]
    for key, limit in (("angular_velocity", 1e-5), ("angular_acceleration", 1e-10)):
        assert abs(ends[key][0] - angle) < limit, (key, ends)
        assert abs(ends[key][1] - torque) < 1e-3 * abs(torque), (key, ends)


def check_shown_by_bathe(arguments, folder):
    """Accelerations and forces of each row are those of the end of its step, also where they pass zero."""
    model = folder / "slider.yaml"
    model.write_text("""solidyn: 1
bodies:
  slider: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01]}
joints:
  rail: {type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: [1, 0, 0]}
  drive: {type: translation_drive, joint: rail, translation: "0.1*sin(10*t)"}
sensors:
  a: {type: acceleration, of: slider, component: x}
  f: {type: drive, joint: drive}
analyses:
  - dynamics: {duration: 1, step: 4.0e-3, integrator: bathe}
""")
    run = Program(arguments)("run", model, "-o", folder / "shown")
    assert run.returncode in (0, 3), run.stderr  # steps are so large that their damping is named
    history = History(folder / "shown")
    rows = list(zip(history.times, history.column("a"), history.column("f.force")))
    for t, a, f in rows[:2] + rows[3:]:  # of the second step from rest it looks like a kink
        exact = -10 * math.sin(10 * t)
        assert abs(a - exact) < 1e-8 and abs(f - 2 * exact) < 1e-8, (t, a, f, exact)


def check_restart(arguments, folder):
    """Whole turns and integrated laws go on where a checkpoint left them."""
    model = EXAMPLES / "gear_train" / "gear_train.yaml"
    words = ["--set", "analyses.dynamics.duration=0.6", "--set", "output.checkpoint_every=100"]
    Program(arguments).done("run", model, "-o", folder / "whole", *words)
    half = ["--set", "analyses.dynamics.duration=0.4", "--set", "output.checkpoint_every=100"]
    Program(arguments).done("run", model, "-o", folder / "parts", *half)
    Program(arguments).done("run", model, "-o", folder / "parts", "--restart", *words)
    worst, column = largest_difference(History(folder / "whole"), History(folder / "parts"))
    assert worst < AGREES, f"after a restart {column} differs by {worst} of its range"


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in MODELS:
            check_ranks(arguments, model, folder)
        check_catalogue(arguments, folder)
        check_drives(arguments, folder)
        check_shown_by_bathe(arguments, folder)
        check_restart(arguments, folder)


if __name__ == "__main__":
    main()
