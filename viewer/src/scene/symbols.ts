// Symbols with names over the picture: joints, drives, springs, dampers, contacts, supports, loads.
import { add, cross, norm, rotated, subtract, times, unit, Vec3 } from "../maths/vectors";
import { Marker } from "../data/motion";
import { glyph_of, kDriveGlyph } from "./glyphs";
import { Pen } from "./pen";
import { Stage } from "./stage";

export interface Label { text: string; at: Vec3; kind: string }

export interface SymbolColours { joint: string; drive: string; spring: string; contact: string; support: string; load: string }

/** Pixels of a symbol's unit. */
const kUnit = 11;

const kSliding = new Set(["prismatic", "cylindrical", "screw", "planar", "point_on_line", "in_line", "point_on_plane", "in_plane", "point_on_curve"]);

function draw_joint(pen: Pen, stage: Stage, index: number, colours: SymbolColours): Label | null {
  const joint = stage.machine.joints[index];
  if (joint.frames.length === 0) return null;
  const first = stage.frame_pose(joint.frames[0]), second = joint.frames[1] ? stage.frame_pose(joint.frames[1]) : first;
  // What slides is drawn where it is, in the axes that it slides along.
  const p = kSliding.has(joint.type) ? second.p : first.p, r = first.r;
  const size = pen.length(kUnit, p), colour = joint.driven ? colours.drive : colours.joint;
  const placed = (points: Vec3[]) => points.map((point) => add(p, times(size, rotated(r, point))));
  const glyph = glyph_of(joint.type);
  for (const line of glyph.lines) pen.line(placed(line), colour);
  if (glyph.axis) pen.line(placed([[0, 0, -2.2], [0, 0, 2.2]]), colour, 1, [6, 3, 1.5, 3]);
  if (joint.driven) for (const line of kDriveGlyph) pen.line(placed(line), colour, 1.8);
  if (norm(subtract(second.p, p)) > 2 * size) pen.line([p, second.p], colour, joint.type === "distance" ? 1.6 : 1, joint.type === "distance" ? [] : [4, 3]);
  return { text: joint.name, at: p, kind: "joint" };
}

/** A zigzag (spring) or a piston in a pot (damper) between two points, of a width that stays on the screen. */
function between(pen: Pen, a: Vec3, b: Vec3, kind: "spring" | "damper", colour: string) {
  const along = subtract(b, a), length = norm(along);
  if (length === 0) return pen.dot(a, 3, colour);
  const side = times(pen.length(6, a), unit(cross(along, pen.matrices.forward)));
  const at = (s: number, offset: number): Vec3 => add(add(a, times(s, along)), times(offset, side));
  if (kind === "spring") {
    const turns = 8, points: Vec3[] = [a, at(0.15, 0)];
    for (let i = 0; i < turns; ++i) points.push(at(0.15 + (0.7 * (i + 0.5)) / turns, i % 2 ? -1 : 1));
    return pen.line([...points, at(0.85, 0), b], colour);
  }
  pen.line([a, at(0.35, 0)], colour);
  pen.line([at(0.65, 1), at(0.35, 1), at(0.35, -1), at(0.65, -1)], colour);
  pen.line([at(0.5, 0.7), at(0.5, -0.7)], colour, 2.5);
  pen.line([at(0.5, 0), b], colour);
}

/** The largest length that vectors of one unit have over the run: arrows of one unit are to one scale. */
const kLargest = new WeakMap<Stage, Map<string, number>>();

function largest_vector(stage: Stage, unit_: string): number {
  let by_unit = kLargest.get(stage);
  if (!by_unit) kLargest.set(stage, (by_unit = new Map()));
  let largest = by_unit.get(unit_);
  if (largest === undefined) {
    largest = 0;
    const n = stage.machine.times.length;
    for (const { vector, unit } of stage.machine.markers)
      if (vector && unit === unit_)
        for (let i = 0; i < n; ++i) {
          const size = Math.hypot(vector[i], vector[n + i], vector[2 * n + i]);
          if (size > largest) largest = size;
        }
    by_unit.set(unit_, largest);
  }
  return largest;
}

function draw_marker(pen: Pen, stage: Stage, marker: Marker, colours: SymbolColours): Label {
  const points = Array.from({ length: marker.n_points }, (_, i) => [0, 1, 2].map((c) => stage.row(marker.points, 3 * i + c)) as Vec3);
  const [a, b] = points;
  const colour = colours[marker.kind === "damper" ? "spring" : marker.kind];
  if ((marker.kind === "spring" || marker.kind === "damper") && b) between(pen, a, b, marker.kind, colour);
  else if (marker.kind === "support") {
    for (const point of points) {
      const s = pen.length(7, point), { right, upward } = pen.camera.axes();
      pen.line([point, add(point, add(times(-s, right), times(-1.6 * s, upward))), add(point, add(times(s, right), times(-1.6 * s, upward))), point], colour);
    }
  } else if (marker.kind === "contact") for (const point of points) pen.dot(point, 3, colour);
  else if (marker.kind !== "load") pen.dot(a, 4, "transparent", colour);
  if (marker.vector) {
    const vector = [0, 1, 2].map((row) => stage.row(marker.vector!, row)) as Vec3;
    const largest = largest_vector(stage, marker.unit);
    if (largest > 0) {
      const arrow = times((0.18 * stage.machine.size) / largest, vector);
      // A force acts at the last point. A load pushes there: its arrow ends at it; others begin at it.
      const acts_at = points[points.length - 1];
      if (marker.kind === "load") pen.arrow(subtract(acts_at, arrow), acts_at, colour);
      else pen.arrow(acts_at, add(acts_at, arrow), colour);
    }
  }
  return { text: marker.name, at: b && marker.kind !== "load" ? times(0.5, add(a, b)) : b ?? a, kind: marker.kind };
}

/** Draws all symbols and returns their names' places. */
export function draw_symbols(pen: Pen, stage: Stage, colours: SymbolColours): Label[] {
  const labels: Label[] = [];
  stage.machine.joints.forEach((_, index) => {
    const label = draw_joint(pen, stage, index, colours);
    if (label) labels.push(label);
  });
  for (const marker of stage.machine.markers) if (marker.n_points > 0) labels.push(draw_marker(pen, stage, marker, colours));
  return labels;
}

/** The directions of the axes in the lower left corner. */
export function draw_axes(pen: Pen, colours: string[], ink: string) {
  const c = pen.context, { right, upward } = pen.camera.axes();
  const x = 38, y = pen.matrices.height - 38, length = 24;
  c.font = "600 11px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "middle";
  ["x", "y", "z"].forEach((name, axis) => {
    const px = x + length * right[axis], py = y - length * upward[axis];
    c.strokeStyle = colours[axis];
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(px, py);
    c.stroke();
    c.fillStyle = ink;
    c.fillText(name, x + (length + 9) * right[axis], y - (length + 9) * upward[axis]);
  });
}

/** A bar of a round length at the depth of the target. */
export function draw_scale(pen: Pen, round: number, text: string, ink: string) {
  const c = pen.context, pixels = round / pen.length(1, pen.camera.target);
  const x = 84, y = pen.matrices.height - 20;
  c.strokeStyle = c.fillStyle = ink;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(x, y - 4); c.lineTo(x, y); c.lineTo(x + pixels, y); c.lineTo(x + pixels, y - 4);
  c.stroke();
  c.font = "11px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "bottom";
  c.fillText(text, x + pixels / 2, y - 3);
}
