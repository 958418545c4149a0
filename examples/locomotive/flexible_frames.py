#!/usr/bin/env python3
"""Puts flexible bogie frames into a model of the locomotive that examples/rail_vehicles/vehicles.py wrote with rigid ones.

    examples/locomotive/flexible_frames.py RIGID.yaml MODEL.yaml [--mesh examples/locomotive/meshes/frame_coarse.msh.gz]

What stood on the body frame_1 stands on its interfaces: springs on their seats, guides on the horns of the axle, rubber and
motors on theirs. Both frames are one mesh, the rear one turned by half a turn, so that one reduction serves both.
"""
import argparse
import os
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
OPPOSITE = {"left": "right", "right": "left", "front": "rear", "rear": "front"}
SEATS = ([f"spring_{n}_{side}_{end}" for n in (1, 2, 3) for side in ("left", "right") for end in ("front", "rear")] +
         [f"guide_{n}_{side}" for n in (1, 2, 3) for side in ("left", "right")] +
         [f"rubber_{side}_{end}" for side in ("left", "right") for end in ("front", "rear")] + [f"motor_{n}" for n in (1, 2, 3)])
STEEL = """materials:
  # steel of 7850 kg/m^3, and brake gear, pipes and sand boxes spread over it, for the 5200 kg of the frame as it runs
  frame_steel: {youngs_modulus: 2.07e11, poissons_ratio: 0.3, density: 10716}
"""
FRAME = """  {name}:
    type: modal
    mesh: {mesh}
    material: frame_steel
    modes: {{free_free: 30, static_correction: none}}
    damping: {{modal_ratio: 0.01}}
    pose: {{position: {position}{rotation}}}
    interfaces:
"""


def seat(frame, name):
    """Where on the mesh the force or joint `name` acts: axles and ends of the rear frame count from the other end."""
    turned = frame == "frame_2"
    kind, *rest = name.split("_")
    words = [OPPOSITE.get(word, word) if turned else word for word in rest if word in OPPOSITE]
    if kind == "rubber":  # rubber_1_front_left
        return "_".join(["rubber", *sorted(words, key=("left", "right", "front", "rear").index)])
    n = int(rest[0]) - (3 if turned else 0)
    return "_".join([{"seat": "motor"}.get(kind, kind), str(n), *words])


def with_seats(line):
    """The line of a force, joint or sensor, with an interface in place of a frame; empty where there is none."""
    name = line.strip().partition(":")[0]
    if kind := re.search(r"between: \[[^]]*\b(frame_[12])\b", line):
        place = f"{kind[1]}.{seat(kind[1], name)}"
        return re.sub(r"\bframe_[12]\b(?=[,\]])", place, line)
    if re.search(r"\bof: frame_1\.P\b", line):
        return line.replace("frame_1.P", "frame_1.spring_1_right_front")
    return "" if re.search(r"\bof: frame_[12]\b", line) else line  # of a frame as a whole: it has no one place


def flexible(rigid, mesh):
    """The text of the model."""
    lines = []
    for line in rigid.splitlines(keepends=True):
        if body := re.match(r"  (frame_[12]): \{type: rigid.*?pose: \{position: (\[[^]]*\])", line):
            rotation = ", rotation: {axis: [0, 0, 1], angle: =pi}" if body[1] == "frame_2" else ""
            lines.append(FRAME.format(name=body[1], mesh=mesh, position=body[2], rotation=rotation))
            lines += [f"      {name}: {{nodes: {{in_set: {name}}}}}\n" for name in SEATS]
        elif line.startswith("bodies:"):
            lines += [STEEL, line]
        else:
            lines.append(with_seats(line))
    text = "".join(lines)
    text = text.replace("All bodies are rigid.", "Its bogie frames bend, all else is rigid.")
    return re.sub(r"^# Written by \S+,", "# Written by examples/locomotive/flexible_frames.py from what vehicles.py wrote,", text, flags=re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rigid", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--mesh", type=pathlib.Path, default=FOLDER / "meshes" / "frame_coarse.msh.gz")
    arguments = parser.parse_args()
    mesh = os.path.relpath(arguments.mesh.resolve(), arguments.model.resolve().parent)
    arguments.model.write_text(flexible(arguments.rigid.read_text(), mesh))


if __name__ == "__main__":
    main()
