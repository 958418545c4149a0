// What a renderer is given for one picture, and what every renderer can do.
import { Field } from "../data/fields";
import { BodyState, Machine } from "../data/motion";
import { CameraMatrices } from "./camera";
import { Vec3 } from "../maths/vectors";

export interface Section { normal: Vec3; offset: number }

export interface FrameInput {
  machine: Machine;
  states: BodyState[];
  /** States at the start, from which displacement counts. */
  starts: BodyState[];
  camera: CameraMatrices;
  /** Factor of the deformation. */
  factor: number;
  field: Field;
  range: [number, number];
  hidden: ReadonlySet<number>;
  transparent: ReadonlySet<number>;
  edges: "none" | "features" | "elements";
  ghost: boolean;
  section: Section | null;
  /** Channels 0 to 1. */
  background: [number, number, number];
  ink: [number, number, number];
}

export interface Renderer {
  readonly canvas: HTMLCanvasElement;
  readonly kind: "webgl" | "software";
  resize(width: number, height: number): void;
  draw(frame: FrameInput): void;
  /** Draws the simplified surfaces instead of the full ones. */
  set_coarse(coarse: boolean): void;
  dispose(): void;
}
