#include "solidyn/railway/creep_law.h"

#include <fmt/format.h>

#include <cmath>

#include "creep_formulas.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {

PatchState<double> plain(const CreepState& s) {
  const Creepages& c = s.creepages;
  return {c.longitudinal, c.lateral, c.spin, s.normal_force, s.friction, s.a, s.b};
}

PatchState<CreepDual> with_derivatives(const CreepState& s) {
  const PatchState<double> p = plain(s);
  const auto variable = [](double value, CreepVariable which) {
    return CreepDual::variable(value, which);
  };
  return {variable(p.xi, kLongitudinal), variable(p.eta, kLateral), variable(p.spin, kSpin),
          variable(p.N, kNormalForce),   variable(p.mu, kFriction), variable(p.a, kHalfAxisA),
          variable(p.b, kHalfAxisB)};
}

Eigen::Vector3d plain(const PatchForce<double>& force) { return {force.x, force.y, force.moment}; }

CreepForce with_derivatives(const PatchForce<CreepDual>& force) {
  CreepForce result;
  result.value = {force.x.value, force.y.value, force.moment.value};
  result.by.row(0) = force.x.by.matrix().transpose();
  result.by.row(1) = force.y.by.matrix().transpose();
  result.by.row(2) = force.moment.by.matrix().transpose();
  return result;
}

const std::vector<CreepLaw>& creep_laws() {
  static const std::vector<CreepLaw> laws = {linear_law(), shen_hedrick_elkins_law(), fastsim_law(),
                                             polach_law()};
  return laws;
}

const CreepLaw& creep_law(const std::string& name) {
  std::string names;
  for (const CreepLaw& law : creep_laws()) {
    if (law.name == name) return law;
    names += (names.empty() ? "" : ", ") + std::string(law.name);
  }
  throw base::InputError(fmt::format("unknown creep law `{}`", name), "take one of " + names);
}

// More change nothing in the fourth digit, and take a thousand times as long as 20 x 20.
constexpr int kMostCells = 500;

void check(const CreepParameters& p) {
  std::vector<base::Diagnostic> wrong;
  if (!(p.shear_modulus > 0.0))
    wrong.push_back({{},
                     fmt::format("the shear modulus is {:g} Pa", p.shear_modulus),
                     "give that of the material, for steel 80e9"});
  const auto is_number_of_cells = [](int n) { return n >= 1 && n <= kMostCells; };
  if (!is_number_of_cells(p.cells_along) || !is_number_of_cells(p.cells_across))
    wrong.push_back(
        {{},
         fmt::format("FASTSIM has {} x {} cells", p.cells_along, p.cells_across),
         fmt::format("give 1 to {} in both directions, for example 20 x 20", kMostCells)});
  for (const auto& [name, value] :
       {std::pair<const char*, double>{"adhesion", p.adhesion_reduction},
        {"slip", p.slip_reduction}})
    if (!(value > 0.0 && value <= 1.0))
      wrong.push_back(
          {{},
           fmt::format("Polach's reduction factor of the area of {} is {:g}", name, value),
           "give a factor above 0 and up to 1, which is that of dry rails"});
  if (!wrong.empty()) throw base::InputError(wrong);
}

double FallingFriction::at(double slip) const {
  return start * ((1.0 - ratio) * std::exp(-decrement * slip) + ratio);
}

double FallingFriction::slope(double slip) const {
  return -decrement * start * (1.0 - ratio) * std::exp(-decrement * slip);
}

CreepForce creep_force(const CreepLaw& law, const CreepParameters& parameters,
                       const FallingFriction& friction, CreepState state, double speed) {
  const Creepages& c = state.creepages;
  const double creepage = std::hypot(c.longitudinal, c.lateral), slip = speed * creepage;
  state.friction = friction.at(slip);
  CreepForce force = law.force(state, parameters);
  if (creepage > 0.0) {
    const Eigen::Vector3d by_creepage =
        force.by.col(kFriction) * (friction.slope(slip) * speed / creepage);
    force.by.col(kLongitudinal) += by_creepage * c.longitudinal;
    force.by.col(kLateral) += by_creepage * c.lateral;
  }
  force.by.col(kFriction).setZero();
  return force;
}

}  // namespace solidyn::railway
