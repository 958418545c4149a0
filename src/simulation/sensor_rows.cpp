#include "simulation/sensor_rows.h"

namespace solidyn::simulation {

std::vector<results::HistoryColumn> history_columns(const model::BuiltModel& built) {
  std::vector<results::HistoryColumn> columns;
  for (const analyses::Sensor& sensor : built.sensors)
    for (const auto& column : sensor.columns) columns.push_back({column.name, column.unit});
  return columns;
}

void read_sensors(model::BuiltModel& built, const system::State& state, Eigen::VectorXd& row) {
  double* value = row.data();
  for (const analyses::Sensor& sensor : built.sensors) {
    sensor.read({built.system, state}, value);
    value += sensor.columns.size();
  }
}

}  // namespace solidyn::simulation
