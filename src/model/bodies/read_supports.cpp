#include <fmt/format.h>

#include <algorithm>

#include "model/read.h"

namespace solidyn::model {
namespace {

/// Why nodes of a body cannot be held, and what to do.
struct Refusal {
  std::string why, remedy;
};

Refusal refusal_of(const BodyDescription& body) {
  const std::string type =
      fmt::format("is of type {}, whose nodes cannot be held", name(body.type));
  const char* at_interface =
      "declare an interface there and hold it by a joint, for example  {type: fixed, between: "
      "[ground, ";
  switch (body.type) {
    case BodyType::rigid:
      return {type, fmt::format("hold the body by a joint, for example  {{type: fixed, between: "
                                "[ground, {}]}}",
                                body.name)};
    case BodyType::beam:
      return {type, fmt::format("hold one of its points by a joint, for example  {{type: fixed, "
                                "between: [ground, {}.<point>]}}",
                                body.name)};
    case BodyType::floating_frame:
      return {type, fmt::format("write  type: modal,  corotational  or  inertial  there, or {}{}."
                                "<interface>]}}",
                                at_interface, body.name)};
    case BodyType::modal:
    case BodyType::superelement:
      if (body.flexible.imported.is_given)
        return {"is imported: its matrices or modes are those of the body without this support",
                fmt::format("{}{}.<interface>]}}", at_interface, body.name)};
      break;
    case BodyType::corotational:
    case BodyType::inertial:
      break;
  }
  return {};
}

/// What a superelement's nodes, which carry whole frames, ask of a support.
void check_superelement(const TableView& view, const SupportDescription& support,
                        const BodyDescription& body) {
  const auto complain = [&](const char* key, const std::string& what, const std::string& remedy) {
    view.report().error(
        view.where(key),
        fmt::format("{}: `{}` is a superelement, {}", view.path(key), body.name, what), remedy);
  };
  if (!body.flexible.reduced_body.empty())
    complain("body", "of a file that knows its own interfaces alone",
             fmt::format("hold one of these by a joint: {{type: fixed, between: [ground, "
                         "{}.<interface>]}}",
                         body.name));
  else if (view.is_good("fix") && !(support.fixes[0] && support.fixes[1] && support.fixes[2]))
    complain("fix", "whose interfaces are held along x, y and z or not at all",
             "write  fix: [x, y, z], or  type: modal  there");
  else if (support.moves)
    complain("displacement", "whose supports stand still",
             "declare an interface there and move it by a joint with a drive, or write  type: "
             "modal  there");
}

void check_modal(const TableView& view, const BodyDescription& body) {
  if (body.flexible.geometric_stiffening == reduction::GeometricStiffening::second_order)
    view.report().error(
        view.where("body"),
        fmt::format("{}: `{}` has geometric_stiffening: second_order, which is not known of nodes "
                    "that a support holds",
                    view.path("body"), body.name),
        "declare an interface there with  attach: rbe2  and hold it by a joint");
}

/// The body of a support on nodes.
std::string read_supported_body(const TableView& view, const SupportDescription& support,
                                const BodyDescription* body, const Names& names) {
  if (!body) return {};
  if (names.untyped_bodies.count(body->name)) return body->name;
  const Refusal refusal = refusal_of(*body);
  if (!refusal.why.empty())
    view.report().error(view.where("body"),
                        fmt::format("{}: `{}` {}", view.path("body"), body->name, refusal.why),
                        refusal.remedy);
  else if (body->type == BodyType::superelement)
    check_superelement(view, support, *body);
  else if (body->type == BodyType::modal)
    check_modal(view, *body);
  return body->name;
}

bool is_plain_zero(const Value& item) { return as_number(item).value_or(1.0) == 0.0; }

void read_displacement(const TableView& view, SupportDescription& support) {
  support.displacement = read_time_vector(view, "displacement");
  if (!view.is_good("displacement")) return;
  const Value& list = *view.find("displacement");
  for (std::size_t i = 0; i < list.items.size() && i < 3; ++i) {
    if (is_plain_zero(list.items[i])) continue;
    if (support.fixes[i])
      support.moves = true;
    else if (view.is_good("fix"))
      view.report().warning(list.items[i].where,
                            fmt::format("{}: its {} has no effect: `fix` does not name it",
                                        view.path("displacement"), "xyz"[i]),
                            "write 0 there, or add it to `fix`");
  }
}

Eigen::Matrix3d read_axes(const TableView& view, const BodyDescription* body) {
  Eigen::Quaterniond axes = read_rotation(view.table("rotation"));
  if (body && view.text("axes") == "body") axes = body->pose.rotation * axes;
  return axes.normalized().toRotationMatrix();
}

}  // namespace

std::vector<SupportDescription> read_supports(const TableView& file, const ModelDescription& model,
                                              const Names& names) {
  std::vector<SupportDescription> supports;
  for (const auto& [name, view] : file.tables("supports")) {
    SupportDescription support;
    support.name = name;
    support.where = view.where();
    support.nodes = read_nodes(view.table("nodes"));
    for (const std::string& axis : view.texts("fix")) support.fixes[axis[0] - 'x'] = true;
    read_displacement(view, support);
    const BodyDescription* body = find_referred_body(view, "body", model);
    support.axes = read_axes(view, body);
    support.body = read_supported_body(view, support, body, names);
    supports.push_back(std::move(support));
  }
  return supports;
}

}  // namespace solidyn::model
