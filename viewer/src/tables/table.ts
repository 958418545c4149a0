// Tables whose rows are sorted by a click on a column's head.
import { element, name_text } from "../ui/dom";
import { shown } from "../ui/numbers";

export type Cell = string | number | boolean | null | undefined;

const kMostRows = 2000;

function compared(a: Cell, b: Cell): number {
  if (a == null || b == null) return a == null ? (b == null ? 0 : 1) : -1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

function cell_of(value: Cell): HTMLElement {
  if (typeof value === "number") return element("td", { class: "number" }, shown(value, 6));
  return element("td", {}, value == null ? "\u2013" : name_text(String(value)));
}

/** @param click what a row's choice does; @param can whether a row can be chosen, by default all. */
export function table(title: string, columns: string[], rows: Cell[][], click?: (row: number) => void, can: (row: number) => boolean = () => true): HTMLElement {
  const body = element("tbody");
  let order = rows.map((_, i) => i), sorted_by = -1, sign = 1;
  const fill = () => body.replaceChildren(...order.slice(0, kMostRows).map((row) =>
    element("tr", click && can(row) ? { class: "choosable", click: () => click(row) } : {}, ...rows[row].map(cell_of))));
  const heads = columns.map((column, c) => element("th", { scope: "col", title: "sort", click: () => {
    sign = sorted_by === c ? -sign : 1;
    sorted_by = c;
    order = rows.map((_, i) => i).sort((a, b) => sign * compared(rows[a][c], rows[b][c]) || a - b);
    heads.forEach((head, i) => head.setAttribute("aria-sort", i === c ? (sign > 0 ? "ascending" : "descending") : "none"));
    fill();
  } }, column));
  fill();
  return element("section", { class: "table-block" }, element("h3", {}, title),
                 element("div", { class: "table-scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)),
                 rows.length > kMostRows && element("p", { class: "note" }, `The first ${kMostRows} of ${rows.length} rows.`));
}

/** Names and values, one below the other. */
export function pairs(title: string, entries: [string, Cell][]): HTMLElement {
  const list = element("dl", { class: "pairs" });
  for (const [name, value] of entries)
    list.append(element("dt", {}, name), element("dd", {}, typeof value === "number" ? shown(value, 6) : value == null ? "\u2013" : name_text(String(value))));
  return element("section", { class: "table-block" }, element("h3", {}, title), list);
}

export function text_block(title: string, text: string): HTMLElement {
  return element("section", { class: "table-block" }, element("h3", {}, title), element("pre", { class: "text", dir: "auto", tabindex: 0 }, text));
}
