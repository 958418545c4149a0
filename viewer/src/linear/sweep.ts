// Sweeps: the table of runs, one result over one parameter, and parallel coordinates.
import { SweepEntry } from "../data/manifest";
import { PlaneChart, PlaneCurve } from "../plots/plane_chart";
import { Cell, table } from "../tables/table";
import { choice, element } from "../ui/dom";
import { shown } from "../ui/numbers";
import { on_theme, theme } from "../ui/theme";

type Column = SweepEntry["columns"][number];

const label = ({ name, unit }: Column) => (unit && unit !== "1" ? `${name} [${unit}]` : name);
const numeric = ({ values }: Column) => values.some((value) => typeof value === "number");
const number = (value: number | string | null): number => (typeof value === "number" ? value : NaN);

const cell_text = (value: number | string | null): string => (typeof value === "number" ? shown(value) : String(value));

/** A result over a parameter; where there are more parameters, points of equal others are joined. */
function result_chart(sweep: SweepEntry, x: Column, y: Column): PlaneChart {
  const others = sweep.columns.filter((column) => sweep.parameters.includes(column.name) && column !== x);
  const groups = new Map<string, number[]>();
  x.values.forEach((_, row) => {
    const key = others.map((column) => `${column.name} = ${cell_text(column.values[row])}`).join(", ");
    groups.set(key, [...(groups.get(key) ?? []), row]);
  });
  const curves = [...groups].map(([key, rows], i): PlaneCurve => {
    const sorted = rows.filter((row) => !Number.isNaN(number(x.values[row]))).sort((a, b) => number(x.values[a]) - number(x.values[b]));
    return { label: key || y.name, x: sorted.map((row) => number(x.values[row])), y: sorted.map((row) => number(y.values[row])), colour: theme().css(`line-${(i % 8) + 1}`) };
  });
  return new PlaneChart({ x_label: label(x), y_label: label(y), curves, height: 280 });
}

/** One axis per column, one line per run, coloured by the last column. */
function parallel(columns: Column[]): HTMLElement {
  const canvas = element("canvas", { class: "parallel", role: "img", "aria-label": "parallel coordinates of the runs" });
  const draw = () => {
    const width = canvas.clientWidth, height = 240, ratio = window.devicePixelRatio || 1, { css } = theme();
    if (width < 60) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const c = canvas.getContext("2d")!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const limits = columns.map(({ values }) => {
      const numbers = values.map(number).filter(Number.isFinite);
      return [Math.min(...numbers), Math.max(...numbers)];
    });
    const x = (i: number) => 50 + (i * (width - 100)) / Math.max(1, columns.length - 1);
    const y = (i: number, value: number) => height - 30 - ((value - limits[i][0]) / (limits[i][1] - limits[i][0] || 1)) * (height - 70);
    c.lineWidth = 1.2;
    const last = columns.length - 1;
    columns[0].values.forEach((_, row) => {
      const hue = 220 - 190 * ((number(columns[last].values[row]) - limits[last][0]) / (limits[last][1] - limits[last][0] || 1));
      c.strokeStyle = Number.isFinite(hue) ? `hsl(${hue} 60% 50%)` : css("muted");
      c.beginPath();
      columns.forEach((column, i) => { const at = y(i, number(column.values[row])); if (i) c.lineTo(x(i), at); else c.moveTo(x(i), at); });
      c.stroke();
    });
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "center";
    columns.forEach((column, i) => {
      c.strokeStyle = css("muted");
      c.fillStyle = css("ink");
      c.beginPath(); c.moveTo(x(i), 40); c.lineTo(x(i), height - 30); c.stroke();
      c.fillText(column.name.length > 18 ? `\u2026${column.name.slice(-17)}` : column.name, x(i), 14 + 12 * (i % 2));
      c.fillStyle = css("muted");
      c.fillText(shown(limits[i][1], 4), x(i), 38);
      c.fillText(shown(limits[i][0], 4), x(i), height - 16);
    });
  };
  new ResizeObserver(draw).observe(canvas);
  on_theme(draw);
  return canvas;
}

/** @param open shows a run of the report. */
export function sweep_panel(sweep: SweepEntry, open: (run: number) => void): HTMLElement {
  const parameters = sweep.columns.filter((column) => sweep.parameters.includes(column.name) && numeric(column));
  const results = sweep.columns.filter((column) => !sweep.parameters.includes(column.name) && numeric(column) && !["run", "seconds"].includes(column.name));
  const n = sweep.columns[0]?.values.length ?? 0;
  const root = element("section", { class: "tables" });
  if (parameters.length && results.length) {
    const place = element("div", { class: "charts" });
    let [x, y] = [parameters[0], results[0]];
    const draw = () => place.replaceChildren(result_chart(sweep, x, y).root);
    const options = (columns: Column[]) => columns.map((column) => ({ value: column.name, label: label(column) }));
    root.append(element("section", { class: "table-block" }, element("h3", {}, "Results over parameters"),
      element("div", { class: "bar" }, choice(options(results), y.name, "result", (name) => { y = results.find((column) => column.name === name)!; draw(); }), " over ",
              choice(options(parameters), x.name, "parameter", (name) => { x = parameters.find((column) => column.name === name)!; draw(); })), place));
    draw();
    root.append(element("section", { class: "table-block" }, element("h3", {}, "Parallel coordinates"), parallel([...parameters, ...results.slice(0, Math.max(1, 7 - parameters.length))])));
  }
  root.append(table("Runs (click to open)", sweep.columns.map(label), Array.from({ length: n }, (_, row) => sweep.columns.map(({ values }): Cell => values[row])),
                    (row) => { const run = sweep.runs?.[row]; if (run != null) open(run); }, (row) => sweep.runs?.[row] != null));
  return root;
}
