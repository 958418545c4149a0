#pragma once
#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/forces/damper_law.h"
#include "solidyn/forces/internal_state.h"
#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

/// A spring and a damper one behind the other along a coordinate x of two frames (Maxwell's
/// element): with y the damper's extension and z = x - free - y the spring's, the tension is
///   F = k z = c dy/dt + r(dy/dt)                       doc/theory/forces.md
/// y is an unknown of the system. With w(F) the damper's rate by its force its equation is the
/// law's and, times T, that of the law's derivative,
///   c_0 (e + T de/dt) = 0,   e = dy/dt - w(k z),   T = c_0/k,   c_0 the least of c + r',
/// which has the law's solutions, an inertia for explicit integrators, and the law alone in
/// statics: z = 0 there. At rest it carries nothing. Proved by SeriesSpringDamper*.*.
class SeriesSpringDamper final : public Force, public InternalState {
 public:
  struct Options {
    double stiffness = 0.0;              ///< k > 0, N/m
    double damping = 0.0;                ///< c > 0, N s/m
    double free = 0.0;                   ///< of x, where y = 0 is relaxed
    std::optional<math::Curve> by_rate;  ///< r, as DamperLaw has it
  };
  /// @param internal a bodies::InternalCoordinate of inertia() that nothing else uses
  SeriesSpringDamper(std::string name, const bodies::FrameLink& link, bodies::Coordinate coordinate,
                     bodies::BodyIndex internal, Options options);

  /// c_0 T, which the equation has of the second rate of y: that term is the coordinate's own.
  static double inertia(const Options& options);

  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  const InternalState* as_internal_state() const override { return this; }
  bodies::BodyIndex coordinate() const override { return internal_; }
  RateLaw rate_law(const bodies::Kinematics& kinematics) const override;
  Value steady_value(const bodies::Kinematics& kinematics) const override;

  /// Of the spring alone, J.
  double energy(const bodies::Kinematics& kinematics, double t) const override;
  /// What the damper takes, W.
  double power(const bodies::Kinematics& kinematics, double t) const override;
  std::optional<PairWrench> pair_wrench(const bodies::Kinematics& kinematics,
                                        double t) const override;

  /// length, extension, rate and force of the whole; damper_extension and damper_rate.
  static const Readings& readings_of_length();
  Readings readings() const override { return readings_of_length(); }
  void read(const bodies::Kinematics& kinematics, double t, double* values) const override;

 private:
  struct Motion;
  Motion motion(const bodies::Kinematics& kinematics) const;
  Eigen::RowVectorXd rate_by_position(const bodies::Kinematics& kinematics,
                                      const bodies::Row12& by_variation,
                                      const bodies::Row12& by_twist) const;

  bodies::FrameLink link_;
  bodies::Coordinate coordinate_;
  bodies::BodyIndex internal_;
  double stiffness_, free_;
  DamperLaw damper_;
};

}  // namespace solidyn::forces
