#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/solvers/friction/contact_operator.h"

namespace solidyn::solvers::friction {

/// What a contact demands of its force r = (r_N, r_T) and its relative velocity u = (u_N, u_T).
struct ContactLaw {
  enum class Type {
    unilateral,  ///< 0 <= u_N, 0 <= r_N, u_N r_N = 0; r_T = 0
    coulomb,     ///< as well |r_T| <= mu r_N + c, with equality and r_T against u_T where it slips
    /// |r_T| <= c, and r_T = -c u_T / |u_T| where it slips; r_N = 0, u_N is free. With a partner
    /// c + mu r_N of that contact takes the place of c: a moment of rolling or drilling friction.
    bounded
  };
  Type type = Type::coulomb;
  double mu =
      0.0;  ///< coefficient of friction; that of sticking or of sliding is the caller's choice
  /// c, N or N s: of `bounded` the whole disc, whatever presses; of `coulomb`, which then needs
  /// mu > 0, what friction has beside mu r_N: of a normal force that is given, r_N is added to it
  double bound = 0.0;
  /// Of `bounded`: a contact before this one whose normal force bounds it; -1: none does
  int partner = -1;
  double cone() const { return type == Type::coulomb ? mu : 0.0; }
  /// Whether the largest friction is a number, in part at least, which no cone has.
  bool has_given_size() const { return bound > 0.0 || (type == Type::bounded && partner < 0); }
};

enum class ContactState { open, stick, slip };

/// Find r with u = W r + q and the law of every contact. Forces in N with accelerations in m/s^2,
/// or impulses in N s with velocities in m/s: units are those of q and W, and messages call q's
/// m/s. Impact laws enter by q. The operator is borrowed and must outlive the problem.
struct Problem {
  const ContactOperator* W = nullptr;
  Eigen::VectorXd q;               ///< [3 n]
  std::vector<ContactLaw> laws;    ///< [n]
  std::vector<std::string> names;  ///< [n], for messages; empty: contacts are numbered from 1
  int n_contacts() const { return static_cast<int>(laws.size()); }
  std::string name(int contact) const;
};

/// @throws base::InputError with everything that is wrong: sizes, entries that are not finite,
/// coefficients of friction below zero
void check(const Problem& problem);

/// How far r is from a solution, by the natural map of each contact
/// (doc/theory/friction_contact.md):
///   e_i = | r_i - P_i(r_i - rho_i (u_i + mu_i |u_T,i| n)) | / rho_i,   rho_i = 1 / trace W_ii
/// with P_i the projection onto the cone |r_T| <= mu r_N + c, or the disc |r_T| <= c: zero exactly
/// where the law is met, a velocity in the units of q, and the same number whatever the units of
/// forces.
struct ContactError {
  double velocity = 0.0;  ///< sqrt(sum of e_i^2)
  double relative = 0.0;  ///< velocity over |q|; 0 where q = 0
  double force = 0.0;     ///< sqrt(sum of (rho_i e_i)^2), N s or N
  int worst = -1;         ///< the contact with the largest e_i; -1 without contacts
  double worst_velocity = 0.0;
};
/// @param u  W r + q
ContactError contact_error(const Problem& problem, const Eigen::VectorXd& r,
                           const Eigen::VectorXd& u);
/// The same, which computes u.
ContactError contact_error(const Problem& problem, const Eigen::VectorXd& r);

/// Of forces that solve the problem: open without a (normal) force, stick within the cone, else
/// slip. What is bounded is never open.
std::vector<ContactState> contact_states(const Problem& problem, const Eigen::VectorXd& r,
                                         const Eigen::VectorXd& u);

}  // namespace solidyn::solvers::friction
