#include <fmt/format.h>

#include "model/analyses/law_corners.h"
#include "model/analyses/read_table.h"
#include "model/analyses/simulated_time.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using math::TimeFunction;

/// Where the motion enters, and where it cannot.
void refuse_sensor(const TableView& table) {
  const auto is_of = [&](const char* group) { return table.path().rfind(group, 0) == 0; };
  const char* remedy = "remove `of`: this is a function of time";
  if (is_of("joints."))
    remedy =
        "a drive is a constraint that knows the time alone: couple the two joints by a `coupler` "
        "with a term  by: {table: ...},  or push with an `actuator`, which takes tables over "
        "sensors";
  else if (is_of("loads.") || table.path().find(" of loads.") != std::string::npos)
    remedy =
        "give it as a force:  forces: {name: {type: expression, at: place, force: [{table: ..., "
        "of: ...}, 0, 0]}}";
  table.report().error(table.where("of"),
                       fmt::format("{} is given, but only forces and actuators can depend on a "
                                   "sensor",
                                   table.path("of")),
                       remedy);
}

/// One function of the key's value. @param path of the function, for messages
TimeFunction read_function(const TableView& view, const std::string& key, const Value& value,
                           const std::string& path) {
  if (const auto number = as_number(value))
    return TimeFunction::constant(*number * view.scale(key));
  try {
    const double time = view.context().units.time;
    if (value.kind == Value::Kind::scalar)
      return TimeFunction::expression(value.text, view.scale(key), time);
    const TableView table(value, time_function_grammar(), path, value.where, view.context());
    if (table.has("of")) {
      refuse_sensor(table);
      return TimeFunction();
    }
    TableContent content = read_table(table, {time, view.scale(key), "s", view.si(key)});
    return TimeFunction::table(std::move(content.x), std::move(content.y), content.interpolation,
                               content.ends);
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(value.where, fmt::format("{}: {}", path, d.what), d.remedy);
    return TimeFunction();
  }
}

/// Throws ComputationError where the function has no value between 0 and `end`.
void sample(const TimeFunction& function, double end) {
  constexpr int kSamples = 16;
  for (int i = 0; i <= kSamples; ++i) function.evaluate(end * i / kSamples);
}

/// Whether its rate grows without bound towards t = 0, as that of sqrt(t) does.
bool starts_with_a_shock(const TimeFunction& law, double end) {
  // A power of t with an exponent below 0.7 grows so much; others have moved less than kLeast.
  constexpr double kNear = 1e-6, kNearer = 1e-9, kGrows = 8.0, kLeast = 1e-7;
  const double start = law.value(0.0);
  const double near = std::abs(law.value(kNear * end) - start) / kNear;
  const double nearer = std::abs(law.value(kNearer * end) - start);
  const double range = std::max(std::abs(start), std::abs(law.value(end) - start));
  return nearer > kLeast * range && nearer / kNearer > kGrows * near;
}

/// The first word: of a law's text, its key.
std::string word(const std::string& text) { return text.substr(0, text.find(' ')); }

/// Of a drive on position level: at a corner accelerations and forces are none that a step sees.
void warn_of_corner(const TimeFunction& law, double end, const std::string& path,
                    const base::SourceLocation& where, Report& report) {
  const auto corner = end > 0.0 ? find_corner(law, end) : std::nullopt;
  if (!corner) return;
  report.warning(
      where,
      corner->is_step
          ? fmt::format("{} jumps at t = {:.4g} s: nothing can follow it there", path, corner->t)
          : fmt::format("{}: its rate jumps from {:.3g} to {:.3g} (SI) at t = {:.4g} s, which is a "
                        "shock: accelerations and forces there are as large as the step is short",
                        path, corner->rate_before, corner->rate_after, corner->t),
      "let a table be read with  interpolation: cubic  or  akima,  let an expression go over by "
      "smooth_step, or give the law of the velocity");
}

/// Of what has a length only as long as the law stays above `least`.
void refuse_to_vanish(const TimeFunction& law, double least, double end, const std::string& path,
                      const base::SourceLocation& where, const char* remedy, Report& report) {
  constexpr int kSamples = 1000;
  for (int i = 0; i <= kSamples; ++i) {
    const double t = end * i / kSamples, value = law.value(t);
    if (value > least) continue;
    report.error(where, fmt::format("{} comes to {:.4g} at t = {:.4g} s", path, value, t), remedy);
    return;
  }
}

}  // namespace

TimeFunction read_time_function(const TableView& view, const std::string& key) {
  if (!view.is_good(key)) return TimeFunction();
  return read_function(view, key, *view.find(key), view.path(key));
}

std::array<TimeFunction, 3> read_time_vector(const TableView& view, const std::string& key) {
  std::array<TimeFunction, 3> components;
  if (!view.is_good(key)) return components;
  const std::vector<Value>& items = view.find(key)->items;
  for (std::size_t i = 0; i < components.size(); ++i)
    components[i] = read_function(view, key, items[i],
                                  fmt::format("component {} of {}", i + 1, view.path(key)));
  return components;
}

void check_functions_in_time(const ModelDescription& model, Report& report) {
  const double end = longest_time(model);
  const auto check = [&](const TimeFunction& function, const std::string& path,
                         const base::SourceLocation& where) {
    try {
      sample(function, end);
      return true;
    } catch (const base::ComputationError& error) {
      report.error(where, fmt::format("{}: {}", path, error.what()),
                   fmt::format("it must be smooth from t = 0 to {:g} s", end));
    }
    return false;
  };
  for (const JointDescription& joint : model.joints) {
    for (const auto& law : joint.laws) {
      if (!law) continue;
      const std::string path = fmt::format("joints.{}.{}", joint.name, word(joint.law_text));
      if (!check(*law, path, joint.where)) continue;
      const bool is_length = joint.type == JointType::distance_drive &&
                             joint.level == DriveLevel::position && !joint.starts_as_drawn;
      if (is_length && law->value(0.0) > 0.0)  // else it has been told
        refuse_to_vanish(*law, 0.0, end, path, joint.where,
                         "a distance is positive: end before the points meet, or drive them past "
                         "each other along an axis (translation_drive)",
                         report);
      if (joint.level == DriveLevel::position && starts_with_a_shock(*law, end))
        report.warning(joint.where,
                       fmt::format("{}: its rate grows without bound towards t = 0, so that the "
                                   "motion starts with a shock",
                                   path),
                       "let the law begin with a finite rate");
      else if (joint.level == DriveLevel::position)
        warn_of_corner(*law, longest_motion(model), path, joint.where, report);
    }
    for (const auto& [freedom, forces] : joint.forces.along)
      if (forces.spring)
        check(forces.spring->actuator, fmt::format("joints.{}.actuator", joint.name), joint.where);
  }
  for (const LoadDescription& load : model.loads) {
    const std::string path = "loads." + load.name;
    for (const auto* vector : {&load.force, &load.torque})
      for (const TimeFunction& component : *vector) check(component, path, load.where);
    check(load.pressure, path, load.where);
  }
  const auto check_strains = [&](const GivenStrains& given, const std::string& of,
                                 const base::SourceLocation& where) {
    for (int i = 0; i < kBeamStrains; ++i) {
      const bool is_stretch = static_cast<BeamStrain>(i) == BeamStrain::stretch;
      const std::string strain = name(static_cast<BeamStrain>(i));
      const auto is_good = [&](const std::optional<TimeFunction>& law, const std::string& path) {
        if (!law || !check(*law, path, where)) return false;
        if (is_stretch)
          refuse_to_vanish(*law, -1.0, end, path, where,
                           "a stretch is relative (0.01 makes a beam one per cent longer), and "
                           "must stay above -1, where no length is left",
                           report);
        return true;
      };
      is_good(given.prestrain[i], of + ".prestrain." + strain);
      const std::string path = of + ".driven_strains." + strain;
      if (is_good(given.driven[i], path))
        warn_of_corner(*given.driven[i], longest_motion(model), path, where, report);
    }
  };
  for (const BodyDescription& body : model.bodies) {
    check_strains(body.beam.given, "bodies." + body.name, body.where);
    for (const BeamGroup& group : body.beam.groups)
      if (group.has_strains)
        check_strains(group.given, fmt::format("bodies.{}.groups.{}", body.name, group.name),
                      group.where);
  }
  for (const ForceDescription& force : model.forces) {
    check(force.spring.law.actuator, fmt::format("forces.{}.actuator", force.name), force.where);
    for (const TimeFunction& component : force.drag.medium)
      check(component, fmt::format("forces.{}.medium_velocity", force.name), force.where);
  }
  for (const SupportDescription& support : model.supports)
    for (const TimeFunction& component : support.displacement)
      check(component, fmt::format("supports.{}.displacement", support.name), support.where);
}

}  // namespace solidyn::model
