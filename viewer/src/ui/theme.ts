// Colours that drawings need, read from the style sheet so that light and dark are written once.
export interface Theme {
  background: [number, number, number];
  ink: [number, number, number];
  css: (name: string) => string;
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const css = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const channels = (name: string) => {
    const value = parseInt(css(name).slice(1), 16);
    return [(value >> 16) & 255, (value >> 8) & 255, value & 255].map((c) => c / 255) as [number, number, number];
  };
  return { background: channels("stage"), ink: channels("ink"), css };
}

/** Switches between the system's choice, light and dark. */
export function set_theme(choice: "" | "light" | "dark") {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
  document.dispatchEvent(new Event("themechange"));
}

export function on_theme(call: () => void) {
  document.addEventListener("themechange", call);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", call);
}
