"""The examples of joints, couplings and drives agree with closed forms, on 1, 2 and 4 ranks and after a restart.

    joints.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import subprocess
import sys
import tempfile

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments

AGREES = 1e-9  # of each column's range
MODELS = ["cardan_shaft", "gear_train", "rolling_disc"]


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
        check_drives(arguments, folder)
        check_restart(arguments, folder)


if __name__ == "__main__":
    main()
