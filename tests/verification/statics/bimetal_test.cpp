// Bodies in absolute coordinates that get warm: a bimetal strip against Timoshenko's curvature (J.
// Opt. Soc. Am. 11, 1925), a bar between walls, and a column that buckles between them.
#include <gtest/gtest.h>

#include <cmath>

#include "scoped_petsc_options.h"
#include "selections.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;

constexpr double kLength = 0.1, kHeight = 0.002, kWarmer = 100.0;

fem::Material expanding(double youngs_modulus, double expansion) {
  fem::Material material(youngs_modulus, 0.3, 8000.0);
  material.set_expansion(expansion);
  return material;
}

struct Strip {
  Vector3d end = Vector3d::Zero();           // mean displacement of the end face
  fem::Stress stress = fem::Stress::Zero();  // at a node in the middle
};

// Two layers of 1 mm, one above the other.
Strip warm_strip(fem::SolidFormulation formulation, const fem::Material& lower,
                 const fem::Material& upper, bool is_held_at_both_ends) {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.nx = 20;
  box.ny = 2;
  box.nz = 2;
  box.size = {kLength, 0.004, kHeight};
  mesh::Mesh whole = mesh::make_box(box);
  mesh::ElementBlock& block = whole.blocks[0];
  for (std::int64_t e = 0; e < block.size(); ++e) {
    double mean = 0.0;
    for (int a = 0; a < 8; ++a) mean += whole.x(2, block.connectivity[20 * e + a]) / 8.0;
    block.regions.push_back(mean > 0.5 * kHeight ? 1 : 0);
  }
  bodies::SolidBodyOptions options;
  options.formulation = formulation;
  options.hex20 = fem::Hex20Integration::reduced;
  options.temperature.uniform = kWarmer;
  options.is_anchored = true;
  options.supports = {{"clamp", test::in_set("x_min"), {true, true, true}, {}}};
  if (is_held_at_both_ends)
    options.supports = {{"walls", test::in_set("x_min"), {true, false, false}, {}},
                        {"other", test::in_set("x_max"), {true, false, false}, {}},
                        {"side", test::in_set("y_min"), {false, true, false}, {}},
                        {"floor", test::in_set("z_min"), {false, false, true}, {}}};
  std::vector<fem::Section> sections;
  for (const fem::Material& material : {lower, upper}) {
    sections.push_back({material, fem::Hex8Formulation::standard, fem::Hex20Integration::reduced});
    options.regions.push_back(
        {material, {}, fem::Hex8Formulation::standard, fem::Hex20Integration::reduced});
  }
  system::System system;
  auto body = bodies::SolidBody::make("strip", mesh::distribute(PETSC_COMM_SELF, whole),
                                      fem::Sections(sections), options);
  const mesh::DistributedMesh& mesh = body->mesh();
  const fem::ElasticBody pattern = fem::assemble(mesh, fem::Sections(sections));
  const fem::SolidOperator forces(mesh, pattern,
                                  {formulation,
                                   lower,
                                   {},
                                   options.hex8,
                                   options.hex20,
                                   options.regions,
                                   fem::at_local_nodes(options.temperature, mesh)});
  system.add_body(std::move(body), {});
  system.finalize();
  StaticsOptions statics_options;
  statics_options.load_steps = 1;
  Statics statics(system, statics_options);
  statics.start();
  while (!statics.is_done()) statics.advance();
  const PetscScalar* u = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(statics.state().nodal[0].u, &u));
  const Eigen::Matrix3Xd moves = Eigen::Map<const Eigen::Matrix3Xd>(u, 3, mesh.n_local());
  SOLIDYN_PETSC(VecRestoreArrayRead(statics.state().nodal[0].u, &u));
  Strip strip;
  const std::vector<std::int32_t>& nodes = mesh.sets.at("x_max").nodes;
  for (const std::int32_t node : nodes) strip.end += moves.col(node) / double(nodes.size());
  Eigen::Index middle = 0;
  (mesh.x.colwise() - Vector3d(0.5 * kLength, 0.002, 0.0)).colwise().norm().minCoeff(&middle);
  Eigen::Matrix<double, 6, Eigen::Dynamic> sigma(6, mesh.n_owned);
  forces.compute_nodal_stress(mesh.x + moves, sigma);
  strip.stress = sigma.col(middle);
  return strip;
}

class WarmStrip : public testing::TestWithParam<fem::SolidFormulation> {};
INSTANTIATE_TEST_SUITE_P(Formulations, WarmStrip,
                         testing::Values(fem::SolidFormulation::corotational,
                                         fem::SolidFormulation::st_venant_kirchhoff,
                                         fem::SolidFormulation::neo_hookean));

// kappa = 24 (alpha_1 - alpha_2) dT / (h (14 + n + 1/n)), n = E_1 / E_2; the tip of the arc is at
// (1 - cos kappa L) / kappa. The clamp holds the strip across, over a length like its width.
TEST_P(WarmStrip, OfTwoMetalsBendsToTimoshenkosCurvature) {
  const double n = 1.1 / 1.4;
  const double curvature = 24.0 * (19.0e-6 - 1.2e-6) * kWarmer / (kHeight * (14.0 + n + 1.0 / n));
  const double rise = (1.0 - std::cos(curvature * kLength)) / curvature;
  const Strip strip =
      warm_strip(GetParam(), expanding(1.1e11, 19.0e-6), expanding(1.4e11, 1.2e-6), false);
  EXPECT_NEAR(strip.end.z(), rise, 0.03 * rise);
}

// Between walls a bar cannot grow: sigma = -E alpha dT, free across; strains of 0.2 % tell the
// formulations apart by as much.
TEST_P(WarmStrip, BetweenWallsIsPressedByItsExpansion) {
  const Strip bar =
      warm_strip(GetParam(), expanding(1.1e11, 19.0e-6), expanding(1.1e11, 19.0e-6), true);
  const double expected = -1.1e11 * 19.0e-6 * kWarmer;
  EXPECT_NEAR(bar.stress[0], expected, 0.006 * std::abs(expected));
  for (int k = 1; k < 6; ++k) EXPECT_LT(std::abs(bar.stress[k]), 1e-3 * std::abs(expected)) << k;
}

// Euler's column between two clamps: 4 pi^2 I / (A L^2) of strain about its weak axis, at 526 K.
// Held by supports alone, so that no unknown of the mechanism shows it; on one rank its factor is
// that of a small matrix.
TEST(WarmColumn, IsFoundUnstableAboveEulersTemperature) {
  const auto unstable_equilibria = [](double warmer, StaticsMethod method) {
    mesh::BoxOptions box;
    box.type = elements::ElementType::hex20;
    box.nx = 20;
    box.size = {1.0, 0.05, 0.04};
    bodies::SolidBodyOptions options;
    options.temperature.uniform = warmer;
    options.supports = {{"left", test::in_set("x_min"), {true, true, true}, {}},
                        {"right", test::in_set("x_max"), {true, true, true}, {}}};
    system::System system;
    system.add_body(
        bodies::SolidBody::make("column", mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)),
                                expanding(2.1e11, 1e-5), options),
        {});
    system.finalize();
    StaticsOptions statics_options;
    statics_options.method = method;
    statics_options.load_steps = 1;
    Statics statics(system, statics_options);
    statics.start();
    while (!statics.is_done()) statics.advance();
    return statics.statistics().unstable_equilibria;
  };
  for (const auto method :
       {StaticsMethod::newton, StaticsMethod::automatic, StaticsMethod::relaxation}) {
    EXPECT_EQ(unstable_equilibria(480.0, method), 0);
    EXPECT_GT(unstable_equilibria(570.0, method), 0);
  }
  // Conjugate gradients have no pivots to count; a factor takes their place.
  for (const char* preconditioner : {"mg", "gamg"}) {
    SCOPED_TRACE(preconditioner);
    const test::ScopedPetscOptions options(
        {"-body_ksp_type cg", std::string("-body_pc_type ") + preconditioner});
    EXPECT_EQ(unstable_equilibria(480.0, StaticsMethod::newton), 0);
    EXPECT_GT(unstable_equilibria(570.0, StaticsMethod::newton), 0);
  }
}

}  // namespace
}  // namespace solidyn::analyses
