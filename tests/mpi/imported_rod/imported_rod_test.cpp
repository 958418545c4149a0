// One body several ways: the connecting rod of a slider-crank reduced from its mesh, and imported
// from what CalculiX computed of the same mesh. Curves agree within 0.5 % of the peak.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model_runs.h"
#include "samples.h"
#include "scratch_folder.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/formats/imported_files.h"
#include "solidyn/formats/solidyn/mesh.h"
#include "solidyn/model/load.h"
#include "solidyn/model/reduce_body.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;
using testing_support::sample;

const std::string kRod = "generated/rod/rod_straight";

// CalculiX' frequencies of the free rod, Hz: rod_straight.dat.
const std::vector<double> kFrequencies = {284.9706, 285.0779, 792.0717, 793.1593,
                                          1573.244, 1577.708, 2648.135, 2660.554};

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace(const std::string& from, const std::string& to, std::string& text) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("not in the example: " + from);
  text.replace(at, from.size(), to);
}

void write_punch(const std::string& path, const imported::ModalData& modes) {
  std::ofstream file(path);
  int line = 0;
  const auto write = [&](const std::string& text) {
    file << fmt::format("{:<72}{:8}\n", text, ++line);
  };
  for (std::size_t j = 0; j < modes.modes.size(); ++j) {
    for (const char* header : {"$TITLE   = ROD", "$SUBTITLE=", "$LABEL   =", "$EIGENVECTOR",
                               "$REAL OUTPUT", "$SUBCASE ID =           1"})
      write(header);
    write(fmt::format("$EIGENVALUE = {:14.7E}  MODE ={:6}", modes.modes[j].eigenvalue, j + 1));
    for (std::size_t i = 0; i < modes.node_tags.size(); ++i) {
      const Eigen::Vector3d u = modes.translations.block<3, 1>(3 * static_cast<Eigen::Index>(i),
                                                               static_cast<Eigen::Index>(j));
      write(fmt::format("{:10}       G{:18.6E}{:18.6E}{:18.6E}", modes.node_tags[i], u[0], u[1],
                        u[2]));
      write(fmt::format("{:<18}{:18.6E}{:18.6E}{:18.6E}", "-CONT-", 0.0, 0.0, 0.0));
    }
  }
}

// The slider-crank of the examples with another source of its rod.
class Rod {
 public:
  Rod() : folder_(PETSC_COMM_WORLD) {}

  std::string model(const std::string& name, const std::string& source, const std::string& modes) {
    const std::string path = folder_ / (name + ".yaml");
    if (base::rank(PETSC_COMM_WORLD) == 0) {
      std::string text =
          contents(std::string(SOLIDYN_SOURCE_DIR) + "/examples/slider_crank/slider_crank.yaml");
      replace("mesh: ../../meshes/rod_circular.msh\n    material: steel\n    mass_matrix: lumped\n",
              source, text);
      replace("modes: {free_free: 8, static_correction: at_interfaces}", modes, text);
      std::ofstream(path) << text;
    }
    MPI_Barrier(PETSC_COMM_WORLD);
    return path;
  }
  // The mesh that CalculiX read, as our own file.
  std::string from_mesh(const std::string& modes) {
    const std::string mesh = folder_ / "rod.smesh";
    if (base::rank(PETSC_COMM_WORLD) == 0)
      formats::write_solidyn_mesh(mesh, formats::read_abaqus_input(sample(kRod + ".inp")).mesh);
    return model("mesh", "mesh: " + mesh + "\n    mesh_units: mm\n    material: steel\n", modes);
  }
  std::string from_matrices(const std::string& modes) {
    return model("matrices",
                 "import: {stiffness: " + sample(kRod + "_mat.sti.gz") + ", mass: " +
                     sample(kRod + "_mat.mas.gz") + ", dofs: " + sample(kRod + "_mat.dof") +
                     ", mesh: " + sample(kRod + ".inp") + ", units: tonne-mm-s}\n",
                 modes);
  }
  std::string from_modes(const std::string& file) {
    return model(
        "modes",
        "import: {modes: " + file + ", mesh: " + sample(kRod + ".inp") + ", units: tonne-mm-s}\n",
        "modes: {free_free: 24}");
  }
  // Point masses at the nodes, and their modes.
  std::string from_tables() {
    const std::string folder = SOLIDYN_SOURCE_DIR "/examples/import/";
    return model("tables",
                 "import: {modes: " + folder + "rod_modes.csv, nodes: " + folder +
                     "rod_nodes.csv, units: SI}\n",
                 "modes: {free_free: 12}");
  }
  // As Nastran punches them (DISPLACEMENT(PUNCH) = ALL), with seven digits.
  std::string punch() {
    const std::string path = folder_ / "rod.pch";
    if (base::rank(PETSC_COMM_WORLD) == 0)
      write_punch(path, formats::read_modal_file(sample(kRod + ".frd")));
    MPI_Barrier(PETSC_COMM_WORLD);
    return path;
  }

 private:
  test::ScratchFolder folder_;
};

ModelRun run(const std::string& path) {
  return testing_support::run_model(PETSC_COMM_WORLD,
                                    std::filesystem::relative(path, SOLIDYN_SOURCE_DIR).string(),
                                    {"analyses.dynamics.duration=0.0419"});
}

model::BodyReduction reduce(const std::string& path) {
  const model::ModelDescription model = model::load_model(PETSC_COMM_WORLD, path);
  return model::reduce_body(PETSC_COMM_WORLD, model, *model.find_body("rod"), "");
}

void expect_frequencies(const model::BodyReduction& rod, double accepted) {
  for (std::size_t i = 0; i < kFrequencies.size(); ++i)
    EXPECT_NEAR(rod.body->modes[i].frequency, kFrequencies[i], accepted * kFrequencies[i]);
}

double difference(const ModelRun& a, const ModelRun& b) {
  const std::vector<double>& x = a.history.at("deflection");
  double peak = 0.0;
  for (const double value : x) peak = std::max(peak, std::abs(value));
  return testing_support::largest_difference(x, b.history.at("deflection")) / peak;
}

// Made by examples/import/make_nastran_rod.py.
std::string op2() { return SOLIDYN_SOURCE_DIR "/examples/import/rod.op2"; }

const char* const kAll = "modes: {free_free: 8, static_correction: at_interfaces}";

TEST(ImportedRod, HasTheFrequenciesOfCalculiX) {
  Rod rod;
  constexpr double kDigits = 1e-6;  // seven digits in the .dat
  // CalculiX integrates the mass of C3D10 with four points, exact for no quadratic shape.
  constexpr double kMassIntegration = 1e-3;
  expect_frequencies(reduce(rod.from_mesh(kAll)), kMassIntegration);
  expect_frequencies(reduce(rod.from_matrices(kAll)), kDigits);
  expect_frequencies(reduce(rod.from_modes(sample(kRod + ".frd"))), kDigits);
  expect_frequencies(reduce(rod.from_modes(rod.punch())), kDigits);
  expect_frequencies(reduce(rod.from_modes(op2())), kDigits);
}

// Of the peak. Modes come without static corrections at the pins.
TEST(ImportedRod, MovesAsTheMeshDoes) {
  Rod rod;
  const ModelRun mesh = run(rod.from_mesh(kAll));
  const std::map<std::string, double> differences = {
      {"matrices", difference(mesh, run(rod.from_matrices(kAll)))},
      {"modes_frd", difference(mesh, run(rod.from_modes(sample(kRod + ".frd"))))},
      {"modes_pch", difference(mesh, run(rod.from_modes(rod.punch())))},
      {"modes_op2", difference(mesh, run(rod.from_modes(op2())))}};
  for (const auto& [name, found] : differences) {
    RecordProperty(name, std::to_string(found));
    EXPECT_LT(found, 5e-3) << name;
  }
  EXPECT_LT(differences.at("matrices"), 1e-4);
}

// Lumped masses, and a dozen modes: a body of its own, close to the mesh.
TEST(ImportedRod, FromPlainTablesMovesAsTheMeshDoes) {
  Rod rod;
  constexpr double kLumping = 0.025;  // 0.6 % of the first frequency, 1.9 % of the eighth
  expect_frequencies(reduce(rod.from_tables()), kLumping);
  EXPECT_LT(difference(run(rod.from_mesh(kAll)), run(rod.from_tables())), 0.02);
}

// A Nastran superelement with a grid in a system of its own spins freely: its momenta stay but for
// the integrator's error, which is of second order in the step.
TEST(ImportedSuperelement, KeepsItsMomentumInFlight) {
  const test::ScratchFolder folder(PETSC_COMM_WORLD);
  const std::string path = folder / "flight.yaml", name = "nastran/superelement/inboard";
  if (base::rank(PETSC_COMM_WORLD) == 0)
    std::ofstream(path) << "solidyn: 1\nbodies:\n  inboard:\n    type: modal\n    import: "
                        << "{superelement: " << sample(name + ".op4")
                        << ", dofs: " << sample(name + ".pch")
                        << ", nodes: " << sample(name + ".asm") << "}\n"
                        << "    modes: {free_free: 10}\n"
                        << "    velocity: {linear: [1, 2, 3], angular: [0.5, 1, -0.7]}\n"
                        << "analyses:\n  - dynamics: {duration: 1, step: 1e-3}\n"
                        << "sensors:\n"
                        << "  linear: {type: momentum, kind: linear}\n"
                        << "  angular: {type: momentum, kind: angular}\n"
                        << "  node: {type: position, of: inboard.node_11}\n";
  MPI_Barrier(PETSC_COMM_WORLD);
  const auto fly = [&](const std::string& step) {
    return testing_support::run_model(PETSC_COMM_WORLD,
                                      std::filesystem::relative(path, SOLIDYN_SOURCE_DIR).string(),
                                      {"analyses.dynamics.step=" + step});
  };
  const ModelRun flight = fly("1e-3"), finer = fly("5e-4");
  for (const char* momentum : {"linear", "angular"}) {
    const double change = testing_support::momentum_change(flight, momentum);
    EXPECT_LT(change, 1e-4) << momentum;
    EXPECT_LT(testing_support::momentum_change(finer, momentum), 0.35 * change) << momentum;
  }
  EXPECT_GT(testing_support::largest_change(flight.history.at("node.x")), 0.5);
}

}  // namespace
}  // namespace solidyn
