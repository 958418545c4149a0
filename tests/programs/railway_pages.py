"""Railway vehicles against closed forms: steady curving and wheel loads of page G05, joints of the track of page G06, critical speed over conicity, flexible frames of the locomotive below 20 Hz.

    railway_pages.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import cmath
import csv
import math
import pathlib
import re
import tempfile

from railway import LINEAR, eigenvalues
from railway_vehicles import LOCOMOTIVE, modes, rotation_vector, run, with_analyses, without_irregularities
from support import EXAMPLES, History, parsed_arguments

G = 9.81
# Conical wheels that touch the middle of round rails, 0.75 m from the middle of the track. A cone of 0.1312 has half a difference of rolling radii of
# 0.15 y there (`solidyn conicity cone:0.1312 circle:0.3 --gauge 1512 --gauge-depth 2 --inclination 1:7.7`); under 49.4 kN Kalker's theory has f11 = 9.0e6, f22 = 8.1e6 N.
BOGIE = """solidyn: 1
gravity: [0, 0, -9.81]
track: {{plan: [{plan}], gradients: [{gradients}], cant_axis: centre, blend: {blend}, rail: "circle:0.3", inclination: 0.13, gauge_depth: 0.002, gauge: 1.512, running_speed: {V}}}
bodies:
  box: {{type: rigid, mass: {mass}, inertia: [2000, 8000, 8000], pose: {{position: {box}, rotation: {{vector: {turned}}}}}}}
  front: {{type: rigid, mass: 1500, inertia: [900, 1, 900], pose: {{position: {front}, rotation: {{vector: {turned_front}}}}}}}
  rear: {{type: rigid, mass: 1500, inertia: [900, 1, 900], pose: {{position: {rear}, rotation: {{vector: {turned_rear}}}}}}}
forces:
  springs_front: {{type: bushing, between: [box, front], at: {front}, axis: {up}, reference: {along}, stiffness: {stiffness}, damping: {damping}}}
  springs_rear: {{type: bushing, between: [box, rear], at: {rear}, axis: {up}, reference: {along}, stiffness: {stiffness}, damping: {damping}}}
  front: {{type: wheel_rail, at: front, wheel: "cone:0.1312", creep: linear, damping_ratio: 0.5, damping_speed: 0.01}}
  rear: {{type: wheel_rail, at: rear, wheel: "cone:0.1312", creep: linear, damping_ratio: 0.5, damping_speed: 0.01}}
sensors:
  front: {{type: force, force: front}}
  rear: {{type: force, force: rear}}
  box: {{type: position, of: box}}
  a_box: {{type: acceleration, of: box}}
  a_front: {{type: acceleration, of: front}}
analyses:
  - statics: {{}}
"""
HALF_BASE, AXLE = 1.25, 0.4598


def axes(s, k, roll):
    """Of an arc from the origin: its middle at s, and the directions along it, to the left and up, of a track that is rolled about its middle."""
    h = k * s
    middle = (math.sin(h) / k, (1 - math.cos(h)) / k, 0.0) if k else (s, 0.0, 0.0)
    return (middle, (math.cos(h), math.sin(h), 0.0), (-math.sin(h) * math.cos(roll), math.cos(h) * math.cos(roll), math.sin(roll)),
            (math.sin(h) * math.sin(roll), -math.cos(h) * math.sin(roll), math.cos(roll)))


def bogie(k, cant, V, mass, height, stiffness, is_radial=False, s=30.0, **more):
    """Drawn straight along the tangent at s, or with radial wheelsets."""
    roll = -math.asin(cant / 1.5)

    def place(x, z):
        middle, along, _, up = axes(s + (x if is_radial else 0.0), k, roll)
        return [m + (0.0 if is_radial else x) * a + z * u for m, a, u in zip(middle, along, up)]

    _, along, _, up = axes(s, k, roll)
    turned = lambda x: rotation_vector(k * (s + (x if is_radial else 0.0)), roll) if k else [0, 0, 0]
    return BOGIE.format(**{"plan": f"{{length: 60, curvature: {k}, cant: {cant}}}", "gradients": "{length: 60}", "blend": 1, "V": V, "mass": mass, "box": place(0, height),
                           "front": place(HALF_BASE, AXLE), "rear": place(-HALF_BASE, AXLE), "turned": turned(0), "turned_front": turned(HALF_BASE), "turned_rear": turned(-HALF_BASE),
                           "along": list(along), "up": list(up), "stiffness": stiffness, "damping": [0, 0, 0, 0, 0, 0], **more})


def check_steady_curving(arguments, folder):
    """Page G05 at R = 1000 m without cant deficiency. Its f22 is 1.5 % smaller than Kalker's of these wheels, which takes 1.3 % from the angles."""
    k, V = 1e-3, 10.0
    cant = 1.5 * math.sin(math.atan(V * V * k / G))
    history = History(run(arguments, folder, "curving", bogie(k, cant, V, 17135, AXLE, [1e8, 5e6, 1e8, 1e5, 0, 5e6])))
    found = {name: history.column(name)[-1] for name in ("front.y", "front.yaw", "rear.y", "rear.yaw")}
    middle, _, left, _ = axes(30.0, k, -math.asin(cant / 1.5))
    found["box"] = sum((history.column(f"box.{axis}")[-1] - m) * l for axis, m, l in zip("xyz", middle, left))
    for name, expected in (("front.y", -4.237939e-3), ("front.yaw", -1.520762e-4), ("rear.y", -1.743889e-3), ("rear.yaw", 1.520762e-4), ("box", -2.209664e-3)):
        assert abs(found[name] / expected - 1) < (0.05 if "yaw" in name else 0.03), (name, found[name], expected)
    print("steady curving at R = 1000 m:", ", ".join(f"{name} {value:.4e}" for name, value in found.items()))


def check_canted_loads(arguments, folder):
    """Page G05's loads, of half the coach's mass on two wheelsets, rigid, with its centre 1.3835 m high. The page's wheels touch 0.75 m beside the middle of the track, and its coach stands in the middle; here they are where they are."""
    total, height = 22241.0, 1.3835
    mass = total - 3000
    for V, R, cant, outer, inner in ((30.0, 600.0, 0.10, 63623.7611, 46337.6971), (20.0, 300.0, 0.15, 58559.2684, 51468.7389)):
        text = bogie(1 / R, cant, V, mass, (total * height - 3000 * AXLE) / mass, [1e8, 1e8, 1e8, 1e8, 0, 1e8], is_radial=True)
        text = text.replace('wheel: "cone:0.1312", creep: linear', "wheel: s1002, creep: fastsim").replace('rail: "circle:0.3", inclination: 0.13, gauge_depth: 0.002, gauge: 1.512', "rail: uic60_mbench")
        history = History(run(arguments, folder, "loads", text))
        of = lambda name: 0.5 * (history.column(f"front.{name}")[-1] + history.column(f"rear.{name}")[-1])
        place = lambda side: sum(of(f"{side}_{i}_N") * of(f"{side}_{i}_y") for i in (1, 2)) / sum(of(f"{side}_{i}_N") for i in (1, 2))
        left, right, y = place("left"), place("right"), of("y")
        load, moment = outer + inner, 0.75 * (outer - inner)
        expected = (load * (left - y) + moment) / (left - right)
        for name, value in (("right_Q", expected), ("left_Q", load - expected)):
            assert abs(of(name) / value - 1) < 5e-3, (V, R, name, of(name), value, left, right, y)
        print(f"R = {R:.0f} m, {V:.0f} m/s: {of('right_Q'):.1f} and {of('left_Q'):.1f} N at {left:.4f} and {right:.4f} m, {1e3 * y:.2f} mm beside the middle; {expected:.1f} and {load - expected:.1f} there, {outer} and {inner} at 0.75 m")


def check_joints(arguments, folder):
    """Over the joints of a clothoid and of a vertical curve at 100 m/s: a step half as long sees half the change of acceleration, which a step of the track's curvature would not let it."""
    plan = "{length: 30}, {length: 20, curvature_to: 4e-4, cant_to: 0.02}, {length: 40, curvature: 4e-4, cant: 0.02}"
    gradients = "{length: 40}, {length: 50, gradient_to: 0.01}"
    largest = {}
    for blend in (1, 0.02):
        text = bogie(0, 0, 100.0, 17135, 1.0, [1e8, 1e7, 1e7, 1e7, 0, 1e7], plan=plan, gradients=gradients, blend=blend, s=20.0, damping=[0, 1e5, 1e5, 1e5, 0, 1e5])
        for step in (5e-4, 2.5e-4):
            dynamics = f"dynamics: {{duration: 0.35, step: {step}, rho_infinity: 0.8}}"
            history = History(run(arguments, folder, "joints", with_analyses(text, "statics: {}", dynamics)))
            columns = [history.column(f"{name}.{axis}") for name in ("a_box", "a_front") for axis in "yz"]
            largest[blend, step] = max(abs(b - a) for column in columns for a, b in zip(column, column[1:]))
    fine, coarse = largest[1, 2.5e-4], largest[1, 5e-4]
    assert fine < 0.6 * coarse and coarse < 0.5, largest
    # That the test sees steps: corners that a wheelset passes within a step.
    assert largest[0.02, 2.5e-4] > 0.9 * largest[0.02, 5e-4] > 20 * coarse, largest
    print(f"over joints at 100 m/s accelerations change by {coarse:.3f} m/s^2 in 0.5 ms and {fine:.3f} in half of that, with sharp corners by {largest[0.02, 5e-4]:.1f} and {largest[0.02, 2.5e-4]:.1f}")


def check_critical_speed_over_conicity(arguments, folder):
    """Page G04's critical speeds: no growth there, growth above. The locomotive, by page G07 critical at 41.4 m/s with a conicity of 0.10 and at 30.1 with 0.18, hunts at 33 m/s with the larger one alone."""
    model = folder / "linear.yaml"
    for conicity, V in ((0.05, 111.754378), (0.2, 54.496827)):
        model.write_text(LINEAR.replace("conicity: 0.1", f"conicity: {conicity}"))
        hunting = min(eigenvalues(arguments, model, folder / "linear", V), key=lambda value: abs(value - 2j * math.pi * 6.55078263))
        assert abs(hunting.real) < 1e-6 * abs(hunting) and abs(hunting.imag / (2 * math.pi) / 6.55078263 - 1) < 1e-6, (conicity, hunting)
    print("page G04: critical at 111.754378 and 54.496827 m/s with conicities of 0.05 and 0.2")
    growth = {}
    for wheel in ("s1002", "circle:1,0.05"):
        text = without_irregularities(LOCOMOTIVE).replace("wheel: s1002", f'wheel: "{wheel}"').replace("running_speed: =70/3.6", "running_speed: 33")
        growth[wheel] = max(real for _, real in modes(run(arguments, folder, "locomotive", with_analyses(text, "statics: {}", "modes: {count: 20}"))))
    assert growth["s1002"] > 0.1 and growth["circle:1,0.05"] < -0.1, growth
    print(f"the locomotive at 33 m/s: {growth['s1002']:.3f} 1/s with S1002 (conicity 0.18), {growth['circle:1,0.05']:.3f} with hollow wheels of 0.106")


MOVING_TRACK = """solidyn: 1
gravity: [0, 0, -9.81]
track: {plan: [{length: 60}], running_speed: 20}
bodies:
  wheelset: {type: rigid, mass: 1500, inertia: [900, 100, 900], pose: {position: [10, 0, 0.4598]}}
  sleeper: {type: rigid, mass: 500, inertia: [200, 50, 200], pose: {position: [10, 0, -0.2]}}
loads:
  axle_load: {type: force, at: wheelset, force: [0, 0, -100e3]}
forces:
  across: {type: bushing, between: [ground, wheelset], at: [10, 0, 0.4598], stiffness: [0, 1e6, 0, 0, 0, 1e6]}
  ballast: {type: bushing, between: [ground, sleeper], at: [10, 0, -0.2], stiffness: [1e9, 2e7, 1.5e7, 1e8, 1e9, 1e9]}
  wheels: {type: wheel_rail, at: wheelset, rails_on: sleeper, wheel: s1002, creep: linear, spin: rolling}
sensors:
  sleeper: {type: position, of: sleeper}
  wheels: {type: force, force: wheels}
analyses:
  - statics: {}
  - modes: {count: 12}
"""


def check_moving_track(arguments, folder):
    """A mass under the rails of a wheelset that runs sinks by what it carries, and both swing on its spring, the contact's 2e9 N/m above."""
    out = run(arguments, folder, "moving", MOVING_TRACK)
    history = History(out)
    carried = 1e5 + 1500 * G
    sinks = -0.2 - history.column("sleeper.z")[-1]
    Q = history.column("wheels.left_Q")[-1] + history.column("wheels.right_Q")[-1]
    assert abs(sinks / ((carried + 500 * G) / 1.5e7) - 1) < 1e-6 and abs(Q / carried - 1) < 1e-6, (sinks, Q)
    expected = math.sqrt(1.5e7 / 2000) / (2 * math.pi)
    found = min((f for f, _ in modes(out)), key=lambda f: abs(f - expected))
    assert -0.01 < found / expected - 1 < 0, (found, expected)
    print(f"moving track sinks by {1e3 * sinks:.4f} mm, swings at {found:.3f} Hz ({expected:.3f} without the contact's give)")


BELOW_20_HZ, ABOVE_20_HZ = [2, 4, 6, 8, 10, 12, 14, 15, 16, 17, 18, 19, 20], list(range(21, 101))
AHEAD = (45.5, 43.8, 42.1, 37.9, 36.2, 34.5)  # of the locomotive's axles, m
FLEXIBLE = (EXAMPLES / "railway" / "locomotive.yaml").read_text()


def response_of_p(arguments, folder, name, text, frequencies):
    """P's lateral acceleration over a lateral force on each of the six wheelsets, by (Hz, wheelset); and the frequencies of the modes that swing, Hz."""
    pushes = "".join(f"  push_{k}: {{type: force, at: wheelset_{k}, force: [0, 1e-3, 0]}}\n" for k in range(1, 7))
    inputs = ", ".join(f"push_{k}.force_y" for k in range(1, 7))
    text = without_irregularities(text).replace("../locomotive/", f"{EXAMPLES}/locomotive/").replace("sensors:\n", f"loads:\n{pushes}sensors:\n", 1)
    out = run(arguments, folder, name, with_analyses(text, "statics: {}", "modes: {count: 80}", f"frequency_response: {{inputs: [{inputs}], outputs: [P_acceleration_y], frequencies: {frequencies}}}"))

    def rows(file):
        with open(out / file) as lines:
            return [row for row in csv.reader(lines) if not row[0].startswith("#")]

    found = {(float(f), int(push[5])): complex(float(real), float(imaginary)) for _, f, push, _, real, imaginary, *_ in rows("frequency_response.csv")[1:]}
    head, *modes = rows("modes.csv")
    frequency, damping = head.index("frequency"), head.index("damping_ratio")
    return found, [float(row[frequency]) for row in modes if abs(float(row[damping])) < 0.5]


def axle_by_axle(found, f):
    return math.sqrt(sum(abs(found[f, k]) ** 2 for k in range(1, 7)))


def check_flexible_frames_below_20_hz(rigid, flexible):
    """Under a lateral force that passes from axle to axle with 70 km/h P moves as with rigid frames, but where the axles' shares cancel, at 17 Hz, and a small share counts for much: of each axle alone they agree there, too."""
    wave = lambda found, f: abs(sum(found[f, k] * cmath.exp(-2j * math.pi * f * (AHEAD[0] - AHEAD[k - 1]) / (70 / 3.6)) for k in range(1, 7)))
    decibel = lambda measure, f: 20 * math.log10(measure(flexible, f) / measure(rigid, f))
    for f in BELOW_20_HZ:
        assert abs(decibel(axle_by_axle, f)) < 0.6, (f, decibel(axle_by_axle, f))
        assert abs(decibel(wave, f)) < (3 if f == 17 else 1.3 if 16 <= f <= 18 else 1), (f, decibel(wave, f))
    cancelled = wave(rigid, 17) / axle_by_axle(rigid, 17)
    assert cancelled < 0.5 < wave(rigid, 12) / axle_by_axle(rigid, 12), cancelled
    print(f"rigid and flexible frames below 20 Hz: {max(abs(decibel(axle_by_axle, f)) for f in BELOW_20_HZ):.2f} dB axle by axle; at 17 Hz, where the axles cancel to {cancelled:.2f}, {decibel(wave, 17):.2f} dB")


def check_peaks_and_damage(modes_of_rigid, flexible, modes_of_flexible, damaged):
    """Above 20 Hz P has peaks at modes of the mounted frames only, which the rigid vehicle does not have; a cut in one frame shows above 35 Hz, and hardly below 25."""
    of_frames = [f for f in modes_of_flexible if all(abs(f - other) > 0.05 * f for other in modes_of_rigid)]
    values = [axle_by_axle(flexible, f) for f in ABOVE_20_HZ]
    peaks = [f for f, before, here, after in zip(ABOVE_20_HZ[1:], values, values[1:], values[2:]) if before < here > after]
    assert len(peaks) >= 3, peaks
    for peak in peaks:
        nearest = min(of_frames, key=lambda f: abs(f - peak))
        assert abs(nearest - peak) <= 0.5 + 0.02 * peak, (peak, nearest)
    apart = lambda first, last: max(abs(20 * math.log10(axle_by_axle(damaged, f) / axle_by_axle(flexible, f))) for f in BELOW_20_HZ + ABOVE_20_HZ if first <= f <= last)
    assert apart(0, 25) < 1.0 and apart(35, 100) > 3.0, (apart(0, 25), apart(35, 100))
    print(f"peaks of P above 20 Hz at {peaks} Hz, all modes of mounted frames; a cut changes P by {apart(0, 25):.2f} dB below 25 Hz and {apart(35, 100):.1f} dB above 35 Hz")


def check_flexible_frames(arguments, folder):
    whole = "frame_coarse.msh.gz"
    assert whole in FLEXIBLE
    rigid, modes_of_rigid = response_of_p(arguments, folder, "rigid", LOCOMOTIVE, BELOW_20_HZ)
    flexible, modes_of_flexible = response_of_p(arguments, folder, "flexible", FLEXIBLE, BELOW_20_HZ + ABOVE_20_HZ)
    damaged, _ = response_of_p(arguments, folder, "damaged", FLEXIBLE.replace(whole, "frame_coarse_cut.msh.gz", 1), BELOW_20_HZ + ABOVE_20_HZ)
    check_flexible_frames_below_20_hz(rigid, flexible)
    check_peaks_and_damage(modes_of_rigid, flexible, modes_of_flexible, damaged)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_steady_curving(arguments, folder)
        check_canted_loads(arguments, folder)
        check_joints(arguments, folder)
        check_critical_speed_over_conicity(arguments, folder)
        check_moving_track(arguments, folder)
        check_flexible_frames(arguments, folder)


if __name__ == "__main__":
    main()
