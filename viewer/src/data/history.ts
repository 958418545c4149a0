// Curves over time of a run, decoded when they are first drawn.
import { interval } from "./clock";
import { Arrays, Series } from "./decode";
import { HistoryColumn, HistoryEntry } from "./manifest";

export interface Curve {
  name: string;
  unit: string;
  x: Series;
  /** Values, NaN where there is none; empty where only bounds are known. */
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

  column(name: string): HistoryColumn | undefined {
    return this.entry.columns.find((entry) => entry.name === name);
  }

  curve(name: string): Promise<Curve> {
    let curve = this.curves.get(name);
    if (!curve) this.curves.set(name, (curve = this.decode(name)));
    return curve;
  }

  private async decode(name: string): Promise<Curve> {
    const column = this.column(name);
    if (!column) throw new Error(`the history has no column ${name}`);
    const values = await this.arrays.values(column.array);
    const x = await this.arrays.series(column.buckets ?? this.entry.x);
    if (this.arrays.entry(column.array).shape.length < 2) return { name, unit: column.unit, x, y: values, bounds: null };
    const m = values.length / 2, low = values.subarray(0, m), high = values.subarray(m);
    return { name, unit: column.unit, x, y: new Float32Array(0), bounds: { low, high } };
  }
}

/** What a line over x holds, as curves and diagrams have it. */
interface Sampled { x: ArrayLike<number>; y: ArrayLike<number>; bounds?: { low: ArrayLike<number>; high: ArrayLike<number> } | null }

/**
 * The least and the largest value near x, NaN outside; of a curve that is not reduced twice value_at(). Of buckets the place of one
 * row is known each, not their ends: with unequal steps the end may be anywhere between, and both neighbours are bounds together.
 */
export function bounds_at(curve: Sampled, at: number): [number, number] {
  const { x, bounds } = curve, n = x.length;
  if (!bounds) { const value = value_at(curve, at); return [value, value]; }
  // The first and the last bucket reach beyond their rows, about half as far as to the next.
  const last = n - 1, before = n > 1 ? (x[1] - x[0]) / 2 : 0, after = n > 1 ? (x[last] - x[last - 1]) / 2 : 0;
  if (n === 0 || !(at >= x[0] - before && at <= x[last] + after)) return [NaN, NaN];
  const i = interval(x, at), first = at >= x[last] ? last : i, second = at <= x[i] ? i : Math.min(i + 1, last);
  const { low, high } = bounds;
  return [least(low[first], low[second]), -least(-high[first], -high[second])];
}

/** Of two values, NaN where there is none: the smaller. */
const least = (a: number, b: number): number => (a <= b || Number.isNaN(b) ? a : b);

/** The value of a curve at `at`, on the straight line between its neighbours; NaN outside. */
export function value_at({ x, y }: Sampled, at: number): number {
  const n = x.length;
  if (n === 0 || !(at >= x[0] && at <= x[n - 1])) return NaN;
  const low = interval(x, at), high = Math.min(n - 1, low + 1);
  const s = x[high] === x[low] ? 0 : (at - x[low]) / (x[high] - x[low]);
  return s === 0 ? y[low] : s === 1 ? y[high] : (1 - s) * y[low] + s * y[high];
}
