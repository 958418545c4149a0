// How generalized-alpha begins.
#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// How much later than the start accelerations are looked at for their rate, in steps.
constexpr double kProbe = 0.01;
// By how much the rate over the whole step may differ from that; else they jump, or vibrate faster
// than steps resolve.
constexpr double kUneven = 0.5;

}  // namespace

// The derivative of the accelerations by time, from a state a little later that the present one
// leads to; zero where that says nothing of the first step.
VectorXd GeneralizedAlpha::acceleration_rate(const State& s, double h) {
  auto solver = solvers::make_linear_solver(options_.preset, system_.n_unknowns());
  system_.set_pattern(*solver);
  system::AccelerationOptions options;
  options.regularization = options_.regularization;
  const auto rate = [&](double dt) {
    State later = s.clone();
    later.t += dt;
    system_.advance(s.q, dt * s.v + 0.5 * dt * dt * s.a, later.q);
    later.v += dt * s.a;
    system::solve_acceleration_equations(system_, later, options, *solver);
    return VectorXd((later.a - s.a) / dt);
  };
  const VectorXd near = rate(kProbe * h), far = rate(h);
  system_.update(s);
  if (weighted_size(near - far) > kUneven * weighted_size(near)) return VectorXd::Zero(s.a.size());
  return near;
}

// A is the acceleration (alpha_m - alpha_f) h later. Begun with a itself, accelerations and
// multipliers of everything that is prescribed are off by order h, and swing for some steps. Nodal
// accelerations begin so.
void GeneralizedAlpha::begin(const State& s, double h) {
  memory_.step = h;
  if (!s.nodal.empty()) return;
  try {
    memory_.acceleration = s.a + (c_.alpha_m - c_.alpha_f) * h * acceleration_rate(s, h);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    system_.update(s);  // the step itself will tell why the motion cannot go on
  }
}

}  // namespace solidyn::integrators
