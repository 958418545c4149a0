#include "solidyn/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "moving_box.h"
#include "report/decomposition.h"
#include "report/drawn_surface.h"
#include "report/packing.h"
#include "report/page.h"
#include "solidyn/base/base64.h"
#include "solidyn/elements/edge_order.h"

namespace solidyn::report {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

template <class T>
void expect_to_come_back(const std::vector<T>& values, std::size_t delta) {
  const std::string packed = pack(values.data(), values.size(), sizeof(T), delta);
  const std::vector<std::uint32_t> back = unpack(packed, values.size(), sizeof(T), delta);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &values[i], sizeof(T));
    ASSERT_EQ(back[i], bits) << "element " << i << ", delta " << delta;
  }
}

TEST(Packing, AnyElementsComeBack) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> any(-32768, 32767);
  std::vector<std::int16_t> shorts = {0, -1, 1, 32767, -32768, 32767, 0};
  std::vector<std::uint32_t> words = {0, 0xffffffffu, 1, 0x80000000u, 0x7fffffffu};
  std::vector<float> floats = {0.0f, -0.0f, NAN, INFINITY, 1e-40f, -3.5f};
  std::vector<std::uint8_t> bytes = {0, 255, 1, 128, 127};
  for (int i = 0; i < 1000; ++i) {
    shorts.push_back(static_cast<std::int16_t>(any(random)));
    words.push_back(random());
    floats.push_back(static_cast<float>(std::sin(0.1 * i)));
  }
  for (const std::size_t delta : {0, 1, 2, 3}) {
    expect_to_come_back(shorts, delta);
    expect_to_come_back(words, delta);
    expect_to_come_back(floats, delta);
    expect_to_come_back(bytes, delta);
  }
  expect_to_come_back(std::vector<float>{}, 1);
}

TEST(Packing, SmoothNumbersBecomeFewBytes) {
  std::vector<std::int16_t> smooth;
  smooth.reserve(10000);
  for (int i = 0; i < 10000; ++i)
    smooth.push_back(static_cast<std::int16_t>(std::lround(30000 * std::sin(1e-3 * i))));
  EXPECT_LT(pack(smooth.data(), smooth.size(), 2, 1).size(), smooth.size() / 2);
}

TEST(Packing, Base64IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base::base64(""), "");
  EXPECT_EQ(base::base64("f"), "Zg==");
  EXPECT_EQ(base::base64("fo"), "Zm8=");
  EXPECT_EQ(base::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base::base64("\xff\xfe\xfd"), "//79");
}

TEST(Page, TextIsNeverMarkup) {
  const std::string evil = "</script><b onclick=\"x\">&";
  EXPECT_EQ(escaped(evil), "&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;&amp;");
  const std::string page = make_page(evil, {{evil, "failed", evil, evil, {}, {evil}, {evil}}},
                                     {{"title", evil}}, "", "0;");
  EXPECT_EQ(page.find("<b onclick"), std::string::npos);
  std::size_t n_ends = 0;
  for (std::size_t at = page.find("</script"); at != std::string::npos;
       at = page.find("</script", at + 1))
    ++n_ends;
  EXPECT_EQ(n_ends, 3u);  // of the three elements that we write
}

results::StoredSurface surface_of_box(elements::ElementType type) {
  const mesh::DistributedMesh mesh = test::distributed_box(MPI_COMM_SELF, type);
  results::StoredSurface surface;
  surface.tags = mesh.node_tags;
  surface.positions = mesh.x.cast<float>();
  for (const mesh::ElementBlock& block : mesh.surface) {
    results::StoredSurface::Cells cells{block.type, {}};
    const std::vector<int>& order = elements::around_order(block.type);
    cells.nodes.resize(block.connectivity.size());
    for (std::size_t cell = 0; cell < cells.nodes.size(); cell += order.size())
      for (std::size_t i = 0; i < order.size(); ++i)
        cells.nodes[cell + order[i]] = block.connectivity[cell + i];
    surface.cells.push_back(std::move(cells));
  }
  return surface;
}

// Six times the volume that triangles enclose.
double enclosed(const results::StoredSurface& surface, const DrawnSurface& drawn) {
  double volume = 0.0;
  const auto x = [&](std::size_t i) -> Vector3d {
    return surface.positions.col(drawn.nodes[drawn.triangles[i]]).cast<double>();
  };
  for (std::size_t i = 0; i < drawn.triangles.size(); i += 3)
    volume += x(i).dot(x(i + 1).cross(x(i + 2)));
  return volume;
}

class DrawnSurfaces : public testing::TestWithParam<elements::ElementType> {};

TEST_P(DrawnSurfaces, CloseAroundTheVolumeAndHaveItsTwelveEdges) {
  const results::StoredSurface surface = surface_of_box(GetParam());
  const DrawnSurface drawn = draw_surface(surface);
  std::set<std::int32_t> used(drawn.nodes.begin(), drawn.nodes.end());
  EXPECT_EQ(used.size(), drawn.nodes.size()) << "a node is two vertices";
  const mesh::BoxOptions box;
  EXPECT_NEAR(enclosed(surface, drawn) / 6.0, box.size.prod(), 1e-5 * box.size.prod());
  // Edges of the box: every feature edge runs along one of them.
  double length = 0.0;
  for (std::size_t i = 0; i < drawn.feature_edges.size(); i += 2)
    length += (surface.positions.col(drawn.nodes[drawn.feature_edges[i]]) -
               surface.positions.col(drawn.nodes[drawn.feature_edges[i + 1]]))
                  .norm();
  EXPECT_NEAR(length, 4.0 * box.size.sum(), 1e-4 * length);
}

INSTANTIATE_TEST_SUITE_P(Shapes, DrawnSurfaces,
                         testing::Values(elements::ElementType::tet4, elements::ElementType::tet10,
                                         elements::ElementType::hex8,
                                         elements::ElementType::hex20));

// A plate that turns and bends in two shapes.
struct MovingPlate {
  Matrix3Xd X = Matrix3Xd(3, 500);
  MovingPlate() {
    for (int i = 0; i < X.cols(); ++i) {
      const int row = i / 25;
      X.col(i) = Vector3d(0.05 * (i % 25), 0.1 * row, 0.0);
    }
  }
  Matrix3Xd positions(int t) const {
    Matrix3Xd x = X;
    for (int i = 0; i < X.cols(); ++i)
      x(2, i) += 0.02 * std::sin(0.3 * t) * X(0, i) * X(0, i) +
                 0.01 * std::cos(0.2 * t) * X(0, i) * X(1, i);
    const Quaterniond q(Eigen::AngleAxisd(0.4 * t, Vector3d(1, 2, 3).normalized()));
    return (q.toRotationMatrix() * x).colwise() + Vector3d(t, 0, -t);
  }
};

Matrix3Xd rebuilt(const Decomposition& found, const Matrix3Xd& X, int t) {
  Matrix3Xd x = X;
  for (int k = 0; k < found.coordinates.rows(); ++k)
    x += found.coordinates(k, t) * found.shapes[k].cast<double>();
  const auto pose = found.pose.col(t);
  const Quaterniond q(pose[3], pose[4], pose[5], pose[6]);
  return (q.toRotationMatrix() * x).colwise() + Vector3d(pose.head<3>());
}

TEST(Decomposition, FindsTheMotionOfEveryNodeWithinWhatItSays) {
  const MovingPlate plate;
  const PictureSource pictures{40, [&](int t) { return plate.positions(t); }};
  const Decomposition found = decompose(plate.X, pictures, 1e-6);
  EXPECT_LE(found.coordinates.rows(), 8);  // two shapes, and what rotations make of them
  EXPECT_LT(found.residual, 1e-5);
  double worst = 0.0;
  for (int t = 0; t < pictures.n; ++t)
    worst = std::max(worst,
                     (rebuilt(found, plate.X, t) - plate.positions(t)).colwise().norm().maxCoeff());
  EXPECT_LE(worst, found.residual + 1e-5);
}

TEST(Decomposition, ARigidMotionHasNoShapes) {
  const MovingPlate plate;
  const auto rigid = [&](int t) -> Matrix3Xd {
    const Quaterniond q(Eigen::AngleAxisd(1.5 * t, Vector3d::UnitY()));
    return (q.toRotationMatrix() * plate.X).colwise() + Vector3d(0, t, 0);
  };
  const Decomposition found = decompose(plate.X, {10, rigid}, 1e-9);
  EXPECT_LT(found.residual, 1e-6);
  EXPECT_LE(found.coordinates.cwiseAbs().maxCoeff() *
                (found.shapes.empty() ? 0.0f : found.shapes[0].cwiseAbs().maxCoeff()),
            1e-12);
}

}  // namespace
}  // namespace solidyn::report
