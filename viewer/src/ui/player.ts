// The animation's clock: moves the instant while it plays, and measures how long pictures take.
import { Viewport } from "../scene/viewport";
import { View } from "./view_state";

/** Above this time of a picture, ms, the simplified surfaces are drawn while the machine moves. */
const kSlowPicture = 50;

export class Player {
  /** Median time of the last pictures while playing, ms. */
  frame_time = 0;
  private readonly recent: number[] = [];
  private last = 0;
  private coarse = false;

  constructor(private readonly view: View, private readonly viewport: Viewport) {
    view.on(["playing"], () => { if (!view.get().playing) this.set_coarse(false); });
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number) {
    requestAnimationFrame((next) => this.tick(next));
    const step = this.last ? now - this.last : 0;
    this.last = now;
    const { playing } = this.view.get();
    if (playing && step > 0) {
      this.advance(Math.min(step, 250) / 1000);
      this.measure(step);
    }
    this.viewport.refresh();
  }

  private advance(seconds: number) {
    const { time, speed, loop } = this.view.get(), { from, to } = this.viewport.stage.clock;
    let next = time + seconds * speed;
    if (next >= to) {
      if (!loop) return this.view.set({ time: to, playing: false });
      next = to > from ? from + ((next - from) % (to - from)) : from;
    }
    this.view.set({ time: next });
  }

  private measure(step: number) {
    this.recent.push(step);
    if (this.recent.length < 12) return;
    this.frame_time = this.recent.sort((a, b) => a - b)[6];
    this.recent.length = 0;
    if (this.frame_time > kSlowPicture && !this.coarse) this.set_coarse(true);
  }

  private set_coarse(coarse: boolean) {
    this.coarse = coarse;
    this.viewport.renderer.set_coarse(coarse);
    this.viewport.invalidate();
  }
}

/** A speed at which the whole motion takes about eight seconds, one of 1, 2, 5 times a power of ten. */
export function fitting_speed(duration: number): number {
  const wanted = duration / 8;
  if (!(wanted > 0)) return 1;
  if (wanted > 0.5 && wanted < 2) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const mantissa = wanted / power;
  return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}
