// A reader of our own: TetGen's meshes in model files, of a program that has its reader added.
//
//   out/extend/reader/extend_reader
//   mpirun -n 2 out/extend/reader/extend_reader     (the same numbers)
//
// Known: a bar of length L and width a that hangs from the middle of its end swings at
// (1 / (2 pi)) sqrt((g L / 2) / (L^2 / 3 + a^2 / 12)); any mesh gives it exactly.
#include <solidyn/formats/solid_model.h>
#include <solidyn/solidyn.h>

#include <cmath>
#include <string>

#include "tetgen.h"

using namespace solidyn;

constexpr double kLength = 0.6, kWidth = 0.1, kGravity = 9.81;  // m, m, m/s^2: of bar.node

int swing(const std::string& model_file) {
  formats::add_solid_model_reader(".ele", read_tetgen);
  const model::ModelDescription model = model::load_model(model_file);
  double found = 0.0;
  simulation::RunOptions options;
  options.folder = "out/extend_reader";
  options.observe_modes = [&](const std::vector<simulation::NamedNumber>& numbers) {
    found = numbers.front().value;
  };
  simulation::run(PETSC_COMM_WORLD, model, options);
  found = base::max(PETSC_COMM_WORLD, found);  // where ranks slept
  const double exact =
      std::sqrt(kGravity * kLength / 2 / (kLength * kLength / 3 + kWidth * kWidth / 12)) /
      (2 * M_PI);
  base::print_once("frequency {:.9f} Hz, of the bar {:.9f} Hz\n", found, exact);
  return std::abs(found / exact - 1) < 1e-9 ? 0 : 1;
}

int main(int argc, char** argv) {
  const std::string model_file = argc > 1 ? argv[1] : "examples/extend/reader/hanging_bar.yaml";
  return base::run_program({}, [&] { return swing(model_file); });
}
