// Corners of triangles for smooth shading: a vertex at a sharp edge becomes several, each with its own normal.
export interface Corners {
  index: Uint32Array;
  /** Vertex of the surface by corner. */
  source: Int32Array;
  normals: Float32Array;
}

const kCosineOfCrease = Math.cos((35 * Math.PI) / 180);
/** Above this many triangles facets are so small that flat shading does, and opening stays quick. */
export const kMostSmooth = 300_000;

/** Normals of triangles, times twice their area. */
function face_normals(positions: Float32Array, n: number, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let f = 0; f < triangles.length; f += 3) {
    const [i, j, k] = [triangles[f], triangles[f + 1], triangles[f + 2]];
    const ax = positions[j] - positions[i], ay = positions[n + j] - positions[n + i], az = positions[2 * n + j] - positions[2 * n + i];
    const bx = positions[k] - positions[i], by = positions[n + k] - positions[n + i], bz = positions[2 * n + k] - positions[2 * n + i];
    normals[f] = ay * bz - az * by;
    normals[f + 1] = az * bx - ax * bz;
    normals[f + 2] = ax * by - ay * bx;
  }
  return normals;
}

/** First corner number of each vertex's list of (triangle, corner), and the lists one after the other. */
function corners_by_vertex(n: number, triangles: Uint32Array): { first: Uint32Array; corners: Uint32Array } {
  const first = new Uint32Array(n + 1);
  for (const v of triangles) ++first[v + 1];
  for (let v = 0; v < n; ++v) first[v + 1] += first[v];
  const next = first.slice(), corners = new Uint32Array(triangles.length);
  triangles.forEach((v, corner) => { corners[next[v]++] = corner; });
  return { first, corners };
}

/** Splits vertices where the faces around them meet at more than 35 degrees. */
export function split_at_creases(positions: Float32Array, triangles: Uint32Array): Corners {
  const n = positions.length / 3;
  const faces = face_normals(positions, n, triangles);
  const { first, corners } = corners_by_vertex(n, triangles);
  const index = new Uint32Array(triangles.length);
  const source: number[] = [], normals: number[] = [];
  for (let v = 0; v < n; ++v) {
    const begin = source.length;
    for (let c = first[v]; c < first[v + 1]; ++c) {
      const corner = corners[c], f = corner - (corner % 3);
      const x = faces[f], y = faces[f + 1], z = faces[f + 2], length = Math.hypot(x, y, z);
      let group = begin;
      for (; group < source.length; ++group) {
        const [a, b, d] = [normals[3 * group], normals[3 * group + 1], normals[3 * group + 2]];
        if (a * x + b * y + d * z >= kCosineOfCrease * length * Math.hypot(a, b, d)) break;
      }
      if (group === source.length) { source.push(v); normals.push(0, 0, 0); }
      normals[3 * group] += x; normals[3 * group + 1] += y; normals[3 * group + 2] += z;
      index[corner] = group;
    }
  }
  const unit_normals = Float32Array.from(normals);
  for (let i = 0; i < unit_normals.length; i += 3) {
    const length = Math.hypot(unit_normals[i], unit_normals[i + 1], unit_normals[i + 2]) || 1;
    for (let c = 0; c < 3; ++c) unit_normals[i + c] /= length;
  }
  return { index, source: Int32Array.from(source), normals: unit_normals };
}

/** One corner per vertex, without normals. */
export function unsplit(n: number, triangles: Uint32Array): Corners {
  return { index: triangles, source: Int32Array.from({ length: n }, (_, i) => i), normals: new Float32Array(3 * n) };
}
