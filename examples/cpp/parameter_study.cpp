// How far does an oscillator swing beyond its rest? One run of a model for each of six dampers.
//
//   out/cpp/parameter_study
//   mpirun -n 2 out/cpp/parameter_study     (side by side on the ranks; the same numbers)
//
// Known: of a start of 1 it swings exp(-pi zeta / sqrt(1 - zeta^2)) to the other side, where
// zeta = d / (2 sqrt(k m)).
#include <solidyn/solidyn.h>

#include <cmath>
#include <string>
#include <vector>

using namespace solidyn;

constexpr double kMass = 2.0, kStiffness = 800.0;             // kg, N/m: as in the model file
const std::vector<double> kDampings = {2, 4, 8, 16, 32, 48};  // N s/m

// One run by one rank: how far it swings to the other side, of 1.
double overshoot(const std::string& model_file, double damping) {
  const base::LogScope log(PETSC_COMM_SELF);  // each run's own, into a file in its folder
  const model::ModelDescription model =
      model::load_model(model_file, {fmt::format("forces.suspension.damping={}", damping)});
  simulation::RunOptions options;
  options.folder = fmt::format("out/parameter_study/damping_{}", damping);
  simulation::run(PETSC_COMM_SELF, model, options);
  const Eigen::VectorXd x =
      results::read_history(options.folder + "/history.csv").column("position");
  return -x.minCoeff() / x[0];
}

int study(const std::string& model_file) {
  // Options: which rank carries out which run.
  const int n = static_cast<int>(kDampings.size());
  Eigen::VectorXd found = Eigen::VectorXd::Zero(n);
  base::run_together(PETSC_COMM_WORLD, [&] {
    for (int i = base::rank(PETSC_COMM_WORLD); i < n; i += base::size(PETSC_COMM_WORLD))
      found[i] = overshoot(model_file, kDampings[i]);
  });
  base::sum_in_place(PETSC_COMM_WORLD, found.data(), n);

  // Results: a table.
  double worst = 0;
  base::print_once("damping N s/m    zeta   overshoot       exact\n");
  for (int i = 0; i < n; ++i) {
    const double zeta = kDampings[i] / (2 * std::sqrt(kStiffness * kMass));
    const double exact = std::exp(-M_PI * zeta / std::sqrt(1 - zeta * zeta));
    base::print_once("{:13} {:7.4f} {:11.7f} {:11.7f}\n", kDampings[i], zeta, found[i], exact);
    worst = std::max(worst, std::abs(found[i] - exact));
  }
  base::print_once("largest difference {:.1e}\n", worst);
  return worst < 1e-4 ? 0 : 1;
}

int main(int argc, char** argv) {
  const std::string model_file = argc > 1 ? argv[1] : "examples/cpp/oscillator.yaml";
  return base::run_program({}, [&] { return study(model_file); });
}
