#include "model/supports/support.h"

#include <fmt/format.h>

#include "model/bodies/body_entry.h"

namespace solidyn::model {
namespace {

void check_body(const TableView& view, const SupportDescription& support, const Scope& scope) {
  const BodyEntry* body = scope.model.find_body(support.body);
  if (!body) return;
  if (const Refusal refusal = body->refuses_supports())
    view.report().error(view.where("body"),
                        fmt::format("{}: `{}` {}", view.path("body"), body->name, refusal.why),
                        refusal.remedy);
  else
    body->check_support(view, support);
}

bool is_plain_zero(const Value& item) { return as_number(item).value_or(1.0) == 0.0; }

// Whether something moves, and what would without effect. @pre the other keys were read
void find_motion(const TableView& view, SupportDescription& support) {
  support.moves = false;
  if (!view.is_good("displacement")) return;
  const Value& list = *view.find("displacement");
  for (std::size_t i = 0; i < list.items.size() && i < 3; ++i) {
    if (is_plain_zero(list.items[i])) continue;
    if (support.fixes[i])
      support.moves = true;
    else if (view.is_good("fix"))
      view.report().warning(list.items[i].where,
                            fmt::format("{}: its {} has no effect: `fix` does not contain it",
                                        view.path("displacement"), "xyz"[i]),
                            "write 0 there, or add it to `fix`");
  }
}

void read_supported_body(SupportDescription& support, const TableView& view, const Scope& scope) {
  if (const BodyEntry* body = find_referred_body(view, "body", scope)) support.body = body->name;
}

void read_fixes(SupportDescription& support, const TableView& view, const Scope&) {
  for (const std::string& axis : view.texts("fix")) support.fixes[axis[0] - 'x'] = true;
}

// @pre the body was read
void read_axes(SupportDescription& support, const TableView& view, const Scope& scope) {
  Eigen::Quaterniond axes = read_rotation(view.table("rotation"), scope);
  const BodyEntry* body = scope.model.find_body(support.body);
  if (body && view.text("axes") == "body") axes = body->pose.rotation * axes;
  support.axes = axes.normalized().toRotationMatrix();
}

const Fields<SupportDescription>& support_fields() {
  using Self = SupportDescription;
  static const Fields<Self> list = {
      read_by<Self>(Key("body", Form::reference, "the body", "beam").needed(), read_supported_body),
      field(
          Key("nodes", Form::table, "which nodes", "{in_set: root}").holds(nodes_table()).needed(),
          &bodies::Support::nodes)
          .of_derived<Self>(),
      read_by<Self>(Key("fix", Form::words, "the components that are prescribed", "[x, y, z]")
                        .among({"x", "y", "z"})
                        .needed(),
                    read_fixes),
      read_by<Self>(
          Key("axes", Form::word,
              "axes of `fix` and `displacement`: of the `world`, or of the `body` as placed at t = 0; they do not rotate with it",
              "body")
              .among({"world", "body"})
              .or_else("world"),
          read_axes),
      read_elsewhere<Self>(Key("rotation", Form::table,
                               "rotation of these axes, for skew directions",
                               "{axis: [0, 0, 1], angle: 0.52}")
                               .holds(rotation_table())),
      field(
          Key("displacement", Form::time_vector,
              "prescribed displacement of the nodes, relative to the body as placed; not for `superelement` bodies",
              "[0, 0, \"0.01*t\"]")
              .in(kLength)
              .or_default(),
          &bodies::Support::displacement)
          .of_derived<Self>()};
  return list;
}

}  // namespace

const TableSpec& support_table() {
  static const TableSpec table{
      "support",
      "Nodes of a body whose displacements are prescribed along fixed axes (types `modal`, `rigid` with a mesh, `corotational`, `inertial`; `superelement` along all three). Bodies of the other types are constrained by joints.",
      keys_of(support_fields())};
  return table;
}

std::vector<SupportDescription> read_supports(const TableView& file, const Scope& scope) {
  std::vector<SupportDescription> supports;
  for (const auto& [name, view] : file.tables("supports")) {
    SupportDescription support;
    support.name = name;
    support.where = view.where();
    read_fields(support_fields(), view, scope, support);
    find_motion(view, support);
    check_body(view, support, scope);
    supports.push_back(std::move(support));
  }
  return supports;
}

void visit_laws(const SupportDescription& support, const LawVisitor& visit) {
  visit_laws(support_fields(), support, visit);
}

}  // namespace solidyn::model
