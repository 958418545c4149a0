// The machine drawn without WebGL: the simplified surfaces through our z-buffer.
import { channels, palette_bytes } from "../colour/palette";
import { field_values, global_positions, has_field } from "../data/fields";
import { BodyState, Machine } from "../data/motion";
import { simplified, Surface } from "../data/surface";
import { FrameInput, Renderer } from "../scene/frame";
import { cleared, draw_line, draw_triangle, Image, Paint, Vertices } from "./raster";

/** As many pixels as a frame of 33 ms allows; larger pictures are drawn smaller and stretched. */
const kMostPixels = 960 * 540;
const kShades = 64;

const packed = (r: number, g: number, b: number): number => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
const packed_channels = (colour: number[]): number => packed(...(colour.map((c) => Math.round(255 * Math.max(0, Math.min(1, c)))) as [number, number, number]));

interface Drawn { surface: Surface; body: number; colour: string; x: Float32Array; screen: Vertices }

/** Colours of the palette at each of `kShades` brightnesses. */
function lit_palettes(): Uint32Array[] {
  const palette = palette_bytes();
  return Array.from({ length: kShades }, (_, shade) => {
    const light = 0.72 + (0.28 * shade) / (kShades - 1);
    return Uint32Array.from({ length: 256 }, (__, i) => packed(palette[4 * i] * light, palette[4 * i + 1] * light, palette[4 * i + 2] * light));
  });
}

function empty_vertices(n: number): Vertices {
  return { x: new Float32Array(n), y: new Float32Array(n), z: new Float32Array(n), value: new Float32Array(n), cut: null };
}

export class SoftwareView implements Renderer {
  readonly kind = "software";
  private readonly drawn: Drawn[];
  private readonly context: CanvasRenderingContext2D;
  private readonly palettes = lit_palettes();
  private image: Image = { width: 0, height: 0, pixels: new Uint32Array(0), depth: new Float32Array(0) };
  private data: ImageData | null = null;

  constructor(readonly canvas: HTMLCanvasElement, machine: Machine) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.drawn = machine.bodies.flatMap((body, index) => body.surfaces.map((full) => {
      const surface = simplified(full);
      return { surface, body: index, colour: body.colour, x: new Float32Array(3 * surface.count), screen: empty_vertices(surface.count) };
    }));
  }

  resize(width: number, height: number) {
    const ratio = Math.min(1, Math.sqrt(kMostPixels / Math.max(1, width * height)));
    const w = Math.max(1, Math.round(width * ratio)), h = Math.max(1, Math.round(height * ratio));
    this.canvas.width = w;
    this.canvas.height = h;
    this.data = this.context.createImageData(w, h);
    this.image = { width: w, height: h, pixels: new Uint32Array(this.data.data.buffer), depth: new Float32Array(w * h) };
  }

  /** It always draws the simplified surfaces. */
  set_coarse() {}

  draw(frame: FrameInput) {
    if (!this.data) return;
    cleared(this.image, packed_channels(frame.background));
    const shown = this.drawn.filter(({ body }) => !frame.hidden.has(body));
    for (const part of shown) this.project(part, frame, frame.states[part.body], frame.factor);
    const solid = shown.filter(({ body }) => !frame.transparent.has(body)), faded = shown.filter(({ body }) => frame.transparent.has(body));
    for (const part of solid) this.fill(part, frame, 1);
    for (const part of shown) this.outline(part, frame);
    for (const part of faded) this.fill(part, frame, 0.3);
    if (frame.ghost) for (const part of shown) this.draw_ghost(part, frame);
    this.context.putImageData(this.data, 0, 0);
  }

  dispose() {
    this.image = { width: 0, height: 0, pixels: new Uint32Array(0), depth: new Float32Array(0) };
  }

  /** Positions, pixel coordinates and quantity of all vertices. */
  private project({ surface, x, screen, body }: Drawn, frame: FrameInput, state: BodyState, factor: number) {
    global_positions(surface, state, factor, x);
    const n = surface.count, m = frame.camera.view_projection, { width, height } = this.image;
    for (let v = 0; v < n; ++v) {
      const X = x[v], Y = x[n + v], Z = x[2 * n + v];
      const w = m[3] * X + m[7] * Y + m[11] * Z + m[15];
      const inverse = w > 1e-9 ? 1 / w : NaN;
      screen.x[v] = (0.5 + 0.5 * (m[0] * X + m[4] * Y + m[8] * Z + m[12]) * inverse) * width;
      screen.y[v] = (0.5 - 0.5 * (m[1] * X + m[5] * Y + m[9] * Z + m[13]) * inverse) * height;
      screen.z[v] = (m[2] * X + m[6] * Y + m[10] * Z + m[14]) * inverse;
    }
    const section = frame.section;
    screen.cut = section ? Float32Array.from({ length: n }, (_, v) =>
      section.normal[0] * x[v] + section.normal[1] * x[n + v] + section.normal[2] * x[2 * n + v] - section.offset) : null;
    if (!has_field(surface, frame.field)) return;
    const values = field_values(surface, frame.field, state, frame.starts[body]);
    const [low, high] = frame.range, scale = 1 / Math.max(1e-30, high - low);
    for (let v = 0; v < n; ++v) screen.value[v] = (values[v] - low) * scale;
  }

  private fill({ surface, x, screen, colour }: Drawn, frame: FrameInput, alpha: number) {
    const { triangles, count: n } = surface, base = channels(colour);
    const coloured = has_field(surface, frame.field);
    const { eye, forward, projection } = frame.camera, perspective = projection[15] === 0;
    const paint: Paint = { colour: 0, table: null, alpha, inside: packed_channels(base.map((c) => 0.45 * c + 0.275)) };
    for (let f = 0; f < triangles.length; f += 3) {
      const i = triangles[f], j = triangles[f + 1], k = triangles[f + 2];
      const ax = x[j] - x[i], ay = x[n + j] - x[n + i], az = x[2 * n + j] - x[2 * n + i];
      const bx = x[k] - x[i], by = x[n + k] - x[n + i], bz = x[2 * n + k] - x[2 * n + i];
      const nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
      const ex = perspective ? eye[0] - x[i] : -forward[0], ey = perspective ? eye[1] - x[n + i] : -forward[1], ez = perspective ? eye[2] - x[2 * n + i] : -forward[2];
      const head = Math.abs(nx * ex + ny * ey + nz * ez) / (Math.sqrt((nx * nx + ny * ny + nz * nz) * (ex * ex + ey * ey + ez * ez)) + 1e-30);
      if (coloured) {
        paint.table = this.palettes[Math.round(head * (kShades - 1))];
      } else {
        const light = 255 * (0.42 + 0.58 * head);
        paint.colour = packed(Math.min(255, base[0] * light), Math.min(255, base[1] * light), Math.min(255, base[2] * light));
      }
      draw_triangle(this.image, screen, i, j, k, paint);
    }
  }

  private outline({ surface, screen, colour }: Drawn, frame: FrameInput) {
    const sticks = surface.triangles.length === 0;
    const edges = surface.feature_edges;
    if (!edges || (frame.edges === "none" && !sticks)) return;
    const ink = sticks ? packed_channels(channels(colour)) : packed(13, 15, 20);
    for (let e = 0; e < edges.length; e += 2) draw_line(this.image, screen, edges[e], edges[e + 1], ink, sticks ? 1 : 0.55, frame.camera.line_bias);
  }

  private draw_ghost(part: Drawn, frame: FrameInput) {
    if (part.surface.shapes.length === 0) return;
    this.project(part, { ...frame, field: { ...frame.field, kind: "none" } }, frame.states[part.body], 0);
    const paint: Paint = { colour: packed_channels(frame.ink), table: null, alpha: 0.18, inside: packed_channels(frame.ink) };
    const { triangles } = part.surface;
    for (let f = 0; f < triangles.length; f += 3) draw_triangle(this.image, part.screen, triangles[f], triangles[f + 1], triangles[f + 2], paint);
  }
}
