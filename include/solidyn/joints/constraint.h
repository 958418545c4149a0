#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/bodies/frame.h"

namespace solidyn::bodies {
class NodeTriad;
}

namespace solidyn::joints {

using bodies::BodyIndex;
using bodies::ConstraintIndex;

class Joint;
class StrainConstraint;

/// One constraint at one instant. Rows are the constraint's, columns the velocities of
/// its bodies, one body after the other.
struct ConstraintValues {
  Eigen::VectorXd phi;    ///< [n] Phi(q, t); for a velocity-level constraint G v - nu
  Eigen::MatrixXd G;      ///< [n x columns]
  Eigen::VectorXd nu;     ///< [n] G v = nu
  Eigen::VectorXd gamma;  ///< [n] G a = gamma
};

/// A row block Phi(q, t) = 0 (position level) or G(q, t) v = nu (velocity level, not integrable).
class Constraint {
 public:
  enum class Level { position, velocity };
  Constraint(std::string name, std::vector<BodyIndex> bodies, int n_rows,
             Level level = Level::position)
      : name_(std::move(name)), bodies_(std::move(bodies)), n_rows_(n_rows), level_(level) {}
  virtual ~Constraint() = default;
  Constraint(const Constraint&) = delete;
  Constraint& operator=(const Constraint&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<BodyIndex>& bodies() const {
    return bodies_;
  }  ///< distinct, without the ground
  int n_rows() const { return n_rows_; }
  /// Rows of both levels may stand in one constraint.
  virtual Level level(int /*row*/) const { return level_; }

  /// Sets phi and G. All members of `values` have been sized.
  virtual void evaluate(const bodies::Kinematics& kinematics, double t,
                        ConstraintValues& values) const = 0;
  /// Sets nu and gamma; evaluate() has been called and frame accelerations are up to date.
  virtual void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                              ConstraintValues& values) const = 0;
  /// Adds d(G^T lambda)/dq, weighted, to K [columns x columns].
  virtual void add_stiffness(const bodies::Kinematics& kinematics, double t,
                             const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                             Eigen::Ref<Eigen::MatrixXd> K) const = 0;
  /// True when nu can differ from zero: then the constraint force does work on the system.
  virtual bool is_rheonomic() const { return false; }
  /// Whether it holds bodies of a mechanism to each other; others are conditions within a body.
  virtual bool is_between_bodies() const { return false; }
  /// What more a constraint of such a kind has; null for the others.
  virtual const Joint* as_joint() const { return nullptr; }
  virtual const StrainConstraint* as_strains() const { return nullptr; }
  /// Of one that places its second body on its first one, at each deformation of that exactly: the
  /// frame that the second body's is then. Null for the others.
  virtual const bodies::NodeTriad* as_attachment() const { return nullptr; }
  /// From point to point of each distance that it holds or drives, W, m.
  virtual std::vector<Eigen::Vector3d> spans(const bodies::Kinematics&) const { return {}; }
  /// One word per row for messages ("translation x", "rotation about z").
  virtual std::string row_name(int row) const = 0;
  /// What makes this constraint doubtful at the present state, for a warning; empty when nothing
  /// does.
  virtual std::string warning(const bodies::Kinematics&) const { return {}; }

 private:
  std::string name_;
  std::vector<BodyIndex> bodies_;
  int n_rows_;
  Level level_;
};

}  // namespace solidyn::joints
