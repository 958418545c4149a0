// What we use of three 0.187, which brings no types of its own.
export class Matrix4 {
  elements: number[];
  copy(other: Matrix4): this;
  fromArray(values: ArrayLike<number>): this;
  invert(): this;
}
export class Vector2 { constructor(x?: number, y?: number); set(x: number, y: number): this; x: number; y: number; }
export class Vector3 { constructor(x?: number, y?: number, z?: number); set(x: number, y: number, z: number): this; x: number; y: number; z: number; }
export class Vector4 { constructor(x?: number, y?: number, z?: number, w?: number); set(x: number, y: number, z: number, w: number): this; }
export class Object3D {
  visible: boolean;
  frustumCulled: boolean;
  renderOrder: number;
  matrixAutoUpdate: boolean;
  matrixWorldAutoUpdate: boolean;
  matrixWorld: Matrix4;
  children: Object3D[];
  add(...objects: Object3D[]): this;
  remove(...objects: Object3D[]): this;
  clear(): this;
}
export class Scene extends Object3D {}
export class Camera extends Object3D {
  matrixWorldInverse: Matrix4;
  projectionMatrix: Matrix4;
  projectionMatrixInverse: Matrix4;
}
export class BufferAttribute {
  constructor(array: ArrayLike<number>, itemSize: number, normalized?: boolean);
  array: ArrayLike<number>;
  needsUpdate: boolean;
  gpuType: number;
}
export class BufferGeometry {
  setAttribute(name: string, attribute: BufferAttribute): this;
  setIndex(index: BufferAttribute): this;
  setDrawRange(start: number, count: number): void;
  dispose(): void;
}
export class RawShaderMaterial {
  constructor(parameters: object);
  uniforms: Record<string, { value: unknown }>;
  transparent: boolean;
  depthWrite: boolean;
  visible: boolean;
  needsUpdate: boolean;
  dispose(): void;
}
export class Mesh extends Object3D {
  constructor(geometry: BufferGeometry, material: RawShaderMaterial);
  geometry: BufferGeometry;
  material: RawShaderMaterial;
}
export class LineSegments extends Mesh {}
export class Texture {
  readonly version: number;
  needsUpdate: boolean;
  internalFormat: string | null;
  unpackAlignment: number;
  onUpdate: (() => void) | null;
  image: { data: unknown; width: number; height: number; depth?: number };
  dispose(): void;
}
export class DataTexture extends Texture {
  constructor(data: ArrayBufferView, width: number, height: number, format?: number, type?: number);
}
export class DataArrayTexture extends Texture {
  constructor(data: ArrayBufferView, width: number, height: number, depth: number);
  format: number;
  type: number;
}
export class WebGLRenderer {
  constructor(parameters: object);
  readonly domElement: HTMLCanvasElement;
  readonly capabilities: { maxTextureSize: number; maxVertexUniforms: number };
  readonly info: { render: { triangles: number } };
  outputColorSpace: string;
  setPixelRatio(ratio: number): void;
  setSize(width: number, height: number, updateStyle?: boolean): void;
  setClearColor(colour: number, alpha?: number): void;
  render(scene: Scene, camera: Camera): void;
  getContext(): WebGL2RenderingContext;
  dispose(): void;
}
export const GLSL3: string;
export const DoubleSide: number;
export const RGBAFormat: number;
export const RGBAIntegerFormat: number;
export const FloatType: number;
export const ShortType: number;
export const IntType: number;
export const LinearSRGBColorSpace: string;
export const NoBlending: number;
export const NormalBlending: number;
