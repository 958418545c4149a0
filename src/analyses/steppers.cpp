#include <cmath>

#include "solidyn/analyses/dynamics.h"

namespace solidyn::analyses {
namespace {

// Fixed steps at the times k h, so that the round-off of a running sum does not move the end.
class FixedStep final : public Stepper {
 public:
  FixedStep(system::System& system, const integrators::GeneralizedAlphaOptions& options, double h)
      : integrator_(system, options), h_(h) {}
  void initialize(const system::State& state) override { integrator_.initialize(state); }
  void step(system::State& state, double t_end) override {
    const double k = std::round(state.t / h_) + 1.0;
    double next = k * h_;
    if (next > t_end - 1e-9 * h_) next = t_end;
    integrator_.step(state, next - state.t);
    state.t = next;
  }
  const integrators::IntegratorStatistics& statistics() const override {
    return integrator_.statistics();
  }
  const char* name() const override { return "generalized_alpha"; }
  integrators::GeneralizedAlpha::Memory* memory() override { return &integrator_.memory(); }

 private:
  integrators::GeneralizedAlpha integrator_;
  double h_;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(system::System& system, const DynamicsOptions& o,
                                      bool is_redundant) {
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = o.rho_infinity;
  options.tolerance = o.tolerance;
  options.max_iterations = o.max_iterations;
  options.preset = o.preset;
  if (is_redundant) options.regularization = system::redundancy_regularization(system);
  return std::make_unique<FixedStep>(system, options, o.step);
}

}  // namespace solidyn::analyses
