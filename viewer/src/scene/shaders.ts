// Shaders (GLSL ES 3.00). The vertex shader sums the shapes of a body, so that a picture costs its coordinates only.

/** Field numbers of `uField`. */
export const kFieldNumbers = { none: 0, deformation: 1, displacement: 2, velocity: 3, mises: 4, stress: 5 };

export const kVertexShader = /* glsl */ `
precision highp float;
precision highp int;
precision highp isampler2DArray;
precision highp sampler2D;

in vec3 position;
in vec3 normal;
in int source;

uniform mat4 uViewProjection;
uniform mat3 uRotation, uStartRotation;
uniform vec3 uPosition, uStartPosition, uVelocity, uOmega;
uniform float uFactor;
uniform int uField, uComponent, uShapes, uStressShapes;
uniform ivec3 uLayout, uStressLayout;      // width, rows of a shape, shapes of a layer
uniform isampler2DArray uShapeData, uStressData;
uniform sampler2D uCoordinates;            // by shape: coordinate, its rate, its start; in the second row those of stress
uniform float uDepthShift;

out vec3 vReference;
out vec3 vWorld;
out vec3 vNormal;
out float vValue;

ivec4 texel(isampler2DArray data, ivec3 layout_, int texels, int which, int shape) {
  int at = source * texels + which;
  return texelFetch(data, ivec3(at % layout_.x, (shape % layout_.z) * layout_.y + at / layout_.x, shape / layout_.z), 0);
}

float stress() {
  vec3 direct = vec3(0.0), shear = vec3(0.0);
  for (int k = 0; k < uStressShapes; ++k) {
    float weight = texelFetch(uCoordinates, ivec2(k, 1), 0).x;
    ivec4 first = texel(uStressData, uStressLayout, 2, 0, k), second = texel(uStressData, uStressLayout, 2, 1, k);
    direct += weight * vec3(first.xyz);
    shear += weight * vec3(first.w, second.xy);
  }
  if (uField == 5) return uComponent < 3 ? direct[uComponent] : shear[uComponent - 3];
  vec3 d = direct - direct.yzx;
  return sqrt(0.5 * dot(d, d) + 3.0 * dot(shear, shear));
}

void main() {
  vec3 u = vec3(0.0), du = vec3(0.0), u0 = vec3(0.0);
  for (int k = 0; k < uShapes; ++k) {
    vec3 shape = vec3(texel(uShapeData, uLayout, 1, 0, k).xyz);
    vec3 weights = texelFetch(uCoordinates, ivec2(k, 0), 0).xyz;
    u += weights.x * shape;
    du += weights.y * shape;
    u0 += weights.z * shape;
  }
  vec3 world = uPosition + uRotation * (position + uFactor * u);
  vValue = 0.0;
  if (uField == 1) vValue = length(u);
  if (uField == 2) vValue = length(uPosition + uRotation * (position + u) - uStartPosition - uStartRotation * (position + u0));
  if (uField == 3) vValue = length(uVelocity + cross(uOmega, uRotation * (position + u)) + uRotation * du);
  if (uField >= 4) vValue = stress();
  vReference = position;
  vWorld = world;
  vNormal = normal;
  gl_Position = uViewProjection * vec4(world, 1.0);
  gl_Position.z -= uDepthShift * gl_Position.w;
}`;

const kCut = /* glsl */ `
uniform vec4 uSection;                     // normal, offset; the normal is zero without a section
void cut() { if (dot(uSection.xyz, vWorld) > uSection.w) discard; }
`;

/** Smooth normals are turned as the flat ones turn from the undeformed to the deformed triangle, whatever the factor. */
export const kSurfaceShader = /* glsl */ `
precision highp float;
precision highp int;
in vec3 vReference, vWorld, vNormal;
in float vValue;
out vec4 colour;
uniform mat3 uRotation;
uniform vec3 uEye, uForward, uColour;
uniform vec2 uRange;
uniform sampler2D uPalette;
uniform int uField, uPerspective, uFlat;
uniform float uAlpha;
${kCut}
void main() {
  cut();
  vec3 flat_ = normalize(cross(dFdx(vWorld), dFdy(vWorld)));
  vec3 n = flat_;
  if (uFlat == 0) {
    vec3 before = normalize(uRotation * cross(dFdx(vReference), dFdy(vReference)));
    vec3 smooth_ = normalize(uRotation * vNormal);
    vec3 turn = cross(before, flat_);
    float cosine = dot(before, flat_);
    if (cosine > -0.9) n = normalize(smooth_ + cross(turn, smooth_) + cross(turn, cross(turn, smooth_)) / (1.0 + cosine));
  }
  vec3 to_eye = uPerspective == 1 ? normalize(uEye - vWorld) : -uForward;
  bool inside = uSection.xyz != vec3(0.0) && !gl_FrontFacing;
  if (dot(n, to_eye) < 0.0) n = -n;
  vec3 base = uColour;
  float ambient = 0.42, diffuse = 0.58;
  if (uField != 0) {
    float s = (vValue - uRange.x) / max(uRange.y - uRange.x, 1e-30);
    base = texture(uPalette, vec2((clamp(s, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    ambient = 0.72;
    diffuse = 0.28;
  }
  float head = max(dot(n, to_eye), 0.0);
  float light = ambient + diffuse * head;
  float shine = uField != 0 ? 0.0 : 0.10 * pow(head, 24.0);
  colour = vec4(base * light + shine, uAlpha);
  if (inside) colour = vec4(mix(base, vec3(0.5), 0.55), uAlpha);
}`;

export const kLineShader = /* glsl */ `
precision highp float;
precision highp int;
in vec3 vReference, vWorld, vNormal;
in float vValue;
out vec4 colour;
uniform vec3 uColour;
uniform float uAlpha;
${kCut}
void main() {
  cut();
  colour = vec4(uColour, uAlpha);
}`;
