// The convex hull of a few hundred points at most, by gift wrapping: from each edge the plane that
// leaves all points on one side, with all points that lie in it.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <set>

#include "contact/polytope.h"
#include "solidyn/base/error.h"

namespace solidyn::contact {

namespace {

using Eigen::Vector3d;
using Cloud = std::vector<Vector3d>;

// Of the size of the body: points nearer to a plane, or to each other, are in it, or one.
constexpr double kFlat = 1e-9;

// Points are those of a body of size 1.
class GiftWrapping {
 public:
  explicit GiftWrapping(const Cloud& points) : x_(points) {}

  std::vector<std::vector<int>> loops() {
    add_first();
    const std::size_t limit = 4 * x_.size();  // more than a convex body has
    while (!open_.empty() && loops_.size() < limit) {
      const std::array<int, 2> edge = open_.front();
      open_.pop_front();
      if (!done_.count(edge)) add(x_[edge[0]], x_[edge[1]] - x_[edge[0]]);
    }
    return loops_;
  }

 private:
  // The plane that contains an edge and leaves all points behind it (normal outwards); by the
  // farthest of those in it, whose round-off turns it least.
  Vector3d supporting_normal(const Vector3d& from, const Vector3d& along) const {
    Vector3d normal = Vector3d::Zero();
    double reach = 0.0;
    const Vector3d direction = along.normalized();
    for (const Vector3d& x : x_) {
      const Vector3d arm = (x - from) - direction * direction.dot(x - from);
      const double length = arm.norm(), side = normal.dot(arm);
      if (length < kFlat) continue;  // on the edge
      if (reach > 0.0 && side < kFlat && (side < -kFlat || length < reach)) continue;
      normal = direction.cross(arm) / length;
      reach = length;
    }
    return normal;
  }

  // The corners of the points in a plane, counter-clockwise (Graham's scan about their mean).
  std::vector<int> corners(const Vector3d& from, const Vector3d& normal) const {
    std::vector<int> in_plane;
    Vector3d mean = Vector3d::Zero();
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (std::abs(normal.dot(x_[i] - from)) < kFlat) {
        in_plane.push_back(static_cast<int>(i));
        mean += x_[i];
      }
    if (in_plane.size() < 3) return {};
    mean /= static_cast<double>(in_plane.size());
    const int first = *std::max_element(in_plane.begin(), in_plane.end(), [&](int a, int b) {
      return (x_[a] - mean).norm() < (x_[b] - mean).norm();
    });
    const Vector3d u = (x_[first] - mean).normalized(), v = normal.cross(u);
    const auto angle = [&](int i) {
      if (i == first) return 0.0;
      const double phi = std::atan2(v.dot(x_[i] - mean), u.dot(x_[i] - mean));
      return phi < 0.0 ? phi + 2.0 * M_PI : phi;
    };
    std::sort(in_plane.begin(), in_plane.end(), [&](int a, int b) {
      return a != b && (a == first || (b != first && angle(a) < angle(b)));
    });
    in_plane.push_back(first);
    std::vector<int> loop;
    for (const int i : in_plane) {
      while (loop.size() >= 2 &&
             distance_right(loop[loop.size() - 2], i, loop.back(), normal) < kFlat)
        loop.pop_back();
      loop.push_back(i);
    }
    loop.pop_back();
    return loop;
  }

  // Of point i from the line that goes from a to b, to its right where positive: there it is a
  // corner.
  double distance_right(int a, int b, int i, const Vector3d& normal) const {
    const Vector3d line = x_[b] - x_[a];
    return -normal.dot(line.cross(x_[i] - x_[a])) / std::max(line.norm(), kFlat);
  }

  bool add(const Vector3d& from, const Vector3d& along) {
    const Vector3d normal = supporting_normal(from, along);
    if (normal.isZero(0.0)) return false;
    std::vector<int> loop = corners(from, normal);
    if (loop.size() < 3) return false;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      done_.insert({a, b});
      open_.push_back({b, a});
    }
    loops_.push_back(std::move(loop));
    return true;
  }

  // Planes through the lowest point, first along y, then along an edge that this one has found.
  void add_first() {
    const auto lowest = std::min_element(x_.begin(), x_.end(), [](const auto& a, const auto& b) {
      return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    const Vector3d from = *lowest;
    const Vector3d normal = supporting_normal(from, Vector3d::UnitY());
    if (normal.isZero(0.0)) return;
    if (corners(from, normal).size() >= 3) {
      add(from, Vector3d::UnitY());
      return;
    }
    Vector3d along = Vector3d::Zero();
    for (const Vector3d& x : x_)
      if (std::abs(normal.dot(x - from)) < kFlat && (x - from).norm() > along.norm())
        along = x - from;
    if (along.norm() > kFlat) add(from, along);
  }

  const Cloud& x_;
  std::vector<std::vector<int>> loops_;
  std::deque<std::array<int, 2>> open_;
  std::set<std::array<int, 2>> done_;
};

// Those that loops use, numbered anew.
Cloud used(const Cloud& points, std::vector<std::vector<int>>& loops) {
  Cloud kept;
  std::vector<int> number(points.size(), -1);
  for (std::vector<int>& loop : loops)
    for (int& v : loop) {
      if (number[v] < 0) {
        number[v] = static_cast<int>(kept.size());
        kept.push_back(points[v]);
      }
      v = number[v];
    }
  return kept;
}

// Without those that lie at another.
Cloud distinct(const Cloud& points, double size) {
  Cloud kept;
  for (const Vector3d& x : points)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Vector3d& other) { return (x - other).norm() <= kFlat * size; }))
      kept.push_back(x);
  return kept;
}

double thickness(const Cloud& x) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : x) mean += p / static_cast<double>(x.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector3d& p : x) spread += (p - mean) * (p - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread);
  double low = 0.0, high = 0.0;
  for (const Vector3d& p : x) {
    low = std::min(low, axes.eigenvectors().col(0).dot(p - mean));
    high = std::max(high, axes.eigenvectors().col(0).dot(p - mean));
  }
  return high - low;
}

}  // namespace

Polytope convex_hull(const std::vector<Vector3d>& points) {
  Vector3d low = points.front(), high = low;
  for (const Vector3d& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double size = (high - low).norm();
  const Cloud vertices = distinct(points, size);
  if (vertices.size() < 4 || thickness(vertices) <= 1e-6 * size)
    throw base::InputError("the points lie in a plane or at a point, and enclose no volume",
                           "give at least four points that do not lie in one plane");
  Cloud scaled;
  for (const Vector3d& p : vertices) scaled.push_back((p - low) / size);
  std::vector<std::vector<int>> loops = GiftWrapping(scaled).loops();
  const Cloud kept = used(vertices, loops);
  return make_polytope(kept, std::move(loops));
}

}  // namespace solidyn::contact
