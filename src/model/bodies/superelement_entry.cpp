#include "model/bodies/superelement_entry.h"

#include <fmt/format.h>

#include "model/bodies/modes_of_body.h"
#include "model/supports/build_supports.h"

namespace solidyn::model {

const Fields<SuperelementEntry>& SuperelementEntry::fields() {
  using Self = SuperelementEntry;
  static const Fields<Self> list = joined_fields(
      Fields<Self>{}, file_fields(), source_fields(), element_fields(),
      Fields<ReducedDescription>{modes_of_body_field()},
      Fields<Self>{field(
          Key("internal_modes", Form::integer,
              "eigenmodes with all interfaces fixed, in addition to the motion of the interfaces",
              "2")
              .within(kNotNegative)
              .or_default(),
          &Self::internal_modes)},
      shared_fields());
  return list;
}

void SuperelementEntry::check(const TableView& view, const Scope& scope) {
  check_reduced(view, scope);
  if (view.has("mesh") && !is_imported() && interfaces.size() < 2)
    view.report().error(view.where(),
                        fmt::format("{} is a superelement with {} interfaces: it needs two or more",
                                    view.path(), interfaces.size()),
                        "define them under `interfaces`, or write  type: modal");
}

const BodyTraits& SuperelementEntry::traits() const {
  static const BodyTraits traits = [] {
    BodyTraits superelement;
    superelement.has_passive_points = true;
    return superelement;
  }();
  return traits;
}

// Its nodes carry whole frames.
void SuperelementEntry::check_support(const TableView& view,
                                      const SupportDescription& support) const {
  const auto complain = [&](const char* key, const std::string& what, const std::string& remedy) {
    view.report().error(view.where(key),
                        fmt::format("{}: `{}` is a superelement, {}", view.path(key), name, what),
                        remedy);
  };
  if (!reduced_body.empty())
    complain(
        "body", "from a file that contains only its own interfaces",
        fmt::format(
            "constrain one of these by a joint: {{type: fixed, between: [ground, {}.<interface>]}}",
            name));
  else if (view.is_good("fix") && !(support.fixes[0] && support.fixes[1] && support.fixes[2]))
    complain("fix", "whose interfaces can only be constrained along x, y and z together",
             "write  fix: [x, y, z], or  type: modal  there");
  else if (support.moves)
    complain(
        "displacement", "whose supports cannot move",
        "define an interface there and move it by a joint with a drive, or write  type: modal  there");
}

Refusal SuperelementEntry::refuses_own_modes() const {
  return {"is a superelement, whose coordinates are not natural modes",
          "write  type: modal  there, or see `solidyn reduce`"};
}

std::vector<mesh::InterfaceDefinition> SuperelementEntry::held_interfaces(
    const ModelDescription& model) const {
  return support_interfaces(model, *this);
}

BodyType superelement_row() { return SuperelementEntry::row("superelement"); }

}  // namespace solidyn::model
