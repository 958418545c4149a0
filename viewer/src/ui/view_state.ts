// What the three-dimensional view shows.
import { Field } from "../data/fields";
import { Store } from "./store";

export interface Picked { body: number; surface: number; vertex: number }

export interface ViewState {
  /** Which machine: its motion, or its modes. */
  showing: "motion" | "modes";
  /** Row of `modes` that is animated. */
  mode: number;
  time: number;
  playing: boolean;
  /** Seconds of the machine per second, of modes periods per second. */
  speed: number;
  loop: boolean;
  factor: number;
  field: Field;
  /** By hand, or null: over the run. */
  range: [number, number] | null;
  section: { axis: 0 | 1 | 2; part: number; flipped: boolean } | null;
  edges: "none" | "features" | "elements";
  ghost: boolean;
  symbols: boolean;
  /** Families of symbols that are not drawn. */
  hidden_symbols: ReadonlySet<string>;
  names: boolean;
  trace: boolean;
  maximum: boolean;
  perspective: boolean;
  hidden: ReadonlySet<number>;
  transparent: ReadonlySet<number>;
  picked: Picked | null;
}

export const kNoField: Field = { kind: "none", component: 0, label: "bodies", unit: "" };

export function new_view(): Store<ViewState> {
  return new Store<ViewState>({
    showing: "motion", mode: 0, time: 0, playing: false, speed: 1, loop: true, factor: 1, field: kNoField, range: null, section: null, edges: "features",
    ghost: false, symbols: true, hidden_symbols: new Set(["reaction"]), names: false, trace: true, maximum: true, perspective: true, hidden: new Set(), transparent: new Set(), picked: null,
  });
}

export type View = Store<ViewState>;
