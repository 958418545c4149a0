#include "solidyn/elements/topology.h"

#include <gtest/gtest.h>

#include <map>

#include "solidyn/elements/visit_element.h"

namespace solidyn::elements {
namespace {

using Eigen::Vector3d;

class Topology : public testing::TestWithParam<ElementType> {
 protected:
  Eigen::Matrix3Xd nodes() const {
    Eigen::Matrix3Xd x;
    visit_element(GetParam(), [&](auto element) { x = decltype(element)::nodes(); });
    return x;
  }
};
INSTANTIATE_TEST_SUITE_P(Solids, Topology,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(name(info.param)); });

// The vector areas of a closed surface sum to zero, and a third of x . dA is the volume inside.
TEST_P(Topology, FacesCloseAndPointOutwards) {
  const Eigen::Matrix3Xd x = nodes();
  const Vector3d centre = x.rowwise().mean();
  Vector3d sum = Vector3d::Zero();
  for (const Face& face : faces(GetParam())) {
    const Vector3d a = x.col(face.nodes[0]);
    Vector3d area = Vector3d::Zero();
    for (int i = 2; i < n_corners(face.type); ++i)
      area += 0.5 * (x.col(face.nodes[i - 1]) - a).cross(x.col(face.nodes[i]) - a);
    EXPECT_GT(area.dot(a - centre), 0.0);
    sum += area;
  }
  EXPECT_LT(sum.norm(), 1e-15);
}

TEST_P(Topology, MidSideNodesLieBetweenTheirCorners) {
  const Eigen::Matrix3Xd x = nodes();
  for (const Face& face : faces(GetParam())) {
    const int n = n_corners(face.type);
    for (int i = 0; i < n_nodes(face.type) - n; ++i)
      EXPECT_LT(
          (x.col(face.nodes[n + i]) - 0.5 * (x.col(face.nodes[i]) + x.col(face.nodes[(i + 1) % n])))
              .norm(),
          1e-15);
  }
}

TEST_P(Topology, EveryEdgeBelongsToTwoFaces) {
  std::map<std::pair<int, int>, int> count;
  for (const Face& face : faces(GetParam())) {
    const int n = n_corners(face.type);
    for (int i = 0; i < n; ++i) ++count[std::minmax(face.nodes[i], face.nodes[(i + 1) % n])];
  }
  EXPECT_EQ(count.size(), edges(GetParam()).size());
  for (const auto& edge : edges(GetParam()))
    EXPECT_EQ((count[{std::min(edge[0], edge[1]), std::max(edge[0], edge[1])}]), 2);
}

TEST(ElementTypes, ComeInPairsOfOneShape) {
  for (const ElementType linear :
       {ElementType::line2, ElementType::tri3, ElementType::quad4, ElementType::tet4,
        ElementType::hex8, ElementType::wedge6, ElementType::pyramid5}) {
    EXPECT_EQ(linear_of(linear), linear);
    EXPECT_EQ(linear_of(quadratic_of(linear)), linear);
    EXPECT_EQ(dimension(quadratic_of(linear)), dimension(linear));
    EXPECT_EQ(n_corners(quadratic_of(linear)), n_nodes(linear));
  }
}

}  // namespace
}  // namespace solidyn::elements
