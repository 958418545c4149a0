// The panel of curves: which columns of which runs, over time, over each other, or as spectra.
import { interval } from "../data/clock";
import { Curve, History } from "../data/history";
import { spectrum } from "../maths/fft";
import { choice, element, name_text, tick } from "../ui/dom";
import { on_theme, theme } from "../ui/theme";
import { View, ViewState } from "../ui/view_state";
import { Chart, ChartSettings, Line } from "./chart";
import { PlaneChart, PlaneCurve, PlaneSettings } from "./plane_chart";

export interface RunOfPanel { name: string; history: History; independent: { name: string; unit: string } }

/** Of a vertex, over what the clock of the picture counts. */
export interface PickedCurve { curve: Curve; axis: { name: string; unit: string } }

interface Column { key: string; name: string; unit: string }
/** Columns of one name and unit are one, in whatever runs they are. */
const key_of = ({ name, unit }: { name: string; unit: string }) => `${name}\u0000${unit}`;
const label_of_axis = ({ name, unit }: { name: string; unit: string }) => (unit === "1" || !unit ? name : `${name} [${unit}]`);

interface Selected { run: RunOfPanel; curve: Curve; line: Omit<Line, "x" | "y"> }
type Manner = "time" | "xy" | "spectrum";
const kDashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];
const kHeight = 190;
/** Curves that are shown before anyone has chosen. */
const kFirstShown = 8;

const label_of_unit = (unit: string) => (unit === "1" || unit === "" ? "\u2013" : unit.replace(/\^2\b/g, "\u00b2").replace(/\^3\b/g, "\u00b3"));

export class PlotPanel {
  readonly root = element("section", { class: "plots" });
  private readonly charts = element("div", { class: "charts" });
  private readonly note = element("p", { class: "note" });
  private shown: (Chart | PlaneChart)[] = [];
  private extra: PickedCurve | null = null;
  private readonly columns: Column[];
  private readonly selected = new Set<string>();
  private readonly chosen_runs: Set<number>;
  private manner: Manner = "time";
  private abscissa: string;
  private generation = 0;

  constructor(private readonly runs: RunOfPanel[], private readonly view: View, private current: number, private readonly move: (time: number) => void) {
    this.chosen_runs = new Set(runs.length > 1 ? runs.keys() : [current]);
    const by_key = new Map<string, Column>();
    for (const { history } of runs) for (const { name, unit } of history.columns) by_key.set(key_of({ name, unit }), { key: key_of({ name, unit }), name, unit });
    this.columns = [...by_key.values()];
    this.columns.slice(0, kFirstShown).forEach(({ key }) => this.selected.add(key));
    this.abscissa = this.columns[0]?.key ?? "";
    this.root.append(this.controls(), this.note, this.charts);
    if (this.columns.length === 0) this.charts.append(element("p", { class: "empty" }, "This run has no history columns: add sensors to the model."));
    view.on(["time", "showing"], () => { for (const chart of this.shown) chart.refresh(); });
    on_theme(() => { void this.build(); });
    void this.build();
  }

  /** Another run's machine is shown (number in `runs`, -1: of none with curves): the instant goes to the diagrams over what its pictures stand over. */
  follow(current: number) {
    if (current === this.current) return;
    this.current = current;
    void this.build();
  }

  /** The curve of the picked vertex, above the others; null removes it. */
  show_picked(extra: PickedCurve | null) {
    if (!extra && !this.extra) return;
    this.extra = extra;
    void this.build();
  }

  /** What the diagrams over a quantity go over. */
  axes() {
    return this.shown.filter((chart): chart is Chart => chart instanceof Chart).map((chart) => chart.axis());
  }

  private controls(): HTMLElement {
    const bar = element("div", { class: "bar" });
    const x_choice = choice(this.columns.map(({ key, name }) => ({ value: key, label: name })), this.abscissa, "column on the horizontal axis", (key) => { this.abscissa = key; void this.build(); });
    x_choice.hidden = true;
    bar.append(choice<Manner>([{ value: "time", label: `over ${[...new Set(this.runs.map(({ independent }) => independent.name))].join(" or ") || "time"}` }, { value: "xy", label: "over a column" }, { value: "spectrum", label: "spectrum" }],
                              this.manner, "what the curves are drawn over", (manner) => { this.manner = manner; x_choice.hidden = manner !== "xy"; void this.build(); }), x_choice);
    bar.append(this.column_menu());
    if (this.runs.length > 1)
      this.runs.forEach((run, index) => bar.append(tick(name_text(run.name), this.chosen_runs.has(index), `curves of ${run.name}`, (on) => {
        if (on) this.chosen_runs.add(index); else this.chosen_runs.delete(index);
        void this.build();
      })));
    return bar;
  }

  private column_menu(): HTMLElement {
    const list = element("div", { class: "menu-list" });
    const summary = element("summary", {}, `columns (${this.selected.size} of ${this.columns.length})`);
    const update = () => { summary.textContent = `columns (${this.selected.size} of ${this.columns.length})`; void this.build(); };
    const search = element("input", { type: "search", placeholder: "filter", "aria-label": "filter columns" });
    const entries = this.columns.map(({ key, name, unit }) => ({ name, entry: tick(element("span", {}, name_text(name), element("span", { class: "unit" }, ` ${label_of_unit(unit)}`)),
      this.selected.has(key), `draw ${name}`, (on) => { if (on) this.selected.add(key); else this.selected.delete(key); update(); }) }));
    search.addEventListener("input", () => { for (const { name, entry } of entries) entry.hidden = !name.toLowerCase().includes(search.value.toLowerCase()); });
    const none = element("button", { type: "button", click: () => { this.selected.clear(); for (const { entry } of entries) entry.box.checked = false; update(); } }, "none");
    list.append(element("div", { class: "bar" }, search, none), ...entries.map(({ entry }) => entry));
    return element("details", { class: "menu" }, summary, list);
  }

  private async build() {
    const generation = ++this.generation;
    const drawn = this.manner === "time" ? await this.over_time() : this.manner === "xy" ? await this.over_column() : await this.spectra();
    if (generation !== this.generation) return;      // another choice came while curves were decoded
    for (const chart of this.shown) chart.dispose();
    this.shown = drawn.map((make) => make());
    if (this.columns.length || this.extra) this.charts.replaceChildren(...this.shown.map((chart) => chart.root));
    this.note.textContent = this.sentence();
    this.note.hidden = this.note.textContent === "";
  }

  /** What long curves do not have. */
  private sentence(): string {
    if (!this.runs.some(({ history }, index) => history.entry.reduced && this.chosen_runs.has(index))) return "";
    if (this.manner === "time") return "Long curves are drawn as minima and maxima of neighbouring rows.";
    return `Of curves of more than 200,000 rows the report has minima and maxima of neighbouring rows, of which no ${this.manner === "xy" ? "curve over a column" : "spectrum"} can be made: they are left out here. `
      + "A run with a larger `history_interval`, or history.csv itself, has what it takes.";
  }

  private colours(): string[] {
    const { css } = theme();
    return [1, 2, 3, 4, 5, 6, 7, 8].map((i) => css(`line-${i}`));
  }

  /** Selected curves of the chosen runs, by unit. */
  private async curves(): Promise<Map<string, Selected[]>> {
    const by_unit = new Map<string, Selected[]>();
    const colours = this.colours(), chosen = [...this.chosen_runs].sort((a, b) => a - b);
    const per_unit = new Map<string, number>();
    for (const { key, name, unit } of this.columns) {
      if (!this.selected.has(key)) continue;
      const number = per_unit.get(unit) ?? 0;
      per_unit.set(unit, number + 1);
      for (const [order, index] of chosen.entries()) {
        const run = this.runs[index];
        if (run.history.column(name)?.unit !== unit) continue;
        const line = { label: chosen.length > 1 ? `${name} \u00b7 ${run.name}` : name, colour: colours[number % colours.length], dash: kDashes[order % kDashes.length] };
        by_unit.set(unit, [...(by_unit.get(unit) ?? []), { run, curve: await run.history.curve(name), line }]);
      }
    }
    return by_unit;
  }

  private async over_time() {
    const settings: ChartSettings[] = [];
    for (const [of_unit, list] of await this.curves()) {
      // Runs over another quantity, such as a load, have diagrams of their own.
      for (const axis of new Set(list.map(({ run }) => label_of_axis(run.independent))))
        settings.push({ ...this.over_axis(axis), y_label: `[${label_of_unit(of_unit)}]`,
          lines: list.filter(({ run }) => label_of_axis(run.independent) === axis).map(({ curve, line }): Line => ({ ...line, x: curve.x, y: curve.y, bounds: curve.bounds })) });
    }
    if (this.extra) {
      const { curve, axis } = this.extra, { showing } = this.view.get();
      settings.unshift({ ...this.over_axis(label_of_axis(axis), showing), y_label: `[${label_of_unit(curve.unit)}]`, lines: [{ label: curve.name, x: curve.x, y: curve.y, colour: theme().css("accent") }] });
    }
    return settings.map((setting) => () => new Chart(setting));
  }

  private current_axis() {
    return this.runs[this.current]?.independent ?? this.runs[0]?.independent ?? { name: "time", unit: "s" };
  }

  /** The instant of the picture belongs to diagrams over what the pictures stand over: while a mode is shown, to none of the run's. */
  private over_axis(axis: string, showing: ViewState["showing"] = "motion") {
    const common = { x_label: axis, group: axis, height: kHeight };
    if (showing === "motion" && axis !== label_of_axis(this.current_axis())) return common;
    const is_shown = () => this.view.get().showing === showing;
    return { ...common, instant: () => (is_shown() ? this.view.get().time : NaN), move_instant: (time: number) => { if (is_shown()) this.move(time); } };
  }

  private async over_column() {
    const made: (() => PlaneChart)[] = [];
    const abscissa = this.columns.find(({ key }) => key === this.abscissa);
    if (!abscissa) return made;
    for (const [of_unit, list] of await this.curves()) {
      const curves: PlaneCurve[] = [], times: ArrayLike<number>[] = [];
      for (const { run, curve, line } of list) {
        if (curve.bounds || run.history.column(abscissa.name)?.unit !== abscissa.unit) continue;
        const x = await run.history.curve(abscissa.name);
        if (x.bounds || x.x.length !== curve.x.length) continue;
        curves.push({ ...line, x: x.y, y: curve.y });
        times.push(curve.x);
      }
      if (curves.length === 0) continue;
      const setting: PlaneSettings = { x_label: `${abscissa.name} [${label_of_unit(abscissa.unit)}]`, y_label: `[${label_of_unit(of_unit)}]`, curves, height: kHeight + 70,
                                       emphasised: (curve) => (times[curve].length > 1 && this.view.get().showing === "motion" ? nearest(times[curve], this.view.get().time) : null) };
      made.push(() => new PlaneChart(setting));
    }
    return made;
  }

  private async spectra() {
    return [...(await this.curves())].map(([of_unit, all]) => ({ of_unit, list: all.filter(({ curve }) => !curve.bounds) })).filter(({ list }) => list.length > 0).map(({ of_unit, list }) => {
      const lines = list.map(({ curve, line, run }): { line: Line; unit: string } => {
        const { frequency, amplitude } = spectrum(curve.x, curve.y);
        return { line: { ...line, x: frequency.slice(1), y: amplitude.slice(1).map((value) => (value > 0 ? value : NaN)) }, unit: run.independent.unit };
      });
      const unit = lines[0].unit === "s" ? "Hz" : `per ${lines[0].unit === "1" || !lines[0].unit ? "unit" : lines[0].unit}`;
      return () => new Chart({ x_label: `frequency [${unit}]`, y_label: `amplitude [${label_of_unit(of_unit)}]`, log_y: true, group: "frequency", height: kHeight, lines: lines.map(({ line }) => line) });
    });
  }
}

function nearest(times: ArrayLike<number>, time: number): number {
  const i = interval(times, time);
  return i + 1 < times.length && time - times[i] > times[i + 1] - time ? i + 1 : i;
}
