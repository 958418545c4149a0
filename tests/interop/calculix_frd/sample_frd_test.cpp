// Results files of CalculiX among the samples: meshes, frequencies and mode shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "samples.h"
#include "solidyn/elements/topology.h"
#include "solidyn/formats/calculix/frd.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/imported/checks.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using imported::ModalData;
using imported::SolidModel;
using testing_support::sample;

double frequency(const ModalData& modes, int i) {
  return std::sqrt(modes.modes[i].eigenvalue) / (2.0 * M_PI);
}

/// Largest distance of a mid-side node from the middle of its edge, over the edge.
double largest_offset(const SolidModel& model) {
  double largest = 0.0;
  for (const mesh::ElementBlock& block : model.mesh.blocks)
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const mesh::ElementPositions x = mesh::gather_positions(model.mesh.x, block, e);
      const int n = elements::n_corners(block.type);
      if (n == elements::n_nodes(block.type)) continue;
      int mid = n;
      for (const auto& [a, b] : elements::edges(block.type)) {
        const double length = (x.col(b) - x.col(a)).norm();
        largest = std::max(largest, (x.col(mid++) - 0.5 * (x.col(a) + x.col(b))).norm() / length);
      }
    }
  return largest;
}

/// The table of the samples' manifest.
struct Job {
  const char* path;
  ElementType type;
  int n_nodes, n_elements, n_modes;
  double mass, density;             // in the units of the file
  std::vector<double> frequencies;  // of modes 7 .., from the .dat file
  std::int64_t first_node, last_node;
  Eigen::Vector3d first_shape, last_shape;  // of mode 7
};
void PrintTo(const Job& job, std::ostream* out) { *out << job.path; }

class CalculixJob : public testing::TestWithParam<Job> {
 protected:
  static CalculixResults read() {
    return read_calculix_frd(sample(std::string("generated/") + GetParam().path + ".frd"));
  }
};

TEST_P(CalculixJob, HasTheKnownMesh) {
  const Job& job = GetParam();
  const SolidModel model = read().model;
  EXPECT_EQ(model.mesh.n_nodes(), job.n_nodes);
  ASSERT_EQ(model.mesh.blocks.size(), 1u);
  EXPECT_EQ(model.mesh.blocks[0].type, job.type);
  EXPECT_EQ(model.mesh.blocks[0].size(), job.n_elements);
  EXPECT_EQ(model.mesh.node_tags.front(), job.first_node);
  EXPECT_EQ(model.mesh.node_tags.back(), job.last_node);
  EXPECT_TRUE(model.loose_nodes.empty());
  ASSERT_EQ(model.materials.size(), 1u);
  EXPECT_EQ(model.materials[0].name, "STEEL");
  EXPECT_NEAR(imported::measure(model).volume * job.density, job.mass, 2e-5 * job.mass);
  // Curved sides of the rod apart, which has them on its surface.
  EXPECT_LT(largest_offset(model), job.n_nodes > 100 ? 0.13 : 1e-12);
  for (const mesh::ElementBlock& block : model.mesh.blocks)
    for (std::int64_t e = 0; e < block.size(); ++e)
      EXPECT_GT(mesh::smallest_jacobian(mesh::gather_positions(model.mesh.x, block, e)), 0.0);
}

TEST_P(CalculixJob, HasTheKnownModes) {
  const Job& job = GetParam();
  const ModalData modes = read().modes;
  ASSERT_EQ(modes.modes.size(), static_cast<std::size_t>(job.n_modes));
  EXPECT_EQ(modes.node_tags.size(), static_cast<std::size_t>(job.n_nodes));
  EXPECT_EQ(imported::measure(modes).n_rigid, 6);
  for (std::size_t i = 0; i < job.frequencies.size(); ++i)
    EXPECT_NEAR(frequency(modes, 6 + static_cast<int>(i)), job.frequencies[i],
                1e-6 * job.frequencies[i]);
  for (const imported::ImportedMode& mode : modes.modes) EXPECT_EQ(mode.generalized_mass, 1.0);
  EXPECT_EQ(modes.modes[6].number, 7);
  EXPECT_EQ(modes.node_tags.front(), job.first_node);
  EXPECT_EQ(modes.node_tags.back(), job.last_node);
  EXPECT_EQ(Eigen::Vector3d(modes.translations.col(6).head<3>()), job.first_shape);
  EXPECT_EQ(Eigen::Vector3d(modes.translations.col(6).tail<3>()), job.last_shape);
}

INSTANTIATE_TEST_SUITE_P(All, CalculixJob,
                         testing::Values(Job{"rod/rod_c3d10",
                                             ElementType::tet10,
                                             2275,
                                             1080,
                                             14,
                                             0.0667037,
                                             7870.0,
                                             {299.4787, 299.5166, 824.1736, 824.2584, 1611.863,
                                              1612.049, 2656.083, 2656.606},
                                             1,
                                             2275,
                                             {-8.87559e-07, 7.27009, -2.65024},
                                             {-0.162935, 6.89466, -2.51426}},
                                         Job{"rod/rod_c3d10_mmts",
                                             ElementType::tet10,
                                             625,
                                             288,
                                             14,
                                             6.67037e-5,
                                             7.87e-9,
                                             {306.7754, 307.5016, 852.2335, 854.646, 1691.012,
                                              1697.721, 2842.027, 2858.328},
                                             1,
                                             625,
                                             {0.00117522, 243.808, 25.3505},
                                             {-3.60002, 196.483, 20.2213}},
                                         Job{"blocks/block_c3d4",
                                             ElementType::tet4,
                                             18,
                                             24,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {72896.36, 81197.12, 88159, 100981.4},
                                             101,
                                             118,
                                             {233.432, -53.7599, -20.923},
                                             {-233.424, 53.7537, 20.9194}},
                                         Job{"blocks/block_c3d6",
                                             ElementType::wedge6,
                                             18,
                                             8,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {54284.03, 74900.82, 75593.8, 97488.69},
                                             101,
                                             118,
                                             {-176.645, 135.856, 31.9547},
                                             {-176.643, 135.855, 31.9543}},
                                         Job{"blocks/block_c3d8",
                                             ElementType::hex8,
                                             18,
                                             4,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {34659.21, 49953.28, 56322.68, 70036.3},
                                             101,
                                             118,
                                             {-53.5278, -158.926, 338.858},
                                             {-53.5281, -158.925, 338.859}},
                                         Job{"blocks/block_c3d8i",
                                             ElementType::hex8,
                                             18,
                                             4,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {31990.27, 33398.37, 47113.7, 47462.81},
                                             101,
                                             118,
                                             {19.4948, 129.085, -284.944},
                                             {19.4954, 129.085, -284.944}},
                                         Job{"blocks/block_c3d10",
                                             ElementType::tet10,
                                             75,
                                             24,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {30928.74, 32319.46, 44670.41, 64024.65},
                                             101,
                                             175,
                                             {136.705, -46.4552, -164.273},
                                             {136.705, -46.4552, -164.273}},
                                         Job{"blocks/block_c3d15",
                                             ElementType::wedge15,
                                             59,
                                             8,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {29602.71, 30920.44, 45042.65, 64126.48},
                                             101,
                                             159,
                                             {-110.992, 56.9753, 106.985},
                                             {-110.993, 56.9761, 106.984}},
                                         Job{"blocks/block_c3d20",
                                             ElementType::hex20,
                                             51,
                                             4,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {30110.82, 30556.22, 44177.53, 63949.32},
                                             101,
                                             151,
                                             {137.042, -12.1371, -230.311},
                                             {137.042, -12.1363, -230.311}},
                                         Job{"blocks/block_c3d20r",
                                             ElementType::hex20,
                                             51,
                                             4,
                                             10,
                                             6.296e-5,
                                             7.87e-9,
                                             {29812.22, 30363.42, 44201.74, 64098.92},
                                             101,
                                             151,
                                             {128.808, -6.04914, -231.484},
                                             {128.808, -6.04966, -231.485}}),
                         [](const auto& info) {
                           const std::string path = info.param.path;
                           return path.substr(path.find('/') + 1);
                         });

/// Mode shapes and mass matrix of the same run: Phi^T M Phi = 1 to the digits of the shapes.
TEST(CalculixModes, AreNormalisedWithTheMassOfTheSameRun) {
  for (const std::string job :
       {"rod/rod_c3d10", "blocks/block_c3d4", "blocks/block_c3d6", "blocks/block_c3d8",
        "blocks/block_c3d10", "blocks/block_c3d15", "blocks/block_c3d20", "blocks/block_c3d20r"}) {
    const std::string frd = sample("generated/" + job + ".frd");
    const std::string stem = frd.substr(0, frd.size() - 4) + "_mat";
    const std::string suffix = job[0] == 'r' ? ".gz" : "";
    const ModalData modes = read_calculix_frd(frd).modes;
    const imported::MatrixModel matrices =
        read_calculix_matrices(stem + ".sti" + suffix, stem + ".mas" + suffix, stem + ".dof");
    for (std::size_t i = 0; i < matrices.dofs.size(); ++i)
      ASSERT_EQ(matrices.dofs[i].node, modes.node_tags[i / 3]);
    const Eigen::SparseMatrix<double> mass = imported::assemble(matrices.mass);
    const imported::ModalChecks checks = imported::measure(modes, &mass);
    EXPECT_LT(checks.mass_disagreement, 1e-5) << job;
    EXPECT_LT(checks.orthogonality, 3e-5) << job;
    EXPECT_EQ(checks.n_rigid, 6) << job;
  }
}

TEST(CalculixBinary, SaysTheSameAsTheText) {
  const CalculixResults text = read_calculix_frd(sample("generated/blocks/block_c3d20.frd"));
  const CalculixResults binary = read_calculix_frd(
      SOLIDYN_SOURCE_DIR "/tests/interop/calculix_frd/data/block_c3d20_binary.frd");
  EXPECT_EQ(binary.model.mesh.x, text.model.mesh.x);
  EXPECT_EQ(binary.model.mesh.node_tags, text.model.mesh.node_tags);
  EXPECT_EQ(binary.model.mesh.blocks[0].connectivity, text.model.mesh.blocks[0].connectivity);
  EXPECT_EQ(binary.model.mesh.blocks[0].tags, text.model.mesh.blocks[0].tags);
  ASSERT_EQ(binary.modes.modes.size(), 10u);
  EXPECT_EQ(binary.modes.node_tags, text.modes.node_tags);
  // Rigid modes are any basis of their space; of the others the sign may differ from run to run.
  for (int m = 6; m < 10; ++m) {
    EXPECT_NEAR(frequency(binary.modes, m), frequency(text.modes, m), 1.0);
    const auto a = binary.modes.translations.col(m), b = text.modes.translations.col(m);
    EXPECT_LT((a * (a.dot(b) > 0.0 ? 1.0 : -1.0) - b).cwiseAbs().maxCoeff(), 5e-3 * 0.5);
  }
}

TEST(CalculixBinary, OtherByteOrderIsFound) {
  const std::string path =
      SOLIDYN_SOURCE_DIR "/tests/interop/calculix_frd/data/block_c3d20_binary.frd";
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto swap = [&](std::size_t& at, std::size_t size) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  };
  std::size_t at = bytes.find('\n', bytes.find("    2C")) + 1;
  for (int node = 0; node < 51; ++node)
    for (std::size_t size : {4, 8, 8, 8}) swap(at, size);
  at = bytes.find('\n', at) + 1;
  for (int word = 0; word < 4 * 24; ++word) swap(at, 4);
  for (int mode = 0; mode < 10; ++mode) {
    at = bytes.find('\n', bytes.find(" -5  ALL", at)) + 1;
    for (int word = 0; word < 4 * 51; ++word) swap(at, 4);
  }
  const CalculixResults results = parse_calculix_frd(bytes, "big.frd");
  const CalculixResults same = read_calculix_frd(path);
  EXPECT_EQ(results.model.mesh.x, same.model.mesh.x);
  EXPECT_EQ(results.modes.translations, same.modes.translations);
}

}  // namespace
}  // namespace solidyn::formats
