// Bodies whose lowest modes are far below what smooth fields make of them, and bodies in parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "selections.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/mesh/parts.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {
namespace {

using testing::HasSubstr;

const MPI_Comm kWorld = MPI_COMM_WORLD;
const fem::IsotropicElastic kSpringSteel{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh distributed(const mesh::Mesh& whole, MPI_Comm comm = kWorld) {
  return mesh::distribute(comm, base::rank(comm) == 0 ? whole : mesh::Mesh{});
}

// A straight wire wound to a helix.
mesh::Mesh make_spring() {
  constexpr double kTurns = 5.0, kRadius = 0.02, kWire = 2e-3, kPitch = 6e-3;
  mesh::BoxOptions wire;
  wire.type = elements::ElementType::hex20;
  wire.nx = 100;
  wire.size = {kTurns * 2.0 * M_PI * kRadius, kWire, kWire};
  mesh::Mesh spring = mesh::make_box(wire);
  for (Eigen::Index i = 0; i < spring.x.cols(); ++i) {
    const double angle = spring.x(0, i) / kRadius, r = kRadius + spring.x(2, i),
                 height = kPitch * angle / (2.0 * M_PI) + spring.x(1, i);
    spring.x.col(i) << r * std::cos(angle), r * std::sin(angle), height;
  }
  return spring;
}

// Two boxes beside each other, the second one of half as many elements.
mesh::Mesh make_pair() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex8;
  box.nx = 8;
  box.ny = box.nz = 2;
  box.size = {0.4, 0.1, 0.1};
  mesh::Mesh pair = mesh::make_box(box);
  box.nx = 4;
  box.size[0] = 0.2;
  box.origin = {0.0, 0.3, 0.0};
  const mesh::Mesh other = mesh::make_box(box);
  const auto n = static_cast<std::int32_t>(pair.n_nodes());
  Eigen::Matrix3Xd x(3, n + other.n_nodes());
  x << pair.x, other.x;
  pair.x = x;
  for (const std::int64_t tag : other.node_tags) pair.node_tags.push_back(1000 + tag);
  for (const std::int32_t node : other.blocks[0].connectivity)
    pair.blocks[0].connectivity.push_back(n + node);
  for (const std::int64_t tag : other.blocks[0].tags) pair.blocks[0].tags.push_back(1000 + tag);
  return pair;
}

std::vector<double> frequencies(const ReducedBody& body) {
  std::vector<double> list;
  for (const Mode& mode : body.modes) list.push_back(mode.frequency);
  return list;
}

// The frequencies of a spring, and those that a shift near its lowest one gives.
void expect_as_with_a_near_shift(const ReductionOptions& options) {
  constexpr const char* kNear = "1.7e4";  // rad^2/s^2, a twentieth of the lowest eigenvalue
  const mesh::Mesh spring = make_spring();
  const std::vector<double> found = frequencies(reduce(distributed(spring), kSpringSteel, options));
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_shift", kNear));
  const std::vector<double> wanted =
      frequencies(reduce(distributed(spring), kSpringSteel, options));
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_shift"));
  ASSERT_EQ(found.size(), wanted.size());
  ASSERT_FALSE(found.empty());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6 * wanted[i]);
}

// Smooth fields put the lowest eigenvalue thousands of times too high.
TEST(OddBody, ASpringHasTheModesOfAShiftThatIsNear) {
  ReductionOptions options;
  options.free_free = 6;
  expect_as_with_a_near_shift(options);
}

TEST(OddBody, ASpringHasItsStaticShapesToo) {
  ReductionOptions options;
  options.free_free = 0;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3),
                        test::at_set("x_max", mesh::Attachment::rbe3)};
  expect_as_with_a_near_shift(options);
}

TEST(OddBody, ASpringHasItsModesWithHeldEnds) {
  ReductionOptions options;
  options.free_free = 0;
  options.fixed_interface = 4;
  options.constraint_modes = ConstraintModesAt::interfaces;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3),
                        test::at_set("x_max", mesh::Attachment::rbe3)};
  expect_as_with_a_near_shift(options);
}

TEST(OddBody, InPartsIsRefusedAndTheyAreNamed) {
  ReductionOptions options;
  options.free_free = 4;
  try {
    reduce(distributed(make_pair()), kSpringSteel, options);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr(
            "2 parts: 32 elements around (0.2, 0.05, 0.05) m (such as element 1), 16 elements around (0.1, 0.35, 0.05) m (such as element 1001)"));
    EXPECT_THAT(error.what(), HasSubstr("merge the nodes"));
  }
}

TEST(OddBody, OnePartOrTiedOnesAreWhole) {
  EXPECT_EQ(mesh::find_connected_parts(distributed(make_spring())).size(), 1u);
  const mesh::DistributedMesh pair = distributed(make_pair(), MPI_COMM_SELF);
  EXPECT_EQ(mesh::find_connected_parts(pair).size(), 2u);
  std::int64_t in_first = -1, in_second = -1;
  for (std::int32_t node = 0; node < pair.n_owned; ++node)
    (pair.x(1, node) < 0.2 ? in_first : in_second) = pair.global[node];
  const auto parts = mesh::find_connected_parts(pair, {{in_first, in_second}});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].n_elements, 48);
}

}  // namespace
}  // namespace solidyn::reduction
