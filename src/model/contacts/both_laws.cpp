#include "model/contacts/both_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "model/contacts/contact_groups.h"

namespace solidyn::model {
namespace {

using Places = std::vector<const PlaceDescription*>;

bool are_shapes_alike(const ContactShapeDescription& a, const ContactShapeDescription& b) {
  return a.at == b.at && a.axis == b.axis && a.is_points == b.is_points &&
         a.shape.index() == b.shape.index();
}

// Which of the two shapes a side of the contact has; of one set both have the first.
const ContactShapeDescription& shape_of(const ContactDescription& contact, int side) {
  const bool is_one_set = contact.is_group && contact.shapes[1].places.empty();
  return contact.shapes[is_one_set ? 0 : side];
}

Places places_of(const ContactDescription& contact, int side) {
  if (!contact.is_group) return {&contact.between[side]};
  Places places;
  for (const PlaceDescription& place : shape_of(contact, side).places) places.push_back(&place);
  return places;
}

// Places of a side of one contact on which a side of another has the same surface.
Places common_places(const ContactDescription& a, int i, const ContactDescription& b, int j) {
  if (!are_shapes_alike(shape_of(a, i), shape_of(b, j))) return {};
  std::map<std::string, const PlaceDescription*> of_a;
  for (const PlaceDescription* place : places_of(a, i)) of_a[place->text()] = place;
  Places common;
  for (const PlaceDescription* place : places_of(b, j))
    if (const auto found = of_a.find(place->text()); found != of_a.end())
      common.push_back(found->second);
  return common;
}

const std::string& body_of(const PlaceDescription& place) {
  static const std::string ground = "ground";
  return place.body.empty() ? ground : place.body;
}

bool ignores(const ContactDescription& contact, const PlaceDescription& p,
             const PlaceDescription& q) {
  return std::any_of(contact.ignore.begin(), contact.ignore.end(), [&](const auto& pair) {
    return (matches(pair[0], body_of(p)) && matches(pair[1], body_of(q))) ||
           (matches(pair[0], body_of(q)) && matches(pair[1], body_of(p)));
  });
}

using Pair = std::pair<const PlaceDescription*, const PlaceDescription*>;

std::optional<Pair> common_pair(const ContactDescription& a, const ContactDescription& b) {
  const bool is_group = a.is_group || b.is_group;
  for (const int other : {0, 1}) {
    const Places first = common_places(a, 0, b, other);
    if (first.empty()) continue;
    const Places second = common_places(a, 1, b, 1 - other);
    for (const PlaceDescription* p : first)
      for (const PlaceDescription* q : second)
        if (!is_group || (p->body != q->body && !ignores(a, *p, *q) && !ignores(b, *p, *q)))
          return Pair(p, q);
  }
  return {};
}

}  // namespace

void refuse_both_laws(const ModelDescription& model, Report& report) {
  for (const ContactDescription& set_valued : model.contacts) {
    if (!set_valued.set_valued) continue;
    for (const ContactDescription& penalty : model.contacts) {
      if (penalty.set_valued) continue;
      const std::optional<Pair> pair = common_pair(set_valued, penalty);
      if (!pair) continue;
      const bool is_group = set_valued.is_group || penalty.is_group;
      report.error(
          set_valued.where,
          fmt::format(
              "contacts.{} and contacts.{} are between the same two surfaces{}, one with a set-valued law (impact), the other with a penalty law",
              set_valued.name, penalty.name,
              is_group ? fmt::format(" of `{}` and `{}`", pair->first->text(), pair->second->text())
                       : ""),
          is_group
              ? "keep one of them, or take these bodies out of the group, by `bodies` or `ignore`"
              : "keep one of them");
    }
  }
}

}  // namespace solidyn::model
