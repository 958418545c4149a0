#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solidyn/bodies/frame_pair.h"
#include "solidyn/forces/force_index.h"
#include "solidyn/forces/reading.h"
#include "solidyn/forces/slip.h"

namespace solidyn::forces {

class InternalState;
class SetValued;

/// Something that pushes bodies: generalised forces Q(q, v, t) on the velocities of its bodies, as
///   M a + h + G^T lambda = Q.
/// Columns are the velocities of its bodies, one body after the other, as of constraints.
class Force {
 public:
  Force(std::string name, std::vector<bodies::BodyIndex> bodies)
      : name_(std::move(name)), bodies_(std::move(bodies)) {}
  virtual ~Force() = default;
  Force(const Force&) = delete;
  Force& operator=(const Force&) = delete;

  const std::string& name() const { return name_; }
  /// Distinct, without the ground.
  const std::vector<bodies::BodyIndex>& bodies() const { return bodies_; }
  /// Constraints whose multipliers Q depends on (friction of a joint).
  virtual std::vector<bodies::ConstraintIndex> constraints() const { return {}; }

  /// r -= Q. @param[in,out] r [columns]
  virtual void add_residual(const bodies::Kinematics& kinematics, double t,
                            Eigen::Ref<Eigen::VectorXd> r) const = 0;
  /// J_rate -= c.damping dQ/dv, J_q -= c.stiffness dQ/dq, increments as in
  /// bodies::Body::add_tangent. Q does not depend on accelerations.
  /// @param[in,out] J_rate, J_q [columns x columns]
  virtual void add_tangent(const bodies::Kinematics& kinematics, double t,
                           const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                           Eigen::Ref<Eigen::MatrixXd> J_q) const = 0;
  /// J_lambda -= dQ/dlambda; J_lambda [columns x rows of constraints()] comes last.
  virtual void add_multiplier_tangent(const bodies::Kinematics&, double,
                                      Eigen::Ref<Eigen::MatrixXd>) const {}

  /// Whether it is a given function of time, in the world or along axes of a body: no spring, and
  /// nothing that could bring a motion to rest.
  virtual bool is_given_in_time() const { return false; }
  /// Of such a function with components: Q of a unit of one of them (0..2 force, 3..5 torque).
  /// Empty for other forces. [columns]
  virtual Eigen::VectorXd unit_load(const bodies::Kinematics&, int /*component*/) const {
    return {};
  }

  /// Energy that it stores, J: counted as strain energy of the system.
  virtual double energy(const bodies::Kinematics&, double) const { return 0.0; }
  /// Power that it puts into the system, W, its own stored energy included: the force's work per
  /// time plus the rate of energy(). A spring's is zero, a damper's negative.
  virtual double power(const bodies::Kinematics& kinematics, double t) const = 0;

  /// What it exerts on two frames, for sensors: wrench as of bodies::FramePair.
  struct PairWrench {
    const bodies::FrameLink& link;
    bodies::Vector12 wrench;
  };
  /// Empty for a force that does not act between two frames.
  virtual std::optional<PairWrench> pair_wrench(const bodies::Kinematics&, double) const {
    return {};
  }

  /// What it shows to sensors beside the wrench, energy() and power().
  virtual Readings readings() const { return {}; }
  /// Their values, [readings().size()] of them, into the last argument.
  virtual void read(const bodies::Kinematics&, double /*t*/, double* /*values*/) const {}

  /// A warning about the initial state, following its name: "are passed at the start: ...";
  /// empty when nothing is.
  virtual std::string warning_at_start(const bodies::Kinematics&, double /*t*/) const { return {}; }
  /// The smallest gap of a contact, m; empty for other forces.
  virtual std::optional<double> gap(const bodies::Kinematics&) const { return {}; }

  /// Itself where a set-valued law determines it, which integrators must solve; else null.
  virtual const SetValued* as_set_valued() const { return nullptr; }

  /// Itself where it has a coordinate of its own with a law of first order; else null.
  virtual const InternalState* as_internal_state() const { return nullptr; }

  /// Appends the slip of what rubs: as many in every state, but of parts that come or go.
  virtual void add_slips(const bodies::Kinematics&, std::vector<Slip>&) const {}

  /// A force between many bodies, of which in each state others act on each other, consists of
  /// parts: System takes their residuals and tangents, each on few bodies, in place of its own.
  virtual bool has_parts() const { return false; }
  /// Those of the state that follow() has seen last; they are its own.
  virtual const std::vector<const Force*>& parts() const {
    static const std::vector<const Force*> none;
    return none;
  }
  /// Finds the parts. @return whether there are others than before
  virtual bool follow(const bodies::Kinematics&) { return false; }

  /// Numbers that it keeps of the last accepted state, such as the speed of an impact: a part of
  /// system::State, so that rejected steps and restarts need no care.
  virtual int n_memory() const { return 0; }
  /// What it kept, of the state that is looked at from now on.
  virtual void recall(const Eigen::Ref<const Eigen::VectorXd>&) {}
  /// What it keeps of this state, which is accepted.
  virtual void remember(const bodies::Kinematics&, double, Eigen::Ref<Eigen::VectorXd>) const {}
  /// The same of a force with parts, which keeps more of some states than of others: at the end of
  /// the list. recall() has them all, none before a state was accepted.
  virtual void append_memory(const bodies::Kinematics&, double /*t*/, std::vector<double>&) const {}
  /// Why a step from the remembered state to this one is too long for it to see what happens in
  /// between; empty when it is not. Step controls then take a shorter one.
  virtual std::string rejection(const bodies::Kinematics&, double) const { return {}; }

 private:
  std::string name_;
  std::vector<bodies::BodyIndex> bodies_;
};

}  // namespace solidyn::forces
