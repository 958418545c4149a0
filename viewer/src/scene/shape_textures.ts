// Shapes as integer textures: texel (vertex, shape) of a 2D array, as many layers as the largest texture's height demands.
import { DataArrayTexture, RGBAIntegerFormat, ShortType } from "three";
import { Shape } from "../data/surface";

export interface ShapeTexture {
  texture: DataArrayTexture;
  /** Width, rows of a shape, shapes of a layer. */
  layout: [number, number, number];
  /** What one unit of the stored number is, by shape. */
  scales: number[];
}

const kWidth = 2048;

/** The numbers as 16-bit integers: as they are stored, or rounded to 1/32767 of the largest. */
function integers(shape: Shape): { data: Int16Array; scale: number } {
  if (shape.data instanceof Int16Array) return { data: shape.data, scale: shape.scale };
  const largest = shape.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return { data: Int16Array.from(shape.data, (value) => Math.round((value / largest) * 32767)), scale: (shape.scale * largest) / 32767 };
}

/** @param components 3 (one texel a vertex) or 6 (two). */
export function texture_of_shapes(shapes: Shape[], components: number, n_vertices: number, largest_height: number): ShapeTexture {
  const texels = Math.ceil(components / 4);
  const rows = Math.max(1, Math.ceil((n_vertices * texels) / kWidth));
  const per_layer = Math.max(1, Math.min(shapes.length, Math.floor(Math.min(largest_height, 4096) / rows)));
  const layers = Math.max(1, Math.ceil(shapes.length / per_layer));
  const values = new Int16Array(4 * kWidth * rows * per_layer * layers);
  const scales = shapes.map((shape, k) => {
    const { data, scale } = integers(shape);
    const begin = 4 * kWidth * rows * k;
    for (let c = 0; c < components; ++c)
      for (let v = 0; v < n_vertices; ++v) values[begin + 4 * texels * v + c] = data[c * n_vertices + v];
    return scale;
  });
  const texture = new DataArrayTexture(values, kWidth, rows * per_layer, layers);
  texture.format = RGBAIntegerFormat;
  texture.type = ShortType;
  texture.internalFormat = "RGBA16I";
  texture.needsUpdate = true;
  if (shapes.length) texture.onUpdate = () => { texture.image.data = null; };      // the graphics memory has it now
  return { texture, layout: [kWidth, rows, per_layer], scales };
}
