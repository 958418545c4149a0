// Colours of quantities: viridis, which grows evenly lighter and is read by the colour-blind and in grey print.
const kStops = [
  [68, 1, 84], [72, 36, 117], [65, 68, 135], [53, 95, 141], [42, 120, 142], [33, 145, 140], [34, 168, 132], [68, 191, 112],
  [122, 209, 81], [189, 223, 38], [253, 231, 37]];

/** The colour at s in [0, 1], each channel 0 to 255. */
export function colour_at(s: number): [number, number, number] {
  const at = Math.max(0, Math.min(1, s)) * (kStops.length - 1);
  const i = Math.min(kStops.length - 2, Math.floor(at));
  const part = at - i;
  return [0, 1, 2].map((c) => Math.round(kStops[i][c] * (1 - part) + kStops[i + 1][c] * part)) as [number, number, number];
}

export const kPaletteSize = 256;

/** 256 colours of four bytes each. */
export function palette_bytes(): Uint8Array {
  const bytes = new Uint8Array(4 * kPaletteSize);
  for (let i = 0; i < kPaletteSize; ++i) bytes.set([...colour_at(i / (kPaletteSize - 1)), 255], 4 * i);
  return bytes;
}

export function css_gradient(): string {
  const stops = Array.from({ length: 21 }, (_, i) => `rgb(${colour_at(i / 20).join(",")}) ${5 * i}%`);
  return `linear-gradient(to top, ${stops.join(", ")})`;
}

/** Channels 0 to 1 of "#rrggbb". */
export function channels(colour: string): [number, number, number] {
  const value = parseInt(colour.slice(1), 16);
  return Number.isNaN(value) ? [0.5, 0.5, 0.5] : [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
