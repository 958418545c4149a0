// Amplitude spectrum of a curve.

/** Replaces a complex sequence, whose length is a power of two, by its discrete Fourier transform. */
export function transform(re: Float64Array, im: Float64Array) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) { [re[i], re[j]] = [re[j], re[i]]; [im[i], im[j]] = [im[j], im[i]]; }
  }
  for (let size = 2; size <= n; size <<= 1) {
    const half = size >> 1, step = (-2 * Math.PI) / size;
    for (let k = 0; k < half; ++k) {
      const c = Math.cos(step * k), s = Math.sin(step * k);
      for (let i = k; i < n; i += size) {
        const j = i + half;
        const x = re[j] * c - im[j] * s, y = re[j] * s + im[j] * c;
        re[j] = re[i] - x; im[j] = im[i] - y;
        re[i] += x; im[i] += y;
      }
    }
  }
}

/**
 * Single-sided amplitudes of y(x) about its mean under Hann's window: a sine of amplitude A at a line of the spectrum shows A.
 * The curve is sampled evenly by straight lines, at the next power of two of its number of points (at most 2^18, which is all that a whole curve has).
 */
export function spectrum(x: ArrayLike<number>, y: ArrayLike<number>): { frequency: Float64Array; amplitude: Float64Array } {
  const finite: number[] = [];
  for (let i = 0; i < y.length; ++i) if (Number.isFinite(y[i]) && Number.isFinite(x[i])) finite.push(i);
  const m = finite.length;
  const duration = m > 1 ? x[finite[m - 1]] - x[finite[0]] : 0;
  if (m < 4 || !(duration > 0)) return { frequency: new Float64Array(0), amplitude: new Float64Array(0) };
  const n = Math.min(1 << 18, 1 << Math.ceil(Math.log2(m)));
  const re = new Float64Array(n), im = new Float64Array(n);
  for (let i = 0, at = 0; i < n; ++i) {
    const time = x[finite[0]] + (duration * i) / n;
    while (at < m - 2 && x[finite[at + 1]] <= time) ++at;
    const a = finite[at], b = finite[at + 1], s = (time - x[a]) / (x[b] - x[a] || 1);
    re[i] = (1 - s) * y[a] + s * y[b];
  }
  const mean = re.reduce((sum, value) => sum + value, 0) / n;
  for (let i = 0; i < n; ++i) re[i] = (re[i] - mean) * 0.5 * (1 - Math.cos((2 * Math.PI * i) / n));
  transform(re, im);
  const half = n >> 1;
  const frequency = Float64Array.from({ length: half }, (_, k) => k / duration);
  const amplitude = Float64Array.from({ length: half }, (_, k) => (4 / n) * Math.hypot(re[k], im[k]));      // 2 / n, over the window's mean 1/2
  return { frequency, amplitude };
}
