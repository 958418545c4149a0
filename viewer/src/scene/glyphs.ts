// Symbols of joints as polylines in the axes of frame A, whose z is the joint's axis; about one unit large.
import { Vec3 } from "../maths/vectors";

export interface Glyph {
  lines: Vec3[][];
  /** The joint's axis is drawn through it. */
  axis: boolean;
}

function circle(radius: number, z: number, from = 0, to = 2 * Math.PI): Vec3[] {
  return Array.from({ length: 25 }, (_, i) => {
    const angle = from + ((to - from) * i) / 24;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });
}

/** A circle in the plane of z and the direction `across` (0: x, 1: y). */
function standing_circle(radius: number, across: 0 | 1): Vec3[] {
  return circle(radius, 0).map(([a, b]): Vec3 => (across === 0 ? [a, 0, b] : [0, a, b]));
}

const square = (half: number, z: number): Vec3[] => [[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z], [-half, -half, z]];
const along_z = (length: number): Vec3[] => [[0, 0, -length], [0, 0, length]];
const tube = (radius: number, half: number): Vec3[][] =>
  [circle(radius, -half), circle(radius, half), ...[0, 1, 2, 3].map((i): Vec3[] => {
    const c = radius * Math.cos((i * Math.PI) / 2), s = radius * Math.sin((i * Math.PI) / 2);
    return [[c, s, -half], [c, s, half]];
  })];
const channel = (half: number, length: number): Vec3[][] =>
  [square(half, -length), square(half, length), ...[[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]): Vec3[] => [[a * half, b * half, -length], [a * half, b * half, length]])];
const ball = [circle(0.6, 0), standing_circle(0.6, 0), standing_circle(0.6, 1)];
const plane: Vec3[][] = [square(1.1, 0), [[-1.1, 0, 0], [1.1, 0, 0]], [[0, -1.1, 0], [0, 1.1, 0]]];
const cross_of_arms: Vec3[][] = [[[-0.8, 0, 0], [0.8, 0, 0]], [[0, -0.8, 0], [0, 0.8, 0]], circle(0.8, 0)];
const cube: Vec3[][] = channel(0.45, 0.45);
const helix: Vec3[] = Array.from({ length: 61 }, (_, i) => {
  const angle = (6 * Math.PI * i) / 60;
  return [0.5 * Math.cos(angle), 0.5 * Math.sin(angle), -1 + i / 30];
});

const kGlyphs: Record<string, Glyph> = {
  fixed: { lines: cube, axis: false },
  spherical: { lines: ball, axis: false },
  revolute: { lines: tube(0.55, 0.6), axis: true },
  cylindrical: { lines: [...tube(0.55, 1), along_z(1.8)], axis: true },
  prismatic: { lines: [...channel(0.45, 1), along_z(1.8)], axis: true },
  planar: { lines: plane, axis: true },
  universal: { lines: cross_of_arms, axis: true },
  constant_velocity: { lines: [...cross_of_arms, standing_circle(0.8, 0)], axis: true },
  screw: { lines: [helix], axis: true },
  point_on_line: { lines: [along_z(2), circle(0.35, 0)], axis: false },
  in_line: { lines: [along_z(2), circle(0.35, 0)], axis: false },
  point_on_plane: { lines: [...plane, circle(0.35, 0)], axis: false },
  in_plane: { lines: [...plane, circle(0.35, 0)], axis: false },
  point_on_curve: { lines: [circle(0.35, 0), standing_circle(0.35, 0)], axis: false },
  parallel: { lines: [[[-0.3, 0, -1], [-0.3, 0, 1]], [[0.3, 0, -1], [0.3, 0, 1]]], axis: false },
  parallel_axes: { lines: [[[-0.3, 0, -1], [-0.3, 0, 1]], [[0.3, 0, -1], [0.3, 0, 1]]], axis: false },
  perpendicular: { lines: [along_z(1), [[0, 0, 0], [1, 0, 0]]], axis: false },
  perpendicular_axes: { lines: [along_z(1), [[0, 0, 0], [1, 0, 0]]], axis: false },
  orientation: { lines: [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]], along_z(1)], axis: false },
  distance: { lines: [circle(0.35, 0)], axis: false },
  rolling: { lines: [circle(1, 0), along_z(0.5)], axis: true },
};

/** A kind that is not in the list is a ball: its place shows, its freedom is in the table. */
export const glyph_of = (type: string): Glyph => kGlyphs[type] ?? { lines: ball, axis: false };

/** The turning arrow of a drive, about z. */
export const kDriveGlyph: Vec3[][] = (() => {
  const arc = circle(1.15, 0, 0.3, 1.75 * Math.PI), tip = arc[arc.length - 1];
  return [arc, [[tip[0] - 0.38, tip[1] - 0.06, 0], tip, [tip[0] - 0.1, tip[1] - 0.42, 0]]];
})();
