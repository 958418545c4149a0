#include "model/loads/on_mesh.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/forces/force_entry.h"
#include "solidyn/bodies/nodal_body.h"

namespace solidyn::model {
namespace {

using reduction::LoadRows;

void read_loaded_body(MeshPlace& load, const TableView& view, const Scope& scope) {
  const BodyEntry* body = find_referred_body(view, "body", scope);
  if (!body) return;
  load.body = body->name;
  if (!body->traits().takes_loads_on_mesh)
    view.report().error(
        view.where("body"),
        fmt::format("{}: `{}` is of type {}, whose nodes cannot be loaded", view.path("body"),
                    body->name, body->type),
        "write  type: modal,  floating_frame,  corotational  or  inertial  there, or apply the load to one of its places (type: force)");
}

Field<MeshPlace> loaded_body() {
  return read_by<MeshPlace>(Key("body", Form::reference, "the body", "wing").needed(),
                            read_loaded_body);
}

const std::vector<LoadRows>& loads_of(const BuiltBody& body) {
  return body.reduced ? body.reduced->loads : body.nodal->loads();
}

// A reduced-body file has the loads of the model that it was reduced for.
const LoadRows& find_rows(const LoadOnMesh& load, const ModelDescription& model,
                          const BuiltBody& body) {
  const std::vector<LoadRows>& loads = loads_of(body);
  const auto found = std::find_if(loads.begin(), loads.end(),
                                  [&](const LoadRows& rows) { return rows.name == load.name; });
  const bool is_known = found != loads.end();
  if (is_known && found->digest == digest(*load.definition(body.name))) return *found;
  const std::string file = model.find_body(body.name)->reduced_file().string();
  throw base::InputError(
      fmt::format("loads.{}: the reduced body {} {}", load.name, file,
                  is_known ? "contains a load of this name on other nodes or faces"
                           : "was created without this load and lacks its nodes or faces"),
      fmt::format(
          "reduce `{}` again from a model with this load, or give its mesh instead of reduced_body",
          body.name),
      load.where);
}

}  // namespace

Fields<MeshPlace> MeshPlace::fields_on_nodes() {
  return {
      loaded_body(),
      field(Key("nodes", Form::table, "the nodes", "{in_set: edge}").holds(nodes_table()).needed(),
            &MeshPlace::nodes)};
}

Fields<MeshPlace> MeshPlace::fields_on_faces() {
  return {loaded_body(), field(Key("faces", Form::table,
                                   "the outer faces whose nodes are all selected", "{in_set: skin}")
                                   .holds(nodes_table())
                                   .needed(),
                               &MeshPlace::nodes)};
}

std::optional<reduction::LoadDefinition> LoadOnMesh::definition(const std::string& of_body) const {
  if (of_body != body) return {};
  return reduction::LoadDefinition{name, kind(), nodes};
}

std::optional<bodies::SolidLoad> LoadOnMesh::on_solid(const std::string& of_body) const {
  if (of_body != body) return {};
  bodies::SolidLoad load;
  static_cast<reduction::LoadDefinition&>(load) = *definition(of_body);
  set_values(load);
  return load;
}

std::unique_ptr<forces::Force> LoadOnMesh::build(const Builder& builder) const {
  const auto& bodies = builder.built.bodies;
  const auto on = std::find_if(bodies.begin(), bodies.end(),
                               [&](const BuiltBody& candidate) { return candidate.name == body; });
  if (builder.model.find_body(body)->traits().has_absolute_nodes) return nullptr;
  return build_rows(*on, find_rows(*this, builder.model, *on), builder);
}

std::string VectorOnMesh::acts_on() const {
  return LoadOnMesh::acts_on() + (axes == Axes::frame ? ", follows" : "");
}

Field<MeshVector> MeshVector::field_of_axes() {
  static const Choice<Axes> axes_of = {{"world", Axes::world}, {"body", Axes::frame}};
  return field(
      Key("axes", Form::word,
          "axes of the components: of the `world`, or of the place or body (`body`), following its rotation; nodes in absolute coordinates have no axes",
          "body")
          .or_default(),
      axes_of, &MeshVector::axes);
}

void VectorOnMesh::check(const TableView& view, const Scope& scope) const {
  const BodyEntry* on = scope.model.find_body(body);
  if (on && axes == Axes::frame && on->traits().has_absolute_nodes)
    view.report().error(view.where("axes"),
                        fmt::format("{}: the nodes of `{}`, of type {}, have no axes",
                                    view.path("axes"), body, on->type),
                        "remove it, or apply the load to an interface (type: force, axes: body)");
}

// The rows are those of a point without axes of its own: on a body with a frame, "its axes" are the
// body's.
std::unique_ptr<forces::Force> VectorOnMesh::build_rows(const BuiltBody& on, const LoadRows& rows,
                                                        const Builder& builder) const {
  bodies::Frame frame;
  frame.name = "load " + name;
  frame.body = on.index;
  frame.x_B = rows.x_B;
  frame.Psi_t = rows.rows;
  frame.Y_t = rows.Y;
  return std::make_unique<forces::FrameLoad>(name, builder.built.system.add_frame(std::move(frame)),
                                             on.index, axes, force, forces::VectorFunction(),
                                             rows.amount);
}

}  // namespace solidyn::model
