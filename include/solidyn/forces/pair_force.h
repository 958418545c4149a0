#pragma once
#include "solidyn/bodies/frame_pair.h"
#include "solidyn/forces/force.h"

namespace solidyn::forces {

/// A force law between two frames, also of one body: what it states about the pair is all that a
/// law has to write. Wrenches are [force on A's carrier in W; torque in A's axes; force on B's
/// carrier in W; torque in B's axes], at the frames' origins. Proved by PairForce.*.
class PairForce : public Force {
 public:
  PairForce(std::string name, const bodies::FrameLink& link)
      : PairForce(std::move(name), link, {}) {}
  /// @param others  that its parts act on, too, where it has parts
  PairForce(std::string name, const bodies::FrameLink& link,
            const std::vector<bodies::BodyIndex>& others)
      : Force(std::move(name), joined(link.bodies(), others)), link_(link) {}

  const bodies::FrameLink& link() const { return link_; }
  bodies::FramePair pair(const bodies::Kinematics& k) const { return link_.pair(k); }

  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const final;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const final;
  double energy(const bodies::Kinematics& kinematics, double t) const final {
    return energy(link_.pair(kinematics), t);
  }
  double power(const bodies::Kinematics& kinematics, double t) const final {
    return power(link_.pair(kinematics), t);
  }

  std::optional<PairWrench> pair_wrench(const bodies::Kinematics& kinematics,
                                        double t) const final {
    return PairWrench{link_, wrench(link_.pair(kinematics), t)};
  }

  virtual bodies::Vector12 wrench(const bodies::FramePair& f, double t) const = 0;
  /// Adds the derivatives of wrench() by the frames' variations and by their twists.
  virtual void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                               bodies::Matrix12& by_twist) const = 0;
  virtual double energy(const bodies::FramePair&, double) const { return 0.0; }
  /// As Force::power; a law that stores energy returns the power that it adds or removes.
  virtual double power(const bodies::FramePair& f, double t) const {
    return wrench(f, t).dot(f.twist());
  }

 private:
  static std::vector<bodies::BodyIndex> joined(std::vector<bodies::BodyIndex> bodies,
                                               const std::vector<bodies::BodyIndex>& others) {
    bodies.insert(bodies.end(), others.begin(), others.end());
    return bodies;
  }

  bodies::FrameLink link_;
};

}  // namespace solidyn::forces
