#include "contact/manifold.h"

#include <algorithm>
#include <cmath>

namespace solidyn::contact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Kind = ManifoldPoint::Kind;

// Of the bodies' size: corners this far outside of the other face lie on its edge, and corners that
// are as near to each other are one. More than what round-off, and the iterations of a step at
// rest, move edges that lie on each other: points would become others by it. Levers are wrong by no
// more.
constexpr double kTouch = 1e-5;

// Angle below which two edges lie along each other.
constexpr double kAlong = 0.05;

// A corner of a polygon that is being cut.
struct Corner {
  Vector2d x;
  int edge_before, edge_after;  // those of A's face from 0, then those of B's
  int slot;
};

// Of the faces that meet the feature, the one that faces along n most.
int supporting_face(const PlacedPolytope& body, const Feature& feature, const Vector3d& n) {
  if (feature.kind == Feature::Kind::face) return feature.index;
  const Polytope& b = *body.body;
  std::vector<int> faces;
  if (feature.kind == Feature::Kind::edge)
    faces.assign(b.edges[feature.index].faces.begin(), b.edges[feature.index].faces.end());
  else
    faces = b.faces_of[feature.index];
  // Those that are as good but for round-off: the first, so that it does not change by it.
  constexpr double kBetter = 1e-9;
  int best = faces.front();
  for (const int f : faces)
    if (n.dot(body.normals[f]) > n.dot(body.normals[best]) + kBetter) best = f;
  return best;
}

// The faces seen along n, and cut against each other.
class Overlap {
 public:
  Overlap(const PlacedPolytope& A, int face_A, const PlacedPolytope& B, int face_B,
          const Vector3d& n, double touch)
      : loop_A_(A.face(face_A).loop), loop_B_(B.face(face_B).loop), touch_(touch) {
    // Clockwise about n, because it faces the other way.
    std::reverse(loop_B_.begin(), loop_B_.end());
    const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
    for (const int i : loop_A_) a_.emplace_back(u.dot(A.x[i]), v.dot(A.x[i]));
    for (const int i : loop_B_) b_.emplace_back(u.dot(B.x[i]), v.dot(B.x[i]));
  }

  std::vector<Corner> polygon() const {
    const int n_A = static_cast<int>(a_.size()), n_B = static_cast<int>(b_.size());
    std::vector<Corner> corners;
    for (int i = 0; i < n_A; ++i) corners.push_back({a_[i], (i + n_A - 1) % n_A, i, i});
    for (int j = 0; j < n_B; ++j) corners = cut(corners, j);
    return without_doubles(corners);
  }

  ManifoldPoint point(const Corner& c, const PlacedPolytope& A, const PlacedPolytope& B, int face_A,
                      int face_B) const {
    const int n_A = static_cast<int>(a_.size());
    const bool on_A = c.edge_before < n_A, on_A_after = c.edge_after < n_A;
    if (on_A && on_A_after) return {Kind::corner_of_A, loop_A_[c.edge_after], face_B, c.slot};
    if (!on_A && !on_A_after)
      return {Kind::corner_of_B, face_A, loop_B_[c.edge_after - n_A], c.slot};
    const int of_A = on_A ? c.edge_before : c.edge_after;
    const int of_B = (on_A ? c.edge_after : c.edge_before) - n_A;
    return {Kind::crossing, edge_at(A, loop_A_, of_A), edge_at(B, loop_B_, of_B), c.slot};
  }

  // Of each edge, A's before B's, the corner that is farthest to its outer side; of both ends of an
  // edge that lies along it that where it begins.
  std::vector<int> nearest(const std::vector<Corner>& corners) const {
    std::vector<int> found;
    for (const std::vector<Vector2d>* loop : {&a_, &b_})
      for (std::size_t i = 0; i < loop->size(); ++i) {
        const Vector2d along = (*loop)[(i + 1) % loop->size()] - (*loop)[i];
        const Vector2d outwards = Vector2d(along.y(), -along.x()) - kAlong * along;
        const auto is_nearer = [&](const Corner& p, const Corner& q) {
          return outwards.dot(p.x) < outwards.dot(q.x);
        };
        const auto at = std::max_element(corners.begin(), corners.end(), is_nearer);
        found.push_back(static_cast<int>(at - corners.begin()));
      }
    return found;
  }

 private:
  static int edge_at(const PlacedPolytope& body, const std::vector<int>& loop, int i) {
    const int from = loop[i], to = loop[(i + 1) % loop.size()];
    for (const int e : body.body->edges_of[from]) {
      const auto& ends = body.edge(e).ends;
      if (ends[0] == to || ends[1] == to) return e;
    }
    return 0;  // never: consecutive vertices of a loop share an edge
  }

  // To the left of edge j of B's face, and on it within `touch_`.
  std::vector<Corner> cut(const std::vector<Corner>& corners, int j) const {
    const int label = static_cast<int>(a_.size()) + j;
    const Vector2d from = b_[j], along = b_[(j + 1) % b_.size()] - from;
    const Vector2d inwards = Vector2d(-along.y(), along.x()) / std::max(along.norm(), 1e-300);
    std::vector<Corner> kept;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Corner &p = corners[i], &q = corners[(i + 1) % corners.size()];
      const double s_p = inwards.dot(p.x - from), s_q = inwards.dot(q.x - from);
      const bool p_in = s_p >= -touch_, q_in = s_q >= -touch_;
      if (p_in) kept.push_back(p);
      if (p_in == q_in) continue;
      const Vector2d x = p.x + (q.x - p.x) * std::clamp(s_p / (s_p - s_q), 0.0, 1.0);
      kept.push_back(p_in ? Corner{x, p.edge_after, label, label}
                          : Corner{x, label, p.edge_after, p.edge_after});
    }
    return kept;
  }

  // Of corners at one place a corner of a face counts more than a crossing; it has the number of
  // the last of them, at which an edge of some length begins.
  std::vector<Corner> without_doubles(const std::vector<Corner>& corners) const {
    const std::size_t n = corners.size();
    const auto are_one = [&](const Corner& p, const Corner& q) {
      return (p.x - q.x).norm() <= 2.0 * touch_;
    };
    std::size_t start = 0;  // the first behind an edge of some length
    while (start < n && are_one(corners[(start + n - 1) % n], corners[start])) ++start;
    if (start == n) return n == 0 ? corners : std::vector<Corner>{best(corners)};
    std::vector<Corner> kept;
    std::vector<Corner> group;
    for (std::size_t k = 0; k < n; ++k) {
      group.push_back(corners[(start + k) % n]);
      if (are_one(group.back(), corners[(start + k + 1) % n]) && k + 1 < n) continue;
      kept.push_back(best(group));
      group.clear();
    }
    return kept;
  }

  Corner best(const std::vector<Corner>& group) const {
    const int n_A = static_cast<int>(a_.size());
    const auto is_corner = [&](const Corner& c) {
      return (c.edge_before < n_A) == (c.edge_after < n_A);
    };
    const auto found = std::find_if(group.begin(), group.end(), is_corner);
    Corner chosen = found == group.end() ? group.back() : *found;
    chosen.slot = group.back().slot;
    return chosen;
  }

  std::vector<int> loop_A_, loop_B_;
  std::vector<Vector2d> a_, b_;
  double touch_;
};

// Where the faces do not lie over each other: the features alone.
ManifoldPoint nearest_point(const Separation& s, int face_A, int face_B) {
  const Feature &a = s.features[0], &b = s.features[1];
  if (a.kind == Feature::Kind::vertex) return {Kind::corner_of_A, a.index, face_B, 0};
  if (b.kind == Feature::Kind::vertex) return {Kind::corner_of_B, face_A, b.index, 0};
  return {Kind::crossing, a.index, b.index, 0};
}

}  // namespace

int n_slots(const Polytope& A, const Polytope& B) { return A.longest_loop() + B.longest_loop(); }

Manifold make_manifold(const PlacedPolytope& A, const PlacedPolytope& B, const Separation& s,
                       double size) {
  Manifold m;
  m.face_A = supporting_face(A, s.features[0], s.normal);
  m.face_B = supporting_face(B, s.features[1], -s.normal);
  const Overlap overlap(A, m.face_A, B, m.face_B, s.normal, kTouch * size);
  const std::vector<Corner> corners = overlap.polygon();
  for (const Corner& corner : corners)
    m.points.push_back(overlap.point(corner, A, B, m.face_A, m.face_B));
  if (!corners.empty()) m.nearest = overlap.nearest(corners);
  if (m.points.empty()) m.points.push_back(nearest_point(s, m.face_A, m.face_B));
  return m;
}

}  // namespace solidyn::contact
