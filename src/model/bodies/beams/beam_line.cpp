#include "model/bodies/beams/beam_line.h"

#include <algorithm>
#include <cmath>

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A part of the line: straight, or an arc about `axis` through its centre.
struct Part {
  Vector3d start, end;
  Vector3d centre = Vector3d::Zero(), axis = Vector3d::Zero();
  double angle = 0.0;  // rad; 0 is straight

  double length() const {
    return angle == 0.0 ? (end - start).norm() : angle * (start - centre).norm();
  }
  Vector3d point(double fraction) const {
    if (angle == 0.0) return start + fraction * (end - start);
    return centre + Eigen::AngleAxisd(fraction * angle, axis) * (start - centre);
  }
  Vector3d direction(double fraction) const {
    if (angle == 0.0) return (end - start).normalized();
    return axis.cross(point(fraction) - centre).normalized();
  }
};

// The circle through three points: its centre is equally far from all of them.
Part make_arc(const Vector3d& start, const Vector3d& through, const Vector3d& end) {
  const Vector3d a = start - end, b = through - end, normal = a.cross(b);
  Part arc;
  arc.start = start;
  arc.end = end;
  arc.centre = end + (a.squaredNorm() * b - b.squaredNorm() * a).cross(normal) /
                         (2.0 * normal.squaredNorm());
  // From start over `through` to the end it turns to the left about this axis.
  arc.axis = (through - start).cross(end - through).normalized();
  const Vector3d from = start - arc.centre, to = end - arc.centre;
  arc.angle = std::atan2(from.cross(to).dot(arc.axis), from.dot(to));
  if (arc.angle <= 0.0) arc.angle += 2.0 * M_PI;
  return arc;
}

std::vector<Part> parts_of(const BeamOfPoints& beam) {
  if (beam.through) return {make_arc(beam.points[0].x_B, *beam.through, beam.points[1].x_B)};
  std::vector<Part> parts;
  for (std::size_t k = 1; k < beam.points.size(); ++k) {
    Part part;
    part.start = beam.points[k - 1].x_B;
    part.end = beam.points[k].x_B;
    parts.push_back(part);
  }
  return parts;
}

// At least one each; then always where elements are longest.
std::vector<int> share_out(const std::vector<Part>& parts, int n_elements) {
  std::vector<int> shares(parts.size(), 1);
  for (int left = n_elements - static_cast<int>(parts.size()); left > 0; --left) {
    std::size_t longest = 0;
    for (std::size_t k = 1; k < parts.size(); ++k)
      if (parts[k].length() / shares[k] > (1.0 + 1e-9) * parts[longest].length() / shares[longest])
        longest = k;
    ++shares[longest];
  }
  return shares;
}

// The shortest turn from one direction to the next: no twist about the line.
Matrix3d carried(const Matrix3d& R, const Vector3d& x) {
  return Eigen::Quaterniond::FromTwoVectors(R.col(0), x).toRotationMatrix() * R;
}

// Elements of an arc become longer or shorter as their chords do.
void shift(BeamLine& line, const Vector3d& offset) {
  const std::vector<Vector3d> before = line.nodes;
  for (std::size_t k = 0; k < line.nodes.size(); ++k) {
    const Matrix3d& R = k == 0 ? line.sections.front() : line.sections[2 * k - 1];
    line.to_points.push_back(-(R * offset));
    line.nodes[k] += R * offset;
  }
  for (std::size_t e = 0; e < line.lengths.size(); ++e)
    line.lengths[e] *=
        (line.nodes[e + 1] - line.nodes[e]).norm() / (before[e + 1] - before[e]).norm();
}

}  // namespace

Matrix3d section_axes(const Vector3d& x, const Vector3d& towards_y) {
  Matrix3d R;
  R.col(0) = x;
  R.col(2) = x.cross(towards_y).normalized();
  R.col(1) = R.col(2).cross(x);
  return R;
}

Vector3d default_y_axis(const Vector3d& along) {
  constexpr double kUpright = 1e-3;
  const Vector3d left = Vector3d::UnitZ().cross(along);
  return left.norm() > kUpright ? left : Vector3d::UnitY();
}

BeamLine make_beam_line(const BeamOfPoints& beam) {
  const std::vector<Part> parts = parts_of(beam);
  const std::vector<int> shares = share_out(parts, beam.n_elements);
  const Vector3d first = parts[0].direction(0.0);
  Matrix3d R = section_axes(first, beam.y_axis.isZero(0.0) ? default_y_axis(first) : beam.y_axis);
  BeamLine line;
  line.nodes.push_back(parts[0].start);
  line.node_of_point.push_back(0);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double n = shares[k];
    for (int e = 0; e < shares[k]; ++e) {
      R = carried(R, parts[k].direction(e / n));
      line.sections.push_back(R);
      R = carried(R, parts[k].direction((e + 1) / n));
      line.sections.push_back(R);
      line.nodes.push_back(e + 1 == shares[k] ? parts[k].end : parts[k].point((e + 1) / n));
      line.lengths.push_back(parts[k].length() / n);
    }
    line.node_of_point.push_back(static_cast<int>(line.nodes.size()) - 1);
  }
  shift(line, beam.section->offset);
  return line;
}

}  // namespace solidyn::model
