#pragma once
#include <Eigen/Dense>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/track/rounded_line.h"

/// The line that a track follows, and what it deviates from it. Knows no vehicle.
namespace solidyn::track {

/// Parts of the alignment one after another from s = 0 on. s is measured along the plan (the
/// projection onto a horizontal plane).
struct PlanSegment {
  double length = 0.0;  ///< m
  double curvature_from = 0.0,
         curvature_to = 0.0;  ///< 1/m, positive to the left, linear in s: straight, arc, clothoid
  double cant_from = 0.0, cant_to = 0.0;  ///< m, of the right rail above the left one, linear in s
};
struct GradientSegment {
  double length = 0.0;  ///< m
  double gradient_from = 0.0,
         gradient_to = 0.0;  ///< rise over s; linear in s: slope or vertical curve
};

/// About what the track rolls for cant.
enum class CantAxis { centre, low_rail };

struct AlignmentDescription {
  std::vector<PlanSegment> plan;
  std::vector<GradientSegment> gradients;  ///< none: level
  double cant_base = 1.5;                  ///< m, distance of the rails' tops
  std::optional<CantAxis> cant_axis;       ///< needed where there is cant
  /// m: over it corners of curvature, gradient and cant at joints of segments are rounded, so that
  /// accelerations have no steps. It moves later parts by some 0.02 blend^2 times the change of
  /// d(curvature)/ds, m per m.
  double blend = 1.0;
};

/// A fault of an alignment, or what is unusual in it.
struct AlignmentNote {
  const char* of = "";  ///< the member of the description that it is about
  std::string what, remedy;
};
/// Segments without length, cant without an axis or as large as its base, curves of a radius below
/// 20 m, a blend longer than a segment: all of them.
std::vector<AlignmentNote> faults_of(const AlignmentDescription& description);
/// Jumps of curvature, of gradient and of cant.
std::vector<AlignmentNote> warnings_about(const AlignmentDescription& description);

/// The frame of the track at s: x forward along the gradient, y to the left across the canted
/// track, z up.
struct TrackFrame {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();      ///< origin midway between the rails' tops, m
  Eigen::Vector3d p_s = Eigen::Vector3d::Zero();    ///< dp/ds
  Eigen::Vector3d p_ss = Eigen::Vector3d::Zero();   ///< 1/m
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< its axes in the world
  Eigen::Vector3d w = Eigen::Vector3d::Zero();      ///< dR/ds = R [w]x, in the track's axes, rad/m
  Eigen::Vector3d w_s = Eigen::Vector3d::Zero();    ///< dw/ds, rad/m^2
  double heading = 0.0, curvature = 0.0;            ///< of the plan, rad, 1/m
  double gradient = 0.0;                            ///< rise over s
  double roll = 0.0;  ///< rad about x; negative where the right rail is higher
};

class Alignment {
 public:
  /// At s = 0 in the origin, heading along x. @throws base::InputError with all of faults_of()
  explicit Alignment(AlignmentDescription description);

  double length() const { return length_; }
  /// It is continued by 0.05 m at both ends, for those who look for a place near one.
  /// @throws base::ComputationError farther off the ends: where
  TrackFrame at(double s) const;

 private:
  Eigen::Vector2d plan_at(double s) const;
  void tabulate_plan();

  AlignmentDescription description_;
  RoundedLine curvature_, gradient_, cant_, rise_;
  double length_ = 0.0;
  std::vector<double> stations_;         ///< m
  std::vector<Eigen::Vector2d> places_;  ///< of the plan there
};

}  // namespace solidyn::track
