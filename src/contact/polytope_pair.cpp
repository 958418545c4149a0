#include <algorithm>
#include <cmath>

#include "contact/from_polytope.h"
#include "contact/pair_geometries.h"
#include "solidyn/math/rotation.h"

namespace solidyn::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;
using Kind = ManifoldPoint::Kind;

// What the shares of a pair's points add up to: a box on a plane has four corners.
constexpr double kShares = 4.0;
// Squared sine of the angle below which two edges that cross have no normal of their own: it would
// turn by the tilt of the faces over this sine.
constexpr double kCrossingEdges = 2.5e-3;

double size_of(const Polytope& body) {
  double largest = 0.0;
  for (const Vector3d& v : body.vertices) largest = std::max(largest, (v - body.centre()).norm());
  return largest;
}

// Without derivatives, which are most of it.
ContactPoint place_in(const ContactPoint& from) {
  ContactPoint g;
  g.gap = from.gap;
  g.exists = from.exists;
  g.normal = from.normal;
  g.point = from.point;
  g.share = from.share;
  return g;
}

ContactPoint exchanged(ContactPoint g) {
  g.normal = -g.normal;
  Matrix3x12 d_normal = -g.d_normal, d_point = g.d_point;
  g.d_normal << d_normal.rightCols<6>(), d_normal.leftCols<6>();
  g.d_point << d_point.rightCols<6>(), d_point.leftCols<6>();
  const Row12 d_share = g.d_share;
  g.d_share << d_share.tail<6>(), d_share.head<6>();
  return g;
}

// Corner i of m has the part (l before it + l behind it) / (2 sum of l) of all, l the lengths of
// the polygon's edges.
void share_out(const std::vector<ContactPoint*>& corners) {
  const std::size_t n = corners.size();
  std::vector<double> length(n);
  std::vector<Row12> d_length(n, Row12::Zero());
  double sum = 0.0;
  Row12 d_sum = Row12::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const ContactPoint &from = *corners[i], &to = *corners[(i + 1) % n];
    const Vector3d edge = to.point - from.point;
    length[i] = edge.norm();
    if (length[i] > 0.0) d_length[i] = edge.transpose() / length[i] * (to.d_point - from.d_point);
    sum += length[i];
    d_sum += d_length[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    ContactPoint& g = *corners[i];
    if (sum <= 0.0) {
      g.share = kShares / static_cast<double>(n);
      g.d_share.setZero();
      continue;
    }
    const std::size_t before = (i + n - 1) % n;
    const double part = 0.5 * (length[before] + length[i]) / sum;
    g.share = kShares * part;
    g.d_share = kShares * (0.5 * (d_length[before] + d_length[i]) - part * d_sum) / sum;
  }
}

}  // namespace

PolytopePair::PolytopePair(Body A, Body B)
    : A_(std::move(A)),
      B_(std::move(B)),
      distance_(A_.polytope, B_.polytope),
      n_points_(n_slots(A_.polytope, B_.polytope)),
      size_(std::min(size_of(A_.polytope), size_of(B_.polytope))),
      far_(2.0 * (size_of(A_.polytope) + size_of(B_.polytope) + A_.margin + B_.margin)) {
  asked_.setConstant(std::nan(""));
  placed_A_.body = &A_.polytope;
  placed_B_.body = &B_.polytope;
  placed_A_.move_to(Matrix3d::Identity(), Vector3d::Zero());
}

ContactPoint PolytopePair::at(const bodies::FramePair& f, int point) const {
  return find(f, point, Known::derivatives);
}

ContactPoint PolytopePair::without_derivatives(const bodies::FramePair& f, int point) const {
  return place_in(find(f, point, Known::places));
}

const ContactPoint& PolytopePair::find(const bodies::FramePair& f, int point, Known what) const {
  Eigen::Matrix<double, 3, 8> asked;
  asked << f.A.R, f.A.p, f.B.R, f.B.p;
  if (known_ < what || !(asked.array() == asked_.array()).all()) {
    find_points(f, what);
    asked_ = asked;
    known_ = what;
  }
  return points_[point];
}

// The library's direction is right where the bodies are as far apart along it as the points that it
// has found; from another guess it finds it where it did not.
Separation PolytopePair::separation(const Pose& pose) const {
  constexpr double kEnough = 1e-5;  // of the size: what the features then make exact
  Vector3d guess = pose.p_AB;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const ConvexDistance::Apart apart = distance_.find(pose.R_AB, pose.p_AB, guess);
    if (apart.distance == 0.0) break;
    if (separation_along(placed_A_, placed_B_, apart.normal) >= apart.distance - kEnough * size_)
      return refined(placed_A_, placed_B_, apart.normal, size_);
    guess = apart.normal;
  }
  const Separation overlap = least_overlap(placed_A_, placed_B_, size_);
  return overlap.value > 0.0 ? separation_by_all(placed_A_, placed_B_) : overlap;
}

// Shares are for laws that ask for derivatives.
void PolytopePair::find_points(const bodies::FramePair& f, Known what) const {
  const Pose pose{f.A.R.transpose() * f.B.R, f.A.R.transpose() * (f.B.p - f.A.p)};
  placed_B_.move_to(pose.R_AB, pose.p_AB);
  const Separation s = separation(pose);
  const Direction n =
      what == Known::derivatives ? direction(f, s) : Direction{Vector3d(f.A.R * s.normal)};
  const Manifold manifold = make_manifold(placed_A_, placed_B_, s, size_);
  std::vector<bool> is_used(n_points(), false);
  points_.resize(n_points());
  std::vector<ContactPoint*> corners;
  for (const ManifoldPoint& p : manifold.points) {
    ContactPoint& g = points_[p.slot];
    if (p.kind == Kind::corner_of_A)
      g = corner_over_face(f, On::A, A_.polytope.vertices[p.on_A], p.on_B, what);
    else if (p.kind == Kind::corner_of_B)
      g = corner_over_face(f, On::B, B_.polytope.vertices[p.on_B], p.on_A, what);
    else
      g = crossing(f, p, manifold.face_A, n, what);
    is_used[p.slot] = true;
    corners.push_back(&g);
  }
  if (what == Known::derivatives) share_out(corners);
  // A point that is no more within an iteration keeps its force until the end of the step, at the
  // place where it has vanished: elsewhere it would have another lever.
  const auto lowest = std::min_element(
      corners.begin(), corners.end(),
      [](const ContactPoint* a, const ContactPoint* b) { return a->gap < b->gap; });
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (is_used[i]) continue;
    points_[i] = i < manifold.nearest.size() ? *corners[manifold.nearest[i]] : **lowest;
    points_[i].gap += far_;
    points_[i].exists = false;
  }
}

PolytopePair::Line PolytopePair::line_of(const bodies::FrameMotion& f, int at, const Polytope& body,
                                         int edge) {
  const Vector3d &a = body.vertices[body.edges[edge].ends[0]],
                 &b = body.vertices[body.edges[edge].ends[1]];
  const Vector3d unit = (b - a).normalized();
  Line line{f.p + f.R * a, f.R * unit};
  line.d_from.middleCols<3>(at).setIdentity();
  line.d_from.middleCols<3>(at + 3) = -f.R * skew(a);
  line.d_along.middleCols<3>(at + 3) = -f.R * skew(unit);
  return line;
}

ContactPoint PolytopePair::corner_over_face(const bodies::FramePair& f, On on,
                                            const Vector3d& local, int face, Known what) const {
  const Body &of_corner = on == On::A ? A_ : B_, &of_face = on == On::A ? B_ : A_;
  const PointOver point{on, local, -(A_.margin + B_.margin), -of_corner.margin};
  const auto distance = [&](const Vector3d& y) { return from_face(of_face.polytope, face, y); };
  return what == Known::derivatives ? contact_of(f, point, distance) : place_of(f, point, distance);
}

// Lines that are nearly parallel, or that are apart and nearest to each other beyond the ends of
// the edges: what of B's edge lies over A's, seen along n, is taken for a corner of B. It slides
// along the edge, which the gap's rate leaves out:
//   u = -(w . c) / (f . c),   c = n x e
ContactPoint PolytopePair::passing(const bodies::FramePair& f, const ManifoldPoint& p, int face_A,
                                   const Direction& n, const Line& a, const Line& b) const {
  const Vector3d w = b.from - a.from, c = n.n.cross(a.along);
  const double slope = b.along.dot(c);
  const double u = slope == 0.0 ? 0.0 : -w.dot(c) / slope, length = B_.polytope.length(p.on_B);
  const double at = std::clamp(u, 0.0, length);
  ContactPoint g =
      corner_over_face(f, On::B, f.B.R.transpose() * (b.from + at * b.along - f.B.p), face_A);
  if (at != u || slope == 0.0) return g;
  const Matrix3x12 dc = skew(n.n) * a.d_along - skew(a.along) * n.dn;
  const Row12 du = -(c.transpose() * (b.d_from - a.d_from + at * b.d_along) +
                     (w + at * b.along).transpose() * dc) /
                   slope;
  const Vector3d turned = g.d_normal.middleCols<3>(6) * b.along;  // the normal, on the way along it
  g.d_normal += turned * du;
  g.d_point += (b.along - B_.margin * turned) * du;
  return g;
}

// How the direction of the separation varies; that between corners, or corners and edges, is held.
PolytopePair::Direction PolytopePair::direction(const bodies::FramePair& f,
                                                const Separation& s) const {
  using Kind = Feature::Kind;
  Direction n{f.A.R * s.normal};
  const Feature &a = s.features[0], &b = s.features[1];
  if (a.kind == Kind::face) {
    n.dn.middleCols<3>(3) = -f.A.R * skew(A_.polytope.faces[a.index].normal);
  } else if (b.kind == Kind::face) {
    n.dn.middleCols<3>(9) = f.B.R * skew(B_.polytope.faces[b.index].normal);
  } else if (a.kind == Kind::edge && b.kind == Kind::edge) {
    const Line e = line_of(f.A, 0, A_.polytope, a.index), g = line_of(f.B, 6, B_.polytope, b.index);
    const Vector3d k = e.along.cross(g.along);
    const double length = std::copysign(k.norm(), k.dot(n.n));
    if (std::abs(length) < 1e-6) return n;
    const Matrix3x12 dk = skew(e.along) * g.d_along - skew(g.along) * e.d_along;
    n.dn = (dk - n.n * (n.n.transpose() * dk)) / length;
  }
  return n;
}

// Along k = e x f of unit vectors e, f along the edges, with w from the one line to the other:
//   gap = w . k / |k| - margins,   x = a + s e + margin k / |k|,   s = (w x f) . k / k.k
ContactPoint PolytopePair::crossing(const bodies::FramePair& f, const ManifoldPoint& p, int face_A,
                                    const Direction& n, Known what) const {
  const Line a = line_of(f.A, 0, A_.polytope, p.on_A), b = line_of(f.B, 6, B_.polytope, p.on_B);
  const Vector3d w = b.from - a.from, wxf = w.cross(b.along);
  const double sign = std::copysign(1.0, a.along.cross(b.along).dot(n.n));
  const Vector3d k = sign * a.along.cross(b.along);
  const double kk = k.squaredNorm(), length = std::sqrt(kk);
  const double length_A = A_.polytope.length(p.on_A), length_B = B_.polytope.length(p.on_B);
  const double s = sign * wxf.dot(k) / kk, u = sign * w.cross(a.along).dot(k) / kk;
  const bool is_between = s >= 0.0 && s <= length_A && u >= 0.0 && u <= length_B;
  if (kk < kCrossingEdges || (!is_between && w.dot(k) > 0.0)) return passing(f, p, face_A, n, a, b);
  ContactPoint g;
  g.normal = k / length;
  g.gap = w.dot(g.normal) - A_.margin - B_.margin;
  g.point = a.from + s * a.along + A_.margin * g.normal;
  if (what == Known::places) return g;
  const Matrix3x12 dk = sign * (skew(a.along) * b.d_along - skew(b.along) * a.d_along);
  const Matrix3x12 dw = b.d_from - a.d_from;
  const Row12 ds =
      (sign * (k.transpose() * (skew(w) * b.d_along - skew(b.along) * dw) + wxf.transpose() * dk) -
       2.0 * s * k.transpose() * dk) /
      kk;
  g.d_normal = (dk - g.normal * (g.normal.transpose() * dk)) / length;
  g.d_point = a.d_from + a.along * ds + s * a.d_along + A_.margin * g.d_normal;
  return g;
}

ContactPoint ExchangedPair::at(const bodies::FramePair& f, int point) const {
  return exchanged(pair_->at({f.B, f.A, f.angle}, point));
}

ContactPoint ExchangedPair::without_derivatives(const bodies::FramePair& f, int point) const {
  ContactPoint g = pair_->without_derivatives({f.B, f.A, f.angle}, point);
  g.normal = -g.normal;
  return g;
}

}  // namespace solidyn::contact
