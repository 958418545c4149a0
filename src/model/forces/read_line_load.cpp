#include "model/forces/read_line_load.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

// Where it acts in the order of the beam's points, -1 after a complaint.
int find_point(const TableView& view, const std::string& name, const BodyDescription& body) {
  std::vector<std::string> known;
  for (const BeamPoint& point : body.beam.points) known.push_back(point.name);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return static_cast<int>(found - known.begin());
  view.report().error(
      view.where("between"),
      fmt::format("{}: the beam `{}` has no point `{}`", view.path("between"), body.name, name),
      suggestion(name, known, "there are"));
  return -1;
}

void read_between(const TableView& view, LoadDescription& load, const BodyDescription& body) {
  if (!view.is_good("between")) return;
  const std::vector<std::string> names = view.texts("between");
  load.between = {names[0], names[1]};
  const int from = find_point(view, names[0], body), to = find_point(view, names[1], body);
  if (from >= 0 && to >= 0 && from >= to)
    view.report().error(view.where("between"),
                        fmt::format("{}: {} does not come before {} along the beam",
                                    view.path("between"), names[0], names[1]),
                        "give them in the order of the beam's points");
}

// From 0 to 1; two points at the same place make a jump.
void read_factors(const TableView& view, LoadDescription& load) {
  if (!view.is_good("factors")) return;
  for (const Value& point : view.find("factors")->items)
    load.factors.push_back(
        {as_number(point.items[0]).value_or(0.0), as_number(point.items[1]).value_or(0.0)});
  const auto& f = load.factors;
  const bool grows =
      std::is_sorted(f.begin(), f.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  if (f.size() >= 2 && grows && f.front()[0] == 0.0 && f.back()[0] == 1.0) return;
  view.report().error(view.where("factors"),
                      fmt::format("{} must go from fraction 0 to fraction 1 without going back",
                                  view.path("factors")),
                      "write for example  factors: [[0, 1], [0.4, 0.2], [1, 0]]");
  load.factors.clear();
}

// Lines of a mesh have no order.
void refuse_parts_of_network(const TableView& view, const BodyDescription& body) {
  for (const char* key : {"between", "factors"})
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{}: the lines of `{}` come from a mesh, on all of which the "
                                      "load is the same",
                                      view.path(key), body.name),
                          "leave it out, or make a beam by points of the lines that it is for");
}

}  // namespace

void read_line_load(const TableView& view, LoadDescription& load, const ModelDescription& model,
                    const Names& names) {
  load.force = read_time_vector(view, "force");
  load.torque = read_time_vector(view, "torque");
  load.follows_body = view.text("axes") == "section";
  if (!view.has("force") && !view.has("torque"))
    view.report().error(view.where(), fmt::format("{} has neither force nor torque", view.path()),
                        "give one, for example  force: [0, \"-200*t\", 0]");
  read_factors(view, load);
  const BodyDescription* body = find_referred_body(view, "body", model);
  if (!body) return;
  load.body = body->name;
  if (body->type == BodyType::beam && body->flexible.brings_interfaces) {
    refuse_parts_of_network(view, *body);
  } else if (body->type == BodyType::beam) {
    read_between(view, load, *body);
  } else if (!names.untyped_bodies.count(body->name)) {
    view.report().error(
        view.where("body"),
        fmt::format("{}: `{}` is of type {}, and has no line to load", view.path("body"),
                    body->name, name(body->type)),
        "name a body of type beam; others take loads of type force, pressure or traction");
  }
}

}  // namespace solidyn::model
