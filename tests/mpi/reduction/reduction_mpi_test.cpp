#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "scratch_folder.h"
#include "selections.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/sbody.h"

namespace solidyn::reduction {
namespace {

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::Mesh make_bar(elements::ElementType type = elements::ElementType::tet10) {
  mesh::BoxOptions box;
  box.type = type;
  box.size = {0.2, 0.03, 0.02};
  box.nx = 10;
  box.ny = 3;
  box.nz = 2;
  box.perturbation = 0.15;  // no two frequencies equal, no symmetry that hides a sign
  return mesh::make_box(box);
}

ReductionOptions make_options(mesh::Attachment attach) {
  ReductionOptions options;
  options.free_free = 6;
  options.keep_rigid_modes = true;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min", attach), test::at_set("x_max", attach)};
  options.points = {{"corner", {0.2, 0.03, 0.02}}};
  return options;
}

ReducedBody reduce_on(MPI_Comm comm, mesh::Attachment attach) {
  return reduce(mesh::distribute(comm, base::rank(comm) == 0 ? make_bar() : mesh::Mesh{}), kSteel,
                make_options(attach));
}

class ReductionOnRanks : public testing::TestWithParam<mesh::Attachment> {};
INSTANTIATE_TEST_SUITE_P(Attachments, ReductionOnRanks,
                         testing::Values(mesh::Attachment::rbe3, mesh::Attachment::rbe2,
                                         mesh::Attachment::three_nodes));

// Every rank reduces the same body alone and all of them together.
TEST_P(ReductionOnRanks, AgreesWithOneRank) {
  const ReducedBody together = reduce_on(PETSC_COMM_WORLD, GetParam());
  const ReducedBody alone =
      reduce(mesh::distribute(PETSC_COMM_SELF, make_bar()), kSteel, make_options(GetParam()));
  ASSERT_EQ(together.n_modes(), alone.n_modes());
  for (int i = 6; i < alone.n_modes(); ++i)
    EXPECT_NEAR(together.modes[i].frequency, alone.modes[i].frequency,
                1e-9 * alone.modes[i].frequency);
  EXPECT_NEAR(together.inertia.mass, alone.inertia.mass, 1e-12 * alone.inertia.mass);
  EXPECT_LT((together.inertia.N00 - alone.inertia.N00).norm(), 1e-12 * alone.inertia.N00.norm());
  // Modes have no sign; their products have.
  for (std::size_t i = 0; i < alone.interfaces.size(); ++i) {
    const Eigen::Matrix3d a = alone.interfaces[i].Psi_r * alone.interfaces[i].Psi_t.transpose();
    const Eigen::Matrix3d b =
        together.interfaces[i].Psi_r * together.interfaces[i].Psi_t.transpose();
    EXPECT_LT((a - b).norm(),
              1e-6 * alone.interfaces[i].Psi_r.norm() * alone.interfaces[i].Psi_t.norm());
  }
  EXPECT_LT((together.points[0].Psi.cwiseAbs() - alone.points[0].Psi.cwiseAbs()).norm(),
            1e-6 * alone.points[0].Psi.norm());
}

// Held frames, modes counted, constraint modes and a pattern of pressure: everything that the basis
// can have beside attachment modes.
TEST(ComponentModesOnRanks, AgreeWithOneRank) {
  ReductionOptions options = make_options(mesh::Attachment::rbe3);
  options.free_free = 0;
  options.static_correction = StaticCorrection::none;
  options.constraint_modes = ConstraintModesAt::interfaces;
  options.fixed_interface_up_to = 14000.0;
  LoadPattern pressure;
  pressure.name = "pressure";
  pressure.where = test::in_set("y_max");
  options.static_loads = {pressure};
  const mesh::Mesh bar = make_bar(elements::ElementType::tet4);
  const ReducedBody together = reduce(
      mesh::distribute(PETSC_COMM_WORLD, base::rank(PETSC_COMM_WORLD) == 0 ? bar : mesh::Mesh{}),
      kSteel, options);
  const ReducedBody alone = reduce(mesh::distribute(PETSC_COMM_SELF, bar), kSteel, options);
  ASSERT_EQ(together.n_modes(), alone.n_modes());
  EXPECT_GT(alone.n_modes(), 6 + 6 + 1);
  for (int i = 6; i < alone.n_modes(); ++i)
    EXPECT_NEAR(together.modes[i].frequency, alone.modes[i].frequency,
                1e-8 * alone.modes[i].frequency);
}

TEST(IterativeRouteOnRanks, AgreesWithTheDirectOneOnOneRank) {
  ReductionOptions options;
  options.free_free = 3;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min")};
  const mesh::Mesh bar = make_bar(elements::ElementType::tet4);
  const ReducedBody direct = reduce(mesh::distribute(PETSC_COMM_SELF, bar), kSteel, options);
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_route", "iterative"));
  const ReducedBody iterative = reduce(
      mesh::distribute(PETSC_COMM_WORLD, base::rank(PETSC_COMM_WORLD) == 0 ? bar : mesh::Mesh{}),
      kSteel, options);
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_route"));
  ASSERT_EQ(iterative.n_modes(), direct.n_modes());
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(iterative.modes[i].frequency, direct.modes[i].frequency,
                1e-9 * direct.modes[i].frequency);
}

TEST_P(ReductionOnRanks, GhostRowsEqualTheirOwners) {
  const ReducedBody body = reduce_on(PETSC_COMM_WORLD, GetParam());
  const mesh::DistributedMesh& mesh = body.mesh;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * mesh.n_global_nodes, body.n_modes());
  all.middleRows(3 * mesh.first_owned, 3 * mesh.n_owned) = body.X.topRows(3 * mesh.n_owned);
  base::sum_in_place(PETSC_COMM_WORLD, all.data(), static_cast<int>(all.size()));
  ASSERT_EQ(body.X.rows(), 3 * mesh.n_local());
  for (std::int32_t k = 0; k < mesh.n_local(); ++k)
    EXPECT_EQ(body.X.middleRows(3 * k, 3), all.middleRows(3 * mesh.global[k], 3));
}

ReducedBody reduce_with_stiffening(MPI_Comm comm, mesh::Attachment attach) {
  ReductionOptions options = make_options(attach);
  options.keep_rigid_modes = false;
  options.geometric_stiffening = GeometricStiffening::second_order;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return reduce(mesh::distribute(comm, rank == 0 ? make_bar() : mesh::Mesh{}), kSteel, options);
}

TEST_P(ReductionOnRanks, SecondOrderAgreesWithOneRank) {
  const ReducedBody together = reduce_with_stiffening(PETSC_COMM_WORLD, GetParam());
  const ReducedBody alone = reduce_with_stiffening(PETSC_COMM_SELF, GetParam());
  const Eigen::Index n = alone.n_modes();
  ASSERT_EQ(together.n_modes(), n);
  // Modes have no sign.
  const Eigen::VectorXd sign =
      (together.points[0].Psi.cwiseProduct(alone.points[0].Psi)).colwise().sum().cwiseSign();
  const auto expect_same = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    for (int c = 0; c < 3; ++c) {
      const Eigen::MatrixXd flipped =
          sign.asDiagonal() * a.middleRows(c * n, n) * sign.asDiagonal();
      EXPECT_LT((flipped - b.middleRows(c * n, n)).norm(), 1e-5 * b.norm());
    }
  };
  for (std::size_t i = 0; i < alone.interfaces.size(); ++i) {
    expect_same(together.interfaces[i].Y_t, alone.interfaces[i].Y_t);
    expect_same(together.interfaces[i].Y_r, alone.interfaces[i].Y_r);
  }
  expect_same(together.points[0].Y, alone.points[0].Y);
  double difference = 0.0, size = 0.0;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Matrix3d& C = alone.inertia.C[i * n + j];
      difference += (sign[i] * sign[j] * together.inertia.C[i * n + j] - C).squaredNorm();
      size += C.squaredNorm();
    }
  EXPECT_LT(difference, 1e-10 * size);
}

// What a rank holds of a body, by node number in the mesh file.
std::map<std::int64_t, Eigen::MatrixXd> rows_by_tag(const ReducedBody& body) {
  std::map<std::int64_t, Eigen::MatrixXd> rows;
  for (std::int32_t k = 0; k < body.mesh.n_local(); ++k)
    rows[body.mesh.node_tags[k]] = body.X.middleRows<3>(3 * k);
  return rows;
}

class OtherSolidsOnRanks : public testing::TestWithParam<elements::ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, OtherSolidsOnRanks,
                         testing::Values(elements::ElementType::hex8, elements::ElementType::hex20,
                                         elements::ElementType::wedge6,
                                         elements::ElementType::wedge15,
                                         elements::ElementType::pyramid5,
                                         elements::ElementType::pyramid13),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

TEST_P(OtherSolidsOnRanks, FrequenciesAreThoseOfOneRank) {
  const mesh::Mesh bar = make_bar(GetParam());
  const ReductionOptions options = make_options(mesh::Attachment::rbe3);
  const ReducedBody together = reduce(
      mesh::distribute(PETSC_COMM_WORLD, base::rank(PETSC_COMM_WORLD) == 0 ? bar : mesh::Mesh{}),
      kSteel, options);
  const ReducedBody alone = reduce(mesh::distribute(PETSC_COMM_SELF, bar), kSteel, options);
  ASSERT_EQ(together.n_modes(), alone.n_modes());
  for (int i = 6; i < alone.n_modes(); ++i)
    EXPECT_NEAR(together.modes[i].frequency, alone.modes[i].frequency,
                1e-9 * alone.modes[i].frequency);
  EXPECT_NEAR(together.inertia.mass, 7850.0 * 0.2 * 0.03 * 0.02, 1e-12);
}

TEST(SbodyOnRanks, IsReadOnOtherNumbersOfRanks) {
  const test::ScratchFolder folder;
  const ReducedBody written = reduce_on(PETSC_COMM_WORLD, mesh::Attachment::rbe3);
  write_sbody(folder / "all.sbody", written, {});
  const ReducedBody alone = read_sbody(PETSC_COMM_SELF, folder / "all.sbody");
  ASSERT_EQ(alone.mesh.n_local(), alone.mesh.n_global_nodes);
  const auto all_rows = rows_by_tag(alone);
  for (const auto& [tag, rows] : rows_by_tag(written)) EXPECT_EQ(rows, all_rows.at(tag));
  EXPECT_EQ(alone.K, written.K);

  const bool is_first = base::rank(PETSC_COMM_WORLD) == 0;
  if (is_first) write_sbody(folder / "one.sbody", alone, {});
  MPI_Barrier(PETSC_COMM_WORLD);
  const ReducedBody together = read_sbody(PETSC_COMM_WORLD, folder / "one.sbody");
  EXPECT_EQ(base::sum(PETSC_COMM_WORLD, std::int64_t{together.mesh.n_owned}),
            alone.mesh.n_global_nodes);
  for (const auto& [tag, rows] : rows_by_tag(together)) EXPECT_EQ(rows, all_rows.at(tag));
}

TEST(SbodyOnRanks, EveryRankHearsOfADamagedFile) {
  const test::ScratchFolder folder;
  EXPECT_THROW(read_sbody(PETSC_COMM_WORLD, folder / "missing.sbody"), base::InputError);
  write_sbody(folder / "cut.sbody", reduce_on(PETSC_COMM_WORLD, mesh::Attachment::rbe3), {});
  MPI_Barrier(PETSC_COMM_WORLD);
  if (base::rank(PETSC_COMM_WORLD) == 0) std::filesystem::resize_file(folder / "cut.sbody", 5000);
  MPI_Barrier(PETSC_COMM_WORLD);
  EXPECT_THROW(read_sbody(PETSC_COMM_WORLD, folder / "cut.sbody"), base::InputError);
}

}  // namespace
}  // namespace solidyn::reduction
