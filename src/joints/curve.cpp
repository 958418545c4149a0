#include "solidyn/joints/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::joints {
namespace {

using Eigen::Vector3d;
using Points = std::vector<Vector3d>;

// Of the largest distance of two points that follow: closer they are one.
constexpr double kOnePoint = 1e-9;
constexpr int kSamples = 8;  // between two points

void require_points(const Points& points, bool is_closed) {
  const std::size_t needed = is_closed ? 3 : 2;
  if (points.size() < needed)
    throw base::InputError(
        fmt::format("a curve has {} point{}: {} one needs {} or more", points.size(),
                    points.size() == 1 ? "" : "s", is_closed ? "a closed" : "an open", needed),
        "give more points");
}

std::vector<double> chords_of(const Points& points) {
  std::vector<double> knots{0.0};
  double longest = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i)
    longest = std::max(longest, (points[i] - points[i - 1]).norm());
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double chord = (points[i] - points[i - 1]).norm();
    if (!(chord > kOnePoint * longest))
      throw base::InputError(fmt::format("points {} and {} of a curve are one, ({:g}, {:g}, {:g})",
                                         i, i + 1, points[i].x(), points[i].y(), points[i].z()),
                             "remove one of them");
    knots.push_back(knots.back() + chord);
  }
  return knots;
}

double angle_between(const Vector3d& a, const Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// The normal of the plane that is nearest to the points, with its largest component positive.
Vector3d normal_of_plane(const Points& points) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) mean += p / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector3d& p : points) spread += (p - mean) * (p - mean).transpose();
  const Vector3d n = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(0);
  int largest = 0;
  n.cwiseAbs().maxCoeff(&largest);
  return n[largest] < 0.0 ? Vector3d(-n) : n;
}

/// Unit, normal to the tangent, and near to the plane's normal where it can be.
Vector3d first_binormal(const Points& points, const Vector3d& tangent) {
  constexpr double kAcross = 0.1;
  const Vector3d n = normal_of_plane(points), across = n - tangent * tangent.dot(n);
  return across.norm() > kAcross ? across.normalized() : tangent.unitOrthogonal();
}

}  // namespace

SpaceCurve::SpaceCurve(Points points, bool is_closed) : is_closed_(is_closed) {
  require_points(points, is_closed);
  const double size = (points[1] - points[0]).norm();
  if (is_closed && (points.back() - points.front()).norm() > kOnePoint * size)
    points.push_back(points.front());
  if (is_closed) points.back() = points.front();
  knots_ = chords_of(points);
  curve_ = through(points);
  for (double u : knots_) second_.push_back(at(u).second);
  set_normals();
  require_smooth();
  lengths_ = {0.0};
  for (std::size_t i = 1; i < knots_.size(); ++i)
    lengths_.push_back(lengths_.back() + length_between(knots_[i - 1], knots_[i]));
}

SpaceCurve::Spline SpaceCurve::through(const Points& values) const {
  using Ends = math::TimeFunction::Ends;
  Ends ends;
  ends.kind = is_closed_ ? Ends::Kind::periodic : Ends::Kind::not_a_knot;
  Spline spline;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> components;
    for (const Vector3d& value : values) components.push_back(value[i]);
    spline[i] = math::TimeFunction::table(knots_, std::move(components),
                                          math::TimeFunction::Interpolation::cubic, ends);
  }
  return spline;
}

SpaceCurve::Values SpaceCurve::values_of(const Spline& spline, double u) {
  Values values;
  for (int i = 0; i < 3; ++i) {
    const math::TimeFunction::Values component = spline[i].evaluate(u);
    values.value[i] = component.value;
    values.first[i] = component.first;
    values.second[i] = component.second;
  }
  return values;
}

SpaceCurve::Values SpaceCurve::at(double u) const { return values_of(curve_, u); }

// Carried from point to point by the smallest turn of the tangent. Once round a closed curve that
// has turned them, which is taken back along it.
void SpaceCurve::set_normals() {
  Points tangents, second, first;
  for (double u : knots_) tangents.push_back(at(u).first.normalized());
  Points at_knots;
  for (double u : knots_) at_knots.push_back(at(u).value);
  second.push_back(first_binormal(at_knots, tangents[0]));
  for (std::size_t i = 1; i < tangents.size(); ++i) {
    const auto turn = Eigen::Quaterniond::FromTwoVectors(tangents[i - 1], tangents[i]);
    second.push_back((turn * second.back()).normalized());
  }
  const Vector3d& start = second.front();
  const double twist =
      is_closed_ ? std::atan2(start.cross(second.back()).dot(tangents[0]), start.dot(second.back()))
                 : 0.0;
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    second[i] = Eigen::AngleAxisd(-twist * knots_[i] / end(), tangents[i]) * second[i];
    first.push_back(second[i].cross(tangents[i]));
  }
  if (is_closed_) second.back() = second.front(), first.back() = first.front();
  normals_ = {through(first), through(second)};
}

std::array<SpaceCurve::Values, 2> SpaceCurve::normals(double u) const {
  return {values_of(normals_[0], u), values_of(normals_[1], u)};
}

// Where the spline all but stops it turns back; where its normals come near to its tangent, it
// turns by about a right angle from one point to the next.
void SpaceCurve::require_smooth() const {
  constexpr double kSlowest = 0.2, kFlattest = 0.2;
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
    for (int k = 0; k < kSamples; ++k) {
      const double u = knots_[i] + (knots_[i + 1] - knots_[i]) * k / kSamples;
      const Values c = at(u);
      const std::array<Values, 2> n = normals(u);
      const double speed = c.first.norm();
      if (speed > kSlowest && n[0].value.cross(n[1].value).dot(c.first) > kFlattest * speed)
        continue;
      throw base::InputError(
          fmt::format(
              "a curve turns too sharply between its points {} and {}, at ({:.4g}, {:.4g}, {:.4g})",
              i + 1, i + 2, c.value.x(), c.value.y(), c.value.z()),
          "give more points there, less than a right angle apart, or round the corner");
    }
}

std::size_t SpaceCurve::segment_of(double& u) const {
  if (is_closed_) u -= end() * std::floor(u / end());
  const auto after = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, u);
  return static_cast<std::size_t>(after - knots_.begin()) - 1;
}

Vector3d SpaceCurve::third_derivative(double u) const {
  const std::size_t i = segment_of(u);
  if (u < 0.0 || u > end()) return Vector3d::Zero();
  return (second_[i + 1] - second_[i]) / (knots_[i + 1] - knots_[i]);
}

double SpaceCurve::curvature(double u) const {
  const Values c = at(u);
  const double speed = c.first.norm();
  return c.first.cross(c.second).norm() / (speed * speed * speed);
}

double SpaceCurve::bend(double from, double to) const {
  constexpr double kMostSamples = 1000.0;
  const double spacing = end() / static_cast<double>(knots_.size() - 1);
  const double wanted = std::ceil(kSamples * std::abs(to - from) / spacing);
  const int n = static_cast<int>(std::min(std::max(wanted, 1.0), kMostSamples));
  double sum = 0.0;
  Vector3d tangent = at(from).first;
  for (int k = 1; k <= n; ++k) {
    const Vector3d next = at(from + (to - from) * k / n).first;
    sum += angle_between(tangent, next);
    tangent = next;
  }
  return sum;
}

// Within one segment: four points of Gauss in each of four parts.
double SpaceCurve::length_between(double from, double to) const {
  constexpr int kParts = 4;
  constexpr double kNodes[] = {0.33998104358485626, 0.8611363115940526};
  constexpr double kWeights[] = {0.6521451548625461, 0.34785484513745385};
  const double half = 0.5 * (to - from) / kParts;
  double sum = 0.0;
  for (int part = 0; part < kParts; ++part) {
    const double middle = from + (2 * part + 1) * half;
    for (int k = 0; k < 2; ++k)
      for (const double sign : {-1.0, 1.0})
        sum += half * kWeights[k] * at(middle + sign * half * kNodes[k]).first.norm();
  }
  return sum;
}

double SpaceCurve::arc_length(double u) const {
  double within = u;
  const std::size_t i = segment_of(within);
  const double laps = is_closed_ ? std::round((u - within) / end()) : 0.0;
  return laps * length() + lengths_[i] + length_between(knots_[i], within);
}

// Newton's where the distance has a valley, else downhill; never past half a radian of bend.
double SpaceCurve::step_to_nearest(const Vector3d& p, double u) const {
  constexpr double kValley = 0.1, kBend = 0.5;
  const Values c = at(u);
  const Vector3d e = p - c.value;
  const double square = c.first.squaredNorm(), valley = square - e.dot(c.second);
  const double step = e.dot(c.first) / (valley > kValley * square ? valley : square);
  const double longest = std::min(kBend / (curvature(u) + 1.0 / end()),
                                  end() / static_cast<double>(knots_.size() - 1));
  return std::clamp(step, -longest, longest);
}

double SpaceCurve::nearest(const Vector3d& p, double near) const {
  constexpr int kMostSteps = 500;
  constexpr double kRoundOff = 4e-16, kSmall = 1e-12, kFlat = 1e-3;
  double u = near, before = end();
  bool is_found = false;
  for (int k = 0; k < kMostSteps && !is_found; ++k) {
    const double step = step_to_nearest(p, u), size = std::abs(step);
    u += step;
    // Quadratic until round-off keeps it from getting smaller.
    is_found = size <= kRoundOff * (end() + std::abs(u)) ||
               (size < kSmall * end() && size >= 0.5 * before);
    before = size;
  }
  const Values c = at(u);
  const Vector3d e = p - c.value;
  const double square = c.first.squaredNorm();
  if (is_found && square - e.dot(c.second) > kFlat * square) return u;
  throw base::ComputationError(fmt::format(
      "a point is {:.3g} m from a curve, about as far as the centre of its curvature", e.norm()));
}

double SpaceCurve::nearest(const Vector3d& p) const {
  double best = 0.0, smallest = (p - at(0.0).value).norm();
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
    for (int k = 1; k <= kSamples; ++k) {
      const double u = knots_[i] + (knots_[i + 1] - knots_[i]) * k / kSamples;
      const double distance = (p - at(u).value).norm();
      if (distance < smallest) smallest = distance, best = u;
    }
  const double u = nearest(p, best);
  return is_closed_ ? u : std::clamp(u, 0.0, end());
}

std::string SpaceCurve::warning() const {
  constexpr double kOfChord = 0.5;
  double sharpest = 1.0 / kOfChord, place = -1.0;  // curvature times chord
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
    for (int k = 0; k <= kSamples; ++k) {
      const double chord = knots_[i + 1] - knots_[i], u = knots_[i] + chord * k / kSamples;
      if (curvature(u) * chord <= sharpest) continue;
      sharpest = curvature(u) * chord;
      place = u;
    }
  if (place < 0.0) return {};
  const Vector3d p = at(place).value;
  double u = place;
  const std::size_t i = segment_of(u);
  return fmt::format(
      "bends with a radius of {:.3g} m at ({:.4g}, {:.4g}, {:.4g}), less than half of the {:.3g} m between the points there",
      1.0 / curvature(place), p.x(), p.y(), p.z(), knots_[i + 1] - knots_[i]);
}

}  // namespace solidyn::joints
