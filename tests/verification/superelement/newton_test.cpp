// Newton's method with the tangent of superelements, far from the undeformed shape.
#include <gtest/gtest.h>

#include "beam_chain.h"
#include "mechanisms.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::BeamChain;

// A clamped beam of four superelements under a force and a torque in space.
TEST(SuperelementStatics, NewtonConvergesQuadratically) {
  system::System system;
  const BeamChain beam(system, {1e6, 0.8, 1.0, 1.0, 0.01}, 4, Vector3d(0.1, 0.2, 0.3),
                       Vector3d(0.7, 0.9, 0.6), BeamChain::Root::on_ground);
  const auto constant = [](double x, double y, double z) {
    return forces::VectorFunction{math::TimeFunction::constant(x), math::TimeFunction::constant(y),
                                  math::TimeFunction::constant(z)};
  };
  testing_support::add_load(system, "tip", beam.frames.back(), constant(0.4, -0.9, 0.7),
                            constant(0.2, 0.3, -0.4));
  system.finalize();
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  system::State state = system.make_state();
  system::System::TangentOptions options;
  options.coefficients = {0.0, 0.0, 1.0};
  VectorXd r, phi, d, q;
  std::vector<double> increments;
  for (int i = 0; i < 30 && (increments.empty() || increments.back() > 1e-7); ++i) {
    system.update(state);
    system.compute_residual(state, r, phi);
    system.assemble(state, options, *solver);
    solver->factor();
    solver->solve(-r, d);
    if (d.norm() > 0.3) d *= 0.3 / d.norm();  // on the way only
    system.advance(state.q, d, q);
    state.q = q;
    increments.push_back(d.norm());
  }
  ASSERT_LT(increments.back(), 1e-7);
  const std::size_t n = increments.size();
  ASSERT_GE(n, 4u);
  // Measured 1.1e-4, 1.3e-8. log e_(k+1) / log e_k tends to two; a tangent without geometric
  // stiffness gives one.
  EXPECT_GT(std::log(increments[n - 1]) / std::log(increments[n - 2]), 1.8);
  const bodies::FrameMotion& tip = system.kinematics().frames[beam.frames.back()];
  EXPECT_GT((tip.p - Vector3d(0.7, 0.9, 0.6)).norm(), 0.2);  // far from where it started
}

}  // namespace
}  // namespace solidyn
