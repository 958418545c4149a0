// How an instant is composed of pictures: between two neighbours in time, or as a harmonic within a period of a mode.
import { Series } from "./decode";
import { Blend, Clock } from "./motion";

/** The last index i with times[i] <= time, at most n - 2 (0 where there is one picture only). */
export function interval(times: ArrayLike<number>, time: number): number {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  return low;
}

/** Weights of the difference quotient over the pictures beside picture i (one-sided at the ends). */
function slope(times: Series, i: number): [number, number][] {
  const before = Math.max(0, i - 1), after = Math.min(times.length - 1, i + 1);
  const step = times[after] - times[before];
  return step > 0 ? [[after, 1 / step], [before, -1 / step]] : [];
}

export function clock_of_times(times: Series, name: string, unit: string): Clock {
  const last = times.length - 1;
  return {
    from: times[0], to: times[last], name, unit, instants: times, start: { value: [[0, 1]], rate: [] },
    blend(time): Blend {
      if (last === 0) return { value: [[0, 1]], rate: [] };
      const i = interval(times, time);
      const step = times[i + 1] - times[i];
      const s = step > 0 ? Math.min(1, Math.max(0, (time - times[i]) / step)) : 0;
      const scaled = (weights: [number, number][], factor: number) => weights.map(([k, w]): [number, number] => [k, factor * w]);
      const value: [number, number][] = s === 0 ? [[i, 1]] : s === 1 ? [[i + 1, 1]] : [[i, 1 - s], [i + 1, s]];
      return { value, rate: [...scaled(slope(times, i), 1 - s), ...scaled(slope(times, i + 1), s)] };
    },
  };
}

/** Instants of a period; quarters are among them. */
const kPhases = 64;

/** The harmonic through `count` pictures, equally spaced in one period; time runs from 0 to 1. */
export function clock_of_period(first: number, count: number): Clock {
  return {
    from: 0, to: 1, name: "phase", unit: "periods", instants: Float64Array.from({ length: kPhases + 1 }, (_, i) => i / kPhases),
    start: { value: Array.from({ length: count }, (_, j): [number, number] => [first + j, 1 / count]), rate: [] },
    blend(time): Blend {
      const value: [number, number][] = [], rate: [number, number][] = [];
      for (let j = 0; j < count; ++j) {
        const angle = 2 * Math.PI * (time - j / count);
        value.push([first + j, (1 + 2 * Math.cos(angle)) / count]);
        rate.push([first + j, (-4 * Math.PI * Math.sin(angle)) / count]);
      }
      return { value, rate };
    },
  };
}
