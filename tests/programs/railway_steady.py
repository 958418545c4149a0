"""What runs steadily on the track and what does not: modes with parts on wheelsets that turn, forces that are not carried along, axes of linear analyses, irregularities that are written and read again.

    railway_steady.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import pathlib
import re
import subprocess
import tempfile
import time

import numpy

from linear import state_matrix
from support import EXAMPLES, History, Program, parsed_arguments

# The bogie with wheelsets that turn, springs at their axles, and a law of creep that has derivatives.
BOGIE = re.sub(r"analyses:.*", "", (EXAMPLES / "railway" / "bogie.yaml").read_text(), flags=re.DOTALL) \
    .replace("creep: polach, spin: rolling, rolling_inertia: 112", "creep: linear, spin: frame").replace(", 0.46], stiffness", ", 0.4598], stiffness")
FRONT = "  front: {type: rigid, mass: 1813, inertia: [1120, 112, 1120]"
BOX = "  box: {type: rigid, mass: 100, inertia: [3, 6, 3], pose: {position: [11.28, 0, 0.4598]}}\n"
SPRINGS = "stiffness: [=kx, =ky, =kz, 0, 0, 0]"


def with_joint(joint):
    assert FRONT in BOGIE
    return BOGIE.replace(FRONT, BOX + FRONT).replace("loads:\n", f"joints:\n  joint: {{{joint}, at: [11.28, 0, 0.4598]}}\nloads:\n", 1)


def run(arguments, folder, name, text, *analyses, options=(), ranks=1):
    model = folder / f"{name}.yaml"
    model.write_text(text + "analyses:\n" + "".join(f"  - {a}\n" for a in analyses))
    done = Program(arguments, ranks).done("run", model, "-o", folder / name, *options)
    return done.stdout + done.stderr


def eigenvalues(folder):
    """That are not zero, and the number of those that are."""
    with open(folder / "modes.csv") as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    kind, real, imaginary = (rows[0].index(name) for name in ("kind", "real", "imaginary"))
    found = [complex(float(row[real]), float(row[imaginary])) for row in rows[1:] if row[kind] in ("oscillation", "aperiodic")]
    return found, len(rows) - 1 - len(found)


def check_parts_on_wheelsets(arguments, folder):
    """A box about the front axle, on a bearing or fixed, changes modes as its mass and inertia do in the wheelset."""
    for joint, inertia, more_zeros in (("type: revolute, between: [front, box], axis: [0, 1, 0]", 112, 1), ("type: revolute, between: [box, front], axis: [0, 1, 0]", 112, 1),
                                       ("type: fixed, between: [front, box]", 118, 0)):
        one_body = BOGIE.replace(FRONT, f"  front: {{type: rigid, mass: 1913, inertia: [1123, {inertia}, 1123]")
        for speed in (30, 90):
            options = ("--set", f"parameters.speed={speed}")
            log = run(arguments, folder, "jointed", with_joint(joint), "statics: {}", "modes: {count: 40}", options=options)
            run(arguments, folder, "one_body", one_body, "statics: {}", "modes: {count: 40}", options=options)
            (found, zeros), (expected, few_zeros) = eigenvalues(folder / "jointed"), eigenvalues(folder / "one_body")
            assert len(found) == len(expected) and zeros == few_zeros + more_zeros, (joint, speed, found, expected)
            worst = max(min(abs(s - other) for other in found) / abs(s) for s in expected)
            assert worst < 1e-6 and "warning: modes" not in log, (joint, speed, worst, log)
            assert any(s.real > 6.0 for s in found) == (speed == 90), found
    print(f"parts on wheelsets that turn: eigenvalues to {worst:.1e}")


def check_what_changes(arguments, folder):
    """Forces that are not carried along are named, by statics and by modes; without them there is no word."""
    rope = "  rope: {type: spring_damper, between: [ground, frame], at_first: [10, 5, 0.6], at_second: [10, 0, 0.6], stiffness: 1e6, free_length: 5}\n"
    for text, name in ((BOGIE, None), (BOGIE.replace("forces:\n", "forces:\n" + rope), "rope"), (BOGIE.replace(SPRINGS, "stiffness: [=kx, =ky, =kz, 1e5, 1e4, 1e5]"), "spring_"),
                       (BOGIE.replace(SPRINGS, "stiffness: [=kx, =ky, =kz, 0, 100, 0]"), "spring_"), (BOGIE.replace(", 0.4598], stiffness", ", 0.56], stiffness"), "spring_")):
        log = run(arguments, folder, "changing", text, "statics: {}", "modes: {count: 3}")
        for analysis in ("statics", "modes"):
            assert (f"{analysis}: the vehicle does not run steadily: the force of `{name}" in log) == (name is not None), log
    beside = BOGIE.replace("spin: frame", "spin: rolling, rolling_inertia: 112").replace(", 0.4598], stiffness", ", 0.46], stiffness")
    for text, is_warned in ((beside, False), (beside.replace("forces:\n", "forces:\n" + rope), True)):
        log = run(arguments, folder, "beside", text, "statics: {}")
        assert ("does not run steadily" in log) == is_warned, log  # 0.2 mm beside the axle: 0.3 N of 53 kN
    text = BOGIE.replace("spin: frame", "spin: rolling, rolling_inertia: 120")
    log = run(arguments, folder, "inertia", text, "statics: {}")
    assert "forces.wheels_rear.rolling_inertia is 120 kg m^2, and `rear` has 112 kg m^2 about its axle" in log, log
    print("forces that are not carried along are named")


def check_friction(arguments, folder):
    """Friction that changes under the vehicle is warned of, 0.2 m in front of it it is not, and the vehicle runs steadily."""
    for table, is_warned in (("[[11, 0.3], [11.5, 0.1], [20, 0.1]]", True), ("[[0, 0.3], [11.48, 0.3], [11.6, 0.1]]", False)):
        text = BOGIE.replace("radius: 0.46", f"radius: 0.46, friction_along: {{table: {table}}}")
        log = run(arguments, folder, "friction", text, "statics: {}", "modes: {count: 3}")
        assert ("changes under the vehicle" in log) == is_warned and "does not run steadily: the force" not in log, log


CURVED = BOGIE.replace("[{length: 400}]", "[{length: 1}, {length: 399, curvature: 1.0e-4}]").replace("running_speed", "blend: 0.5\n  running_speed")


def check_many_decades(arguments, folder):
    """Cylindrical wheels, which nothing brings back, and running with 0.05 m/s in an arc, where creep is a stiff damper: modes of minutes beside those of milliseconds are
    eigenvalues of the state matrix. Only one of a day, in the arc, is named inaccurate."""
    cylinders = BOGIE.replace("wheel: s1002", 'wheel: "cone:0"').replace("creep: linear, spin: frame", "creep: polach, spin: rolling, rolling_inertia: 112")
    for text, speed in ((cylinders, 30), (CURVED, 0.05)):
        log = run(arguments, folder, "decades", text, "statics: {}", "modes: {count: 40}", "linearise: {inputs: [kick.force_y]}", options=("--set", f"parameters.speed={speed}"))
        found, zeros = eigenvalues(folder / "decades")
        expected = numpy.linalg.eigvals(state_matrix(folder / "decades"))
        slow = 1e-6 * max(map(abs, expected))
        worst = max(min(abs(s - other) for other in expected) / abs(s) for s in found if abs(s) > slow)
        back = max(min(abs(s - other) for other in found) / abs(s) for s in expected if abs(s) > slow and s.imag >= 0)
        assert max(worst, back) < 1e-6 and "missing" not in log and "found with the zeros among them" in log, (speed, worst, back, log)
        named = [complex(*map(float, pair)) for pair in re.findall(r"([-+.e\d]+) ([-+.e\d]+) i \(by", log)]
        assert all(abs(s) < slow for s in named), (speed, named, slow)
        assert all(s.real < slow for s in found), found
        print(f"{speed} m/s: eigenvalues of the state matrix to {max(worst, back):.1e}")


def check_bearing_beside_axle(arguments, folder):
    """A bearing above the axle of a wheelset that turns is named, with the way to the axle."""
    joint = "type: revolute, between: [front, box], axis: [0, 1, 0]"
    text = with_joint(joint).replace("at: [11.28, 0, 0.4598]}", "at: [11.28, 0, 0.46]}", 1)
    assert text != with_joint(joint)
    model = folder / "bearing.yaml"
    model.write_text(text + "analyses:\n  - statics: {}\n")
    failed = Program(arguments)("run", model, "-o", folder / "bearing")
    assert failed.returncode == 1 and "joint joint is 0.2 mm beside the axle of `front`" in failed.stderr and "move its `at` by [0, 0, -0.0002] m" in failed.stderr, failed.stderr


def check_held_wheelsets(arguments, folder):
    """A frame that is fixed to its wheelsets holds them about their axles: no place on the axle mends that, and none is advised."""
    joints = "joints:\n" + "".join(f"  on_{name}: {{type: fixed, between: [frame, {name}], at: [{x}, 0, 0.5]}}\n" for name, x in (("front", 11.28), ("rear", 8.72)))
    for spin in ("spin: frame", "spin: rolling"):
        model = folder / "held.yaml"
        model.write_text(BOGIE.replace("spin: frame", spin).replace("loads:\n", joints + "loads:\n", 1) + "analyses:\n  - statics: {}\n")
        failed = Program(arguments)("run", model, "-o", folder / "held")
        assert failed.returncode == 1 and "joint on_front holds `front` about its axle" in failed.stderr and "type: revolute" in failed.stderr and "put the joint on the axle" not in failed.stderr, failed.stderr
    print("joints that hold a wheelset about its axle are named")


def check_gear(arguments, folder):
    """A rotor on the frame that is geared to a wheelset that turns is refused by that name."""
    rotor = "  rotor: {type: rigid, mass: 50, inertia: [1, 2, 1], pose: {position: [10.5, 0, 0.6]}}\n"
    joints = ("joints:\n  at_front: {type: revolute, between: [frame, front], at: [11.28, 0, 0.4598], axis: [0, 1, 0]}\n"
              "  at_rotor: {type: revolute, between: [frame, rotor], at: [10.5, 0, 0.6], axis: [0, 1, 0]}\n  teeth: {type: gear, joints: [at_front, at_rotor], ratio: -4}\n")
    model = folder / "geared.yaml"
    model.write_text(BOGIE.replace("bodies:\n", "bodies:\n" + rotor, 1).replace("loads:\n", joints + "loads:\n", 1) + "analyses:\n  - statics: {}\n")
    failed = Program(arguments)("run", model, "-o", folder / "geared")
    assert failed.returncode == 1 and "`joint teeth` gears other bodies to `front`, a wheelset that turns (spin: frame)" in failed.stderr, failed.stderr


def check_interrupt(arguments, folder):
    """SIGTERM ends the writing of long irregularities, and leaves no half of a file."""
    rough = "  irregularities: {spectrum: erri_high, wavelengths: [3, 70], seed: 1, waves: 5000, from: 14, fade_in: 5, write: true}\n"
    model, output = folder / "long.yaml", folder / "long"
    model.write_text(BOGIE.replace("track:\n", "track:\n" + rough).replace("length: 400", "length: 2.0e+4") + "analyses:\n  - statics: {}\n")
    run = subprocess.Popen([arguments.solidyn, "run", model, "-o", output], stderr=subprocess.PIPE, text=True)
    temporary = output / "irregularities.csv.tmp"
    while run.poll() is None and not temporary.exists():
        time.sleep(0.05)
    run.terminate()
    _, log = run.communicate(timeout=120)
    assert run.returncode == 1 and "writing irregularities: stopped by Terminated" in log, (run.returncode, log)
    assert not temporary.exists() and not (output / "irregularities.csv").exists()


def check_axes(arguments, folder):
    """World axes are the track's on a straight; where others were chosen, those of the track are advised. Inputs that do not turn with the vehicle are named."""
    log = run(arguments, folder, "world", BOGIE, "statics: {}", "modes: {count: 3, axes: world}")
    assert "warning" not in log, log
    log = run(arguments, folder, "body", BOGIE, "statics: {}", "modes: {count: 3, axes: body}")
    assert "take  axes: track" in log, log
    for plan, is_warned in ((BOGIE, False), (CURVED, True)):
        log = run(arguments, folder, "inputs", plan, "statics: {}", "frequency_response: {frequencies: [3], inputs: [kick.force_y, car.force_z], outputs: [front_y]}")
        assert ("the directions of `kick.force_y` do not turn with it" in log) == is_warned, log
    print("axes and inputs of vehicles that run")


def check_written_irregularities(arguments, folder):
    """Read back they give the same motion; they are there before the motion is, so that a run that fails leaves them."""
    rough = "  irregularities: {spectrum: erri_high, wavelengths: [3, 70], seed: 1, from: 14, fade_in: 5, write: true}\n"
    text, dynamics = BOGIE.replace("track:\n", "track:\n" + rough), "dynamics: {duration: 0.4, step: 2.0e-3, rho_infinity: 0.8}"
    run(arguments, folder, "written", text, "statics: {}", dynamics)
    read = text.replace(rough, f"  irregularities: {{file: {folder}/written/irregularities.csv, from: 14, fade_in: 0}}\n")
    run(arguments, folder, "read", read, "statics: {}", dynamics)
    one, other = History(folder / "written"), History(folder / "read")
    for column, most in (("front_y", 1e-4), ("rear_y", 1e-4), ("front_yaw", 1e-4), ("front_Q", 0.01)):  # Q has the spline's second derivatives
        values = one.column(column)
        worst = max(abs(a - b) for a, b in zip(values, other.column(column))) / (max(values) - min(values))
        assert worst < most, (column, worst)
    (folder / "read.yaml").write_text(read + "analyses:\n  - statics: {}\n")
    refused = Program(arguments)("run", folder / "read.yaml", "-o", folder / "written")
    assert refused.returncode == 2 and "track.irregularities.file" in refused.stderr and "it would delete its own input" in refused.stderr, refused.stderr
    assert (folder / "written" / "irregularities.csv").exists() and (folder / "written" / "history.csv").exists()
    model = folder / "short.yaml"
    model.write_text(text.replace("length: 400", "length: 22") + f"analyses:\n  - statics: {{}}\n  - {dynamics}\n")
    failed = Program(arguments)("run", model, "-o", folder / "short")
    rows = (folder / "short" / "irregularities.csv").read_text().splitlines()
    assert failed.returncode == 1 and rows[-1].startswith("22,"), (failed.returncode, failed.stderr, rows[-1])
    # A wheelset on cylinders that turns with them finds no steady running.
    model.write_text(text.replace("wheel: s1002", 'wheel: "cone:0"') + f"analyses:\n  - statics: {{}}\n  - {dynamics}\n")
    failed = Program(arguments)("run", model, "-o", folder / "no_statics")
    assert failed.returncode == 1 and "no steady running" in failed.stderr and (folder / "no_statics" / "irregularities.csv").exists(), failed.stderr
    print(f"written irregularities, read back: the same motion, Q to {worst:.1e}")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_parts_on_wheelsets(arguments, folder)
        check_what_changes(arguments, folder)
        check_friction(arguments, folder)
        check_many_decades(arguments, folder)
        check_bearing_beside_axle(arguments, folder)
        check_held_wheelsets(arguments, folder)
        check_gear(arguments, folder)
        check_axes(arguments, folder)
        check_written_irregularities(arguments, folder)
        check_interrupt(arguments, folder)


if __name__ == "__main__":
    main()
