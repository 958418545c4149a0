#include "model/joints/drives.h"

#include <fmt/format.h>

#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {

void DriveEntry::read_law(const TableView& view, const std::string& key) {
  if (!view.has(key)) return;
  if (!law.key.empty()) {
    view.report().error(view.where(key),
                        fmt::format("{} is given together with `{}`", view.path(key), law.key),
                        "remove one of them: a drive has a single law");
    has_two_laws_ = true;
    return;
  }
  law.key = key;
  law.text = key + " " + shown(*view.find(key));
  if (key == type.law_keys[1]) law.level = DriveLaw::Level::velocity;
}

void DriveEntry::read_components(const TableView& view) {
  law.components[0] = read_time_function(view, law.key);
}

void DriveEntry::check(const TableView& view, const Scope& scope) {
  const auto& keys = type.law_keys;
  if (law.key.empty())
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path(keys[0])),
        fmt::format("prescribe the motion by `{}`, `{}` or `{}`", keys[0], keys[1], keys[2]));
  else if (!has_two_laws_)
    read_components(view);
  const bool is_of_acceleration = law.key == keys[2];
  if (is_of_acceleration)
    for (auto& component : law.components)
      if (component)
        component = math::TimeFunction::twice_integrated(*component, law.start.value_or(0.0),
                                                         law.start_rate);
  law.starts_as_drawn = is_of_acceleration && can_start_as_drawn() && !law.start;
  if (!law.key.empty() && !has_two_laws_ && !is_of_acceleration)
    for (const char* key : {"start", "start_rate"})
      if (view.has(key))
        view.report().error(
            view.where(key),
            fmt::format("{} is given with a law that is not for an acceleration", view.path(key)),
            fmt::format("remove it, or give `{}`", keys[2]));
  PlacedJoint::check(view, scope);
}

std::string DriveEntry::acts_on() const {
  return (driven_joint().empty() ? PlacedJoint::acts_on() : "drives " + driven_joint()) + ", " +
         law.text;
}

void DriveEntry::visit_laws(const JointLawVisitor& visit) const {
  const bool is_added = law.starts_as_drawn;
  const LawKind of_position = is_added ? LawKind::position : kind();
  for (const auto& component : law.components)
    if (component) visit(*component, law.key, prescribes_rate() ? LawKind::rate : of_position);
}

Fields<DriveEntry> law_fields(const Key& coordinate, const Key& rate, const Key& second_rate) {
  Fields<DriveEntry> fields;
  for (const Key* key : {&coordinate, &rate, &second_rate})
    fields.push_back(read_by<DriveEntry>(
        *key, [word = KeySpec(*key).key](DriveEntry& drive, const TableView& view, const Scope&) {
          drive.read_law(view, word);
        }));
  return fields;
}

Field<DriveLaws> start_field(const Key& key) {
  return field(key, &DriveLaws::law, &DriveLaw::start);
}

Field<DriveLaws> start_rate_field(const char* meaning, const Quantity& rate) {
  return field(Key("start_rate", Form::number, meaning, "0").in(rate).or_default(), &DriveLaws::law,
               &DriveLaw::start_rate);
}

}  // namespace solidyn::model
