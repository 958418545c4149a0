// Damaged files of our own meshes: refused, or the same mesh. HDF5 finds damage of what describes
// the arrays by its own sums, and crashed where there were none; ours are of the numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/solidyn/mesh.h"
#include "solidyn/mesh/generators.h"
#include "text_file.h"

namespace solidyn::formats {
namespace {

using mesh::Mesh;

bool are_equal(const Mesh& a, const Mesh& b) {
  const auto blocks_are_equal = [](const mesh::ElementBlock& c, const mesh::ElementBlock& d) {
    return c.type == d.type && c.connectivity == d.connectivity && c.tags == d.tags &&
           c.regions == d.regions;
  };
  const auto sets_are_equal = [](const auto& c, const auto& d) {
    return c.first == d.first && c.second.dimension == d.second.dimension &&
           c.second.nodes == d.second.nodes;
  };
  return a.x == b.x && a.node_tags == b.node_tags &&
         std::equal(a.blocks.begin(), a.blocks.end(), b.blocks.begin(), b.blocks.end(),
                    blocks_are_equal) &&
         std::equal(a.sets.begin(), a.sets.end(), b.sets.begin(), b.sets.end(), sets_are_equal);
}

class DamagedSmesh : public testing::Test {
 protected:
  DamagedSmesh() {
    mesh::BoxOptions options;
    options.nx = 3, options.ny = 2, options.nz = 2;
    good_ = make_box(options);
    good_.sets["three"] = {0, {0, 7, 8}};
    write_solidyn_mesh(path_, good_);
    bytes_ = test::read_text(path_);
  }

  /// Fails unless the file is refused, or says the same. @return whether it was refused
  bool is_refused(const std::string& bytes, const std::string& how) {
    test::write_text(path_, bytes);
    try {
      EXPECT_TRUE(are_equal(good_, read_whole_solidyn_mesh(path_))) << how;
      return false;
    } catch (const base::InputError&) {
      return true;
    }
  }

  const test::ScratchFolder folder_;
  const std::string path_ = folder_ / "box.smesh";
  Mesh good_;
  std::string bytes_;
};

TEST_F(DamagedSmesh, AnyChangedByteIsFound) {
  std::mt19937 random(1);
  int n = 0, n_refused = 0;
  for (std::size_t at = 0; at < bytes_.size(); at += 29, ++n) {
    std::string damaged = bytes_;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
    n_refused += is_refused(damaged, "byte " + std::to_string(at));
  }
  EXPECT_GT(n_refused, 9 * n / 10);  // the rest is space that the library keeps free
}

TEST_F(DamagedSmesh, CutFilesAndLostPiecesAreFound) {
  std::mt19937 random(2);
  for (std::size_t n = 0; n < bytes_.size(); n += 97)
    EXPECT_TRUE(is_refused(bytes_.substr(0, n), "cut at " + std::to_string(n))) << n;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = bytes_;
    const std::size_t from = random() % damaged.size();
    damaged.erase(from, 1 + random() % 200);
    is_refused(damaged, "piece lost at " + std::to_string(from));
  }
}

TEST(OldSmesh, FileWithoutChecksumsIsRead) {
  const Mesh mesh = read_whole_solidyn_mesh(
      SOLIDYN_SOURCE_DIR "/tests/robustness/solidyn_mesh/data/without_checksums.smesh");
  EXPECT_EQ(mesh.node_tags, (std::vector<std::int64_t>{1, 2, 3, 4, 9}));
  ASSERT_EQ(mesh.blocks.size(), 2u);  // a triangle and two tetrahedra
  EXPECT_EQ(mesh.blocks[0].size() + mesh.blocks[1].size(), 3);
  EXPECT_EQ(mesh.x.col(4), Eigen::Vector3d(1, 1, 1));
}

}  // namespace
}  // namespace solidyn::formats
