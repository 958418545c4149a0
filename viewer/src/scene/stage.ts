// A machine on stage: its clock, and the states of its bodies at the instant shown. Evaluated once per picture.
import { clock_of_period, clock_of_times } from "../data/clock";
import { Field, field_values, global_positions, has_field } from "../data/fields";
import { Blend, blended, blended_pose, body_state, BodyState, Clock, Frame, Machine, Pose } from "../data/motion";
import { simplified, Surface } from "../data/surface";
import { rotation, Vec3 } from "../maths/vectors";

/** Vertices whose quantity is followed over all pictures for the range of the legend. */
const kSampled = 1500;

export class Stage {
  states: BodyState[] = [];
  starts: BodyState[] = [];
  blend: Blend = { value: [[0, 1]], rate: [] };
  time = NaN;
  private points: Vec3[] | null = null;
  private readonly ranges = new Map<string, [number, number]>();

  constructor(readonly machine: Machine, readonly clock: Clock) {
    this.starts = this.states_of(clock.start);
    this.set_time(clock.from);
  }

  set_time(time: number) {
    if (time === this.time) return;
    this.time = time;
    this.blend = this.clock.blend(time);
    this.states = this.states_of(this.blend);
  }

  states_at(time: number): BodyState[] {
    return this.states_of(this.clock.blend(time));
  }

  /** One body's state, where the others' are not needed. */
  state_of(body: number, time: number): BodyState {
    return body_state(this.machine.bodies[body], this.machine.times.length, this.clock.blend(time));
  }

  pose(series: Float32Array): Pose {
    return blended_pose(series, this.machine.times.length, this.blend);
  }

  row(series: Float32Array, row: number): number {
    return blended(series, row, this.machine.times.length, this.blend.value);
  }

  /** Where a frame is now: its own series, or fixed in its body (or in space). */
  frame_pose(frame: Frame): { p: Vec3; r: number[] } {
    if (frame.pose) {
      const { p, q } = this.pose(frame.pose);
      return { p, r: rotation(...q) };
    }
    const fixed: Pose = frame.fixed ?? { p: [0, 0, 0], q: [1, 0, 0, 0] };
    const inner = rotation(...fixed.q);
    const state = this.states[frame.body];
    if (!state) return { p: fixed.p, r: inner };
    const turned = (v: Vec3): Vec3 => [0, 1, 2].map((i) => state.r[3 * i] * v[0] + state.r[3 * i + 1] * v[1] + state.r[3 * i + 2] * v[2]) as Vec3;
    const at = turned(fixed.p);
    const columns = [0, 1, 2].map((c) => turned([inner[c], inner[3 + c], inner[6 + c]]));
    return { p: [0, 1, 2].map((i) => state.p[i] + at[i]) as Vec3, r: [0, 1, 2].flatMap((i) => [columns[0][i], columns[1][i], columns[2][i]]) };
  }

  /** Least and largest value of a quantity over all pictures, at a sample of vertices and all vertices of the extreme picture. */
  range(field: Field): [number, number] {
    const key = `${field.kind} ${field.component}`;
    let range = this.ranges.get(key);
    if (!range) this.ranges.set(key, (range = this.found_range(field)));
    return range;
  }

  /** A cloud of points that the machine passes through. */
  cloud(): Vec3[] {
    return (this.points ??= this.found_cloud());
  }

  private found_cloud(): Vec3[] {
    const points: Vec3[] = [];
    const samples = this.machine.bodies.map((body) => body.surfaces.map((surface) => sampled(surface, 60)));
    for (let i = 0; i <= 12; ++i) {
      const states = this.states_at(this.clock.from + ((this.clock.to - this.clock.from) * i) / 12);
      samples.forEach((surfaces, b) => surfaces.forEach((surface) => {
        const x = global_positions(surface, states[b], 1), n = surface.count;
        for (let v = 0; v < n; ++v) points.push([x[v], x[n + v], x[2 * n + v]]);
      }));
    }
    return points;
  }

  private states_of(blend: Blend): BodyState[] {
    const n = this.machine.times.length;
    return this.machine.bodies.map((body) => body_state(body, n, blend));
  }

  private found_range(field: Field): [number, number] {
    let low = Infinity, high = -Infinity, extreme = this.clock.from;
    const include = (values: Float32Array, time: number) => {
      for (const value of values) {
        if (value > high) { high = value; extreme = time; }
        if (value < low) low = value;
      }
    };
    const fields = this.machine.bodies.map((body) => body.surfaces.filter((surface) => has_field(surface, field)));
    const small = fields.map((surfaces) => surfaces.map((surface) => sampled(surface, kSampled)));
    const { instants } = this.clock;
    const step = Math.max(1, Math.floor(instants.length / 400));
    const look = (surfaces: Surface[][], time: number) => {
      const states = this.states_at(time);
      surfaces.forEach((list, b) => list.forEach((surface) => include(field_values(surface, field, states[b], this.starts[b]), time)));
    };
    for (let i = 0; i < instants.length; i += step) look(small, instants[i]);
    look(fields, extreme);
    if (!(high >= low)) return [0, 1];
    if (field.kind !== "stress") low = 0;
    return high > low ? [low, high] : [low, low + 1];
  }
}

/** A surface of at most about `most` vertices, evenly taken, without triangles. */
function sampled(surface: Surface, most: number): Surface {
  if (surface.count <= most) return surface;
  const step = Math.ceil(surface.count / most);
  const kept: number[] = [];
  for (let v = 0; v + 2 < surface.count; v += 3 * step) kept.push(v, v + 1, v + 2);
  return simplified({ ...surface, simple_triangles: Uint32Array.from(kept), feature_edges: null });
}

/** A machine in time. */
export function stage_of_motion(machine: Machine, independent: { name: string; unit: string }): Stage {
  return new Stage(machine, clock_of_times(machine.times, independent.name, independent.unit));
}

/** A machine in one of its modes. */
export function stage_of_mode(machine: Machine, period: { first: number; count: number }): Stage {
  return new Stage(machine, clock_of_period(period.first, period.count));
}
