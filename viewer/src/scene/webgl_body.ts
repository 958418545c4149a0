// The meshes and lines of one surface of a body in WebGL, and the uniforms that move them.
import { BufferAttribute, BufferGeometry, DataTexture, DoubleSide, FloatType, GLSL3, IntType, LineSegments, Mesh, Object3D, RawShaderMaterial,
         RGBAFormat } from "three";
import { channels } from "../colour/palette";
import { has_field } from "../data/fields";
import { BodyState } from "../data/motion";
import { Surface } from "../data/surface";
import { Corners, kMostSmooth, split_at_creases, unsplit } from "./creases";
import { FrameInput } from "./frame";
import { kFieldNumbers, kLineShader, kSurfaceShader, kVertexShader } from "./shaders";
import { ShapeTexture, texture_of_shapes } from "./shape_textures";

type Uniforms = Record<string, { value: unknown }>;

const column_by_column = (r: number[]) => [r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]];

function geometry_of(surface: Surface, corners: Corners): BufferGeometry {
  const geometry = new BufferGeometry(), n = surface.count;
  const positions = new Float32Array(3 * corners.source.length);
  corners.source.forEach((v, i) => { for (let c = 0; c < 3; ++c) positions[3 * i + c] = surface.positions[c * n + v]; });
  const source = new BufferAttribute(corners.source, 1);
  source.gpuType = IntType;
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(corners.normals, 3));
  geometry.setAttribute("source", source);
  geometry.setIndex(new BufferAttribute(corners.index, 1));
  return geometry;
}

/** The empty texture of surfaces without shapes, one for all: a texture must be bound all the same. */
const kNoShapes = texture_of_shapes([], 3, 1, 4096);

export class SurfaceInWebGL {
  readonly objects: Object3D[] = [];
  private readonly uniforms: Uniforms;
  private readonly line_bias = { value: 0 };
  private readonly coordinates: DataTexture;
  private readonly weights: Float32Array;
  private readonly shapes: ShapeTexture;
  private readonly stress: ShapeTexture;
  private readonly full: Mesh | null = null;
  private readonly coarse: Mesh | null = null;
  private readonly ghost: Mesh | null = null;
  private readonly feature_lines: LineSegments | null;
  private readonly element_lines: LineSegments | null;

  constructor(private readonly surface: Surface, private readonly body: number, private readonly colour: string, shared: Uniforms, largest_height: number) {
    const stress = surface.stress;
    const shapes = [...surface.shapes, ...surface.velocity];
    this.shapes = shapes.length ? texture_of_shapes(shapes, 3, surface.count, largest_height) : kNoShapes;
    const stress_shapes = stress ? [...stress.shapes, ...(stress.offset ? [{ data: stress.offset, scale: 1, coordinate: -1 }] : [])] : [];
    this.stress = stress_shapes.length ? texture_of_shapes(stress_shapes, 6, surface.count, largest_height) : kNoShapes;
    const width = Math.max(1, shapes.length, stress_shapes.length);
    this.weights = new Float32Array(8 * width);
    this.coordinates = new DataTexture(this.weights, width, 2, RGBAFormat, FloatType);
    this.uniforms = {
      ...shared, uRotation: { value: [] }, uPosition: { value: [] }, uStartRotation: { value: [] }, uStartPosition: { value: [] },
      uVelocity: { value: [] }, uOmega: { value: [] }, uShapes: { value: shapes.length }, uStressShapes: { value: stress_shapes.length },
      uLayout: { value: this.shapes.layout }, uStressLayout: { value: this.stress.layout },
      uShapeData: { value: this.shapes.texture }, uStressData: { value: this.stress.texture }, uCoordinates: { value: this.coordinates },
      uField: { value: 0 },
    };
    if (surface.triangles.length) {
      this.full = this.mesh(surface.triangles);
      if (surface.simple_triangles) this.coarse = this.mesh(surface.simple_triangles);
      this.ghost = new Mesh(this.full.geometry, this.material(kSurfaceShader, { uColour: { value: [0.5, 0.5, 0.5] }, uAlpha: { value: 0.18 }, uFactor: { value: 0 },
                                                                              uFlat: { value: 0 }, uDepthShift: { value: 0 } }));
      this.add(this.ghost, 3);
    }
    this.feature_lines = this.lines(surface.feature_edges);
    this.element_lines = this.lines(surface.element_edges);
  }

  /** Sets everything that changes from picture to picture. */
  update(frame: FrameInput, coarse: boolean) {
    const state = frame.states[this.body], start = frame.starts[this.body];
    this.set_weights(state, start);
    const set = (name: string, value: unknown) => { this.uniforms[name].value = value; };
    set("uRotation", column_by_column(state.r));
    set("uPosition", state.p);
    this.line_bias.value = frame.camera.line_bias;
    set("uStartRotation", column_by_column(start.r));
    set("uStartPosition", start.p);
    set("uVelocity", state.velocity);
    set("uOmega", state.omega);
    set("uField", has_field(this.surface, frame.field) ? kFieldNumbers[frame.field.kind] : 0);
    this.show(frame, coarse);
  }

  dispose() {
    for (const object of this.objects as Mesh[]) { object.geometry.dispose(); object.material.dispose(); }
    for (const { texture } of [this.shapes, this.stress]) if (texture !== kNoShapes.texture) texture.dispose();
    this.coordinates.dispose();
  }

  private set_weights(state: BodyState, start: BodyState) {
    this.surface.shapes.forEach(({ coordinate: k }, i) => {
      const scale = this.shapes.scales[i];
      this.weights.set([scale * state.coordinates[k], scale * state.rates[k], scale * start.coordinates[k], 0], 4 * i);
    });
    // Those of velocities act on the rate alone, by the coordinate itself.
    const n = this.surface.shapes.length;
    this.surface.velocity.forEach(({ coordinate: k }, i) => this.weights.set([0, this.shapes.scales[n + i] * state.coordinates[k], 0, 0], 4 * (n + i)));
    const second = this.weights.length / 2;
    this.stress.scales.forEach((scale, i) => {
      const shape = this.surface.stress?.shapes[i];
      this.weights[second + 4 * i] = scale * (shape ? state.coordinates[shape.coordinate] : 1);
    });
    if (this.shapes.scales.length + this.stress.scales.length > 0 || this.coordinates.version === 0) this.coordinates.needsUpdate = true;
  }

  private show(frame: FrameInput, coarse: boolean) {
    const visible = !frame.hidden.has(this.body), faded = frame.transparent.has(this.body);
    const simple = coarse && this.coarse !== null;
    for (const [mesh, drawn] of [[this.full, !simple], [this.coarse, simple]] as [Mesh | null, boolean][]) {
      if (!mesh) continue;
      mesh.visible = visible && drawn;
      mesh.material.transparent = faded;
      mesh.material.depthWrite = !faded;
      mesh.renderOrder = faded ? 2 : 0;
      mesh.material.uniforms.uAlpha.value = faded ? 0.3 : 1;
      mesh.material.uniforms.uColour.value = channels(this.colour);
    }
    if (this.ghost) {
      this.ghost.visible = visible && frame.ghost && this.surface.shapes.length > 0;
      this.ghost.material.uniforms.uColour.value = frame.ink;
    }
    const sticks = this.surface.triangles.length === 0;
    if (this.feature_lines) this.show_lines(this.feature_lines, visible && (sticks || frame.edges !== "none"), sticks ? channels(this.colour) : [0.05, 0.06, 0.08], sticks ? 1 : 0.55);
    if (this.element_lines) this.show_lines(this.element_lines, visible && frame.edges === "elements", [0.05, 0.06, 0.08], 0.3);
  }

  private show_lines(lines: LineSegments, visible: boolean, colour: number[], alpha: number) {
    lines.visible = visible;
    lines.material.uniforms.uColour.value = colour;
    lines.material.uniforms.uAlpha.value = alpha;
  }

  private material(fragmentShader: string, own: Uniforms, transparent = true): RawShaderMaterial {
    return new RawShaderMaterial({ vertexShader: kVertexShader, fragmentShader, glslVersion: GLSL3, side: DoubleSide, transparent, depthWrite: !transparent,
                                   forceSinglePass: true, uniforms: { ...this.uniforms, ...own } });
  }

  private mesh(triangles: Uint32Array): Mesh {
    const smooth = triangles.length / 3 <= kMostSmooth;
    const corners = smooth ? split_at_creases(this.surface.positions, triangles) : unsplit(this.surface.count, triangles);
    const own = { uColour: { value: channels(this.colour) }, uAlpha: { value: 1 }, uFlat: { value: smooth ? 0 : 1 }, uDepthShift: { value: 0 } };
    const mesh = new Mesh(geometry_of(this.surface, corners), this.material(kSurfaceShader, own, false));
    this.add(mesh, 0);
    return mesh;
  }

  private lines(edges: Uint32Array | null): LineSegments | null {
    if (!edges || edges.length === 0) return null;
    const own = { uColour: { value: [0, 0, 0] }, uAlpha: { value: 1 }, uDepthShift: this.line_bias };
    const lines = new LineSegments(geometry_of(this.surface, unsplit(this.surface.count, edges)), this.material(kLineShader, own));
    this.add(lines, 1);
    return lines;
  }

  private add(object: Object3D, order: number) {
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    object.renderOrder = order;
    this.objects.push(object);
  }
}
