#pragma once
#include "integrators/contact_forces.h"

namespace solidyn::integrators {

/// Of these closed contacts, the directions that they hold still, among three of each.
std::vector<Eigen::Index> held_directions(const ContactPoints& contacts, const system::State& s,
                                          const std::vector<int>& of);

/// What closed contacts hold still: their normal directions, and across them where they stick. It
/// makes of a solution x by a factorised saddle-point matrix one that gives these directions the
/// velocities (or accelerations) that are asked for. Local.
class HeldContacts {
 public:
  /// @pre System::update(s)
  HeldContacts(const ContactPoints& contacts, const system::State& s, const ContactFactors& factors,
               int n_unknowns);
  /// x += X mu with W^T x = W^T wanted. @param wanted [n_v]
  void hold(const Eigen::VectorXd& wanted, Eigen::VectorXd& x) const;

 private:
  ContactCompliance compliance_;
  DirectionsOfContacts held_;
};

}  // namespace solidyn::integrators
