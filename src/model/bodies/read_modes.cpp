#include <fmt/format.h>

#include "model/read.h"

namespace solidyn::model {
namespace {

// Modes come by number or up to a frequency.
void reject_both(const TableView& modes, const std::string& number) {
  const std::string up_to = number + "_up_to";
  if (!modes.has(number) || !modes.has(up_to)) return;
  modes.report().error(modes.where(up_to),
                       fmt::format("{} has both `{}` and `{}`", modes.path(), number, up_to),
                       "keep one: the number of modes, or all up to a frequency");
}

reduction::StaticCorrection read_static_correction(const TableView& modes,
                                                   bool has_constraint_modes) {
  if (!modes.is_good("static_correction"))
    return has_constraint_modes ? reduction::StaticCorrection::none
                                : reduction::StaticCorrection::at_interfaces;
  return chosen<reduction::StaticCorrection>(
      modes.text("static_correction"),
      {{"at_interfaces", reduction::StaticCorrection::at_interfaces},
       {"residual_flexibility", reduction::StaticCorrection::at_interfaces},
       {"none", reduction::StaticCorrection::none}});
}

reduction::LoadPattern read_static_load(const std::string& name, const TableView& load) {
  using Kind = reduction::LoadPattern::Kind;
  reduction::LoadPattern pattern;
  pattern.name = name;
  const bool has_force = load.has("force");
  pattern.kind = has_force ? Kind::force : load.has("traction") ? Kind::traction : Kind::pressure;
  pattern.where = read_nodes(load.table(has_force ? "nodes" : "faces"));
  if (pattern.kind == Kind::pressure) return pattern;
  const std::string key = has_force ? "force" : "traction";
  pattern.direction = load.vector(key);
  if (load.is_good(key) && pattern.direction.isZero(0.0))
    load.report().error(load.where(key), fmt::format("{} is zero", load.path(key)),
                        "give the pattern a direction, for example  [0, 0, 1]");
  return pattern;
}

// Files of other programs may bring them: rigid elements, and the nodes of a superelement.
bool brings_interfaces(const FlexibleDescription& flexible) {
  return flexible.brings_interfaces || !flexible.imported.superelement.empty();
}

// Without interfaces there is nothing to hold or to load.
void reject_without_interfaces(const TableView& modes, const FlexibleDescription& flexible) {
  if (!flexible.interfaces.empty() || brings_interfaces(flexible)) return;
  for (const char* key : {"fixed_interface", "fixed_interface_up_to", "constraint_modes"}) {
    if (!modes.is_good(key) || modes.text(key) == "none" || modes.text(key) == "0") continue;
    modes.report().error(modes.where(key),
                         fmt::format("{} needs `interfaces`: the body has none", modes.path(key)),
                         "declare the places where joints attach under `interfaces`, or ask for "
                         "free_free modes");
  }
}

void reject_no_mode(const TableView& modes, const FlexibleDescription& flexible) {
  const ComponentModesDescription& component = flexible.component_modes;
  const bool has_eigenmodes = flexible.free_free_modes > 0 || component.free_free_up_to > 0.0 ||
                              component.fixed_interface > 0 ||
                              component.fixed_interface_up_to > 0.0;
  const bool has_interfaces = !flexible.interfaces.empty() || brings_interfaces(flexible);
  const bool has_static = !component.static_loads.empty() ||
                          (has_interfaces && flexible.static_correction ==
                                                 reduction::StaticCorrection::at_interfaces) ||
                          ((flexible.interfaces.size() > 1 || brings_interfaces(flexible)) &&
                           component.constraint_modes == reduction::ConstraintModesAt::interfaces);
  if (has_eigenmodes || has_static) return;
  for (const char* key : {"free_free", "free_free_up_to", "fixed_interface", "static_correction"})
    if (modes.has(key) && !modes.is_good(key)) return;  // has its own complaint
  modes.report().error(modes.where("free_free"),
                       fmt::format("{} leaves the body without any mode", modes.path()),
                       "ask for free-free modes, or write  type: rigid");
}

// Static answers and modes with held interfaces need the stiffness of the body.
void reject_beside_imported_modes(const TableView& modes, FlexibleDescription& flexible) {
  for (const char* key : {"fixed_interface", "fixed_interface_up_to", "constraint_modes",
                          "static_correction", "static_loads"}) {
    if (!modes.has(key) || modes.text(key) == "none" || modes.text(key) == "0") continue;
    modes.report().error(modes.where(key),
                         fmt::format("{} cannot be made from imported modes", modes.path(key)),
                         "import more modes, or the body's matrices: import: {stiffness: .., mass: "
                         "..}");
  }
  flexible.static_correction = reduction::StaticCorrection::none;
}

}  // namespace

void read_modes_of_body(const TableView& body, FlexibleDescription& flexible) {
  if (body.has("reduced_body")) return;
  const bool has_modes = body.has("import") && body.table("import").has("modes");
  if (has_modes && !body.has("modes")) {  // all that the file holds
    flexible.static_correction = reduction::StaticCorrection::none;
    return;
  }
  if ((body.has("mesh") || body.has("import")) && !body.has("modes")) {
    body.report().error(body.where(), fmt::format("{} is missing", body.path("modes")),
                        "say how many modes, for example  modes: {free_free: 8}");
    return;
  }
  const TableView modes = body.table("modes");
  ComponentModesDescription& component = flexible.component_modes;
  flexible.free_free_modes = modes.integer("free_free");
  component.free_free_up_to = modes.number("free_free_up_to");
  component.fixed_interface = modes.integer("fixed_interface");
  component.fixed_interface_up_to = modes.number("fixed_interface_up_to");
  component.cut_off = modes.number("cut_off");
  component.constraint_modes = chosen<reduction::ConstraintModesAt>(
      modes.text("constraint_modes"), {{"at_interfaces", reduction::ConstraintModesAt::interfaces},
                                       {"none", reduction::ConstraintModesAt::none}});
  flexible.static_correction = read_static_correction(
      modes, component.constraint_modes == reduction::ConstraintModesAt::interfaces);
  for (const auto& [name, load] : modes.tables("static_loads"))
    component.static_loads.push_back(read_static_load(name, load));

  if (has_modes) reject_beside_imported_modes(modes, flexible);

  reject_both(modes, "free_free");
  reject_both(modes, "fixed_interface");
  reject_without_interfaces(modes, flexible);
  if (!has_modes) reject_no_mode(modes, flexible);
}

}  // namespace solidyn::model
