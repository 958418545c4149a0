// What the page itself has to say: how true positions are, keys, and the licences of the libraries in it.
import { Manifest } from "../data/manifest";
import { element } from "./dom";
import { shown, shown_length } from "./numbers";

const kKeys: [string, string][] = [
  ["space", "play, pause"], ["\u2190 \u2192", "one picture back or on, with Shift ten"], ["Home, End", "start, end"], ["\u2191 \u2193 + \u2212", "turn, come nearer"],
  ["F", "show everything"], ["P", "perspective or parallel"], ["S, N, G", "symbols, names, undeformed ghost"], ["L", "loop"], ["Esc", "forget the picked point"],
  ["drag", "turn; with the right button or Shift move; the wheel comes nearer"], ["click", "pick a point: its curve appears above the plots"],
  ["in plots", "drag to zoom, double click for all, Shift and drag to pan, Ctrl and wheel to zoom, a click moves the instant"]];

export function about_panel(manifest: Manifest): HTMLElement {
  const keys = element("dl", { class: "pairs" });
  for (const [key, meaning] of kKeys) keys.append(element("dt", {}, key), element("dd", {}, meaning));
  return element("section", { class: "tables" },
    element("section", { class: "table-block" }, element("h3", {}, "About this report"),
      element("p", {}, `Made by Solidyn ${manifest.solidyn ?? ""}.`.replace(" .", ".")),
      manifest.tolerance != null && manifest.runs.some(({ scene }) => scene) && element("p", {}, `Positions are true to ${shown_length(manifest.tolerance)} at the stored instants; between them bodies move on straight lines and turn by the shortest rotation.`),
      ...manifest.runs.filter(({ scene }) => scene?.velocity_tolerance != null).map(({ name, scene }) => element("p", {}, `Velocities${manifest.runs.length > 1 ? ` of ${name}` : ""} are true to ${shown(scene!.velocity_tolerance, 2)} m/s at these instants.`)),
      ...(manifest.notes ?? []).map((note) => element("p", {}, note))),
    element("section", { class: "table-block" }, element("h3", {}, "Keys and pointer"), keys),
    element("section", { class: "table-block" }, element("h3", {}, "Licences of what is in this page"),
      ...LICENCES.map(({ name, version, text }) => element("details", {}, element("summary", {}, `${name} ${version}`), element("pre", { class: "text" }, text)))));
}
