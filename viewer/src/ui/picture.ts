// The left half of the page: the machine, what it shows, and its clock. It follows the run and the mode that are chosen.
import { Machine } from "../data/motion";
import { LinearEntry } from "../data/manifest";
import { Renderer } from "../scene/frame";
import { Stage, stage_of_mode, stage_of_motion } from "../scene/stage";
import { Viewport } from "../scene/viewport";
import { webgl_context, WebGLView } from "../scene/webgl";
import { SoftwareView } from "../software/view";
import { wishes_of_address } from "./address";
import { button, element } from "./dom";
import { legend_of } from "./legend";
import { picked_box } from "./bodies";
import { symbol_key } from "./symbol_key";
import { Player } from "./player";
import { attach_keys, timeline } from "./timeline";
import { fields_of, toolbar } from "./toolbar";
import { kNoField, View } from "./view_state";

/** `#webgl` takes WebGL even where the browser computes it in software, `#software` never takes it. */
function new_renderer(machine: Machine): Renderer {
  const wish = wishes_of_address().renderer;
  const canvas = element("canvas", { class: "picture" });
  const context = wish === "software" ? null : webgl_context(canvas, wish === "webgl");
  if (context) {
    try {
      return new WebGLView(canvas, context, machine);
    } catch (error) {
      console.info("WebGL gave up:", error);
    }
  }
  return new SoftwareView(element("canvas", { class: "picture" }), machine);
}

export class Picture {
  readonly root = element("section", { class: "machine" });
  readonly viewport: Viewport;
  readonly player: Player;
  private readonly renderers = new Map<Machine, Renderer>();
  private readonly note = element("p", { class: "stage-note", hidden: true });
  private readonly tools: ReturnType<typeof toolbar>;
  private readonly clock: ReturnType<typeof timeline>;
  private readonly back: HTMLButtonElement;
  private readonly key: ReturnType<typeof symbol_key>;

  constructor(private readonly view: View, stage: Stage, file: string, on_back: () => void) {
    this.viewport = new Viewport(view, stage, this.renderer_of(stage.machine));
    this.tools = toolbar(view, this.viewport, file);
    this.clock = timeline(view, this.viewport);
    this.back = button("\u2190 motion", "back to the motion", on_back, { class: "back", hidden: true });
    this.key = symbol_key(view, () => this.viewport.stage);
    this.viewport.root.append(legend_of(view, this.viewport), this.back, picked_box(view, this.viewport), this.key.root, this.note);
    this.root.append(this.tools.root, this.viewport.root, this.clock.root);
    this.player = new Player(view, this.viewport);
    attach_keys(view, this.viewport);
    this.tools.set_stage(stage);
    this.key.update();
    this.clock.reset();
    this.say_how();
    this.grant_wishes();
  }

  /** What the address asks for at the start. */
  private grant_wishes() {
    const { time, part, factor, colour, names, ghost, edges } = wishes_of_address(), { clock } = this.viewport.stage;
    const instant = time ?? (part !== null ? clock.from + part * (clock.to - clock.from) : clock.from);
    this.view.set({ time: Math.max(clock.from, Math.min(clock.to, instant)), factor: factor ?? 1, names, ghost, edges: edges ? "features" : "none",
                    field: fields_of(this.viewport.stage).find(({ label }) => label === colour) ?? kNoField });
  }

  show(stage: Stage, title: string | null) {
    const other = stage.machine !== this.viewport.stage.machine;
    this.view.set({ picked: null, ...(other ? { field: kNoField, range: null, hidden: new Set<number>(), transparent: new Set<number>() } : {}) });
    this.viewport.show(stage, this.renderer_of(stage.machine));
    this.tools.set_stage(stage);
    this.key.update();
    this.clock.reset();
    this.back.hidden = title === null;
    this.say_how(title);
    if (other) this.viewport.fit();
  }

  private renderer_of(machine: Machine): Renderer {
    let renderer = this.renderers.get(machine);
    if (!renderer) this.set_renderer(machine, (renderer = new_renderer(machine)));
    return renderer;
  }

  /** A browser may take WebGL away at any time, and shapes are no longer in our memory then: we go on without. */
  private set_renderer(machine: Machine, renderer: Renderer) {
    this.renderers.set(machine, renderer);
    renderer.canvas.addEventListener("webglcontextlost", () => {
      this.renderers.set(machine, new SoftwareView(element("canvas", { class: "picture" }), machine));
      const { stage } = this.viewport;
      if (stage.machine !== machine) return;
      this.viewport.show(stage, this.renderer_of(machine));
      this.say_how();
    });
  }

  private say_how(title: string | null = null) {
    const software = this.viewport.renderer.kind === "software";
    const simple = this.viewport.stage.machine.bodies.some((body) => body.surfaces.some((surface) => surface.simple_triangles));
    const sentences = [title, software ? `Drawn without WebGL${simple ? ", by simplified surfaces" : ""}.` : null].filter(Boolean);
    this.note.hidden = sentences.length === 0;
    this.note.textContent = sentences.join("  \u00b7  ");
  }
}

/** The stage of a mode of `linear`, on the machine of its pictures. */
export function mode_stage(machine: Machine, linear: LinearEntry, row: number): Stage | null {
  const period = linear.periods?.find((candidate) => candidate.row === row);
  return period ? stage_of_mode(machine, period) : null;
}

export const motion_stage = (machine: Machine, independent: { name: string; unit: string }): Stage => stage_of_motion(machine, independent);
