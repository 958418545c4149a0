// The scale of colours over the picture: quantity, unit, limits that can be written by hand.
import { css_gradient } from "../colour/palette";
import { Viewport } from "../scene/viewport";
import { button, element } from "./dom";
import { shown } from "./numbers";
import { View } from "./view_state";

const kTicks = 5;

export function legend_of(view: View, viewport: Viewport): HTMLElement {
  const title = element("div", { class: "legend-title" });
  const ramp = element("div", { class: "legend-ramp" });
  ramp.style.background = css_gradient();
  const ticks = element("div", { class: "legend-ticks" });
  const input = (name: string) => element("input", { type: "number", step: "any", "aria-label": name, title: name });
  const low = input("lower limit"), high = input("upper limit");
  const set = () => {
    const [a, b] = [Number(low.value), Number(high.value)];
    if (low.value !== "" && high.value !== "" && Number.isFinite(a) && Number.isFinite(b) && b > a) view.set({ range: [a, b] });
  };
  low.addEventListener("change", set);
  high.addEventListener("change", set);
  const automatic = button("run", "limits of the whole run", () => view.set({ range: null }));
  const limits = element("details", { class: "legend-limits" }, element("summary", {}, "limits"), element("div", {}, high, low, automatic));
  const root = element("div", { class: "legend", hidden: true }, title, element("div", { class: "legend-body" }, ramp, ticks), limits);
  const update = () => {
    const { field } = view.get();
    root.hidden = field.kind === "none";
    if (root.hidden) return;
    const [a, b] = viewport.range();
    title.textContent = field.unit ? `${field.label} [${field.unit}]` : field.label;
    ticks.replaceChildren(...Array.from({ length: kTicks }, (_, i) => element("span", {}, shown(b + ((a - b) * i) / (kTicks - 1), 3))));
    low.value = String(Number(a.toPrecision(4)));
    high.value = String(Number(b.toPrecision(4)));
  };
  view.on(["field", "range", "showing", "mode"], update);
  update();
  return root;
}
