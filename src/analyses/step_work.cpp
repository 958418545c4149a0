#include "step_work.h"

#include <cmath>

#include "solidyn/bodies/superelement.h"

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

// What both formulations do in the same way for each evaluation: frames, forces and their powers.
constexpr double kFrame = 0.05, kForce = 0.6;
constexpr CostOfModes kBodyKinematics{0.1, 0.05, 0.0, 0.0};

namespace sparse {
constexpr double kNewtonIterations = 2.9;
constexpr double kProduct = 7e-4, kEntry = 2.5e-3;  // of a factorisation, and of a solution
constexpr CostOfModes kBody{0.9, 1.9, 0.0, 0.0};    // with its mass matrix
constexpr CostOfModes kResidual{0.3, 0.6, 0.0, 0.0};
constexpr double kRow = 0.25;  // of a constraint
// Where constraints depend on each other, the regularised equations are solved and corrected.
constexpr double kRedundant = 1.9;
}  // namespace sparse

namespace sweeps {
// Of closures: a row, one through a hinge, two of them that meet there, and those that end at once.
constexpr double kRow = 0.25, kRowOfHinge = 0.25, kPairOfRows = 4e-3, kGroup = 2.0;
// Implicit: first guesses are of up to third order; residual and solution of an iteration, a new
// matrix, and what a step ends with.
constexpr double kNewtonIterations = 1.7, kImplicitLink = 0.3, kTangentOfAxis = 0.9, kEnd = 0.9;
constexpr CostOfModes kImplicitModes{3.0, 1.0, 0.05, 0.0};
constexpr CostOfModes kTangentOfColumns{3.0, 2.0, 0.3, 0.01};
// Of the modes of one body, its own or those that carry it: the matrix is kept for longer, and less
// of it is full.
constexpr CostOfModes kModesAlone{1.0, 0.25, 5e-3, 0.0}, kTangentOfModesAlone{2.0, 0.5, 0.05, 1e-3};
constexpr double kTangentOfForce = 5.0, kForceInImplicitStep = 2.8;
constexpr int kRowsOfCoupling = 6;
constexpr double kTangentOfClosures = 7.0;  // of what they take in an iteration
}  // namespace sweeps

// Of a step: evaluations of an explicit one, iterations and new matrices of an implicit one; of BDF
// the Jacobian, by differences, is kept for some steps.
constexpr double kStages = 15.0, kNewMatrices = 0.15, kBdfEvaluations = 4.0, kBdfJacobians = 0.1,
                 kDenseProduct = 4e-4;

// Friction of joints, in accelerations: Newton's iterations; of absolute coordinates each with a
// new matrix, of relative ones with a sweep that keeps its factors, as each such force has too.
constexpr double kIterationsOfFriction = 4.0, kSweepWithFactors = 0.5;

double cube(double n) { return n * n * n; }

int n_multiplier_forces(const System& system) {
  int n = 0;
  for (const forces::ForceIndex i : system.forces())
    n += system.force(i).constraints().empty() ? 0 : 1;
  return n;
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

double absolute_assembly(const System& system, const CostOfModes& of_body) {
  double sum = sparse::kRow * system.layout().n_constraints();
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
  double sum = 0.0;
  for (const Link& k : m.tree().links()) sum += recursive::work_of_sweeps(m.tree(), k);
  return sum + work_of_closures(m);
}

// Unknowns that border the tree: forces between distant bodies.
double n_border(const Mechanism& m, const System& system) {
  double n = 0.0;
  const auto& links = m.tree().links();
  for (const forces::ForceIndex f : system.forces()) {
    const auto& bodies = system.force(f).bodies();
    // A coordinate of its own is eliminated with it.
    const std::size_t n_bodies = bodies.size() - (system.force(f).as_internal_state() ? 1 : 0);
    if (n_bodies < 2) continue;
    const auto link = [&](bodies::BodyIndex body) { return m.tree().index_of(body); };
    const int a = link(bodies[0]), b = link(bodies[1]);
    if (n_bodies > 2 || (links[a].parent != b && links[b].parent != a))
      n += sweeps::kRowsOfCoupling;
  }
  return n;
}

// Where all coordinates follow laws there is nothing to iterate.
double n_iterations(const Mechanism& m) {
  for (const Link& k : m.tree().links())
    if (k.n_free > 0 || k.modes >= 0) return sweeps::kNewtonIterations;
  return 1.0;
}

double recursive_implicit_step(const Mechanism& m, const System& system) {
  double iteration = 0.0, tangent = 0.0, end = 0.0;
  for (const Link& k : m.tree().links()) {
    const int n = n_modes(m, k), columns = n_columns(m, k);
    const bool has_modes_of_one = (n > 0) != (k.carried >= 0);
    iteration += sweeps::kImplicitLink;
    if (n > 0) iteration += has_modes_of_one ? sweeps::kModesAlone(n) : sweeps::kImplicitModes(n);
    tangent += columns == 1 && k.n_free == 1 ? sweeps::kTangentOfAxis
               : has_modes_of_one            ? sweeps::kTangentOfModesAlone(columns)
                                             : sweeps::kTangentOfColumns(columns);
    end += sweeps::kEnd;
  }
  const auto n_forces = static_cast<double>(system.forces().size());
  tangent += sweeps::kTangentOfForce * n_forces;
  end += sweeps::kForceInImplicitStep * n_forces;
  const double closures = work_of_closures(m);
  iteration += closures;
  tangent += sweeps::kTangentOfClosures * closures;
  const double border = n_border(m, system);
  tangent += 0.5 * border * iteration + 20.0 * kDenseProduct * cube(border);
  if (border > 0) iteration *= 1.5;
  return n_iterations(m) * iteration + kNewMatrices * tangent + end;
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
                           const solvers::FactorSize& size, bool is_redundant) {
  const System& system = m.tree().system();
  const double common = common_evaluation(system),
               assembly = absolute_assembly(system, sparse::kBody),
               factor = sparse::kProduct * size.products, solution = sparse::kEntry * size.entries;
  const double again = is_redundant ? sparse::kRedundant : 1.0;
  StepWork evaluation{common + again * (assembly + factor + solution),
                      (m.exchanges_energy() ? common : 0.0) + recursive_evaluation(m)};
  if (const int n = n_multiplier_forces(system); n > 0) {
    evaluation.absolute *= kIterationsOfFriction;
    evaluation.recursive +=
        (kIterationsOfFriction + n) * (kSweepWithFactors * recursive_evaluation(m) + kForce * n);
  }
  if (integrator == IntegratorKind::bdf) return of_bdf(evaluation, m, system);
  if (integrator == IntegratorKind::runge_kutta)
    return {kStages * evaluation.absolute, kStages * evaluation.recursive};
  const double newton = sparse::kNewtonIterations *
                        (common + absolute_assembly(system, sparse::kResidual) + solution);
  return {again * (newton + kNewMatrices * (assembly + factor)) + common,
          n_iterations(m) * (m.exchanges_energy() ? common : 0.0) +
              recursive_implicit_step(m, system) + common};
}

}  // namespace solidyn::analyses
