#pragma once
#include <Eigen/Sparse>
#include <memory>
#include <string>
#include <vector>

#include "solidyn/integrators/contact_solver.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// The equations of equilibrium, h(q) + G^T lambda = 0 and Phi(q) = 0 with all forces of `state` in
/// h, as set-valued contacts need them. Rows of h are scaled by row_scale(), and multipliers with
/// them. `shift` is a stiffness, N/m, that a proximal term has against every motion: shift times
/// the squares of lengths and of arcs at the mechanism's length.
class StaticEquations {
 public:
  virtual ~StaticEquations() = default;
  virtual double row_scale() const = 0;
  virtual double length() const = 0;  ///< m, of the mechanism
  /// [-s (h + G^T lambda); -Phi]. @post System::update(state)
  virtual Eigen::VectorXd evaluate(const system::State& state) = 0;
  /// Factors of the tangent with the shift. @throws base::ComputationError where it is singular
  virtual void factor(const system::State& state, double shift) = 0;
  virtual void solve(const Eigen::VectorXd& rhs, Eigen::VectorXd& x) = 0;
  /// That tangent itself. @pre factor() at this state
  virtual Eigen::SparseMatrix<double> tangent(const system::State& state, double shift) = 0;
  virtual const Eigen::VectorXd& weights() const = 0;  ///< see system::increment_weights
};

/// Contacts that are closed or open, stops, clutches and dry friction in statics: in each
/// equilibrium 0 <= gap, 0 <= normal force, one of them zero, and Coulomb's law between forces and
/// what has slipped since the last equilibrium. Corrections are proximal ones, whose contact
/// problem has a solution where nothing but contacts holds a body, until it is known which contacts
/// are closed, stick and slip; then Newton's for those (doc/theory/static_contacts.md). Forces are
/// in the state, as what contacts remember. Local. Proved by
/// tests/verification/statics/contacts_test.cpp and mpi.program_static_contacts.
class StaticContacts {
 public:
  /// @param system, equations  must outlive this
  StaticContacts(system::System& system, StaticEquations& equations);
  ~StaticContacts();
  bool is_empty() const;
  /// @throws base::InputError with all bodies that overlap
  void refuse_overlaps(const system::State& state);

  /// Begins a load step from its state: what is closed sticks where it is.
  void begin(system::State& state);
  /// The correction of `state`, x = [increment; multipliers]. @return false where no forces were
  /// found (see failure()). @throws base::ComputationError where the tangent is singular
  bool correct(const system::State& state, Eigen::VectorXd& x);
  /// The last correction was one of Newton's for what is closed, sticks and slips.
  bool was_exact() const;
  /// [n_v] Whether friction carries something in the last correction, of the bodies (and what
  /// joints and forces connect with them) that it acts on.
  std::vector<bool> rubbing() const;
  /// Part `fraction` of the last correction has been taken: `state` has moved there from `before`,
  /// and gets the forces.
  void take(const system::State& before, double fraction, const Eigen::VectorXd& x,
            system::State& state);
  /// Whether bodies of groups have met in `state`, to which a correction leads, that had been too
  /// far apart to be looked at. @pre System::update(state)
  bool misses_pairs(const system::State& state) const;
  /// After take(): which are near each other there. @post System::update(state)
  void look_for_pairs(system::State& state);
  /// Whether `state`, to which the last correction led, keeps all gaps, with forces that balance.
  bool keeps_gaps(system::State& state) const;
  /// The step is done: what is closed, sticks or slips is noted in `state`.
  void finish(system::State& state);

  const std::string& failure() const;
  /// "\n  `floor` slips ..." of what the last correction found, to explain why there is no
  /// equilibrium. @pre System::update(state)
  std::string describe(const system::State& state) const;

  struct Totals {
    int most_closed = 0;                      ///< points
    double friction_loss = 0.0;               ///< J, in the slips of all steps
    double penetration = 0.0, overrun = 0.0;  ///< m and rad, deepest in an equilibrium
    ContactSolverTotals solver;
  };
  const Totals& totals();

 private:
  class Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace solidyn::integrators
