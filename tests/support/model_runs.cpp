#include "model_runs.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "solidyn/base/timer.h"
#include "solidyn/model/load.h"

namespace solidyn::testing_support {
namespace {

void record(analyses::Dynamics& dynamics, model::BuiltModel& built, History& history) {
  dynamics.observe();
  history["time"].push_back(dynamics.state().t);
  for (const analyses::Sensor& sensor : built.sensors) {
    std::vector<double> values(sensor.columns.size());
    sensor.read({built.system, dynamics.state()}, values.data());
    for (std::size_t i = 0; i < values.size(); ++i)
      history[sensor.columns[i].name].push_back(values[i]);
  }
}

}  // namespace

ModelRun run_model(MPI_Comm comm, const std::string& path,
                   const std::vector<std::string>& overrides, int every) {
  const model::ModelDescription description =
      model::load_model(comm, std::string(SOLIDYN_SOURCE_DIR) + "/" + path, overrides);
  const auto built = model::build(comm, description, {});
  const auto& analysis = std::get<model::DynamicsDescription>(description.analyses.front());
  analyses::Dynamics dynamics(built->system, model::dynamics_options(analysis, description.solver));
  dynamics.start();
  ModelRun run;
  record(dynamics, *built, run.history);
  base::Timer timer;
  while (!dynamics.is_done()) {
    dynamics.advance();
    if (dynamics.steps() % every == 0 || dynamics.is_done()) record(dynamics, *built, run.history);
  }
  run.microseconds_per_step = 1e6 * timer.seconds() / static_cast<double>(dynamics.steps());
  run.monitor = dynamics.monitor();
  run.n_velocities = built->system.layout().n_velocities();
  run.n_constraints = built->system.layout().n_constraints();
  run.statistics = dynamics.stepper().statistics();
  return run;
}

std::vector<double> sampled(const History& history, const std::string& column,
                            const std::vector<double>& t) {
  const std::vector<double>& x = history.at("time");
  const std::vector<double>& y = history.at(column);
  std::vector<double> result;
  for (double at : t) {
    const auto above = std::lower_bound(x.begin() + 1, x.end() - 1, at);
    const std::size_t i = above - x.begin();
    const double s = (at - x[i - 1]) / (x[i] - x[i - 1]);
    result.push_back(y[i - 1] + s * (y[i] - y[i - 1]));
  }
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0.0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::vector<std::vector<double>> read_columns(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::vector<double>> columns;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || std::isalpha(static_cast<unsigned char>(line[0])))
      continue;
    std::istringstream cells(line);
    std::size_t i = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++i) {
      if (i == columns.size()) columns.emplace_back();
      columns[i].push_back(std::stod(cell));
    }
  }
  return columns;
}

double largest_change(const std::vector<double>& x) {
  double largest = 0.0;
  for (double value : x) largest = std::max(largest, std::abs(value - x.front()));
  return largest;
}

double momentum_change(const ModelRun& run, const std::string& sensor) {
  double change = 0.0, size = 0.0;
  for (const char* axis : {".x", ".y", ".z"}) {
    const std::vector<double>& component = run.history.at(sensor + axis);
    change = std::hypot(change, largest_change(component));
    size = std::hypot(size, component.front());
  }
  return change / size;
}

}  // namespace solidyn::testing_support
