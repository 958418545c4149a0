// Missing in TypeScript 4.8's dom library.
declare class DecompressionStream {
  constructor(format: "deflate" | "gzip" | "deflate-raw");
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}
interface HTMLCanvasElement {
  captureStream(rate?: number): MediaStream;
}
