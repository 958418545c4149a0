#include "model/forces/springs.h"

#include <fmt/format.h>

#include "model/analyses/read_table.h"

namespace solidyn::model {

const SpringKeys& along_a_line() {
  static const SpringKeys keys{
      "free_length", "force_by_extension", "force_by_rate", "force", kLength, kVelocity, kForce};
  return keys;
}

const SpringKeys& along_a_slide() {
  static const SpringKeys keys{
      "free_position", "force_by_extension", "force_by_rate", "force", kLength, kVelocity, kForce};
  return keys;
}

const SpringKeys& about_an_axis() {
  static const SpringKeys keys{"free_angle", "torque_by_angle", "torque_by_rate", "torque",
                               kAngle,       kAngularVelocity,  kTorque};
  return keys;
}

std::optional<math::Curve> read_curve(const TableView& view, const std::string& key,
                                      const Quantity& x, const Quantity& y) {
  if (!view.is_good(key)) return {};
  const Units& units = view.context().units;
  const TableView table = view.table(key);
  try {
    TableContent content = read_table(table, {units.scale(x), units.scale(y), x.si, y.si});
    return math::Curve(std::move(content.x), std::move(content.y), content.interpolation,
                       content.ends);
  } catch (const base::InputError& error) {
    const char* points = table.has("file") ? "file" : "table";
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(table.where(points), fmt::format("{}: {}", table.path(points), d.what),
                          d.remedy);
  }
  return {};
}

std::optional<forces::SpringDamper::Formula> read_spring_formula(const TableView& view,
                                                                 const std::string& key,
                                                                 const Quantity& x,
                                                                 const Quantity& effort) {
  if (!view.is_good(key)) return {};
  const Units& units = view.context().units;
  try {
    return forces::SpringDamper::Formula{math::Expression(view.text(key), {"x", "v", "t"}),
                                         units.scale(x), units.time, units.scale(effort)};
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(view.where(key), fmt::format("{}: {}", view.path(key), d.what), d.remedy);
  }
  return {};
}

const char* SpringLaw::drawn_as() const {
  const bool is_spring = options.stiffness != 0.0 || options.by_extension || options.formula;
  const bool is_damper = options.damping != 0.0 || options.by_rate;
  return is_spring ? "spring" : is_damper ? "damper" : "force";
}

void SpringLaw::check(const TableView& view, const SpringKeys& keys) const {
  if (view.has_any({"stiffness", "damping", "preload", keys.by_extension, keys.by_rate,
                    keys.formula, "actuator"}))
    return;
  view.report().error(
      view.where(), fmt::format("{} has no force", view.path()),
      fmt::format("give `stiffness`, `damping`, `preload`, `{}`, `{}`, `{}` or `actuator`",
                  keys.by_extension, keys.by_rate, keys.formula));
}

}  // namespace solidyn::model
