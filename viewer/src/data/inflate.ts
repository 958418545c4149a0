// Unpacks small zlib streams (RFC 1950, 1951) at once: the browser's own streams pass through another thread, which takes
// about a millisecond each, and a machine of thousands of bodies has thousands of small arrays.

/** Codes of one alphabet by their lengths: how many of each length, and the symbols in the order of their codes. */
interface Codes { counts: Uint16Array; symbols: Uint16Array }

const kLengthBase = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const kLengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const kDistanceBase = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
const kDistanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const kOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const kLongest = 15;

function codes_of(lengths: ArrayLike<number>): Codes {
  const counts = new Uint16Array(kLongest + 1), symbols = new Uint16Array(lengths.length), next = new Uint16Array(kLongest + 1);
  for (let i = 0; i < lengths.length; ++i) ++counts[lengths[i]];
  counts[0] = 0;
  for (let length = 1; length < kLongest; ++length) next[length + 1] = next[length] + counts[length];
  for (let i = 0; i < lengths.length; ++i) if (lengths[i]) symbols[next[lengths[i]]++] = i;
  return { counts, symbols };
}

const kFixedLengths = codes_of(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)));
const kFixedDistances = codes_of(new Array(30).fill(5));

class Inflater {
  private at = 2;      // behind zlib's two bytes
  private held = 0;
  private n_held = 0;
  private filled = 0;

  constructor(private readonly bytes: Uint8Array, private readonly out: Uint8Array) {}

  run() {
    if (this.bytes.length < 6 || (this.bytes[0] & 15) !== 8 || ((this.bytes[0] << 8) | this.bytes[1]) % 31 !== 0 || this.bytes[1] & 32) this.fail();
    let is_last = 0;
    while (!is_last) {
      is_last = this.bits(1);
      const kind = this.bits(2);
      if (kind === 0) this.stored();
      else if (kind === 1) this.compressed(kFixedLengths, kFixedDistances);
      else if (kind === 2) this.dynamic();
      else this.fail();
    }
    if (this.filled !== this.out.length) this.fail();
    this.check();
  }

  private fail(): never {
    throw new Error("an array cannot be unpacked: the file is damaged");
  }

  private bits(n: number): number {
    while (this.n_held < n) {
      if (this.at >= this.bytes.length) this.fail();
      this.held |= this.bytes[this.at++] << this.n_held;
      this.n_held += 8;
    }
    const value = this.held & ((1 << n) - 1);
    this.held >>>= n;
    this.n_held -= n;
    return value;
  }

  private symbol({ counts, symbols }: Codes): number {
    let code = 0, first = 0, index = 0;
    for (let length = 1; length <= kLongest; ++length) {
      code |= this.bits(1);
      const count = counts[length];
      if (code - count < first) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return this.fail();
  }

  private stored() {
    this.held = this.n_held = 0;
    const n = this.bits(8) | (this.bits(8) << 8);
    if ((this.bits(8) | (this.bits(8) << 8)) !== (~n & 0xffff) || this.at + n > this.bytes.length || this.filled + n > this.out.length) this.fail();
    this.out.set(this.bytes.subarray(this.at, this.at + n), this.filled);
    this.at += n;
    this.filled += n;
  }

  private dynamic() {
    const n_lengths = this.bits(5) + 257, n_distances = this.bits(5) + 1, n_codes = this.bits(4) + 4;
    const of_codes = new Uint8Array(19), lengths = new Uint8Array(n_lengths + n_distances);
    for (let i = 0; i < n_codes; ++i) of_codes[kOrder[i]] = this.bits(3);
    const codes = codes_of(of_codes);
    for (let i = 0; i < lengths.length;) {
      const symbol = this.symbol(codes);
      if (symbol < 16) { lengths[i++] = symbol; continue; }
      if (symbol === 16 && i === 0) this.fail();
      const repeated = symbol === 16 ? lengths[i - 1] : 0;
      const times = symbol === 16 ? 3 + this.bits(2) : symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7);
      if (i + times > lengths.length) this.fail();
      lengths.fill(repeated, i, (i += times));
    }
    this.compressed(codes_of(lengths.subarray(0, n_lengths)), codes_of(lengths.subarray(n_lengths)));
  }

  private compressed(lengths: Codes, distances: Codes) {
    const { out } = this;
    for (;;) {
      const symbol = this.symbol(lengths);
      if (symbol === 256) return;
      if (symbol < 256) {
        if (this.filled >= out.length) this.fail();
        out[this.filled++] = symbol;
        continue;
      }
      if (symbol > 285) this.fail();
      const length = kLengthBase[symbol - 257] + this.bits(kLengthBits[symbol - 257]);
      const code = this.symbol(distances);
      if (code > 29) this.fail();
      const distance = kDistanceBase[code] + this.bits(kDistanceBits[code]);
      if (distance > this.filled || this.filled + length > out.length) this.fail();
      for (let i = 0; i < length; ++i, ++this.filled) out[this.filled] = out[this.filled - distance];
    }
  }

  /** Adler's sum, as the browser's streams check it. */
  private check() {
    const { out } = this;
    let a = 1, b = 0;
    for (let from = 0; from < out.length; from += 3800) {      // as long as sums are exact without a remainder
      for (let i = from; i < Math.min(from + 3800, out.length); ++i) b += a += out[i];
      a %= 65521;
      b %= 65521;
    }
    const at = this.at, given = this.bytes.length - at >= 4 ? ((this.bytes[at] << 24) | (this.bytes[at + 1] << 16) | (this.bytes[at + 2] << 8) | this.bytes[at + 3]) >>> 0 : NaN;
    if (given !== ((b * 65536 + a) >>> 0)) this.fail();
  }
}

/** The bytes of a zlib stream of known length. Throws where it is damaged. */
export function inflated_at_once(bytes: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  new Inflater(bytes, out).run();
  return out;
}
