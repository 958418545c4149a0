// What we use of uPlot 1.6.
declare class uPlot {
  constructor(options: object, data: unknown, target: HTMLElement);
  readonly root: HTMLElement;
  readonly over: HTMLElement;
  readonly ctx: CanvasRenderingContext2D;
  readonly bbox: { left: number; top: number; width: number; height: number };
  readonly width: number;
  readonly height: number;
  readonly cursor: { left?: number; top?: number; idx?: number | null };
  readonly scales: Record<string, { min?: number; max?: number }>;
  readonly data: (ArrayLike<number | null> | null)[];
  readonly select: { left: number; width: number };
  posToVal(position: number, scale: string, canvasPixels?: boolean): number;
  valToPos(value: number, scale: string, canvasPixels?: boolean): number;
  setScale(scale: string, limits: { min: number; max: number }): void;
  setSelect(select: { left: number; width: number; top: number; height: number }, fire?: boolean): void;
  setSize(size: { width: number; height: number }): void;
  setCursor(cursor: { left: number; top: number }, fire?: boolean): void;
  redraw(rebuildPaths?: boolean, recalcAxes?: boolean): void;
  destroy(): void;
  static join(tables: unknown[]): (ArrayLike<number | null>)[];
  static readonly pxRatio: number;
  static readonly paths: { points(): unknown };
}
export default uPlot;
