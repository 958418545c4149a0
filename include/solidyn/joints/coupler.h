#pragma once
#include <optional>

#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/joints/constraint.h"
#include "solidyn/math/time_function.h"

namespace solidyn::joints {

/// c_1 q_1 + c_2 q_2 + ... = constant, q_i coordinates of several pairs of frames: gears, racks and
/// other couplings between joints. Instead of c_i q_i a term may be a function f_i(q_i), as of a
/// cam: twice differentiable, since accelerations have f_i'' (dq_i/dt)^2. The pairs may share
/// bodies, so that a carrier takes what is left of the torques. Angles count whole turns where the
/// links' angles are tracked, as they should be.
class Coupler final : public Constraint {
 public:
  struct Term {
    bodies::FrameLink link;
    bodies::Coordinate coordinate;
    double factor;
    std::optional<math::TimeFunction> law = {};  ///< f by q, instead of the factor
  };
  /// @pre there is a term
  Coupler(std::string name, std::vector<Term> terms, double constant);

  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  std::string row_name(int) const override { return "coupling"; }
  bool is_between_bodies() const override { return true; }

 private:
  /// Value, slope and second derivative of a term by its coordinate.
  static math::TimeFunction::Values law_of(const Term& term, double coordinate);

  std::vector<Term> terms_;
  double constant_;
  std::vector<std::vector<int>> columns_;  // of each term's link, among the constraint's
};

}  // namespace solidyn::joints
