#include "model/bodies/catalogue.h"

#include <fmt/format.h>

#include "model/language/type_table.h"

namespace solidyn::model {

// Each in the file of its name, but for the beam.
BodyType rigid_row();
BodyType modal_row();
BodyType superelement_row();
BodyType floating_frame_row();
BodyType corotational_row();
BodyType inertial_row();
BodyType beam_row();  // beams/beam_entry.cpp

const std::vector<BodyType>& body_catalogue() {
  static const std::vector<BodyType> catalogue = {
      rigid_row(),        modal_row(),    superelement_row(), floating_frame_row(),
      corotational_row(), inertial_row(), beam_row()};
  return catalogue;
}

const BodyType* find_body_type(const std::string& word) { return find_row(body_catalogue(), word); }

const TableSpec& body_table() {
  static const TableSpec table = [] {
    Words words;
    for (const BodyType& type : body_catalogue()) words.push_back(type.word);
    TableSpec bodies = table_of_types(
        "body",
        "A body. Keys of other types are ignored with a warning, so that only `type` has to be changed.",
        Key("type", Form::word,
            "`rigid`; `modal` (floating frame, deformation by modes); `superelement` (deformation by the motion of its interfaces, which are nodes shared between bodies); `floating_frame` (all nodal displacements kept); `corotational` (nodes in absolute coordinates, small strain in elements with large rotation), `inertial` (the same, large strain); `beam` (slender parts with large deflections)",
            "rigid")
            .among(words)
            .needed(),
        body_catalogue(), keys_of(BodyPlacement::fields()));
    bodies.ignores_keys_of_other_types = true;
    return bodies;
  }();
  return table;
}

namespace {

void refuse_empty(const TableView& file) {
  const Value* map = file.find("bodies");
  const bool is_empty = map && map->entries.empty() &&
                        (map->kind == Value::Kind::map || map->kind == Value::Kind::null);
  if (is_empty)
    file.report().error(file.where("bodies"), "bodies is empty", "define at least one body");
}

void refuse_ground(const std::string& name, const TableView& view) {
  if (name == "ground")
    view.report().error(view.where(), "bodies.ground: `ground` is the name of the fixed world",
                        "choose another name");
}

// Of a wrong type: what is wrong beside.
void check_placement(const TableView& view, const Scope& scope) {
  BodyPlacement placement;
  read_fields(BodyPlacement::fields(), view, scope, placement);
}

// A shape is drawn in the body's axes.
void refuse_shape_without_axes(const BodyEntry& body, const TableView& view) {
  if (body.appearance.shape == Appearance::Shape::none) return;
  if (!body.traits().has_absolute_nodes && !body.beam()) return;
  const TableView table = view.table("appearance");
  table.report().error(
      table.where("shape"),
      fmt::format("{}: a body of type {} has no axes of its own that a shape could turn with",
                  table.path("shape"), body.type),
      "remove it: the body is drawn by its own surface");
}

// Others are drawn by their own mesh.
void refuse_surface_of_others(const BodyEntry& body, const TableView& view) {
  if (body.appearance.surface.empty() || body.traits().carries_frames) return;
  const TableView table = view.table("appearance");
  table.report().error(
      table.where("surface"),
      fmt::format("{}: `{}` is drawn by its own mesh", table.path("surface"), body.name),
      "remove it: it is for rigid bodies without a mesh");
}

}  // namespace

void read_body_names(const TableView& file, Names& names) {
  for (const auto& [name, view] : file.tables("bodies"))
    if (!find_body_type(view.type())) names.open_bodies.insert(name);
}

std::vector<std::shared_ptr<const BodyEntry>> read_bodies(const TableView& file,
                                                          const Scope& scope) {
  std::vector<std::shared_ptr<const BodyEntry>> bodies;
  refuse_empty(file);
  for (const auto& [name, view] : file.tables("bodies")) {
    refuse_ground(name, view);
    const BodyType* type = find_body_type(view.type());
    if (!type) {  // the grammar has complained
      check_placement(view, scope);
      continue;
    }
    const std::shared_ptr<BodyEntry> body = type->read(view, scope);
    read_fields(BodyPlacement::fields(), view, scope, static_cast<BodyPlacement&>(*body));
    body->name = name;
    body->type = type->word;
    body->where = view.where();
    refuse_shape_without_axes(*body, view);
    refuse_surface_of_others(*body, view);
    bodies.push_back(body);
  }
  return bodies;
}

}  // namespace solidyn::model
