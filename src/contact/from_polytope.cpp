#include "contact/from_polytope.h"

#include <algorithm>
#include <optional>

namespace solidyn::contact {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Distance from_face(const Polytope& body, int index, const Vector3d& y) {
  const Polytope::Face& face = body.faces[index];
  const double height = face.has_plane() ? face.normal.dot(y) - face.offset : 0.0;
  bool is_above = face.has_plane();
  Distance nearest;
  nearest.value = -1.0;
  const std::size_t n = face.loop.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3d &a = body.vertices[face.loop[i]], &b = body.vertices[face.loop[(i + 1) % n]];
    const Vector3d along = (b - a).normalized();
    const double length = (b - a).norm(), at = along.dot(y - a);
    if (face.has_plane() && face.normal.dot(along.cross(y - a)) >= 0.0) continue;  // inside of it
    is_above = false;
    const Vector3d from = y - (a + std::clamp(at, 0.0, length) * along);
    const double distance = from.norm();
    if (nearest.value >= 0.0 && distance >= nearest.value) continue;
    const Vector3d m = distance > 0.0 ? Vector3d(from / distance) : face.normal;
    const bool is_corner = at <= 0.0 || at >= length;
    Matrix3d section = Matrix3d::Identity() - m * m.transpose();
    if (!is_corner) section -= along * along.transpose();
    nearest = {distance, m, distance > 0.0 ? Matrix3d(section / distance) : Matrix3d::Zero()};
  }
  if (is_above || (face.has_plane() && height <= 0.0))
    return {height, face.normal, Matrix3d::Zero()};
  return nearest;
}

// Outside of the body the nearest of its points is on a face that y is above.
Distance FromPolytope::at(const Vector3d& y) const {
  std::optional<Distance> nearest;
  int highest = 0;
  double height = 0.0;
  for (std::size_t i = 0; i < body_.faces.size(); ++i) {
    const int face = static_cast<int>(i);
    const double above = body_.faces[i].normal.dot(y) - body_.faces[i].offset;
    if (i == 0 || above > height) {
      height = above;
      highest = face;
    }
    if (above <= 0.0) continue;
    const Distance d = from_face(body_, face, y);
    if (!nearest || d.value < nearest->value) nearest = d;
  }
  return nearest ? *nearest : from_face(body_, highest, y);
}

}  // namespace solidyn::contact
