// Point masses of a mesh file: at nodes, and on the frames of rigid elements and nodes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foreign_bar.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/scales.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::kBarReference;
using test::kBarVolume;
using test::make_bar_with_wheel;
using test::make_foreign_bar;
using testing::HasSubstr;

constexpr double kMassOfElements = (7850.0 + 2700.0) * 0.5e-9 * kBarVolume;

class ForeignMass : public testing::Test {
 protected:
  std::string message_of(const imported::SolidModel& bar, const std::string& keys = "") {
    files_.write(bar);
    return files_.message_of(files_.modal(keys));
  }
  reduction::ReducedBody reduced(const imported::SolidModel& bar) {
    files_.write_bulk(bar);
    return files_.reduced(files_.modal("", "", "bar.bdf"));
  }
  double frequency(const imported::SolidModel& bar, int mode = 0) {
    return reduced(bar).modes[mode].frequency;
  }
  test::ForeignBarFiles files_;
};

Matrix3d inertia_about_origin(const reduction::InertiaInvariants& i) {
  return i.N00.trace() * Matrix3d::Identity() - i.N00;
}

TEST_F(ForeignMass, OffItsNodeHasExactMassCentreAndInertia) {
  imported::SolidModel bare = make_bar_with_wheel(), with = bare;
  bare.masses.clear();
  with.masses[0].offset = {5.0, -8.0, 2.0};
  for (const auto kind : {imported::RigidElement::Kind::rbe2, imported::RigidElement::Kind::rbe3}) {
    bare.rigid_elements[0].kind = with.rigid_elements[0].kind = kind;
    const reduction::InertiaInvariants a = reduced(bare).inertia, b = reduced(with).inertia;
    const Vector3d x(0.070, 0.002, 0.007);
    EXPECT_NEAR(b.mass, a.mass + 0.04, 1e-12 * b.mass);
    EXPECT_LT((b.first_moment - a.first_moment - 0.04 * x).norm(), 1e-12);
    Matrix3d J = -0.04 * math::skew(x) * math::skew(x);
    J(0, 0) += 2e-5;
    EXPECT_LT((inertia_about_origin(b) - inertia_about_origin(a) - J).norm(), 1e-9 * J.norm());
  }
}

TEST_F(ForeignMass, AtANodeIsThatNodesMass) {
  imported::SolidModel bar = make_foreign_bar();
  bar.masses[0].node = bar.mesh.node_tags[0];
  const reduction::InertiaInvariants inertia = reduced(bar).inertia;
  EXPECT_NEAR(inertia.mass, kMassOfElements + 0.01, 1e-12);
  const Vector3d expected(
      0.015 * 7850.0 * 0.5e-9 * kBarVolume + 0.045 * 2700.0 * 0.5e-9 * kBarVolume,
      0.01 * kMassOfElements, 0.005 * kMassOfElements);
  EXPECT_LT((inertia.first_moment - expected - 0.01 * 1e-3 * bar.mesh.x.col(0)).norm(), 1e-12);
}

// The wheel turns with the end's mean rotation, whatever the size of the elements there.
TEST_F(ForeignMass, FrequenciesConvergeAsTheMeshIsRefined) {
  for (const auto kind : {imported::RigidElement::Kind::rbe2, imported::RigidElement::Kind::rbe3})
    for (const int mode : {0, 1, 2}) {
      const auto of = [&](int n) {
        imported::SolidModel bar = make_bar_with_wheel(n);
        bar.rigid_elements[0].kind = kind;
        bar.masses[0].offset = {15.0, 0.0, 5.0};
        return frequency(bar, mode);
      };
      const double coarse = of(8), fine = of(12);
      EXPECT_NEAR(fine, coarse, 0.015 * coarse) << mode;  // the file's weights are per node
    }
}

TEST_F(ForeignMass, OfAFlywheelCountsThoughItsInertiaIsThatOfNoSolid) {
  imported::SolidModel bar = make_bar_with_wheel();
  bar.masses[0].mass = 0.0;
  imported::SolidModel bare = bar;
  bare.masses.clear();
  const auto lowest_torsion = [&](const imported::SolidModel& model) {
    const reduction::ReducedBody body = reduced(model);
    double lowest = 1e9;
    for (int i = 0; i < body.n_modes(); ++i)
      if (std::abs(body.interfaces[0].Psi_r(0, i)) > 100.0 * body.interfaces[0].Psi_t.col(i).norm())
        lowest = std::min(lowest, body.modes[i].frequency);
    return lowest;
  };
  EXPECT_LT(lowest_torsion(bar), 0.75 * lowest_torsion(bare));
}

TEST_F(ForeignMass, OffABareNodeTurnsWithTheElementsAroundIt) {
  imported::SolidModel bar = make_foreign_bar();
  bar.rigid_elements.clear();
  bar.loose_nodes.clear();
  bar.masses[0].node = bar.mesh.node_tags[bar.mesh.sets.at("x_max").nodes[0]];
  const double at_node = frequency(bar);
  bar.masses[0].offset = {20.0, 0.0, 0.0};
  EXPECT_LT(frequency(bar), 0.95 * at_node);
}

TEST_F(ForeignMass, RidesOnTheInterfaceThatTakesThePlaceOfItsRigidElement) {
  files_.write(make_bar_with_wheel());
  const auto of = [&](const std::string& keys) {
    const reduction::ReducedBody body = files_.reduced(files_.modal(keys));
    EXPECT_EQ(body.interfaces.size(), 1u);
    return body.modes[0].frequency;
  };
  const double own =
      of(", interfaces: {END: {nodes: {near: [0.06, 0.01, 0.005], radius: 0.0075}}}");
  const double of_file = of("");
  EXPECT_GT(std::abs(own - of_file), 1e-3 * of_file);  // the middle of the end turns otherwise
}

TEST_F(ForeignMass, LumpedMassMatrixTakesItToo) {
  files_.write(make_bar_with_wheel());
  const reduction::InertiaInvariants inertia =
      files_.reduced(files_.modal(", mass_matrix: lumped")).inertia;
  EXPECT_NEAR(inertia.mass, kMassOfElements + 0.04, 1e-12);
}

TEST_F(ForeignMass, CountsInTheTotalOfEveryFlexibleBody) {
  files_.write(make_bar_with_wheel());
  for (const char* type :
       {"modal, modes: {free_free: 4}", "floating_frame", "corotational", "inertial"}) {
    const auto built = build(
        PETSC_COMM_SELF,
        files_.of_body(fmt::format("{{type: {}, mesh: bar.inp, mesh_units: tonne-mm-s}}", type)),
        {""});
    EXPECT_NEAR(total_mass(built->system), kMassOfElements + 0.04, 1e-11) << type;
  }
}

// In flight without deformation: of rigid motions the inertia about the body's origin knows all.
TEST_F(ForeignMass, IsInItsBodysEnergies) {
  imported::SolidModel bar = make_bar_with_wheel();
  files_.write(bar);
  const reduction::InertiaInvariants whole = files_.reduced(files_.modal()).inertia;
  const Vector3d v(3.0, -1.0, 2.0), w(5.0, 40.0, -20.0), p(0.1, 0.2, 0.3), g(1.0, 2.0, -9.0);
  const double kinetic = 0.5 * whole.mass * v.squaredNorm() + v.dot(w.cross(whole.first_moment)) +
                         0.5 * w.dot(inertia_about_origin(whole) * w);
  const double potential = -g.dot(whole.mass * p + whole.first_moment);
  for (const char* type :
       {"modal, modes: {free_free: 4}", "floating_frame", "corotational", "inertial"}) {
    const auto built = build(
        PETSC_COMM_SELF,
        files_.of_body(
            fmt::format(
                "{{type: {}, mesh: bar.inp, mesh_units: tonne-mm-s, mass_matrix: consistent, pose: {{position: [0.1, 0.2, 0.3]}}, velocity: {{linear: [3, -1, 2], angular: [5, 40, -20]}}}}",
                type),
            "gravity: [1, 2, -9]\n"
            "sensors:\n"
            "  kinetic: {type: energy, body: bar, kind: kinetic}\n"
            "  potential: {type: energy, body: bar, kind: potential}\n"),
        {""});
    const system::State state = built->system.make_state();
    built->system.update(state);
    double values[2];
    for (int i : {0, 1}) built->sensors[i].read({built->system, state}, &values[i]);
    EXPECT_NEAR(values[0], kinetic, 1e-9 * kinetic) << type;
    EXPECT_NEAR(values[1], potential, 1e-9 * std::abs(potential)) << type;
  }
}

TEST_F(ForeignMass, ThatNothingFixesIsRefused) {
  imported::SolidModel bar = make_foreign_bar();
  bar.rigid_elements.clear();
  EXPECT_THAT(message_of(bar), HasSubstr("which is on no solid and in no rigid element"));
}

TEST_F(ForeignMass, OnAnUnknownNodeIsRefused) {
  imported::SolidModel bar = make_foreign_bar();
  bar.masses[0].node = 77777;
  const std::string message = message_of(bar);
  EXPECT_THAT(message, HasSubstr("bar.inp"));
  EXPECT_THAT(message, HasSubstr("77777"));
}

TEST_F(ForeignMass, OnARigidElementThatMakesNoFrameIsRefused) {
  imported::SolidModel bar = make_bar_with_wheel();
  bar.rigid_elements[0].nodes.resize(2);
  bar.rigid_elements[0].weights.resize(2);
  const std::string message = message_of(bar);
  EXPECT_THAT(message, HasSubstr("which only END constrains, which has fewer than three nodes"));
}

TEST_F(ForeignMass, WithANegativeMomentOfInertiaIsRefused) {
  imported::SolidModel bar = make_bar_with_wheel();
  bar.masses[0].inertia(0, 1) = bar.masses[0].inertia(1, 0) = 1e-2;
  EXPECT_THAT(message_of(bar), HasSubstr("principal moments of inertia -"));
}

TEST_F(ForeignMass, NeedsASetOfUnits) {
  const std::string steel =
      "materials:\n  steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}\n";
  files_.write(make_foreign_bar());
  const std::string message = files_.message_of(files_.of_body(
      "{type: modal, mesh: bar.inp, mesh_units: mm, material: steel, modes: {free_free: 4}}",
      steel));
  EXPECT_THAT(message, HasSubstr("1 point masses"));
  EXPECT_THAT(message, HasSubstr("mesh_units: tonne-mm-s"));
}

}  // namespace
}  // namespace solidyn::model
