// Making elements. Text always goes in as text, so that a name never becomes markup.
type Content = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | null | undefined>;

/** An element with attributes; functions become listeners, `false` and `null` are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...contents: Content[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value as EventListener);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...contents.filter((content): content is Node | string => content != null && content !== false));
  return made;
}

/** A name out of a model: isolated, so that right-to-left text does not turn what stands beside it. */
export const name_text = (name: string, attributes: Attributes = {}): HTMLElement => element("bdi", { dir: "auto", title: name, ...attributes }, name);

export function button(label: string, title: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return element("button", { type: "button", title, "aria-label": title, click, ...attributes }, label);
}

export function choice<T extends string>(options: { value: T; label: string }[], chosen: T, title: string, change: (value: T) => void): HTMLSelectElement {
  const select: HTMLSelectElement = element("select", { title, "aria-label": title, change: () => change(select.value as T) });
  for (const { value, label } of options) select.append(element("option", { value, selected: value === chosen }, label));
  return select;
}

/** A box to tick; `set` shows another state. */
export function tick(label: Content, on: boolean, title: string, change: (on: boolean) => void): HTMLLabelElement & { box: HTMLInputElement } {
  const box: HTMLInputElement = element("input", { type: "checkbox", checked: on, change: () => change(box.checked) });
  return Object.assign(element("label", { class: "tick", title }, box, label), { box });
}

export function save(blob: Blob, file: string) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: file });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
