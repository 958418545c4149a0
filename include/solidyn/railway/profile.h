#pragma once
#include <Eigen/Dense>
#include <functional>
#include <string>
#include <variant>
#include <vector>

/// Wheels and rails: profiles, where they touch, and the forces that follow. A profile is of a left
/// wheel or rail in its own axes: y outwards (to the field side, away from the flange or the gauge
/// side), z up, metres. Those of the right side are mirror images. A wheel's origin is on its tape
/// circle, a rail's on its running surface.
namespace solidyn::railway {

enum class ProfileKind { wheel, rail };

/// A point of a curve, and its first three derivatives by the curve's parameter.
struct CurvePoint {
  Eigen::Vector2d p, d, dd, ddd;
  /// 1/m, positive where the curve turns to the left, that is upwards, as a convex wheel's does.
  double curvature() const {
    const double square = d.squaredNorm();
    return (d.x() * dd.y() - d.y() * dd.x()) / (square * std::sqrt(square));
  }
  /// Its derivative by the curve's parameter.
  double curvature_slope() const {
    const double square = d.squaredNorm();
    return (d.x() * ddd.y() - d.y() * ddd.x()) / (square * std::sqrt(square)) -
           3.0 * curvature() * d.dot(dd) / square;
  }
  /// dz/dy
  double slope() const { return d.y() / d.x(); }
};

/// Circle of the given centre; `turn` is 1 counterclockwise, -1 clockwise. The parameter is arc
/// length from `start`.
struct Arc {
  Eigen::Vector2d centre;
  double radius = 0.0, start = 0.0, turn = 1.0;
};
/// z = sum of c_i y^i; the parameter is y.
struct Polynomial {
  std::vector<double> coefficients;
};
/// p = sum of c_i t^i over the parameter t from the section's beginning: a section of a spline.
struct Cubic {
  Eigen::Matrix<double, 2, 4> c;
};

/// A part of a profile over its parameter from `from` to `to`, which for arcs and splines is arc
/// length.
struct Section {
  double from = 0.0, to = 0.0;
  std::variant<Arc, Polynomial, Cubic> shape;
  CurvePoint at(double parameter) const;
};

/// The upper or lower half of a circle as a section from y to y.
Section arc_over(double y_from, double y_to, const Eigen::Vector2d& centre, double radius,
                 double turn);

/// A plane curve of sections from the flange or gauge side to the field side.
class Profile {
 public:
  /// Sections are in units of `metres`, as the tables that they come from.
  /// @throws base::InputError without sections
  Profile(ProfileKind kind, std::string name, std::vector<Section> sections, double metres = 1.0);

  ProfileKind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  std::size_t n_sections() const { return sections_.size(); }
  /// The parameter's range in a section.
  double from(std::size_t section) const { return sections_[section].from; }
  double to(std::size_t section) const { return sections_[section].to; }
  CurvePoint at(std::size_t section, double parameter) const;
  /// The same curve, turned about the origin by an angle (rad, counterclockwise: outwards to
  /// upwards), then shifted.
  Profile moved(double angle, const Eigen::Vector2d& shift) const;

 private:
  ProfileKind kind_;
  std::string name_;
  std::vector<Section> sections_;
  Eigen::Matrix2d map_;  ///< p = map_ p' + shift_
  Eigen::Vector2d shift_ = Eigen::Vector2d::Zero();
};

/// What formulas give.
struct BuiltInProfile {
  const char* name;
  ProfileKind kind;
  std::vector<const char*> parameters;  ///< what numbers it needs
  const char* meaning;
  std::function<std::vector<Section>(const std::vector<double>&)> sections;
  double metres;  ///< unit of the sections
};
const std::vector<BuiltInProfile>& built_in_profiles();

/// `s1002`, `60e1`, `cone:0.05` (slope), `circle:0.3` (radius, m): a name, and after a colon its
/// parameters.
/// @throws base::InputError if there is none of this name for this kind, or the parameters are not
/// those it needs
Profile make_built_in_profile(ProfileKind kind, const std::string& text);
bool is_built_in_profile(ProfileKind kind, const std::string& text);

}  // namespace solidyn::railway
