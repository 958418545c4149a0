// A body's surface and the shapes whose sum, weighted with the body's coordinates, is its deformation.
import { Arrays } from "./decode";
import { MeshEntry, ShapeEntry } from "./manifest";

export interface Shape {
  /** [components, V], component by component; the value is `scale` times the number. */
  data: Int16Array | Float32Array;
  scale: number;
  coordinate: number;
}

export interface Stress {
  components: string[];
  unit: string;
  shapes: Shape[];
  offset: Float32Array | null;
}

export interface Surface {
  count: number;
  /** [3, V] in the body's axes, m. */
  positions: Float32Array;
  triangles: Uint32Array;
  simple_triangles: Uint32Array | null;
  element_edges: Uint32Array | null;
  feature_edges: Uint32Array | null;
  /** Node numbers of the mesh file by vertex. */
  nodes: Int32Array | null;
  shapes: Shape[];
  /** What each coordinate adds to the velocities, m/s per unit. */
  velocity: Shape[];
  stress: Stress | null;
}

async function shapes_of(arrays: Arrays, entries: ShapeEntry[] | null | undefined): Promise<Shape[]> {
  return Promise.all((entries ?? []).map(async ({ array, coordinate }) => {
    const data = await arrays.stored(array);
    return data instanceof Int16Array || data instanceof Float32Array
      ? { data, scale: arrays.entry(array).scale ?? 1, coordinate }
      : { data: await arrays.values(array), scale: 1, coordinate };
  }));
}

const optional_indices = async (arrays: Arrays, index: number | null | undefined) =>
  index == null ? null : ((await arrays.stored(index)) as Uint32Array);

export async function decoded_surface(arrays: Arrays, mesh: MeshEntry): Promise<Surface> {
  const positions = await arrays.values(mesh.positions);
  const stress = mesh.stress;
  return {
    count: positions.length / 3,
    positions,
    triangles: (await arrays.stored(mesh.triangles)) as Uint32Array,
    simple_triangles: await optional_indices(arrays, mesh.simple?.triangles),
    element_edges: await optional_indices(arrays, mesh.element_edges),
    feature_edges: await optional_indices(arrays, mesh.feature_edges),
    nodes: mesh.nodes == null ? null : ((await arrays.stored(mesh.nodes)) as Int32Array),
    shapes: await shapes_of(arrays, mesh.shapes),
    velocity: await shapes_of(arrays, mesh.velocity?.shapes),
    stress: stress ? { components: stress.components, unit: stress.unit, shapes: await shapes_of(arrays, stress.shapes),
                       offset: stress.offset == null ? null : await arrays.values(stress.offset) } : null,
  };
}

function gathered_shape(shape: Shape, kept: Uint32Array, components: number): Shape {
  const all = shape.data.length / components, n = kept.length;
  const data = shape.data instanceof Int16Array ? new Int16Array(components * n) : new Float32Array(components * n);
  for (let c = 0; c < components; ++c)
    for (let i = 0; i < n; ++i) data[c * n + i] = shape.data[c * all + kept[i]];
  return { data, scale: shape.scale, coordinate: shape.coordinate };
}

function gathered_rows(values: Float32Array, kept: Uint32Array, components: number): Float32Array {
  return gathered_shape({ data: values, scale: 1, coordinate: 0 }, kept, components).data as Float32Array;
}

/** Pairs of vertices of which both are kept, in the new numbers. */
function kept_edges(edges: Uint32Array | null, numbers: Int32Array): Uint32Array | null {
  if (!edges) return null;
  const kept: number[] = [];
  for (let e = 0; e < edges.length; e += 2)
    if (numbers[edges[e]] >= 0 && numbers[edges[e + 1]] >= 0) kept.push(numbers[edges[e]], numbers[edges[e + 1]]);
  return Uint32Array.from(kept);
}

/** The surface of the simplified triangles alone (the surface itself where there are none), with the vertices they use. */
export function simplified(surface: Surface): Surface {
  if (!surface.simple_triangles) return surface;
  const numbers = new Int32Array(surface.count).fill(-1);
  let count = 0;
  const triangles = surface.simple_triangles.map((v) => (numbers[v] < 0 ? (numbers[v] = count++) : numbers[v]));
  const kept = new Uint32Array(count);
  numbers.forEach((number, vertex) => { if (number >= 0) kept[number] = vertex; });
  const { stress, nodes } = surface;
  return {
    count, triangles, simple_triangles: null,
    positions: gathered_rows(surface.positions, kept, 3),
    element_edges: null,
    feature_edges: kept_edges(surface.feature_edges, numbers),
    nodes: nodes && Int32Array.from(kept, (vertex) => nodes[vertex]),
    shapes: surface.shapes.map((shape) => gathered_shape(shape, kept, 3)),
    velocity: surface.velocity.map((shape) => gathered_shape(shape, kept, 3)),
    stress: stress && { ...stress, shapes: stress.shapes.map((shape) => gathered_shape(shape, kept, 6)),
                        offset: stress.offset && gathered_rows(stress.offset, kept, 6) },
  };
}
