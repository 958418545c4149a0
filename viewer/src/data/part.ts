// One vertex taken out of a surface, so that its curve over all pictures costs little.
import { Surface, Shape } from "./surface";

function picked(shape: Shape, vertex: number, components: number): Shape {
  const n = shape.data.length / components;
  const data = new Float32Array(components);
  for (let c = 0; c < components; ++c) data[c] = shape.data[c * n + vertex];
  return { data, scale: shape.scale, coordinate: shape.coordinate };
}

/** The vertex of a surface that is nearest to the mean of all, alone: where a body's name stands. */
export function middle_of(surface: Surface): Surface {
  const { count: n, positions: x } = surface, mean = [0, 0, 0];
  for (let c = 0; c < 3; ++c) for (let v = 0; v < n; ++v) mean[c] += x[c * n + v] / n;
  const distance = (v: number) => Math.hypot(x[v] - mean[0], x[n + v] - mean[1], x[2 * n + v] - mean[2]);
  let best = 0;
  for (let v = 1; v < n; ++v) if (distance(v) < distance(best)) best = v;
  return vertex_of(surface, best);
}

/** A surface of the given vertex alone. */
export function vertex_of(surface: Surface, vertex: number): Surface {
  const n = surface.count, stress = surface.stress;
  const row = (values: Float32Array, components: number) => picked({ data: values, scale: 1, coordinate: 0 }, vertex, components).data as Float32Array;
  return {
    count: 1, positions: row(surface.positions, 3), triangles: new Uint32Array(0), simple_triangles: null, element_edges: null, feature_edges: null,
    nodes: surface.nodes && Int32Array.of(surface.nodes[vertex % n]),
    shapes: surface.shapes.map((shape) => picked(shape, vertex, 3)),
    velocity: surface.velocity.map((shape) => picked(shape, vertex, 3)),
    stress: stress && { ...stress, shapes: stress.shapes.map((shape) => picked(shape, vertex, 6)), offset: stress.offset && row(stress.offset, 6) },
  };
}
