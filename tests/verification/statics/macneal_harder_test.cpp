// B05: the beams of six elements of MacNeal and Harder (1985) in absolute coordinates, under a
// force so small that they bend as linear ones.
#include <gtest/gtest.h>

#include <cmath>

#include "selections.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;
using math::TimeFunction;

// Inner section planes that lean by 45 degrees in the plane of width and length.
enum class Lean { none, alike, in_turn };

mesh::Mesh make_beam(Lean lean) {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.nx = 6;
  box.ny = 2;  // a row of single elements has motions without energy
  box.size = {6.0, 0.2, 0.1};
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k) {
    const double at = mesh.x(0, k), lever = mesh.x(1, k) - 0.1;
    const auto shift = [&](int plane) {
      if (plane == 0 || plane == 6 || lean == Lean::none) return 0.0;
      return lean == Lean::in_turn && plane % 2 ? -lever : lever;
    };
    // Nodes halfway between two planes move by the mean of these.
    mesh.x(0, k) += 0.5 * (shift(static_cast<int>(std::floor(at + 1e-9))) +
                           shift(static_cast<int>(std::ceil(at - 1e-9))));
  }
  return mesh;
}

// Mean displacement of the nodes at the end under a force on its face, for one newton.
Vector3d tip_flexibility(Lean lean, fem::SolidFormulation formulation, const Vector3d& direction) {
  constexpr double kForce = 1e-5, kArea = 0.2 * 0.1;
  bodies::SolidBodyOptions options;
  options.formulation = formulation;
  options.hex20 = fem::Hex20Integration::reduced;
  options.supports = {{"clamp", test::in_set("x_min"), {true, true, true}, {}}};
  bodies::SolidLoad load;
  load.name = "end";
  load.where = test::in_set("x_max");
  load.kind = bodies::SolidLoad::Kind::traction;
  for (int i = 0; i < 3; ++i)
    load.vector[i] =
        TimeFunction::expression(std::to_string(1e6 * kForce / kArea * direction[i]) + "*1e-6*t");
  options.loads = {load};
  system::System system;
  auto body = bodies::SolidBody::make("beam", mesh::distribute(PETSC_COMM_SELF, make_beam(lean)),
                                      fem::IsotropicElastic{1e7, 0.3, 1.0}, options);
  const mesh::DistributedMesh& mesh = body->mesh();
  system.add_body(std::move(body), {});
  system.finalize();
  StaticsOptions statics_options;
  statics_options.load_steps = 1;
  Statics statics(system, statics_options);
  statics.start();
  while (!statics.is_done()) statics.advance();
  const PetscScalar* u = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(statics.state().nodal[0].u, &u));
  Vector3d sum = Vector3d::Zero();
  const std::vector<std::int32_t>& nodes = mesh.sets.at("x_max").nodes;
  for (std::int32_t node : nodes) sum += Eigen::Map<const Vector3d>(u + 3 * node);
  SOLIDYN_PETSC(VecRestoreArrayRead(statics.state().nodal[0].u, &u));
  return sum / static_cast<double>(nodes.size()) / kForce;
}

class ReducedHex20Beam : public testing::TestWithParam<fem::SolidFormulation> {};
INSTANTIATE_TEST_SUITE_P(Formulations, ReducedHex20Beam,
                         testing::Values(fem::SolidFormulation::corotational,
                                         fem::SolidFormulation::st_venant_kirchhoff,
                                         fem::SolidFormulation::neo_hookean));

// Beam theory 0.1081 and 0.4321; with 27 points trapezoids are 11 % off.
TEST_P(ReducedHex20Beam, IsWithinFivePercentOfBeamTheoryForEveryShape) {
  for (const Lean lean : {Lean::none, Lean::alike, Lean::in_turn}) {
    EXPECT_NEAR(tip_flexibility(lean, GetParam(), Vector3d::UnitY()).y() / 0.1081, 1.0, 0.05)
        << static_cast<int>(lean);
    EXPECT_NEAR(tip_flexibility(lean, GetParam(), Vector3d::UnitZ()).z() / 0.4321, 1.0, 0.05)
        << static_cast<int>(lean);
  }
}

}  // namespace
}  // namespace solidyn::analyses
