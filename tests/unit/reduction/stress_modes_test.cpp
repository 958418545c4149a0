#include "solidyn/reduction/stress_modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "scratch_folder.h"
#include "selections.h"
#include "solidyn/fem/stress_recovery.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/sbody.h"
#include "static_solution.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using elements::ElementType;

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_bar(ElementType type) {
  mesh::BoxOptions box;
  box.type = type;
  box.size = {0.2, 0.03, 0.02};
  box.origin = {0.5, -0.2, 0.1};
  box.nx = 8, box.ny = 2, box.nz = 2;
  box.perturbation = 0.15;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

mesh::NodesInBox everywhere() { return {{-1, -1, -1}, {1, 1, 1}}; }

mesh::NodesNear at_corner() { return {{0.71, -0.17, 0.125}}; }

ReductionOptions make_options() {
  ReductionOptions options;
  options.free_free = 3;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min"), test::at_set("x_max")};
  options.stress.places = {{"body", everywhere()}, {"corner", at_corner()}};
  options.stress.pictures = StressInPictures::on_surface;
  return options;
}

class StressModesOf : public testing::TestWithParam<ElementType> {
 protected:
  mesh::DistributedMesh mesh_ = make_bar(GetParam());
  ReductionOptions options_ = make_options();
  fem::ElasticBody full_ = fem::assemble(mesh_, kSteel);
  ReducedBody body_ = reduce(mesh_, kSteel, options_);
};
INSTANTIATE_TEST_SUITE_P(Elements, StressModesOf,
                         testing::Values(ElementType::tet10, ElementType::hex8, ElementType::hex20),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

// Forces and torques on both frames that balance: at the second a wrench, at the first its
// opposite. The full answer holds the body at three nodes without force; rigid motion makes no
// stress.
TEST_P(StressModesOf, InterfaceLoadsGiveTheStressOfAllNodes) {
  const Eigen::SparseMatrix<double> K = test::make_sparse_stiffness(full_);
  std::vector<mesh::Interface> frames;
  for (const auto& definition : options_.interfaces)
    frames.push_back(mesh::resolve_interface(mesh_, definition, full_.lumped_mass));
  std::vector<bool> is_fixed(3 * mesh_.n_local(), false);
  const auto fix = [&](std::int32_t node, std::initializer_list<int> components) {
    for (const int c : components) is_fixed[3 * node + c] = true;
  };
  const auto node_at = [&](const Vector3d& x) {
    return static_cast<std::int32_t>(mesh::nearest_node(mesh_, x).first);
  };
  fix(node_at({0.5, -0.2, 0.1}), {0, 1, 2});
  fix(node_at({0.7, -0.2, 0.1}), {1, 2});
  fix(node_at({0.5, -0.17, 0.1}), {2});

  for (int direction = 0; direction < 6; ++direction) {
    Eigen::Matrix<double, 6, 1> at_second = Eigen::Matrix<double, 6, 1>::Unit(direction);
    Eigen::Matrix<double, 6, 1> at_first = -at_second;
    at_first.tail<3>() -= (frames[1].x_B - frames[0].x_B).cross(Vector3d(at_second.head<3>()));
    VectorXd f = VectorXd::Zero(3 * mesh_.n_local());
    VectorXd w = VectorXd::Zero(body_.n_modes());
    for (int i = 0; i < 2; ++i) {
      const Eigen::Matrix<double, 6, 1> wrench = i == 0 ? at_first : at_second;
      const VectorXd forces = frames[i].weights.transpose() * wrench;
      for (std::size_t k = 0; k < frames[i].nodes.size(); ++k)
        f.segment<3>(3 * frames[i].nodes[k]) += forces.segment<3>(3 * k);
      w += body_.interfaces[i].Psi_t.transpose() * wrench.head<3>() +
           body_.interfaces[i].Psi_r.transpose() * wrench.tail<3>();
    }
    w = body_.K.ldlt().solve(w);
    const VectorXd u = test::solve_static(K, f, is_fixed, VectorXd::Zero(f.size()));
    const MatrixXd expected = fem::StressRecovery(mesh_, kSteel, body_.stress.nodes).compute(u);
    ASSERT_GT(expected.norm(), 1.0);
    EXPECT_LT((body_.stress.S * w - expected.col(0)).norm(), 1e-8 * expected.norm()) << direction;
  }
}

TEST_P(StressModesOf, PlacesHoldTheirNodesInTheOrderOfTheirTags) {
  const StressModes& stress = body_.stress;
  ASSERT_EQ(stress.places.size(), 2u);
  const StressPlace &body = stress.places[0], &corner = stress.places[1];
  ASSERT_EQ(static_cast<std::int64_t>(body.node_tags.size()), mesh_.n_global_nodes);
  EXPECT_TRUE(std::is_sorted(body.node_tags.begin(), body.node_tags.end()));
  ASSERT_EQ(corner.node_tags.size(), 1u);
  EXPECT_LT((corner.x_B.col(0) - Vector3d(0.7, -0.17, 0.12)).norm(), 1e-12);
  EXPECT_EQ(stress.nodes, fem::find_surface_nodes(body_.mesh));
  std::map<std::int64_t, int> column;
  for (std::size_t k = 0; k < body.node_tags.size(); ++k)
    column[body.node_tags[k]] = static_cast<int>(k);
  EXPECT_EQ(corner.S, body.S.middleRows(6 * column.at(corner.node_tags[0]), 6));
  for (std::size_t k = 0; k < stress.nodes.size(); ++k)
    EXPECT_EQ(stress.S.middleRows(6 * k, 6),
              body.S.middleRows(6 * column.at(body_.mesh.node_tags[stress.nodes[k]]), 6));
}

// What the file keeps of elements and of stress.
TEST_P(StressModesOf, AreKeptInTheFile) {
  const test::ScratchFolder folder;
  write_sbody(folder / "bar.sbody", body_, {});
  const ReducedBody read = read_sbody(PETSC_COMM_SELF, folder / "bar.sbody");
  EXPECT_EQ(read.mesh.n_global_elements, body_.mesh.n_global_elements);
  ASSERT_EQ(read.mesh.solids.size(), 1u);
  EXPECT_EQ(read.mesh.solids[0].type, GetParam());
  ASSERT_EQ(read.stress.places.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(read.stress.places[i].name, body_.stress.places[i].name);
    EXPECT_EQ(read.stress.places[i].node_tags, body_.stress.places[i].node_tags);
    EXPECT_EQ(read.stress.places[i].x_B, body_.stress.places[i].x_B);
    EXPECT_EQ(read.stress.places[i].S, body_.stress.places[i].S);
  }
  EXPECT_TRUE(read.stress.is_in_pictures);
  std::map<std::int64_t, int> row;
  for (std::size_t k = 0; k < read.stress.nodes.size(); ++k)
    row[read.mesh.node_tags[read.stress.nodes[k]]] = static_cast<int>(k);
  ASSERT_EQ(row.size(), body_.stress.nodes.size());
  for (std::size_t k = 0; k < body_.stress.nodes.size(); ++k)
    EXPECT_EQ(read.stress.S.middleRows(6 * row.at(body_.mesh.node_tags[body_.stress.nodes[k]]), 6),
              body_.stress.S.middleRows(6 * k, 6));
}

TEST(StressModes, APlaceWithoutNodesIsRefused) {
  ReductionOptions options = make_options();
  options.stress.places[1].nodes = mesh::NodesNear{at_corner().point, 1e-6};
  try {
    reduce(make_bar(ElementType::hex8), kSteel, options);
    FAIL() << "it was accepted";
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("stress place `corner`"), std::string::npos) << e.what();
  }
}

TEST(StressModes, TheCacheKnowsThem) {
  ReductionOptions options = make_options();
  const std::string key = cache_key("", 1.0, kSteel, options);
  options.stress.places[1].nodes = mesh::NodesNear{at_corner().point + Vector3d(0.01, 0, 0)};
  EXPECT_NE(cache_key("", 1.0, kSteel, options), key);
  options = make_options();
  options.stress.pictures = StressInPictures::none;
  EXPECT_NE(cache_key("", 1.0, kSteel, options), key);
}

}  // namespace
}  // namespace solidyn::reduction
