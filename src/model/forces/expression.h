#pragma once
#include <array>
#include <optional>

#include "model/forces/force_places.h"
#include "solidyn/math/function_of_variables.h"
#include "solidyn/model/sensor_variable.h"

namespace solidyn::model {

/// A force and a torque whose components are formulas of t and of sensors, in the file's units.
struct ExpressionEntry final : ForceEntryOf<ExpressionEntry> {
  PlaceDescription at, reaction_on;       ///< the reaction by default on the ground
  std::vector<SensorVariable> variables;  ///< of the formulas, after t
  /// Force x, y, z, torque x, y, z; empty where there is none.
  std::array<std::optional<math::FunctionOfVariables>, 6> components;
  double t_scale = 1.0, force_scale = 1.0, torque_scale = 1.0;
  bool is_in_body_axes = false;

  static const Fields<ExpressionEntry>& fields();
  void check(const TableView& view, const Scope& scope) const;
  std::string acts_on() const override { return reaction_on.text() + " - " + at.text(); }
  std::vector<PlaceDescription> places() const override { return {reaction_on, at}; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

}  // namespace solidyn::model
