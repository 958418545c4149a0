// The same mechanism in SI and in millimetres, grams, milliseconds, degrees and kilonewtons: every
// key that has a unit is written in both, with its SI unit beside its number here, and gives the
// same system.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "model/bodies/flexible_entry.h"
#include "model/check.h"
#include "model/forces/force_entry.h"
#include "model/joints/joint_entry.h"
#include "model/language/value.h"
#include "model/loads/load_entry.h"
#include "solidyn/model/build.h"
#include "solidyn/model/grammar.h"
#include "solidyn/model/load.h"
#include "solidyn/reduction/load_rows.h"

namespace solidyn::model {
namespace {

using Eigen::VectorXd;

enum class FileUnits { si, odd };

/// SI per unit of the odd file of what has this SI unit: "N m/rad" is 1e3 N times 1e-3 m by pi/180
/// rad. Knows nothing of the grammar.
double si_per_unit(const std::string& unit) {
  static const std::map<std::string, double> of = {{"m", 1e-3},           {"kg", 1e-3}, {"s", 1e-3},
                                                   {"rad", M_PI / 180.0}, {"N", 1e3},   {"1", 1.0}};
  double scale = 1.0;
  bool is_below = false;
  for (std::size_t at = 0; at < unit.size();) {
    if (unit[at] == ' ' || unit[at] == '/') {
      is_below = is_below || unit[at] == '/';
      ++at;
      continue;
    }
    const std::size_t end = std::min(unit.find_first_of(" /", at), unit.size());
    const std::string factor = unit.substr(at, end - at);
    const std::size_t power = factor.find('^');
    const double size =
        std::pow(of.at(factor.substr(0, power)),
                 power == std::string::npos ? 1.0 : std::stod(factor.substr(power + 1)));
    scale = is_below ? scale / size : scale * size;
    at = end;
  }
  return scale;
}

constexpr int kNone = -1;

/// <2.5 N/m> becomes 2.5, or what that is in the file's units.
/// @param changed the number, counted from 0, that becomes a quarter larger
std::string written(const std::string& text, FileUnits units, int changed = kNone) {
  std::string result;
  std::size_t at = 0;
  int k = 0;
  for (std::size_t open; (open = text.find('<', at)) != std::string::npos; ++k) {
    const std::size_t close = text.find('>', open), blank = text.find(' ', open);
    const double number = std::stod(text.substr(open + 1, blank - open - 1));
    const double scale =
        units == FileUnits::si ? 1.0 : si_per_unit(text.substr(blank + 1, close - blank - 1));
    result += text.substr(at, open - at) +
              fmt::format("{}", (k == changed ? 1.25 : 1.0) * number / scale);
    at = close + 1;
  }
  return result + text.substr(at);
}

const char* const kMechanism = R"(
gravity: [<0.3 m/s^2>, <-9.81 m/s^2>, 0]
materials:
  steel: {youngs_modulus: <2.1e11 N/m^2>, poissons_ratio: 0.3, density: <7850 kg/m^3>}
  brass: {youngs_modulus: <1.0e11 N/m^2>, poissons_ratio: 0.35, density: <8500 kg/m^3>}
bodies:
  box:
    type: rigid
    mass: <2 kg>
    center_of_mass: [<0.1 m>, <0.02 m>, 0]
    inertia: [<0.02 kg m^2>, <0.03 kg m^2>, <0.04 kg m^2>, <0.001 kg m^2>, 0, 0]
    pose: {position: [<1 m>, <0.2 m>, 0], rotation: {vector: [0, <0.3 rad>, <0.2 rad>]}}
    velocity: {linear: [<1 m/s>, 0, <2 m/s>], angular: [0, <3 rad/s>, 0]}
    frames: {tip: {position: [<0.5 m>, 0, <0.1 m>], rotation: {axis: [0, 1, 0], angle: <0.4 rad>}}}
  wheel: {type: rigid, mass: <1 kg>, inertia: [<0.1 kg m^2>, <0.1 kg m^2>, <0.2 kg m^2>], pose: {position: [0, 0, <0.5 m>]}}
  cart: {type: rigid, mass: <3 kg>, inertia: [<0.1 kg m^2>, <0.1 kg m^2>, <0.2 kg m^2>], pose: {rotation: {euler_xyz: [<0.1 rad>, 0, <0.2 rad>]}}}
joints:
  hinge: {type: revolute, between: [ground, wheel], at: [0, <0.1 m>, <0.5 m>], axis: [0, 0, 1]}
  slider: {type: prismatic, between: [ground, cart], at: [<0.2 m>, 0, 0], axis: [1, 0, 0]}
sensors:
  p: {type: position, of: box.tip}
  turn: {type: joint_angle, joint: hinge}
analyses:
  - dynamics: {duration: <2 s>, step: <1e-3 s>}
)";

std::string header(FileUnits units) {
  return units == FileUnits::si
             ? "solidyn: 1\nunits: SI\n"
             : "solidyn: 1\nunits: {length: mm, mass: g, time: ms, angle: deg, force: kN}\n";
}

ModelDescription parse_written(const std::string& mechanism,
                               const std::vector<std::string>& overrides) {
  return parse_model(mechanism, "model.yaml",
                     std::filesystem::path(SOLIDYN_SOURCE_DIR) / "tests/unit/model", overrides);
}

ModelDescription parse(const std::vector<std::string>& additions, FileUnits units) {
  std::vector<std::string> overrides;
  for (const std::string& addition : additions) overrides.push_back(written(addition, units));
  return parse_written(header(units) + written(kMechanism, units), overrides);
}

/// All that was found, by a name for messages.
using Findings = std::map<std::string, std::vector<double>>;

std::vector<double> list_of(const Eigen::Ref<const VectorXd>& v) {
  return {v.data(), v.data() + v.size()};
}

/// What a description holds that no system shows.
Findings findings_of(const ModelDescription& model) {
  Findings found;
  constexpr double kTime = 0.37;
  const auto law = [&](const std::string& name, const math::TimeFunction& f) {
    found[name].push_back(f.value(kTime));
    found[name + ", rate"].push_back(f.first_derivative(kTime));
  };
  for (const auto& joint : model.joints)
    joint->visit_laws([&](const math::TimeFunction& f, const std::string& key, LawKind) {
      law(joint->name + "." + key, f);
    });
  for (const auto& force : model.forces)
    force->visit_laws([&](const math::TimeFunction& f, const std::string& key) {
      law(force->name + "." + key, f);
    });
  for (const auto& load : model.loads)
    load->visit_laws([&](const math::TimeFunction& f, const std::string& key) {
      law(load->name + "." + key, f);
    });
  // An impact law shows in impacts alone.
  for (const ContactDescription& contact : model.contacts)
    if (contact.set_valued) {
      found[contact.name + ", slow speed"].push_back(contact.set_valued->slow_speed);
      found[contact.name + ", moments"] = {contact.set_valued->rolling,
                                           contact.set_valued->drilling};
      for (const double x : contact.surface_velocity)
        found[contact.name + ", surface"].push_back(x);
    }
  const auto place = [&](const std::string& of, const mesh::NodeSelection& nodes) {
    const auto add = [&](const Eigen::Vector3d& x) {
      found[of + ", nodes"].insert(found[of + ", nodes"].end(), x.data(), x.data() + 3);
    };
    const auto add_size = [&](double x) { found[of + ", size"].push_back(x); };
    if (const auto* near = std::get_if<mesh::NodesNear>(&nodes)) {
      add(near->point);
      add_size(near->radius);
    } else if (const auto* box = std::get_if<mesh::NodesInBox>(&nodes)) {
      add(box->low);
      add(box->high);
    } else if (const auto* cylinder = std::get_if<mesh::NodesInCylinder>(&nodes)) {
      add(cylinder->start);
      add_size(cylinder->radius);
      add_size(cylinder->length);
    }
  };
  for (const auto& load : model.loads)
    if (const auto on_mesh = load->definition("skin")) place(load->name, on_mesh->where);
  for (const auto& support : model.supports) place(support.name, support.nodes);
  for (const auto& body : model.bodies) {
    body->visit_laws([&](const BodyLaw& given) { law(given.path, given.law); });
    const Appearance& drawn = body->appearance;
    std::vector<double>& sizes = found[body->name + ", appearance"];
    sizes = {drawn.radius, drawn.length, drawn.size[0], drawn.size[1], drawn.size[2]};
    sizes.insert(sizes.end(), drawn.position.data(), drawn.position.data() + 3);
    const double turn = drawn.rotation.angularDistance(Eigen::Quaterniond::Identity());
    found[body->name + ", appearance, turned"] = {turn};
    if (const FlexibleEntry* flexible = body->flexible()) {
      for (const auto& interface : flexible->interfaces) place(body->name, interface.nodes);
      for (const auto& point : flexible->points)
        found["points"].insert(found["points"].end(), point.x_B.data(), point.x_B.data() + 3);
      found[body->name + ", damping of mass"] = {flexible->damping.rayleigh_alpha};
      found[body->name + ", damping of stiffness"] = {flexible->damping.rayleigh_beta};
    }
  }
  for (const auto& support : model.supports)
    for (const auto& f : support.displacement) law(support.name, f);
  for (const auto& analysis : model.analyses) {
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis)) {
      const auto& o = dynamics->options;
      found["times"].insert(found["times"].end(), {o.duration, o.step});
      found["rates"].insert(found["rates"].end(), {o.baumgarte_alpha, o.baumgarte_beta});
      if (o.adaptive) found["steps"] = {o.adaptive->minimum_step, o.adaptive->maximum_step};
    }
    if (const LinearDescription* linear = find_linear(analysis))
      found["times of linear analyses"] = linear->times;
    if (const auto* modes = std::get_if<MechanismModesDescription>(&analysis))
      found["speeds"] = modes->speeds;
  }
  found["intervals"] = {model.output.history_interval, model.output.fields_interval,
                        model.output.motion_interval.value_or(0.0), model.output.statistics_from};
  found["wall time"] = {model.output.checkpoint_interval};
  for (const auto& [name, material] : model.materials) {
    const VectorXd C = material.solid.stiffness().reshaped();
    found["stiffness of " + name] = list_of(C);
    found["density of " + name] = {material.solid.density()};
  }
  return found;
}

/// Somewhere beside the start, in motion, the same for systems of the same size.
void perturb(system::System& system, system::State& state) {
  std::mt19937 generator(7);
  const auto random = [&](Eigen::Index n, double size) {
    VectorXd v(n);
    for (double& x : v)
      x = size * (2.0 * std::uniform_real_distribution<double>()(generator) - 1.0);
    return v;
  };
  const VectorXd start = state.q;
  system.advance(start, random(system.layout().n_velocities(), 0.02), state.q);
  state.v += random(state.v.size(), 1.0);
  state.a = random(state.a.size(), 1.0);
  state.lambda = random(state.lambda.size(), 10.0);
  state.t = 0.37;
}

Findings findings_of(system::System& system, const std::vector<analyses::Sensor>& sensors) {
  Findings found;
  system::State state = system.make_state();
  found["positions at the start"] = list_of(state.q);
  found["velocities at the start"] = list_of(state.v);
  system.update(state);
  system.accept(state);
  perturb(system, state);
  system.update(state);
  system.update_accelerations();
  VectorXd r(system.layout().n_velocities()), phi(system.layout().n_constraints()), nu = phi,
                                                                                    gamma = phi;
  system.compute_residual(state, r, phi);
  found["residual"] = list_of(r);
  found["constraints"] = list_of(phi);
  system.compute_rates(state, nu, gamma);
  found["rates of constraints"] = list_of(nu);
  found["accelerations of constraints"] = list_of(gamma);
  bodies::TangentCoefficients all;
  all.mass = 1.0, all.damping = 1.0, all.stiffness = 1.0;
  system.visit_tangents(all, state.t,
                        [&](const std::vector<int>&, const auto& J_rate, const auto& J_q) {
                          for (const auto* J : {&J_rate, &J_q})
                            for (Eigen::Index j = 0; j < J->cols(); ++j)
                              for (Eigen::Index i = 0; i < J->rows(); ++i)
                                found["tangent"].push_back((*J)(i, j));
                        });
  const bodies::Energy energy = system.energy(state);
  found["energy"] = {energy.kinetic, energy.strain, energy.potential};
  found["power"] = list_of(system.external_powers(state));
  for (const auto& frame : system.kinematics().frames) {
    for (const double x : frame.p) found["frames"].push_back(x);
    for (const double x : frame.R.reshaped()) found["axes"].push_back(x);
  }
  for (const auto i : system.forces()) {
    std::vector<double> values(system.force(i).readings().size());
    system.force(i).read(system.kinematics(), state.t, values.data());
    found["readings of " + system.force(i).name()] = values;
    // Laws that show in impacts and forces of the integrator's alone.
    if (const forces::SetValued* part = system.force(i).as_set_valued()) {
      std::vector<double>& laws = found["laws of " + system.force(i).name()];
      laws = {part->law().slow_speed, part->law().pressing_force};
      for (int k = 0; k < part->n_points(); ++k) laws.push_back(part->gap(system.kinematics(), k));
    }
  }
  for (const analyses::Sensor& sensor : sensors) {
    std::vector<double> values(sensor.columns.size());
    sensor.read({system, state}, values.data());
    found["sensor " + sensor.columns[0].name] = values;
  }
  return found;
}

void expect_same(const Findings& si, const Findings& odd, double tolerance) {
  ASSERT_EQ(si.size(), odd.size());
  for (const auto& [name, values] : si) {
    const std::vector<double>& others = odd.at(name);
    ASSERT_EQ(values.size(), others.size()) << name;
    double largest = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      largest = std::max({largest, std::abs(values[i]), std::abs(others[i])});
      difference = std::max(difference, std::abs(values[i] - others[i]));
    }
    EXPECT_LE(difference, tolerance * largest) << name;
  }
}

struct Row {
  std::vector<std::string> additions;
  bool is_built = true;  ///< no meshes: what a description holds says it
};

std::string beam(const std::string& section, const std::string& more = "") {
  return "bodies.mast={type: beam, points: {foot: [0, 0, 0], top: [0, <0.8 m>, 0]}, elements: 2, section: {" +
         section + "}" + more +
         (section.find("EA") == std::string::npos ? ", material: steel}" : "}");
}
std::string joint(const std::string& keys) { return "joints.more={" + keys + "}"; }
std::string force(const std::string& keys) { return "forces.more={" + keys + "}"; }
std::string contact(const std::string& keys) {
  return "contacts.more={between: [ground, box], first: {shape: plane, at: [0, <0.5 m>, 0], axis: [0, 1, 0]}, " +
         keys + "}";
}
std::string solid(const std::string& more) {
  return "bodies.skin={type: inertial, mesh: rod.msh, mesh_units: mm, material: steel, interfaces: {end: {nodes: {near: [<1 m>, 0, <0.2 m>], radius: <0.3 m>}}}" +
         more + "}";
}

std::vector<Row> material_rows() {
  return {
      {{"materials.wood={youngs_moduli: [<1.5e10 N/m^2>, <6e8 N/m^2>, <9e8 N/m^2>], poissons_ratios: [0.35, 0.2, 0.25], shear_moduli: [<2.5e8 N/m^2>, <4e8 N/m^2>, <3.2e8 N/m^2>], density: <600 kg/m^3>, thermal_expansions: [1e-6, 2e-6, 3e-6]}"}}};
}

std::vector<Row> beam_rows() {
  const std::string circle = "type: circle, radius: <0.02 m>";
  return {
      {{beam("type: rectangle, width: <0.03 m>, height: <0.05 m>")}},
      {{beam(circle)}},
      {{beam(
          "type: tube, radius: <0.02 m>, wall: <0.003 m>, mass_per_length: <3 kg/m>, mass_moments: [<0.04 kg m>, <0.02 kg m>, <0.02 kg m>]")}},
      {{beam(
          "type: i_section, width: <0.03 m>, height: <0.05 m>, flange: <0.004 m>, web: <0.003 m>, offset: [<0.01 m>, <-0.02 m>]")}},
      {{beam(
          "type: general, area: <1e-3 m^2>, I_y: <2e-7 m^4>, I_z: <3e-7 m^4>, torsion_constant: <4e-7 m^4>")}},
      {{beam(
          "type: stiffness, EA: <2000 N>, GA_y: <700 N>, GA_z: <600 N>, GJ: <3 N m^2>, EI_y: <4 N m^2>, EI_z: <5 N m^2>, mass_per_length: <7 kg/m>, mass_moments: [<0.004 kg m>, <0.002 kg m>, <0.002 kg m>]")}},
      {{beam(circle,
             ", arc_through: [<0.1 m>, <0.4 m>, 0], damping: {rayleigh: {stiffness: <1e-4 s>}}")}},
      {{beam(
          circle,
          ", prestress: {axial: <500 N>, torsion: <30 N m>, bending_y: <20 N m>, bending_z: <10 N m>}")}},
      {{beam(
          circle,
          ", prestrain: {stretch: \"1e-3*<1 1/s>*t\", twist: <0.01 rad/m>, curvature_y: <0.02 1/m>, curvature_z: \"<0.03 1/m s>*t\"}")}},
      {{beam(
          circle,
          ", driven_strains: {twist: \"<0.1 rad/m s>*t\", curvature_y: <0.02 1/m>, curvature_z: \"<0.03 1/m s>*t\"}")}},
      {{beam(circle),
        "loads.more={type: distributed, body: mast, force: [<4 N/m>, \"<5 N/m s>*t\", 0], torque: [<6 N m/m>, 0, <7 N m/m>]}"}},
  };
}

std::vector<Row> joint_rows() {
  const std::string turning =
      "spring: {stiffness: <40 N m/rad>, free_angle: <0.3 rad>, preload: <2 N m>}, damper: {damping: <0.7 N m s/rad>}, actuator: \"<5 N m/s>*t\"";
  const std::string sliding =
      "spring: {stiffness: <4000 N/m>, free_position: <0.2 m>, preload: <15 N>}, damper: {damping: <60 N s/m>}, actuator: \"<5 N/s>*t\"";
  return {
      {{joint(
          "type: screw, between: [box.tip, wheel], at: [0, 0, 0], axis: [0, 0, 1], pitch: <0.02 m>")}},
      {{joint(
          "type: point_on_curve, between: [ground, box], points: [[<1 m>, <0.2 m>, 0], [<2 m>, <0.3 m>, 0], [<3 m>, <0.1 m>, <0.2 m>]], at: [<2 m>, <0.3 m>, 0]")}},
      {{joint(
          "type: distance, between: [box, wheel], at: [<1 m>, 0, 0], to: [0, <0.3 m>, 0], length: <0.9 m>")}},
      {{joint(
          "type: rolling, between: [ground, box], axis: [1, 0, 0], normal: [0, 1, 0], radius: <0.25 m>, plane_at: [0, <-0.05 m>, 0], at: [<1 m>, <0.2 m>, 0]")}},
      {{joint("type: rack_and_pinion, joints: [hinge, slider], radius: <0.12 m>")}},
      {{joint("type: gear, joints: [hinge, other], ratio: -2"),
        "joints.other={type: revolute, between: [ground, box], at: [<1 m>, 0, 0], axis: [0, 0, 1]}"}},
      // A term of turns and one of lengths: the sum is in metres.
      {{joint(
          "type: coupler, terms: [{joint: slider, factor: 2}, {joint: hinge, factor: <0.3 m/rad>}], constant: <0.05 m>")}},
      {{joint(
          "type: coupler, terms: [{joint: slider, factor: 1}, {joint: hinge, by: {table: [[<0 rad>, <0 m>], [<1 rad>, <0.1 m>], [<2 rad>, <0.3 m>]], interpolation: cubic}}]")}},
      {{joint("type: rotation_drive, joint: hinge, angle: \"<2 rad/s>*t\"")}},
      {{joint(
          "type: rotation_drive, joint: hinge, angle: {table: [[<0 s>, <0 rad>], [<1 s>, <2 rad>], [<2 s>, <3 rad>]], interpolation: cubic}")}},
      {{joint("type: rotation_drive, joint: hinge, angular_velocity: \"<2 rad/s^2>*t\"")}},
      {{joint(
          "type: rotation_drive, joint: hinge, angular_acceleration: \"<2 rad/s^3>*t\", start: <0.4 rad>, start_rate: <3 rad/s>")}},
      {{joint("type: translation_drive, joint: slider, translation: \"<2 m/s>*t\"")}},
      {{joint("type: translation_drive, joint: slider, velocity: \"<2 m/s^2>*t\"")}},
      {{joint(
          "type: translation_drive, joint: slider, acceleration: \"<2 m/s^3>*t\", start: <0.4 m>, start_rate: <3 m/s>")}},
      {{joint(
          "type: distance_drive, between: [ground, box], at: [0, 0, 0], to: [<1 m>, <0.2 m>, 0], length: \"<1 m> + <2 m/s>*t\"")}},
      {{joint(
          "type: distance_drive, between: [ground, box], at: [0, 0, 0], to: [<1 m>, <0.2 m>, 0], velocity: \"<2 m/s^2>*t\"")}},
      {{joint(
          "type: distance_drive, between: [ground, box], at: [0, 0, 0], to: [<1 m>, <0.2 m>, 0], acceleration: \"<2 m/s^3>*t\", start: <1.1 m>, start_rate: <3 m/s>")}},
      {{joint(
          "type: point_path, between: [ground, box], at: [<1 m>, 0, 0], position: [\"<1 m> + <2 m/s>*t\", 0, 0]")}},
      {{joint(
          "type: point_path, between: [ground, box], at: [<1 m>, 0, 0], velocity: [\"<2 m/s^2>*t\", <0.2 m/s>, 0]")}},
      {{joint(
          "type: point_path, between: [ground, box], at: [<1 m>, 0, 0], acceleration: [\"<2 m/s^3>*t\", <0.2 m/s^2>, 0]")}},
      {{joint("type: revolute, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], " +
              turning)}},
      {{joint("type: prismatic, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], " +
              sliding)}},
      {{joint(
          "type: cylindrical, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], translation: {" +
          sliding + "}, rotation: {" + turning + "}")}},
      // Overtravel on either side: stops act.
      {{joint(
          "type: revolute, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], limits: {lower: <0.9 rad>, stiffness: <300 N m/rad>, damping: <0.05 s/rad>}")}},
      {{joint(
          "type: revolute, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], limits: {upper: <-0.9 rad>, stiffness: <300 N m/rad>}")}},
      {{joint(
          "type: prismatic, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], limits: {lower: <0.5 m>, stiffness: <3000 N/m>, damping: <0.1 s/m>}")}},
      {{joint(
          "type: prismatic, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], limits: {upper: <-0.5 m>, stiffness: <3000 N/m>}")}},
      {{joint(
          "type: prismatic, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], limits: {lower: <-0.001 m>, upper: <0.001 m>, law: {type: impact, restitution: 0.5, slow_speed: <0.7 m/s>}}")}},
      {{joint("type: revolute, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], limits: {lower: <-0.001 rad>, upper: <0.001 rad>, law: {type: impact, restitution: 0.5, slow_speed: <0.7 rad/s>}}")}},
      {{joint(
          "type: revolute, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], friction: {static: 0.3, dynamic: 0.2, stribeck_speed: <0.05 m/s>, transition_speed: <0.02 m/s>, radius: <0.04 m>, moment_arm: <0.3 m>, thrust_radius: <0.06 m>, preload: <70 N>}")}},
      {{joint(
          "type: prismatic, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], friction: {static: 0.3, moment_arm: <0.3 m>, preload: <70 N>}")}},
      {{joint(
          "type: prismatic, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], spring: {force: \"<4000 N/m>*x + <10 N/s>*t\"}, damper: {force_by_rate: {table: [[<-1 m/s>, <-50 N>], [<0 m/s>, <0 N>], [<1 m/s>, <70 N>]], interpolation: cubic}}")}},
      {{joint(
          "type: prismatic, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], spring: {force_by_extension: {table: [[<-1 m>, <-50 N>], [<0 m>, <0 N>], [<1 m>, <70 N>]], interpolation: cubic}}")}},
      {{joint(
          "type: revolute, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], spring: {torque: \"<40 N m/rad>*x + <3 N m s/rad>*v\"}, damper: {torque_by_rate: {table: [[<-1 rad/s>, <-5 N m>], [<0 rad/s>, <0 N m>], [<1 rad/s>, <7 N m>]], interpolation: cubic}}")}},
      {{joint(
          "type: revolute, between: [box, ground], at: [<1 m>, 0, 0], axis: [0, 0, 1], actuator: {table: [[<-1 rad>, <1 N m>], [<0.1 rad>, <3 N m>], [<1 rad>, <5 N m>]], of: turn}")}},
  };
}

std::vector<Row> force_rows() {
  const std::string strut =
      "type: spring_damper, between: [ground, box], at_first: [0, 0, <0.5 m>], at_second: [<1 m>, <0.3 m>, 0], ";
  const std::string torsion =
      "type: torsional_spring_damper, between: [ground, box], at: [0, <0.2 m>, 0], axis: [0, 0, 1], ";
  return {
      {{force(
          strut +
          "stiffness: <4000 N/m>, damping: <60 N s/m>, free_length: <0.8 m>, preload: <-20 N>, actuator: \"<5 N/s>*t\"")}},
      {{force(
          strut +
          "force_by_extension: {table: [[<-1 m>, <-50 N>], [<0 m>, <0 N>], [<1 m>, <70 N>]], interpolation: cubic}, force_by_rate: {table: [[<-1 m/s>, <-5 N>], [<0 m/s>, <0 N>], [<1 m/s>, <7 N>]], interpolation: cubic, ends: clamped, end_slopes: [<4 N s/m>, <3 N s/m>]}")}},
      {{force(strut + "force: \"<4000 N/m>*x + <10 N s/m>*v + <3 N/s>*t\"")}},
      {{force(
          "type: series_spring_damper, between: [ground, box], at_first: [0, 0, <0.5 m>], at_second: [<1 m>, <0.3 m>, 0], stiffness: <4000 N/m>, damping: <60 N s/m>, force_by_rate: {table: [[<-1 m/s>, <-5 N>], [<0 m/s>, <0 N>], [<1 m/s>, <7 N>]], interpolation: cubic}")}},
      {{force(
          "type: bump_stop, between: [ground, box], at: [<0.8 m>, <0.1 m>, 0], axis: [0, 0, 1], force_by_travel: {table: [[<0.001 m>, <0 N>], [<0.02 m>, <70 N>]]}, damping: <0.3 s/m>")}},
      {{force(
          "type: anti_roll_bar, between: [ground, box], left: [[<0.8 m>, <0.5 m>, 0], [<0.8 m>, <0.5 m>, <0.4 m>]], right: [[<0.8 m>, <-0.5 m>, 0], [<0.8 m>, <-0.5 m>, <0.4 m>]], arm: <0.2 m>, stiffness: <40 N m/rad>, damping: <0.6 N m s/rad>")}},
      {{force(
          torsion +
          "stiffness: <40 N m/rad>, damping: <0.6 N m s/rad>, free_angle: <0.3 rad>, preload: <2 N m>, actuator: \"<5 N m/s>*t\"")}},
      {{force(
          torsion +
          "torque_by_angle: {table: [[<-1 rad>, <-5 N m>], [<0 rad>, <0 N m>], [<1 rad>, <7 N m>]], interpolation: cubic}, torque_by_rate: {table: [[<-1 rad/s>, <-5 N m>], [<0 rad/s>, <0 N m>], [<1 rad/s>, <7 N m>]], interpolation: cubic}")}},
      {{force(torsion + "torque: \"<40 N m/rad>*x + <10 N m s/rad>*v + <3 N m/s>*t\"")}},
      {{force(
          "type: bushing, between: [ground, box], at: [<0.8 m>, 0, 0], stiffness: [<1000 N/m>, <1100 N/m>, <1200 N/m>, <50 N m/rad>, <60 N m/rad>, <70 N m/rad>], damping: [<10 N s/m>, <11 N s/m>, <12 N s/m>, <0.5 N m s/rad>, <0.6 N m s/rad>, <0.7 N m s/rad>], preload: [<5 N>, 0, <6 N>, <1 N m>, 0, <2 N m>]")}},
      // Stiffnesses that couple displacements with rotations, and those with them.
      {{force(
          "type: bushing, between: [ground, box], at: [<0.8 m>, 0, 0], stiffness: [[<1000 N/m>, 0, 0, 0, <20 N/rad>, 0], [0, <1000 N/m>, 0, 0, 0, 0], [0, 0, <1000 N/m>, 0, 0, 0], [0, 0, 0, <50 N m/rad>, 0, 0], [<20 N m/m>, 0, 0, 0, <50 N m/rad>, 0], [0, 0, 0, 0, 0, <50 N m/rad>]]")}},
      {{force(
          "type: drag, at: box, viscous: <3 N s/m>, viscous_rotational: <0.2 N m s/rad>, drag_coefficient: 0.4, area: <0.5 m^2>, density: <1.2 kg/m^3>, medium_velocity: [\"<5 m/s^2>*t\", <2 m/s>, 0]")}},
      {{force(
          "type: expression, at: box, force: [0, 0, \"<-20 N/m>*p.z + <2 N/s>*t\"], torque: [\"<3 N m/rad>*turn\", 0, 0]")}},
      {{force(
          "type: tabulated, between: [ground, box], direction: [0, 0, 1], at_second: [<1 m>, <0.3 m>, 0], force: {table: [[<-9 m>, <2 N>], [<9 m>, <30 N>]], of: p.z}, beyond: hold")}},
      {{force(
          "type: tabulated, between: [ground, box], at_first: [<0.1 m>, 0, 0], at_second: [<1 m>, <0.3 m>, 0], force: {table: [[<-9 m>, <2 N>], [<9 m>, <30 N>]], of: p.z}, beyond: hold")}},
      {{force(
          "type: tabulated, between: [ground, box], direction: [0, 0, 1], torque: {table: [[<-3 rad>, <2 N m>], [<3 rad>, <30 N m>]], of: turn}, beyond: hold")}},
      // A wheelset whose wheels are points of a file; a second by coefficients.
      {{"bodies.axle={type: rigid, mass: <1500 kg>, inertia: [<900 kg m^2>, <100 kg m^2>, <900 kg m^2>], pose: {position: [<12 m>, <0.001 m>, <0.46 m>]}, velocity: {linear: [<10 m/s>, 0, 0]}}", "track={plan: [{length: <60 m>, curvature: <1e-5 1/m>, curvature_to: <2e-5 1/m>, cant: <0.01 m>, cant_to: <0.05 m>}], gradients: [{length: <50 m>, gradient_to: 0.01}], cant_base: <1.5 m>, cant_axis: low_rail, blend: <1 m>, gauge: <1.435 m>, gauge_depth: <0.014 m>, rail: ../../data/railway/profiles/MBench_UIC60_v3.prr, inclination: 0, rail_file: {shift: [<0.001 m>, <0.002 m>], rotation: <0.01 rad>, smoothing: <1e-6 m>}, irregularities: {spectrum: erri_low, wavelengths: [<3 m>, <70 m>], seed: 1, from: <5 m>, fade_in: <20 m>}, flexible_rails: {from: <10 m>, to: <14 m>, sleeper_spacing: <0.5 m>, elements_per_bay: 2, bending_stiffness: [<6e6 N m^2>, <1e6 N m^2>], mass_per_length: <60 kg/m>, pad_stiffness: [<1.5e8 N/m>, <4e7 N/m>], pad_damping: [<4e4 N s/m>, <2e4 N s/m>], sleeper_mass: <290 kg>, sleeper_length: <2.5 m>, ballast_stiffness: [<9e7 N/m>, <3e7 N/m>], ballast_damping: [<9e4 N s/m>, <5e4 N s/m>]}}",
        force(
            "type: wheel_rail, at: axle, wheel: s1002, radius: <0.46 m>, flange_back: <1.36 m>, back_to_tape_circle: <0.07 m>, friction_limit: 0.4, friction_decrement: <0.6 s/m>, youngs_modulus: <2e11 N/m^2>, damping_ratio: 0.3, damping_speed: <0.1 m/s>, creep: polach, patch: piotrowski_kik, spin: rolling, rolling_inertia: <100 kg m^2>, friction_along: {table: [[<10 m>, 0.3], [<14 m>, 0.2]]}, friction_along_right: {table: [[<11 m>, 0.25], [<15 m>, 0.2]]}")}},
      {{force(
          "type: linear_wheel_rail, at: box, f11: <9e6 N>, f22: <8e6 N>, f23: <1e4 N m>, f33: <16 N m^2>, conicity: 0.1, half_distance: <0.75 m>, radius: <0.46 m>")}},
      {{"loads.more={type: force, at: box.tip, force: [<4 N>, \"<5 N/s>*t\", 0], torque: [<6 N m>, 0, \"<7 N m/s>*t\"]}"}},
  };
}

std::vector<Row> contact_rows() {
  const std::string law = "law: {type: hertz, stiffness: <1e5 N/m^1.5>}";
  const std::string sphere = "second: {shape: sphere, radius: <0.6 m>}, ";
  return {
      {{contact(sphere + law)}},
      {{contact(sphere + "law: {type: hertz, stiffness: <1e5 N/m^2>, exponent: 2}")}},
      {{contact("second: {shape: sphere, radius: <0.6 m>, at: [<1.1 m>, <0.25 m>, 0]}, " + law)}},
      {{contact("second: {shape: capsule, radius: <0.4 m>, length: <0.3 m>, axis: [1, 0, 0]}, " +
                law)}},
      {{contact("second: {shape: cylinder, radius: <0.6 m>, length: <0.3 m>, axis: [0, 0, 1]}, " +
                law)}},
      {{contact("second: {shape: box, size: [<1 m>, <0.9 m>, <0.8 m>]}, " + law)}},
      {{"contacts.more={between: [ground, box], first: {shape: hollow_sphere, radius: <0.7 m>, at: [<1.5 m>, 0, 0]}, second: {shape: sphere, radius: <0.5 m>}, " +
        law + "}"}},
      {{"contacts.more={between: [ground, box], first: {shape: hollow_cylinder, radius: <0.7 m>, length: <0.4 m>, axis: [0, 0, 1], at: [<1.5 m>, 0, <0.3 m>]}, second: {shape: sphere, radius: <0.5 m>}, " +
        law + "}"}},
      {{contact(sphere + "law: {type: hertz, materials: [steel, brass]}")}},
      {{"contacts.more={between: [ground, box], first: {shape: plane, axis: [0, 1, 0]}, second: {shape: point}, law: {type: impact, slow_speed: <0.002 m/s>}, surface_velocity: [<0.3 m/s>, 0, <0.2 m/s>]}"}},
      {{contact(
          "second: {shape: polyhedron, points: [[<0.6 m>, 0, 0], [<-0.7 m>, 0, 0], [0, <0.2 m>, 0], [0, 0, <0.5 m>], [0, 0, <-0.4 m>]]}, " +
          law)}},
      {{contact(
          sphere +
          "law: {type: flores, stiffness: <1e5 N/m^1.5>, restitution: 0.6, slow_speed: <0.5 m/s>}")}},
      {{contact(
          sphere +
          "law: {type: kelvin_voigt, stiffness: <1e5 N/m>, damping: <200 N s/m>, damping_depth: <2 m>}")}},
      {{contact(
          sphere + law +
          ", friction: {static: 0.3, dynamic: 0.2, stribeck_speed: <0.7 m/s>, transition_speed: <0.4 m/s>}")}},
      {{"contacts.more={between: [ground, box], first: {shape: plane, axis: [0, 1, 0]}, second: {shape: point}, law: {type: impact}, friction: {static: 0.3, rolling: <0.02 m>, drilling: <0.03 m>}}"}},
      {{"contacts.more={type: revolute, between: [ground, wheel], at: [0, 0, <0.5 m>], axis: [0, 0, 1], radius: <0.05 m>, clearance: <0.001 m>, length: <0.04 m>, axial_clearance: <0.002 m>, " +
        law + "}"}},
      {{"contacts.more={type: cylindrical, between: [ground, wheel], at: [0, 0, <0.5 m>], axis: [0, 0, 1], radius: <0.05 m>, clearance: <0.001 m>, length: <0.04 m>, " +
        law + "}"}},
      {{"contacts.more={type: spherical, between: [ground, wheel], at: [0, 0, <0.5 m>], radius: <0.05 m>, clearance: <0.001 m>, " +
        law + "}"}},
  };
}

std::vector<Row> other_rows() {
  const std::string box = "{in_box: {low: [<-1 m>, 0, 0], high: [<1 m>, <2 m>, <3 m>]}}";
  return {
      {{solid(
            ", points: {p: [<0.5 m>, 0, <0.1 m>]}, damping: {rayleigh: {mass: <0.3 1/s>, stiffness: <1e-4 s>}}"),
        "loads.wind={type: pressure, body: skin, faces: " + box + ", pressure: \"<2 N/m^2 s>*t\"}",
        "loads.shear={type: traction, body: skin, faces: " + box +
            ", traction: [<3 N/m^2>, 0, \"<4 N/m^2 s>*t\"]}",
        "loads.pull={type: nodal_force, body: skin, nodes: " + box +
            ", force: [<3 N>, 0, \"<4 N/s>*t\"]}",
        "supports.wall={body: skin, nodes: " + box +
            ", fix: [x, z], displacement: [<0.01 m>, 0, \"<0.02 m/s>*t\"]}"},
       false},
      {{"bodies.tube={type: corotational, mesh: rod.msh, material: steel, interfaces: {end: {nodes: {in_cylinder: {point: [<1 m>, 0, 0], axis: [0, 0, 1], radius: <0.2 m>, length: <0.3 m>}}}, low: {nodes: " +
        box + "}}}"},
       false},
      {{"bodies.box.appearance={shape: cylinder, radius: <0.2 m>, length: <0.5 m>, position: [<0.1 m>, 0, <0.3 m>], rotation: {axis: [0, 1, 0], angle: <0.7 rad>}}",
        "bodies.wheel.appearance={shape: box, size: [<0.2 m>, <0.3 m>, <0.4 m>]}"}},
      {{"sensors.bend={type: relative_displacement, point: box.tip, chord: [ground, wheel], about: [0, 1, 0], normalised_by: <0.4 m>}"}},
      // A sum of what the sensors show, in the file's units; recorded in SI.
      {{"sensors.sum={type: expression, value: \"2*p.x + <0.3 m/rad>*turn + <0.1 m/s>*t\", measures: length}"}},
      {{"sensors.rate={type: expression, value: \"<4 N/m>*p.x\", measures: force}"}},
      {{"analyses.0.dynamics.adaptive={tolerance: 1e-4, minimum_step: <1e-6 s>, maximum_step: <1e-2 s>}",
        "output={history_interval: <0.01 s>, fields_interval: <0.1 s>, motion_interval: <0.05 s>, checkpoint_interval: 30, statistics: {from: <0.5 s>}}"},
       false},
      {{"analyses.0.dynamics={duration: <1 s>, step: <0.001 s>, integrator: bdf, baumgarte: {alpha: <40 1/s>, beta: <50 1/s>}}"},
       false},
      {{"analyses=[{dynamics: {duration: <1 s>, step: <0.001 s>}}, {modes: {count: 2, times: [<0.2 s>, <0.4 s>]}}]"},
       false},
      {{"analyses=[{dynamics: {duration: <1 s>, step: <0.001 s>}}, {linearise: {inputs: [push.force_x], times: [<0.2 s>, <0.4 s>]}}]",
        "loads.push={type: force, at: box, force: [<1 N>, 0, 0]}"},
       false},
      {{"analyses=[{dynamics: {duration: <1 s>, step: <0.001 s>}}, {frequency_response: {inputs: [push.force_x], frequencies: [1, 2], times: [<0.2 s>]}}]",
        "loads.push={type: force, at: box, force: [<1 N>, 0, 0]}"},
       false},
      {{"analyses=[{dynamics: {duration: <1 s>, step: <0.001 s>}}, {reflected_inertia: {at: [box], times: [<0.2 s>]}}]"},
       false},
      {{"analyses=[{modes: {count: 2, about: hinge, speeds: [<10 rad/s>, <20 rad/s>]}}]"}, false},
      {{"analyses=[{kinematics: {duration: <1 s>, step: <0.001 s>}}]",
        "joints.turn={type: rotation_drive, joint: hinge, angle: <1 rad>}"},
       false},
      {{"analyses=[{inverse_dynamics: {duration: <1 s>, step: <0.001 s>}}]",
        "joints.turn={type: rotation_drive, joint: hinge, angle: <1 rad>}"},
       false},
  };
}

class UnitsOfKeys : public testing::TestWithParam<std::vector<Row> (*)()> {};

INSTANTIATE_TEST_SUITE_P(All, UnitsOfKeys,
                         testing::Values(material_rows, beam_rows, joint_rows, force_rows,
                                         contact_rows, other_rows));

TEST_P(UnitsOfKeys, GiveTheSameSystem) {
  for (const Row& row : GetParam()()) {
    SCOPED_TRACE(row.additions[0]);
    try {
      const ModelDescription si = parse(row.additions, FileUnits::si),
                             odd = parse(row.additions, FileUnits::odd);
      expect_same(findings_of(si), findings_of(odd), 1e-12);
      if (!row.is_built) continue;
      const auto built_si = build(PETSC_COMM_SELF, si, {}),
                 built_odd = build(PETSC_COMM_SELF, odd, {});
      expect_same(findings_of(built_si->system, built_si->sensors),
                  findings_of(built_odd->system, built_odd->sensors), 1e-9);
    } catch (const base::InputError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

Findings all_findings_of(const ModelDescription& model, bool is_built) {
  Findings found = findings_of(model);
  if (!is_built) return found;
  const auto built = build(PETSC_COMM_SELF, model, {});
  found.merge(findings_of(built->system, built->sensors));
  return found;
}

bool differ(const Findings& a, const Findings& b) {
  if (a.size() != b.size()) return true;
  for (const auto& [name, values] : a) {
    const auto found = b.find(name);
    if (found == b.end() || found->second.size() != values.size()) return true;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::abs(values[i] - found->second[i]) > 1e-12 * std::abs(values[i])) return true;
  }
  return false;
}

int n_numbers(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '<'));
}

/// Whether another number there makes another system, or no model at all.
bool is_seen(const Findings& base, const std::string& mechanism,
             const std::vector<std::string>& overrides, bool is_built) {
  try {
    return differ(base, all_findings_of(parse_written(mechanism, overrides), is_built));
  } catch (const base::InputError&) {
    return true;
  }
}

// Else a wrong unit of it would not be seen above. A key that nothing comes of fails here, too.
TEST_P(UnitsOfKeys, EachNumberMakesADifference) {
  const std::string mechanism = header(FileUnits::si) + written(kMechanism, FileUnits::si);
  for (const Row& row : GetParam()()) {
    std::vector<std::string> overrides;
    for (const std::string& addition : row.additions)
      overrides.push_back(written(addition, FileUnits::si));
    const Findings base = all_findings_of(parse_written(mechanism, overrides), row.is_built);
    for (std::size_t i = 0; i < overrides.size(); ++i)
      for (int k = 0; k < n_numbers(row.additions[i]); ++k) {
        std::vector<std::string> changed = overrides;
        changed[i] = written(row.additions[i], FileUnits::si, k);
        if (changed[i] != overrides[i])
          EXPECT_TRUE(is_seen(base, mechanism, changed, row.is_built))
              << k << " of " << row.additions[i];
      }
  }
}

TEST(UnitsOfKeysTable, EachNumberOfTheMechanismMakesADifference) {
  const Findings base = all_findings_of(parse({}, FileUnits::si), true);
  for (int k = 0; k < n_numbers(kMechanism); ++k)
    EXPECT_TRUE(
        is_seen(base, header(FileUnits::si) + written(kMechanism, FileUnits::si, k), {}, true))
        << k;
}

/// The keys of a tree that have units.
void collect(const Value& value, const TableSpec& table, std::set<const KeySpec*>& keys) {
  const std::string type = selected_type(value, table);
  for (const Entry& entry : value.entries) {
    const KeySpec* key = table.find(entry.key, type);
    if (!key) continue;
    keys.insert(key);
    if (key->form == Form::table && entry.value.kind == Value::Kind::map)
      collect(entry.value, *key->table, keys);
    if (key->form == Form::named_tables)
      for (const Entry& inner : entry.value.entries) collect(inner.value, *key->table, keys);
    if (key->form == Form::list)
      for (const Value& inner : entry.value.items) collect(inner, *key->table, keys);
  }
}

bool has_unit(const Quantity& q) { return q.length || q.mass || q.time || q.angle || q.force; }

// So that a new key with a unit gets a row here.
TEST(UnitsOfKeysTable, HasEveryKeyThatHasAUnit) {
  std::set<const KeySpec*> given;
  for (const auto rows :
       {material_rows, beam_rows, joint_rows, force_rows, contact_rows, other_rows})
    for (const Row& row : rows()) {
      Report report;
      Value root = parse_yaml(header(FileUnits::si) + written(kMechanism, FileUnits::si),
                              "model.yaml", report);
      for (const std::string& addition : row.additions) {
        const std::string text = written(addition, FileUnits::si);
        const std::size_t equals = text.find('=');
        // bodies.mast={...}: as a tree of its own, whose keys are the same.
        std::string path = text.substr(0, equals), tree = text.substr(equals + 1);
        for (std::size_t dot; (dot = path.rfind('.')) != std::string::npos; path.erase(dot)) {
          const std::string name = path.substr(dot + 1);
          tree = name == "0" ? "[" + tree + "]" : "{" + name + ": " + tree + "}";
        }
        collect(parse_yaml(path + ": " + tree, "row", report), model_grammar(), given);
      }
      collect(root, model_grammar(), given);
    }
  // A load pattern's magnitude does not matter, and of groups and places of beams by meshes the
  // tables are those of the body.
  const std::set<std::string> elsewhere = {"static load.pressure", "static load.traction",
                                           "track.running_speed",  // of what statics finds
                                           "static load.force", "place.at"};
  for (const TableSpec* table : all_tables())
    for (const KeySpec& key : table->keys)
      if (has_unit(key.quantity) && !elsewhere.count(table->name + "." + key.key))
        EXPECT_TRUE(given.count(&key)) << table->name << "." << key.key << " of "
                                       << (key.types.empty() ? "all types" : key.types[0]);
}

}  // namespace
}  // namespace solidyn::model
