#pragma once
#include "solidyn/model/build.h"
#include "solidyn/results/history.h"

namespace solidyn::simulation {

/// The columns of a run's history.csv: those of the model's sensors, in order.
std::vector<results::HistoryColumn> history_columns(const model::BuiltModel& built);

/// Collective. What the sensors read at `state`, for which the system and its frame accelerations
/// are current. @param[out] row [n columns]
void read_sensors(model::BuiltModel& built, const system::State& state, Eigen::VectorXd& row);

}  // namespace solidyn::simulation
