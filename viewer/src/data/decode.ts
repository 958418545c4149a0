// Arrays of the report: base64 -> zlib -> byte planes -> zigzag differences -> numbers.
import { inflated_at_once } from "./inflate";
import { Manifest, PackedArray } from "./manifest";

/** Of times and abscissas, which may need double precision. */
export type Series = Float32Array | Float64Array;

export type Numbers = Float32Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Uint8Array;

const kWidth = { f32: 4, i32: 4, u32: 4, i16: 2, u16: 2, u8: 1 };

/** Bytes up to which unpacking takes less time here than a stream needs to begin. */
const kSmall = 65_536;

/** Bytes of a base64 text; white space is ignored. Decoded in pieces, so that no second copy of a long text is made. */
export function bytes_of_base64(text: string): Uint8Array {
  const clean = /\s/.test(text) ? text.replace(/\s+/g, "") : text;
  const padding = clean.endsWith("==") ? 2 : clean.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((clean.length / 4) * 3 - padding);
  const piece = 1 << 20;
  for (let from = 0, at = 0; from < clean.length; from += piece) {
    const binary = atob(clean.slice(from, from + piece));
    for (let i = 0; i < binary.length; ++i) bytes[at++] = binary.charCodeAt(i);
  }
  return bytes;
}

/** Unpacks into an array of known length. Written and read by hand: a Response around the stream costs more than small arrays do. */
async function inflate(bytes: Uint8Array, length: number): Promise<Uint8Array> {
  const inflated = new Uint8Array(length);
  let at = 0;
  try {
    const { writable, readable } = new DecompressionStream("deflate");
    const writer = writable.getWriter(), reader = readable.getReader();
    const written = Promise.all([writer.write(bytes), writer.close()]);
    written.catch(() => undefined);      // the reader fails too, and tells
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      inflated.set(piece.value, at);
      at += piece.value.length;
    }
  } catch {
    throw new Error("an array cannot be unpacked: the file is damaged");
  }
  if (at !== length) throw new Error(`an array has ${at} bytes instead of ${length}: the file is damaged`);
  return inflated;
}

/** The unsigned integers whose bytes stand in planes, the least significant ones first. */
function joined_planes(planes: Uint8Array, count: number, width: number): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return planes;
  if (width === 2) {
    const joined = new Uint16Array(count);
    for (let i = 0; i < count; ++i) joined[i] = planes[i] | (planes[count + i] << 8);
    return joined;
  }
  const joined = new Uint32Array(count);
  const second = count, third = 2 * count, fourth = 3 * count;
  for (let i = 0; i < count; ++i)
    joined[i] = planes[i] | (planes[second + i] << 8) | (planes[third + i] << 16) | (planes[fourth + i] << 24);
  return joined;
}

/** Sums up zigzag differences over `step` elements; the element's width makes sums wrap. */
function undo_differences(values: Uint8Array | Uint16Array | Uint32Array, step: number) {
  for (let i = 0; i < values.length; ++i) {
    const coded = values[i];
    const difference = (coded >>> 1) ^ -(coded & 1);
    values[i] = i < step ? difference : values[i - step] + difference;
  }
}

function reinterpreted(values: Uint8Array | Uint16Array | Uint32Array, type: PackedArray["type"]): Numbers {
  switch (type) {
    case "f32": return new Float32Array(values.buffer, values.byteOffset, values.length);
    case "i32": return new Int32Array(values.buffer, values.byteOffset, values.length);
    case "i16": return new Int16Array(values.buffer, values.byteOffset, values.length);
    default: return values;
  }
}

/** The arrays of one report, each decoded once, when first asked for. */
export class Arrays {
  private readonly decoded = new Map<number, Promise<Numbers>>();
  private readonly scaled = new Map<number, Promise<Float32Array>>();
  private readonly precise = new Map<number, Series>();

  constructor(private readonly entries: PackedArray[], private readonly blob: Uint8Array) {}

  entry(index: number): PackedArray {
    const entry = this.entries[index];
    if (!entry) throw new Error(`the report has no array ${index}: the file is damaged`);
    return entry;
  }

  /** The stored numbers, without scale and offset. */
  stored(index: number): Promise<Numbers> {
    let numbers = this.decoded.get(index);
    if (!numbers) this.decoded.set(index, (numbers = this.decode(this.entry(index))));
    return numbers;
  }

  /** The values: offset + scale * stored, row by row where the offset has a value for each row. */
  values(index: number): Promise<Float32Array> {
    let values = this.scaled.get(index);
    if (!values) this.scaled.set(index, (values = this.scaled_values(index)));
    return values;
  }

  private async scaled_values(index: number): Promise<Float32Array> {
    const entry = this.entry(index);
    const stored = await this.stored(index);
    if (entry.scale == null && typeof entry.offset !== "number") return stored instanceof Float32Array ? stored : Float32Array.from(stored);
    const values = new Float32Array(stored.length);
    const row = stored.length / Math.max(1, entry.shape[0]), scale = entry.scale ?? 1;
    for (let i = 0; i < values.length; ++i) {
      const offset = Array.isArray(entry.offset) ? entry.offset[Math.floor(i / row)] : entry.offset ?? 0;
      values[i] = offset + scale * stored[i];
    }
    return values;
  }

  /** As values(), in double precision where single numbers count from an offset. */
  async series(index: number): Promise<Series> {
    let series = this.precise.get(index);
    if (series) return series;
    const { type, offset, scale } = this.entry(index), stored = await this.stored(index);
    series = type === "f32" && scale == null && typeof offset === "number" ? Float64Array.from(stored, (value) => offset + value) : await this.values(index);
    this.precise.set(index, series);
    return series;
  }

  private async decode(entry: PackedArray): Promise<Numbers> {
    const count = entry.shape.reduce((product, n) => product * n, 1);
    const width = kWidth[entry.type];
    if (!width) throw new Error(`the report has numbers of type "${entry.type}", which this page does not know`);
    if (count === 0) return reinterpreted(joined_planes(new Uint8Array(0), 0, width), entry.type);
    const packed = this.blob.subarray(entry.at, entry.at + entry.bytes);
    const planes = count * width <= kSmall ? inflated_at_once(packed, count * width) : await inflate(packed, count * width);
    const joined = joined_planes(planes, count, width);
    if (entry.delta > 0) undo_differences(joined, entry.delta);
    return reinterpreted(joined, entry.type);
  }
}

/** Manifest and arrays of this document. Throws with a sentence for the reader where they cannot be read. */
export function report_of_document(): { manifest: Manifest; arrays: Arrays } {
  const manifest_text = document.getElementById("manifest")?.textContent;
  if (!manifest_text) throw new Error("this page has no manifest: the file is not a complete report of Solidyn");
  const manifest = JSON.parse(manifest_text) as Manifest;
  if (manifest.format !== 1) throw new Error(`this report has format ${manifest.format}; this page reads format 1`);
  const blob = bytes_of_base64(document.getElementById("data")?.textContent ?? "");
  return { manifest, arrays: new Arrays(manifest.arrays ?? [], blob) };
}
