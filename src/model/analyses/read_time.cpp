#include <fmt/format.h>

#include "model/analyses/law_corners.h"
#include "model/analyses/read_table.h"
#include "model/analyses/simulated_time.h"
#include "model/bodies/body_entry.h"
#include "model/forces/force_entry.h"
#include "model/joints/joint_entry.h"
#include "model/loads/load_entry.h"
#include "model/read.h"
#include "model/supports/support.h"

namespace solidyn::model {
namespace {

using math::TimeFunction;

/// Where the motion enters, and where it cannot.
void refuse_sensor(const TableView& table) {
  const auto is_of = [&](const char* group) { return table.path().rfind(group, 0) == 0; };
  const char* remedy = "remove `of`: this is a function of time";
  if (is_of("joints."))
    remedy =
        "a drive is a constraint that depends on time only: couple the two joints by a `coupler` with a term  by: {table: ...},  or use an `actuator`, which accepts tables over sensors";
  else if (is_of("loads.") || table.path().find(" of loads.") != std::string::npos)
    remedy =
        "give it as a force:  forces: {name: {type: expression, at: place, force: [{table: ..., of: ...}, 0, 0]}}";
  table.report().error(
      table.where("of"),
      fmt::format("{} is given, but only forces and actuators can depend on a sensor",
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

/// Of a drive on position level: at a corner accelerations and forces are none that a step sees.
void warn_of_corner(const TimeFunction& law, double end, const std::string& path,
                    const base::SourceLocation& where, Report& report) {
  const auto corner = end > 0.0 ? find_corner(law, end) : std::nullopt;
  if (!corner) return;
  report.warning(
      where,
      corner->is_step
          ? fmt::format("{} is discontinuous at t = {:.4g} s: the motion cannot follow it there",
                        path, corner->t)
          : fmt::format(
                "{}: its rate jumps from {:.3g} to {:.3g} (SI) at t = {:.4g} s, which is a shock: accelerations and forces there are inversely proportional to the step",
                path, corner->rate_before, corner->rate_after, corner->t),
      "use  interpolation: cubic  or  akima  for a table, smooth_step in an expression, or give the law for the velocity");
}

/// Of what has a length only as long as the law stays above `least`.
void refuse_to_vanish(const TimeFunction& law, double least, double end, const std::string& path,
                      const base::SourceLocation& where, const char* remedy, Report& report) {
  constexpr int kSamples = 1000;
  for (int i = 0; i <= kSamples; ++i) {
    const double t = end * i / kSamples, value = law.value(t);
    if (value > least) continue;
    report.error(where, fmt::format("{} reaches {:.4g} at t = {:.4g} s", path, value, t), remedy);
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
  for (const auto& joint : model.joints)
    joint->visit_laws([&](const TimeFunction& law, const std::string& key, LawKind kind) {
      const std::string path = fmt::format("joints.{}.{}", joint->name, key);
      if (!check(law, path, joint->where)) return;
      if (kind == LawKind::effort || kind == LawKind::rate) return;
      if (kind == LawKind::length && law.value(0.0) > 0.0)  // else it has been reported
        refuse_to_vanish(
            law, 0.0, end, path, joint->where,
            "a distance must be positive: end before the points coincide, or drive them past each other along an axis (translation_drive)",
            report);
      if (starts_with_a_shock(law, end))
        report.warning(
            joint->where,
            fmt::format(
                "{}: its rate grows without bound towards t = 0, so that the motion starts with a shock",
                path),
            "use a law with a finite initial rate");
      else
        warn_of_corner(law, longest_motion(model), path, joint->where, report);
    });
  for (const auto& load : model.loads)
    load->visit_laws([&](const TimeFunction& law, const std::string& key) {
      check(law, fmt::format("loads.{}.{}", load->name, key), load->where);
    });
  for (const auto& body : model.bodies)
    body->visit_laws([&](const BodyLaw& given) {
      if (!check(given.law, given.path, given.where)) return;
      if (given.is_stretch)
        refuse_to_vanish(
            given.law, -1.0, end, given.path, given.where,
            "a stretch is relative (0.01 makes a beam one per cent longer), and must remain above -1, where the length is zero",
            report);
      if (given.is_driven)
        warn_of_corner(given.law, longest_motion(model), given.path, given.where, report);
    });
  for (const auto& force : model.forces)
    force->visit_laws([&](const TimeFunction& law, const std::string& key) {
      check(law, fmt::format("forces.{}.{}", force->name, key), force->where);
    });
  for (const SupportDescription& support : model.supports)
    visit_laws(support, [&](const TimeFunction& law, const std::string& key) {
      check(law, fmt::format("supports.{}.{}", support.name, key), support.where);
    });
}

}  // namespace solidyn::model
