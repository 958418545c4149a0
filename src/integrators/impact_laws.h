#pragma once
#include <functional>

#include "integrators/contact_solution.h"

namespace solidyn::integrators {

/// What the laws of an impact have of restitution.
struct Restitutions {
  struct OfPoint {
    double law;         ///< 0..1
    double gain = 1.0;  ///< speed where the surfaces met over that of the impact
  };
  /// Of the k-th point that is hit with a speed, m/s; `is_first`: not yet in a sequence of impacts.
  std::function<OfPoint(int k, double speed, bool is_first)> normal;
  double tangential_part = 1.0;  ///< of the points' tangential restitution
};

/// Impulses and velocities of an impact, of n points. `states` are those of the velocities after
/// it: open what parts, else stick or slip.
struct ImpactSolution : ContactSolution {
  /// Restitutions differ, and with each its own the impact would have created energy: all had the
  /// smallest of those that were hit.
  bool has_smallest_restitution = false;
};

/// Poisson's law of all points at once: impulses P_c of a compression without restitution, then
/// P_e = e P_cN n + R of an expansion, with 0 <= u_N, 0 <= R_N, u_N R_N = 0 and Coulomb's cone of
/// P_e. With equal restitutions it creates no energy (doc/theory/nonsmooth.md).
/// @param before  [3 n] velocities, m/s   @param nothing  m/s, velocities up to this are none
ImpactSolution solve_poissons_law(const ContactPoints& contacts, const ContactCompliance& c,
                                  const Eigen::VectorXd& before, const Restitutions& restitutions,
                                  double nothing);

/// A sequence of impacts of one point each, by the law of that point, of the one that has most
/// energy in its approach (u_N^2 / A_NN) first, until nothing approaches. What is left when all
/// approach slower than their slow_speed, or after kMostImpacts of each point, has no restitution
/// and is one impact of all.
ImpactSolution solve_in_sequence(const ContactPoints& contacts, const ContactCompliance& c,
                                 const Eigen::VectorXd& before, const Restitutions& restitutions,
                                 double nothing);
constexpr int kMostImpacts = 1000;

}  // namespace solidyn::integrators
