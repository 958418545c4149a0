// A diagram of points and parametric curves in a plane: x-y plots, pole maps, Nyquist and Campbell diagrams.
import { element } from "../ui/dom";
import { round_number, shown } from "../ui/numbers";
import { theme } from "../ui/theme";

export interface PlaneCurve {
  label: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colour: string;
  dash?: number[];
  /** Crosses or dots instead of a line. */
  marks?: "cross" | "dot";
  /** Texts of points for the pointer, and what a click on one does. */
  texts?: string[];
  click?: (index: number) => void;
}

export interface PlaneSettings {
  x_label: string;
  y_label: string;
  curves: PlaneCurve[];
  height: number;
  /** A unit of x is as long as one of y. */
  equal?: boolean;
  /** Index of a curve's point that is emphasised, for example the instant. */
  emphasised?: (curve: number) => number | null;
  /** Extra lines through the origin: slope and text. */
  rays?: { slope: number; text: string }[];
}

interface Limits { x: [number, number]; y: [number, number] }
const kLeft = 62, kRight = 14, kTop = 10, kBottom = 40;

function limits_of(curves: PlaneCurve[]): Limits {
  const limits = (values: (curve: PlaneCurve) => ArrayLike<number>): [number, number] => {
    let low = Infinity, high = -Infinity;
    for (const curve of curves) {
      const list = values(curve);
      for (let i = 0; i < list.length; ++i) if (Number.isFinite(list[i])) { low = Math.min(low, list[i]); high = Math.max(high, list[i]); }
    }
    if (!(high >= low)) return [0, 1];
    const margin = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
    return [low - margin, high + margin];
  };
  return { x: limits((curve) => curve.x), y: limits((curve) => curve.y) };
}

export class PlaneChart {
  readonly root = element("div", { class: "chart plane" });
  private readonly canvas = element("canvas");
  private readonly tip = element("div", { class: "tip", hidden: true });
  private limits: Limits;
  private width = 0;

  constructor(private readonly settings: PlaneSettings) {
    this.limits = limits_of(settings.curves);
    const legend = element("div", { class: "chart-legend" });
    for (const { label, colour, marks, dash } of settings.curves) {
      const swatch = element("span", { class: marks ? "swatch mark" : "swatch" }, marks === "cross" ? "\u00d7" : marks ? "\u2022" : "");
      if (marks) swatch.style.color = colour; else swatch.style.borderTop = `2px ${dash ? "dashed" : "solid"} ${colour}`;
      legend.append(element("span", { class: "entry" }, swatch, element("bdi", { dir: "auto" }, label)));
    }
    this.root.append(this.canvas, legend, this.tip);
    this.attach();
    new ResizeObserver(() => { if (this.root.clientWidth !== this.width) { this.width = this.root.clientWidth; this.refresh(); } }).observe(this.root);
  }

  dispose() {
    this.root.remove();
  }

  refresh() {
    const { width } = this, { height } = this.settings;
    if (width < 60) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const c = this.canvas.getContext("2d")!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw_axes(c);
    c.save();
    c.beginPath();
    c.rect(kLeft, kTop, width - kLeft - kRight, height - kTop - kBottom);
    c.clip();
    this.draw_rays(c);
    this.settings.curves.forEach((curve, index) => this.draw_curve(c, curve, index));
    c.restore();
  }

  private shown_limits(): Limits {
    const { x, y } = this.limits;
    if (!this.settings.equal) return this.limits;
    const w = this.width - kLeft - kRight, h = this.settings.height - kTop - kBottom;
    const scale = Math.max((x[1] - x[0]) / w, (y[1] - y[0]) / h);
    const grown = ([low, high]: [number, number], pixels: number): [number, number] => [(low + high - scale * pixels) / 2, (low + high + scale * pixels) / 2];
    return { x: grown(x, w), y: grown(y, h) };
  }

  private maps() {
    const { x, y } = this.shown_limits();
    const w = this.width - kLeft - kRight, h = this.settings.height - kTop - kBottom;
    return { px: (value: number) => kLeft + ((value - x[0]) / (x[1] - x[0])) * w, py: (value: number) => kTop + (1 - (value - y[0]) / (y[1] - y[0])) * h, x, y, w, h };
  }

  private draw_axes(c: CanvasRenderingContext2D) {
    const { px, py, x, y, w, h } = this.maps(), { css } = theme(), { x_label, y_label } = this.settings;
    c.font = "11px system-ui, sans-serif";
    c.fillStyle = css("muted");
    c.lineWidth = 1;
    const ticks = ([low, high]: [number, number], wanted: number) => {
      const step = round_number((high - low) / wanted), list: number[] = [];
      for (let i = Math.ceil(low / step); i * step <= high; ++i) list.push(i * step);
      return list;
    };
    c.textAlign = "center";
    c.textBaseline = "top";
    for (const value of ticks(x, w / 80)) {
      c.strokeStyle = css(value === 0 ? "muted" : "grid");
      c.beginPath(); c.moveTo(px(value), kTop); c.lineTo(px(value), kTop + h); c.stroke();
      c.fillText(shown(value, 4), px(value), kTop + h + 5);
    }
    c.fillText(x_label, kLeft + w / 2, kTop + h + 22);
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (const value of ticks(y, h / 36)) {
      c.strokeStyle = css(value === 0 ? "muted" : "grid");
      c.beginPath(); c.moveTo(kLeft, py(value)); c.lineTo(kLeft + w, py(value)); c.stroke();
      c.fillText(shown(value, 4), kLeft - 6, py(value));
    }
    c.save();
    c.translate(11, kTop + h / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillText(y_label, 0, 0);
    c.restore();
  }

  private draw_rays(c: CanvasRenderingContext2D) {
    const { px, py, x, y } = this.maps();
    const muted = theme().css("muted");
    c.textAlign = "right";
    for (const { slope, text } of this.settings.rays ?? []) {
      c.strokeStyle = c.fillStyle = muted;
      c.lineWidth = 0.8;
      c.setLineDash([3, 3]);
      c.beginPath(); c.moveTo(px(x[0]), py(slope * x[0])); c.lineTo(px(x[1]), py(slope * x[1])); c.stroke();
      c.setLineDash([]);
      const end = Math.min(x[1], slope > 0 ? y[1] / slope : x[1]);
      c.fillText(text, px(end) - 4, py(slope * end) + 12);
    }
  }

  private draw_curve(c: CanvasRenderingContext2D, { x, y, colour, marks, dash }: PlaneCurve, index: number) {
    const { px, py } = this.maps();
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = 1.4;
    c.setLineDash(dash ?? []);
    c.beginPath();
    let drawing = false;
    for (let i = 0; i < x.length; ++i) {
      const finite = Number.isFinite(x[i]) && Number.isFinite(y[i]);
      const a = px(x[i]), b = py(y[i]);
      if (finite && marks === "cross") { c.moveTo(a - 4, b - 4); c.lineTo(a + 4, b + 4); c.moveTo(a - 4, b + 4); c.lineTo(a + 4, b - 4); }
      else if (finite && marks) { c.moveTo(a + 3, b); c.arc(a, b, 3, 0, 2 * Math.PI); }
      else if (finite && drawing) c.lineTo(a, b);
      else if (finite) c.moveTo(a, b);
      drawing = finite;
    }
    if (marks === "dot") c.fill(); else c.stroke();
    c.setLineDash([]);
    const at = this.settings.emphasised?.(index);
    if (at == null || marks || !(at < x.length)) return;
    c.beginPath(); c.arc(px(x[at]), py(y[at]), 5, 0, 2 * Math.PI); c.fill();
  }

  private nearest(mouse_x: number, mouse_y: number): { curve: PlaneCurve; index: number } | null {
    const { px, py } = this.maps();
    let best: { curve: PlaneCurve; index: number } | null = null, least = 12;
    for (const curve of this.settings.curves)
      for (let i = 0; i < curve.x.length; ++i) {
        const distance = Math.hypot(px(curve.x[i]) - mouse_x, py(curve.y[i]) - mouse_y);
        if (distance < least) { least = distance; best = { curve, index: i }; }
      }
    return best;
  }

  private attach() {
    this.canvas.addEventListener("pointermove", (event) => {
      const near = this.nearest(event.offsetX, event.offsetY);
      this.tip.hidden = !near;
      this.canvas.style.cursor = near?.curve.click ? "pointer" : "default";
      if (!near) return;
      const { curve, index } = near;
      this.tip.textContent = curve.texts?.[index] ?? `${curve.label}: ${shown(curve.x[index])}, ${shown(curve.y[index])}`;
      this.tip.style.transform = `translate(${Math.min(event.offsetX + 12, this.width - 190)}px, ${event.offsetY - 26}px)`;
    });
    this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.canvas.addEventListener("click", (event) => {
      const near = this.nearest(event.offsetX, event.offsetY);
      near?.curve.click?.(near.index);
    });
    this.canvas.addEventListener("dblclick", () => { this.limits = limits_of(this.settings.curves); this.refresh(); });
    this.canvas.addEventListener("wheel", (event) => {
      if (!(event.ctrlKey || event.altKey || event.shiftKey)) return;
      event.preventDefault();
      const { x, y, w, h } = this.maps(), factor = Math.exp(0.002 * (event.deltaY || event.deltaX));
      const at_x = x[0] + ((event.offsetX - kLeft) / w) * (x[1] - x[0]), at_y = y[1] - ((event.offsetY - kTop) / h) * (y[1] - y[0]);
      const zoomed = ([low, high]: [number, number], at: number): [number, number] => [at + (low - at) * factor, at + (high - at) * factor];
      this.limits = { x: zoomed(x, at_x), y: zoomed(y, at_y) };
      this.refresh();
    }, { passive: false });
  }
}
