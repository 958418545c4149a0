// Play, speed, loop, and the instant on a slider; and the keys of the keyboard.
import { Viewport } from "../scene/viewport";
import { button, element, tick } from "./dom";
import { fitting_speed } from "./player";
import { digits_within, shown } from "./numbers";
import { View } from "./view_state";

const kSteps = 10_000;

export function timeline(view: View, viewport: Viewport): { root: HTMLElement; reset(): void } {
  const clock = () => viewport.stage.clock;
  const play = button("\u25b6", "play or pause (space)", () => toggle_play(view, viewport), { class: "play" });
  const slider = element("input", { type: "range", min: 0, max: kSteps, step: 1, class: "instant", "aria-label": "instant" });
  slider.addEventListener("input", () => view.set({ time: clock().from + ((clock().to - clock().from) * Number(slider.value)) / kSteps }));
  const text = element("output", { class: "number time" });
  const speed = element("input", { type: "number", min: 0, step: "any", class: "speed", title: "machine's seconds per second", "aria-label": "speed" });
  speed.addEventListener("change", () => { const value = Number(speed.value); if (value > 0) view.set({ speed: value }); });
  const loop = tick("loop", view.get().loop, "begin again at the end (L)", (on) => view.set({ loop: on }));
  const update = () => {
    const { time, playing, speed: factor, loop: looping } = view.get(), { from, to, unit, name } = clock();
    slider.value = String(to > from ? Math.round((kSteps * (time - from)) / (to - from)) : 0);
    const digits = (few: number) => digits_within(few, Math.max(Math.abs(from), Math.abs(to)), to - from);
    text.textContent = unit === "s" ? `${shown(time, digits(5))} s` : `${name} ${shown(time, digits(4))}`;
    play.textContent = playing ? "\u2759\u2759" : "\u25b6";
    speed.value = String(Number(factor.toPrecision(3)));
    loop.box.checked = looping;
  };
  view.on(["time", "playing", "speed", "loop", "showing"], update);
  const root = element("div", { class: "timeline" }, button("|\u25c0", "to the start (Home)", () => view.set({ time: clock().from })), play, slider, text,
                       element("label", { class: "tool" }, "speed ", speed), loop);
  return {
    root,
    reset() {
      const { from, to, unit } = clock();
      view.set({ time: from, speed: unit === "periods" ? 0.7 : fitting_speed(to - from) });
      root.classList.toggle("still", !(to > from));
      update();
    },
  };
}

export function toggle_play(view: View, viewport: Viewport) {
  const { playing, time, loop } = view.get(), { from, to } = viewport.stage.clock;
  view.set({ playing: !playing && to > from, ...(!playing && !loop && time >= to ? { time: from } : {}) });
}

/** Keys, unless something is being written. */
export function attach_keys(view: View, viewport: Viewport) {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY|PRE)$/.test(target.tagName)) return;
    const state = view.get(), { from, to, instants } = viewport.stage.clock;
    const step = (to - from) / Math.max(1, instants.length - 1);
    const to_time = (time: number) => view.set({ time: Math.max(from, Math.min(to, time)), playing: false });
    const turn = (dx: number, dy: number) => { viewport.camera.orbit(dx, dy); viewport.invalidate(); };
    const actions: Record<string, () => void> = {
      " ": () => toggle_play(view, viewport), ArrowRight: () => to_time(state.time + step * (event.shiftKey ? 10 : 1)), ArrowLeft: () => to_time(state.time - step * (event.shiftKey ? 10 : 1)),
      Home: () => to_time(from), End: () => to_time(to), ArrowUp: () => turn(0, 0.1), ArrowDown: () => turn(0, -0.1),
      "+": () => { viewport.camera.zoom(0.85); viewport.invalidate(); }, "-": () => { viewport.camera.zoom(1.18); viewport.invalidate(); },
      f: () => viewport.fit(), l: () => view.set({ loop: !state.loop }), p: () => view.set({ perspective: !state.perspective }), g: () => view.set({ ghost: !state.ghost }),
      s: () => view.set({ symbols: !state.symbols }), n: () => view.set({ names: !state.names }), Escape: () => view.set({ picked: null }),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
