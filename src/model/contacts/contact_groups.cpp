// Contacts between groups of bodies: which places are meant, and which pairs are to be ignored.
#include "model/contacts/contact_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

using Kind = PlaceDescription::Kind;
using contact::Shape;

bool has_wildcard(const std::string& text) { return text.find_first_of("*?") != std::string::npos; }

std::vector<std::string> names_of_bodies(const ModelDescription& model) {
  std::vector<std::string> names;
  for (const auto& body : model.bodies) names.push_back(body->name);
  return names;
}

// "ball*.tip" as "ball1.tip", "ball2.tip" ..., after a complaint where no body is meant.
std::vector<std::string> places_meant(const std::string& text, const std::string& path,
                                      const base::SourceLocation& where, const Scope& scope,
                                      Report& report) {
  if (!has_wildcard(text)) return {text};
  const std::string pattern = text.substr(0, text.find('.'));
  const std::string rest = text.substr(pattern.size());
  std::vector<std::string> texts;
  for (const std::string& body : names_of_bodies(scope.model))
    if (matches(pattern, body)) texts.push_back(body + rest);
  const auto& open = scope.names.open_bodies;
  const bool is_open = std::any_of(open.begin(), open.end(),
                                   [&](const std::string& body) { return matches(pattern, body); });
  if (texts.empty() && !is_open)
    report.error(where, fmt::format("{}: no body is called like `{}`", path, pattern),
                 "there are " + listed(names_of_bodies(scope.model), "and"));
  return texts;
}

void read_places(ContactShapeDescription& shape, const TableView& view, const Scope& scope) {
  if (!view.is_good("bodies")) return;
  const std::string path = view.path("bodies");
  const Value& list = *view.find("bodies");
  for (std::size_t i = 0; i < shape.bodies.size(); ++i) {
    const base::SourceLocation& where = list.items[i].where;
    for (const std::string& text :
         places_meant(shape.bodies[i], path, where, scope, view.report())) {
      const PlaceDescription place =
          read_place(text, path, where, scope.model, scope.names, true, view.report());
      const bool is_known =
          std::any_of(shape.places.begin(), shape.places.end(),
                      [&](const PlaceDescription& other) { return other.text() == place.text(); });
      if (is_known) continue;
      check_contact_place(path, text, place, scope, view.report());
      shape.places.push_back(place);
    }
  }
  if (view.has("at") && shape.places.size() > 1)
    view.report().error(
        view.where("at"),
        fmt::format("{}: one position cannot be that of {} shapes", view.path("at"),
                    shape.places.size()),
        "remove it: each shape is then at the origin of its place; or define frames of the bodies, and name these");
}

bool are_alike(const Shape& a, const Shape& b) {
  if (a.index() != b.index()) return false;
  if (const auto* sphere = std::get_if<contact::Sphere>(&a)) {
    const auto& other = std::get<contact::Sphere>(b);
    return sphere->radius == other.radius && sphere->side == other.side;
  }
  if (const auto* cylinder = std::get_if<contact::Cylinder>(&a)) {
    const auto& other = std::get<contact::Cylinder>(b);
    return cylinder->radius == other.radius && cylinder->length == other.length &&
           cylinder->side == other.side;
  }
  if (const auto* capsule = std::get_if<contact::Capsule>(&a)) {
    const auto& other = std::get<contact::Capsule>(b);
    return capsule->radius == other.radius && capsule->length == other.length;
  }
  if (const auto* box = std::get_if<contact::Box>(&a))
    return box->size == std::get<contact::Box>(b).size;
  if (const auto* polyhedron = std::get_if<contact::Polyhedron>(&a))
    return polyhedron->points == std::get<contact::Polyhedron>(b).points;
  return true;
}

std::vector<std::string> texts_of(const std::vector<PlaceDescription>& places) {
  std::vector<std::string> texts;
  for (const PlaceDescription& place : places) texts.push_back(place.text());
  std::sort(texts.begin(), texts.end());
  return texts;
}

// A shape in both sets would meet each of the others twice.
void join_equal_sets(ContactEntry& contact, const TableView& view) {
  ContactShapeDescription &first = contact.shapes[0], &second = contact.shapes[1];
  const std::vector<std::string> a = texts_of(first.places), b = texts_of(second.places);
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  if (both.empty()) return;
  if (a == b && are_alike(first.shape, second.shape) && first.axis == second.axis &&
      first.reference == second.reference && first.at == second.at) {
    second.places.clear();
    return;
  }
  view.report().error(
      view.where("second"), fmt::format("{}: `{}` is in both groups", view.path(), both.front()),
      "leave out `second` for contact of one group with itself, and make a contact of its own of each pair of groups");
}

void require_pairs(const ContactEntry& contact, const TableView& view) {
  std::vector<PlaceDescription> all = contact.shapes[0].places;
  all.insert(all.end(), contact.shapes[1].places.begin(), contact.shapes[1].places.end());
  const bool has_pair = std::any_of(all.begin(), all.end(), [&](const PlaceDescription& place) {
    return place.body != all.front().body;
  });
  if (all.empty() || has_pair) return;
  view.report().error(
      view.where(),
      fmt::format("{}: all of its shapes stand on {}", view.path(),
                  all.front().body.empty() ? "the ground" : "`" + all.front().body + "`"),
      "name at least two bodies, or a body and the ground");
}

void read_ignored(ContactEntry& contact, const TableView& view) {
  if (!view.is_good("ignore")) return;
  contact.ignore = view.name_pairs("ignore");
  const auto is_there = [&](const std::string& pattern) {
    for (const ContactShapeDescription& shape : contact.shapes)
      for (const PlaceDescription& place : shape.places)
        if (matches(pattern, place.body.empty() ? "ground" : place.body)) return true;
    return false;
  };
  const Value& list = *view.find("ignore");
  for (std::size_t i = 0; i < contact.ignore.size(); ++i) {
    const auto& [first, second] = contact.ignore[i];
    if (first == second && first.find_first_of("*?") == std::string::npos)
      view.report().error(
          list.items[i].where,
          fmt::format("{}: a body never touches itself (`{}`)", view.path("ignore"), first),
          "name two bodies, or remove the pair");
    for (int side = 0; side < 2; ++side)
      if (!is_there(contact.ignore[i][side]))
        view.report().error(list.items[i].items[side].where,
                            fmt::format("{}: no body of the groups is called `{}`",
                                        view.path("ignore"), contact.ignore[i][side]),
                            "give two bodies that `bodies` names, or patterns with * and ?");
  }
}

}  // namespace

// The last * takes as much more as is needed for the rest to fit.
bool matches(const std::string& pattern, const std::string& name) {
  std::size_t p = 0, n = 0, star = std::string::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void read_groups(ContactEntry& contact, const TableView& view, const Scope& scope) {
  for (int side = 0; side < 2; ++side) {
    const char* key = side == 0 ? "first" : "second";
    if (!view.has(key)) continue;
    const TableView shape = view.table(key);
    if (!shape.has("bodies"))
      shape.report().error(
          shape.where(),
          fmt::format("{} is missing: the other shape has `bodies`", shape.path("bodies")),
          "name the places of both shapes in `bodies`, or both in `between`");
    else
      read_places(contact.shapes[side], shape, scope);
  }
  if (view.has("between"))
    view.report().error(view.where("between"),
                        fmt::format("{} is given beside `bodies`", view.path("between")),
                        "remove one of the two");
  join_equal_sets(contact, view);
  require_pairs(contact, view);
  read_ignored(contact, view);
}

}  // namespace solidyn::model
