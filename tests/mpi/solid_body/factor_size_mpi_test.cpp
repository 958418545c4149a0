#include <gtest/gtest.h>

#include "bodies/factor_size.h"
#include "reduction/eigen/route.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::bodies {
namespace {

ElementGraph make_chain(int n_links) {
  ElementGraph graph;
  graph.n_vertices = n_links + 1;
  for (int k = 0; k < n_links; ++k) {
    graph.vertices.insert(graph.vertices.end(), {k, k + 1});
    graph.start.push_back(2 * (k + 1));
  }
  return graph;
}

// A chain fills nothing where ends go first; METIS may leave some links in the middle.
TEST(FactorSize, OfAChainIsThatOfItsLinksAlmost) {
  const double without_fill = 1000 + 999, n_entries = count_factor_entries(make_chain(999));
  EXPECT_GE(n_entries, without_fill);
  EXPECT_LE(n_entries, 1.5 * without_fill);
}

TEST(FactorSize, CountsNodesInTheMiddleWithTheEndThatGoesFirst) {
  // A dense triangle of two corners, and of these and the middle between them.
  ElementGraph edge = make_chain(1);
  EXPECT_DOUBLE_EQ(count_factor_entries(edge), 3);
  edge.edges = {{0, 1}};
  EXPECT_DOUBLE_EQ(count_factor_entries(edge), 6);
  // Leaves around one fill nothing: each goes first with its middle, or it is the last.
  ElementGraph star = make_chain(0);
  star.n_vertices = 5;
  for (int leaf = 1; leaf < 5; ++leaf) {
    star.vertices.insert(star.vertices.end(), {0, leaf});
    star.start.push_back(2 * leaf);
  }
  EXPECT_DOUBLE_EQ(count_factor_entries(star), 5 + 4);
  for (int leaf = 1; leaf < 5; ++leaf) star.edges.push_back({0, leaf});
  EXPECT_DOUBLE_EQ(count_factor_entries(star), 4 * (3 + 2) + 1);
}

struct Shape {
  mesh::ElementType type;
  int nx, ny, nz;
};
void PrintTo(const Shape& s, std::ostream* out) {
  *out << elements::name(s.type) << " " << s.nx << " x " << s.ny << " x " << s.nz;
}

class FactorSizeOf : public testing::TestWithParam<Shape> {};

// CHOLMOD's count of the whole graph, each with a nested dissection of its own.
TEST_P(FactorSizeOf, IsThatOfCholmodsAnalysis) {
  mesh::BoxOptions box;
  box.type = GetParam().type;
  box.nx = GetParam().nx;
  box.ny = GetParam().ny;
  box.nz = GetParam().nz;
  box.size = {0.1 * box.nx, 0.1 * box.ny, 0.1 * box.nz};
  const auto distribute = [&](MPI_Comm comm) {
    return mesh::distribute(comm, base::rank(comm) == 0 ? mesh::make_box(box) : mesh::Mesh{});
  };
  const mesh::DistributedMesh mesh = distribute(PETSC_COMM_SELF);
  const fem::IsotropicElastic steel{2.1e11, 0.3, 7850.0};
  const double counted =
                   reduction::predict_factor_bytes(fem::assemble(mesh, fem::Sections(steel)), 0.0),
               predicted = predict_factor_bytes(mesh, 0.0);
  EXPECT_GT(predicted, 0.95 * counted);
  EXPECT_LT(predicted, 1.35 * counted);
  // What is clearly enough for a cube is enough for it.
  const double bound = predict_factor_bytes(mesh, 1e15);
  EXPECT_GT(bound, counted);
  EXPECT_EQ(bound,
            reduction::predict_factor_bytes(fem::assemble(mesh, fem::Sections(steel)), 1e15));

  const mesh::DistributedMesh shared = distribute(PETSC_COMM_WORLD);
  const double ranks = predict_factor_bytes(shared, 1e15) / bound;
  EXPECT_NEAR(predict_factor_bytes(shared, 0.0), ranks * predicted, 0.15 * ranks * predicted);
}

INSTANTIATE_TEST_SUITE_P(Meshes, FactorSizeOf,
                         testing::Values(Shape{mesh::ElementType::tet10, 8, 8, 8},
                                         Shape{mesh::ElementType::tet10, 40, 4, 4},
                                         Shape{mesh::ElementType::hex20, 8, 8, 8},
                                         Shape{mesh::ElementType::hex20, 20, 20, 2},
                                         Shape{mesh::ElementType::wedge15, 7, 7, 7},
                                         Shape{mesh::ElementType::hex8, 12, 12, 12},
                                         Shape{mesh::ElementType::tet4, 10, 10, 10}),
                         [](const testing::TestParamInfo<Shape>& info) {
                           return std::string(elements::name(info.param.type)) + "_" +
                                  std::to_string(info.index);
                         });

}  // namespace
}  // namespace solidyn::bodies
