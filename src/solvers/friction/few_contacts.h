#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/solvers/friction/problem.h"

namespace solidyn::solvers::friction {

/// Few contacts, by guesses of what each of them does, for which their laws are linear equations
/// but for the directions of slip:
///   open: r = 0,   sticks: u = 0,   slips: u_N = 0, r_T = -mu r_N t   with t = u_T / |u_T|
/// Directions follow the velocities from one correction to the next; where that does not converge,
/// as of slow slip, they are unknowns of Newton's method. The first guess is that of the forces it
/// starts from, as a rule those of the step before; the next ones follow from the projections of
/// the natural map (doc/theory/friction_contact.md), as a semismooth Newton method's. Redundant
/// contacts get the least change of the forces in these directions. It finds a solution or it does
/// not: what it returns as one has been measured by contact_error(), as all methods are. Proved by
/// tests/unit/friction/few_contacts_test.cpp.
class FewContacts {
 public:
  /// Decompositions of all rows cost the third power of their number.
  static constexpr int kMost = 8;
  /// @pre 0 < n <= kMost; `W` are the blocks of the problem's operator
  FewContacts(const Problem& problem, const ContactBlocks& W, const Eigen::VectorXd& rho);

  /// @param[in,out] r  a first guess; the solution, where there is one
  /// @param allowed  of contact_error().velocity
  /// @param[out] error  of the solution
  /// @return whether one has been found
  bool solve(double allowed, Eigen::VectorXd& r, ContactError& error);
  int n_guesses() const { return n_guesses_; }

 private:
  static constexpr int kRows = 3 * kMost;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kRows, 1>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kRows, kRows>;
  // What a contact does by a guess; `slip` is t.
  struct Role {
    ContactState state = ContactState::open;
    Eigen::Vector2d slip = Eigen::Vector2d::Zero();
    bool operator==(const Role& other) const { return state == other.state; }
  };
  Role role(int contact, const Eigen::VectorXd& r) const;
  bool find_roles(const Eigen::VectorXd& r);
  void set_directions();
  void set_velocities(const Eigen::VectorXd& r);
  void set_forces(const Vector& y, Eigen::VectorXd& r);
  Square equations() const;
  bool turn_slips();
  bool follow_slips(double allowed, Eigen::VectorXd& r, ContactError& error);
  bool find_slips(double allowed, Eigen::VectorXd& r, ContactError& error);

  const Problem& problem_;
  const Eigen::VectorXd& rho_;
  Square W_;  // [3 n x 3 n]
  std::vector<Role> roles_, roles_before_;
  Eigen::VectorXd u_;  // W r + q
  // r = directions_ y + given_, and the rows of u that are zero.
  Square directions_;
  Vector given_;
  std::vector<int> held_;
  std::vector<int> column_of_normal_;  // of directions_, by contact; -1: open or bounded
  int n_guesses_ = 0;
};

}  // namespace solidyn::solvers::friction
