#include "contact/separation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace solidyn::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using FeatureKind = Feature::Kind;

// Of the bodies' size: vertices this much behind the foremost may be the foremost as well.
constexpr double kTie = 1e-7;
// Faces whose normal is as near to a direction as this (1 - cosine) may be what it is meant to be.
constexpr double kAligned = 1e-4;
// Of the bodies' size: an edge-edge axis must be better than a face by this, ...
constexpr double kPreferFaces = 1e-10;
// ... and edges that are nearer to parallel (squared sine) have no axis.
constexpr double kParallel = 1e-12;

double highest(const PlacedPolytope& body, const Vector3d& n) {
  double high = n.dot(body.x.front());
  for (const Vector3d& x : body.x) high = std::max(high, n.dot(x));
  return high;
}

int foremost(const PlacedPolytope& body, const Vector3d& n) {
  int best = 0;
  for (std::size_t i = 1; i < body.x.size(); ++i)
    if (n.dot(body.x[i]) > n.dot(body.x[best])) best = static_cast<int>(i);
  return best;
}

// The edges with an end that is (nearly) the foremost.
std::vector<int> foremost_edges(const PlacedPolytope& body, const Vector3d& n, double tie) {
  const double high = highest(body, n);
  std::vector<int> edges;
  for (std::size_t i = 0; i < body.body->edges.size(); ++i) {
    const auto& ends = body.edge(static_cast<int>(i)).ends;
    if (std::max(n.dot(body.x[ends[0]]), n.dot(body.x[ends[1]])) > high - tie)
      edges.push_back(static_cast<int>(i));
  }
  return edges;
}

void take_if_better(Separation& best, const Separation& trial, double by) {
  if (trial.value > best.value + by) best = trial;
}

Separation by_face(const PlacedPolytope& A, const PlacedPolytope& B, int of, int face) {
  Separation s;
  s.normal = of == 0 ? A.normals[face] : Vector3d(-B.normals[face]);
  s.value = separation_along(A, B, s.normal);
  s.features[of] = {FeatureKind::face, face};
  s.features[1 - of] = {FeatureKind::vertex,
                        of == 0 ? foremost(B, -s.normal) : foremost(A, s.normal)};
  return s;
}

// An end of an edge, or what is between.
Feature feature_of(const PlacedPolytope& body, int edge, double at) {
  if (at <= 0.0) return {FeatureKind::vertex, body.edge(edge).ends[0]};
  if (at >= 1.0) return {FeatureKind::vertex, body.edge(edge).ends[1]};
  return {FeatureKind::edge, edge};
}

Separation by_edges(const PlacedPolytope& A, const PlacedPolytope& B, int e, int f,
                    const NearestOfEdges& nearest) {
  Separation s;
  const Vector3d along_A = A.along(e), along_B = B.along(f);
  const Vector3d apart = (B.x[B.edge(f).ends[0]] + nearest.on_B * along_B) -
                         (A.x[A.edge(e).ends[0]] + nearest.on_A * along_A);
  s.features = {feature_of(A, e, nearest.on_A), feature_of(B, f, nearest.on_B)};
  s.normal = apart / nearest.distance;
  const Vector3d axis = along_A.cross(along_B);
  const bool is_crossing =
      s.features[0].kind == FeatureKind::edge && s.features[1].kind == FeatureKind::edge &&
      axis.squaredNorm() > kAligned * along_A.squaredNorm() * along_B.squaredNorm();
  if (is_crossing) s.normal = std::copysign(1.0, axis.dot(apart)) * axis.normalized();
  s.value = separation_along(A, B, s.normal);
  return s;
}

}  // namespace

double separation_along(const PlacedPolytope& A, const PlacedPolytope& B, const Vector3d& n) {
  return -highest(B, -n) - highest(A, n);
}

void PlacedPolytope::move_to(const Matrix3d& R, const Vector3d& p) {
  x.resize(body->vertices.size());
  normals.resize(body->faces.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = p + R * body->vertices[i];
  for (std::size_t i = 0; i < normals.size(); ++i) normals[i] = R * body->faces[i].normal;
}

// Ericson, Real-Time Collision Detection, 5.1.9: clamp the one, then the other, then the first
// again.
NearestOfEdges nearest(const Vector3d& a, const Vector3d& u, const Vector3d& b, const Vector3d& v) {
  const Vector3d r = a - b;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), ur = u.dot(r),
               vr = v.dot(r);
  const double denominator = uu * vv - uv * uv;
  NearestOfEdges n;
  n.on_A = denominator > kParallel * uu * vv
               ? std::clamp((uv * vr - ur * vv) / denominator, 0.0, 1.0)
               : 0.0;
  n.on_B = (uv * n.on_A + vr) / vv;
  if (n.on_B < 0.0 || n.on_B > 1.0) {
    n.on_B = std::clamp(n.on_B, 0.0, 1.0);
    n.on_A = std::clamp((uv * n.on_B - ur) / uu, 0.0, 1.0);
  }
  n.distance = (r + n.on_A * u - n.on_B * v).norm();
  return n;
}

// Where bodies are apart the largest value is their distance, at one direction only: of the
// candidates that are near it is the one of the largest value.
Separation refined(const PlacedPolytope& A, const PlacedPolytope& B, const Vector3d& near,
                   double size) {
  Separation best;
  best.normal = near;
  best.value = separation_along(A, B, near);
  best.features = {Feature{FeatureKind::vertex, foremost(A, near)},
                   Feature{FeatureKind::vertex, foremost(B, -near)}};
  bool is_face = false;
  for (int of = 0; of < 2; ++of) {
    const PlacedPolytope& body = of == 0 ? A : B;
    for (std::size_t f = 0; f < body.normals.size(); ++f) {
      if (!body.face(static_cast<int>(f)).has_plane()) continue;
      if ((of == 0 ? near : Vector3d(-near)).dot(body.normals[f]) < 1.0 - kAligned) continue;
      const Separation trial = by_face(A, B, of, static_cast<int>(f));
      // The library's direction is never exact: the first face replaces what is as good.
      take_if_better(best, trial, is_face ? kPreferFaces * size : -kPreferFaces * size);
      is_face |= best.normal == trial.normal;
    }
  }
  const double by_library = separation_along(A, B, near);
  if (is_face && best.value >= by_library) return best;
  NearestOfEdges shortest;
  std::array<int, 2> pair = {-1, -1};
  const std::vector<int> of_B = foremost_edges(B, -near, kTie * size);
  for (const int e : foremost_edges(A, near, kTie * size))
    for (const int f : of_B) {
      const NearestOfEdges n =
          nearest(A.x[A.edge(e).ends[0]], A.along(e), B.x[B.edge(f).ends[0]], B.along(f));
      if (pair[0] >= 0 && n.distance >= shortest.distance) continue;
      shortest = n;
      pair = {e, f};
    }
  if (pair[0] < 0 || shortest.distance == 0.0) return best;
  const Separation trial = by_edges(A, B, pair[0], pair[1], shortest);
  take_if_better(best, trial, is_face ? kPreferFaces * size : -kPreferFaces * size);
  return best;
}

namespace {

// Whether the arcs that two edges span on the unit sphere cross: then their planes bound the
// Minkowski difference (Gregorius 2013). Edges without faces span all that is across them.
bool arcs_cross(const PlacedPolytope& A, int e, const PlacedPolytope& B, int f) {
  const auto normals = [](const PlacedPolytope& body, int edge) {
    const auto& faces = body.edge(edge).faces;
    return std::array<Vector3d, 2>{body.normals[faces[0]], body.normals[faces[1]]};
  };
  const bool A_has_faces = A.face(A.edge(e).faces[0]).has_plane();
  const bool B_has_faces = B.face(B.edge(f).faces[0]).has_plane();
  if (!A_has_faces || !B_has_faces) return true;
  const auto [a, b] = normals(A, e);
  const auto [l, m] = normals(B, f);
  const Vector3d c = -l, d = -m;
  const Vector3d b_x_a = b.cross(a), d_x_c = d.cross(c);
  const double cba = c.dot(b_x_a), dba = d.dot(b_x_a), adc = a.dot(d_x_c), bdc = b.dot(d_x_c);
  return cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0;
}

}  // namespace

Separation least_overlap(const PlacedPolytope& A, const PlacedPolytope& B, double size) {
  Separation best;
  bool is_first = true;
  for (int of = 0; of < 2; ++of) {
    const PlacedPolytope& body = of == 0 ? A : B;
    for (std::size_t f = 0; f < body.normals.size(); ++f) {
      if (!body.face(static_cast<int>(f)).has_plane()) continue;
      const Separation trial = by_face(A, B, of, static_cast<int>(f));
      if (is_first) best = trial;
      is_first = false;
      take_if_better(best, trial, kPreferFaces * size);
    }
  }
  for (std::size_t e = 0; e < A.body->edges.size(); ++e)
    for (std::size_t f = 0; f < B.body->edges.size(); ++f) {
      const int i = static_cast<int>(e), j = static_cast<int>(f);
      if (!arcs_cross(A, i, B, j)) continue;
      const Vector3d u = A.along(i), v = B.along(j), axis = u.cross(v);
      if (axis.squaredNorm() < kParallel * u.squaredNorm() * v.squaredNorm()) continue;
      for (const double sign : {1.0, -1.0}) {
        Separation trial;
        trial.normal = sign * axis.normalized();
        const double a = trial.normal.dot(A.x[A.edge(i).ends[0]]),
                     b = trial.normal.dot(B.x[B.edge(j).ends[0]]);
        trial.value = separation_along(A, B, trial.normal);
        // Parallel edges have the same axis, and are not the foremost.
        if (b - a > trial.value + kPreferFaces * size) continue;
        trial.features = {Feature{FeatureKind::edge, i}, Feature{FeatureKind::edge, j}};
        take_if_better(best, trial, kPreferFaces * size);
      }
    }
  return best;
}

Separation separation_by_all(const PlacedPolytope& A, const PlacedPolytope& B) {
  Separation best;
  best.value = -std::numeric_limits<double>::infinity();
  for (int of = 0; of < 2; ++of) {
    const PlacedPolytope& body = of == 0 ? A : B;
    for (std::size_t f = 0; f < body.normals.size(); ++f)
      if (body.face(static_cast<int>(f)).has_plane())
        take_if_better(best, by_face(A, B, of, static_cast<int>(f)), 0.0);
  }
  NearestOfEdges shortest;
  shortest.distance = std::numeric_limits<double>::infinity();
  std::array<int, 2> pair = {0, 0};
  for (std::size_t e = 0; e < A.body->edges.size(); ++e)
    for (std::size_t f = 0; f < B.body->edges.size(); ++f) {
      const int i = static_cast<int>(e), j = static_cast<int>(f);
      const NearestOfEdges n =
          nearest(A.x[A.edge(i).ends[0]], A.along(i), B.x[B.edge(j).ends[0]], B.along(j));
      if (n.distance >= shortest.distance) continue;
      shortest = n;
      pair = {i, j};
    }
  if (shortest.distance > 0.0)
    take_if_better(best, by_edges(A, B, pair[0], pair[1], shortest), 0.0);
  return best;
}

}  // namespace solidyn::contact
