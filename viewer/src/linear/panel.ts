// Linear analyses: modes, Campbell diagram, pole map, Bode and Nyquist diagrams.
import { Arrays } from "../data/decode";
import { LinearEntry, ModeRow, ResponseEntry } from "../data/manifest";
import { Chart } from "../plots/chart";
import { PlaneChart, PlaneCurve } from "../plots/plane_chart";
import { table } from "../tables/table";
import { choice, element } from "../ui/dom";
import { shown } from "../ui/numbers";
import { theme } from "../ui/theme";

const kLines = 8;
const line_colour = (i: number) => theme().css(`line-${(i % kLines) + 1}`);
const by_branch = (row: ModeRow) => row.branch ?? row.mode;

/** Mode number and frequency, as titles and pointers name a mode. */
export const mode_title = (row: ModeRow): string =>
  `mode ${row.mode}: ${shown(row.frequency ?? NaN, 4)} Hz${row.damping_ratio != null ? `, damping ${shown(100 * row.damping_ratio, 3)} %` : ""}${row.speed ? `, at ${shown(row.speed, 4)} rad/s` : ""}`;

function mode_table(rows: ModeRow[], animate: ((row: number) => void) | null): HTMLElement {
  const keys = Object.keys(rows[0]) as (keyof ModeRow)[];
  const units: Record<string, string> = { time: "s", speed: "rad/s", frequency: "Hz", natural_frequency: "Hz", real: "1/s", imaginary: "1/s" };
  const columns = keys.map((key) => key.replace(/_/g, " ") + (units[key] ? ` [${units[key]}]` : ""));
  return table(animate ? "Modes (click to animate)" : "Modes", columns, rows.map((row) => keys.map((key) => row[key] ?? null)), animate ?? undefined);
}

/** Frequencies over the speed, by branch, with orders 1 and 2 of the speed. */
function campbell(rows: ModeRow[], animate: ((row: number) => void) | null): PlaneChart | null {
  const speeds = new Set(rows.map((row) => row.speed ?? 0));
  if (speeds.size < 2) return null;
  const branches = new Map<number, number[]>();
  rows.forEach((row, index) => { if (row.frequency != null) branches.set(by_branch(row), [...(branches.get(by_branch(row)) ?? []), index]); });
  const curves = [...branches].map(([branch, list], i): PlaneCurve => {
    const sorted = list.sort((a, b) => (rows[a].speed ?? 0) - (rows[b].speed ?? 0));
    return { label: `branch ${branch}`, x: sorted.map((r) => rows[r].speed ?? 0), y: sorted.map((r) => rows[r].frequency ?? NaN), colour: line_colour(i),
             texts: sorted.map((r) => mode_title(rows[r])), click: animate ? (index) => animate(sorted[index]) : undefined };
  });
  const rays = [1, 2].map((order) => ({ slope: order / (2 * Math.PI), text: `${order} \u00d7 speed` }));
  return new PlaneChart({ x_label: "speed [rad/s]", y_label: "frequency [Hz]", curves, rays, height: 320 });
}

function pole_map(rows: ModeRow[], animate: ((row: number) => void) | null): PlaneChart | null {
  const poles = rows.map((row, index) => ({ row, index })).filter(({ row }) => row.real != null && row.imaginary != null);
  if (poles.length === 0) return null;
  const both = poles.flatMap(({ row, index }) => (row.imaginary ? [{ re: row.real!, im: row.imaginary, index }, { re: row.real!, im: -row.imaginary, index }]
                                                                : [{ re: row.real!, im: 0, index }]));
  const texts = both.map(({ re, im, index }) => `${mode_title(rows[index])} (${shown(re, 4)} ${im < 0 ? "\u2212" : "+"} ${shown(Math.abs(im), 4)}i)`);
  return new PlaneChart({ x_label: "real part [1/s]", y_label: "imaginary part [1/s]", height: 320,
                          curves: [{ label: "poles", x: both.map(({ re }) => re), y: both.map(({ im }) => im), colour: line_colour(0), marks: "cross", texts,
                                     click: animate ? (i) => animate(both[i].index) : undefined }] });
}

/** The phase in degrees, without jumps by whole turns. */
function unwrapped_phase(re: Float32Array, im: Float32Array): Float64Array {
  const phase = Float64Array.from(re, (value, i) => (Math.atan2(im[i], value) * 180) / Math.PI);
  for (let i = 1; i < phase.length; ++i) phase[i] -= 360 * Math.round((phase[i] - phase[i - 1]) / 360);
  return phase;
}

async function response_charts(arrays: Arrays, entries: ResponseEntry[]): Promise<(Chart | PlaneChart)[]> {
  const several_times = new Set(entries.map(({ time }) => time ?? 0)).size > 1;
  const lines = await Promise.all(entries.map(async (entry, i) => {
    const [frequency, re, im] = await Promise.all([entry.frequency, entry.real, entry.imaginary].map((index) => arrays.values(index)));
    const at = several_times && entry.time != null ? ` at ${shown(entry.time, 4)} s` : "";
    return { label: `${entry.input} \u2192 ${entry.output}${at}`, colour: line_colour(i), x: frequency, re, im };
  }));
  const logarithmic = lines.every(({ x }) => x.length > 0 && x[0] > 0);
  const common = { x_label: "frequency [Hz]", log_x: logarithmic, group: "response", height: 210 };
  const unit = entries[0]?.unit ? ` [${entries[0].unit}]` : "";
  return [
    new Chart({ ...common, y_label: `amplitude${unit}`, log_y: true, lines: lines.map((line) => ({ ...line, y: Float64Array.from(line.re, (value, i) => Math.hypot(value, line.im[i]) || NaN) })) }),
    new Chart({ ...common, y_label: "phase [deg]", lines: lines.map((line) => ({ ...line, y: unwrapped_phase(line.re, line.im) })) }),
    new PlaneChart({ x_label: `real part${unit}`, y_label: `imaginary part${unit}`, equal: true, height: 340, curves: lines.map((line) => ({ label: line.label, colour: line.colour, x: line.re, y: line.im })) }),
  ];
}

const titled = (title: string, ...contents: (HTMLElement | null)[]) => element("section", { class: "table-block" }, element("h3", {}, title), ...contents);

/** @param animate shows a mode in the picture, by its row; null where shapes were not written. */
export function linear_panel(arrays: Arrays, linear: LinearEntry, animate: ((row: number) => void) | null): HTMLElement {
  const root = element("section", { class: "tables" });
  const rows = linear.modes ?? [];
  const can = animate && linear.periods ? (row: number) => { if (linear.periods!.some((period) => period.row === row)) animate(row); } : null;
  if (rows.length) {
    const diagram = campbell(rows, can), poles = pole_map(rows, can);
    if (diagram) root.append(titled("Campbell diagram", diagram.root));
    root.append(mode_table(rows, can));
    if (poles) root.append(titled("Poles", poles.root));
  }
  const responses = linear.frequency_response ?? [];
  if (responses.length) {
    const place = element("div", { class: "charts" });
    const inputs = [...new Set(responses.map(({ input }) => input))];
    const draw = async (input: string) => {
      const chosen = responses.filter((entry) => entry.input === input), units = [...new Set(chosen.map(({ unit }) => unit ?? ""))];
      const charts = await Promise.all(units.map((unit) => response_charts(arrays, chosen.filter((entry) => (entry.unit ?? "") === unit))));
      place.replaceChildren(...charts.flat().map((chart) => chart.root));
    };
    root.append(titled("Frequency response: Bode and Nyquist diagrams", inputs.length > 1 ? choice(inputs.map((input) => ({ value: input, label: input })), inputs[0], "input", (input) => { void draw(input); }) : null, place));
    void draw(inputs[0]);
  }
  return root;
}
