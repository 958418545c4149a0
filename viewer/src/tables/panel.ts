// The tables of a run: what its summary says, its bodies and joints, its events, warnings, log and model.
import { RunEntry } from "../data/manifest";
import { Machine } from "../data/motion";
import { element } from "../ui/dom";
import { Cell, pairs, table, text_block } from "./table";

type Summary = Record<string, unknown>;

const is_group = (value: unknown): value is Summary => typeof value === "object" && value !== null && !Array.isArray(value);
const words = (key: string) => key.replace(/_/g, " ");

/** Units of summary.json's groups. */
const kUnits: Record<string, Record<string, string>> = {
  seconds: { "": "s" }, energy: { "": "J", relative_drift: "" }, max_constraint_violation: { "": "" },
};

function group_rows(group: Summary, units: Record<string, string> = {}): [string, Cell][] {
  return Object.entries(group).filter(([, value]) => !is_group(value)).map(([key, value]) => {
    const unit = units[key] ?? units[""] ?? "";
    return [unit ? `${words(key)} [${unit}]` : words(key), Array.isArray(value) ? value.join(", ") : (value as Cell)];
  });
}

function summary_blocks(summary: Summary): HTMLElement[] {
  const plain = Object.entries(summary).filter(([key, value]) => !is_group(value) && !["warnings", "doubts", "solidyn"].includes(key));
  const blocks = [pairs("Run", group_rows(Object.fromEntries(plain), { time: "s", peak_rss_mb: "MB", peak_rss_mb_total: "MB" }))];
  for (const [key, value] of Object.entries(summary)) if (is_group(value)) blocks.push(...group_blocks(key, value));
  return blocks;
}

/** A group of a group, such as drives by name, becomes a table of its members. */
function group_blocks(key: string, group: Summary): HTMLElement[] {
  const members = Object.entries(group).filter((entry): entry is [string, Summary] => is_group(entry[1]));
  const title = words(key[0].toUpperCase() + key.slice(1));
  const blocks = members.length < Object.keys(group).length ? [pairs(title, group_rows(group, kUnits[key]))] : [];
  if (members.length) {
    const columns = [...new Set(members.flatMap(([, member]) => Object.keys(member)))];
    blocks.push(table(title, ["name", ...columns.map(words)], members.map(([name, member]) => [name, ...columns.map((column) => {
      const value = member[column];
      return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Cell);
    })])));
  }
  return blocks;
}

/** Numbers that came as text, except in the first column, which has names. */
function number_of_text(cell: Cell, column: number): Cell {
  return column > 0 && typeof cell === "string" && /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(cell) ? Number(cell) : cell;
}

function bodies_of(machine: Machine): HTMLElement {
  return table("Bodies", ["body", "type", "mass [kg]", "nodes", "triangles", "coordinates"], machine.bodies.map((body) => [
    body.name, body.type, body.mass, body.surfaces.reduce((sum, surface) => sum + (surface.nodes ? surface.count : 0), 0) || null,
    body.surfaces.reduce((sum, surface) => sum + surface.triangles.length / 3, 0), body.n_coordinates]));
}

function joints_of(machine: Machine): HTMLElement {
  const place = (body: number) => (body < 0 ? "ground" : machine.bodies[body]?.name ?? "ground");
  return table("Joints", ["joint", "type", "between", "leaves free", "driven"], machine.joints.map((joint) => [
    joint.name, joint.type, joint.frames.map((frame) => place(frame.body)).join(" \u2013 "), joint.leaves, joint.driven ? "yes" : "no"]));
}

export function table_panel(run: RunEntry, machine: Machine | null, notes: string[]): HTMLElement {
  const blocks: HTMLElement[] = [];
  if (run.message) blocks.push(text_block("Failure", run.message));
  if (run.warnings?.length) blocks.push(text_block("Warnings", run.warnings.join("\n")));
  if (notes.length) blocks.push(text_block("Notes", notes.join("\n")));
  const tables = run.tables ?? [];
  const given = new Set(tables.map(({ title }) => title.toLowerCase()));
  for (const { title, columns, rows } of tables) blocks.push(table(title, columns, rows.map((row) => row.map(number_of_text))));
  if (run.summary && tables.length === 0) blocks.push(...summary_blocks(run.summary));
  if (machine && !given.has("bodies")) blocks.push(bodies_of(machine));
  if (machine && machine.joints.length && !given.has("joints")) blocks.push(joints_of(machine));
  if (run.events?.length) {
    const columns = [...new Set(run.events.flatMap((event) => Object.keys(event)))];
    blocks.push(table("Events", columns.map(words), run.events.map((event) => columns.map((column) => event[column] as Cell))));
  }
  if (run.summary && tables.length > 0) blocks.push(element("details", { class: "table-block" }, element("summary", {}, "All of summary.json"), ...summary_blocks(run.summary)));
  if (blocks.length === 0) blocks.push(element("p", { class: "empty" }, "This run has no summary."));
  return element("section", { class: "tables" }, ...blocks);
}

export function model_panel(run: RunEntry): HTMLElement {
  return element("section", { class: "tables" },
    run.set?.length ? text_block("Values set on the command line", run.set.map((value) => `--set ${value}`).join("\n")) : null,
    run.model ? text_block("Model", run.model) : element("p", { class: "empty" }, "The run's folder has no copy of the model."),
    run.log ? text_block("Log", run.log) : null);
}
