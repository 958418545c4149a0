#pragma once
#include <functional>

#include "model/language/field.h"
#include "model/read.h"

namespace solidyn::model {

/// A row of the catalogue: an analysis of the list `analyses`.
struct AnalysisType {
  const char* word;
  const char* meaning;
  const char* example;
  const TableSpec* table;
  std::function<AnalysisDescription(const TableView&, const Scope&)> read;
};

/// `stop_when` of analyses with a motion.
KeySpec stop_key();
void read_stop_conditions(const TableView& view, const Scope& scope,
                          std::vector<StopCondition>& conditions);

/// `duration`, `step` and `stop_when` of analyses whose drives determine the motion.
/// @param step  what that is
Fields<DynamicsDescription> driven_motion_fields(const char* step);

/// `start` of analyses that integrate a motion.
KeySpec start_key();
void read_start(const TableView& view, const Scope& scope, DynamicsDescription& motion);

/// A step longer than the duration.
void check_step(const TableView& view, const analyses::DynamicsOptions& options);

}  // namespace solidyn::model
