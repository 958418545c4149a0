#include "step_work.h"

#include <algorithm>
#include <cmath>

#include "solidyn/bodies/superelement.h"
#include "step_couplings.h"

namespace solidyn::analyses {
namespace {

using recursive::Link;
using recursive::Mechanism;
using system::System;

// Microseconds of what a step is made of, as benchmarks/formulations/formulations.py measures and
// benchmarks/RESULTS.md has them. Of n modes the numbers are those of 1, n, n^2, n^3.
struct CostOfModes {
  double constant, linear, square, cube;
  double operator()(double n) const { return constant + n * (linear + n * (square + n * cube)); }
};

// What both formulations do in the same way for each evaluation: frames, forces and their powers;
// and what of a step does not depend on the model.
constexpr double kFrame = 0.06, kForce = 0.5, kStage = 1.05, kImplicitStep = 0.85;
constexpr CostOfModes kBodyKinematics{0.06, 0.07, 0.0, 0.0};

namespace sparse {
// With first guesses of up to third order; where no forces act, and beside them.
constexpr double kNewtonIterations = 2.75, kIterationsWithForces = 2.4, kNewMatrices = 0.2;
constexpr double kIterationsIfStiff = 3.5, kNewMatricesIfStiff = 1.0;  // stiff couplings
// Explicit: of a factorisation and a solution, and the body with its mass matrix.
constexpr double kProduct = 1e-4, kEntry = 7e-3;
constexpr CostOfModes kBody{0.4, 0.8, 0.0, 0.0};
constexpr double kRow = 0.34;  // of a constraint
// Implicit: a residual, and a new matrix, which is sparser than that of accelerations.
constexpr double kImplicitProduct = 3e-4, kImplicitEntry = 2e-4, kImplicitRow = 0.09;
constexpr CostOfModes kResidual{0.09, 0.27, 0.0, 0.0};
// Where constraints depend on each other, the regularised equations are solved and corrected.
constexpr double kRedundant = 1.5, kRedundantInImplicitStep = 2.2;
}  // namespace sparse

namespace sweeps {
// Explicit: a rigid body, each speed of its hinge, and its modes.
constexpr double kLink = 0.26, kSpeed = 0.14;
constexpr CostOfModes kModes{1.45, 0.085, 8e-3, 3.3e-4};
// Of closures: a row, one through a hinge, two of them that meet there, and those that end at once.
constexpr double kRow = 0.25, kRowOfHinge = 0.25, kPairOfRows = 4e-3, kGroup = 2.0;
constexpr double kClosures = 0.7, kClosuresInImplicitStep = 0.26;  // of these
// Implicit: residual and solution of an iteration, a new matrix, and what a step ends with. Where
// nothing but inertia acts on hinges the first correction is often the last.
constexpr double kNewtonIterations = 1.2, kIterationsWithForces = 2.0, kAxis = 0.19,
                 kTangentOfAxis = 0.63, kEnd = 0.11;
constexpr CostOfModes kLinkOfColumns{0.28, 0.012, 0.0, 0.0}, kEndOfModes{0.3, 0.23, 0.0, 0.0};
constexpr CostOfModes kImplicitModes{0.9, 0.19, 0.0, 0.0};
constexpr CostOfModes kTangentOfColumns{7.4, 0.6, 0.0, 0.0}, kTangentOfModes{2.0, 0.15, 4e-3, 0.0};
// Of the modes of one body, its own or those that carry it: the matrix is kept for longer, and less
// of it is full.
constexpr CostOfModes kModesAlone{0.3, 0.17, 0.0, 0.0}, kTangentOfModesAlone{1.0, 0.16, 0.0, 0.0};
constexpr double kTangentOfForce = 5.0, kForceInImplicitStep = 0.35;
// Of forces between distant bodies, which border the tree: a product that is taken from the tangent
// of one, by the entries of this (where that is more than what any force takes); a column, of an
// iteration; a row in each; the dense factor, and a solution with it.
constexpr double kTangentProduct = 0.6, kEntryOfProduct = 3.5e-3, kColumnOfBorder = 0.4,
                 kRowInColumn = 0.055, kFactorOfBorder = 5.4e-5, kSolutionOfBorder = 5e-4;
// Solutions of the sweep in an iteration: with a border, and with one of stiff forces, whose rows
// are put right.
constexpr double kSolutionsWithBorder = 1.5, kSolutionsIfStiff = 2.0;
constexpr double kIterationsIfStiff = 2.6, kNewMatricesIfStiff = 1.0;
constexpr double kTangentOfClosures = 22.0;  // of what they take in an iteration
// Bodies on modes of others leave a matrix for less long, the more the longer their chain is, not
// the more of them side by side; where corrections are refined (StepTangent::refine()) no more than
// so many do.
constexpr double kNewMatrices = 0.04, kNewMatricesOfCarried = 0.03;
constexpr int kCarriedIfRefined = 6;
}  // namespace sweeps

// Of a step: evaluations of an explicit one; of BDF the Jacobian, by differences, is kept for some
// steps.
constexpr double kStages = 15.0, kBdfEvaluations = 4.0, kBdfJacobians = 0.1, kDenseProduct = 4e-4;

// Friction of joints, in accelerations: Newton's iterations; of absolute coordinates each with a
// new matrix, of relative ones with a sweep that keeps its factors, as each such force has too; and
// what else a force takes in all of them.
constexpr double kIterationsOfFriction = 2.9, kSweepWithFactors = 1.1, kForceOfFriction = 8.7;
// Of implicit steps, each such force.
constexpr double kFrictionInAbsoluteStep = 15.0, kFrictionInRelativeStep = 10.0;

double cube(double n) { return n * n * n; }

int n_multiplier_forces(const System& system) {
  int n = 0;
  for (const forces::ForceIndex i : system.forces())
    n += system.force(i).constraints().empty() ? 0 : 1;
  return n;
}

bool has_coordinates_of_forces(const System& system) {
  for (const forces::ForceIndex i : system.forces())
    if (system.force(i).as_internal_state()) return true;
  return false;
}

int n_modes(const Mechanism& m, const Link& k) {
  return k.modes >= 0 ? m.tree().modes()[k.modes].n : 0;
}

// Columns by which a link moves in its parent, with the parent's modes where they carry it.
int n_columns(const Mechanism& m, const Link& k) {
  const int of_parent = k.carried >= 0 ? n_modes(m, m.tree().links()[k.parent]) : 0;
  return of_parent + k.n_speeds + n_modes(m, k);
}

// Of a superelement those of its floating-frame body, in which the system evaluates it.
std::vector<int> modes_of_bodies(const System& system) {
  std::vector<int> modes;
  for (const bodies::BodyIndex i : system.bodies()) modes.push_back(system.body(i).n_elastic());
  const system::Connectivity& connectivity = system.connectivity();
  for (std::size_t k = 0; k < connectivity.superelements().size(); ++k)
    modes[connectivity.body_of_superelement(static_cast<int>(k)).value()] +=
        6 * connectivity.superelements()[k]->n_interfaces();
  return modes;
}

double common_evaluation(const System& system) {
  double sum = kFrame * static_cast<double>(system.kinematics().frames.size());
  for (const int n : modes_of_bodies(system)) sum += kBodyKinematics(n);
  for (const forces::ForceIndex i : system.forces()) {
    const forces::Force& force = system.force(i);
    sum += kForce * (force.has_parts() ? static_cast<double>(force.parts().size()) : 1.0);
  }
  return sum;
}

double absolute_assembly(const System& system, const CostOfModes& of_body, double of_row) {
  double sum = of_row * system.layout().n_constraints();
  for (const int n : modes_of_bodies(system)) sum += of_body(n);
  return sum;
}

// The rows of closures in an evaluation, or in an iteration of an implicit step.
double work_of_closures(const Mechanism& m) {
  double sum = sweeps::kRow * m.closures().n_rows();
  const recursive::ClosureCounts counts = m.closures().counts();
  for (const int n : counts.through) sum += n * (sweeps::kRowOfHinge + sweeps::kPairOfRows * n);
  for (const int n : counts.ending) sum += sweeps::kGroup + kDenseProduct * cube(n);
  return sum;
}

double recursive_evaluation(const Mechanism& m) {
  double sum = sweeps::kClosures * work_of_closures(m);
  for (const Link& k : m.tree().links()) {
    sum += sweeps::kLink + sweeps::kSpeed * k.n_free;
    if (k.modes >= 0) sum += sweeps::kModes(n_modes(m, k));
  }
  return sum;
}

// Elastic ones too.
bool has_forces_or_loops(const Mechanism& m) {
  const auto& links = m.tree().links();
  return !m.tree().system().forces().empty() || !m.closures().empty() ||
         std::any_of(links.begin(), links.end(), [](const Link& k) { return k.modes >= 0; });
}

// Where all coordinates follow laws there is nothing to iterate.
double n_iterations(const Mechanism& m, bool is_stiff) {
  for (const Link& k : m.tree().links()) {
    if (k.n_free == 0 && k.modes < 0) continue;
    if (is_stiff) return sweeps::kIterationsIfStiff;
    return has_forces_or_loops(m) ? sweeps::kIterationsWithForces : sweeps::kNewtonIterations;
  }
  return 1.0;
}

// Bodies that modes carry, one on another.
int longest_carried_chain(const Mechanism& m) {
  std::vector<int> lengths;
  int longest = 0;
  lengths.reserve(m.tree().links().size());
  for (const Link& k : m.tree().links()) {
    lengths.push_back(k.carried >= 0 ? lengths[k.parent] + 1 : 0);
    longest = std::max(longest, lengths.back());
  }
  return longest;
}

double recursive_implicit_step(const Mechanism& m, const System& system,
                               const ModelAtStart& start) {
  const bool is_stiff = start.has_stiff_couplings;
  double iteration = 0.0, tangent = 0.0, end = 0.0;
  for (const Link& k : m.tree().links()) {
    const int n = n_modes(m, k), columns = n_columns(m, k);
    end += sweeps::kEnd;
    if (n > 0) end += sweeps::kEndOfModes(n);
    if (columns == 1 && k.n_free == 1) {
      iteration += sweeps::kAxis;
      tangent += sweeps::kTangentOfAxis;
    } else if (n == 0 && k.carried < 0) {
      iteration += sweeps::kLinkOfColumns(columns);
      tangent += sweeps::kTangentOfColumns(columns);
    } else if ((n > 0) != (k.carried >= 0)) {
      iteration += sweeps::kModesAlone(n);
      tangent += sweeps::kTangentOfModesAlone(columns);
    } else {
      iteration += sweeps::kImplicitModes(n);
      tangent += sweeps::kTangentOfModes(columns);
    }
  }
  double border = 0.0;
  for (const forces::ForceIndex f : system.forces()) {
    const Border of_force = border_of(m, system.force(f), start.t, start.step);
    border += of_force.unknowns;
    tangent += std::max(sweeps::kTangentOfForce, sweeps::kTangentProduct * of_force.unknowns +
                                                     sweeps::kEntryOfProduct * of_force.entries);
    end += sweeps::kForceInImplicitStep;
  }
  const double closures = work_of_closures(m);
  iteration += sweeps::kClosuresInImplicitStep * closures;
  tangent += sweeps::kTangentOfClosures * closures;
  const double rows = sweeps::kRowInColumn * border;
  tangent += border * (sweeps::kColumnOfBorder * iteration + rows) +
             sweeps::kFactorOfBorder * cube(border);
  if (border > 0.0) {
    iteration *= is_stiff ? sweeps::kSolutionsIfStiff : sweeps::kSolutionsWithBorder;
    iteration += sweeps::kSolutionOfBorder * border * border;
  }
  const bool is_refined = border == 0.0 && m.closures().empty() &&
                          n_multiplier_forces(system) == 0 && !has_coordinates_of_forces(system);
  const int n_carried = is_refined ? std::min(longest_carried_chain(m), sweeps::kCarriedIfRefined)
                                   : longest_carried_chain(m);
  double matrices = sweeps::kNewMatrices + sweeps::kNewMatricesOfCarried * n_carried;
  if (is_stiff) matrices = std::max(matrices, sweeps::kNewMatricesIfStiff);
  return kImplicitStep + n_iterations(m, is_stiff) * iteration + matrices * tangent + end;
}

StepWork of_bdf(const StepWork& evaluation, const Mechanism& m, const System& system) {
  const auto step = [](double evaluation, double n) {
    return evaluation * (kBdfEvaluations + kBdfJacobians * n) +
           kDenseProduct * (kBdfJacobians * cube(n) / 3.0 + kBdfEvaluations * n * n);
  };
  const system::Layout& layout = system.layout();
  return {step(evaluation.absolute, layout.n_configuration() + layout.n_velocities()),
          step(evaluation.recursive, m.tree().n_coordinates() + m.tree().n_speeds())};
}

}  // namespace

StepWork predict_step_work(const Mechanism& m, IntegratorKind integrator,
                           const ModelAtStart& start) {
  const solvers::FactorSize& size = start.size;
  const bool is_redundant = start.is_redundant, is_stiff = start.has_stiff_couplings;
  const System& system = m.tree().system();
  const double common = common_evaluation(system),
               shared = m.exchanges_energy() ? common : 0.0;  // of relative coordinates
  if (integrator != IntegratorKind::bdf && integrator != IntegratorKind::runge_kutta) {
    const double again = is_redundant ? sparse::kRedundantInImplicitStep : 1.0;
    const double newton =
        (is_stiff                 ? sparse::kIterationsIfStiff
         : has_forces_or_loops(m) ? sparse::kIterationsWithForces
                                  : sparse::kNewtonIterations) *
        (common + absolute_assembly(system, sparse::kResidual, sparse::kImplicitRow) +
         sparse::kImplicitEntry * size.entries);
    const double matrix = absolute_assembly(system, sparse::kBody, sparse::kImplicitRow) +
                          sparse::kImplicitProduct * size.products;
    const double matrices = is_stiff ? sparse::kNewMatricesIfStiff : sparse::kNewMatrices;
    const int n_rubbing = n_multiplier_forces(system);
    return {kImplicitStep + again * (newton + matrices * matrix) + common +
                kFrictionInAbsoluteStep * n_rubbing,
            n_iterations(m, is_stiff) * shared + recursive_implicit_step(m, system, start) +
                common + kFrictionInRelativeStep * n_rubbing};
  }
  const double again = is_redundant ? sparse::kRedundant : 1.0;
  StepWork evaluation{
      common + again * (absolute_assembly(system, sparse::kBody, sparse::kRow) +
                        sparse::kProduct * size.products + sparse::kEntry * size.entries),
      shared + recursive_evaluation(m)};
  if (const int n = n_multiplier_forces(system); n > 0) {
    evaluation.absolute = kIterationsOfFriction * evaluation.absolute + kForceOfFriction * n;
    evaluation.recursive +=
        (kIterationsOfFriction + n) * kSweepWithFactors * recursive_evaluation(m) +
        kForceOfFriction * n;
  }
  evaluation.absolute += kStage;
  evaluation.recursive += kStage;
  if (integrator == IntegratorKind::bdf) return of_bdf(evaluation, m, system);
  return {kStages * evaluation.absolute, kStages * evaluation.recursive};
}

}  // namespace solidyn::analyses
