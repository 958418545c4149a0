// Surfaces of bodies that have no mesh: boxes, cylinders, spheres, capsules, and the sticks to their frames.
import { PrimitiveEntry } from "./manifest";
import { Surface } from "./surface";
import { rotated, rotation, Vec3 } from "../maths/vectors";

const kAround = 32;

interface Draft { points: Vec3[]; triangles: number[]; edges: number[] }

function surface_of(draft: Draft): Surface {
  const n = draft.points.length;
  const positions = new Float32Array(3 * n);
  draft.points.forEach((p, i) => p.forEach((value, c) => { positions[c * n + i] = value; }));
  return { count: n, positions, triangles: Uint32Array.from(draft.triangles), simple_triangles: null, element_edges: null,
           feature_edges: Uint32Array.from(draft.edges), nodes: null, shapes: [], velocity: [], stress: null };
}

/** A box of full edge lengths a, b, c about the origin. */
function box(a: number, b: number, c: number): Draft {
  const points: Vec3[] = [];
  for (let i = 0; i < 8; ++i) points.push([(i & 1 ? a : -a) / 2, (i & 2 ? b : -b) / 2, (i & 4 ? c : -c) / 2]);
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return { points, triangles: quads.flatMap(([i, j, k, l]) => [i, j, k, i, k, l]),
           edges: [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7] };
}

/** A surface of revolution about z: a polygon of (radius, z) from bottom to top; `sharp` rings are drawn as edges. */
function revolved(profile: [number, number][], sharp: number[]): Draft {
  const draft: Draft = { points: [], triangles: [], edges: [] };
  for (const [radius, z] of profile)
    for (let i = 0; i < kAround; ++i) {
      const angle = (2 * Math.PI * i) / kAround;
      draft.points.push([radius * Math.cos(angle), radius * Math.sin(angle), z]);
    }
  for (let ring = 0; ring + 1 < profile.length; ++ring)
    for (let i = 0; i < kAround; ++i) {
      const j = (i + 1) % kAround, low = ring * kAround, high = low + kAround;
      if (profile[ring][0] > 0) draft.triangles.push(low + i, low + j, high + j);
      if (profile[ring + 1][0] > 0) draft.triangles.push(low + i, high + j, high + i);
    }
  for (const ring of sharp)
    for (let i = 0; i < kAround; ++i) draft.edges.push(ring * kAround + i, ring * kAround + ((i + 1) % kAround));
  return draft;
}

/** Half a circle of points from pole to pole, drawn apart by `length` at the equator. */
function rounded(radius: number, length: number): [number, number][] {
  const profile: [number, number][] = [];
  for (let i = 0; i <= 16; ++i) {
    const angle = -Math.PI / 2 + (Math.PI * i) / 16;
    const z = radius * Math.sin(angle);
    if (i === 8 && length > 0) profile.push([radius, -length / 2], [radius, length / 2]);
    else profile.push([i === 0 || i === 16 ? 0 : radius * Math.cos(angle), z + (i < 8 ? -length / 2 : i > 8 ? length / 2 : 0)]);
  }
  return profile;
}

/** Sizes: box: edge lengths; cylinder and capsule: radius, length of the straight part along z; sphere: radius. */
export function surface_of_primitive(primitive: PrimitiveEntry): Surface {
  const [a, b, c] = primitive.size;
  const draft = primitive.shape === "box" ? box(a, b, c)
    : primitive.shape === "cylinder" ? revolved([[0, -b / 2], [a, -b / 2], [a, b / 2], [0, b / 2]], [1, 2])
    : primitive.shape === "sphere" ? revolved(rounded(a, 0), [])
    : revolved(rounded(a, b), []);
  const [w, x, y, z] = primitive.quaternion;
  const turn = rotation(w, x, y, z);
  draft.points = draft.points.map((p) => {
    const q = rotated(turn, p);
    return [0, 1, 2].map((i) => q[i] + primitive.position[i]) as Vec3;
  });
  return surface_of(draft);
}

/** Sticks, each from one point to another, in the body's axes. */
export function surface_of_lines(lines: number[][]): Surface {
  const draft: Draft = { points: [], triangles: [], edges: [] };
  for (const [x, y, z, u, v, w] of lines) {
    draft.edges.push(draft.points.length, draft.points.length + 1);
    draft.points.push([x, y, z], [u, v, w]);
  }
  return surface_of(draft);
}
