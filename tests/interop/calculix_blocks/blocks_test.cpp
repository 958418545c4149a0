// Blocks of 40 x 20 x 10 mm that CalculiX solved (tests/data/interop/generated/blocks): its
// stiffness term by term where both integrate alike, and its frequencies. What its own mass
// matrices are, by the points of the stiffness, ours are not: they are exact.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "samples.h"
#include "serial_matrices.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/formats/solid_model.h"

namespace solidyn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing_support::sample;

struct Block {
  const char* name;
  fem::Hex8Formulation hex8 = fem::Hex8Formulation::standard;
  fem::Hex20Integration hex20 = fem::Hex20Integration::full;
  /// Relative, from mode 7 on, with our own mass: where theirs has fewer points than it needs, or
  /// counts the incompatible modes, these coarse blocks show it.
  double frequency_tolerance = 0.0;
  int last_mode = 10;
};

class CalculixBlocks : public testing::TestWithParam<Block> {
 protected:
  std::string path(const std::string& ending) const {
    return sample(std::string("generated/blocks/") + GetParam().name + ending);
  }
  // In the file's tonne, mm, s.
  mesh::DistributedMesh mesh_ =
      mesh::distribute(MPI_COMM_SELF, formats::read_solid_model(path(".inp")).mesh);
  fem::ElasticBody body_ = fem::assemble(
      mesh_, fem::Section{{210000.0, 0.3, 7.87e-9}, GetParam().hex8, GetParam().hex20});
};

// What CalculiX assembled, with rows in the order of our nodes; internal nodes follow.
struct Theirs {
  MatrixXd K, M;
};

Theirs read_theirs(const mesh::DistributedMesh& mesh, const std::string& stem) {
  const imported::MatrixModel model = formats::read_calculix_matrices(
      sample(stem + ".sti"), sample(stem + ".mas"), sample(stem + ".dof"));
  std::map<std::int64_t, Eigen::Index> place;
  for (std::size_t i = 0; i < mesh.node_tags.size(); ++i)
    place.emplace(mesh.node_tags[i], static_cast<Eigen::Index>(i));
  for (const imported::Dof& dof : model.dofs)
    place.emplace(dof.node, static_cast<Eigen::Index>(place.size()));
  const auto n = static_cast<Eigen::Index>(model.dofs.size());
  Eigen::VectorXi row(n);
  for (Eigen::Index i = 0; i < n; ++i)
    row[i] = static_cast<int>(3 * place.at(model.dofs[i].node) + model.dofs[i].component - 1);
  const auto ordered = [&](const imported::Matrix& matrix) {
    const MatrixXd dense = MatrixXd(imported::assemble(matrix));
    MatrixXd out(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) out(row[i], row[j]) = dense(i, j);
    return out;
  };
  return {ordered(model.stiffness), ordered(model.mass)};
}

// Hz, ascending, rigid ones too; M may be singular.
VectorXd frequencies(const MatrixXd& K, const MatrixXd& M) {
  const double shift = 1e-3 * K.trace() / M.trace();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> pencil(M, K + shift * M,
                                                                  Eigen::EigenvaluesOnly);
  const VectorXd inverse = pencil.eigenvalues().reverse();  // 1 / (lambda + shift)
  return ((inverse.head(12).cwiseInverse().array() - shift).max(0.0).sqrt() / (2.0 * M_PI))
      .matrix();
}

// "  7  eigenvalue  rad/time  cycles/time ..."
std::vector<double> read_dat(const std::string& path) {
  std::ifstream file(path);
  std::vector<double> hz;
  for (std::string line; std::getline(file, line) && hz.size() < 10;) {
    int number = 0;
    double eigenvalue = 0.0, radians = 0.0, cycles = 0.0;
    if (std::sscanf(line.c_str(), "%d %lf %lf %lf", &number, &eigenvalue, &radians, &cycles) == 4)
      hz.push_back(cycles);
  }
  return hz;
}

MatrixXd stiffness_of(const fem::ElasticBody& body) {
  return MatrixXd(test::make_sparse_stiffness(body));
}
MatrixXd mass_of(const fem::ElasticBody& body) {
  return MatrixXd(test::make_sparse_mass(body, fem::MassKind::consistent));
}

TEST_P(CalculixBlocks, FrequenciesAreThoseOfTheDat) {
  const std::vector<double> dat = read_dat(path(".dat"));
  ASSERT_EQ(dat.size(), 10u);
  const VectorXd ours = frequencies(stiffness_of(body_), mass_of(body_));
  for (int i = 6; i < GetParam().last_mode; ++i)
    EXPECT_NEAR(ours[i], dat[i], GetParam().frequency_tolerance * dat[i]) << "mode " << i + 1;
}

TEST_P(CalculixBlocks, MassIsTheirs) {
  EXPECT_NEAR(body_.properties.mass, 6.296e-5, 1e-12 * 6.296e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Types, CalculixBlocks,
    testing::Values(Block{"block_c3d4", {}, {}, 0.25}, Block{"block_c3d6", {}, {}, 0.30},
                    Block{"block_c3d8", fem::Hex8Formulation::standard, {}, 1e-5},
                    Block{"block_c3d8i", fem::Hex8Formulation::incompatible_modes, {}, 0.05, 9},
                    Block{"block_c3d10", {}, {}, 0.01}, Block{"block_c3d15", {}, {}, 0.01},
                    Block{"block_c3d20", {}, {}, 1e-5},
                    Block{"block_c3d20r", {}, fem::Hex20Integration::reduced, 0.015}),
    [](const auto& info) { return std::string(info.param.name); });

// Those whose stiffness both integrate by the same points.
class SameStiffness : public CalculixBlocks {};
INSTANTIATE_TEST_SUITE_P(Types, SameStiffness,
                         testing::Values(Block{"block_c3d4"}, Block{"block_c3d8"},
                                         Block{"block_c3d10"}, Block{"block_c3d20"},
                                         Block{"block_c3d20r", {}, fem::Hex20Integration::reduced}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(SameStiffness, StiffnessIsTheirsTermByTerm) {
  const Theirs theirs =
      read_theirs(mesh_, std::string("generated/blocks/") + GetParam().name + "_mat");
  EXPECT_LT((stiffness_of(body_) - theirs.K).norm(), 1e-12 * theirs.K.norm());
}

// To what its iterative solver gives.
TEST_P(SameStiffness, FrequenciesWithTheirMassAreThoseOfTheDat) {
  const Theirs theirs =
      read_theirs(mesh_, std::string("generated/blocks/") + GetParam().name + "_mat");
  const std::vector<double> dat = read_dat(path(".dat"));
  const VectorXd mixed = frequencies(stiffness_of(body_), theirs.M);
  for (int i = 6; i < 10; ++i) EXPECT_NEAR(mixed[i], dat[i], 5e-5 * dat[i]) << "mode " << i + 1;
}

// CalculiX keeps the amplitudes of the incompatible modes as unknowns of internal nodes.
TEST(CalculixIncompatibleModes, CondensedStiffnessIsOurs) {
  const imported::SolidModel model =
      formats::read_solid_model(sample("generated/blocks/block_c3d8i.inp"));
  const mesh::DistributedMesh mesh = mesh::distribute(MPI_COMM_SELF, model.mesh);
  const Theirs theirs = read_theirs(mesh, "generated/blocks/block_c3d8i_mat");
  const Eigen::Index n = 3 * mesh.n_owned, k = theirs.K.rows() - n;
  const MatrixXd condensed =
      theirs.K.topLeftCorner(n, n) -
      theirs.K.topRightCorner(n, k) *
          theirs.K.bottomRightCorner(k, k).ldlt().solve(theirs.K.bottomLeftCorner(k, n));
  const MatrixXd ours =
      stiffness_of(fem::assemble(mesh, fem::IsotropicElastic{210000.0, 0.3, 7.87e-9}));
  EXPECT_LT((ours - condensed).norm(), 1e-10 * ours.norm());
}

}  // namespace
}  // namespace solidyn
