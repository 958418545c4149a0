// The camera: it turns about a target like a turntable, and both renderers, picking and labels use its matrices.
import { add, cross, dot, product, subtract, times, transformed, unit, Vec3 } from "../maths/vectors";

export interface CameraMatrices {
  view: Float64Array;
  projection: Float64Array;
  view_projection: Float64Array;
  eye: Vec3;
  /** Direction of view. */
  forward: Vec3;
  /** How much nearer lines are drawn than the surface that they lie on, in depth after division. */
  line_bias: number;
  width: number;
  height: number;
}

const kFieldOfView = (30 * Math.PI) / 180;

export class OrbitCamera {
  target: Vec3 = [0, 0, 0];
  distance = 1;
  /** Angle about `up`, and above the plane normal to it, rad. */
  azimuth = -Math.PI / 3;
  elevation = 0.42;
  perspective = true;
  /** How far enlarged deformations reach beyond the machine, m. */
  beyond = 0;
  private readonly sideways: Vec3;
  private readonly ahead: Vec3;

  /** @param centre, size of the machine over all time: nothing is nearer or farther than the ball around it (enlarged twice). */
  constructor(readonly up: Vec3, public size: number, private readonly centre: Vec3) {
    this.target = centre;
    const other: Vec3 = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    this.ahead = unit(cross(up, cross(other, up)));
    this.sideways = cross(up, this.ahead);
  }

  /** Right, up and backward directions of the picture. */
  axes(): { right: Vec3; upward: Vec3; backward: Vec3 } {
    const c = Math.cos(this.elevation), s = Math.sin(this.elevation);
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth);
    const horizontal = add(times(ca, this.ahead), times(sa, this.sideways));
    const backward = add(times(c, horizontal), times(s, this.up));
    const right = add(times(-sa, this.ahead), times(ca, this.sideways));
    return { right, upward: cross(backward, right), backward };
  }

  /** Half the height of what is seen at the target. */
  half_height(): number {
    return this.distance * Math.tan(kFieldOfView / 2);
  }

  matrices(width: number, height: number): CameraMatrices {
    const { right, upward, backward } = this.axes();
    const eye = add(this.target, times(this.distance, backward));
    const view = new Float64Array([right[0], upward[0], backward[0], 0, right[1], upward[1], backward[1], 0, right[2], upward[2], backward[2], 0,
                                   -dot(right, eye), -dot(upward, eye), -dot(backward, eye), 1]);
    const aspect = width / Math.max(1, height);
    const middle = dot(backward, subtract(eye, this.centre));
    const reach = this.size + this.beyond;
    const near = this.perspective ? Math.max(this.distance / 100, middle - reach) : middle - reach;
    const far = Math.max(near + this.size / 10, middle + reach);
    const shift = 0.004 * this.half_height();
    const line_bias = (2 * shift / (far - near)) * (this.perspective ? (near * far) / this.distance ** 2 : 1);
    const projection = new Float64Array(16);
    if (this.perspective) {
      const f = 1 / Math.tan(kFieldOfView / 2);
      projection.set([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]);
    } else {
      const h = this.half_height();
      projection.set([1 / (h * aspect), 0, 0, 0, 0, 1 / h, 0, 0, 0, 0, -2 / (far - near), 0, 0, 0, -(far + near) / (far - near), 1]);
    }
    return { view, projection, view_projection: product(projection, view), eye, forward: times(-1, backward), line_bias, width, height };
  }

  orbit(dx: number, dy: number) {
    this.azimuth -= dx;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + dy));
  }

  /** Moves what is seen by a part of the picture's height. */
  pan(dx: number, dy: number) {
    const { right, upward } = this.axes();
    const scale = 2 * this.half_height();
    this.target = add(this.target, add(times(-dx * scale, right), times(dy * scale, upward)));
  }

  /** Comes nearer (factor < 1), towards the point that is at (x, y) in units of half the picture's height from its middle. */
  zoom(factor: number, x = 0, y = 0) {
    const { right, upward } = this.axes();
    const before = this.half_height();
    this.distance = Math.max(this.size * 1e-4, Math.min(this.size * 50, this.distance * factor));
    const moved = before - this.half_height();
    this.target = add(this.target, add(times(x * moved, right), times(y * moved, upward)));
  }

  look_along(azimuth: number, elevation: number) {
    this.azimuth = azimuth;
    this.elevation = elevation;
  }

  /** The same text at the same place. */
  place(): string {
    return [this.azimuth, this.elevation, this.distance, ...this.target].join(" ");
  }

  /** Shows all points, with a margin. */
  fit(points: Vec3[], width: number, height: number) {
    if (points.length === 0) return;
    const { right, upward, backward } = this.axes();
    const aspect = width / Math.max(1, height);
    const limits = [right, upward, backward].map((axis) => {
      let low = Infinity, high = -Infinity;
      for (const p of points) { const s = dot(axis, p); low = Math.min(low, s); high = Math.max(high, s); }
      return [low, high];
    });
    const middle = limits.map(([low, high]) => (low + high) / 2);
    this.target = add(add(times(middle[0], right), times(middle[1], upward)), times(middle[2], backward));
    let distance = this.size * 1e-3;
    const tangent = Math.tan(kFieldOfView / 2) / 1.12;
    for (const p of points) {
      const d = subtract(p, this.target);
      const depth = this.perspective ? dot(backward, d) : 0;
      distance = Math.max(distance, depth + Math.abs(dot(upward, d)) / tangent, depth + Math.abs(dot(right, d)) / (tangent * aspect));
    }
    this.distance = distance;
  }
}

export interface Pixel { x: number; y: number; depth: number }

/** Where a point is in the picture, px from its upper left corner; null behind the eye. */
export function projected(m: CameraMatrices, p: ArrayLike<number>): Pixel | null {
  const [x, y, z, w] = transformed(m.view_projection, p);
  if (w <= 1e-9) return null;
  return { x: (0.5 + 0.5 * (x / w)) * m.width, y: (0.5 - 0.5 * (y / w)) * m.height, depth: z / w };
}

/** The line of sight through a pixel. */
export function line_of_sight(camera: OrbitCamera, m: CameraMatrices, x: number, y: number): { origin: Vec3; direction: Vec3 } {
  const { right, upward, backward } = camera.axes();
  const h = camera.half_height(), aspect = m.width / m.height;
  const offset = add(times((2 * x / m.width - 1) * h * aspect, right), times((1 - 2 * y / m.height) * h, upward));
  if (camera.perspective) return { origin: m.eye, direction: unit(subtract(add(camera.target, offset), m.eye)) };
  return { origin: add(add(camera.target, offset), times(4 * camera.size + camera.distance, backward)), direction: times(-1, backward) };
}

/** Length that a pixel has at a point, m. */
export function length_of_pixel(camera: OrbitCamera, m: CameraMatrices, p: Vec3): number {
  const at_target = (2 * camera.half_height()) / m.height;
  return camera.perspective ? (at_target * Math.max(1e-9, dot(m.forward, subtract(p, m.eye)))) / camera.distance : at_target;
}
