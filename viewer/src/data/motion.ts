// A machine in motion: surfaces, and for each instant the poses and coordinates of its bodies.
import { Arrays, Series } from "./decode";
import { BodyEntry, FrameEntry, JointEntry, SceneEntry, SymbolEntry } from "./manifest";
import { surface_of_lines, surface_of_primitive } from "./primitives";
import { decoded_surface, Surface } from "./surface";
import { Quaternion, rotation, slerp, Vec3 } from "../maths/vectors";

/** What of each picture makes up an instant (`value`) and its derivative with respect to time (`rate`): picture, weight. */
export interface Blend { value: [number, number][]; rate: [number, number][] }

/** The pictures' times and how an instant is composed of them. */
export interface Clock {
  from: number;
  to: number;
  unit: string;
  name: string;
  /** What displacements count from: the first picture, of a mode the equilibrium. */
  start: Blend;
  /** Instants that show all of it, `from` and `to` among them. */
  instants: Series;
  blend(time: number): Blend;
}

export interface Pose { p: Vec3; q: Quaternion }

export interface BodyState {
  p: Vec3;
  /** Body to global, row by row. */
  r: number[];
  coordinates: Float32Array;
  rates: Float32Array;
  velocity: Vec3;
  /** Angular velocity in global axes, rad/s. */
  omega: Vec3;
}

export interface Body {
  name: string;
  type: string;
  mass: number | null;
  colour: string;
  /** [7, T]: position, quaternion. */
  pose: Float32Array;
  /** [K, T]. */
  coordinates: Float32Array;
  n_coordinates: number;
  /** [3, T] each, or null: then pictures are compared, which shows slow motion only. */
  velocity: Float32Array | null;
  angular_velocity: Float32Array | null;
  /** [K, T], or null. */
  rates: Float32Array | null;
  surfaces: Surface[];
}

export interface Frame { body: number; pose: Float32Array | null; fixed: Pose | null; name: string }
export interface Joint { name: string; type: string; frames: Frame[]; driven: boolean; leaves: string }
export interface Marker { name: string; kind: SymbolEntry["kind"]; points: Float32Array; n_points: number; vector: Float32Array | null; unit: string }

export interface Machine {
  size: number;
  centre: Vec3;
  up: Vec3;
  times: Series;
  /** What positions count from, m. */
  origin: Vec3;
  velocity_tolerance: number | null;
  bodies: Body[];
  joints: Joint[];
  markers: Marker[];
}

const kColours = ["#5b8db8", "#c98b4e", "#6fa57c", "#a87ca8", "#b9666b", "#8a8f5c", "#5fa3a3", "#9a8572"];

async function decoded_body(arrays: Arrays, entry: BodyEntry, index: number, n_times: number): Promise<Body> {
  const surfaces = await Promise.all((entry.meshes ?? []).map((mesh) => decoded_surface(arrays, mesh)));
  for (const primitive of entry.primitives ?? []) surfaces.push(surface_of_primitive(primitive));
  if (entry.lines?.length) surfaces.push(surface_of_lines(entry.lines));
  const coordinates = entry.coordinates == null ? new Float32Array(0) : await arrays.values(entry.coordinates);
  return { name: entry.name, type: entry.type, mass: entry.mass ?? null,
           colour: entry.colour ?? entry.primitives?.find((primitive) => primitive.colour)?.colour ?? kColours[index % kColours.length],
           pose: await arrays.values(entry.pose), velocity: entry.velocity == null ? null : await arrays.values(entry.velocity),
           angular_velocity: entry.angular_velocity == null ? null : await arrays.values(entry.angular_velocity),
           rates: entry.rates == null ? null : await arrays.values(entry.rates), coordinates, n_coordinates: coordinates.length / Math.max(1, n_times), surfaces };
}

async function decoded_frame(arrays: Arrays, entry: FrameEntry): Promise<Frame> {
  return { body: entry.body ?? -1, name: entry.name ?? "", pose: entry.pose == null ? null : await arrays.values(entry.pose),
           fixed: entry.position ? { p: entry.position as Vec3, q: (entry.quaternion ?? [1, 0, 0, 0]) as Quaternion } : null };
}

async function decoded_joint(arrays: Arrays, entry: JointEntry): Promise<Joint> {
  return { name: entry.name, type: entry.type, driven: entry.driven ?? false, leaves: entry.leaves ?? "",
           frames: await Promise.all(entry.frames.map((frame) => decoded_frame(arrays, frame))) };
}

async function decoded_marker(arrays: Arrays, entry: SymbolEntry): Promise<Marker> {
  return { name: entry.name, kind: entry.kind, points: await arrays.values(entry.points), unit: entry.unit ?? "",
           n_points: arrays.entry(entry.points).shape[0] / 3, vector: entry.vector == null ? null : await arrays.values(entry.vector) };
}

export async function decoded_machine(arrays: Arrays, scene: SceneEntry): Promise<Machine> {
  const times = await arrays.series(scene.times);
  return {
    size: scene.size, centre: scene.centre as Vec3, up: (scene.up ?? [0, 0, 1]) as Vec3, times, origin: (scene.origin ?? [0, 0, 0]) as Vec3, velocity_tolerance: scene.velocity_tolerance ?? null,
    bodies: await Promise.all(scene.bodies.map((body, index) => decoded_body(arrays, body, index, times.length))),
    joints: await Promise.all((scene.joints ?? []).map((joint) => decoded_joint(arrays, joint))),
    markers: await Promise.all((scene.symbols ?? []).map((symbol) => decoded_marker(arrays, symbol))),
  };
}

/** One row of a series [rows, T] at an instant. */
export function blended(series: Float32Array, row: number, n_times: number, weights: [number, number][]): number {
  let sum = 0;
  for (const [picture, weight] of weights) sum += weight * series[row * n_times + picture];
  return sum;
}

const quaternion_at = (pose: Float32Array, n: number, picture: number): Quaternion =>
  [3, 4, 5, 6].map((row) => pose[row * n + picture]) as Quaternion;

/** A pose of a series [7, T] at an instant; between two pictures by the shortest rotation. */
export function blended_pose(pose: Float32Array, n: number, blend: Blend): Pose {
  const weights = blend.value;
  const p = [0, 1, 2].map((row) => blended(pose, row, n, weights)) as Vec3;
  if (weights.length <= 2) {
    const a = quaternion_at(pose, n, weights[0][0]);
    return { p, q: weights.length === 1 ? a : slerp(a, quaternion_at(pose, n, weights[1][0]), weights[1][1]) };
  }
  const q = [3, 4, 5, 6].map((row) => blended(pose, row, n, weights));
  const length = Math.hypot(...q) || 1;
  return { p, q: q.map((value) => value / length) as Quaternion };
}

/** The angular velocity 2 q' q*, global axes. */
function angular_velocity(rate: number[], [w, x, y, z]: Quaternion): Vec3 {
  const [a, b, c, d] = rate;
  return [2 * (b * w - a * x - c * z + d * y), 2 * (c * w - a * y - d * x + b * z), 2 * (d * w - a * z - b * y + c * x)];
}

export function body_state(body: Body, n_times: number, blend: Blend): BodyState {
  const { p, q } = blended_pose(body.pose, n_times, blend);
  const coordinates = new Float32Array(body.n_coordinates), rates = new Float32Array(body.n_coordinates);
  for (let k = 0; k < body.n_coordinates; ++k) {
    coordinates[k] = blended(body.coordinates, k, n_times, blend.value);
    // Where velocities were written, coordinates without rates have none.
    rates[k] = body.rates ? blended(body.rates, k, n_times, blend.value) : body.velocity ? 0 : blended(body.coordinates, k, n_times, blend.rate);
  }
  const rate = (rows: number[]) => rows.map((row) => blended(body.pose, row, n_times, blend.rate));
  const given = (series: Float32Array) => [0, 1, 2].map((row) => blended(series, row, n_times, blend.value)) as Vec3;
  return { p, r: rotation(...q), coordinates, rates, velocity: body.velocity ? given(body.velocity) : (rate([0, 1, 2]) as Vec3),
           omega: body.angular_velocity ? given(body.angular_velocity) : angular_velocity(rate([3, 4, 5, 6]), q) };
}
