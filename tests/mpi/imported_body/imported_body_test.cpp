// A body whose matrices or modes are imported is the body that its mesh gives, on any number of
// ranks.
#include <gtest/gtest.h>

#include "imported_bar.h"
#include "scratch_folder.h"
#include "selections.h"
#include "solidyn/base/mpi.h"
#include "solidyn/reduction/reduce_matrices.h"
#include "solidyn/reduction/reduce_modes.h"
#include "solidyn/reduction/sbody.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using test::kImportedSteel;

mesh::DistributedMesh distribute_bar() {
  const bool has_it = base::rank(PETSC_COMM_WORLD) == 0;
  return mesh::distribute(PETSC_COMM_WORLD, has_it ? test::make_imported_bar() : mesh::Mesh{});
}

// Only rank 0 has read the file.
template <class Make>
auto on_first(const Make& make) {
  return base::rank(PETSC_COMM_WORLD) == 0 ? make() : decltype(make()){};
}

ReductionOptions make_options() {
  ReductionOptions options;
  options.free_free = 5;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3),
                        test::at_set("x_max", mesh::Attachment::three_nodes)};
  options.points = {{"corner", {0.7, -0.17, 0.12}}};
  return options;
}

// Modes have no sign; both bodies have the same nodes.
Eigen::VectorXd signs(const ReducedBody& a, const ReducedBody& b) {
  Eigen::VectorXd products =
      (a.X.cwiseProduct(b.X)).topRows(3 * a.mesh.n_owned).colwise().sum().transpose();
  base::sum_in_place(PETSC_COMM_WORLD, products.data(), static_cast<int>(products.size()));
  return products.cwiseSign();
}

void expect_near(const MatrixXd& a, const MatrixXd& b, double accepted, double scale) {
  EXPECT_LT((a - b).norm(), accepted * scale);
}

void expect_same(const ReducedBody& a, const ReducedBody& b, double accepted) {
  ASSERT_EQ(a.n_modes(), b.n_modes());
  const Index n = a.n_modes();
  const Eigen::VectorXd sign = signs(a, b);
  for (Index i = 0; i < n; ++i) {
    EXPECT_NEAR(a.modes[i].frequency, b.modes[i].frequency, accepted * b.modes[i].frequency);
    EXPECT_EQ(a.modes[i].kind, b.modes[i].kind);
  }
  EXPECT_NEAR(a.inertia.mass, b.inertia.mass, 1e-10 * b.inertia.mass);
  expect_near(a.inertia.first_moment, b.inertia.first_moment, 1e-10, b.inertia.first_moment.norm());
  expect_near(a.inertia.N00, b.inertia.N00, 1e-10, b.inertia.N00.norm());
  double N0 = 0.0, N = 0.0;
  for (const Eigen::Matrix3d& block : b.inertia.N0) N0 = std::max(N0, block.norm());
  for (const Eigen::Matrix3d& block : b.inertia.N) N = std::max(N, block.norm());
  for (Index i = 0; i < n; ++i) {
    expect_near(sign[i] * a.inertia.N0[i], b.inertia.N0[i], accepted, N0);
    for (Index j = 0; j < n; ++j)
      expect_near(sign[i] * sign[j] * a.inertia.N[i * n + j], b.inertia.N[i * n + j], accepted, N);
  }
  ASSERT_EQ(a.interfaces.size(), b.interfaces.size());
  for (std::size_t k = 0; k < a.interfaces.size(); ++k) {
    const ReducedInterface &p = a.interfaces[k], &q = b.interfaces[k];
    expect_near(p.x_B, q.x_B, 1e-12, 1.0);
    expect_near(p.Psi_t * sign.asDiagonal(), q.Psi_t, accepted, q.Psi_t.norm());
    expect_near(p.Psi_r * sign.asDiagonal(), q.Psi_r, accepted, q.Psi_r.norm());
  }
  expect_near(a.points[0].Psi * sign.asDiagonal(), b.points[0].Psi, accepted,
              b.points[0].Psi.norm());
  expect_near(a.amplitude, b.amplitude, accepted, b.amplitude.norm());
}

TEST(ReduceMatrices, GivesTheBodyThatTheMeshGives) {
  ReductionOptions options = make_options();
  options.fixed_interface = 3;
  const ReducedBody expected = reduce(distribute_bar(), kImportedSteel, options);
  const auto model = on_first([] { return test::make_imported_matrices(); });
  expect_same(reduce_matrices(distribute_bar(), model, options), expected, 1e-6);
}

TEST(ReduceMatrices, CountsModesUpToAFrequencyAndChecksItself) {
  ReductionOptions options = make_options();
  options.free_free_up_to = 9000.0;
  options.check = Check::against_mesh;
  const ReducedBody expected = reduce(distribute_bar(), kImportedSteel, options);
  const auto model = on_first([] { return test::make_imported_matrices(); });
  ReductionTimings timings;
  const ReducedBody body = reduce_matrices(distribute_bar(), model, options, &timings);
  EXPECT_EQ(body.n_modes(), expected.n_modes());
  ASSERT_TRUE(timings.check);
  EXPECT_LT(timings.check->static_errors.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(timings.check->mass_error, 1e-12);
  EXPECT_LT(timings.check->inertia_error, 1e-10);
}

TEST(ReduceModes, GiveTheBodyThatTheMeshGives) {
  ReductionOptions options = make_options();
  options.static_correction = StaticCorrection::none;
  const ReducedBody expected = reduce(distribute_bar(), kImportedSteel, options);
  const auto modes =
      on_first([] { return test::make_imported_modes(test::make_imported_matrices(), 14); });
  ModalFit fit;
  const ReducedBody body = reduce_modes(distribute_bar(), modes, kImportedSteel, options, &fit);
  expect_same(body, expected, 1e-6);
  EXPECT_EQ(fit.n_rigid, 6);
  EXPECT_EQ(fit.n_unused, 3);
  EXPECT_LT(fit.orthogonality, 1e-8);
  EXPECT_LT(fit.normalisation, 1e-8);
  EXPECT_LT(fit.rigid_part, 1e-12);
}

// The same mass three ways: elements lumped to nodes, the table of these, and their matrix.
TEST(ReduceModes, TakeMassesOfNodesAndMassMatrices) {
  ReductionOptions options = make_options();
  options.static_correction = StaticCorrection::none;
  options.mass = fem::MassKind::lumped;
  const auto model = on_first([] { return test::make_imported_matrices(fem::MassKind::lumped); });
  const auto modes = on_first([&] { return test::make_imported_modes(model, 11); });
  NodalMasses masses;
  const imported::Matrix& M = model.mass;
  for (std::size_t e = 0; e < M.values.size(); ++e) {
    const imported::Dof& dof = model.dofs[M.rows[e]];
    if (dof.component == 1) masses[dof.node] = M.values[e];
  }
  const ReducedBody expected = reduce(distribute_bar(), kImportedSteel, options);
  expect_same(reduce_modes(distribute_bar(), modes, kImportedSteel, options), expected, 1e-6);
  expect_same(reduce_modes(distribute_bar(), modes, masses, options), expected, 1e-6);
  expect_same(reduce_modes(distribute_bar(), modes, model, options), expected, 1e-6);
}

// Nodes without elements: a superelement's, or those of modal data alone.
TEST(CloudOfNodes, IsABodyAndAFile) {
  const bool has_it = base::rank(PETSC_COMM_WORLD) == 0;
  const auto model = on_first([] { return test::make_imported_matrices(); });
  mesh::Mesh cloud = has_it ? test::make_imported_bar() : mesh::Mesh{};
  cloud.blocks.clear();
  ReductionOptions options = make_options();
  options.interfaces.pop_back();
  const ReducedBody body =
      reduce_matrices(mesh::distribute(PETSC_COMM_WORLD, cloud), model, options);
  const test::DenseModes dense = test::solve_dense(test::make_imported_matrices());
  EXPECT_NEAR(body.modes[0].frequency, std::sqrt(dense.eigenvalues[6]) / 6.283185307179586,
              1e-7 * body.modes[0].frequency);
  const test::ScratchFolder folder(PETSC_COMM_WORLD);
  write_sbody(folder / "cloud.sbody", body, {});
  const ReducedBody read = read_sbody(PETSC_COMM_WORLD, folder / "cloud.sbody");
  EXPECT_EQ(read.mesh.n_global_nodes, body.mesh.n_global_nodes);
  EXPECT_EQ(read.n_modes(), body.n_modes());
  const auto norm2 = [](const ReducedBody& b) {
    return base::sum(PETSC_COMM_WORLD, b.X.topRows(3 * b.mesh.n_owned).squaredNorm());
  };
  EXPECT_NEAR(norm2(read), norm2(body), 1e-12 * norm2(body));
}

}  // namespace
}  // namespace solidyn::reduction
