#include "model/read_expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "model/key.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

/// A column of the history as a variable of a formula.
struct Column {
  std::string name;
  const SensorDescription* sensor;
  int component;
};

/// What its values measure; nothing for sensors that a force cannot depend on.
std::optional<Quantity> quantity_of(const SensorDescription& sensor) {
  switch (sensor.type) {
    case SensorType::position:
      return kLength;
    case SensorType::relative_displacement:
      return sensor.normalised_by == 1.0 ? kLength : Quantity{};
    case SensorType::velocity:
      return kVelocity;
    case SensorType::orientation:
    case SensorType::joint_angle:
      return kAngle;
    case SensorType::angular_velocity:
      return kAngularVelocity;
    default:
      return {};
  }
}

bool can_be_variable(const std::string& name) {
  return name != "t" && name != "pi" && name != "e" &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

std::vector<Column> columns_of(const std::vector<SensorDescription>& sensors) {
  std::vector<Column> columns;
  for (const SensorDescription& sensor : sensors) {
    if (!can_be_variable(sensor.name)) continue;
    if (sensor.components.size() < 2)
      columns.push_back({sensor.name, &sensor, 0});
    else
      for (std::size_t i = 0; i < sensor.components.size(); ++i)
        columns.push_back(
            {sensor.name + "." + name(sensor.components[i]), &sensor, static_cast<int>(i)});
  }
  return columns;
}

class Reader {
 public:
  Reader(const TableView& view, const std::vector<SensorDescription>& sensors)
      : view_(view), columns_(columns_of(sensors)), is_used_(columns_.size(), false) {
    names_.push_back("t");
    for (const Column& column : columns_) names_.push_back(column.name);
  }

  ExpressionDescription read() {
    const Units& units = view_.context().units;
    ExpressionDescription d;
    d.t_scale = units.time;
    d.force_scale = units.force;
    d.torque_scale = units.force * units.length;
    d.is_in_body_axes = view_.text("axes") == "body";
    read_vector("force", 0, d);
    read_vector("torque", 3, d);
    keep_used(d);
    return d;
  }

 private:
  void read_vector(const std::string& key, int first, ExpressionDescription& d) {
    if (!view_.is_good(key)) return;
    const std::vector<Value>& items = view_.find(key)->items;
    for (int i = 0; i < 3; ++i) {
      const Value& item = items[i];
      if (const auto number = as_number(item); number && *number == 0.0) continue;
      const std::string path = fmt::format("component {} of {}", i + 1, view_.path(key));
      try {
        d.components[first + i] = math::Expression(item.text, names_);
        check_sensors(*d.components[first + i], path, item.where);
      } catch (const base::InputError& error) {
        for (const base::Diagnostic& e : error.diagnostics())
          view_.report().error(item.where, fmt::format("{}: {}", path, e.what), e.remedy);
      }
    }
  }

  void check_sensors(const math::Expression& expression, const std::string& path,
                     const base::SourceLocation& where) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!expression.uses(static_cast<int>(i) + 1)) continue;
      is_used_[i] = true;
      const SensorDescription& sensor = *columns_[i].sensor;
      if (!quantity_of(sensor))
        view_.report().error(
            where,
            fmt::format("{}: `{}` is a sensor of type {}, on which a force cannot depend", path,
                        columns_[i].name, name(sensor.type)),
            "use sensors of type position, velocity, orientation, angular_velocity, joint_angle "
            "or relative_displacement");
    }
  }

  /// Formulas of t and the variables that are there alone.
  void keep_used(ExpressionDescription& d) const {
    std::vector<std::string> names{"t"};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!is_used_[i]) continue;
      const Column& column = columns_[i];
      const Quantity quantity = quantity_of(*column.sensor).value_or(Quantity{});
      names.push_back(column.name);
      d.variables.push_back(
          {column.sensor->name, column.component, view_.context().units.scale(quantity)});
    }
    for (auto& component : d.components)
      if (component) component = math::Expression(component->text(), names);
  }

  const TableView& view_;
  std::vector<Column> columns_;
  std::vector<bool> is_used_;
  std::vector<std::string> names_;
};

}  // namespace

ExpressionDescription read_expressions(const TableView& view,
                                       const std::vector<SensorDescription>& sensors) {
  return Reader(view, sensors).read();
}

}  // namespace solidyn::model
