#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "solidyn/integrators/contact_solver_options.h"
#include "solidyn/solvers/friction/friction_contact.h"

namespace solidyn::integrators {

/// What solving for the forces and impulses of set-valued contacts has taken.
struct ContactSolverTotals {
  static constexpr std::size_t kMethods = 6;  ///< of solvers::friction::Method
  std::int64_t problems = 0;
  /// Of each method: problems whose solution it has found. Of `automatic` those that the forces
  /// from before solved, so that there was nothing to find.
  std::array<std::int64_t, kMethods> found_by{};
  std::int64_t iterations = 0;       ///< of all problems
  std::int64_t most_iterations = 0;  ///< of a problem
  std::int64_t fallbacks = 0;        ///< problems that took more than one method
  /// Of solutions that were accepted: by how much the laws are missed, m/s, of problems whose
  /// unknowns are velocities; and relative to the velocities (accelerations) without forces.
  double residual = 0.0, relative_residual = 0.0;

  void add(const ContactSolverTotals& more);
};

/// A problem that no method has solved, as it was, and the best forces that were found.
struct UnsolvedContacts {
  std::shared_ptr<const solvers::friction::ContactBlocks> W;
  solvers::friction::Problem problem;  ///< of W
  Eigen::VectorXd r;
};

/// How the problems of a system's set-valued contacts are solved, and what that took: one for all
/// that integrate the same motion, which share it. Local.
class ContactSolver {
 public:
  explicit ContactSolver(const ContactSolverOptions& options = {}) : options_(options) {}
  const ContactSolverOptions& options() const { return options_; }

  enum class Unknowns { velocities, accelerations };
  /// @param relative  its error, where the solution is accepted; else nothing
  void note(const solvers::friction::Result& result, Unknowns unknowns,
            std::optional<double> relative);
  void keep_unsolved(const solvers::friction::ContactBlocks& W,
                     const solvers::friction::Problem& problem, const Eigen::VectorXd& r);

  /// Of what was solved since the last call.
  ContactSolverTotals take_totals();
  /// The last one; null where there was none since forget_unsolved().
  const UnsolvedContacts* unsolved() const { return unsolved_ ? &*unsolved_ : nullptr; }
  void forget_unsolved() { unsolved_.reset(); }

 private:
  ContactSolverOptions options_;
  ContactSolverTotals totals_;
  std::optional<UnsolvedContacts> unsolved_;
};

}  // namespace solidyn::integrators
