// Drawing of points in space on the flat canvas above the picture.
import { CameraMatrices, length_of_pixel, OrbitCamera, projected } from "./camera";
import { Vec3 } from "../maths/vectors";

export class Pen {
  constructor(readonly context: CanvasRenderingContext2D, readonly camera: OrbitCamera, readonly matrices: CameraMatrices) {}

  /** A polyline; it is interrupted behind the eye. */
  line(points: Vec3[], colour: string, width = 1.4, dash: number[] = []) {
    const c = this.context;
    c.beginPath();
    let drawing = false;
    for (const point of points) {
      const pixel = projected(this.matrices, point);
      if (pixel && drawing) c.lineTo(pixel.x, pixel.y);
      else if (pixel) c.moveTo(pixel.x, pixel.y);
      drawing = pixel !== null;
    }
    c.setLineDash(dash);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
    c.setLineDash([]);
  }

  dot(point: Vec3, radius: number, fill: string, ring?: string) {
    const pixel = projected(this.matrices, point);
    if (!pixel) return;
    const c = this.context;
    c.beginPath();
    c.arc(pixel.x, pixel.y, radius, 0, 2 * Math.PI);
    c.fillStyle = fill;
    c.fill();
    if (!ring) return;
    c.strokeStyle = ring;
    c.lineWidth = 1.5;
    c.stroke();
  }

  /** An arrow from one point to another, its head of constant size. */
  arrow(from: Vec3, to: Vec3, colour: string, width = 2) {
    const a = projected(this.matrices, from), b = projected(this.matrices, to);
    if (!a || !b) return;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (length < 2) return;
    const ux = (b.x - a.x) / length, uy = (b.y - a.y) / length, head = Math.min(9, length);
    const c = this.context;
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.moveTo(a.x, a.y);
    c.lineTo(b.x - ux * head * 0.8, b.y - uy * head * 0.8);
    c.stroke();
    c.beginPath();
    c.moveTo(b.x, b.y);
    c.lineTo(b.x - ux * head - uy * head * 0.4, b.y - uy * head + ux * head * 0.4);
    c.lineTo(b.x - ux * head + uy * head * 0.4, b.y - uy * head - ux * head * 0.4);
    c.fill();
  }

  /** Length of so many pixels at a point, m. */
  length(pixels: number, at: Vec3): number {
    return pixels * length_of_pixel(this.camera, this.matrices, at);
  }
}
