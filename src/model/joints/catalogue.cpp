#include "model/joints/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/forces/over_sensors.h"
#include "model/joints/joint_forces.h"
#include "model/language/spelling.h"
#include "model/language/type_table.h"

namespace solidyn::model {

JointType fixed_row();               // fixed.cpp
JointType spherical_row();           // plain_joints.cpp
JointType revolute_row();            // plain_joints.cpp
JointType cylindrical_row();         // plain_joints.cpp
JointType prismatic_row();           // plain_joints.cpp
JointType planar_row();              // plain_joints.cpp
JointType universal_row();           // shafts.cpp
JointType constant_velocity_row();   // shafts.cpp
JointType screw_row();               // screw.cpp
JointType point_on_line_row();       // plain_joints.cpp
JointType point_on_plane_row();      // plain_joints.cpp
JointType point_on_curve_row();      // point_on_curve.cpp
JointType parallel_axes_row();       // plain_joints.cpp
JointType perpendicular_axes_row();  // perpendicular_axes.cpp
JointType orientation_row();         // plain_joints.cpp
JointType distance_row();            // distance.cpp
JointType rolling_row();             // rolling.cpp
JointType gear_row();                // gears.cpp
JointType rack_and_pinion_row();     // gears.cpp
JointType coupler_row();             // coupler.cpp
JointType rotation_drive_row();      // axis_drives.cpp
JointType translation_drive_row();   // axis_drives.cpp
JointType distance_drive_row();      // distance_drive.cpp
JointType point_path_row();          // point_path.cpp

const std::vector<JointType>& joint_catalogue() {
  // A line for each, so that two additions do not meet in one.
  // clang-format off
  static const std::vector<JointType> catalogue = {
      fixed_row(),
      spherical_row(),
      revolute_row(),
      cylindrical_row(),
      prismatic_row(),
      planar_row(),
      universal_row(),
      constant_velocity_row(),
      screw_row(),
      point_on_line_row(),
      point_on_plane_row(),
      point_on_curve_row(),
      parallel_axes_row(),
      perpendicular_axes_row(),
      orientation_row(),
      distance_row(),
      rolling_row(),
      gear_row(),
      rack_and_pinion_row(),
      coupler_row(),
      rotation_drive_row(),
      translation_drive_row(),
      distance_drive_row(),
      point_path_row(),
  };
  // clang-format on
  return catalogue;
}

namespace {

Words words_of(const JointTraits& traits) {
  Words words = {traits.word};
  words.insert(words.end(), traits.other_words.begin(), traits.other_words.end());
  return words;
}

TableSpec make_joint_table() {
  Words words;
  for (const JointType& type : joint_catalogue())
    for (const std::string& word : words_of(type.traits)) words.push_back(word);
  TableSpec table{
      "joint",
      "A joint between two places: `ground`, `body` (its origin; rigid bodies), `body.interface` or `body.frame`; or a coupling between the coordinates of joints, or a drive. World coordinates are those at t = 0, where all coordinates of joints are zero.",
      {Key("type", Form::word,
           "type of the joint or drive ([the catalogue](joints.md)). `in_line`, `in_plane`, `parallel` and `perpendicular` are aliases of `point_on_line`, `point_on_plane`, `parallel_axes` and `perpendicular_axes`",
           "revolute")
           .among(words)
           .needed()},
      "type"};
  for (std::size_t group = 0; group < JointType().keys.size(); ++group)
    for (const JointType& type : joint_catalogue())
      for (const std::string& word : words_of(type.traits))
        add_keys_of_type(word, type.keys[group], table);
  return table;
}

/// The coordinates that a drive of a joint takes from it: both where they are one, as a screw's.
std::vector<JointFreedom> driven_freedoms(const JointEntry& drive, const JointEntry& joint) {
  const auto& all = joint.type.coordinates;
  const bool are_one = static_cast<int>(all.size()) + joint.n_multipliers() > 6;
  return are_one ? all : drive.type.coordinates;
}

/// No two drives move the same coordinate.
void check_driven_joints(const TableView& file,
                         const std::vector<std::shared_ptr<JointEntry>>& joints) {
  const auto find = [&](const std::string& name) {
    const auto found = std::find_if(joints.begin(), joints.end(),
                                    [&](const auto& joint) { return joint->name == name; });
    return found == joints.end() ? nullptr : found->get();
  };
  std::map<std::pair<std::string, JointFreedom>, std::string> drive_of;
  for (const auto& [name, view] : file.tables("joints")) {
    const JointEntry* drive = find(name);
    const JointEntry* joint = drive ? find(drive->driven_joint()) : nullptr;
    if (!joint || !joint->type.leaves_free(drive->type.coordinates[0])) continue;
    for (JointFreedom freedom : driven_freedoms(*drive, *joint)) {
      const auto [first, is_first] = drive_of.emplace(std::pair(joint->name, freedom), name);
      if (is_first) continue;
      view.report().error(view.where("joint"),
                          fmt::format("{}: `{}` is already driven by `{}`", view.path("joint"),
                                      joint->name, first->second),
                          "remove one of the two drives");
      break;
    }
  }
}

}  // namespace

const JointType* find_joint_type(const std::string& word) {
  for (const JointType& type : joint_catalogue())
    for (const std::string& other : words_of(type.traits))
      if (other == word) return &type;
  return nullptr;
}

std::string joint_types_with(const std::vector<JointFreedom>& freedoms) {
  std::vector<std::string> words;
  for (const JointType& type : joint_catalogue())
    if (std::any_of(freedoms.begin(), freedoms.end(),
                    [&](JointFreedom freedom) { return type.traits.leaves_free(freedom); }))
      words.push_back(type.traits.word);
  return listed(words);
}

const TableSpec& joint_table() {
  static const TableSpec table = make_joint_table();
  return table;
}

void read_joint_names(const TableView& file, Names& names) {
  for (const auto& [name, view] : file.tables("joints")) {
    if (const JointType* type = find_joint_type(view.type()))
      names.joints[name] = &type->traits;
    else
      names.open_joints.insert(name);
  }
}

std::vector<std::shared_ptr<JointEntry>> read_joints(const TableView& file, const Scope& scope) {
  std::vector<std::shared_ptr<JointEntry>> joints;
  for (const auto& [name, view] : file.tables("joints")) {
    const JointType* type = find_joint_type(view.type());
    if (!type) continue;  // the grammar has complained
    const std::shared_ptr<JointEntry> joint = type->read(view, scope);
    joint->name = name;
    joint->where = view.where();
    joints.push_back(joint);
  }
  check_driven_joints(file, joints);
  return joints;
}

void read_joint_actuators(const TableView& file, const SensorEntries& sensors,
                          const std::vector<std::shared_ptr<JointEntry>>& joints) {
  const auto views = file.tables("joints");
  for (const std::shared_ptr<JointEntry>& joint : joints) {
    const auto view = std::find_if(views.begin(), views.end(),
                                   [&](const auto& named) { return named.first == joint->name; });
    for (auto& [freedom, forces] : joint->forces.along) {
      const TableView table = table_of_freedom(view->second, joint->type, freedom);
      if (is_over_sensor(table, "actuator"))
        forces.actuator = read_over_sensor(table, "actuator", sensors);
    }
  }
}

const JointTraits* find_referred_traits(const TableView& view, const std::string& key,
                                        const std::string& joint, const Names& names) {
  const auto found = names.joints.find(joint);
  if (found != names.joints.end()) return found->second;
  if (names.open_joints.count(joint)) return nullptr;
  std::vector<std::string> known;
  for (const auto& [name, traits] : names.joints) known.push_back(name);
  known.insert(known.end(), names.open_joints.begin(), names.open_joints.end());
  view.report().error(view.where(key),
                      fmt::format("{}: there is no joint `{}`", view.path(key), joint),
                      suggestion(joint, known, "there are"));
  return nullptr;
}

void check_rates_in_statics(const ModelDescription& model, Report& report) {
  // Before a motion the joint is held where the motion begins.
  const StaticsDescription* statics = nullptr;
  bool has_motion = false;
  for (const AnalysisDescription& analysis : model.analyses) {
    if (const auto* found = std::get_if<StaticsDescription>(&analysis)) statics = found;
    has_motion |= std::holds_alternative<DynamicsDescription>(analysis);
  }
  if (!statics || statics->options.time == analyses::LoadTime::start ||
      (!statics->has_time && has_motion))
    return;
  for (const auto& joint : model.joints)
    if (joint->prescribes_rate())
      report.error(
          joint->where,
          fmt::format("joints.{}.{} prescribes a rate, but in statics there is no motion",
                      joint->name, joint->type.law_keys[1]),
          fmt::format("give `{}`, with the load parameter as time", joint->type.law_keys[0]));
}

void check_gaps(const ModelDescription& model, const PlaceFinder& places) {
  std::vector<base::Diagnostic> errors;
  for (const auto& joint : model.joints) joint->check_gap(places, errors);
  if (!errors.empty()) throw base::InputError(errors);
}

}  // namespace solidyn::model
