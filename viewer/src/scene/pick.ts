// Which vertex is under the pointer: a ray against the triangles as they are now.
import { global_positions } from "../data/fields";
import { Picked } from "../ui/view_state";
import { FrameInput } from "./frame";
import { Vec3 } from "../maths/vectors";

export interface Ray { origin: Vec3; direction: Vec3 }

interface Hit { distance: number; triangle: number; weights: Vec3 }

/** The nearest triangle that the ray meets on the visible side of the section. */
function nearest_hit(x: Float32Array, n: number, triangles: Uint32Array, { origin, direction }: Ray, section: FrameInput["section"]): Hit | null {
  let best: Hit | null = null;
  const [dx, dy, dz] = direction;
  for (let f = 0; f < triangles.length; f += 3) {
    const i = triangles[f], j = triangles[f + 1], k = triangles[f + 2];
    const ax = x[j] - x[i], ay = x[n + j] - x[n + i], az = x[2 * n + j] - x[2 * n + i];
    const bx = x[k] - x[i], by = x[n + k] - x[n + i], bz = x[2 * n + k] - x[2 * n + i];
    const px = dy * bz - dz * by, py = dz * bx - dx * bz, pz = dx * by - dy * bx;
    const determinant = ax * px + ay * py + az * pz;
    if (Math.abs(determinant) < 1e-300) continue;
    const tx = origin[0] - x[i], ty = origin[1] - x[n + i], tz = origin[2] - x[2 * n + i];
    const u = (tx * px + ty * py + tz * pz) / determinant;
    if (u < 0 || u > 1) continue;
    const qx = ty * az - tz * ay, qy = tz * ax - tx * az, qz = tx * ay - ty * ax;
    const w = (dx * qx + dy * qy + dz * qz) / determinant;
    if (w < 0 || u + w > 1) continue;
    const distance = (bx * qx + by * qy + bz * qz) / determinant;
    if (distance <= 0 || (best && distance >= best.distance)) continue;
    if (section) {
      const height = section.normal.reduce((sum, c, axis) => sum + c * (origin[axis] + distance * direction[axis]), 0);
      if (height > section.offset) continue;
    }
    best = { distance, triangle: f, weights: [1 - u - w, u, w] };
  }
  return best;
}

/** The vertex nearest to where the ray first meets a visible body, or null. */
export function picked_vertex(frame: FrameInput, ray: Ray): Picked | null {
  let best: (Picked & { distance: number }) | null = null;
  frame.machine.bodies.forEach((body, b) => {
    if (frame.hidden.has(b)) return;
    body.surfaces.forEach((surface, s) => {
      const x = global_positions(surface, frame.states[b], frame.factor);
      const hit = nearest_hit(x, surface.count, surface.triangles, ray, frame.section);
      if (!hit || (best && hit.distance >= best.distance)) return;
      const corner = hit.weights.indexOf(Math.max(...hit.weights));
      best = { body: b, surface: s, vertex: surface.triangles[hit.triangle + corner], distance: hit.distance };
    });
  });
  return best;
}
