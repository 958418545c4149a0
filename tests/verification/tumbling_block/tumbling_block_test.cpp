// A soft block of finite elements that tumbles in free flight, with strains of some per cent: what
// the steps of generalized-alpha keep of momenta and energy, and their order for positions.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/mesh/generators.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// As soft as jelly: its waves travel at about 12 m/s, its corners at 6 m/s.
const fem::IsotropicElastic kJelly{1.5e5, 0.3, 1000.0};
constexpr double kDuration = 0.06;  // s: a third of a turn

std::unique_ptr<bodies::SolidBody> make_block(elements::ElementType type,
                                              fem::SolidFormulation formulation) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = 3, box.ny = 2, box.nz = 1;
  box.size = {0.3, 0.2, 0.1};  // three different moments of inertia
  box.perturbation = 0.1;
  bodies::SolidBodyOptions options;
  options.formulation = formulation;
  options.mass = fem::MassKind::consistent;
  return bodies::SolidBody::make("block", mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)),
                                 kJelly, options);
}

/// What a flight shows: at the end the positions, on the way the largest changes.
struct Flight {
  VectorXd displacements;                            // m, all nodes at the end
  double linear = 0.0, angular = 0.0, energy = 0.0;  // relative to what they are at the start
  double strain_energy = 0.0;                        // largest, relative to the energy
};

double relative_change(const Vector3d& now, const Vector3d& start) {
  return (now - start).norm() / start.norm();
}

using Case = std::tuple<elements::ElementType, fem::SolidFormulation>;

class TumblingBlock : public testing::TestWithParam<Case> {
 protected:
  TumblingBlock() {
    auto body = make_block(std::get<0>(GetParam()), std::get<1>(GetParam()));
    system::InitialMotion motion;
    motion.p_WB = {0.2, -0.1, 0.3};
    motion.q_WB = Eigen::AngleAxisd(0.7, Vector3d(0.3, -0.7, 0.4).normalized());
    motion.v_WB = {1.0, 2.0, -0.5};
    motion.w_WB_B = {14.0, 30.0, 12.0};  // mostly about the middle axis, which is unstable
    system_.add_body(std::move(body), motion);
    system_.finalize();
  }

  Flight fly(int n_steps, double rho_infinity) {
    system::State state = testing_support::start(system_);
    integrators::GeneralizedAlphaOptions options;
    options.rho_infinity = rho_infinity;
    options.tolerance = 1e-11;
    integrators::GeneralizedAlpha integrator(system_, options);
    integrator.initialize(state);
    const bodies::Momentum start = system_.momentum(state);
    const double energy = testing_support::total_energy(system_, state);
    Flight flight;
    for (int k = 0; k < n_steps; ++k) {
      integrator.step(state, kDuration / n_steps);
      system_.update(state);
      const bodies::Momentum now = system_.momentum(state);
      const bodies::Energy e = system_.energy(state);
      flight.linear = std::max(flight.linear, relative_change(now.linear, start.linear));
      flight.angular = std::max(flight.angular, relative_change(now.angular, start.angular));
      flight.energy = std::max(flight.energy, std::abs(e.kinetic + e.strain - energy) / energy);
      flight.strain_energy = std::max(flight.strain_energy, e.strain / energy);
    }
    PetscInt n = 0;
    const PetscScalar* u = nullptr;
    SOLIDYN_PETSC(VecGetLocalSize(state.nodal[0].u, &n));
    SOLIDYN_PETSC(VecGetArrayRead(state.nodal[0].u, &u));
    flight.displacements = Eigen::Map<const VectorXd>(u, n);
    SOLIDYN_PETSC(VecRestoreArrayRead(state.nodal[0].u, &u));
    return flight;
  }

  system::System system_;
};

double order(double coarse, double fine) { return std::log2(coarse / fine); }

// Linear momentum to round-off, since the masses are constant and inner forces cancel. Angular
// momentum and energy oscillate within bounds of the integrator's order: neither is conserved
// exactly, the energy not even by rho_infinity = 1, because the strains are not small.
TEST_P(TumblingBlock, KeepsMomentaAndEnergyToTheOrderOfTheIntegrator) {
  for (const double rho_infinity : {1.0, 0.8}) {
    const Flight coarse = fly(64, rho_infinity), fine = fly(128, rho_infinity);
    EXPECT_GT(fine.strain_energy, 0.03);
    EXPECT_LT(std::max(coarse.linear, fine.linear), 1e-14);
    EXPECT_LT(fine.angular, 2e-5);
    EXPECT_LT(fine.energy, 1e-4);
    EXPECT_NEAR(order(coarse.angular, fine.angular), 2.0, 0.1) << coarse.angular;
    EXPECT_NEAR(order(coarse.energy, fine.energy), 2.0, 0.1) << coarse.energy;
  }
}

// Where the steps resolve the highest frequency of the mesh, which the sudden start excites.
TEST_P(TumblingBlock, PositionsConvergeAtOrderTwo) {
  const VectorXd reference = fly(16 * 128, 0.8).displacements;
  std::vector<double> errors;
  for (const int refined : {1, 2, 4}) {
    const double difference =
        (fly(refined * 128, 0.8).displacements - reference).lpNorm<Eigen::Infinity>();
    errors.push_back(difference /
                     (1.0 - std::pow(refined / 16.0, 2)));  // the reference has one too
  }
  EXPECT_LT(errors.back(), 1e-5);  // m
  EXPECT_NEAR(order(errors[0], errors[1]), 2.0, 0.1) << testing::PrintToString(errors);
  EXPECT_NEAR(order(errors[1], errors[2]), 2.0, 0.1) << testing::PrintToString(errors);
}

INSTANTIATE_TEST_SUITE_P(
    All, TumblingBlock,
    testing::Combine(testing::Values(elements::ElementType::tet10, elements::ElementType::hex20),
                     testing::Values(fem::SolidFormulation::corotational,
                                     fem::SolidFormulation::st_venant_kirchhoff)));

}  // namespace
}  // namespace solidyn
