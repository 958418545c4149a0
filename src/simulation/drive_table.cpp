#include "simulation/drive_table.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "simulation/sensor_rows.h"
#include "solidyn/base/mpi.h"
#include "solidyn/results/read_history.h"

namespace solidyn::simulation {
DriveTable::DriveTable(MPI_Comm comm, model::BuiltModel& built, const std::string& path,
                       std::optional<double> resume_at)
    : built_(built),
      columns_(columns_of(built.drives)),
      row_(static_cast<Eigen::Index>(columns_.size())),
      writer_(comm, path, columns_, resume_at) {
  add_drives();
  if (!resume_at || base::rank(comm) != 0 || !std::filesystem::exists(path)) return;
  const results::History earlier = results::read_history(path);
  for (Eigen::Index i = 0; i < earlier.time.size(); ++i)
    count(earlier.time[i], earlier.values.row(i));
}

void DriveTable::add_drives() {
  int column = 0;
  for (const analyses::Sensor& drive : built_.drives) {
    Demand demand{{}, -1, -1};
    for (const auto& c : drive.columns) {
      const bool is_power = c.unit == "W";
      (is_power ? demand.power : demand.effort) = column++;
      if (!is_power) demand.found.effort = c.unit == "N" ? "force" : "torque";
      demand.found.name = drive.columns.size() == 1 ? c.name : c.name.substr(0, c.name.rfind('.'));
    }
    demands_.push_back(demand);
  }
}

void DriveTable::write(const system::State& state) {
  read_sensors(built_.drives, built_.system, state, row_);
  writer_.write(state.t, row_);
  count(state.t, row_);
}

void DriveTable::count(double t, const Eigen::VectorXd& row) {
  const bool is_first = last_row_.size() == 0;
  if (is_first) begin_ = t;
  const double h = is_first ? 0.0 : t - last_;
  for (Demand& d : demands_) {
    const double power = row[d.power], before = is_first ? power : last_row_[d.power];
    d.found.work += 0.5 * h * (before + power);
    d.found.largest_power = is_first ? power : std::max(d.found.largest_power, power);
    d.found.smallest_power = is_first ? power : std::min(d.found.smallest_power, power);
    if (d.effort < 0) continue;
    const double effort = row[d.effort], first = is_first ? effort : last_row_[d.effort];
    d.square += h / 3.0 * (first * first + first * effort + effort * effort);
    if (is_first || std::abs(effort) > std::abs(d.found.largest)) {
      d.found.largest = effort;
      d.found.largest_at = t;
    }
  }
  last_ = t;
  last_row_ = row;
}

std::vector<results::RunSummary::Drive> DriveTable::demands() const {
  std::vector<results::RunSummary::Drive> found;
  for (const Demand& d : demands_) {
    found.push_back(d.found);
    found.back().rms =
        last_ > begin_ ? std::sqrt(d.square / (last_ - begin_)) : std::abs(d.found.largest);
  }
  return found;
}

std::vector<std::string> DriveTable::lines() const {
  std::vector<std::string> lines;
  for (const results::RunSummary::Drive& d : demands()) {
    const char* unit = d.effort == "force" ? "N" : "N m";
    const std::string effort =
        d.effort.empty() ? ""
                         : fmt::format("{} up to {:.4g} {} at t = {:.4g} s, rms {:.4g} {}; ",
                                       d.effort, d.largest, unit, d.largest_at, d.rms, unit);
    lines.push_back(fmt::format("drive {}: {}power {:.4g} to {:.4g} W, work {:.4g} J", d.name,
                                effort, d.smallest_power, d.largest_power, d.work));
  }
  return lines;
}

}  // namespace solidyn::simulation
