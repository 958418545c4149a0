// The machine drawn by WebGL 2 through three.
import { Camera, DataTexture, Scene, WebGLRenderer } from "three";
import { kPaletteSize, palette_bytes } from "../colour/palette";
import { Machine } from "../data/motion";
import { FrameInput, Renderer } from "./frame";
import { SurfaceInWebGL } from "./webgl_body";

/** A context, or null where the browser gives none. Software WebGL is taken only when it is asked for: our own is faster. */
export function webgl_context(canvas: HTMLCanvasElement, software_too: boolean): WebGL2RenderingContext | null {
  const context = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true, powerPreference: "high-performance" });
  if (!context || software_too) return context;
  const about = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(about ? context.getParameter(about.UNMASKED_RENDERER_WEBGL) : "");
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) ? null : context;
}

export class WebGLView implements Renderer {
  readonly kind = "webgl";
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new Camera();
  private readonly surfaces: SurfaceInWebGL[] = [];
  private readonly shared: Record<string, { value: unknown }>;
  private coarse = false;

  constructor(readonly canvas: HTMLCanvasElement, context: WebGL2RenderingContext, machine: Machine) {
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, preserveDrawingBuffer: true });
    const palette = new DataTexture(palette_bytes(), kPaletteSize, 1);
    palette.needsUpdate = true;
    this.shared = { uViewProjection: { value: [] }, uFactor: { value: 1 }, uComponent: { value: 0 }, uRange: { value: [0, 1] }, uEye: { value: [0, 0, 0] },
                    uForward: { value: [0, 0, 1] }, uPerspective: { value: 1 }, uSection: { value: [0, 0, 0, 0] }, uPalette: { value: palette } };
    this.camera.matrixAutoUpdate = this.camera.matrixWorldAutoUpdate = false;
    this.scene.matrixWorldAutoUpdate = false;
    const height = this.renderer.capabilities.maxTextureSize;
    machine.bodies.forEach((body, index) => {
      for (const surface of body.surfaces) {
        const drawn = new SurfaceInWebGL(surface, index, body.colour, this.shared, height);
        this.surfaces.push(drawn);
        this.scene.add(...drawn.objects);
      }
    });
  }

  resize(width: number, height: number) {
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
  }

  set_coarse(coarse: boolean) {
    this.coarse = coarse;
  }

  draw(frame: FrameInput) {
    const set = (name: string, value: unknown) => { this.shared[name].value = value; };
    const m = frame.camera;
    set("uViewProjection", [...m.view_projection]);
    set("uFactor", frame.factor);
    set("uComponent", frame.field.component);
    set("uRange", frame.range);
    set("uEye", m.eye);
    set("uForward", m.forward);
    set("uPerspective", m.projection[15] === 0 ? 1 : 0);
    set("uSection", frame.section ? [...frame.section.normal, frame.section.offset] : [0, 0, 0, 0]);
    const [r, g, b] = frame.background.map((channel) => Math.round(255 * channel));
    this.renderer.setClearColor((r << 16) | (g << 8) | b, 1);
    for (const surface of this.surfaces) surface.update(frame, this.coarse);
    this.renderer.render(this.scene, this.camera);
  }

  dispose() {
    for (const surface of this.surfaces) surface.dispose();
    this.renderer.dispose();
  }
}
