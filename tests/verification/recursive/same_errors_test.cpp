// Generalized-alpha has errors of one size in relative and in absolute coordinates where it had
// not: bodies that spin on balls, dampers that are faster than the step. `formulation: automatic`
// counts on it.
#include <gtest/gtest.h>

#include "limit.h"
#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/forces/effort.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using integrators::GeneralizedAlpha;
using integrators::GeneralizedAlphaOptions;
using integrators::RelativeGeneralizedAlpha;
using system::State;
using Maker = std::unique_ptr<system::System> (*)();

// Positions of all bodies' origins after these steps.
template <class Integrator>
Eigen::VectorXd places(const Maker& make, double duration, int n_steps) {
  const auto system = make();
  GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  State state = testing_support::start(*system);
  Integrator integrator(*system, options);
  integrator.initialize(state);
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, duration / n_steps);
    system->accept(state);
  }
  Eigen::VectorXd p(3 * system->bodies().size());
  for (const BodyIndex b : system->bodies())
    p.segment<3>(3 * b.value()) = state.q.segment<3>(system->layout().configuration_offset(b));
  return p;
}

struct Errors {
  double absolute, relative;
};

Errors errors_of(const Maker& make, double duration, int n_steps) {
  constexpr int kFiner = 32;
  const Eigen::VectorXd exact = places<RelativeGeneralizedAlpha>(make, duration, kFiner * n_steps);
  return {(places<GeneralizedAlpha>(make, duration, n_steps) - exact).norm(),
          (places<RelativeGeneralizedAlpha>(make, duration, n_steps) - exact).norm()};
}

// With increments in the axes of the body or without their third term the error is ten to fifteen
// times that of absolute coordinates.
TEST(RelativeGeneralizedAlpha, TurnsASpinningTopAsExactlyAsAbsoluteCoordinates) {
  const Errors errors = errors_of(testing_support::make_heavy_top, 0.2, 200);
  EXPECT_LT(errors.relative, 1.2 * errors.absolute);
  EXPECT_LT(errors.absolute, 0.01);
}

// Two links whose first hinge a spring pulls from rest through a damper that is a thousand times
// faster than the step.
std::unique_ptr<system::System> make_damped_links() {
  auto links = std::make_unique<system::System>();
  links->set_gravity(Vector3d(0, -9.81, 0));
  for (int i = 0; i < 2; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    links->add_body(bodies::make_rigid_body("link", 1.0, Vector3d::Zero(),
                                            Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal()),
                    pose);
    system::add_joint(*links, "joint", joints::JointType::revolute,
                      system::add_frames(*links, i > 0 ? BodyIndex(i - 1) : bodies::kGround,
                                         BodyIndex(i), Vector3d(i, 0, 0)));
  }
  forces::SpringDamper::Options spring;
  spring.stiffness = 1e3;
  spring.damping = 1e4;
  spring.free = 0.5;
  system::add_spring(*links, "spring", bodies::RotationAngle(), spring,
                     system::add_frames(*links, bodies::kGround, BodyIndex(0), Vector3d::Zero()));
  links->finalize();
  return links;
}

// With the velocities that the weights and the spring bring about within the first step.
TEST(RelativeGeneralizedAlpha, BeginsWithoutWhatDampersTakeAtOnce) {
  const Errors errors = errors_of(make_damped_links, 0.01, 10);
  EXPECT_LT(errors.relative, 1.5 * errors.absolute);
  EXPECT_LT(errors.absolute, 1e-5);
}

}  // namespace
}  // namespace solidyn
