#!/usr/bin/python3
"""Meshes the bogie frame of the locomotive with gmsh: two side frames and four cross members, welded boxes of plates, with the
brackets of three axles and the seats of springs, rubber and motors.

    examples/locomotive/frame_mesh.py out/frame.msh                  about 45,000 tet10
    examples/locomotive/frame_mesh.py out/frame.msh --size 0.28      the coarse one of this folder
    examples/locomotive/frame_mesh.py out/frame.msh --cut            with a cut through 40 % of a cross beam's section
    examples/locomotive/frame_mesh.py out/frame.msh --set cross_height=0.3

Needs gmsh with its Python module (Debian: python3-gmsh). Measures and coordinates in m: x forward, y left, z up; the mesh has its
origin at the frame's mass centre as drawn, 0.62 above the rails, from which this script counts z.
A name of a face set ends in the side and the end at which it is: the seat under the front right primary spring, point P, is
spring_1_right_front. All sets are listed in `seats`.
"""
import argparse
import dataclasses
import gzip
import pathlib
import tempfile

import gmsh

AXLES = {1: 1.70, 2: 0.0, 3: -1.70}
SIDES = {"left": 1, "right": -1}
ENDS = {"front": 1, "rear": -1}
MOTOR_MEMBERS = {1: "front_beam", 2: "rear_beam", 3: "rear_end"}  # the motor hangs on the front of this one


@dataclasses.dataclass
class Frame:
    """What the frame measures, m. Side frames are arched over the axle boxes; plates have one thickness for each kind of member."""
    length: float = 4.80
    side_y: float = 0.80            # the middle of a side frame, where the springs stand
    side_width: float = 0.27
    side_top: float = 0.8255
    side_bottom: float = 0.48       # between the axles
    arch_top: float = 0.65
    arch_half_length: float = 0.48
    side_plate: float = 0.028
    cross_x: float = 0.85
    cross_width: float = 0.36       # along x
    cross_bottom: float = 0.50
    cross_height: float = 0.22
    cross_plate: float = 0.02
    end_width: float = 0.14
    end_height: float = 0.20
    end_plate: float = 0.02
    spring_x: float = 0.28          # from the axle
    spring_seat_z: float = 0.62
    rubber_y: float = 0.60
    rubber_seat_z: float = 0.80
    guide_z: float = 0.457
    horn_thickness: float = 0.08
    motor_bracket: float = 0.03     # along x, over the whole height of the member
    motor_y: float = 0.25           # where members have ribs inside, too, as thick as their plates
    origin_z: float = 0.62          # above the rails
    cut_width: float = 0.01
    cut_part: float = 0.4           # of the area of the cross beam's section

    @property
    def inner_y(self):
        return self.side_y - self.side_width / 2

    def profile(self, inset):
        """The outline of a side frame in x and z, its edges moved inwards by `inset`."""
        top, low, arch, end = self.side_top - inset, self.side_bottom + inset, self.arch_top + inset, self.length / 2 - inset
        points = [(-end, top), (-end, low)]
        for x in sorted(AXLES.values()):
            from_x, to_x = x - self.arch_half_length - inset, x + self.arch_half_length + inset
            points += [(from_x, low), (from_x, arch), (to_x, arch), (to_x, low)]
        return points + [(end, low), (end, top)]

    def members(self):
        """Middle in x, width, bottom, height and plate of what crosses from side to side."""
        end = (self.end_width, self.side_bottom, self.end_height, self.end_plate)
        beam = (self.cross_width, self.cross_bottom, self.cross_height, self.cross_plate)
        x = (self.length - self.end_width) / 2
        return {"front_end": (x, *end), "front_beam": (self.cross_x, *beam), "rear_beam": (-self.cross_x, *beam), "rear_end": (-x, *end)}

    def cut_height(self):
        """How far up from the bottom flange the cut goes: flange and both webs to that height are `cut_part` of the section."""
        width, height, plate = self.cross_width, self.cross_height, self.cross_plate
        section = width * height - (width - 2 * plate) * (height - 2 * plate)
        return plate + (self.cut_part * section - width * plate) / (2 * plate)


def box(x, y, z):
    """Each of x, y, z is from and to."""
    return (3, gmsh.model.occ.addBox(x[0], y[0], z[0], x[1] - x[0], y[1] - y[0], z[1] - z[0]))


def about(middle, size):
    return middle - size / 2, middle + size / 2


def prism(outline, y):
    """The outline in x and z, from y[0] to y[1]."""
    occ = gmsh.model.occ
    points = [occ.addPoint(x, y[0], z) for x, z in outline]
    lines = [occ.addLine(a, b) for a, b in zip(points, points[1:] + points[:1])]
    face = occ.addPlaneSurface([occ.addCurveLoop(lines)])
    return next(entity for entity in occ.extrude([(2, face)], 0, y[1] - y[0], 0) if entity[0] == 3)


def seats(frame):
    """Blocks (from and to in x, y, z) on the plates, by name, and the one face of each that belongs to the set of that name:
    an axis, and 0 for the block's low and 1 for its high face."""
    found = []
    for side, sign in SIDES.items():
        y, seat = about(sign * frame.side_y, frame.side_width), about(sign * frame.side_y, 0.16)
        for n, axle in AXLES.items():
            for end, forward in ENDS.items():
                found.append((f"spring_{n}_{side}_{end}", [about(axle + forward * frame.spring_x, 0.16), seat, (frame.spring_seat_z, frame.arch_top)], 2, 0))
                face = axle + forward * (frame.arch_half_length - frame.horn_thickness)
                wall = axle + forward * frame.arch_half_length
                found.append((f"guide_{n}_{side}", [tuple(sorted((face, wall))), y,
                                                    about(frame.guide_z, 2 * (frame.arch_top - frame.guide_z))], 0, 1 if forward < 0 else 0))
        for end, forward in ENDS.items():
            found.append((f"rubber_{side}_{end}", [about(forward * frame.cross_x, 0.2), about(sign * frame.rubber_y, 0.10),
                                                   (frame.cross_bottom + frame.cross_height, frame.rubber_seat_z)], 2, 1))
    members = frame.members()
    for n, name in MOTOR_MEMBERS.items():
        x, width, bottom, height, _ = members[name]
        for sign in SIDES.values():
            found.append((f"motor_{n}", [(x + width / 2, x + width / 2 + frame.motor_bracket), about(sign * frame.motor_y, 0.24), (bottom, bottom + height)], 0, 1))
    return found


def build(frame, cut):
    """The solid, and its face sets by name."""
    outer, hollow, y = [], [], frame.inner_y
    for sign in SIDES.values():
        width = about(sign * frame.side_y, frame.side_width)
        outer.append(prism(frame.profile(0.0), width))
        hollow.append(prism(frame.profile(frame.side_plate), about(sign * frame.side_y, frame.side_width - 2 * frame.side_plate)))
    for x, wide, bottom, height, plate in frame.members().values():
        outer.append(box(about(x, wide), (-y, y), (bottom, bottom + height)))
        ribs = [about(sign * frame.motor_y, plate) for sign in (-1, 1)]
        for low, high in ((-y, ribs[0][0]), (ribs[0][1], ribs[1][0]), (ribs[1][1], y)):
            hollow.append(box(about(x, wide - 2 * plate), (low, high), (bottom + plate, bottom + height - plate)))
    if cut:  # point Q: the front cross beam, just before the inner web of the right side frame
        hollow.append(box(about(frame.cross_x, frame.cross_width + 0.02), (-y, -y + frame.cut_width),
                          (frame.cross_bottom - 0.01, frame.cross_bottom + frame.cut_height())))
    blocks = seats(frame)
    outer += [box(*bounds) for _, bounds, _, _ in blocks]
    occ = gmsh.model.occ
    solid, _ = occ.fuse(outer[:1], outer[1:])
    solid, _ = occ.cut(solid, hollow)
    occ.translate(solid, 0, 0, -frame.origin_z)
    occ.synchronize()
    if len(solid) != 1:
        raise SystemExit(f"error: these measures make {len(solid)} separate solids, and a frame is one")
    sets = {}
    for name, bounds, axis, high in blocks:
        low_high = [list(b) for b in bounds]
        low_high[axis] = [bounds[axis][high]] * 2
        low_high[2] = [z - frame.origin_z for z in low_high[2]]
        eps = 1e-4
        faces = gmsh.model.getEntitiesInBoundingBox(*(b[0] - eps for b in low_high), *(b[1] + eps for b in low_high), dim=2)
        if not faces:
            raise SystemExit(f"error: with these measures there is no face for {name}")
        sets.setdefault(name, []).extend(tag for _, tag in faces)
    return solid[0], sets


def mesh(frame, size, cut, path):
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    solid, sets = build(frame, cut)
    gmsh.model.addPhysicalGroup(3, [solid[1]], 1)
    gmsh.model.setPhysicalName(3, 1, "frame")
    for number, (name, faces) in enumerate(sorted(sets.items()), 1):
        gmsh.model.addPhysicalGroup(2, faces, number)
        gmsh.model.setPhysicalName(2, number, name)
    for option, value in {"Mesh.MeshSizeMax": size, "Mesh.MeshSizeMin": 0.2 * size, "Mesh.ElementOrder": 2, "Mesh.Optimize": 1,
                          "Mesh.MshFileVersion": 4.1, "Mesh.Binary": 1, "Mesh.RandomSeed": 1}.items():
        gmsh.option.setNumber(option, value)
    gmsh.model.mesh.generate(3)
    if path.suffix == ".gz":
        with tempfile.TemporaryDirectory() as folder:
            plain = pathlib.Path(folder) / "frame.msh"
            gmsh.write(str(plain))
            path.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    else:
        gmsh.write(str(path))
    nodes, elements = len(gmsh.model.mesh.getNodes()[0]), sum(map(len, gmsh.model.mesh.getElements(3)[1]))
    volume = gmsh.model.occ.getMass(*solid)
    gmsh.finalize()
    return nodes, elements, volume


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mesh", type=pathlib.Path)
    parser.add_argument("--size", type=float, default=0.056, help="of the elements, m")
    parser.add_argument("--cut", action="store_true", help="the damaged frame")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a measure of the frame, m")
    return parser.parse_args()


def main():
    arguments = parsed_arguments()
    names = [field.name for field in dataclasses.fields(Frame)]
    changes = {}
    for change in arguments.set:
        name, _, value = change.partition("=")
        if name not in names:
            raise SystemExit(f"error: the frame has no measure {name}; it has {', '.join(names)}")
        changes[name] = float(value)
    arguments.mesh.parent.mkdir(parents=True, exist_ok=True)
    nodes, elements, volume = mesh(Frame(**changes), arguments.size, arguments.cut, arguments.mesh)
    print(f"{arguments.mesh}: {nodes} nodes, {elements} tet10, {volume:.6f} m^3")


if __name__ == "__main__":
    main()
