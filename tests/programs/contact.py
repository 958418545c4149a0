"""Contact from the model file: the same history on 1, 2 and 4 ranks, energy that never rises, motions
that the examples' README files promise, nodes of flexible bodies, and a restart within an impact.

    contact.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import sys
import tempfile

from support import EXAMPLES, History, Program, parsed_arguments, summary

BALL = EXAMPLES / "bouncing_ball" / "bouncing_ball.yaml"
ROD = EXAMPLES / "rod_impact" / "rod_impact.yaml"
CRANK = EXAMPLES / "clearance" / "slider_crank.yaml"


def columns(history):
    return {name: history.column(i) for i, name in enumerate(history.names)}


def largest_rise(values):
    return max(b - a for a, b in zip(values, values[1:]))


def apexes(found):
    """Heights of the ball's centre above where it rests, at the tops of its bounces."""
    h = [height - 0.02 for height in found["height"]]
    return [h[i] for i in range(1, len(h) - 1) if h[i - 1] < h[i] >= h[i + 1] and h[i] > 1e-4]


def check_on_ranks(arguments, model, folder):
    histories = {}
    for ranks in (1, 2, 4):
        out = folder / f"{model.stem}_{ranks}"
        Program(arguments, ranks).done("run", model, "-o", out)
        assert summary(out)["status"] == "done" and summary(out)["warnings"] == [], summary(out)
        histories[ranks] = History(out)
    for ranks in (2, 4):
        assert histories[ranks].rows == histories[1].rows, (model, ranks)
    print(f"{model.stem}: {len(histories[1].rows)} rows, the same on 1, 2 and 4 ranks")
    return columns(histories[1]), summary(out)


def check_ball(found):
    energy = found["energy"]
    assert largest_rise(energy) < 1e-5 * energy[0], largest_rise(energy)
    # Gravity acts during contact too: its impulse is 1e-3 of the first impact's, and grows.
    for n, apex in enumerate(apexes(found)[:3]):
        expected = 0.1 * 0.25 ** (n + 1)
        assert abs(apex - expected) < 5e-3 * (n + 1) * expected, (n, apex, expected)
    rolling = (5 * 0.5 - 2 * 0.02 * 20) / 7
    assert abs(found["speed"][-1] - rolling) < 1e-3 * rolling, found["speed"][-1]
    assert abs(found["spin"][-1] * 0.02 - rolling) < 1e-3 * rolling, found["spin"][-1]
    weight = 0.2631 * 9.81
    assert abs(found["plate.normal_force"][-1] - weight) < 1e-3 * weight
    for normal, friction in zip(found["plate.normal_force"], found["plate.friction_force"]):
        assert friction <= 0.2 * normal * (1 + 1e-12), (normal, friction)


def check_crank(found, balance):
    energy = found["energy"]
    assert largest_rise(energy) < 5e-6 * energy[0], largest_rise(energy)
    assert 0.1 < energy[0] - energy[-1] < 0.6, energy[-1]
    assert balance["relative_drift"] < 1e-4, balance
    assert min(found["pin.normal_force"]) == 0.0 and min(found["slider"]) < -5e4
    for x, y, gap in zip(found["play.x"], found["play.y"], found["pin.gap"]):
        radius = (x * x + y * y) ** 0.5
        assert abs(5e-4 - radius - gap) < 1e-12, (x, y, gap)
        assert radius < 5.5e-4, radius


def check_overlap_is_told(arguments, folder):
    """A plane that looks the wrong way throws the ball out, faster than any step can follow."""
    turned = "contacts.plate.first.axis=[0, 0, -1]"
    done = Program(arguments)("run", BALL, "-o", folder / "overlap", "--set", turned)
    assert done.returncode == 1 and "the step is too long: contact plate" in done.stderr, done.stderr
    assert "contacts.plate: the shapes penetrate by 0.14 m" in done.stderr, done.stderr


def check_balance_is_told(arguments, folder):
    """Steps of a fifth of the contact time, without the contact's own check: the run comes to its end, and says
    what it is worth."""
    out = folder / "coarse"
    values = ["analyses.dynamics.step=5e-5", "analyses.dynamics.adaptive.maximum_step=5e-5",
              "analyses.dynamics.adaptive.tolerance=1", "contacts.plate.resolution=10",
              "contacts.plate.law={type: hertz, stiffness: 1e9}"]
    done = Program(arguments)("run", BALL, "-o", out, *[w for v in values for w in ("--set", v)])
    result = summary(out)
    assert done.returncode == 3 and result["status"] == "doubtful", (done.returncode, result)
    told = [w for w in result["warnings"] if "energies do not balance" in w and "`plate`" in w]
    assert len(told) == 1, result["warnings"]


def check_restart_within_impact(arguments, whole, folder):
    """The speed of the impact comes with the checkpoint: without it the ball would be damped as in a
    slow contact and hardly rebound."""
    middle = next(t for t, depth in zip(whole["time"], whole["plate.penetration"]) if depth > 2e-5)
    out = folder / "cut"
    solidyn = Program(arguments)
    words = ["run", BALL, "-o", out, "--set"]
    solidyn.done(*words, f"analyses.dynamics.duration={middle!r}")
    assert columns(History(out))["plate.in_contact"][-1] == 1.0
    solidyn.done(*words, "analyses.dynamics.duration=0.4", "--restart")
    apex = apexes(columns(History(out)))[0]
    assert abs(apex - 0.025) < 5e-3 * 0.025, apex
    print(f"restarted at {middle:.6f} s: next apex {apex:.5f} m")


def check_rod(arguments, folder):
    """An elastic rod against a wall: 2 L / c in contact with rho c A v, and back with its speed."""
    wave = (2.0e11 / 7870) ** 0.5
    force = 7870 * wave * 2.825e-5  # area of the coarse mesh
    runs = [("modal", 1), ("floating_frame", 1), ("corotational", 1), ("corotational", 2)]
    momenta = {}
    for kind, ranks in runs:
        out = folder / f"rod_{kind}_{ranks}"
        Program(arguments, ranks).done("run", ROD, "-o", out, "--set", f"bodies.rod.type={kind}")
        found = columns(History(out))
        touching = [t for t, f in zip(found["time"], found["wall.normal_force"]) if f > 0]
        lasted = touching[-1] - touching[0]
        impulse = sum(found["wall.normal_force"]) * 1e-6
        momentum = found["momentum"]
        momenta[kind, ranks] = momentum
        assert abs(lasted - 0.6 / wave) < 0.05 * 0.6 / wave, (kind, lasted)
        assert abs(impulse / lasted - force) < 0.05 * force, (kind, impulse / lasted)
        assert abs(momentum[-1] / momentum[0] + 1) < 0.02, (kind, momentum[-1])
        assert abs(momentum[0] - momentum[-1] - impulse) < 1e-3 * impulse, (kind, impulse)
    worst = max(abs(a - b) for a, b in zip(momenta["corotational", 1], momenta["corotational", 2]))
    assert worst < 1e-8 * abs(momenta["corotational", 1][0]), worst
    print(f"rod: {len(runs)} runs, one rank and two agree to {worst:.1e} kg m/s")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ball, _ = check_on_ranks(arguments, BALL, folder)
        check_ball(ball)
        crank, result = check_on_ranks(arguments, CRANK, folder)
        check_crank(crank, result["energy"])
        check_overlap_is_told(arguments, folder)
        check_balance_is_told(arguments, folder)
        check_rod(arguments, folder)
        check_restart_within_impact(arguments, ball, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
