#include "step_couplings.h"

#include <algorithm>

#include "recursive/tangent_products.h"
#include "solidyn/forces/visit_parts.h"

namespace solidyn::analyses {
namespace {

using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using recursive::Link;
using recursive::Mechanism;
using system::System;

// Of a force's stiffness over inertia and the square of the step: it swings within 28 steps.
constexpr double kStiff = 0.05;
// Where one hinge alone turns the two bodies to each other, and the others slide: a matrix stands
// for ten to fifty steps up to here.
constexpr double kStiffByOneTurn = 300.0;

// Bodies that a force acts on. A coordinate of its own is eliminated with it.
std::size_t n_bodies_of(const forces::Force& force) {
  return force.bodies().size() - (force.as_internal_state() ? 1 : 0);
}

bool couples_distant_bodies(const Mechanism& m, const forces::Force& force) {
  if (n_bodies_of(force) < 2) return false;
  const auto& links = m.tree().links();
  const int a = m.tree().index_of(force.bodies()[0]), b = m.tree().index_of(force.bodies()[1]);
  return n_bodies_of(force) > 2 || (links[a].parent != b && links[b].parent != a);
}

// Hinges between two bodies that turn them to each other, and bodies with modes.
int n_turning_between(const Mechanism& m, bodies::BodyIndex first, bodies::BodyIndex second) {
  int a = m.tree().index_of(first), b = m.tree().index_of(second), n = 0;
  while (a != b) {
    int& outer = a > b ? a : b;
    const Link& k = m.tree().links()[outer];
    if (k.n_speeds > k.hinge.n_translations() || k.modes >= 0) ++n;
    outer = k.parent;
  }
  return n;
}

// By displacements of the bodies that a force acts on, with what it damps over the step, and
// without its own coordinate.
struct TangentOfBodies {
  MatrixXd K;
  std::vector<int> at;  // of each body, and the end
};

TangentOfBodies tangent_of(const System& system, const forces::Force& force, double t,
                           double step) {
  TangentOfBodies tangent;
  int n = 0;
  tangent.at.reserve(force.bodies().size() + 1);
  for (const bodies::BodyIndex b : force.bodies()) {
    tangent.at.push_back(n);
    n += system.body(b).n_velocities();
  }
  tangent.at.push_back(n);
  MatrixXd by_rates = MatrixXd::Zero(n, n), by_q = by_rates;
  force.add_tangent(system.kinematics(), t, {0.0, 1.0, 1.0}, by_rates, by_q);
  MatrixXd K = by_q + by_rates / step;
  if (force.as_internal_state() && K(n - 1, n - 1) != 0.0)
    K -= K.col(n - 1) * (K.row(n - 1) / K(n - 1, n - 1)).eval();
  tangent.at.resize(n_bodies_of(force) + 1);
  n = tangent.at.back();
  tangent.K = K.topLeftCorner(n, n);
  return tangent;
}

// The largest, N/m.
double stiffness_of(const System& system, const forces::Force& force, double t, double step) {
  const TangentOfBodies tangent = tangent_of(system, force, t, step);
  double largest = 0.0;
  for (std::size_t i = 0; i < n_bodies_of(force); ++i)
    if (const int at = tangent.at[i]; system.body(force.bodies()[i]).n_rigid() > 0)
      largest = std::max(largest, tangent.K.block<3, 3>(at, at).cwiseAbs().maxCoeff());
  return largest;
}

// As recursive::StepTangent has them, with the axes of each body's place beside its velocities.
void add_coupling(const System& system, const forces::Force& force, double t, double step,
                  Border& border) {
  constexpr int kLeastProducts = 3;
  constexpr double kColumnsOfPlace = 12.0;
  TangentOfBodies tangent = tangent_of(system, force, t, step);
  ArrayXXd far = ArrayXXd::Ones(tangent.K.rows(), tangent.K.cols()),
           first = ArrayXXd::Zero(far.rows(), far.cols());
  for (std::size_t i = 0; i + 1 < tangent.at.size(); ++i) {
    const int at = tangent.at[i], n = tangent.at[i + 1] - at;
    far.block(at, at, n, n).setZero();
    first.middleRows(at, std::min(n, 3)).setOnes();
  }
  const auto n_products = static_cast<int>(recursive::take_products(tangent.K, far, first).size());
  const double n = std::max(kLeastProducts, n_products);
  const double columns =
      static_cast<double>(far.cols()) + kColumnsOfPlace * static_cast<double>(n_bodies_of(force));
  border.unknowns += n;
  border.entries += n * static_cast<double>(far.rows()) * columns;
}

}  // namespace

bool has_stiff_couplings(const Mechanism& m, double t, double step) {
  const System& system = m.tree().system();
  const auto is_stiff = [&](const forces::Force& force) {
    if (!couples_distant_bodies(m, force)) return false;
    const auto& all = force.bodies();
    int n_turning = 0;
    for (std::size_t i = 1; i < n_bodies_of(force); ++i)
      n_turning = std::max(n_turning, n_turning_between(m, all.front(), all[i]));
    if (n_turning == 0) return false;
    const double stiff = n_turning == 1 ? kStiffByOneTurn : kStiff;
    double mass = 0.0;  // of the lightest that has any
    for (const bodies::BodyIndex b : all)
      if (const double own = system.body(b).mass(); own > 0.0)
        mass = mass == 0.0 ? own : std::min(mass, own);
    return mass > 0.0 && stiffness_of(system, force, t, step) * step * step > stiff * mass;
  };
  bool is_found = false;
  const auto look = [&](const forces::Force& force) { is_found = is_found || is_stiff(force); };
  for (const forces::ForceIndex f : system.forces()) forces::visit_parts(system.force(f), look);
  return is_found;
}

Border border_of(const Mechanism& m, const forces::Force& force, double t, double step) {
  const System& system = m.tree().system();
  Border border;
  forces::visit_parts(force, [&](const forces::Force& part) {
    if (couples_distant_bodies(m, part)) add_coupling(system, part, t, step, border);
  });
  return border;
}

}  // namespace solidyn::analyses
