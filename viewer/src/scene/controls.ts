// Pointer, wheel and touch on the picture.
import { OrbitCamera } from "./camera";

export interface ControlCalls {
  changed(): void;
  clicked(x: number, y: number): void;
}

/** Left: turn; right, middle or with Shift: move; wheel or two fingers: come nearer. A press without motion is a click. */
export function attach_controls(surface: HTMLElement, camera: () => OrbitCamera, calls: ControlCalls) {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0, panning = false;

  surface.addEventListener("pointerdown", (event) => {
    surface.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    moved = 0;
    panning = event.button !== 0 || event.shiftKey;
  });
  surface.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.offsetX, y: event.offsetY };
    const dx = now.x - before.x, dy = now.y - before.y, height = surface.clientHeight;
    moved += Math.abs(dx) + Math.abs(dy);
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)![1];
      const span = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
      camera().zoom(span(before) / span(now));
      camera().pan(dx / 2 / height, dy / 2 / height);
    } else if (panning) camera().pan(dx / height, dy / height);
    else if (moved > 3) camera().orbit((dx * 2.2 * Math.PI) / surface.clientWidth, (dy * Math.PI) / height);
    pointers.set(event.pointerId, now);
    calls.changed();
  });
  const released = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && moved <= 3 && !panning && event.button === 0) calls.clicked(event.offsetX, event.offsetY);
  };
  surface.addEventListener("pointerup", released);
  surface.addEventListener("pointercancel", released);
  surface.addEventListener("contextmenu", (event) => event.preventDefault());
  surface.addEventListener("wheel", (event) => {
    event.preventDefault();
    const height = surface.clientHeight / 2;
    const pixels = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
    camera().zoom(Math.exp(0.0012 * pixels), (event.offsetX - surface.clientWidth / 2) / height, (height - event.offsetY) / height);
    calls.changed();
  }, { passive: false });
}
