"""Sensors of model files: a history is its own witness (rates against differences, angles against quaternions, reactions
against the momenta that they change), for bodies of every formulation, on 1, 2 and 4 ranks and across a restart.

    sensors.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import sys
import tempfile

import numpy

from support import COARSE, EXAMPLES, FLEXIBLE, History, Program, largest_difference, parsed_arguments, summary

AGREES = 1e-9  # of each column's range, on any number of ranks
# Newton's tolerance is 1e-10 of a step's displacement; accelerations show it divided by the square of steps of 4 us.
AGREES_OF_MESHES = 1e-4
RIDE = EXAMPLES / "chair_ride" / "chair_ride.yaml"
GRAVITY = numpy.array([0, 0, -9.81])


class Table:
    """Columns of a history as arrays; vectors have a row for each time."""

    def __init__(self, folder):
        history = History(folder)
        self.columns = dict(zip(history.names, numpy.array(history.rows).T))
        self.t = self.columns["time"]

    def __getitem__(self, name):
        return self.columns[name]

    def vector(self, name, components=("x", "y", "z")):
        return numpy.array([self.columns[f"{name}.{c}"] for c in components]).T


def largest_difference_of_sensors(a, b):
    """Relative to the largest value of a sensor's columns: what is out of the plane is round-off."""
    size = {}
    for name in a.columns:
        sensor = name.split(".")[0]
        size[sensor] = max(size.get(sensor, 0), abs(a[name]).max())
    return max((abs(a[name] - b[name]).max() / (size[name.split(".")[0]] or 1), name) for name in a.columns)


def rate(t, x):
    """Central differences, without the first and the last row."""
    return (x[2:] - x[:-2]) / (t[2:] - t[:-2]).reshape([-1] + [1] * (x.ndim - 1))


def relative_error(found, expected):
    return abs(found - expected).max() / abs(expected).max()


def axes_of(quaternions):
    """Rotation matrices of rows w, x, y, z."""
    w, x, y, z = quaternions.T
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return numpy.array(rows).transpose(2, 0, 1)


def turned(R, vectors):
    return numpy.einsum("nij,nj->ni", R, vectors)


def settings(values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


# Chair ride

RIDE_SENSORS = settings({
    "bodies.chair.frames.centre": "{position: [0, 0, -3]}",
    "sensors.centre": "{type: acceleration, of: chair.centre}",
    "sensors.from_arm": "{type: position, of: chair.rider, relative_to: arm}",
    "sensors.rate_from_arm": "{type: velocity, of: chair.rider, relative_to: arm}",
    "sensors.swing_q": "{type: orientation, of: chair, relative_to: arm, as: quaternion}",
    "sensors.spin": "{type: angular_velocity, of: chair}",
    "sensors.spin_up": "{type: angular_acceleration, of: chair}",
    "sensors.drag": "{type: force, force: air}"})


def check_ride(table):
    q = table.vector("attitude", "wxyz")
    assert abs(numpy.linalg.norm(q, axis=1) - 1).max() < 1e-12
    assert numpy.linalg.norm(numpy.diff(q, axis=0), axis=1).max() < 0.02, "the quaternion jumps"
    assert q[0, 0] > 0 and (numpy.diff(numpy.sign(q[:, 0])) != 0).sum() == 1
    R = axes_of(q)
    for in_world, in_chair in (("spin", "gyroscope"), ("acceleration", "felt_axes")):
        found = turned(R, table.vector(in_chair))
        assert relative_error(found, table.vector(in_world)) < 1e-12, in_chair
    a, b, c = (table[f"swing.angle_{i}"] for i in (1, 2, 3))  # R = Rx(a) Ry(b) Rz(c)
    swing = axes_of(table.vector("swing_q", "wxyz"))
    assert abs(swing[:, 0, 2] - numpy.sin(b)).max() < 1e-12
    assert abs(swing[:, 1, 2] + numpy.sin(a) * numpy.cos(b)).max() < 1e-12
    assert abs(swing[:, 0, 1] + numpy.cos(b) * numpy.sin(c)).max() < 1e-12
    felt = table.vector("acceleration") - GRAVITY
    assert relative_error(table["load_factor"], numpy.linalg.norm(felt, axis=1) / 9.81) < 1e-12


def check_rates(table, pairs, limit, since=0):
    """From the row `since` on; limits are of order two in the step."""
    for name, of in pairs:
        found = relative_error(rate(table.t, table.vector(of))[since:], table.vector(name)[1:-1][since:])
        print(f"{name} against differences of {of}: {found:.1e}")
        assert found < limit, (name, found)


def check_balance_of_chair(table):
    """100 kg: the hook holds weight, inertia and drag."""
    hook = table.vector("hook", ("force_x", "force_y", "force_z"))
    drag = table.vector("drag", ("force_x", "force_y", "force_z"))
    error = relative_error(hook + drag, 100 * (table.vector("centre") - GRAVITY))
    print(f"hook against d'Alembert: {error:.1e}")
    assert error < 1e-6  # what Newton leaves: 1e-10 of a step's displacement, divided by the square of the step


def check_chair(arguments, folder):
    histories = {}
    for ranks in (1, 2, 4):
        out = folder / f"ride_{ranks}"
        Program(arguments, ranks).done("run", RIDE, *RIDE_SENSORS, "-o", out)
        histories[ranks] = History(out)
        assert "load_factor rose above 2" in summary(out)["stopped_by"]
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        assert worst < AGREES, f"{ranks} ranks differ by {worst} of the range of {column}"
    table = Table(folder / "ride_1")
    assert table["load_factor"][-2] <= 2 < table["load_factor"][-1]
    check_ride(table)
    check_rates(table, [("rate_from_arm", "from_arm"), ("seen_from_arm", "rate_from_arm"),
                        ("spin_up", "spin")], 1e-3)
    check_balance_of_chair(table)


def check_restart(arguments, folder):
    """The quaternion's sign and the formulas come from the state alone: other rows and a restart leave them."""
    words = [RIDE, *RIDE_SENSORS, "--set", "output.checkpoint_every=600"]
    Program(arguments).done("run", *words, "-o", folder / "whole", "--set", "analyses.dynamics.duration=12")
    Program(arguments).done("run", *words, "-o", folder / "parts", "--set", "analyses.dynamics.duration=9",
                            "--set", "output.history_every=700")
    Program(arguments).done("run", *words, "-o", folder / "parts", "--set", "analyses.dynamics.duration=12",
                            "--set", "output.history_every=700", "--restart")
    worst, column = largest_difference(History(folder / "whole"), History(folder / "parts"))
    assert worst < AGREES, f"after a restart {column} differs by {worst} of its range"


# A rod of every formulation. It starts undeformed under load and rings: differences want steps that resolve that, and
# damping of what no step resolves.

DAMPED = {"bodies.rod.damping": "{rayleigh: {stiffness: 4e-6}}"}
RODS = {
    "modal": {},
    "superelement": {"bodies.rod.type": "superelement"},
    "floating_frame": {"bodies.rod.type": "floating_frame", **DAMPED},
    "corotational": {"bodies.rod.type": "corotational", **DAMPED},
}
ROD_SENSORS = {
    "analyses.dynamics.duration": "8e-4",
    "analyses.dynamics.step": "4e-6",
    "output.history_every": "1",
    "output.fields_interval": "0",
    "bodies.crank.frames": "{centre: {position: [0.075, 0, 0]}}",
    "sensors.p": "{type: position, of: rod.midpoint, relative_to: crank}",
    "sensors.v": "{type: velocity, of: rod.midpoint, relative_to: crank}",
    "sensors.a": "{type: acceleration, of: rod.midpoint, relative_to: crank}",
    "sensors.q": "{type: orientation, of: rod.small_end, relative_to: rod.big_end, as: quaternion}",
    "sensors.turn": "{type: orientation, of: rod.small_end, as: zyx}",
    "sensors.w": "{type: angular_velocity, of: rod.small_end, axes_of: rod.big_end}",
    "sensors.w_world": "{type: angular_velocity, of: rod.small_end}",
    "sensors.dw": "{type: angular_acceleration, of: rod.small_end}",
    "sensors.momentum": "{type: momentum, kind: linear}",
    "sensors.angular_momentum": "{type: momentum, kind: angular}",
    "sensors.crank": "{type: velocity, of: crank.centre}",
    "sensors.crank_place": "{type: position, of: crank.centre}",
    "sensors.crank_spin": "{type: angular_velocity, of: crank, component: z}",
    "sensors.slider": "{type: velocity, of: slider}",
    "sensors.slider_place": "{type: position, of: slider}",
    "sensors.big_end": "{type: position, of: rod.big_end}",
    "sensors.small_end": "{type: position, of: rod.small_end}",
    "sensors.pin": "{type: reaction, joint: crank_pin}",
    "sensors.wrist": "{type: reaction, joint: slider_pin, side: first}",
    "sensors.along": "{type: expression, value: \"sqrt(v.x^2 + v.y^2 + v.z^2)\", measures: velocity}",
}


def momentum_of_rod(table):
    """Linear and angular about z: that of the system without the rigid bodies'."""
    linear, angular = table.vector("momentum").copy(), table["angular_momentum.z"].copy()
    for body, mass in (("crank", 0.1), ("slider", 0.033378)):
        p = mass * table.vector(body)
        linear -= p
        angular -= numpy.cross(table.vector(f"{body}_place"), p)[:, 2]
    return linear, angular - 2e-4 * table["crank_spin"]


def wrench_on_rod(table):
    force, torque = 0, 0
    for joint, place in (("pin", "big_end"), ("wrist", "small_end")):
        f = table.vector(joint, ("force_x", "force_y", "force_z"))
        force = force + f
        torque = torque + numpy.cross(table.vector(place), f)[:, 2] + table[f"{joint}.torque_z"]
    return force, torque


def check_balance_of_rod(table, name):
    (linear, angular), (force, torque) = momentum_of_rod(table), wrench_on_rod(table)
    errors = (relative_error(rate(table.t, linear), force[1:-1]),
              relative_error(rate(table.t, angular), torque[1:-1]))
    print(f"{name}: reactions against the momenta that they change: {errors[0]:.1e}, {errors[1]:.1e}")
    assert max(errors) < 1e-2, (name, errors)


def check_rod(arguments, folder, name):
    words = [FLEXIBLE, *COARSE, *settings({**ROD_SENSORS, **RODS[name]})]
    histories = {}
    for ranks in (1, 2, 4):
        out = folder / f"{name}_{ranks}"
        Program(arguments, ranks, folder / "cache").done("run", *words, "-o", out)
        histories[ranks] = Table(out)
    for ranks in (2, 4):
        worst, column = largest_difference_of_sensors(histories[1], histories[ranks])
        print(f"{name}: {ranks} ranks differ by {worst:.1e} of the range of {column}")
        assert worst < (AGREES_OF_MESHES if "bodies.rod.damping" in RODS[name] else AGREES), (name, ranks, worst, column)
    table = histories[1]
    check_rates(table, [("v", "p"), ("a", "v"), ("dw", "w_world")], 1e-2, since=60)
    check_balance_of_rod(table, name)
    assert relative_error(table["along"], numpy.linalg.norm(table.vector("v"), axis=1)) < 1e-12
    q = table.vector("q", "wxyz")
    assert q[0, 0] > 0.99 and numpy.linalg.norm(numpy.diff(q, axis=0), axis=1).max() < 1e-2
    spin = rate(table.t, table["turn.angle_1"])  # in the plane: yaw alone
    assert relative_error(spin, table["w_world.z"][1:-1]) < 1e-2


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_chair(arguments, folder)
        check_restart(arguments, folder)
        for rod in RODS:
            check_rod(arguments, folder, rod)


if __name__ == "__main__":
    sys.exit(main())
