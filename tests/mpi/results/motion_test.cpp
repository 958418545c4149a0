#include "solidyn/results/motion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "moving_box.h"
#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/mpi.h"
#include "solidyn/results/read_motion.h"

// Every expected number is that of the whole mesh, hence the same on any number of ranks.
namespace solidyn::results {
namespace {

const MPI_Comm kMotionComm = MPI_COMM_WORLD;

// A rigid body and a box with two shapes; a frame that moves by itself, and a force.
class Motion : public testing::Test {
 protected:
  Motion() : mesh_(test::distributed_box(kMotionComm)) {
    scene_.title = "a <box> & \"more\"";
    scene_.bodies.resize(2);
    scene_.bodies[0].name = "wheel";
    scene_.bodies[0].primitive = MotionPrimitive{"sphere", {0.5}};
    scene_.bodies[1].name = "box";
    scene_.bodies[1].n_coordinates = 2;
    scene_.frames = {{"pin", 0, {1, 2, 3}}, {"pin", MotionFrame::kItself}};
    scene_.joints = {{"pin", "spherical", "all rotations", {0, 1}}};
    scene_.symbols = {{"spring", "force", {0, 1}, true}, {"floor", "contact", {}, true, "N", true}};
    scene_.has_velocities = true;
  }

  std::vector<MotionSurface> surfaces() const {
    MotionSurface surface;
    surface.body = 1;
    surface.part = make_field_part("box", mesh_, MeshPicture::surface);
    surface.positions = mesh_.x.leftCols(mesh_.n_owned);
    surface.shape = [this](int k) { return numbers(3, k); };
    surface.stress_shape = [this](int k) { return numbers(6, k); };
    return {surface};
  }
  // What component c of shape k is at a node, of its tag alone.
  static double number(std::int64_t tag, int k, int c) {
    return static_cast<double>(100 * tag + 10 * k + c);
  }
  Eigen::MatrixXd numbers(int n, int k) const {
    Eigen::MatrixXd values(n, mesh_.n_owned);
    for (int i = 0; i < mesh_.n_owned; ++i)
      for (int c = 0; c < n; ++c) values(c, i) = number(mesh_.node_tags[i], k, c);
    return values;
  }
  std::vector<double> row(double t) const {
    std::vector<double> row(scene_.row_length());
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = t + static_cast<double>(i);
    return row;
  }
  MotionWriter make_writer(std::int64_t n, std::optional<double> resume_at = {}) const {
    return MotionWriter(kMotionComm, path_, scene_, surfaces(), n, resume_at);
  }
  void expect_pictures(const std::vector<double>& times) const {
    MPI_Barrier(kMotionComm);
    const MotionFile file(path_);
    ASSERT_EQ(file.times(), times);
    for (std::size_t k = 0; k < times.size(); ++k) {
      const std::vector<double> wanted = row(times[k]);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_EQ(file.rows()(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)),
                  wanted[i]);
    }
    MPI_Barrier(kMotionComm);
  }

  mesh::DistributedMesh mesh_;
  MotionScene scene_;
  test::ScratchFolder folder_;
  const std::string path_ = folder_ / "motion.h5";
};

TEST_F(Motion, IsReadAsItWasWritten) {
  MotionWriter writer = make_writer(3);
  writer.write(0.0, row(0.0));
  writer.write(0.5, row(0.5));
  expect_pictures({0.0, 0.5});
  const MotionFile file(path_);
  EXPECT_EQ(file.scene().to_json(), scene_.to_json());
  EXPECT_FALSE(file.has_surface(0));
  ASSERT_TRUE(file.has_surface(1));
  const StoredSurface surface = file.surface(1);
  ASSERT_EQ(surface.cells.size(), 1u);
  EXPECT_EQ(surface.cells[0].shape, elements::ElementType::tri6);
  EXPECT_TRUE(surface.has_stress);
  EXPECT_TRUE(std::is_sorted(surface.tags.begin(), surface.tags.end()));
  const mesh::Mesh whole = test::moving_box();
  for (std::int64_t i = 0; i < whole.n_nodes(); ++i) {
    const auto at = std::find(surface.tags.begin(), surface.tags.end(), whole.node_tags[i]);
    if (at != surface.tags.end())
      EXPECT_EQ(surface.positions.col(at - surface.tags.begin()),
                Eigen::Vector3f(whole.x.col(i).cast<float>()));
  }
  for (int k = 0; k < 2; ++k) {
    const Eigen::Matrix3Xf S = file.shape(1, k);
    const auto sigma = file.stress_shape(1, k);
    for (std::size_t i = 0; i < surface.tags.size(); ++i) {
      EXPECT_EQ(S(2, static_cast<Eigen::Index>(i)),
                static_cast<float>(number(surface.tags[i], k, 2)));
      EXPECT_EQ(sigma(5, static_cast<Eigen::Index>(i)),
                static_cast<float>(number(surface.tags[i], k, 5)));
    }
  }
}

TEST_F(Motion, GoesOnAfterTheLastPictureThatIsNotLater) {
  {
    MotionWriter writer = make_writer(4);
    for (const double t : {0.0, 1.0, 2.0, 3.0}) writer.write(t, row(t));
  }
  MotionWriter writer = make_writer(4, 1.5);
  EXPECT_EQ(writer.n_written(), 2);
  writer.write(1.75, row(1.75));
  expect_pictures({0.0, 1.0, 1.75});
}

TEST_F(Motion, GrowsBeyondThePlan) {
  MotionWriter writer = make_writer(1);
  for (const double t : {0.0, 1.0, 2.0}) writer.write(t, row(t));
  expect_pictures({0.0, 1.0, 2.0});
}

TEST_F(Motion, OfOtherBodiesIsNotContinued) {
  { make_writer(1).write(0.0, row(0.0)); }
  scene_.bodies[0].name = "other";
  EXPECT_THROW(make_writer(1, 0.0), base::InputError);
}

TEST_F(Motion, SceneThatNamesWhatIsNotThereIsRefused) {
  const std::string text = scene_.to_json();
  EXPECT_NO_THROW(MotionScene::from_json(text, "file"));
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"\"frames\":[0,1]", "\"frames\":[0,7]"},
        {"\"body\":0", "\"body\":9"},
        {"\"size\":[0.5]", "\"size\":[]"},
        {"\"coordinates\":2", "\"coordinates\":-2"}}) {
    std::string damaged = text;
    ASSERT_NE(damaged.find(from), std::string::npos) << from;
    damaged.replace(damaged.find(from), from.size(), to);
    EXPECT_THROW(MotionScene::from_json(damaged, "file"), base::InputError) << to;
  }
  EXPECT_THROW(MotionScene::from_json(text.substr(1), "file"), base::InputError);
}

}  // namespace
}  // namespace solidyn::results
