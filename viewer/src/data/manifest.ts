// The report's manifest, as the room `report` writes it. Arrays are numbers into `arrays`; what may be absent may be null.

export type ArrayIndex = number;
export type Maybe<T> = T | null | undefined;

export interface PackedArray {
  type: "f32" | "i16" | "u16" | "i32" | "u32" | "u8";
  shape: number[];
  at: number;
  bytes: number;
  delta: number;
  scale?: Maybe<number>;
  offset?: Maybe<number | number[]>;
}

export interface ShapeEntry { array: ArrayIndex; coordinate: number }

export interface MeshEntry {
  positions: ArrayIndex;
  triangles: ArrayIndex;
  element_edges?: Maybe<ArrayIndex>;
  feature_edges?: Maybe<ArrayIndex>;
  nodes?: Maybe<ArrayIndex>;
  simple?: Maybe<{ triangles: ArrayIndex }>;
  shapes?: Maybe<ShapeEntry[]>;
  /** Of bodies that keep all nodes: what their nodes' velocities are beside those of the pose and of `rates`, body axes. */
  velocity?: Maybe<{ shapes: ShapeEntry[] }>;
  stress?: Maybe<{ components: string[]; unit: string; shapes: ShapeEntry[]; offset?: Maybe<ArrayIndex> }>;
}

export interface PrimitiveEntry {
  shape: "box" | "cylinder" | "sphere" | "capsule";
  size: number[];
  position: number[];
  quaternion: number[];
  colour?: Maybe<string>;
}

export interface FrameEntry {
  name?: Maybe<string>;
  body?: Maybe<number>;
  position?: Maybe<number[]>;
  quaternion?: Maybe<number[]>;
  pose?: Maybe<ArrayIndex>;
}

export interface BodyEntry {
  name: string;
  type: string;
  mass?: Maybe<number>;
  colour?: Maybe<string>;
  pose: ArrayIndex;
  coordinates?: Maybe<ArrayIndex>;
  /** [3, T] each, global axes; absent in runs of earlier versions. */
  velocity?: Maybe<ArrayIndex>;
  angular_velocity?: Maybe<ArrayIndex>;
  /** [K, T] of the coordinates. */
  rates?: Maybe<ArrayIndex>;
  meshes?: Maybe<MeshEntry[]>;
  primitives?: Maybe<PrimitiveEntry[]>;
  lines?: Maybe<number[][]>;
  frames?: Maybe<FrameEntry[]>;
}

export interface JointEntry {
  name: string;
  type: string;
  frames: FrameEntry[];
  driven?: Maybe<boolean>;
  /** What motion it leaves, in words. */
  leaves?: Maybe<string>;
}

export type SymbolKind = "spring" | "damper" | "bushing" | "force" | "contact" | "load" | "support" | "reaction" | "drive";

export interface SymbolEntry {
  name: string;
  kind: SymbolKind;
  points: ArrayIndex;
  vector?: Maybe<ArrayIndex>;
  unit?: Maybe<string>;
}

export interface SceneEntry {
  size: number;
  centre: number[];
  up?: Maybe<number[]>;
  times: ArrayIndex;
  /** What all positions count from; absent: the origin. */
  origin?: Maybe<number[]>;
  /** The bound of velocities, m/s. */
  velocity_tolerance?: Maybe<number>;
  bodies: BodyEntry[];
  joints?: Maybe<JointEntry[]>;
  symbols?: Maybe<SymbolEntry[]>;
}

export interface HistoryColumn { name: string; unit: string; array: ArrayIndex; buckets?: Maybe<ArrayIndex> }
export interface HistoryEntry { x: ArrayIndex; columns: HistoryColumn[]; reduced?: Maybe<boolean> }

export interface ModeRow {
  time?: Maybe<number>; speed?: Maybe<number>; mode: number; branch?: Maybe<number>; kind?: Maybe<string>;
  frequency: Maybe<number>; natural_frequency?: Maybe<number>; damping_ratio?: Maybe<number>;
  real?: Maybe<number>; imaginary?: Maybe<number>; moves_most?: Maybe<string>; part_of_energy?: Maybe<number>;
}

export interface ResponseEntry {
  time?: Maybe<number>; input: string; output: string; unit?: Maybe<string>;
  frequency: ArrayIndex; real: ArrayIndex; imaginary: ArrayIndex;
}

export interface LinearEntry {
  modes?: Maybe<ModeRow[]>;
  frequency_response?: Maybe<ResponseEntry[]>;
  scene?: Maybe<SceneEntry>;
  periods?: Maybe<{ row: number; first: number; count: number }[]>;
}

export interface SweepEntry {
  parameters: string[];
  columns: { name: string; unit?: Maybe<string>; values: (number | string | null)[] }[];
  /** Of each row the number of its run in the report, null where that is not in it. */
  runs?: Maybe<(number | null)[]>;
}

export interface TableEntry { title: string; columns: string[]; rows: (string | number | null)[][] }

export interface RunEntry {
  name: string;
  status: string;
  message?: Maybe<string>;
  summary?: Maybe<Record<string, unknown>>;
  model?: Maybe<string>;
  set?: Maybe<string[]>;
  log?: Maybe<string>;
  warnings?: Maybe<string[]>;
  independent?: Maybe<{ name: string; unit: string }>;
  history?: Maybe<HistoryEntry>;
  events?: Maybe<Record<string, unknown>[]>;
  tables?: Maybe<TableEntry[]>;
  scene?: Maybe<SceneEntry>;
  linear?: Maybe<LinearEntry>;
  sweep?: Maybe<SweepEntry>;
}

export interface Manifest {
  format: number;
  solidyn?: Maybe<string>;
  title?: Maybe<string>;
  tolerance?: Maybe<number>;
  notes?: Maybe<string[]>;
  runs: RunEntry[];
  arrays: PackedArray[];
}
