#include "model/joints/couplings.h"

#include <fmt/format.h>

#include "model/forces/force_entry.h"
#include "model/joints/catalogue.h"
#include "model/joints/joint_coordinates.h"
#include "solidyn/joints/coupler.h"

namespace solidyn::model {

const char* word_of_coordinate(JointFreedom freedom) {
  return freedom == JointFreedom::rotation ? "angle" : name(freedom);
}

std::string CouplingEntry::acts_on() const {
  std::string text = "couples";
  for (const CouplingTerm& term : terms)
    text += fmt::format(" {} of {}", word_of_coordinate(term.coordinate), term.joint);
  return text;
}

void CouplingEntry::add_term(const TableView& view, const char* key, const CouplingTerm& term,
                             const Names& names) {
  const JointTraits* joint = find_referred_traits(view, key, term.joint, names);
  if (!joint) return;
  if (joint->leaves_free(term.coordinate)) return terms.push_back(term);
  view.report().error(view.where(key),
                      fmt::format("{}: `{}` is of type {}, which has no {}", view.path(key),
                                  term.joint, joint->word, word_of_coordinate(term.coordinate)),
                      fmt::format("give a {} joint", joint_types_with({term.coordinate})));
}

void CouplingEntry::build(const Builder& builder) const {
  BuiltModel& built = builder.built;
  std::vector<joints::Coupler::Term> built_terms;
  for (const CouplingTerm& term : terms) {
    const auto [link, coordinate] = coordinate_along(term.joint, term.coordinate, built);
    built_terms.push_back({link, coordinate, term.factor, term.law});
  }
  built.joints[name] = built.system.add_constraint(
      std::make_unique<joints::Coupler>("joint " + name, std::move(built_terms), constant));
}

void refuse_zero(const TableView& view, const char* key) {
  if (view.is_good(key) && view.number(key) == 0.0)
    view.report().error(view.where(key), fmt::format("{} is 0", view.path(key)),
                        "0 couples nothing: give another number");
}

}  // namespace solidyn::model
