// Vectors, quaternions (w, x, y, z; body to global) and 4 x 4 matrices (column by column, as WebGL has them).
export type Vec3 = [number, number, number];
export type Quaternion = [number, number, number, number];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (s: number, a: Vec3): Vec3 => [s * a[0], s * a[1], s * a[2]];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Vec3, b: Vec3): Vec3 =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export function unit(a: Vec3): Vec3 {
  const length = norm(a);
  return length > 0 ? times(1 / length, a) : [0, 0, 1];
}

/** Rotation matrix of a quaternion, row by row. */
export function rotation(w: number, x: number, y: number, z: number): number[] {
  return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
          2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
}

export const rotated = (r: ArrayLike<number>, a: Vec3): Vec3 =>
  [r[0] * a[0] + r[1] * a[1] + r[2] * a[2], r[3] * a[0] + r[4] * a[1] + r[5] * a[2], r[6] * a[0] + r[7] * a[1] + r[8] * a[2]];

/** The shortest rotation from a to b, a part s of the way. */
export function slerp(a: Quaternion, b: Quaternion, s: number): Quaternion {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  let from = 1 - s, to = s;
  if (cosine < 0.9995) {
    const angle = Math.acos(Math.min(1, cosine));
    from = Math.sin((1 - s) * angle) / Math.sin(angle);
    to = Math.sin(s * angle) / Math.sin(angle);
  }
  const q: Quaternion = [0, 1, 2, 3].map((i) => from * a[i] + sign * to * b[i]) as Quaternion;
  const length = Math.hypot(...q) || 1;
  return q.map((v) => v / length) as Quaternion;
}

export function product(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const c = new Float64Array(16);
  for (let column = 0; column < 4; ++column)
    for (let row = 0; row < 4; ++row)
      for (let k = 0; k < 4; ++k) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return c;
}

/** Homogeneous coordinates of the image of a point. */
export function transformed(m: ArrayLike<number>, p: ArrayLike<number>): [number, number, number, number] {
  const [x, y, z] = [p[0], p[1], p[2]];
  return [m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13],
          m[2] * x + m[6] * y + m[10] * z + m[14], m[3] * x + m[7] * y + m[11] * z + m[15]];
}
