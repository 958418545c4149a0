#include "solidyn/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "moving_box.h"
#include "report/drawn_surface.h"
#include "report/moved_surface.h"
#include "report/packing.h"
#include "report/page.h"
#include "report/poses.h"
#include "report/shape_choice.h"
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
  Matrix3Xd positions(double t) const {
    Matrix3Xd x = X;
    for (int i = 0; i < X.cols(); ++i)
      x(2, i) += 0.02 * std::sin(0.3 * t) * X(0, i) * X(0, i) +
                 0.01 * std::cos(0.2 * t) * X(0, i) * X(1, i);
    const Quaterniond q(Eigen::AngleAxisd(0.4 * t, Vector3d(1, 2, 3).normalized()));
    return (q.toRotationMatrix() * x).colwise() + Vector3d(t, 0, -t);
  }
};

// Of velocities the differences of positions over a very short time.
Matrix3Xd velocities_of_plate(const MovingPlate& plate, double t) {
  constexpr double kStep = 1e-5;
  return (plate.positions(t + kStep) - plate.positions(t - kStep)) / (2.0 * kStep);
}

Matrix3Xd sum_of(const ShapeField& field, const Eigen::MatrixXd& coordinates, int t) {
  Matrix3Xd sum = Matrix3Xd::Zero(3, field.n > 0 ? field.shape(0).cols() : 1);
  for (int k = 0; k < field.n; ++k)
    sum += coordinates(field.first + k, t) * field.shape(k).cast<double>();
  return sum;
}

MovingNodes nodes_of(const MovingPlate& plate, int n) {
  MovingNodes nodes;
  nodes.X = plate.X;
  nodes.n_pictures = n;
  nodes.positions = [plate](int t) { return plate.positions(t); };
  nodes.velocities = [plate](int t) { return velocities_of_plate(plate, t); };
  return nodes;
}

TEST(MovedSurface, FindsPositionsAndVelocitiesOfEveryNodeWithinWhatItSays) {
  const MovingPlate plate;
  const int n = 40;
  const MovedSurface found = as_shapes(nodes_of(plate, n), 1e-6);
  const BodyMotion& m = found.motion;
  EXPECT_LE(m.displacement.n, 8);  // two shapes, and what rotations make of them
  EXPECT_LT(m.displacement.residual, 1e-5);
  double worst = 0.0, worst_velocity = 0.0, fastest = 0.0;
  for (int t = 0; t < n; ++t) {
    const Eigen::Matrix3d R = rotation_of(found.pose, t).toRotationMatrix();
    const Vector3d p = origin_of(found.pose, t);
    const Matrix3Xd b = plate.X + sum_of(m.displacement, m.coordinates, t);
    const Matrix3Xd x = plate.positions(t), v = velocities_of_plate(plate, t);
    worst = std::max(worst, (((R * b).colwise() + p) - x).colwise().norm().maxCoeff());
    Matrix3Xd shown = R * sum_of(m.velocity, m.coordinates, t);
    for (int i = 0; i < x.cols(); ++i)
      shown.col(i) += m.v.col(t) + Vector3d(m.w.col(t)).cross(Vector3d(R * b.col(i)));
    worst_velocity = std::max(worst_velocity, (shown - v).colwise().norm().maxCoeff());
    fastest = std::max(fastest, v.colwise().norm().maxCoeff());
  }
  EXPECT_LE(worst, m.displacement.residual + 1e-5);
  EXPECT_LE(worst_velocity, m.velocity.residual + 1e-4 * fastest);
  EXPECT_LE(m.velocity.residual, 2e-3 * fastest);
}

TEST(MovedSurface, ARigidMotionHasNoShapes) {
  const MovingPlate plate;
  MovingNodes nodes;
  nodes.X = plate.X;
  nodes.n_pictures = 10;
  nodes.positions = [&](int t) -> Matrix3Xd {
    const Quaterniond q(Eigen::AngleAxisd(1.5 * t, Vector3d::UnitY()));
    return (q.toRotationMatrix() * plate.X).colwise() + Vector3d(0, t, 0);
  };
  nodes.velocities = [&](int t) -> Matrix3Xd {
    Matrix3Xd v = nodes.positions(t);
    for (int i = 0; i < v.cols(); ++i)
      v.col(i) =
          Vector3d(0, 1.5, 0).cross(Vector3d(v.col(i) - Vector3d(0, t, 0))) + Vector3d::UnitY();
    return v;
  };
  const MovedSurface found = as_shapes(nodes, 1e-9);
  EXPECT_LT(found.motion.displacement.residual, 1e-6);
  EXPECT_LT(found.motion.velocity.residual, 1e-5);
  for (int t = 0; t < nodes.n_pictures; ++t)
    EXPECT_LT((found.motion.w.col(t) - Vector3d(0, 1.5, 0)).norm(), 1e-9);
}

// A shape of small amplitude and high frequency does not matter to positions, but to velocities.
TEST(Shapes, ThatMoveFastAreKeptForVelocities) {
  ShapeField field;
  field.n = 2;
  field.shape = [](int k) -> Eigen::MatrixXf { return Eigen::MatrixXf::Constant(3, 4, 1.0f + k); };
  Eigen::MatrixXd q(2, 3), rates(2, 3);
  q << 1.0, 0.5, -1.0, 1e-9, -1e-9, 0.0;
  rates << 1.0, 0.0, 1.0, 50.0, 0.0, -50.0;
  const Extent extent = extent_of(field, 4);
  EXPECT_NEAR(extent.largest(q), std::sqrt(3.0), 1e-6);
  EXPECT_EQ(choose(extent, {{q, 1e-3}}).kept, (std::vector<int>{0}));
  const Choice both = choose(extent, {{q, 1e-3}, {rates, 1e-1}});
  EXPECT_EQ(both.kept, (std::vector<int>{0, 1}));
  EXPECT_LE(both.bounds[0], 1e-3);
  EXPECT_LE(both.bounds[1], 1e-1);
}

}  // namespace
}  // namespace solidyn::report
