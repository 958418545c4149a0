// Pictures (PNG) and films (WebM) of the machine with its symbols and legend.
import { colour_at } from "../colour/palette";
import { Viewport } from "../scene/viewport";
import { button, save } from "./dom";
import { shown } from "./numbers";
import { theme } from "./theme";
import { View } from "./view_state";

/** What stands in the page over the canvases: names and the legend. */
function draw_texts(c: CanvasRenderingContext2D, viewport: Viewport, width: number, height: number) {
  const { css } = theme(), { field } = viewport.view.get();
  c.font = "12px system-ui, sans-serif";
  c.textBaseline = "middle";
  const origin = viewport.root.getBoundingClientRect();
  for (const label of viewport.root.querySelectorAll<HTMLElement>(".label:not([hidden])")) {
    const box = label.getBoundingClientRect();
    c.fillStyle = css("panel");
    c.fillRect(box.left - origin.left, box.top - origin.top, box.width, box.height);
    c.fillStyle = css("ink");
    c.fillText(label.textContent ?? "", box.left - origin.left + 4, box.top - origin.top + box.height / 2);
  }
  if (field.kind === "none") return;
  const [low, high] = viewport.range(), x = width - 96, top = 44, length = Math.min(200, height - 90);
  for (let i = 0; i < length; ++i) {
    c.fillStyle = `rgb(${colour_at(1 - i / (length - 1)).join(",")})`;
    c.fillRect(x, top + i, 14, 1.5);
  }
  c.fillStyle = css("ink");
  c.textAlign = "right";
  c.fillText(`${field.label} [${field.unit}]`, width - 12, 24);
  c.textAlign = "left";
  for (let i = 0; i < 5; ++i) c.fillText(shown(high + ((low - high) * i) / 4, 3), x + 20, top + (i * length) / 4);
}

/** The picture as it is seen, on a canvas of its own. */
export function composed(viewport: Viewport, into?: HTMLCanvasElement): HTMLCanvasElement {
  viewport.draw();
  const { overlay, renderer } = viewport;
  const canvas = into ?? document.createElement("canvas");
  if (canvas.width !== overlay.width || canvas.height !== overlay.height) [canvas.width, canvas.height] = [overlay.width, overlay.height];
  const c = canvas.getContext("2d")!;
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.drawImage(renderer.canvas, 0, 0, canvas.width, canvas.height);
  c.drawImage(overlay, 0, 0);
  const ratio = overlay.width / Math.max(1, viewport.root.clientWidth);
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw_texts(c, viewport, viewport.root.clientWidth, viewport.root.clientHeight);
  return canvas;
}

export function save_picture(viewport: Viewport, file: string): Promise<void> {
  return new Promise((done) => composed(viewport).toBlob((blob) => { if (blob) save(blob, `${file}.png`); done(); }, "image/png"));
}

/** Records the machine from the start of its motion to the end, once. */
export class Film {
  readonly button = button("film", "record the motion as a film (WebM)", () => (this.recorder ? this.stop() : this.start()));
  private recorder: MediaRecorder | null = null;

  constructor(private readonly view: View, private readonly viewport: Viewport, private readonly file: string) {
    if (typeof MediaRecorder === "undefined") this.button.hidden = true;
  }

  private start() {
    const canvas = composed(this.viewport);
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((candidate) => MediaRecorder.isTypeSupported(candidate));
    if (!type) {
      this.button.title = "this browser records no WebM";
      this.button.disabled = true;
      return;
    }
    const chunks: Blob[] = [], { loop } = this.view.get();
    const recorder = (this.recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 }));
    recorder.addEventListener("dataavailable", (event) => chunks.push(event.data));
    recorder.addEventListener("stop", () => { this.view.set({ loop }); save(new Blob(chunks, { type: "video/webm" }), `${this.file}.webm`); });
    recorder.start();
    this.button.textContent = "stop";
    this.view.set({ time: this.viewport.stage.clock.from, loop: false, playing: true });
    const copy = () => {
      if (this.recorder !== recorder) return;
      composed(this.viewport, canvas);
      if (this.view.get().playing) requestAnimationFrame(copy);
      else this.stop();
    };
    requestAnimationFrame(copy);
  }

  private stop() {
    this.recorder?.stop();
    this.recorder = null;
    this.button.textContent = "film";
  }
}
