#include <fmt/format.h>

#include <algorithm>

#include "model/analyses/analysis_type.h"
#include "model/bodies/body_entry.h"

namespace solidyn::model {
namespace {

using analyses::ElasticStart;
using analyses::IntegratorKind;
using integrators::MultipleImpacts;
using integrators::NewtonTangent;
using integrators::Stabilisation;
using solvers::friction::Method;
using Options = analyses::DynamicsOptions;
using Adaptive = Options::Adaptive;

const Words kNewmark = {"generalized_alpha", "hht"};
// Also those that locate impacts.
const Words kAdaptive = {"generalized_alpha", "hht", "bathe", "ed_alpha", "half_explicit"};
const Words kImplicit = {"generalized_alpha", "hht", "bathe", "ed_alpha", "moreau_jean"};
const Words kSetValued = {"generalized_alpha", "hht",         "bathe",
                          "ed_alpha",          "moreau_jean", "half_explicit"};
const Words kOnMultipliers = {"bdf", "runge_kutta"};

const Choice<IntegratorKind>& integrators() {
  static const Choice<IntegratorKind> choice = {
      {"generalized_alpha", IntegratorKind::generalized_alpha},
      {"hht", IntegratorKind::hht},
      {"bathe", IntegratorKind::bathe},
      {"ed_alpha", IntegratorKind::ed_alpha},
      {"moreau_jean", IntegratorKind::moreau_jean},
      {"half_explicit", IntegratorKind::half_explicit},
      {"semi_implicit_euler", IntegratorKind::semi_implicit_euler},
      {"bdf", IntegratorKind::bdf},
      {"runge_kutta", IntegratorKind::runge_kutta}};
  return choice;
}

const Fields<Adaptive>& adaptive_fields() {
  static const Fields<Adaptive> fields = {
      field(Key("tolerance", Form::number, "maximum local error per step, relative", "1e-5")
                .within(kPositive)
                .needed(),
            &Adaptive::tolerance),
      field(Key("minimum_step", Form::number, "minimum step; the run fails below it", "1e-9")
                .in(kTime)
                .within(kPositive)
                .needed(),
            &Adaptive::minimum_step),
      field(Key("maximum_step", Form::number, "maximum step", "1e-3")
                .in(kTime)
                .within(kPositive)
                .needed(),
            &Adaptive::maximum_step)};
  return fields;
}

const Fields<Options>& baumgarte_fields() {
  static const Fields<Options> fields = {
      field(Key("alpha", Form::number, "damping of constraint drift", "50")
                .in(kRate)
                .within(kNotNegative)
                .needed(),
            &Options::baumgarte_alpha),
      field(Key("beta", Form::number, "stiffness against constraint drift", "50")
                .in(kRate)
                .within(kNotNegative)
                .needed(),
            &Options::baumgarte_beta)};
  return fields;
}

const Fields<DynamicsDescription>& start_fields() {
  using Self = DynamicsDescription;
  static const Choice<ElasticStart> starts = {{"undeformed", ElasticStart::as_given},
                                              {"quasi_static", ElasticStart::quasi_static}};
  static const Fields<Self> fields = {
      field(
          Key("elastic", Form::word,
              "initial elastic coordinates of all flexible bodies: `undeformed` (as modelled, or from a preceding statics), or `quasi_static`: deformed by the loads and inertia forces at the start, without elastic velocity, so that no vibration is excited",
              "quasi_static")
              .needed()
              .unless("assemble"),
          starts, &Self::options, &Options::elastic_start),
      field(
          Key("assemble", Form::word,
              "`true`: what overlaps in set-valued contacts as modelled is moved apart, and joints beyond a stop back to it, by the smallest motion that the joints allow; by default overlaps are refused",
              "true")
              .or_default(),
          Choice<bool>{{"false", false}, {"true", true}}, &Self::options,
          &Options::assemble_contacts)};
  return fields;
}

const Fields<Options>& option_fields() {
  using Self = Options;
  static const Choice<MultipleImpacts> impacts = {{"simultaneous", MultipleImpacts::simultaneous},
                                                  {"sequential", MultipleImpacts::sequential}};
  static const Choice<Stabilisation> stabilisations = {{"none", Stabilisation::none},
                                                       {"projection", Stabilisation::projection}};
  static const Choice<NewtonTangent> tangents = {{"kept", NewtonTangent::kept},
                                                 {"consistent", NewtonTangent::consistent}};
  static const Choice<Method> methods = {{"automatic", Method::automatic},
                                         {"newton", Method::newton},
                                         {"gauss_seidel", Method::gauss_seidel},
                                         {"projected_gradient", Method::projected_gradient},
                                         {"interior_point", Method::interior_point}};
  static const Fields<Self> fields = {
      field(Key("duration", Form::number, "length of the simulation", "0.1")
                .in(kTime)
                .within(kPositive)
                .needed(),
            &Self::duration),
      field(Key("step", Form::number, "time step; the initial one for variable steps", "1e-5")
                .in(kTime)
                .within(kPositive)
                .needed(),
            &Self::step),
      field(
          Key("integrator", Form::word,
              "`generalized_alpha` (implicit, Lie group), `hht` (Hilber-Hughes-Taylor, a special case of it), `bathe` (implicit, two half steps, strong damping of what the step does not resolve), `ed_alpha` (implicit, two states at once, energy decaying: order three for linear motion), `moreau_jean` (implicit, of order 1, impacts and contact forces at once), `half_explicit` (explicit in forces, of order 2, steps limited by the fastest vibration; joints and contacts implicit), `semi_implicit_euler` (explicit, of order 2, the cheapest step: one evaluation, in relative coordinates alone; steps limited by the fastest vibration), `bdf` (Gear, variable order and step), `runge_kutta` (explicit, of order 8); the last two in index-1 form, projected onto the constraints after each step",
              "generalized_alpha")
              .or_default(),
          integrators(), &Self::integrator),
      field(Key("rho_infinity", Form::number,
                "numerical damping: 1 none, 0 strongest (spectral radius at infinite frequency)",
                "0.8")
                .within({0.0, 1.0, true, true})
                .or_default()
                .of({"generalized_alpha", "ed_alpha"}),
            &Self::rho_infinity),
      field(
          Key("alpha_AR", Form::number,
              "up to which frequencies motion is hardly damped: more is damped by larger values; 1/6, the default, is the most accurate (order three for linear motion)",
              "0.3")
              .within({0.0, 1.0, false, true})
              .or_default()
              .of({"ed_alpha"}),
          &Self::alpha_AR),
      field(
          Key("alpha", Form::number,
              "numerical damping: 0 none, -1/3 strongest (spectral radius (1 + alpha)/(1 - alpha) at infinite frequency)",
              "-0.1")
              .within({-1.0 / 3.0, 0.0, true, true})
              .or_default()
              .of({"hht"}),
          &Self::hht_alpha),
      field(
          Key("theta", Form::number,
              "weight of the end of a step against its start: 1/2 none, 1 strongest damping of what the step does not resolve (1 - 1/theta is what is left of it after a step); steps with impacts take at most 1/(1 + restitution)",
              "0.5")
              .within({0.5, 1.0, true, true})
              .or_default()
              .of({"moreau_jean"}),
          &Self::theta),
      table_field(Key("adaptive", Form::table, "variable step size; by default it is fixed",
                      "{tolerance: 1e-5, minimum_step: 1e-8, maximum_step: 1e-3}")
                      .holds(adaptive_table())
                      .of(kAdaptive),
                  adaptive_fields(), &Self::adaptive),
      field(
          Key("locate_impacts", Form::word,
              "`true`: steps end where gaps of set-valued contacts close, so that the motion stays of order 2 through impacts; by default impacts are taken at the end of the step (doc/nonsmooth.md)",
              "true")
              .or_default()
              .of(kAdaptive),
          Choice<bool>{{"false", false}, {"true", true}}, &Self::locate_impacts),
      field(Key("tolerance", Form::number,
                "tolerance of Newton's method for the displacement of a step, relative", "1e-10")
                .within({0.0, 1.0, false, false})
                .or_default()
                .of(kImplicit),
            &Self::tolerance),
      field(Key("max_iterations", Form::integer, "maximum Newton iterations per step", "20")
                .within(kOneOrMore)
                .or_default()
                .of(kImplicit),
            &Self::max_iterations),
      field(
          Key("tangent", Form::word,
              "iteration matrix of bodies with all nodes in absolute coordinates: `kept` (factorised once, rotated with the body, updated when convergence slows down) or `consistent` (full Newton, updated in every iteration)",
              "consistent")
              .or_default()
              .of(kNewmark),
          tangents, &Self::tangent),
      field(
          Key("multiple_impacts", Form::word,
              "contacts and stops of law `impact` that touch when one of them is hit: `simultaneous`, all take part in one impact, or `sequential`, one is hit after the other until none approaches, the hardest first (doc/nonsmooth.md)",
              "sequential")
              .or_default()
              .of(kAdaptive),
          impacts, &Self::multiple_impacts),
      field(
          Key("stabilisation", Form::word,
              "what becomes of gaps of closed set-valued contacts, and with `moreau_jean` of joints, at the end of a step: `projection` (they are closed, so that positions and velocities satisfy the laws together), or `none` (they drift, and impacts leave penetrations: for comparison with other codes)",
              "none")
              .or_default()
              .of(kSetValued),
          stabilisations, &Self::stabilisation),
      read_by<Self>(
          Key("baumgarte", Form::table,
              "Baumgarte stabilisation of the constraints; by default states are projected onto them",
              "{alpha: 50, beta: 50}")
              .holds(baumgarte_table())
              .of(kOnMultipliers),
          [](Self& options, const TableView& view, const Scope& scope) {
            read_fields(baumgarte_fields(), view.table("baumgarte"), scope, options);
          }),
      field(Key("relative_tolerance", Form::number, "local error relative to the solution", "1e-6")
                .within({0.0, 1.0, false, false})
                .or_default()
                .of(kOnMultipliers),
            &Self::relative_tolerance),
      field(
          Key("absolute_tolerance", Form::number,
              "absolute local error: of displacements as a fraction of the characteristic length of the mechanism, of rotations in rad, of velocities the same per second",
              "1e-9")
              .within(kPositive)
              .or_default()
              .of(kOnMultipliers),
          &Self::absolute_tolerance),
      field(
          Key("contact_solver", Form::word,
              "how the forces and impulses of set-valued contacts are found: `automatic` (by their number; one method after the other), or one method alone: `gauss_seidel` (contact by contact), `newton`, `interior_point` (all at once; not with friction of a given size or clutches), `projected_gradient` (for very many)",
              "newton")
              .or_default()
              .of(kSetValued),
          methods, &Self::contact_solver, &integrators::ContactSolverOptions::method),
      field(
          Key("contact_tolerance", Form::number,
              "by how much the laws of set-valued contacts may be missed, relative to the velocities without their forces; by default round-off of few contacts, 1e-10 of more than 50",
              "1e-12")
              .within({1e-15, 1e-2, true, true})
              .of(kSetValued),
          &Self::contact_solver, &integrators::ContactSolverOptions::tolerance)};
  return fields;
}

const Fields<DynamicsDescription>& dynamics_fields() {
  using Self = DynamicsDescription;
  static const Fields<Self> fields = {
      {start_key(), [](Self& dynamics, const TableView& view,
                       const Scope& scope) { read_start(view, scope, dynamics); }},
      {stop_key(), [](Self& dynamics, const TableView& view, const Scope& scope) {
         read_stop_conditions(view, scope, dynamics.stop_when);
       }}};
  return fields;
}

void check_adaptive(const TableView& view, const Options& options) {
  if (!options.adaptive) return;
  const TableView table = view.table("adaptive");
  const Adaptive& adaptive = *options.adaptive;
  if (!table.is_good("minimum_step") || !table.is_good("maximum_step")) return;
  if (adaptive.minimum_step > adaptive.maximum_step)
    view.report().error(
        table.where("minimum_step"),
        fmt::format("{} is {:g} s, above maximum_step {:g} s", table.path("minimum_step"),
                    adaptive.minimum_step, adaptive.maximum_step),
        "exchange the two values");
  else if (view.is_good("step") &&
           (options.step < adaptive.minimum_step || options.step > adaptive.maximum_step))
    view.report().error(
        view.where("step"),
        fmt::format("{} is {:g} s, outside of minimum_step {:g} s and maximum_step {:g} s",
                    view.path("step"), options.step, adaptive.minimum_step, adaptive.maximum_step),
        "use an initial step between them");
}

// Other bodies have Newton's own tangent in any case.
void warn_of_tangent(const TableView& view, const Options& options, const ModelDescription& model) {
  const bool is_newmark = options.integrator == IntegratorKind::generalized_alpha ||
                          options.integrator == IntegratorKind::hht;
  const bool is_solid = std::any_of(model.bodies.begin(), model.bodies.end(), [](const auto& body) {
    return body->traits().has_absolute_nodes;
  });
  if (options.tangent == NewtonTangent::kept || !is_newmark || is_solid) return;
  view.report().warning(
      view.where("tangent"),
      fmt::format("{} has no effect: no body has all its nodes in absolute coordinates",
                  view.path("tangent")),
      "remove it, or see  type: corotational  and  type: inertial");
}

// A node that is moved by itself strains what is around it.
void check_assembly(const TableView& view, const DynamicsDescription& dynamics,
                    const ModelDescription& model) {
  if (!dynamics.options.assemble_contacts) return;
  for (const auto& body : model.bodies)
    if (body->traits().keeps_all_nodes)
      view.report().error(
          dynamics.assemble_at,
          fmt::format("start.assemble: `{}` keeps all nodes of its mesh, and would be deformed",
                      body->name),
          "move the bodies apart in the model, or reduce this one (type: modal)");
}

void check_bodies(const TableView& view, const Options& options, const ModelDescription& model) {
  if (analyses::can_move_full_meshes(options.integrator)) return;
  for (const auto& body : model.bodies)
    if (body->traits().keeps_all_nodes)
      view.report().error(
          view.where("integrator"),
          fmt::format(
              "{}: `{}` with `{}`, which keeps all nodes of its mesh, is not yet implemented",
              view.path("integrator"), name(options.integrator), body->name),
          "choose `generalized_alpha`, `hht` or `bathe`, or reduce the body (type: modal)");
}

AnalysisDescription read_dynamics(const TableView& view, const Scope& scope) {
  DynamicsDescription dynamics;
  dynamics.where = view.where();
  dynamics.contact_solver_at =
      view.where(view.has("contact_solver") ? "contact_solver" : "contact_tolerance");
  read_fields(option_fields(), view, scope, dynamics.options);
  read_fields(dynamics_fields(), view, scope, dynamics);
  dynamics.options.formulation = scope.model.formulation;
  check_step(view, dynamics.options);
  check_adaptive(view, dynamics.options);
  warn_of_tangent(view, dynamics.options, scope.model);
  check_assembly(view, dynamics, scope.model);
  check_bodies(view, dynamics.options, scope.model);
  return dynamics;
}

}  // namespace

KeySpec start_key() {
  return Key("start", Form::table, "initial state", "{elastic: quasi_static}").holds(start_table());
}

void read_start(const TableView& view, const Scope& scope, DynamicsDescription& dynamics) {
  if (!view.has("start")) return;
  const TableView start = view.table("start");
  read_fields(start_fields(), start, scope, dynamics);
  if (start.has("elastic")) dynamics.elastic_start_at = start.where("elastic");
  dynamics.assemble_at = start.where("assemble");
}

const char* name(IntegratorKind integrator) {
  return integrator == IntegratorKind::kinematics ? "kinematics"
                                                  : word_of(integrators(), integrator);
}

const TableSpec& adaptive_table() {
  static const TableSpec table{"adaptive", "Step size control by an estimate of the local error.",
                               keys_of(adaptive_fields())};
  return table;
}

const TableSpec& baumgarte_table() {
  static const TableSpec table{
      "baumgarte",
      "Stabilisation Phi'' + 2 alpha Phi' + beta^2 Phi = 0 of the constraints, instead of the projection after each step. With both rates 0 states are projected.",
      keys_of(baumgarte_fields())};
  return table;
}

const TableSpec& start_table() {
  static const TableSpec table{"start",
                               "Initial state of the motion, unless a checkpoint is continued.",
                               keys_of(start_fields())};
  return table;
}

const TableSpec& dynamics_table() {
  static const TableSpec table = [] {
    std::vector<KeySpec> keys = keys_of(option_fields());
    for (KeySpec& key : keys_of(dynamics_fields())) keys.push_back(std::move(key));
    return TableSpec{
        "dynamics",
        "Time integration of the motion. Keys of other integrators are ignored with a warning.",
        std::move(keys), "integrator", true};
  }();
  return table;
}

AnalysisType dynamics_row() {
  return {"dynamics", "motion in time", "{duration: 0.1, step: 1e-5}", &dynamics_table(),
          read_dynamics};
}

}  // namespace solidyn::model
