#include "simulation/sensor_rows.h"

namespace solidyn::simulation {

std::vector<results::HistoryColumn> columns_of(const std::vector<analyses::Sensor>& sensors) {
  std::vector<results::HistoryColumn> columns;
  for (const analyses::Sensor& sensor : sensors)
    for (const auto& column : sensor.columns) columns.push_back({column.name, column.unit});
  return columns;
}

void read_sensors(const std::vector<analyses::Sensor>& sensors, system::System& system,
                  const system::State& state, Eigen::VectorXd& row) {
  double* value = row.data();
  for (const analyses::Sensor& sensor : sensors) {
    sensor.read({system, state}, value);
    value += sensor.columns.size();
  }
}

}  // namespace solidyn::simulation
