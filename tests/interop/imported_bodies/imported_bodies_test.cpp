// Bodies made of other programs' matrices have the frequencies that these programs print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petscsys.h>

#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"
#include "solidyn/formats/imported_files.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/formats/tables/matrix_market.h"
#include "solidyn/formats/tables/modal_tables.h"
#include "solidyn/imported/checks.h"
#include "solidyn/reduction/reduce_matrices.h"

namespace solidyn {
namespace {

using formats::read_matrix_files;
using formats::read_solid_model;
using testing::HasSubstr;
using testing_support::facts_of;
using testing_support::sample;

const imported::Units kTonneMillimetre = imported::units_by_name("tonne-mm-s");

reduction::ReducedBody reduce(const formats::MatrixFiles& files, const std::string& mesh_file,
                              const imported::Units& units, int n_modes) {
  imported::SolidModel mesh = read_solid_model(mesh_file);
  imported::MatrixModel model = read_matrix_files(files, mesh);
  convert_to_si(mesh, units);
  convert_to_si(model, units);
  reduction::ReductionOptions options;
  options.free_free = n_modes;
  return reduce_matrices(mesh::distribute(PETSC_COMM_SELF, mesh.mesh), model, options);
}

struct Block {
  const char* name;
  std::vector<double> frequencies;  // Hz, modes 7 to 10 of the .dat
};

class CalculixBlock : public testing::TestWithParam<Block> {
 protected:
  static std::string file(const std::string& rest) {
    return sample("generated/blocks/block_" + std::string(GetParam().name) + rest);
  }
};

// All element types, those with a mass matrix that is singular, and C3D8I with its internal nodes.
INSTANTIATE_TEST_SUITE_P(Types, CalculixBlock,
                         testing::Values(Block{"c3d4", {72896.36, 81197.12, 88159.0, 100981.4}},
                                         Block{"c3d6", {54284.03, 74900.82, 75593.8, 97488.69}},
                                         Block{"c3d8", {34659.21, 49953.28, 56322.68, 70036.3}},
                                         Block{"c3d8i", {31990.27, 33398.37, 47113.7, 47462.81}},
                                         Block{"c3d10", {30928.74, 32319.46, 44670.41, 64024.65}},
                                         Block{"c3d15", {29602.71, 30920.44, 45042.65, 64126.48}},
                                         Block{"c3d20", {30110.82, 30556.22, 44177.53, 63949.32}},
                                         Block{"c3d20r", {29812.22, 30363.42, 44201.74, 64098.92}}),
                         [](const auto& info) { return info.param.name; });

TEST_P(CalculixBlock, HasItsFrequenciesFromItsMatrices) {
  const reduction::ReducedBody body = reduce({file("_mat.sti"), file("_mat.mas"), file("_mat.dof")},
                                             file(".inp"), kTonneMillimetre, 4);
  // Dense solutions of the same files differ from CalculiX' iteration by up to 5e-6, and 3e-5 where
  // M is singular.
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(body.modes[i].frequency, GetParam().frequencies[i],
                3e-5 * GetParam().frequencies[i]);
  EXPECT_NEAR(body.inertia.mass, 6.296e-2, 1e-7);  // kg
  const Eigen::Vector3d centre = body.inertia.first_moment / body.inertia.mass;
  EXPECT_LT((centre - Eigen::Vector3d(0.02, 0.01, 0.005)).norm(), 1e-8);
}

TEST(AbaqusMatrices, OfARotorHaveItsFrequencies) {
  const std::string rotor = "abaqus/exudyn/rotorDiscTest";
  const reduction::ReducedBody body =
      reduce({sample(rotor + "STIF1.mtx"), sample(rotor + "MASS1.mtx"), ""}, sample(rotor + ".inp"),
             {}, 6);
  const auto expected = facts_of(rotor + "STIF1.mtx").at("free_free_hz_7_12");
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(body.modes[i].frequency, expected[i].get<double>(), 1e-4);
  EXPECT_NEAR(body.inertia.mass, facts_of(rotor + "MASS1.mtx").at("mass").get<double>(), 1e-6);
}

mesh::Mesh cloud_of(const imported::MatrixModel& model) {
  mesh::Mesh cloud;
  cloud.x.resize(3, static_cast<Eigen::Index>(model.nodes.size()));
  for (const auto& [tag, x] : model.nodes) {
    cloud.x.col(static_cast<Eigen::Index>(cloud.node_tags.size())) = x;
    cloud.node_tags.push_back(tag);
  }
  return cloud;
}

// Twelve nodes of block_c3d8, condensed by Guyan: the nodes are those of its mesh.
TEST(AbaqusSubstructure, IsABodyOfItsRetainedNodes) {
  imported::MatrixModel model = formats::read_superelement_files(
      sample("generated/abaqus_like/superelement_constructed.mtx"), "", "");
  imported::SolidModel mesh = read_solid_model(sample("generated/blocks/block_c3d8.inp"));
  convert_to_si(model, kTonneMillimetre);
  convert_to_si(mesh, kTonneMillimetre);
  imported::place_nodes(model, mesh);
  ASSERT_EQ(model.nodes.size(), 12u);
  reduction::ReductionOptions options;
  options.free_free = 10;
  const reduction::ReducedBody body =
      reduce_matrices(mesh::distribute(PETSC_COMM_SELF, cloud_of(model)), model, options);
  const Eigen::MatrixXd K = imported::assemble(model.stiffness), M = imported::assemble(model.mass);
  const Eigen::VectorXd dense =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues();
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(body.K(i, i), dense[6 + i], 1e-6 * dense[6 + i]);
  EXPECT_NEAR(body.inertia.mass, 6.296e-2, 1e-7);
}

// Four boundary grids, one of them with axes of its own, and eight fixed-interface modes. Its mass
// is singular, so that the reference inverts the stiffness.
TEST(NastranSuperelement, HasTheModesOfItsMatrices) {
  const std::string name = "nastran/superelement/inboard";
  const imported::MatrixModel model = formats::read_superelement_files(
      sample(name + ".op4"), sample(name + ".pch"), sample(name + ".asm"));
  reduction::ReductionOptions options;
  options.free_free = 6;
  const reduction::ReducedBody body =
      reduce_matrices(mesh::distribute(PETSC_COMM_SELF, cloud_of(model)), model, options);
  EXPECT_NEAR(body.inertia.mass, 1.75505183, 1e-7);
  constexpr double kShift = 1e3;
  const Eigen::MatrixXd K = imported::assemble(model.stiffness), M = imported::assemble(model.mass);
  const Eigen::VectorXd inverse =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(M, K + kShift * M).eigenvalues();
  for (int i = 0; i < 6; ++i) {
    const double eigenvalue = 1.0 / inverse[inverse.size() - 7 - i] - kShift;
    EXPECT_NEAR(body.K(i, i), eigenvalue, 1e-6 * eigenvalue);
  }
}

// Static answers of its four grids span a direction without mass, which has no frequency; what is
// left gives the others. The union with two modes has the fourth elastic frequency to 1e-4.
TEST(NastranSuperelement, StaticAnswersWithoutMassAreLeftOut) {
  const std::string name = "nastran/superelement/inboard";
  const imported::MatrixModel model = formats::read_superelement_files(
      sample(name + ".op4"), sample(name + ".pch"), sample(name + ".asm"));
  reduction::ReductionOptions options;
  options.free_free = 2;
  options.static_correction = reduction::StaticCorrection::at_interfaces;
  for (const auto& [tag, x] : model.nodes) {
    mesh::InterfaceDefinition interface;
    interface.name = "node_" + std::to_string(tag);
    interface.nodes = mesh::NodesNear{x};
    interface.attach = mesh::Attachment::node;
    options.interfaces.push_back(interface);
  }
  const reduction::ReducedBody body =
      reduce_matrices(mesh::distribute(PETSC_COMM_SELF, cloud_of(model)), model, options);
  const Eigen::MatrixXd K = imported::assemble(model.stiffness), M = imported::assemble(model.mass);
  constexpr double kShift = 1e3;
  const Eigen::VectorXd inverse =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(M, K + kShift * M).eigenvalues();
  Eigen::VectorXd reduced = body.K.diagonal();
  std::sort(reduced.begin(), reduced.end());
  ASSERT_GT(reduced.size(), 15);
  for (int i = 0; i < 4; ++i) {
    const double eigenvalue = 1.0 / inverse[inverse.size() - 7 - i] - kShift;
    EXPECT_NEAR(reduced[i], eigenvalue, 1e-4 * eigenvalue) << i;
  }
  EXPECT_LT(reduced[reduced.size() - 1], 1e13 * reduced[0]);
}

void expect_refused(const std::function<void()>& work, const char* text) {
  try {
    work();
    FAIL() << "it was accepted; expected: " << text;
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr(text));
  }
}

TEST(SupportedMatrices, AreRefusedWithTheirNodes) {
  const std::string block = "generated/blocks/block_c3d8";
  expect_refused(
      [&] {
        reduce({sample(block + "_clamped_mat.sti"), sample(block + "_clamped_mat.mas"),
                sample(block + "_clamped_mat.dof")},
               sample(block + ".inp"), kTonneMillimetre, 4);
      },
      "contain all translations, once each, of 6 of 18 nodes (first: 101, 102, 103, 104, 105, 106)");
}

// CalculiX 2.20 writes the retained part of the stiffness without condensing the rest.
TEST(UncondensedSubstructure, IsRefused) {
  expect_refused(
      [] {
        imported::MatrixModel model = formats::read_superelement_files(
            sample("generated/blocks/block_c3d8_sub_ccx220.mtx"), "", "");
        const imported::SolidModel mesh =
            read_solid_model(sample("generated/blocks/block_c3d8.inp"));
        imported::place_nodes(model, mesh);
        model.mass = {};  // any will do
        model.mass.n_rows = model.mass.n_columns = model.stiffness.n_rows;
        for (std::int64_t i = 0; i < model.mass.n_rows; ++i) {
          model.mass.rows.push_back(i);
          model.mass.columns.push_back(i);
          model.mass.values.push_back(1.0);
        }
        reduction::reduce_matrices(mesh::distribute(PETSC_COMM_SELF, cloud_of(model)), model, {});
      },
      "resists rigid-body motion");
}

/// The lines of a sample before the n-th.
std::string first_lines(const std::string& name, int n) {
  const std::string bytes = testing_support::bytes_of(name);
  std::size_t end = 0;
  for (int i = 0; i < n; ++i) end = bytes.find('\n', end) + 1;
  return bytes.substr(0, end);
}

// Each of both is a good file in itself: the rows that are missing tell.
TEST(MatrixFiles, CutOffMassOrStiffnessIsRefused) {
  const std::string name = "abaqus/exudyn/blockC3D10";
  const imported::SolidModel mesh = read_solid_model(sample(name + ".inp"));
  std::vector<std::int64_t> tags = mesh.mesh.node_tags;
  std::sort(tags.begin(), tags.end());
  const std::string k = testing_support::bytes_of(name + "_STIF1.mtx"),
                    m = testing_support::bytes_of(name + "_MASS1.mtx");
  const auto read = [&](const std::string& stiffness, const std::string& mass) {
    imported::refuse_missing_rows(
        formats::parse_abaqus_matrices(stiffness, "a_STIF1.mtx", mass, "a_MASS1.mtx", tags), mesh);
  };
  EXPECT_NO_THROW(read(k, m));
  expect_refused([&] { read(k, first_lines(name + "_MASS1.mtx", 8000)); },
                 "a_MASS1.mtx: error: the mass matrix has no terms for");
  // 771 rows are named by the mass, so that the file says how many there are
  expect_refused([&] { read(first_lines(name + "_STIF1.mtx", 20000), m); }, "a_");
}

TEST(MatrixFiles, OfTwoRunsOfCalculixAreRefused) {
  const auto read = [](const char* stiffness, const char* mass) {
    const std::string block = "generated/blocks/block_";
    reduce({sample(block + stiffness + "_mat.sti"), sample(block + mass + "_mat.mas"),
            sample(block + stiffness + "_mat.dof")},
           sample(block + stiffness + ".inp"), kTonneMillimetre, 4);
  };
  expect_refused([&] { read("c3d8", "c3d4"); },
                 "block_c3d4_mat.mas: error: the stiffness has 909 terms and the mass 621");
  expect_refused([&] { read("c3d4", "c3d8"); },
                 "block_c3d4_mat.sti: error: the stiffness has 621 terms and the mass 909");
}

// The rotor's mass is 86 kg by density and volume; matrices of another density are told.
TEST(MatrixFiles, MassIsThatOfTheMesh) {
  const std::string rotor = "abaqus/exudyn/rotorDiscTest";
  imported::SolidModel mesh = read_solid_model(sample(rotor + ".inp"));
  imported::MatrixModel model =
      read_matrix_files({sample(rotor + "STIF1.mtx"), sample(rotor + "MASS1.mtx"), ""}, mesh);
  imported::place_nodes(model, mesh);
  const auto warnings_of = [&] {
    imported::CheckReport report;
    imported::compare_with_mesh(report, imported::measure(model), imported::measure(mesh));
    std::string all;
    for (const base::Diagnostic& warning : report.warnings)
      all += warning.where.file + ": " + warning.what + "\n";
    return all;
  };
  EXPECT_EQ(warnings_of(), "");
  mesh.mesh.x.row(2).array() += 0.1;
  EXPECT_THAT(warnings_of(), HasSubstr("MASS1.mtx: the centre of mass is at"));
  mesh.mesh.x.row(2).array() -= 0.1;
  for (double& value : model.mass.values) value *= 0.5;
  EXPECT_THAT(warnings_of(), HasSubstr("MASS1.mtx: the mass matrix gives"));
  mesh.materials.at(0).density = 0.0;  // then nothing is known
  EXPECT_EQ(warnings_of(), "");
}

TEST(MatrixFiles, FaultsAreToldOfTheFileThatHasThem) {
  const std::string
      k = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 2\n2 2 2\n3 3 2\n",
      m = "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 1\n2 2 1\n3 3 1\n"
          "1 2 0.5\n2 1 -0.5\n";
  const auto model =
      formats::parse_matrix_market_pair({k, "k.mtx"}, {m, "m.mtx"}, std::vector<std::int64_t>{1});
  mesh::Mesh cloud;
  cloud.x = Eigen::Matrix3Xd::Zero(3, 1);
  cloud.node_tags = {1};
  expect_refused(
      [&] { reduction::reduce_matrices(mesh::distribute(PETSC_COMM_SELF, cloud), model, {}); },
      "m.mtx: error: its mass is not symmetric");
}

TEST(NodalMassTable, HasANodeAndAMassPerLine) {
  const auto masses = formats::parse_nodal_masses("# kg\n 7 0.5\n\n9;1.5e-3 # tip\n12, 2\n", "m");
  EXPECT_EQ(masses, (std::map<std::int64_t, double>{{7, 0.5}, {9, 1.5e-3}, {12, 2.0}}));
  const auto refuse = [](const char* text, const char* expected) {
    expect_refused([&] { formats::parse_nodal_masses(text, "m.txt"); }, expected);
  };
  refuse("7 0.5\n7 0.5\n", "m.txt:2: error: node 7 has two masses");
  refuse("7 -1\n", "the mass of node 7 is -1");
  refuse("7 0.5 1\n", "the end of the line");
  refuse("7 nan\n", "m.txt:1");
  refuse("# nothing\n", "no masses of nodes");
}

TEST(ImportedFiles, AreToldByTheirEndings) {
  const std::string text = "modes.txt";
  expect_refused([&] { formats::read_modal_file(text); },
                 "natural modes with this file extension cannot be read");
  expect_refused([&] { formats::read_superelement_files(text, "", ""); },
                 "superelements with this file extension cannot be read");
  expect_refused(
      [&] {
        read_matrix_files({text, text, ""}, {});
      },
      "matrices with this file extension cannot be read");
}

}  // namespace
}  // namespace solidyn
