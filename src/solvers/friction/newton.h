#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/solvers/friction/contact_operator.h"
#include "solidyn/solvers/friction/problem.h"
#include "solvers/friction/newton_matrix.h"
#include "solvers/friction/scaling.h"

namespace solidyn::solvers::friction {

/// Three equations of one contact and their generalised derivative, in velocities: value = 0 is the
/// law, and d value = A dr + C du.
struct ContactEquation {
  Eigen::Vector3d value;
  Eigen::Matrix3d A, C;
  ContactState state;
};
/// Coulomb's law by Alart and Curnier (1991): rows of u where it sticks, of r / rho where it is
/// open. With a bound c beside the cone what is open still has friction, by bounded_equation().
ContactEquation coulomb_equation(double mu, double rho, const Eigen::Vector3d& r,
                                 const Eigen::Vector3d& u, double bound);
inline ContactEquation coulomb_equation(double mu, double rho, const Eigen::Vector3d& r,
                                        const Eigen::Vector3d& u) {
  return coulomb_equation(mu, rho, r, u, 0.0);
}
/// The associated law by its natural map (r - P_K(r - rho u)) / rho.
ContactEquation associated_equation(double mu, double rho, const Eigen::Vector3d& r,
                                    const Eigen::Vector3d& u);
/// Friction of a bound by its natural map, as Alart and Curnier's where it sticks. Where it slips
/// d value / d bound = -z_T / (rho |z_T|), z = r - rho u.
ContactEquation bounded_equation(double bound, double rho, const Eigen::Vector3d& r,
                                 const Eigen::Vector3d& u);

/// Semismooth Newton on the equations of all contacts at once. Where W is singular or a direction
/// gains nothing, it is that of W + shift diag(1 / rho): the closer to the solution, the smaller.
class NewtonMethod {
 public:
  NewtonMethod(const Problem& problem, const ContactBlocks& W, const Eigen::VectorXd& rho,
               SlipRule rule = SlipRule::coulomb);

  struct Progress {
    int steps = 0;
    ContactError error;
    bool is_stuck = false;  ///< no step along the last direction reduces the error
    bool is_idle = false;   ///< the error has not been halved for `patience` steps
  };
  /// From r, which it improves, until the relative error is at most `tolerance`.
  /// @param patience  0: without a bound
  Progress run(Eigen::VectorXd& r, int max_steps, double tolerance, int patience = 0);

 private:
  struct Iterate {
    Eigen::VectorXd r, u;
    double merit = 0.0;  // |value| of all equations
  };
  /// Takes the longest of the steps 1, 1/2, ... that makes the merit less than `limit`.
  bool search(const Eigen::VectorXd& dr, double limit, Iterate& at, double& step) const;
  ContactEquation equation(int contact, const Eigen::VectorXd& r, const Eigen::VectorXd& u) const;
  double residual(const Eigen::VectorXd& r, Eigen::VectorXd& u) const;
  Eigen::Matrix3d by_partner(int contact, const Eigen::VectorXd& r, const Eigen::VectorXd& u) const;
  bool find_direction(const Eigen::VectorXd& r, const Eigen::VectorXd& u, double shift,
                      Eigen::VectorXd& dr);
  const Problem& problem_;
  const ContactBlocks& W_;
  const Eigen::VectorXd& rho_;
  SlipRule rule_;
  NewtonMatrix matrix_;  // of the contacts that are not open
  std::vector<ContactEquation> equations_;
};

}  // namespace solidyn::solvers::friction
