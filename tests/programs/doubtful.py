"""A run whose energies do not balance, or whose first step failed, does not end like a good one: status
`doubtful`, a warning, exit status 3. With every integrator, for energy that is lost and that is gained;
and runs whose energies do balance end well, whatever puts energy in and takes it out.

    doubtful.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import sys
import tempfile

from support import Program, parsed_arguments, summary

PENDULUM = """
solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  bob: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [1, 0, 0]}}
joints:
  pivot: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}
analyses:
  - dynamics: {duration: 5, step: 2.0e-3}
"""
# A mass on a spring, 1000 rad/s, falls into it: steps of 6 ms do not resolve that.
SPRING = """
solidyn: 1
gravity: [9.81, 0, 0]
bodies:
  mass: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [PLACE, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [PLACE, 0, 0], axis: [1, 0, 0], spring: {stiffness: 1.0e6, preload: 1000}}
analyses:
  - dynamics: {duration: 0.6, step: 6.0e-3}
"""
# A motor turns a rotor against a damper: what is turned over grows, the rotor's energy does not.
MOTOR = """
solidyn: 1
bodies:
  rotor: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  bearing: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1], damper: {damping: 0.5}}
loads:
  motor: {type: force, at: rotor, torque: [0, 0, "2 + sin(20*t)"]}
analyses:
  - dynamics: {duration: 3, step: 2.0e-3}
"""
# Beside the mass, which loses what it has, a fan turns over 20 kJ and loses nothing; nothing connects the two.
FAN = SPRING.replace("joints:", """  fan: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [3, 0, 0]}, velocity: {angular: [0, 0, 100]}}
joints:
  shaft: {type: revolute, between: [ground, fan], at: [3, 0, 0], axis: [0, 0, 1], damper: {damping: 3.3}}
  motor: {type: rotation_drive, joint: shaft, angular_velocity: 100}""")
# The damper of a stop works for a moment, of which the motion knows little.
STOP = """
solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  bar: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], pose: {position: [0.5, 0, 0]}}
joints:
  pivot: {type: revolute, between: [ground, bar], at: [0, 0, 0], axis: [0, 0, 1], limits: {lower: -1, upper: 1, stiffness: 1.0e6, damping: 0.5}}
analyses:
  - dynamics: {duration: 3, step: 1.0e-4, integrator: bdf}
"""
INTEGRATORS = {"generalized_alpha": [], "hht": [], "adaptive": [
    "integrator=generalized_alpha", "adaptive={tolerance: 1e-5, minimum_step: 1e-9, maximum_step: 0.1}"],
    "bdf": ["integrator=bdf"], "runge_kutta": ["integrator=runge_kutta"]}


def words_for(values):
    return [w for value in values for w in ("--set", f"analyses.dynamics.{value}")]


def run(arguments, folder, name, model, values, petsc=(), ranks=1):
    path, out = folder / f"{name}.yaml", folder / name
    path.write_text(model.replace("PLACE", "0"))
    done = Program(arguments, ranks)("run", path, "-o", out, *words_for(values), *(["--", *petsc] if petsc else []))
    return done, summary(out)


def check_doubtful(name, done, found, *parts):
    assert done.returncode == 3 and found["status"] == "doubtful", (name, done.returncode, found)
    assert len(found["doubts"]) == 1 and found["doubts"][0] in found["warnings"], (name, found)
    assert all(part in found["doubts"][0] for part in parts), (name, found["doubts"])
    assert found["doubts"][0].split(":")[0] in done.stderr, (name, done.stderr)
    assert abs(found["energy"]["imbalance"]) > 0.03 * found["energy"]["exchanged"], (name, found)


def check_good(name, done, found):
    assert done.returncode == 0 and found["status"] == "done", (name, done.returncode, found)
    assert "doubts" not in found and found["warnings"] == [], (name, found)
    energy = found["energy"]
    assert energy["exchanged"] > 0.0 and abs(energy["imbalance"]) < 0.01 * energy["exchanged"], (name, energy)
    print(f"{name}: {100*energy['imbalance']/energy['exchanged']:.2g} % of {energy['exchanged']:.3g} J")


def check_losses(arguments, folder):
    """Implicit integrators damp what their steps do not resolve."""
    for ranks in (1, 2):
        for integrator in ("generalized_alpha", "hht"):
            done, found = run(arguments, folder, f"lost_{integrator}_{ranks}", SPRING,
                              [f"integrator={integrator}"], ranks=ranks)
            check_doubtful(integrator, done, found, "is unaccounted for (lost)", "step")
            assert found["energy"]["imbalance"] < 0.0, found
    # Without error control, of first order.
    done, found = run(arguments, folder, "lost_bdf", SPRING, ["integrator=bdf", "step=2e-4"],
                      ("-ts_adapt_type", "none", "-ts_bdf_order", "1"))
    check_doubtful("bdf", done, found, "is unaccounted for (lost)")


def check_gains(arguments, folder):
    """No explicit method is stable with such steps."""
    done, found = run(arguments, folder, "gained", SPRING, ["integrator=runge_kutta", "duration=0.06"],
                      ("-ts_adapt_type", "none"))
    check_doubtful("runge_kutta", done, found, "is unaccounted for (gained)")
    assert found["energy"]["imbalance"] > 0.0, found


def check_good_runs(arguments, folder):
    for name, values in INTEGRATORS.items():
        done, found = run(arguments, folder, f"swing_{name}", PENDULUM, values)
        check_good(f"pendulum, {name}", done, found)
        done, found = run(arguments, folder, f"motor_{name}", MOTOR, values)
        check_good(f"motor, {name}", done, found)
    done, found = run(arguments, folder, "resolved", SPRING, ["step=5e-5"])
    check_good("spring", done, found)


def check_scale(arguments, folder):
    """Far below the origin the potential is large, and lost energy a small part of it."""
    done, found = run(arguments, folder, "deep", SPRING.replace("PLACE", "2.0e4"), [])
    check_doubtful("deep", done, found, "is unaccounted for (lost)")
    assert found["energy"]["relative_drift"] < 1e-4, found


def check_islands(arguments, folder):
    for ranks in (1, 2):
        done, found = run(arguments, folder, f"fan_{ranks}", FAN, [], ranks=ranks)
        assert done.returncode == 3 and found["status"] == "doubtful", (done.returncode, found)
        assert len(found["doubts"]) == 1 and "energies of `mass` do not balance" in found["doubts"][0], found
        assert found["energy"]["exchanged"] > 1e4, found
    path = folder / "fan_1.yaml"
    again = Program(arguments)("run", path, "-o", folder / "fan_1", "--restart", *words_for(["step=5e-5", "duration=0.61"]))
    assert again.returncode == 3 and "energies of `mass`" in again.stderr, again.stderr


def check_stop(arguments, folder):
    done, found = run(arguments, folder, "stop", STOP, [])
    assert done.returncode == 0 and found["status"] == "done", (done.returncode, found)
    assert abs(found["energy"]["imbalance"]) < 0.02 * found["energy"]["exchanged"], found


def check_restart(arguments, folder):
    """What was lost before the checkpoint is not forgotten."""
    done, _ = run(arguments, folder, "parts", SPRING, ["duration=0.3"])
    assert done.returncode == 3, done.stderr
    again = Program(arguments)("run", folder / "parts.yaml", "-o", folder / "parts", "--restart",
                               *words_for(["step=5e-5", "duration=0.4"]))
    check_doubtful("restart", again, summary(folder / "parts"), "is unaccounted for (lost)")


def check_sweep(arguments, folder):
    path, out = folder / "swept.yaml", folder / "swept"
    path.write_text(SPRING.replace("PLACE", "0"))
    done = Program(arguments)("run", path, "-o", out, "--sweep", "analyses.dynamics.step=6e-3,5e-5")
    assert done.returncode == 3 and "1 of 2 runs are doubtful" in done.stderr, (done.returncode, done.stderr)
    rows = [line.split(",")[:3] for line in (out / "sweep.csv").read_text().splitlines()[2:]]
    assert [row[2] for row in rows] == ["doubtful", "done"], rows


def check_first_step(arguments, folder):
    """Five iterations are not enough for a pendulum that turns by two radians in it, in absolute coordinates."""
    done, found = run(arguments, folder, "start", PENDULUM.replace("solidyn: 1", "solidyn: 1\nformulation: absolute").replace("pose: {position: [1, 0, 0]}",
                      "pose: {position: [1, 0, 0]}, velocity: {linear: [0, 100, 0], angular: [0, 0, 100]}"),
                      ["step=2e-2", "duration=2e-2", "max_iterations=5"])
    assert any("the first step failed" in doubt for doubt in found["doubts"]), found
    assert done.returncode == 3 and found["status"] == "doubtful", (done.returncode, found)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_losses(arguments, folder)
        check_gains(arguments, folder)
        check_good_runs(arguments, folder)
        check_scale(arguments, folder)
        check_islands(arguments, folder)
        check_stop(arguments, folder)
        check_restart(arguments, folder)
        check_sweep(arguments, folder)
        check_first_step(arguments, folder)
    print("runs whose energies do not balance are told from good ones")


if __name__ == "__main__":
    sys.exit(main())
