#pragma once
#include <string>
#include <vector>

#include "integrators/contact_points.h"
#include "solidyn/solvers/friction/friction_contact.h"

namespace solidyn::integrators {

/// Of ContactError::relative, in the problems of steps and impacts: round-off where there are few
/// points. Of many each digit costs as much as the one before, and round-off comes earlier; what is
/// left moves bodies by this part of what their weight would do in a step (doc/nonsmooth.md).
double contact_tolerance(int n_points);
/// Below which a solution is good enough where round-off ends it above that.
constexpr double kContactAccepted = 1e-8;

/// Of points that slide, and of clutches that turn freely, at a known velocity: directions of
/// friction are known too, so that forces are linear in others, r = transform r' + given, and the
/// laws of r' have no friction.
struct KnownSlips {
  std::vector<bool> slips;
  std::vector<Eigen::Matrix3d> transform;
  /// Of moments, whose size is that of the normal force of their contact: part of the transform.
  std::vector<solvers::friction::ContactBlock> by_contact;
  Eigen::VectorXd given;
  /// More points, of which nothing is known.
  void append_unknown(int n);
  Eigen::VectorXd forces(const Eigen::VectorXd& r) const;
};
/// Of those that do not stick in `s`. @pre System::update(s)
KnownSlips find_known_slips(const ContactPoints& contacts, const system::State& s,
                            const std::vector<int>& of);

/// Of n points, three values each.
struct ContactSolution {
  Eigen::VectorXd r, u;
  std::vector<solvers::friction::ContactState> states;
  Eigen::VectorXd coefficients;  ///< of friction, as they were at last
  double error = 0.0;            ///< m/s (or m/s^2): by how much the laws are missed, ...
  double allowed = 0.0;          ///< ... and may be
  std::string failure;           ///< empty where it has been solved
};
/// Friction that is there beside that of r: its coefficient times a normal force that is given and
/// whose velocities q has. It is that coefficient which r has too, stick or slip.
struct GivenFriction {
  Eigen::VectorXd normal;        ///< [n] N or N s
  Eigen::VectorXd coefficients;  ///< [n]
};
/// Finds r with u = A r + q and the contact laws. A point slips where it has a velocity across the
/// normal; a force on the surface of its cone alone may be one of many that redundant points share.
/// @param start  a first guess of r
/// @param sticks  of each point, whether its coefficient is that of sticking; of those that slip
/// with that it becomes that of sliding, and the problem is solved again
/// @param slip_speeds  at which the coefficients of sliding are taken, m/s
/// @param known  null: no slip is
/// @param unit  of r, N, where the problem is not in N: friction of a given size is r times that
/// By the method and tolerance of ContactPoints::solver(), which counts what it takes.
/// @param unknowns  what u is
ContactSolution solve_contacts(
    const ContactPoints& contacts, const ContactCompliance& compliance,
    const solvers::friction::ContactBlocks& A, const Eigen::VectorXd& q,
    const Eigen::VectorXd& start, std::vector<bool> sticks, const Eigen::VectorXd& slip_speeds,
    const KnownSlips* known = nullptr, double unit = 1.0, const GivenFriction* given = nullptr,
    ContactSolver::Unknowns unknowns = ContactSolver::Unknowns::velocities);

}  // namespace solidyn::integrators
