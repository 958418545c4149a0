// Symbols with names over the picture: joints, drives, springs, dampers, contacts, supports, loads.
import { add, cross, norm, rotated, subtract, times, unit, Vec3 } from "../maths/vectors";
import { Marker } from "../data/motion";
import { glyph_of, kDriveGlyph } from "./glyphs";
import { Pen } from "./pen";
import { Stage } from "./stage";

export interface Label { text: string; at: Vec3; kind: string }

export interface SymbolColours { joint: string; drive: string; spring: string; contact: string; support: string; load: string; reaction: string }
const kFamilies: Record<Marker["kind"], keyof SymbolColours> = { spring: "spring", damper: "spring", bushing: "spring", force: "spring", contact: "contact", load: "load", support: "support",
                                                               reaction: "reaction", drive: "drive" };

/** The longest arrow, parts of the machine's size. */
const kLongest = 0.18;
/** Pixels of a symbol's unit. */
const kUnit = 11;

/** Beyond so many joints each is a dot: glyphs would hide the machine and take longer than it. */
const kMostGlyphs = 400;

const kSliding = new Set(["prismatic", "cylindrical", "screw", "planar", "point_on_line", "in_line", "point_on_plane", "in_plane", "point_on_curve"]);

function draw_joint(pen: Pen, stage: Stage, index: number, colours: SymbolColours): Label | null {
  const joint = stage.machine.joints[index];
  if (joint.frames.length === 0) return null;
  const first = stage.frame_pose(joint.frames[0]), second = joint.frames[1] ? stage.frame_pose(joint.frames[1]) : first;
  // What slides is drawn where it is, in the axes that it slides along.
  const p = kSliding.has(joint.type) ? second.p : first.p, r = first.r;
  const size = pen.length(kUnit, p), colour = joint.driven ? colours.drive : colours.joint;
  const placed = (points: Vec3[]) => points.map((point) => add(p, times(size, rotated(r, point))));
  if (stage.machine.joints.length > kMostGlyphs) { pen.dot(p, 2, colour); return { text: joint.name, at: p, kind: "joint" }; }
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

export function largest_vector(stage: Stage, unit_: string): number {
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

/** Whether a family of symbols is there, and which unit its arrows have. */
export function families_of(stage: Stage): Map<keyof SymbolColours, Set<string>> {
  const { joints, markers } = stage.machine, families = new Map<keyof SymbolColours, Set<string>>();
  const include = (family: keyof SymbolColours, unit_: string | null) => {
    const units = families.get(family) ?? new Set<string>();
    if (unit_) units.add(unit_);
    families.set(family, units);
  };
  for (const joint of joints) include(joint.driven ? "drive" : "joint", null);
  for (const { kind, vector, unit: unit_ } of markers) include(kFamilies[kind] ?? "spring", vector ? unit_ : null);
  return families;
}

function draw_place(pen: Pen, kind: Marker["kind"], points: Vec3[], colour: string) {
  const [a, b] = points;
  if (kind === "support") {
    for (const point of points) {
      const s = pen.length(7, point), { right, upward } = pen.camera.axes();
      pen.line([point, add(point, add(times(-s, right), times(-1.6 * s, upward))), add(point, add(times(s, right), times(-1.6 * s, upward))), point], colour);
    }
  } else if (b && kind === "force") pen.line(points, colour, 1, [3, 3]);
  else if (b && kind === "damper") between(pen, a, b, "damper", colour);
  else if (b && (kind === "spring" || kind === "bushing")) between(pen, a, b, "spring", colour);
  else if (kind === "contact") for (const point of points) pen.dot(point, 3, colour);
  else if (kind !== "load" && kind !== "reaction") pen.dot(a, 4, "transparent", colour);
}

/** A force acts at the last point. A load pushes there: its arrow ends at it; others begin at it. Torques have two heads. */
function draw_vector(pen: Pen, stage: Stage, { kind, unit: unit_ }: Marker, vector: Vec3, acts_at: Vec3, colour: string) {
  const largest = largest_vector(stage, unit_);
  if (!(largest > 0)) return;
  const arrow = times((kLongest * stage.machine.size) / largest, vector);
  const from = kind === "load" ? subtract(acts_at, arrow) : acts_at, to = kind === "load" ? acts_at : add(acts_at, arrow);
  pen.arrow(from, to, colour);
  if (unit_ === "N m") pen.arrow(from, add(from, times(0.85, arrow)), colour);
}

function draw_marker(pen: Pen, stage: Stage, marker: Marker, colours: SymbolColours): Label | null {
  const points = Array.from({ length: marker.n_points }, (_, i) => [0, 1, 2].map((c) => stage.row(marker.points, 3 * i + c)) as Vec3);
  const [a, b] = points, colour = colours[kFamilies[marker.kind] ?? "spring"];
  const vector = marker.vector && ([0, 1, 2].map((row) => stage.row(marker.vector!, row)) as Vec3);
  if (marker.kind === "contact" && vector && norm(vector) === 0) return null;      // open
  draw_place(pen, marker.kind, points, colour);
  if (vector) draw_vector(pen, stage, marker, vector, points[points.length - 1], colour);
  return { text: marker.name, at: b && marker.kind !== "support" ? times(0.5, add(a, b)) : a, kind: kFamilies[marker.kind] ?? "spring" };
}

/** Draws the symbols of the families that are not hidden, and returns their names' places. */
export function draw_symbols(pen: Pen, stage: Stage, colours: SymbolColours, hidden: ReadonlySet<string>): Label[] {
  const labels: (Label | null)[] = stage.machine.joints.map((joint, index) => (hidden.has(joint.driven ? "drive" : "joint") ? null : draw_joint(pen, stage, index, colours)));
  for (const marker of stage.machine.markers)
    if (marker.n_points > 0 && !hidden.has(kFamilies[marker.kind] ?? "spring")) labels.push(draw_marker(pen, stage, marker, colours));
  // A reaction has the name of its joint, which stands there already.
  const joints = new Set(labels.slice(0, stage.machine.joints.length).map((label) => label?.text));
  return labels.filter((label): label is Label => label !== null && !(label.kind === "reaction" && joints.has(label.text)));
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
