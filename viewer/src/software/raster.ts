// A z-buffer in plain JavaScript: triangles and lines into an image of 32-bit pixels.

/** Corners of what is drawn: pixel coordinates, depth (0 near to 1 far), the quantity (0 to 1), distance from the section. */
export interface Vertices {
  x: Float32Array;
  y: Float32Array;
  /** Depth after division, -1 to 1; NaN behind the eye. */
  z: Float32Array;
  value: Float32Array;
  cut: Float32Array | null;
}

export interface Image {
  width: number;
  height: number;
  pixels: Uint32Array;
  depth: Float32Array;
}

export function cleared(image: Image, colour: number) {
  image.pixels.fill(colour);
  image.depth.fill(2);
}

const blend = (below: number, above: number, alpha: number): number => {
  const beta = 1 - alpha;
  return (0xff000000 | ((((below >>> 16) & 255) * beta + ((above >>> 16) & 255) * alpha) << 16) |
          ((((below >>> 8) & 255) * beta + ((above >>> 8) & 255) * alpha) << 8) | ((below & 255) * beta + (above & 255) * alpha)) >>> 0;
};

/** How a triangle is coloured: one colour, or by its vertices' quantity from a table of 256 colours already lit. */
export interface Paint {
  colour: number;
  table: Uint32Array | null;
  alpha: number;
  /** Colour of a triangle's back where the section opens the body. */
  inside: number;
}

/** Draws the triangle of vertices i, j, k. A pixel is inside if its centre is; edges are stepped through linearly. */
export function draw_triangle(image: Image, v: Vertices, i: number, j: number, k: number, paint: Paint) {
  const { width, height, pixels, depth } = image;
  const x0 = v.x[i], y0 = v.y[i], x1 = v.x[j], y1 = v.y[j], x2 = v.x[k], y2 = v.y[k];
  const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  if (!(Math.abs(area) > 1e-9)) return;
  const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5)), bottom = Math.min(height - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
  if (top > bottom) return;
  const s = 1 / area;
  // Depth, quantity and distance from the section are linear in x and y.
  const z0 = v.z[i], dz1 = v.z[j] - z0, dz2 = v.z[k] - z0;
  const zx = (dz1 * (y2 - y0) - dz2 * (y1 - y0)) * s, zy = (dz2 * (x1 - x0) - dz1 * (x2 - x0)) * s;
  const c0 = v.value[i], dc1 = v.value[j] - c0, dc2 = v.value[k] - c0;
  const cx = (dc1 * (y2 - y0) - dc2 * (y1 - y0)) * s, cy = (dc2 * (x1 - x0) - dc1 * (x2 - x0)) * s;
  const cut = v.cut;
  const k0 = cut ? cut[i] : 0, dk1 = cut ? cut[j] - k0 : 0, dk2 = cut ? cut[k] - k0 : 0;
  const kx = (dk1 * (y2 - y0) - dk2 * (y1 - y0)) * s, ky = (dk2 * (x1 - x0) - dk1 * (x2 - x0)) * s;
  const { table, alpha } = paint;
  const colour = cut && area > 0 ? paint.inside : paint.colour;
  const from_table = table !== null && colour === paint.colour;
  for (let y = top; y <= bottom; ++y) {
    const py = y + 0.5;
    let left = Infinity, right = -Infinity;
    if ((y0 <= py) !== (y1 <= py)) { const x = x0 + ((py - y0) / (y1 - y0)) * (x1 - x0); if (x < left) left = x; if (x > right) right = x; }
    if ((y1 <= py) !== (y2 <= py)) { const x = x1 + ((py - y1) / (y2 - y1)) * (x2 - x1); if (x < left) left = x; if (x > right) right = x; }
    if ((y2 <= py) !== (y0 <= py)) { const x = x2 + ((py - y2) / (y0 - y2)) * (x0 - x2); if (x < left) left = x; if (x > right) right = x; }
    const begin = Math.max(0, Math.ceil(left - 0.5)), end = Math.min(width - 1, Math.ceil(right - 0.5) - 1);
    const dx = begin + 0.5 - x0, dy = py - y0;
    let z = z0 + zx * dx + zy * dy, c = c0 + cx * dx + cy * dy, d = k0 + kx * dx + ky * dy;
    for (let at = y * width + begin, last = y * width + end; at <= last; ++at, z += zx, c += cx, d += kx) {
      if (z >= depth[at] || d > 0) continue;
      let paint_ = colour;
      if (from_table) paint_ = table![c <= 0 ? 0 : c >= 1 ? 255 : (c * 255 + 0.5) | 0];
      if (alpha < 1) pixels[at] = blend(pixels[at], paint_, alpha);
      else { pixels[at] = paint_; depth[at] = z; }
    }
  }
}

/** Draws a line of one pixel's width where it is not hidden; `bias` brings it in front of its own surface. */
export function draw_line(image: Image, v: Vertices, i: number, j: number, colour: number, alpha: number, bias: number) {
  const { width, height, pixels, depth } = image;
  const dx = v.x[j] - v.x[i], dy = v.y[j] - v.y[i], dz = v.z[j] - v.z[i];
  const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)));
  if (!(steps <= 4 * (width + height))) return;
  const cut_i = v.cut ? v.cut[i] : 0, cut_j = v.cut ? v.cut[j] : 0;
  for (let n = 0; n <= steps; ++n) {
    const s = steps ? n / steps : 0;
    const x = Math.floor(v.x[i] + s * dx), y = Math.floor(v.y[i] + s * dy);
    if (x < 0 || y < 0 || x >= width || y >= height || cut_i + s * (cut_j - cut_i) > 0) continue;
    const at = y * width + x;
    if (v.z[i] + s * dz - bias < depth[at]) pixels[at] = blend(pixels[at], colour, alpha);
  }
}
