#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solidyn/contact/friction.h"
#include "solidyn/contact/geometry.h"
#include "solidyn/contact/normal_law.h"
#include "solidyn/forces/pair_force.h"

namespace solidyn::contact {

/// What a contact, or one point of it, does at one instant.
struct ContactState {
  double gap = 0.0;                                    ///< m, the smallest
  double normal_force = 0.0;                           ///< N, sum of the points' (never negative)
  Eigen::Vector3d friction = Eigen::Vector3d::Zero();  ///< N, on B, W
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     ///< N, on B, W, friction included
  double slip_speed = 0.0;                             ///< m/s, where the normal force is largest
  bool is_closed = false;  ///< penetrates, or a set-valued law holds it closed
  bool sticks = false;     ///< by a set-valued law, without any slip
  double impulse = 0.0;    ///< N s, normal, of an impact at the end of the last step
  /// N m, on B, W: of rolling and drilling friction, set-valued; forces have others about origins
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  /// m, W: where it acts, the mean of several points by their normal forces; without a force where
  /// the gap is smallest.
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

/// That of several contacts or points together. @pre not empty
ContactState combined(const std::vector<ContactState>& parts);

/// A contact of two shapes by any law.
class PairContact : public forces::PairForce {
 public:
  using PairForce::PairForce;
  virtual ContactState state(const bodies::FramePair& f) const = 0;
  std::optional<double> gap(const bodies::Kinematics& kinematics) const override {
    return state(pair(kinematics)).gap;
  }
};

/// Contact between two shapes by penalty: a normal force that never pulls, and friction, at each
/// of the pair's contact points.
///
/// It remembers of the last accepted state, for each point, the gap, its rate, the normal, and the
/// speed with which the surfaces met: an impact is damped by that speed. It objects to a step that
/// passes over a contact, over which the gap's rate changes by more than `resolution` times that
/// speed, the normal turns to another side, or energy appears or vanishes (kEnergyShare).
/// Local. Proved by tests/unit/contact and tests/verification/contact.
class ContactForce final : public PairContact {
 public:
  /// Of the energy of an impact, times `resolution`: what its energies may not match by in a step.
  static constexpr double kEnergyShare = 0.03;

  /// @param resolution > 0, largest change of the gap's rate over a step, relative to the speed of
  /// impact (at least law.slow_speed)
  ContactForce(std::string name, const bodies::FrameLink& link,
               std::unique_ptr<PairGeometry> geometry, const NormalLaw& law,
               const Friction& friction, double resolution);

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;
  double energy(const bodies::FramePair& f, double t) const override;
  double power(const bodies::FramePair& f, double t) const override;

  int n_memory() const override { return n_memory_of(geometry_->n_points()); }
  /// Of a pair with so many points.
  static int n_memory_of(int n_points);
  void recall(const Eigen::Ref<const Eigen::VectorXd>& memory) override { memory_ = memory; }
  const Eigen::VectorXd& recalled() const { return memory_; }
  void remember(const bodies::Kinematics& kinematics, double t,
                Eigen::Ref<Eigen::VectorXd> memory) const override;
  std::string rejection(const bodies::Kinematics& kinematics, double t) const override;

  void add_slips(const bodies::Kinematics& kinematics,
                 std::vector<forces::Slip>& slips) const override;

  ContactState state(const bodies::FramePair& f) const override;

 private:
  struct Touch;
  Touch touch(const bodies::FramePair& f, int point) const;
  double impact_speed(int point) const;
  double energy_mismatch(int point, const Touch& now, double h) const;
  std::string rejection_at(int point, const Touch& now, double h) const;

  std::unique_ptr<PairGeometry> geometry_;
  NormalLaw law_;
  Friction friction_;
  double resolution_;
  Eigen::VectorXd memory_;
};

}  // namespace solidyn::contact
