// What the picture shows: views, quantity, enlargement, edges, symbols, section, picture and film.
import { Field } from "../data/fields";
import { Stage } from "../scene/stage";
import { Viewport } from "../scene/viewport";
import { button, choice, element, tick } from "./dom";
import { Film, save_picture } from "./film";
import { kNoField, View, ViewState } from "./view_state";

const kViews: [string, string, number, number][] = [
  ["iso", "oblique view", -Math.PI / 3, 0.42], ["x", "along x", 0, 0], ["y", "along y", -Math.PI / 2, 0], ["z", "along z, from above", -Math.PI / 2, Math.PI / 2]];

/** The quantities that a machine has. */
export function fields_of({ machine, clock }: Stage): Field[] {
  const fields: Field[] = [kNoField];
  const surfaces = machine.bodies.flatMap((body) => body.surfaces);
  if (surfaces.some((surface) => surface.shapes.length)) fields.push({ kind: "deformation", component: 0, label: "deformation", unit: "m" });
  fields.push({ kind: "displacement", component: 0, label: "displacement", unit: "m" });
  // A mode has a phase, no time.
  if (clock.unit !== "periods") fields.push({ kind: "velocity", component: 0, label: "velocity", unit: clock.unit === "s" ? "m/s" : `m per ${clock.name}` });
  const stress = surfaces.find((surface) => surface.stress)?.stress;
  if (stress) {
    fields.push({ kind: "mises", component: 0, label: "von Mises stress", unit: stress.unit });
    stress.components.forEach((name, component) => fields.push({ kind: "stress", component, label: `stress ${name}`, unit: stress.unit }));
  }
  return fields;
}

/** Enlargement from 1 to 1000 on a slider of logarithms, 1, 2, 5 ... */
function factor_control(view: View): HTMLElement {
  const factors = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  const text = element("output", { class: "number" });
  const slider = element("input", { type: "range", min: 0, max: factors.length - 1, step: 1, title: "deformation, enlarged", "aria-label": "enlargement of the deformation" });
  slider.addEventListener("input", () => view.set({ factor: factors[Number(slider.value)] }));
  const update = () => {
    const { factor } = view.get();
    text.textContent = `\u00d7${factor}`;
    slider.value = String(Math.max(0, factors.findIndex((value) => value >= factor)));
  };
  view.on(["factor"], update);
  update();
  return element("label", { class: "tool" }, "deformation ", slider, text);
}

function section_control(view: View): HTMLElement {
  const axis = choice([{ value: "", label: "none" }, { value: "0", label: "x" }, { value: "1", label: "y" }, { value: "2", label: "z" }], "", "plane that cuts the bodies open, normal to an axis", (value) => {
    const before = view.get().section;
    view.set({ section: value === "" ? null : { axis: Number(value) as 0 | 1 | 2, part: before?.part ?? 0.5, flipped: before?.flipped ?? false } });
  });
  const slider = element("input", { type: "range", min: 0, max: 1, step: 0.005, value: 0.5, title: "place of the section", "aria-label": "place of the section", hidden: true });
  slider.addEventListener("input", () => { const { section } = view.get(); if (section) view.set({ section: { ...section, part: Number(slider.value) } }); });
  const flip = button("\u21c4", "the other side", () => { const { section } = view.get(); if (section) view.set({ section: { ...section, flipped: !section.flipped } }); }, { hidden: true });
  view.on(["section"], () => { slider.hidden = flip.hidden = view.get().section === null; });
  return element("label", { class: "tool" }, "section ", axis, slider, flip);
}

function toggle(view: View, key: "ghost" | "symbols" | "names" | "trace" | "maximum", label: string, title: string): HTMLElement {
  const made = tick(label, view.get()[key], title, (on) => view.set({ [key]: on } as Partial<ViewState>));
  view.on([key], () => { made.box.checked = view.get()[key]; });
  return made;
}

export function toolbar(view: View, viewport: Viewport, file: string): { root: HTMLElement; set_stage(stage: Stage): void } {
  let fields: Field[] = [kNoField];
  const colour = element("select", { title: "what colours the bodies", "aria-label": "what colours the bodies" });
  colour.addEventListener("change", () => view.set({ field: fields[Number(colour.value)], range: null }));
  view.on(["field"], () => { colour.value = String(Math.max(0, fields.findIndex(({ label }) => label === view.get().field.label))); });
  const edges = choice<ViewState["edges"]>([{ value: "none", label: "no edges" }, { value: "features", label: "edges" }, { value: "elements", label: "elements" }], "features", "edges that are drawn", (value) => view.set({ edges: value }));
  view.on(["edges"], () => { edges.value = view.get().edges; });
  const views = element("span", { class: "group" }, ...kViews.map(([label, title, azimuth, elevation]) =>
    button(label, title, () => { viewport.camera.look_along(azimuth, elevation); viewport.fit(); })), button("fit", "show everything (F)", () => viewport.fit()));
  const perspective = tick("perspective", true, "perspective, or parallel lines (P)", (on) => view.set({ perspective: on }));
  view.on(["perspective"], () => { perspective.box.checked = view.get().perspective; });
  const film = new Film(view, viewport, file);
  const more = element("details", { class: "menu" }, element("summary", {}, "show"), element("div", { class: "menu-list" },
    toggle(view, "symbols", "symbols", "joints, drives, springs, contacts, supports, loads (S)"), toggle(view, "names", "names", "names of bodies, joints and loads (N)"),
    toggle(view, "ghost", "undeformed ghost", "bodies without their deformation (G)"), toggle(view, "trace", "trace of the picked point", "way of the picked point through space"),
    toggle(view, "maximum", "largest value", "mark where the quantity is largest"), perspective));
  const root = element("div", { class: "toolbar", role: "toolbar" }, views, element("label", { class: "tool" }, "colour ", colour), factor_control(view), edges, section_control(view), more,
    element("span", { class: "group" }, button("picture", "save a picture (PNG)", () => { void save_picture(viewport, file); }), film.button));
  return {
    root,
    set_stage(stage: Stage) {
      fields = fields_of(stage);
      colour.replaceChildren(...fields.map(({ label }, i) => element("option", { value: i }, label)));
      if (!fields.some(({ label }) => label === view.get().field.label)) view.set({ field: kNoField, range: null });
      colour.value = String(fields.findIndex(({ label }) => label === view.get().field.label));
    },
  };
}
