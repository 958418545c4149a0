#pragma once
#include <solidyn/forces/pair_force.h>

/// Attraction of two points by k / r^2 along the line between them (negative k: repulsion), as of
/// masses (k = G m M) and charges: on B the force -k d / r^3, d = p_WB - p_WA, r = |d|; on A its
/// reaction; no torque. It stores -k / r. k in N m^2.
/// Where the points meet its values are not finite, and the step is refused.
class InverseSquare final : public solidyn::forces::PairForce {
 public:
  InverseSquare(std::string name, const solidyn::bodies::FrameLink& link, double k)
      : PairForce(std::move(name), link), k_(k) {}

  solidyn::bodies::Vector12 wrench(const solidyn::bodies::FramePair& f, double t) const override;
  void add_derivatives(const solidyn::bodies::FramePair& f, double t,
                       solidyn::bodies::Matrix12& by_position,
                       solidyn::bodies::Matrix12& by_twist) const override;
  double energy(const solidyn::bodies::FramePair& f, double t) const override;
  double power(const solidyn::bodies::FramePair& f, double t) const override;

 private:
  double k_;
};
