#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "solidyn/solvers/friction/problem.h"

namespace solidyn::solvers::friction {

/// The nearest point to z of the cone |z_T| <= mu z_N, z = (z_N, z_T).
inline Eigen::Vector3d project_on_cone(double mu, const Eigen::Vector3d& z) {
  const double t = std::hypot(z[1], z[2]);
  if (mu * t <= -z[0]) return Eigen::Vector3d::Zero();
  if (t <= mu * z[0]) return z;
  const double normal = (z[0] + mu * t) / (1.0 + mu * mu);
  const double scale = mu * normal / t;
  return {normal, scale * z[1], scale * z[2]};
}

/// The nearest point to z of the disc z_N = 0, |z_T| <= c.
inline Eigen::Vector3d project_on_disc(double c, const Eigen::Vector3d& z) {
  const double t = std::hypot(z[1], z[2]);
  const double scale = t <= c ? 1.0 : c / t;
  return {0.0, scale * z[1], scale * z[2]};
}

/// The nearest point to z of the cut cone 0 <= z_N, |z_T| <= mu z_N + c. @pre mu > 0
inline Eigen::Vector3d project_on_cut_cone(double mu, double c, const Eigen::Vector3d& z) {
  const double lift = c / mu;
  Eigen::Vector3d nearest = project_on_cone(mu, {z[0] + lift, z[1], z[2]});
  nearest[0] -= lift;
  return nearest[0] >= 0.0 ? nearest : project_on_disc(c, z);
}

/// The largest friction of a law of type `bounded`, which the normal force of its partner among the
/// forces r may be a part of.
inline double largest_friction(const ContactLaw& law, const Eigen::VectorXd& r) {
  if (law.partner < 0) return law.bound;
  return law.bound + law.mu * std::max(0.0, r[3 * law.partner]);
}

/// The nearest force to z that the law allows. @param r  [3 n] forces, those of partners count
inline Eigen::Vector3d nearest_force(const ContactLaw& law, const Eigen::VectorXd& r,
                                     const Eigen::Vector3d& z) {
  if (law.type == ContactLaw::Type::bounded) return project_on_disc(largest_friction(law, r), z);
  return law.bound > 0.0 ? project_on_cut_cone(law.mu, law.bound, z)
                         : project_on_cone(law.cone(), z);
}

/// u + mu |u_T| n: Coulomb's law says that it lies in the dual cone, orthogonal to r (De Saxce).
inline Eigen::Vector3d lifted_velocity(double mu, const Eigen::Vector3d& u) {
  return {u[0] + mu * std::hypot(u[1], u[2]), u[1], u[2]};
}

}  // namespace solidyn::solvers::friction
