// What the page's address asks for behind `#`: words and values joined by `&`, such as `#still&time=0.03&colour=von Mises stress`.
export interface Wishes {
  renderer: "webgl" | "software" | null;
  /** The machine alone, without tools and panels: for pictures of it. */
  still: boolean;
  time: number | null;
  /** The instant as a part of the run, from `time=40%`. */
  part: number | null;
  factor: number | null;
  names: boolean;
  ghost: boolean;
  edges: boolean;
  /** Label of a quantity. */
  colour: string | null;
}

const number_or_null = (text: string | undefined): number | null => (text === undefined || text === "" || !Number.isFinite(Number(text)) ? null : Number(text));

/** Percent signs that stand for themselves stay. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function wishes_of_address(hash = window.location.hash): Wishes {
  const given = new Map(hash.slice(1).split("&").map((part): [string, string] => {
    const at = part.indexOf("=");
    return at < 0 ? [part, ""] : [part.slice(0, at), decoded(part.slice(at + 1))];
  }));
  const time = given.get("time");
  const percent = time?.endsWith("%") ? number_or_null(time.slice(0, -1)) : null;
  return { renderer: given.has("software") ? "software" : given.has("webgl") ? "webgl" : null, still: given.has("still"), names: given.has("names"), ghost: given.has("ghost"),
           edges: given.get("edges") !== "none", time: number_or_null(time),
           part: percent === null ? null : percent / 100, factor: number_or_null(given.get("factor")), colour: given.get("colour") ?? null };
}
