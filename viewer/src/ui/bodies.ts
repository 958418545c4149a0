// The list of bodies: shown, transparent or hidden; and what has been picked.
import { field_values, global_positions, has_field } from "../data/fields";
import { vertex_of } from "../data/part";
import { PickedCurve } from "../plots/panel";
import { Stage } from "../scene/stage";
import { Viewport } from "../scene/viewport";
import { element, name_text, tick } from "./dom";
import { digits_within, shown, with_unit } from "./numbers";
import { View } from "./view_state";

function changed(set: ReadonlySet<number>, body: number, on: boolean): ReadonlySet<number> {
  const next = new Set(set);
  if (on) next.add(body); else next.delete(body);
  return next;
}

export function body_list(view: View, stage: Stage): HTMLElement {
  const { bodies } = stage.machine, all = bodies.map((_, i) => i);
  const rows = bodies.map((body, index) => {
    const swatch = element("span", { class: "body-colour" });
    swatch.style.background = body.colour;
    const seen = tick(element("span", {}, swatch, name_text(body.name)), !view.get().hidden.has(index), `show ${body.name}`, (on) => view.set({ hidden: changed(view.get().hidden, index, !on) }));
    const faded = tick("transparent", view.get().transparent.has(index), `${body.name} transparent`, (on) => view.set({ transparent: changed(view.get().transparent, index, on) }));
    const update = () => { seen.box.checked = !view.get().hidden.has(index); faded.box.checked = view.get().transparent.has(index); };
    return { row: element("li", {}, seen, element("span", { class: "unit" }, body.type), faded), update };
  });
  // Every choice of the tab makes a new list; one that has left the page listens no longer.
  const stop = view.on(["hidden", "transparent"], () => { if (root.isConnected) rows.forEach(({ update }) => update()); else stop(); });
  const set_all = (key: "hidden" | "transparent", value: number[]) => () => view.set({ [key]: new Set(value) });
  const root = element("section", { class: "bodies" }, element("div", { class: "bar" }, element("button", { type: "button", click: set_all("hidden", []) }, "show all"),
    element("button", { type: "button", click: set_all("hidden", all) }, "hide all"), element("button", { type: "button", click: set_all("transparent", all) }, "all transparent"),
    element("button", { type: "button", click: set_all("transparent", []) }, "all solid")), element("ul", {}, ...rows.map(({ row }) => row)));
  return root;
}

/** What is known of the picked vertex, brought up to date with the instant. */
export function picked_box(view: View, viewport: Viewport): HTMLElement {
  const root = element("div", { class: "picked", hidden: true });
  const update = () => {
    const { picked, field } = view.get();
    const body = picked && viewport.stage.machine.bodies[picked.body];
    root.hidden = !body;
    if (!picked || !body) return;
    const surface = vertex_of(body.surfaces[picked.surface], picked.vertex), state = viewport.stage.state_of(picked.body, view.get().time);
    const x = global_positions(surface, state, 1), { origin, size } = viewport.stage.machine;
    const place = (value: number) => shown(value, digits_within(5, Math.abs(value), size));
    const value = has_field(surface, field) ? with_unit(shown(field_values(surface, field, state, viewport.stage.starts[picked.body])[0]), field.unit) : null;
    root.replaceChildren(name_text(body.name, { class: "strong" }), surface.nodes ? ` node ${surface.nodes[0]}` : "",
      element("div", { class: "number" }, `(${[...x].map((c, i) => place(c + origin[i])).join(", ")}) m`), value ? element("div", {}, `${field.label} `, element("span", { class: "number" }, value)) : "");
  };
  view.on(["picked", "time", "field", "showing"], update);
  return root;
}

/** The picked vertex's quantity (its displacement, if bodies have their own colours) over all pictures, of a mode over its period. */
export function curve_of_picked(view: View, stage: Stage): PickedCurve | null {
  const { picked, field: chosen } = view.get();
  const body = picked && stage.machine.bodies[picked.body];
  if (!picked || !body) return null;
  const surface = vertex_of(body.surfaces[picked.surface], picked.vertex);
  const field = has_field(surface, chosen) ? chosen : { kind: "displacement" as const, component: 0, label: "displacement", unit: "m" };
  const { instants: x, name, unit } = stage.clock;
  const y = Float32Array.from(x, (time) => field_values(surface, field, stage.state_of(picked.body, time), stage.starts[picked.body])[0]);
  const title = `${field.label} of ${body.name}${surface.nodes ? `, node ${surface.nodes[0]}` : ""}`;
  return { curve: { name: title, unit: field.unit, x, y, bounds: null }, axis: { name, unit } };
}
