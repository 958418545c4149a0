// The picture: a renderer below, symbols and names above, and the loop that draws them when something has changed.
import { Field, field_values, global_positions, has_field } from "../data/fields";
import { middle_of, vertex_of } from "../data/part";
import { Surface } from "../data/surface";
import { dot, Vec3 } from "../maths/vectors";
import { element, name_text } from "../ui/dom";
import { round_number, shown, shown_length, with_unit } from "../ui/numbers";
import { on_theme, theme } from "../ui/theme";
import { View } from "../ui/view_state";
import { CameraMatrices, line_of_sight, OrbitCamera, projected } from "./camera";
import { attach_controls } from "./controls";
import { FrameInput, Renderer, Section } from "./frame";
import { Pen } from "./pen";
import { picked_vertex } from "./pick";
import { Stage } from "./stage";
import { draw_axes, draw_scale, draw_symbols, Label } from "./symbols";

/** Above this many vertices the place of the maximum is looked for only while the machine stands. */
const kMarkedWhileMoving = 60_000;
const kDeformation: Field = { kind: "deformation", component: 0, label: "deformation", unit: "m" };
const kMostNames = 120;
/** Pixels from one name to the one below it. */
const kLabelHeight = 17;

export class Viewport {
  readonly root = element("div", { class: "stage", tabindex: 0, role: "img", "aria-label": "the machine in three dimensions" });
  readonly overlay = element("canvas", { class: "overlay" });
  camera: OrbitCamera;
  /** The last picture's input and matrices; null before the first. */
  frame: FrameInput | null = null;
  private readonly labels = element("div", { class: "labels", "aria-hidden": "false" });
  private readonly pool: HTMLElement[] = [];
  private readonly middles = new WeakMap<Surface, Surface>();
  private width = 0;
  private height = 0;
  private dirty = true;
  /** Where the camera stood when all was last made to fit; null before. */
  private fitted: string | null = null;

  constructor(readonly view: View, public stage: Stage, public renderer: Renderer) {
    this.camera = new OrbitCamera(stage.machine.up, stage.machine.size, stage.machine.centre);
    this.root.append(renderer.canvas, this.overlay, this.labels);
    attach_controls(this.overlay, () => this.camera, { changed: () => this.invalidate(), clicked: (x, y) => this.pick(x, y) });
    view.on(null, () => this.invalidate());
    on_theme(() => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(this.root);
  }

  invalidate() {
    this.dirty = true;
  }

  /** Another machine, or the same in one of its modes. */
  show(stage: Stage, renderer: Renderer) {
    if (stage.machine !== this.stage.machine) {
      const { azimuth, elevation } = this.camera;
      this.camera = new OrbitCamera(stage.machine.up, stage.machine.size, stage.machine.centre);
      this.camera.look_along(azimuth, elevation);
    }
    this.stage = stage;
    if (renderer !== this.renderer) {
      this.renderer.canvas.replaceWith(renderer.canvas);
      this.renderer = renderer;
      this.width = 0;
      this.resize();
    }
    this.invalidate();
  }

  fit() {
    const cloud = this.stage.cloud();
    this.camera.fit(cloud.length ? cloud : [this.stage.machine.centre], Math.max(1, this.width), Math.max(1, this.height));
    this.fitted = this.camera.place();
    this.invalidate();
  }

  /** A machine that moves in a plane normal to `up` is looked at more from above. */
  private look_at_plane() {
    const { up } = this.stage.machine, cloud = this.stage.cloud();
    if (cloud.length === 0) return;
    const extent = (axis: Vec3) => {
      const heights = cloud.map((p) => dot(axis, p));
      return heights.reduce((a, b) => Math.max(a, b)) - heights.reduce((a, b) => Math.min(a, b));
    };
    const { right, backward } = this.camera.axes();
    if (extent(up) < 0.3 * Math.max(extent(right), extent(backward))) this.camera.look_along(this.camera.azimuth, 1.0);
  }

  /** Draws if something has changed; returns whether it did. */
  refresh(): boolean {
    if (!this.dirty || this.width === 0) return false;
    this.dirty = false;
    this.draw();
    return true;
  }

  range(): [number, number] {
    const { field, range } = this.view.get();
    return field.kind === "none" ? [0, 1] : range ?? this.stage.range(field);
  }

  section(): Section | null {
    const { section } = this.view.get();
    if (!section) return null;
    const sign = section.flipped ? -1 : 1, { centre, size } = this.stage.machine;
    const normal: Vec3 = [0, 0, 0];
    normal[section.axis] = sign;
    return { normal, offset: sign * (centre[section.axis] + (section.part - 0.5) * size) };
  }

  draw() {
    const state = this.view.get();
    this.stage.set_time(state.time);
    this.camera.perspective = state.perspective;
    this.camera.beyond = state.factor > 1 ? state.factor * this.stage.range(kDeformation)[1] : 0;
    const { background, ink } = theme();
    const camera = this.camera.matrices(this.width, this.height);
    this.frame = { machine: this.stage.machine, states: this.stage.states, starts: this.stage.starts, camera, factor: state.factor, field: state.field, range: this.range(),
                   hidden: state.hidden, transparent: state.transparent, edges: state.edges, ghost: state.ghost, section: this.section(), background, ink };
    this.renderer.draw(this.frame);
    this.draw_overlay(camera);
  }

  private resize() {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width === 0 || height === 0 || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.overlay.width = Math.round(width * ratio);
    this.overlay.height = Math.round(height * ratio);
    this.renderer.resize(width, height);
    if (this.fitted === null) this.look_at_plane();
    if (this.fitted === null || this.fitted === this.camera.place()) this.fit();  // until somebody moves the camera
    this.dirty = true;
    this.refresh();
  }

  private pick(x: number, y: number) {
    if (!this.frame) return;
    this.view.set({ picked: picked_vertex(this.frame, line_of_sight(this.camera, this.frame.camera, x, y)) });
  }

  private draw_overlay(camera: CameraMatrices) {
    const state = this.view.get(), context = this.overlay.getContext("2d")!;
    const ratio = this.overlay.width / this.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    const css = theme().css;
    const pen = new Pen(context, this.camera, camera);
    let labels: Label[] = [];
    if (state.symbols) {
      labels = draw_symbols(pen, this.stage, { joint: css("joint"), drive: css("drive"), spring: css("spring"), contact: css("contact"), support: css("support"), load: css("load"),
        reaction: css("reaction") }, state.hidden_symbols);
    }
    if (!state.names) labels = [];
    else this.stage.machine.bodies.forEach((body, b) => { if (!state.hidden.has(b)) labels.push({ text: body.name, at: this.middle(b), kind: "body" }); });
    this.draw_picked(pen, labels, css);
    if (state.maximum) this.draw_maximum(pen, labels, css);
    draw_axes(pen, [css("axis-x"), css("axis-y"), css("axis-z")], css("ink"));
    const round = round_number(pen.length(90, this.camera.target));
    draw_scale(pen, round, shown_length(round), css("muted"));
    this.place_labels(camera, labels);
  }

  /** A place on a body; its axes may lie elsewhere. */
  private middle(b: number): Vec3 {
    const body = this.stage.machine.bodies[b], state = this.stage.states[b];
    const surface = body.surfaces.find(({ count }) => count > 0);
    if (!surface) return state.p;
    let middle = this.middles.get(surface);
    if (!middle) this.middles.set(surface, (middle = middle_of(surface)));
    return [...global_positions(middle, state, this.view.get().factor)] as Vec3;
  }

  /** The picked vertex, and its way through space. */
  private draw_picked(pen: Pen, labels: Label[], css: (name: string) => string) {
    const { picked, trace, factor } = this.view.get();
    if (!picked || !this.stage.machine.bodies[picked.body]) return;
    const surface = vertex_of(this.stage.machine.bodies[picked.body].surfaces[picked.surface], picked.vertex);
    if (trace) pen.line(this.path(picked.body, surface, factor), css("accent"), 1.2);
    const at = [...global_positions(surface, this.stage.states[picked.body], factor)] as Vec3;
    pen.dot(at, 4.5, css("accent"), css("stage"));
    const { field } = this.view.get();
    const value = has_field(surface, field) ? field_values(surface, field, this.stage.states[picked.body], this.stage.starts[picked.body])[0] : null;
    if (value !== null) labels.push({ text: with_unit(shown(value, 4), field.unit), at, kind: "value" });
  }

  private path(body: number, surface: ReturnType<typeof vertex_of>, factor: number): Vec3[] {
    const { clock } = this.stage, n = Math.min(600, Math.max(32, this.stage.machine.times.length));
    return Array.from({ length: n + 1 }, (_, i) => {
      const state = this.stage.state_of(body, clock.from + ((clock.to - clock.from) * i) / n);
      return [...global_positions(surface, state, factor)] as Vec3;
    });
  }

  /** Marks where the quantity is largest now. */
  private draw_maximum(pen: Pen, labels: Label[], css: (name: string) => string) {
    const { field, playing, hidden, factor } = this.view.get();
    if (field.kind === "none") return;
    const { bodies } = this.stage.machine;
    const total = bodies.reduce((sum, body) => sum + body.surfaces.reduce((n, surface) => n + surface.count, 0), 0);
    if (playing && total > kMarkedWhileMoving) return;
    let best: { value: number; at: Vec3 } | null = null;
    bodies.forEach((body, b) => {
      if (hidden.has(b)) return;
      for (const surface of body.surfaces) {
        if (!has_field(surface, field) || surface.triangles.length === 0) continue;
        const values = field_values(surface, field, this.stage.states[b], this.stage.starts[b]);
        let top = 0;
        for (let v = 1; v < values.length; ++v) if (values[v] > values[top]) top = v;
        if (best && values[top] <= best.value) continue;
        best = { value: values[top], at: [...global_positions(vertex_of(surface, top), this.stage.states[b], factor)] as Vec3 };
      }
    });
    if (!best) return;
    const { value, at } = best as { value: number; at: Vec3 };
    pen.dot(at, 5, "transparent", css("ink"));
    labels.push({ text: `max ${with_unit(shown(value, 4), field.unit)}`, at, kind: "value" });
  }

  private place_labels(camera: CameraMatrices, labels: Label[]) {
    let used = 0;
    const taken: { x: number; y: number; width: number }[] = [];
    for (const label of labels) {
      const pixel = projected(camera, label.at);
      if (!pixel || pixel.x < 0 || pixel.y < 0 || pixel.x > this.width || pixel.y > this.height || used >= kMostNames) continue;
      let shown_label = this.pool[used];
      if (!shown_label) { shown_label = name_text(""); this.pool.push(shown_label); this.labels.append(shown_label); }
      if (shown_label.textContent !== label.text) shown_label.textContent = shown_label.title = label.text;
      shown_label.className = `label ${label.kind}`;
      shown_label.hidden = false;
      const place = { x: Math.round(pixel.x + 10), y: Math.round(pixel.y - 22), width: Math.min(220, 12 + 6.2 * label.text.length) };
      if (place.x + place.width > this.width) place.x = Math.max(0, Math.round(pixel.x) - 10 - place.width);
      const overlaps = (other: typeof place) => Math.abs(other.y - place.y) < kLabelHeight && place.x < other.x + other.width && other.x < place.x + place.width;
      for (let tries = 0; tries < 6 && taken.some(overlaps); ++tries) place.y += kLabelHeight;
      taken.push(place);
      shown_label.style.transform = `translate(${place.x}px, ${place.y}px)`;
      ++used;
    }
    for (let i = used; i < this.pool.length; ++i) this.pool[i].hidden = true;
  }
}
