// Positions of vertices and the quantities that colour them, summed on the processor.
import { BodyState } from "./motion";
import { Shape, Surface } from "./surface";

/** Sums weights[shape.coordinate] * shape into `sum` [components, V]. */
function add_shapes(shapes: Shape[], weights: Float32Array, factor: number, sum: Float32Array) {
  for (const shape of shapes) {
    const weight = factor * shape.scale * weights[shape.coordinate];
    if (weight === 0) continue;
    const data = shape.data;
    for (let i = 0; i < sum.length; ++i) sum[i] += weight * data[i];
  }
}

/** Displacements in the body's axes [3, V], enlarged by `factor`. */
export function displacements(surface: Surface, coordinates: Float32Array, factor = 1): Float32Array {
  const u = new Float32Array(3 * surface.count);
  add_shapes(surface.shapes, coordinates, factor, u);
  return u;
}

/** Global positions x + R (X + factor * u) into `out` [3, V]. */
export function global_positions(surface: Surface, state: BodyState, factor: number, out?: Float32Array): Float32Array {
  const n = surface.count;
  const x = out ?? new Float32Array(3 * n);
  x.set(surface.positions);
  add_shapes(surface.shapes, state.coordinates, factor, x);
  const [a, b, c, d, e, f, g, h, i] = state.r;
  const [px, py, pz] = state.p;
  for (let v = 0; v < n; ++v) {
    const X = x[v], Y = x[n + v], Z = x[2 * n + v];
    x[v] = px + a * X + b * Y + c * Z;
    x[n + v] = py + d * X + e * Y + f * Z;
    x[2 * n + v] = pz + g * X + h * Y + i * Z;
  }
  return x;
}

export type FieldKind = "none" | "deformation" | "displacement" | "velocity" | "mises" | "stress";

/** What colours the bodies; `component` is the row of the stress. */
export interface Field { kind: FieldKind; component: number; label: string; unit: string }

const norms = (values: Float32Array, n: number): Float32Array => {
  const result = new Float32Array(n);
  for (let v = 0; v < n; ++v) result[v] = Math.hypot(values[v], values[n + v], values[2 * n + v]);
  return result;
};

function velocities(surface: Surface, state: BodyState): Float32Array {
  const n = surface.count;
  const b = surface.positions.slice();
  add_shapes(surface.shapes, state.coordinates, 1, b);
  const du = displacements(surface, state.rates);
  add_shapes(surface.velocity, state.coordinates, 1, du);
  const r = state.r, [wx, wy, wz] = state.omega, [vx, vy, vz] = state.velocity;
  for (let v = 0; v < n; ++v) {
    const turn = (values: Float32Array, row: number) =>
      r[3 * row] * values[v] + r[3 * row + 1] * values[n + v] + r[3 * row + 2] * values[2 * n + v];
    const x = turn(b, 0), y = turn(b, 1), z = turn(b, 2);
    const dx = turn(du, 0), dy = turn(du, 1), dz = turn(du, 2);
    du[v] = vx + wy * z - wz * y + dx;
    du[n + v] = vy + wz * x - wx * z + dy;
    du[2 * n + v] = vz + wx * y - wy * x + dz;
  }
  return du;
}

/** Stress components [6, V] in the body's axes: xx, yy, zz, yz, zx, xy. */
export function stresses(surface: Surface, coordinates: Float32Array): Float32Array {
  const stress = surface.stress;
  if (!stress) return new Float32Array(6 * surface.count);
  const s = stress.offset ? stress.offset.slice() : new Float32Array(6 * surface.count);
  add_shapes(stress.shapes, coordinates, 1, s);
  return s;
}

function von_mises(s: Float32Array, n: number): Float32Array {
  const result = new Float32Array(n);
  for (let v = 0; v < n; ++v) {
    const xx = s[v], yy = s[n + v], zz = s[2 * n + v], yz = s[3 * n + v], zx = s[4 * n + v], xy = s[5 * n + v];
    result[v] = Math.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (yz * yz + zx * zx + xy * xy));
  }
  return result;
}

/** Whether a surface has the quantity at all: rigid bodies have no deformation, and stress only where it was pictured. */
export function has_field(surface: Surface, field: Field): boolean {
  if (field.kind === "none") return false;
  return field.kind === "mises" || field.kind === "stress" ? surface.stress !== null : true;
}

/** The quantity at each vertex; `start` is the state that displacement counts from (Clock.start). */
export function field_values(surface: Surface, field: Field, state: BodyState, start: BodyState): Float32Array {
  const n = surface.count;
  switch (field.kind) {
    case "deformation": return norms(displacements(surface, state.coordinates), n);
    case "displacement": {
      const now = global_positions(surface, state, 1), then = global_positions(surface, start, 1);
      for (let i = 0; i < now.length; ++i) now[i] -= then[i];
      return norms(now, n);
    }
    case "velocity": return norms(velocities(surface, state), n);
    case "mises": return von_mises(stresses(surface, state.coordinates), n);
    case "stress": return stresses(surface, state.coordinates).slice(field.component * n, (field.component + 1) * n);
    default: return new Float32Array(n);
  }
}
