#pragma once
#include <string>
#include <vector>

#include "solidyn/solvers/friction/method.h"
#include "solidyn/solvers/friction/problem.h"

/// Contacts with dry friction as laws between forces and velocities:
/// doc/theory/friction_contact.md.
namespace solidyn::solvers::friction {

struct Options {
  Method method = Method::automatic;
  double tolerance = 1e-8;  ///< of ContactError::relative
  int max_iterations = 0;   ///< of each method that is tried; 0: its own limit
  /// Of the error likewise: where a method ends below this, `automatic` tries no other.
  double sufficient = 0.0;
  /// Likewise: below this it takes no more than the methods that are quick. 0: it tries all.
  double accepted = 0.0;
};

/// One method's part in a solution.
struct Attempt {
  Method method = Method::automatic;
  int iterations = 0;  ///< sweeps, Newton's steps, products, interior-point steps
  double relative_error = 0.0;
  double cpu_seconds = 0.0;
};

struct Result {
  Eigen::VectorXd r, u;  ///< [3 n], u = W r + q
  std::vector<ContactState> states;
  ContactError error;
  bool has_converged = false;
  Method method = Method::automatic;  ///< the one that found it
  std::vector<Attempt> attempts;      ///< in their order
  /// Of `convex`: the largest normal velocity mu |u_T| with which it lifts a contact that slips,
  /// and which one. The law that it solves is another: has_converged is about that one.
  double gap_opening = 0.0;
  int gap_opening_at = -1;
};

/// Solves, from the forces `start` (those of the last step; empty: none). Local.
/// The result may not have converged; then it is the best that was found.
/// @throws base::InputError as check() does, and for a method that cannot take W, or a law
Result try_solve(const Problem& problem, const Options& options = {},
                 const Eigen::VectorXd& start = {});

/// The same. @throws base::ComputationError with the worst contact and its error when no method
/// has converged
Result solve(const Problem& problem, const Options& options = {},
             const Eigen::VectorXd& start = {});

/// What solve() throws: which methods were tried, how far they came, which contact is worst.
std::string failure_message(const Problem& problem, const Options& options, const Result& result);

}  // namespace solidyn::solvers::friction
