#pragma once
#include "solidyn/model/build.h"
#include "solidyn/results/history.h"

namespace solidyn::simulation {

/// The columns of a table of sensors, in order: those of the model make history.csv.
std::vector<results::HistoryColumn> columns_of(const std::vector<analyses::Sensor>& sensors);

/// Collective. What sensors read at `state`, for which the system and its frame accelerations are
/// current. @param[out] row [n columns]
void read_sensors(const std::vector<analyses::Sensor>& sensors, system::System& system,
                  const system::State& state, Eigen::VectorXd& row);

}  // namespace solidyn::simulation
