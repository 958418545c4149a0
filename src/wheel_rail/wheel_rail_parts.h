#pragma once
#include <cmath>
#include <vector>

#include "solidyn/railway/kalker.h"
#include "solidyn/wheel_rail/wheel_rail_force.h"

namespace solidyn::wheel_rail {

// Across the track left is that of the mirror image.
inline Eigen::Vector3d mirrored(Side side, const Eigen::Vector3d& axial_or_point) {
  return side == kLeft
             ? axial_or_point
             : Eigen::Vector3d(axial_or_point.x(), -axial_or_point.y(), axial_or_point.z());
}
// The axle from its middle outwards, in axes whose y points outwards.
inline Eigen::Vector3d outwards(Side side, const Eigen::Vector3d& axle) {
  return side == kLeft ? axle : Eigen::Vector3d(-axle.x(), axle.y(), -axle.z());
}

// By which a wheelset is turned about its axle (the y axis of `wheelset`) from the track's x axis.
inline double angle_about_axle(const Eigen::Matrix3d& track, const Eigen::Matrix3d& wheelset) {
  return std::atan2(track.col(0).dot(wheelset.col(2)), track.col(0).dot(wheelset.col(0)));
}

// The wheelset against its rails, in the rails' axes.
struct WheelRailForce::Motion {
  track::TrackPosition at;
  Eigen::Matrix3d R;                       // the rails' axes in the world
  Eigen::Vector3d offset, axle;            // of the wheelset's middle; its direction
  Eigen::Vector3d offset_rate, axle_rate;  // as the wheelset moves on along the track
  double s_rate = 0.0;
  Eigen::Vector3d v, w;       // against the rails' material; with the wheels' spin
  double spin = 0.0;          // what of w the frame does not have, rad/s
  Eigen::Vector3d axle_turn;  // the rate of its direction in the world, in the rails' axes
  double speed = 0.0;         // along the track
  double creep_speed = 0.0;   // that creepages are velocities over: not below the least
  bool is_at_rest = false;
  double angle = 0.0;          // about the axle, rad
  Eigen::Vector3d g, w_track;  // as in TrackPosition; of the track's frame by s
};

// Generalised forces of the normal contact.
struct WheelRailForce::Sums {
  double by_s = 0.0, by_y = 0.0, by_z = 0.0;
  Eigen::Vector3d by_axle = Eigen::Vector3d::Zero();
};

// What of a patch does not depend on velocities but by the normal force.
struct WheelRailForce::Patch {
  double share = 0.0;
  railway::OverlapSums sums;
  railway::EquivalentPatch shape;
  railway::EllipticContact ellipse;
  railway::KalkerCoefficients coefficients;
};

struct WheelRailForce::Contact {
  track::Deviation up, left;  // of the rail, with what it is displaced by
  RailDeflection deflection;
  railway::AxlePosition position, rates;
  std::vector<Patch> patches;
};

// The force on the wheelset and on both rails, by everything that it depends on. Forces on rails
// are those on the coordinates of RailsUnderWheels, way after way.
struct WheelRailForce::RailDerivatives {
  static constexpr int kOfPair = 12, kOfRails = 4 * RailsUnderWheels::kWays;
  using Column = Eigen::Matrix<double, kOfPair + kOfRails, 1>;
  Column forces;
  Eigen::Matrix<double, kOfPair + kOfRails, kOfPair> by_position, by_twist;
  Eigen::Matrix<double, kOfPair + kOfRails, kOfRails> by_rails, by_rail_rates;
};

// What a WheelRailForce does where rails bend: on the bodies of its link, then on the nodes of an
// element of the rails. Made anew for each element.
class WheelRailForce::OnRails final : public forces::Force {
 public:
  explicit OnRails(const WheelRailForce& whole);
  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  double energy(const bodies::Kinematics& kinematics, double t) const override {
    return whole_.energy(whole_.pair(kinematics), t);
  }
  double power(const bodies::Kinematics& kinematics, double t) const override {
    return whole_.power(whole_.pair(kinematics), t);
  }
  int element() const { return element_; }

 private:
  const WheelRailForce& whole_;
  int element_;
  // The column of a coordinate of RailsUnderWheels, by way and coordinate; -1 where it is clamped.
  std::array<int, RailDerivatives::kOfRails> column_{};
};

}  // namespace solidyn::wheel_rail
