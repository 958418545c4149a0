// What tests ask the page, as window.solidyn: the numbers behind the picture.
import { field_values, Field, global_positions } from "../data/fields";
import { bounds_at, History } from "../data/history";
import { Arrays } from "../data/decode";
import { Manifest } from "../data/manifest";
import { projected } from "../scene/camera";
import { clock_of_times } from "../data/clock";
import { body_state } from "../data/motion";
import { Page } from "./page";

export function install_hook(page: Page, manifest: Manifest, arrays: Arrays) {
  const machine_of = async (run: number) => {
    const machine = await page.machine(run);
    if (!machine) throw new Error(`run ${run} has no machine`);
    return machine;
  };
  const state_of = async (run: number, body: number, time: number) => {
    const machine = await machine_of(run);
    return body_state(machine.bodies[body], machine.times.length, clock_of_times(machine.times, "time", "s").blend(time));
  };
  const hook = {
    view: page.view,
    renderer: () => page.picture?.viewport.renderer.kind ?? null,
    frame_time: () => page.picture?.player.frame_time ?? null,
    camera: () => page.picture?.viewport.camera ?? null,
    /** Milliseconds of `n` pictures one after the other, at instants spread over the run. */
    async time_pictures(n: number): Promise<number[]> {
      const viewport = page.picture!.viewport, { from, to } = viewport.stage.clock, times: number[] = [];
      for (let i = 0; i < n; ++i) {
        page.view.set({ time: from + ((to - from) * (i + 0.5)) / n });
        const begin = performance.now();
        viewport.draw();
        times.push(performance.now() - begin);
      }
      return times;
    },
    draw: () => page.picture?.viewport.draw(),
    times: async (run = 0) => [...(await machine_of(run)).times],
    bodies: async (run = 0) => (await machine_of(run)).bodies.map((body) => ({ name: body.name, meshes: body.surfaces.length, coordinates: body.n_coordinates })),
    /** Node numbers by vertex. */
    nodes: async (run: number, body: number, mesh: number) => [...((await machine_of(run)).bodies[body].surfaces[mesh].nodes ?? [])],
    triangles: async (run: number, body: number, mesh: number) => [...(await machine_of(run)).bodies[body].surfaces[mesh].triangles],
    /** Global positions [3, V], m. */
    positions: async (run: number, body: number, mesh: number, time: number) => {
      const machine = await machine_of(run), x = global_positions(machine.bodies[body].surfaces[mesh], await state_of(run, body, time), 1);
      return Array.from(x, (value, i) => value + machine.origin[Math.floor((3 * i) / x.length)]);
    },
    values: async (run: number, body: number, mesh: number, time: number, field: Field) =>
      [...field_values((await machine_of(run)).bodies[body].surfaces[mesh], field, await state_of(run, body, time), await state_of(run, body, (await machine_of(run)).times[0]))],
    /** The same of the machine on stage at the instant shown, of modes too. */
    values_on_stage: (body: number, mesh: number, field: Field) => {
      const stage = page.stage!;
      return [...field_values(stage.machine.bodies[body].surfaces[mesh], field, stage.state_of(body, page.view.get().time), stage.starts[body])];
    },
    /** Axes of the diagrams, from the top, and what is seen of them. */
    plots: () => page.plots?.axes() ?? [],
    range: () => page.picture?.viewport.range() ?? null,
    /** Where a global point is in the picture, px of the style sheet; null behind the eye. */
    pixel(point: number[]) {
      const frame = page.picture?.viewport.frame;
      return frame ? projected(frame.camera, point.map((value, i) => value - frame.machine.origin[i])) : null;
    },
    joints: () => page.picture?.viewport.stage.machine.joints.map((joint) => ({ name: joint.name, type: joint.type, at: page.picture!.viewport.stage.frame_pose(joint.frames[0]).p.map((value, i) => value + page.picture!.viewport.stage.machine.origin[i]) })) ?? [],
    /** The value at x; of a curve in buckets the least and the largest of the bucket. */
    async history(run: number, column: string, x: number) {
      const entry = manifest.runs[run].history;
      if (!entry) return null;
      const curve = await new History(arrays, entry).curve(column), bounds = bounds_at(curve, x);
      return curve.bounds ? bounds : bounds[0];
    },
  };
  (window as unknown as { solidyn: typeof hook }).solidyn = hook;
}
