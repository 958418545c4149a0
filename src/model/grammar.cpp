#include "solidyn/model/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/bodies/beams/beam_grammar.h"
#include "model/contacts/contact_grammar.h"
#include "model/language/key.h"
#include "model/track/rail_track.h"

namespace solidyn::model {

bool Range::contains(double number) const {
  const bool above = low_is_allowed ? number >= low : number > low;
  const bool below = high_is_allowed ? number <= high : number < high;
  return above && below;
}

std::string Range::text() const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (!has_low && !has_high) return "";
  std::string from = fmt::format("{} {:g}", low_is_allowed ? ">=" : ">", low);
  const std::string to = fmt::format("{} {:g}", high_is_allowed ? "<=" : "<", high);
  if (!has_high) return from;
  return has_low ? from + " and " + to : to;
}

bool KeySpec::is_for(const std::string& type) const {
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

const KeySpec* TableSpec::find(const std::string& key, const std::string& type) const {
  for (const KeySpec& spec : keys)
    if (spec.key == key && spec.is_for(type)) return &spec;
  return nullptr;
}

bool TableSpec::has_choice(const std::string& type) const {
  return !exactly_one_of.empty() && find(exactly_one_of.front(), type) != nullptr;
}

const KeySpec* TableSpec::find_any(const std::string& key) const {
  for (const KeySpec& spec : keys)
    if (spec.key == key) return &spec;
  return nullptr;
}

const TableSpec& model_grammar() {
  static const TableSpec table{
      "model",
      "The top level of the file.",
      {Key("solidyn", Form::integer, "version of the file format: 1", "1")
           .within({1.0, 1.0, true, true})
           .needed(),
       Key("title", Form::text, "one line for reports and plots", "flexible slider-crank"),
       Key("units", Form::table, "units of the numbers in the file", "SI")
           .among({"SI"})
           .or_else("SI")
           .holds(units_table()),
       Key("parameters", Form::named_numbers,
           "named numbers for formulas starting with =, anywhere in the file: `mass: \"=density*length\"`; within other text in braces: `\"{=amplitude}*sin(t)\"`. A parameter may be a formula of earlier ones; numbers are in the units of the file where they are used",
           "{length: 0.3, width: \"=length/10\"}"),
       Key("gravity", Form::vector, "acceleration of free fall, world", "[0, 0, -9.81]")
           .in(kAcceleration)
           .or_else("[0, 0, 0]"),
       Key("formulation", Form::word,
           "unknowns of the dynamics: `absolute` (every body in the world, with the forces of all joints), `recursive` (coordinates of the joints, by sweeps over the bodies at a cost linear in their number) or `automatic` (`recursive` where it can have the model and is predicted to be clearly faster, else `absolute`; doc/recursive.md)",
           "recursive")
           .among({"absolute", "recursive", "automatic"})
           .or_else("automatic"),
       Key("materials", Form::named_tables, "named materials",
           "{steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}}")
           .holds(material_table()),
       Key("bodies", Form::named_tables, "named bodies; `ground` always exists",
           "{crank: {type: rigid, mass: 0.1}}")
           .holds(body_table())
           .needed(),
       Key("joints", Form::named_tables, "named joints and drives",
           "{bearing: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}")
           .holds(joint_table()),
       Key("loads", Form::named_tables, "named loads",
           "{tip: {type: force, at: beam.tip, force: [0, 0, -100]}}")
           .holds(load_table()),
       Key("contacts", Form::named_tables, "named contacts and joints with clearance",
           "{floor: {between: [ground, ball], first: {shape: plane, axis: [0, 0, 1]}, second: {shape: sphere, radius: 0.02}, law: {type: hertz, stiffness: 1e9}}}")
           .holds(contact_table()),
       Key("track", Form::table, "the track of wheelsets", "{plan: [{length: 1000}]}")
           .holds(track_table()),
       Key("forces", Form::named_tables, "named forces that depend on the motion",
           "{strut: {type: spring_damper, between: [chassis, wheel], stiffness: 2e4}}")
           .holds(force_table()),
       Key("supports", Form::named_tables, "named supports",
           "{clamp: {body: beam, nodes: {in_set: root}, fix: [x, y, z]}}")
           .holds(support_table()),
       Key("sensors", Form::named_tables, "what history.csv records",
           "{pin: {type: position, of: crank}}")
           .holds(sensor_table()),
       Key("analyses", Form::list, "what to compute, in order",
           "[{dynamics: {duration: 0.1, step: 1e-5}}]")
           .holds(analysis_table())
           .needed(),
       Key("solver", Form::table, "linear and nonlinear solvers", "{preset: direct}")
           .holds(solver_table()),
       Key("output", Form::table, "what is written, and when", "{history_every: 10}")
           .holds(output_table())}};
  return table;
}

const TableSpec& time_function_grammar() { return time_table(); }

std::vector<const TableSpec*> all_tables() {
  return {&model_grammar(),
          &units_table(),
          &material_table(),
          &body_table(),
          &pose_table(),
          &rotation_table(),
          &velocity_table(),
          &appearance_table(),
          &frame_table(),
          &interface_table(),
          &nodes_table(),
          &box_table(),
          &cylinder_table(),
          &modes_of_body_table(),
          &static_load_table(),
          &stress_table(),
          &section_table(),
          &beam_group_table(),
          &beam_place_table(),
          &prestress_table(),
          &prestrain_table(),
          &driven_strains_table(),
          &import_table(),
          &damping_table(),
          &rayleigh_table(),
          &joint_table(),
          &coupling_term_table(),
          &cam_table(),
          &load_table(),
          &contact_table(),
          &contact_shape_table(),
          &contact_law_table(),
          &contact_friction_table(),
          &track_table(),
          &plan_segment_table(),
          &gradient_segment_table(),
          &irregularities_table(),
          &flexible_rails_table(),
          &own_spectrum_table(),
          &profile_file_table(),
          &force_table(),
          &curve_table(),
          &slide_table(),
          &turn_table(),
          &slide_spring_table(),
          &turn_spring_table(),
          &slide_damper_table(),
          &turn_damper_table(),
          &slide_limits_table(),
          &turn_limits_table(),
          &slide_stop_law_table(),
          &turn_stop_law_table(),
          &friction_table(),
          &support_table(),
          &time_table(),
          &sensor_table(),
          &analysis_table(),
          &dynamics_table(),
          &stop_table(),
          &adaptive_table(),
          &start_table(),
          &baumgarte_table(),
          &kinematics_table(),
          &inverse_dynamics_table(),
          &statics_table(),
          &modes_table(),
          &linearise_table(),
          &frequency_response_table(),
          &reflected_inertia_table(),
          &solver_table(),
          &output_table(),
          &statistics_table()};
}

}  // namespace solidyn::model
