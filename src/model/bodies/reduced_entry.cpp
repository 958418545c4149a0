#include "model/bodies/reduced_entry.h"

#include <fmt/format.h>

#include "model/bodies/damping.h"
#include "model/bodies/materials.h"
#include "model/bodies/modes_of_body.h"
#include "model/loads/catalogue.h"

namespace solidyn::model {
namespace {

// What a reduced body brings along itself.
void warn_of_unused(const TableView& body) {
  for (const char* key : {"mesh_units", "material", "mass_matrix", "hex8", "hex20", "modes",
                          "damping", "interfaces", "points", "stress"})
    if (body.has(key))
      body.report().warning(
          body.where(key),
          fmt::format("{} is not used: the `reduced_body` contains its own", body.path(key)),
          "remove it, or reduce the body again with it");
}

std::string eigenmodes_in_words(int number, double up_to, const char* kind) {
  if (up_to > 0.0) return fmt::format("{} modes up to {:g} Hz", kind, up_to);
  return fmt::format("{} {} modes", number, kind);
}

}  // namespace

ReducedDescription::ReducedDescription() {
  basis.free_free = 0;  // modes are those that the file names
  basis.static_correction = reduction::StaticCorrection::at_interfaces;
}

Fields<ReducedDescription> ReducedDescription::source_fields() {
  using Self = ReducedDescription;
  return {
      field(
          Key("reduced_body", Form::path,
              "file written by `solidyn reduce`, instead of `mesh`: it also contains interfaces and points",
              "rod.sbody"),
          &Self::reduced_body),
      table_field(
          Key("import", Form::table, "imported modes or matrices, instead of `mesh` and `material`",
              "{modes: rod.op2, mesh: rod.bdf}")
              .holds(import_table()),
          ImportDescription::fields(), &Self::import)};
}

ReducedEntry::ReducedEntry() { mass = basis.mass; }

Fields<FlexibleDescription> ReducedEntry::element_fields() {
  return {material_field().of_derived<FlexibleDescription>(), mass_field(), hex8_field(),
          hex20_field()};
}

void ReducedEntry::check_source(const TableView& view, const Scope& scope) const {
  if (view.has("import")) return check_import(view);
  if (view.has("mesh") && view.has("reduced_body"))
    view.report().error(view.where("reduced_body"),
                        fmt::format("{} has both `mesh` and `reduced_body`", view.path()),
                        "keep one of them: a reduced body needs no mesh");
  else if (!view.has("mesh") && !view.has("reduced_body"))
    view.report().error(
        view.where(),
        fmt::format("{} is missing (type {} needs it)", view.path("mesh"), view.type()),
        "give a mesh file, for example  mesh: rod.msh, or a `reduced_body`");
  if (view.has("reduced_body")) warn_of_unused(view);
  check_mesh(view, scope);
}

void ReducedEntry::check_reduced(const TableView& view, const Scope& scope) {
  check_source(view, scope);
  brings_places_ = view.has("reduced_body") || view.has("import");
  const bool brings_interfaces = is_imported() || (import && !import->superelement.empty());
  check_modes_of_body(view, brings_interfaces, interfaces.size(), *this);
  warn_of_ratio_from(view);
}

bool ReducedEntry::has_open_places() const {
  return FlexibleEntry::has_open_places() || brings_places_;
}

std::vector<std::pair<std::string, std::filesystem::path>> ReducedEntry::files() const {
  auto files = FlexibleEntry::files();
  if (import)
    for (const auto& [key, file] : import->files()) files.emplace_back("import." + key, file);
  if (!reduced_body.empty()) files.emplace_back("reduced_body", reduced_body);
  return files;
}

Refusal ReducedEntry::refuses_supports() const {
  if (!import) return {};
  return {
      "is imported: its matrices or modes do not include this support",
      fmt::format(
          "define an interface there and hold it by a joint, for example  {{type: fixed, between: [ground, {}.<interface>]}}",
          name)};
}

Refusal ReducedEntry::refuses_own_modes() const {
  if (reduced_body.empty()) return {};
  return {"is a reduced body",
          "give a body with a `mesh`, or show the modes in the file by  solidyn info"};
}

std::string ReducedEntry::basis_in_words() const {
  std::string text = eigenmodes_in_words(basis.free_free, basis.free_free_up_to, "free-free");
  if (basis.fixed_interface > 0 || basis.fixed_interface_up_to > 0.0)
    text += ", " + eigenmodes_in_words(basis.fixed_interface, basis.fixed_interface_up_to,
                                       "fixed-interface");
  if (basis.constraint_modes == reduction::ConstraintModesAt::interfaces)
    text += ", constraint modes";
  if (!basis.static_loads.empty())
    text += fmt::format(", {} static loads", basis.static_loads.size());
  if (basis.static_correction == reduction::StaticCorrection::at_interfaces)
    text += " and static correction";
  if (basis.geometric_stiffening == reduction::GeometricStiffening::second_order)
    text += ", geometric stiffening";
  return text;
}

std::string ReducedEntry::in_words() const {
  if (!reduced_body.empty()) return reduced_body.filename().string();
  if (!import) return mesh_in_words() + ", " + basis_in_words();
  const std::string mesh_of_import =
      import->mesh.empty() ? "" : " on " + import->mesh.filename().string();
  return fmt::format("{}{}, {} interfaces", import->main_file().filename().string(), mesh_of_import,
                     interfaces.size());
}

reduction::ReductionOptions ReducedEntry::reduction_options(const ModelDescription& model) const {
  reduction::ReductionOptions options = basis;
  options.mass = mass;
  options.damping = damping;
  options.interfaces = interfaces;
  options.points = points;
  options.loads = load_definitions(model, *this);
  options.stress = stress;
  return options;
}

}  // namespace solidyn::model
