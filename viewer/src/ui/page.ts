// The page: head, the machine on the left, tabs on the right, a border between them that can be moved.
import { Arrays } from "../data/decode";
import { History } from "../data/history";
import { Manifest, RunEntry } from "../data/manifest";
import { decoded_machine, Machine } from "../data/motion";
import { linear_panel, mode_title } from "../linear/panel";
import { sweep_panel } from "../linear/sweep";
import { PlotPanel } from "../plots/panel";
import { Stage } from "../scene/stage";
import { composed } from "./film";
import { model_panel, table_panel } from "../tables/panel";
import { about_panel } from "./about";
import { wishes_of_address } from "./address";
import { body_list, curve_of_picked } from "./bodies";
import { choice, element, name_text } from "./dom";
import { mode_stage, motion_stage, Picture } from "./picture";
import { set_theme } from "./theme";
import { new_view } from "./view_state";

const kTime = { name: "time", unit: "s" };

export class Page {
  readonly view = new_view();
  picture: Picture | null = null;
  plots: PlotPanel | null = null;
  stage: Stage | null = null;
  private readonly root = element("div", { class: "page" });
  private readonly head = element("header");
  private readonly banner = element("div", { class: "banner", hidden: true, role: "alert" });
  private readonly left = element("div", { class: "left" });
  private readonly tabs = element("nav", { class: "tabs", role: "tablist" });
  private readonly panel = element("div", { class: "panel" });
  private readonly machines = new Map<number, Promise<Machine>>();
  private readonly histories = new Map<number, History>();
  private chosen_tab = "";
  private current = 0;

  constructor(private readonly manifest: Manifest, private readonly arrays: Arrays) {
    const right = element("div", { class: "right" }, this.tabs, this.panel);
    this.root.append(this.head, this.banner, this.left, this.divider(right), right);
    this.view.on(["picked", "field"], () => this.plots?.show_picked(this.stage && curve_of_picked(this.view, this.stage)));
    this.print_pictures();
  }

  async mount(place: HTMLElement) {
    this.root.classList.toggle("still", wishes_of_address().still);
    place.replaceChildren(this.root);
    document.documentElement.classList.add("with-script");
    await this.open(0);
  }

  /** Shows a run: its machine, if it has one, and its tabs. */
  async open(index: number) {
    this.current = index;
    const run = this.manifest.runs[index];
    this.fill_head(run);
    this.banner.hidden = !(run.message || run.status === "failed" || run.status === "stopped" || run.status === "running" || run.status === "doubtful");
    this.banner.replaceChildren(element("strong", {}, run.status), " ", name_text(run.message || this.status_sentence(run.status)));
    const machine = await this.machine(index);
    this.stage = machine && machine.times.length ? motion_stage(machine, run.independent ?? kTime) : null;
    this.view.set({ showing: "motion", playing: false, picked: null });
    this.plots?.follow(this.number_in_plots(index));
    if (this.stage) this.show_stage(this.stage, null);
    else if (run.linear?.scene && run.linear.periods?.length) await this.animate(run.linear.periods[0].row);
    this.root.classList.toggle("without-machine", !this.picture || (!this.stage && !run.linear?.scene));
    this.build_tabs(run, machine);
  }

  machine(index: number): Promise<Machine | null> {
    const scene = this.manifest.runs[index].scene;
    if (!scene) return Promise.resolve(null);
    let machine = this.machines.get(index);
    if (!machine) this.machines.set(index, (machine = decoded_machine(this.arrays, scene)));
    return machine;
  }

  private status_sentence(status: string): string {
    if (status === "running") return "This run has not ended yet; the report shows what it has written so far.";
    if (status === "stopped") return "This run did not end; the report shows what it wrote.";
    return status === "doubtful" ? "The run is complete, but its results are doubtful: see the tables." : "";
  }

  private show_stage(stage: Stage, title: string | null) {
    this.stage = stage;
    if (this.picture) return this.picture.show(stage, title);
    const file = (this.manifest.title || "solidyn").replace(/[^\w.-]+/g, "_").slice(0, 60);
    this.picture = new Picture(this.view, stage, file, () => { void this.open(this.current); });
    this.left.replaceChildren(this.picture.root);
  }

  private async animate(row: number) {
    const { linear } = this.manifest.runs[this.current];
    if (!linear?.scene) return;
    const key = -1 - this.current;
    let machine = this.machines.get(key);
    if (!machine) this.machines.set(key, (machine = decoded_machine(this.arrays, linear.scene)));
    const stage = mode_stage(await machine, linear, row);
    if (!stage) return;
    this.show_stage(stage, mode_title(linear.modes?.[row] ?? { mode: row + 1, frequency: null }));
    this.view.set({ showing: "modes", mode: row, playing: true, loop: true });
  }

  /** The title of the chosen run's model; the report's is that of its first run. */
  private title_of(run: RunEntry): string {
    const own = run.summary?.title;
    return (run === this.manifest.runs[0] && this.manifest.title) || (typeof own === "string" && own) || run.name;
  }

  private fill_head(run: RunEntry) {
    const runs = this.manifest.runs;
    const pick = runs.length > 1 ? choice(runs.map(({ name }, i) => ({ value: String(i), label: name })), String(this.current), "run", (value) => { void this.open(Number(value)); }) : null;
    const themes = choice<"" | "light" | "dark">([{ value: "", label: "system" }, { value: "light", label: "light" }, { value: "dark", label: "dark" }],
      (document.documentElement.dataset.theme ?? "") as "" | "light" | "dark", "colours of the page", set_theme);
    this.head.replaceChildren(element("h1", {}, name_text(this.title_of(run))), element("span", { class: `status ${run.status}` }, run.status),
                              pick ?? "", element("span", { class: "spring" }), themes, element("span", { class: "brand" }, "Solidyn"));
  }

  private build_tabs(run: RunEntry, machine: Machine | null) {
    const entries: [string, () => HTMLElement][] = [];
    if (run.history) entries.push(["Plots", () => (this.plots ??= this.new_plots()).root]);
    if (this.picture && this.stage) entries.push(["Bodies", () => body_list(this.view, this.stage!)]);
    entries.push(["Tables", () => table_panel(run, machine, this.manifest.notes ?? [])]);
    if (run.linear) entries.push(["Linear", () => linear_panel(this.arrays, run.linear!, run.linear!.scene ? (row) => { void this.animate(row); } : null)]);
    if (run.sweep) entries.push(["Sweep", () => sweep_panel(run.sweep!, (index) => { void this.open(index); })]);
    entries.push(["Model", () => model_panel(run)], ["About", () => about_panel(this.manifest)]);
    const choose = (name: string) => {
      this.chosen_tab = name;
      for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.textContent === name));
      this.panel.replaceChildren(entries.find(([entry]) => entry === name)![1]());
      this.panel.scrollTop = 0;
    };
    this.tabs.replaceChildren(...entries.map(([name]) => element("button", { type: "button", role: "tab", click: () => choose(name) }, name)));
    const first = run.sweep ? "Sweep" : run.history ? "Plots" : run.linear ? "Linear" : "Tables";
    choose(entries.some(([name]) => name === this.chosen_tab) ? this.chosen_tab : first);
  }

  private runs_in_plots() {
    return this.manifest.runs.map((run, index) => ({ run, index })).filter(({ run }) => run.history);
  }

  private number_in_plots(index: number): number {
    return this.runs_in_plots().findIndex((entry) => entry.index === index);
  }

  private new_plots(): PlotPanel {
    const of_panel = this.runs_in_plots().map(({ run, index }) => {
      let history = this.histories.get(index);
      if (!history) this.histories.set(index, (history = new History(this.arrays, run.history!)));
      return { name: run.name, history, independent: run.independent ?? kTime };
    });
    const move = (time: number) => {
      const clock = this.stage?.clock;
      this.view.set({ time: clock ? Math.max(clock.from, Math.min(clock.to, time)) : time });
    };
    return new PlotPanel(of_panel, this.view, this.number_in_plots(this.current), move);
  }

  /** The border between the halves. */
  private divider(right: HTMLElement): HTMLElement {
    const bar = element("div", { class: "divider", role: "separator", "aria-orientation": "vertical", title: "drag to move the border" });
    bar.addEventListener("pointerdown", (down) => {
      bar.setPointerCapture(down.pointerId);
      const width = right.clientWidth;
      const move = (event: PointerEvent) => {
        const wanted = Math.max(280, Math.min(this.root.clientWidth - 320, width + down.clientX - event.clientX));
        this.root.style.setProperty("--right", `${wanted}px`);
      };
      bar.addEventListener("pointermove", move);
      bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
    });
    return bar;
  }

  /** On paper the picture is an image, and all tables follow. */
  private print_pictures() {
    const printed = element("div", { class: "printed" });
    this.root.append(printed);
    window.addEventListener("beforeprint", () => {
      const run = this.manifest.runs[this.current];
      printed.replaceChildren(this.chosen_tab === "Tables" ? "" : table_panel(run, null, this.manifest.notes ?? []));
      if (!this.picture) return;
      const image = element("img", { src: composed(this.picture.viewport).toDataURL("image/png"), alt: "the machine" });
      printed.prepend(image);
    });
  }
}
