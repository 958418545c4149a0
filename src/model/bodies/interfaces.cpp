#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/flexible_entry.h"
#include "model/bodies/named_points.h"

namespace solidyn::model {
namespace {

using mesh::Attachment;

const Fields<mesh::InterfaceDefinition>& interface_fields() {
  using Self = mesh::InterfaceDefinition;
  static const Choice<Attachment> attachments = {{"three_nodes", Attachment::three_nodes},
                                                 {"rbe3", Attachment::rbe3},
                                                 {"rbe2", Attachment::rbe2},
                                                 {"virtual_body", Attachment::virtual_body},
                                                 {"node", Attachment::node}};
  static const Fields<Self> list = {
      field(Key("nodes", Form::table, "which nodes", "{near: [0, 0, 0]}")
                .holds(nodes_table())
                .needed(),
            &Self::nodes),
      field(
          Key("attach", Form::word,
              "how the frame of the interface follows its nodes: `three_nodes` (the triad of three nodes), `rbe3` (average motion of the region), `rbe2` (the region is rigid), `virtual_body` (a massless body tied to three nodes), `node` (one node; rotates with the elements around it)",
              "rbe3")
              .or_default(),
          attachments, &Self::attach)};
  return list;
}

// @pre the interfaces have been read
void read_tracked_points(FlexibleDescription& body, const TableView& view, const Scope&) {
  for (const NamedPoint& point : read_named_points(view, "points")) {
    const bool is_taken =
        std::any_of(body.interfaces.begin(), body.interfaces.end(),
                    [&](const auto& interface) { return interface.name == point.name; });
    if (is_taken)
      view.report().error(point.where,
                          fmt::format("{}.{} has the name of an interface of the same body",
                                      view.path("points"), point.name),
                          "rename one of them: both are referenced as body.name");
    body.points.push_back({point.name, point.x_B});
  }
}

}  // namespace

const TableSpec& interface_table() {
  static const TableSpec table{"interface",
                               "A named region of a flexible body to which joints attach.",
                               keys_of(interface_fields())};
  return table;
}

std::vector<NamedPoint> read_named_points(const TableView& view, const std::string& key) {
  std::vector<NamedPoint> points;
  const Value* map = view.find(key);
  if (!map) return points;
  for (const Entry& entry : map->entries) {
    NamedPoint point{entry.key, Eigen::Vector3d::Zero(), entry.where};
    if (entry.value.items.size() == 3)
      for (int i = 0; i < 3; ++i)
        point.x_B[i] = as_number(entry.value.items[i]).value_or(0.0) * view.scale(key);
    points.push_back(point);
  }
  return points;
}

Fields<FlexibleDescription> FlexibleDescription::place_fields() {
  using Self = FlexibleDescription;
  return {list_field(Key("interfaces", Form::named_tables, "named places for joints and sensors",
                         "{big_end: {nodes: {near: [0, 0, 0]}}}")
                         .holds(interface_table()),
                     interface_fields(), &Self::interfaces),
          read_by<Self>(Key("points", Form::named_vectors, "named points for sensors, in mesh axes",
                            "{midpoint: [0.15, 0, 0]}")
                            .in(kLength),
                        read_tracked_points)};
}

}  // namespace solidyn::model
