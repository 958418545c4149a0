// How numbers are shown.

/** With `digits` significant ones, without trailing zeros. */
export function shown(value: number | null | undefined, digits = 5): string {
  if (value == null || Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 10 ** Math.max(6, digits - 1) || size < 1e-3 ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e") : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, "\u2212");
}

/** So many significant digits that values up to `largest` which differ by parts of `span` have `digits` of their own. */
export const digits_within = (digits: number, largest: number, span: number): number =>
  span > 0 && largest > span ? Math.min(15, digits + Math.ceil(Math.log10(largest / span))) : digits;

/** A round number (1, 2, 5 times a power of ten) of about the given size. */
export function round_number(size: number): number {
  if (!(size > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  const mantissa = size / power;
  return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}

export const with_unit = (text: string, unit: string): string => (unit && unit !== "1" ? `${text} ${unit}` : text);

/** A length with the prefix that makes it readable. */
export function shown_length(metres: number): string {
  const size = Math.abs(metres);
  const [factor, unit] = size >= 1 ? [1, "m"] : size >= 1e-3 ? [1e3, "mm"] : [1e6, "\u00b5m"];
  return `${shown(metres * (factor as number), 2)} ${unit}`;
}
