// How generalized-alpha begins.
#include "integrators/implicit_stage.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/rigid_part.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// How much later than the start accelerations are looked at for their rate, in steps.
constexpr double kProbe = 0.01;
// By how much the rate over the whole step may differ from that; else they jump.
constexpr double kUneven = 0.5;
// Of accelerations, what the filter may take of those that the step resolves.
constexpr double kResolved = 0.05;
// Of the mechanism's length, what round-off of the positions makes of it.
constexpr double kRoundedPositions = 1e-14;
// Of the velocities of a mesh in absolute coordinates.
constexpr double kDeforms = 0.1;
// By which nothing moves in the first step: no stiff force turns with a body.
constexpr double kAtRest = 1e-6;

}  // namespace

// The derivative of the accelerations by time, of what the step resolves, from a state a little
// later that the present one leads to; zero of islands where that says nothing of the first step.
// Where stiff forces turn with bodies the filter would take their rate too: it is left out of
// islands that have nothing to filter.
// @param a resolved accelerations
VectorXd GeneralizedAlpha::acceleration_rate(const State& s, const VectorXd& a, double h) {
  auto solver = solvers::make_linear_solver(options_.preset, system_.layout().n_unknowns());
  system_.set_pattern(*solver);
  system::AccelerationOptions options;
  options.regularization = stage_->regularization();
  const VectorXd filtered = sizes_of_islands(s.a - a), all = sizes_of_islands(s.a),
                 moved = h * h * sizes_of_islands(a);
  // Stiff elements at rest are as far from equilibrium as their nodes' positions are rounded.
  const auto has_nothing_to_filter = [&](int island) {
    return filtered[island] <= kResolved * all[island] || moved[island] <= kRoundedPositions;
  };
  const auto rate = [&](double dt) {
    State later = s.clone();
    later.t += dt;
    system_.advance(s.q, dt * s.v + 0.5 * dt * dt * a, later.q);
    later.v += dt * a;
    system::solve_acceleration_equations(system_, later, options, *solver);
    const VectorXd whole = (later.a - s.a) / dt;
    // Twice, for the rate of what is faster than the step grows faster than its acceleration.
    VectorXd kept = resolved(s, stage_->solve(), 1, resolved(s, stage_->solve(), 1, whole));
    for (int island = 0; island < system_.connectivity().n_islands(); ++island)
      if (is_held_by_stiff_forces() && has_nothing_to_filter(island))
        copy_island(island, whole, kept);
    return kept;
  };
  VectorXd near = rate(kProbe * h);
  const VectorXd far = rate(h), none = VectorXd::Zero(s.a.size());
  system_.update(s);
  const VectorXd differences = sizes_of_islands(near - far), sizes = sizes_of_islands(near);
  for (int island = 0; island < system_.connectivity().n_islands(); ++island)
    if (!(differences[island] <= kUneven * sizes[island])) copy_island(island, none, near);
  return near;
}

// With exact velocities a step would end beside the exact motion q exp(h v + h^2 a/2 + h^3 a'/6 +
// [v, a] h^3/12) by h^3 times the bracket below. Constraints on position level leave no such error
// of positions, and give it to the velocities, divided by h. Begun without it, multipliers are off
// by order h and swing. This is its part along those constraints (Arnold, Bruls & Cardona 2015).
VectorXd GeneralizedAlpha::velocity_offset(const State& s, const VectorXd& rate, double h) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  VectorXd bracket = (1.0 / 6.0 - c_.beta - 0.5 * (c_.alpha_m - c_.alpha_f)) * rate;
  const VectorXd rates = sizes_of_islands(rate);
  for (const bodies::BodyIndex b : system_.bodies()) {
    if (system_.body(b).n_rigid() == 0 || rates[system_.connectivity().island_of_body(b)] == 0.0)
      continue;
    const int at = system_.layout().velocity_offset(b) + 3;
    bracket.segment<3>(at) += s.v.segment<3>(at).cross(s.a.segment<3>(at)) / 12.0;
  }
  VectorXd along, x, rhs = VectorXd::Zero(n_v + n_l);
  system_.compute_residual(s, stage_->r, stage_->phi);  // G is that of `s` again
  system_.multiply_G(bracket, along);
  for (int i = 0; i < n_l; ++i)
    if (!system_.layout().is_velocity_level()[i]) rhs[n_v + i] = h * h * along[i];
  auto solver = solvers::make_linear_solver(options_.preset, system_.layout().n_unknowns());
  system_.set_pattern(*solver);
  system::System::TangentOptions mass_only;
  mass_only.coefficients = {1.0, 0.0, 0.0};
  mass_only.regularization = stage_->regularization();
  system_.assemble(s, mass_only, *solver);
  solver->factor();
  solver->solve(rhs, x);
  return x.head(n_v);
}

// Meshes in absolute coordinates: what the step resolves of the accelerations, beside those of a
// rigid rotation, which are resolved whatever stiffness it takes to hold it together. Where a mesh
// deforms while it turns, these do not say enough.
void GeneralizedAlpha::filter_about_rotation(const State& s, double h) {
  if (system::deforming_part(system_, s) > kDeforms) return;
  State rotation = s.clone();
  rotation.a.setZero();
  for (bodies::NodalState& n : rotation.nodal) SOLIDYN_PETSC(VecZeroEntries(n.ddu));
  system::set_centripetal_of_meshes(system_, rotation);
  const auto add = [&](Memory& memory, double sign) {
    memory.acceleration += sign * rotation.a;
    for (std::size_t k = 0; k < rotation.nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPY(memory.nodal[k], sign, rotation.nodal[k].ddu));
  };
  prepare_filter(s, h);
  Memory target = copy_of_memory();
  add(target, -1.0);
  filter(s, stage_->solve(), 1.0 / stage_->row_scale(), kFilterTerms, target);
  add(target, 1.0);
  memory_ = std::move(target);
}

// A is the acceleration (alpha_m - alpha_f) h later. Begun with a itself, accelerations and
// multipliers of everything that is prescribed are off by order h, and swing for some steps. Nodal
// accelerations begin so.
void GeneralizedAlpha::begin(State& s, double h) {
  memory_.step = h;
  memory_.acceleration = s.a;
  for (std::size_t k = 0; k < s.nodal.size(); ++k)
    SOLIDYN_PETSC(VecCopy(s.nodal[k].ddu, memory_.nodal[k]));
  try {
    if (s.nodal.empty()) drop_unresolved_velocities(s, h);
    memory_.acceleration = s.a;
    if (filters()) {
      drop_unresolved_accelerations(s, h);
    } else if ((has_absolute_meshes_ && !is_held_by_stiff_forces()) ||
               h * stage_->velocity_size(s) <= kAtRest) {
      filter_about_rotation(s, h);
    }
    if (!s.nodal.empty() || contacts_) return;  // forces of contacts have no rate that is known
    const VectorXd rate = acceleration_rate(s, memory_.acceleration, h);
    if (rate.isZero(0.0)) return;
    memory_.acceleration += (c_.alpha_m - c_.alpha_f) * h * rate;
    if (system_.layout().n_constraints() > 0) first_offset_ = velocity_offset(s, rate, h);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    system_.update(s);  // the step itself will report why the motion cannot continue
  }
}

}  // namespace solidyn::integrators
