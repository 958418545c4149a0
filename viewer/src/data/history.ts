// Curves over time of a run, decoded when they are first drawn.
import { Arrays } from "./decode";
import { HistoryColumn, HistoryEntry } from "./manifest";

export interface Curve {
  name: string;
  unit: string;
  x: Float32Array;
  /** Values; of reduced curves the middle of each bucket. NaN where there is none. */
  y: Float32Array;
  /** Minima and maxima of buckets, or null. */
  bounds: { low: Float32Array; high: Float32Array } | null;
}

export class History {
  private readonly curves = new Map<string, Promise<Curve>>();

  constructor(private readonly arrays: Arrays, readonly entry: HistoryEntry) {}

  get columns(): HistoryColumn[] {
    return this.entry.columns;
  }

  curve(name: string): Promise<Curve> {
    let curve = this.curves.get(name);
    if (!curve) this.curves.set(name, (curve = this.decode(name)));
    return curve;
  }

  private async decode(name: string): Promise<Curve> {
    const column = this.entry.columns.find((entry) => entry.name === name);
    if (!column) throw new Error(`the history has no column ${name}`);
    const values = await this.arrays.values(column.array);
    const x = await this.arrays.values(column.buckets ?? this.entry.x);
    if (this.arrays.entry(column.array).shape.length < 2) return { name, unit: column.unit, x, y: values, bounds: null };
    const m = values.length / 2, low = values.subarray(0, m), high = values.subarray(m);
    return { name, unit: column.unit, x, y: low.map((value, i) => 0.5 * (value + high[i])), bounds: { low, high } };
  }
}

/** The value of a curve at x, on the straight line between its neighbours; NaN outside. */
export function value_at(curve: Curve, x: number): number {
  const n = curve.x.length;
  if (n === 0 || x < curve.x[0] || x > curve.x[n - 1]) return NaN;
  let low = 0, high = n - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (curve.x[middle] <= x) low = middle; else high = middle;
  }
  if (n === 1 || x === curve.x[low]) return curve.y[low];
  const s = (x - curve.x[low]) / (curve.x[high] - curve.x[low] || 1);
  return (1 - s) * curve.y[low] + s * curve.y[high];
}
