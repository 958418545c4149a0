// One diagram: curves of one unit over a common axis, with the animation's instant as a line that can be dragged.
import uPlot from "uplot";
import { bounds_at } from "../data/history";
import { element } from "../ui/dom";
import { digits_within, shown } from "../ui/numbers";
import { theme } from "../ui/theme";

export interface Line {
  label: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  bounds?: { low: ArrayLike<number>; high: ArrayLike<number> } | null;
  colour: string;
  dash?: number[];
}

export interface ChartSettings {
  x_label: string;
  y_label: string;
  lines: Line[];
  log_x?: boolean;
  log_y?: boolean;
  /** Charts of one key share cursor and zoom. */
  group?: string;
  /** The instant, where x is the animation's time. */
  instant?: () => number;
  move_instant?: (x: number) => void;
  height: number;
}

/** Charts that zoom together, by the key of their group. */
const groups = new Map<string, Set<Chart>>();
const kGrab = 7;

/** Smaller amplitudes are round-off; uPlot's logarithmic axes never end below 1e-32. */
const kLeastLogarithm = 1e-28;

const gaps = (values: ArrayLike<number>, least: number): (number | null)[] => Array.from(values, (value) => (Number.isFinite(value) && value >= least ? value : null));

/** Tables of one abscissa each, joined to one where they differ. */
function joined(lines: Line[], least: number): { data: unknown[]; owners: { line: Line; part: "y" | "low" | "high" }[] } {
  const owners: { line: Line; part: "y" | "low" | "high" }[] = [], tables: unknown[][] = [];
  const by_x = new Map<ArrayLike<number>, unknown[]>();
  for (const line of lines) {
    let table = by_x.get(line.x);
    if (!table) { by_x.set(line.x, (table = [Array.from(line.x)])); tables.push(table); }
  }
  for (const [x, table] of by_x)
    for (const line of lines.filter((candidate) => candidate.x === x))
      for (const part of line.bounds ? (["low", "high"] as const) : (["y"] as const)) {
        table.push(gaps(part === "y" ? line.y : line.bounds![part], least));
        owners.push({ line, part });
      }
  return { data: tables.length === 1 ? tables[0] : (uPlot.join(tables) as unknown[]), owners };
}

/** Pixels from tick to tick that leave room for numbers of so many digits. */
const between_ticks = (low: number, high: number): number => Math.max(50, 20 + 8 * digits_within(2, Math.max(Math.abs(low), Math.abs(high)), high - low));

const value_text = (low: number, high: number): string => (low === high || Number.isNaN(low) ? shown(low) : `${shown(low)} .. ${shown(high)}`);

export class Chart {
  readonly root = element("div", { class: "chart" });
  private plot: uPlot | null = null;
  private zooming = false;
  private outputs: { line: Line; output: HTMLElement }[] = [];

  constructor(private settings: ChartSettings) {
    if (settings.group) {
      if (!groups.has(settings.group)) groups.set(settings.group, new Set());
      groups.get(settings.group)!.add(this);
    }
    new ResizeObserver(() => this.resize()).observe(this.root);
  }

  dispose() {
    if (this.settings.group) groups.get(this.settings.group)?.delete(this);
    this.plot?.destroy();
    this.plot = null;
  }

  axis() {
    const { min, max } = this.plot?.scales.x ?? {};
    return { axis: this.settings.x_label, from: min ?? null, to: max ?? null };
  }

  /** Draws the instant's line anew. */
  refresh() {
    this.plot?.redraw(false, false);
    this.show_values();
  }

  private resize() {
    const width = this.root.clientWidth;
    if (width < 40) return;
    if (this.plot) this.plot.setSize({ width, height: this.settings.height });
    else this.build(width);
  }

  /** Once more, in other colours. */
  rebuild() {
    this.plot?.destroy();
    this.plot = null;
    this.root.replaceChildren();
    this.resize();
  }

  private build(width: number) {
    const { data, owners } = joined(this.settings.lines, this.settings.log_y ? kLeastLogarithm : -Infinity);
    const css = theme().css;
    const axis = { stroke: css("muted"), grid: { stroke: css("grid"), width: 1 }, ticks: { stroke: css("grid"), width: 1, size: 4 }, font: "11px system-ui, sans-serif",
                   labelFont: "11px system-ui, sans-serif", labelSize: 18, labelGap: 0 };
    const ticks = (is_log: boolean | undefined) => (_: uPlot, splits: (number | null)[]) => {
      const numbers = splits.filter((value): value is number => value != null), step = numbers.length > 1 ? numbers[1] - numbers[0] : 0;
      const digits = is_log ? 4 : Math.max(4, digits_within(1, Math.max(...numbers.map(Math.abs)), step));
      return splits.map((value) => (value == null ? "" : shown(value, digits)));
    };
    const series = owners.map(({ line, part }) => ({
      label: line.label, stroke: line.colour, width: part === "y" ? 1.4 : 0.8, dash: line.dash, spanGaps: false, auto: true,
      points: { show: false },
    }));
    const bands = owners.flatMap(({ line, part }, i) => (part === "high" ? [{ series: [i + 1, i], fill: line.colour + "55" }] : []));
    this.plot = new uPlot({
      width, height: this.settings.height, series: [{ label: this.settings.x_label }, ...series], bands, legend: { show: false },
      scales: { x: { time: false, distr: this.settings.log_x ? 3 : 1 }, y: { distr: this.settings.log_y ? 3 : 1 } },
      axes: [{ ...axis, size: 26, values: ticks(this.settings.log_x), space: (_: uPlot, __: number, low: number, high: number) => between_ticks(low, high), label: this.settings.x_label }, { ...axis, size: 58, values: ticks(this.settings.log_y), label: this.settings.y_label }],
      cursor: { sync: this.settings.group ? { key: this.settings.group, setSeries: false } : undefined, drag: { x: true, y: false, uni: 20 }, points: { size: 6 } },
      hooks: { draw: [(plot: uPlot) => this.draw_instant(plot)], setCursor: [() => this.show_values()],
               setScale: [(plot: uPlot, scale: string) => { if (scale === "x") this.zoom_others(plot); }] },
    }, data, this.root);
    this.root.append(this.legend(owners));
    this.attach(this.plot);
    this.show_values();
  }

  private legend(owners: { line: Line; part: string }[]): HTMLElement {
    const legend = element("div", { class: "chart-legend" });
    this.outputs = [];
    for (const { line, part } of owners) {
      if (part === "high") continue;
      const swatch = element("span", { class: "swatch" });
      swatch.style.borderTop = `2px ${line.dash ? "dashed" : "solid"} ${line.colour}`;
      const output = element("output", { class: "value" });
      this.outputs.push({ line, output });
      legend.append(element("span", { class: "entry" }, swatch, element("bdi", { dir: "auto" }, line.label), " ", output));
    }
    return legend;
  }

  /** Values under the cursor, or at the instant. */
  private show_values() {
    const plot = this.plot;
    if (!plot) return;
    const { instant } = this.settings;
    const left = plot.cursor.left;
    const x = left != null && left >= 0 ? plot.posToVal(left, "x") : instant ? instant() : NaN;
    for (const { line, output } of this.outputs) output.textContent = Number.isFinite(x) ? value_text(...bounds_at(line, x)) : "";
  }

  private draw_instant(plot: uPlot) {
    const { instant } = this.settings;
    if (!instant) return;
    const x = plot.valToPos(instant(), "x", true), { left, width, top, height } = plot.bbox;
    if (!(x >= left && x <= left + width)) return;
    const c = plot.ctx;
    c.save();
    c.strokeStyle = c.fillStyle = theme().css("accent");
    c.lineWidth = uPlot.pxRatio * 1.5;
    c.beginPath();
    c.moveTo(x, top);
    c.lineTo(x, top + height);
    c.stroke();
    c.beginPath();
    c.moveTo(x - 5 * uPlot.pxRatio, top); c.lineTo(x + 5 * uPlot.pxRatio, top); c.lineTo(x, top + 6 * uPlot.pxRatio);
    c.fill();
    c.restore();
  }

  private zoom_others(plot: uPlot) {
    const { group } = this.settings, { min, max } = plot.scales.x;
    if (!group || this.zooming || min == null || max == null) return;
    for (const other of groups.get(group) ?? []) {
      if (other === this || !other.plot || (other.plot.scales.x.min === min && other.plot.scales.x.max === max)) continue;
      other.zooming = true;
      other.plot.setScale("x", { min, max });
      // uPlot sets scales a moment later; only then does the other tell us of it.
      queueMicrotask(() => queueMicrotask(() => { other.zooming = false; }));
    }
  }

  /** The instant is dragged by its line, a click brings it; the wheel zooms, Shift with the pointer pans. */
  private attach(plot: uPlot) {
    const over = plot.over, { instant, move_instant } = this.settings;
    const limits = () => ({ min: plot.scales.x.min ?? 0, max: plot.scales.x.max ?? 1 });
    let grabbed: "instant" | "axis" | null = null, start = 0, from = limits();
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const near = instant && move_instant && Math.abs(plot.valToPos(instant(), "x") - event.offsetX) < kGrab;
      grabbed = near ? "instant" : event.shiftKey ? "axis" : null;
      start = event.offsetX;
      from = limits();
      if (grabbed) { over.setPointerCapture(event.pointerId); event.stopPropagation(); }
    });
    // uPlot selects a range by mouse events; what we have grabbed is not a selection.
    over.addEventListener("mousedown", (event) => { if (grabbed) event.stopImmediatePropagation(); }, true);
    over.addEventListener("pointermove", (event) => {
      if (instant) over.style.cursor = grabbed === "instant" || Math.abs(plot.valToPos(instant(), "x") - event.offsetX) < kGrab ? "ew-resize" : "crosshair";
      if (grabbed === "instant") move_instant!(plot.posToVal(event.offsetX, "x"));
      if (grabbed === "axis" && !this.settings.log_x) {
        const shift = ((start - event.offsetX) / over.clientWidth) * (from.max - from.min);
        plot.setScale("x", { min: from.min + shift, max: from.max + shift });
      }
    });
    over.addEventListener("pointerup", (event) => {
      if (!grabbed && move_instant && Math.abs(event.offsetX - start) < 3 && event.button === 0) move_instant(plot.posToVal(event.offsetX, "x"));
      grabbed = null;
    });
    over.addEventListener("wheel", (event) => {
      if (this.settings.log_x || !(event.ctrlKey || event.altKey || event.shiftKey)) return;      // the plain wheel scrolls the panel
      event.preventDefault();
      const { min, max } = limits(), at = plot.posToVal(event.offsetX, "x"), factor = Math.exp(0.002 * (event.deltaY || event.deltaX));
      plot.setScale("x", { min: at + (min - at) * factor, max: at + (max - at) * factor });
    }, { passive: false });
  }
}
