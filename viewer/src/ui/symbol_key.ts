// What the symbols mean: one line a family, to be switched, and how long the arrows are.
import { Stage } from "../scene/stage";
import { families_of, largest_vector, SymbolColours } from "../scene/symbols";
import { element, tick } from "./dom";
import { shown } from "./numbers";
import { View } from "./view_state";

const kWords: Record<keyof SymbolColours, string> = { joint: "joints", drive: "drives", spring: "springs, dampers, forces", contact: "contacts", load: "loads", support: "supports",
                                                     reaction: "reactions of joints" };

export function symbol_key(view: View, stage_of: () => Stage): { root: HTMLElement; update(): void } {
  const list = element("div", {}), root = element("details", { class: "symbol-key", open: window.innerHeight > 600 }, element("summary", {}, "symbols"), list);
  const change = (family: string, on: boolean) => {
    const hidden = new Set(view.get().hidden_symbols);
    if (on) hidden.delete(family); else hidden.add(family);
    view.set({ hidden_symbols: hidden });
  };
  const update = () => {
    const stage = stage_of(), families = families_of(stage), units = new Set<string>();
    root.hidden = !view.get().symbols || families.size === 0;
    if (root.hidden) return;
    list.replaceChildren(...(Object.keys(kWords) as (keyof SymbolColours)[]).filter((family) => families.has(family)).map((family) => {
      for (const unit of families.get(family)!) units.add(unit);
      const swatch = element("span", { class: "body-colour" });
      swatch.style.background = `var(--${family})`;
      return tick(element("span", {}, swatch, kWords[family]), !view.get().hidden_symbols.has(family), `show ${kWords[family]}`, (on) => change(family, on));
    }), ...[...units].map((unit) => element("div", { class: "unit" }, `longest arrow: ${shown(largest_vector(stage, unit), 3)} ${unit}`)));
  };
  view.on(["symbols", "hidden_symbols"], update);
  return { root, update };
}
