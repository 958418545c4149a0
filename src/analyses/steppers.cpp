#include <cmath>
#include <type_traits>

#include "kinematic_stepper.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/bathe.h"
#include "solidyn/integrators/contact_start.h"
#include "solidyn/integrators/ed_alpha.h"
#include "solidyn/integrators/half_explicit.h"
#include "solidyn/integrators/moreau_jean.h"
#include "solidyn/integrators/petsc_ts.h"
#include "solidyn/integrators/semi_implicit_euler.h"
#include "solidyn/integrators/step_control.h"
#include "solidyn/recursive/linearise.h"
#include "solidyn/system/closed_contacts.h"

namespace solidyn::analyses {
namespace {

using integrators::Bathe;
using integrators::EdAlpha;
using integrators::GeneralizedAlpha;
using integrators::HalfExplicit;
using integrators::IntegratorStatistics;
using integrators::MoreauJean;
using integrators::RelativeGeneralizedAlpha;
using integrators::SemiImplicitEuler;

// A step that fails is halved so often before the run is given up.
constexpr int kMaxCuts = 8;

// Of a force or an angle to a step that is too long for it to see what happens: parts of it are
// taken for that, and nothing has failed.
bool is_rejection(const std::string& reason) {
  return reason.find(": the step is too long: ") != std::string::npos;
}

// What only generalized-alpha has.
GeneralizedAlpha::Memory* memory_of(GeneralizedAlpha& integrator) { return &integrator.memory(); }
template <class Integrator>
GeneralizedAlpha::Memory* memory_of(Integrator&) {
  return nullptr;
}
// What only its form in relative coordinates has.
using RelativeMemory = Stepper::RelativeMemory;
std::optional<RelativeMemory> relative_memory_of(const RelativeGeneralizedAlpha& integrator) {
  return integrator.memory();
}
// What its speeds are ahead with takes the place of the accelerations that a scheme keeps.
std::optional<RelativeMemory> relative_memory_of(const SemiImplicitEuler& integrator) {
  const SemiImplicitEuler::Memory memory = integrator.memory();
  return RelativeMemory{memory.acceleration, memory.ahead, memory.step};
}
template <class Integrator>
std::optional<RelativeMemory> relative_memory_of(const Integrator&) {
  return {};
}
bool recall_in(RelativeGeneralizedAlpha& integrator, const RelativeMemory& memory,
               const system::State& state) {
  return integrator.recall(memory, state);
}
bool recall_in(SemiImplicitEuler& integrator, const RelativeMemory& memory, const system::State&) {
  return integrator.recall({memory.acceleration, memory.algorithmic_acceleration, memory.step});
}
template <class Integrator>
bool recall_in(Integrator&, const RelativeMemory&, const system::State&) {
  return false;
}
void complete_by(RelativeGeneralizedAlpha& integrator, system::State& state) {
  integrator.complete(state);
}
void complete_by(SemiImplicitEuler& integrator, system::State& state) {
  integrator.complete(state);
}
void complete_by(Bathe& integrator, system::State& state) { integrator.complete(state); }
template <class Integrator>
void complete_by(Integrator&, system::State&) {}
// What it completes would disturb the next step.
template <class Integrator>
constexpr bool kCompletesCopy = std::is_same_v<Integrator, Bathe>;
// What goes without restitution before a run is given up.
void note_last_try(MoreauJean& integrator, bool is_last_try) {
  integrator.set_last_try(is_last_try);
}
template <class Integrator>
void note_last_try(Integrator&, bool) {}
std::optional<GeneralizedAlpha::CorrectedStart> corrected_start_of(const GeneralizedAlpha& i) {
  return i.corrected_start();
}
std::optional<GeneralizedAlpha::CorrectedStart> corrected_start_of(
    const RelativeGeneralizedAlpha& i) {
  return i.corrected_start();
}
template <class Integrator>
std::optional<GeneralizedAlpha::CorrectedStart> corrected_start_of(const Integrator&) {
  return {};
}

// Fixed steps at the times k h, so that the round-off of a running sum does not move the end. A
// step in which Newton fails is repeated in halves.
template <class Integrator>
class FixedStep final : public Stepper {
 public:
  /// @param options  what the integrator takes beside the system
  template <class... Options>
  FixedStep(double h, const char* name, system::System& system, const Options&... options)
      : system_(system), integrator_(system, options...), h_(h), name_(name) {}
  void initialize(const system::State& state) override { integrator_.initialize(state); }
  void step(system::State& state, double t_end) override {
    const double k = std::round(state.t / h_) + 1.0;
    double next = k * h_;
    if (next > t_end - 1e-9 * h_) next = t_end;
    advance(state, next, 0);
    state.t = next;
  }
  void complete(system::State& state) override { complete_by(integrator_, state); }
  bool completes_copy() const override { return kCompletesCopy<Integrator>; }
  const IntegratorStatistics& statistics() const override { return integrator_.statistics(); }
  const char* name() const override { return name_; }
  GeneralizedAlpha::Memory* memory() override { return memory_of(integrator_); }
  std::optional<RelativeMemory> relative_memory() const override {
    return relative_memory_of(integrator_);
  }
  bool recall(const RelativeMemory& memory, const system::State& state) override {
    return recall_in(integrator_, memory, state);
  }
  void forget_history(const system::State& state) override { integrator_.forget_history(state); }
  std::optional<GeneralizedAlpha::CorrectedStart> corrected_start() const override {
    return corrected_start_of(integrator_);
  }
  integrators::ContactReport take_contact_report() override {
    return integrator_.take_contact_report();
  }
  bool has_failed_steps() const override { return has_failed_; }

 private:
  // To t_end, or to the first impact before it where these are located.
  // @return where the step has ended
  double take_step(system::State& state, double t_end) {
    for (double end = t_end;;) {
      try {
        integrator_.step(state, end - state.t);
        return end;
      } catch (const integrators::ImpactWithinStep& impact) {
        end = state.t + impact.length;
      }
    }
  }
  void advance(system::State& state, double t_end, int n_cuts) {
    note_last_try(integrator_, n_cuts == kMaxCuts);
    try {
      for (double end = take_step(state, t_end); end < t_end; end = take_step(state, t_end)) {
        system_.accept(state);
        tell(state);
      }
    } catch (const base::ResourceError&) {
      throw;
    } catch (const base::ComputationError& e) {
      if (n_cuts == kMaxCuts) throw;
      has_failed_ |= !is_rejection(e.what());
      if (!has_cut_) {
        const std::string reason = e.what();
        base::log_warning(
            "a step of {:.3g} s failed and is subdivided; later failures are treated in the same way: {}",
            t_end - state.t, reason.substr(0, reason.find('\n')));
      }
      has_cut_ = true;
      const double middle = 0.5 * (state.t + t_end);
      advance(state, middle, n_cuts + 1);
      return advance(state, t_end, n_cuts + 1);
    }
    system_.accept(state);  // parts of a step are final too
    if (n_cuts > 0) tell(state);
  }

  system::System& system_;
  Integrator integrator_;
  double h_;
  const char* name_;
  bool has_cut_ = false, has_failed_ = false;
};

// Steps that follow the error estimate.
template <class Integrator>
class AdaptiveStep final : public Stepper {
 public:
  template <class Options>
  AdaptiveStep(system::System& system, const Options& options,
               const DynamicsOptions::Adaptive& adaptive, double first_step, const char* name)
      : integrator_(system, options),
        controller_(adaptive.tolerance, adaptive.minimum_step, adaptive.maximum_step),
        name_(name) {
    controller_.set_next_step(first_step);
  }
  void initialize(const system::State& state) override { integrator_.initialize(state); }
  void step(system::State& state, double t_end) override {
    controller_.step(integrator_, state, t_end);
  }
  void complete(system::State& state) override { complete_by(integrator_, state); }
  bool completes_copy() const override { return kCompletesCopy<Integrator>; }
  const IntegratorStatistics& statistics() const override { return integrator_.statistics(); }
  const char* name() const override { return name_; }
  GeneralizedAlpha::Memory* memory() override { return memory_of(integrator_); }
  std::optional<RelativeMemory> relative_memory() const override {
    return relative_memory_of(integrator_);
  }
  bool recall(const RelativeMemory& memory, const system::State& state) override {
    return recall_in(integrator_, memory, state);
  }
  void forget_history(const system::State& state) override { integrator_.forget_history(state); }
  std::optional<GeneralizedAlpha::CorrectedStart> corrected_start() const override {
    return corrected_start_of(integrator_);
  }
  integrators::ContactReport take_contact_report() override {
    return integrator_.take_contact_report();
  }

 private:
  Integrator integrator_;
  integrators::StepController controller_;
  const char* name_;
};

// PETSc's TS on the index-1 form. A restart begins it anew, at its lowest order.
class TsStep final : public Stepper {
 public:
  TsStep(system::System& system, const integrators::PetscTsOptions& options)
      : integrator_(system, options),
        name_(options.type == integrators::PetscTsOptions::Type::bdf ? "bdf" : "runge_kutta") {}
  void initialize(const system::State& state) override { integrator_.initialize(state); }
  void step(system::State& state, double t_end) override { integrator_.step(state, t_end); }
  std::optional<Eigen::VectorXd> work() const override { return integrator_.work(); }
  const IntegratorStatistics& statistics() const override { return integrator_.statistics(); }
  const char* name() const override { return name_; }

 private:
  integrators::PetscTs integrator_;
  const char* name_;
};

integrators::GeneralizedAlphaOptions generalized_alpha_options(const DynamicsOptions& o,
                                                               double regularization) {
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = o.rho_infinity;
  if (o.integrator == IntegratorKind::hht) options.hht_alpha = o.hht_alpha;
  options.tolerance = o.tolerance;
  options.max_iterations = o.max_iterations;
  options.tangent = o.tangent;
  options.preset = o.preset;
  options.nonlinear = o.nonlinear;
  options.multiple_impacts = o.multiple_impacts;
  options.stabilisation = o.stabilisation;
  options.regularization = regularization;
  options.locate_impacts = o.locate_impacts;
  return options;
}

void refuse_adaptive(const DynamicsOptions& o, const char* name, const char* instead) {
  if (!o.adaptive) return;
  throw base::InputError(
      fmt::format("`{}` takes fixed steps: it has no estimate of its error", name),
      fmt::format("leave out `adaptive`, or choose `{}`", instead));
}

std::unique_ptr<Stepper> make_moreau_jean(system::System& system,
                                          const integrators::StageOptions& stage,
                                          const DynamicsOptions& o) {
  refuse_adaptive(o, "moreau_jean", "bathe");
  integrators::MoreauJeanOptions options;
  static_cast<integrators::StageOptions&>(options) = stage;
  options.theta = o.theta;
  return std::make_unique<FixedStep<MoreauJean>>(o.step, "moreau_jean", system, options);
}

template <class Integrator, class Options>
std::unique_ptr<Stepper> make_newton_stepper(system::System& system, const Options& options,
                                             const DynamicsOptions& o, const char* name,
                                             const char* adaptive_name) {
  if (o.adaptive)
    return std::make_unique<AdaptiveStep<Integrator>>(system, options, *o.adaptive, o.step,
                                                      adaptive_name);
  return std::make_unique<FixedStep<Integrator>>(o.step, name, system, options);
}

void refuse_set_valued_contacts(const system::System& system, const DynamicsOptions& o) {
  if (can_solve_set_valued_contacts(o.integrator) || !system::has_set_valued_contacts(system))
    return;
  throw base::InputError(
      "this integrator cannot solve set-valued contacts",
      "choose `generalized_alpha`, `hht`, `bathe`, `ed_alpha`, `moreau_jean` or `half_explicit`, or a penalty law");
}

void refuse_formulation(const system::System& system, const DynamicsOptions& o) {
  if (o.formulation != Formulation::recursive) {
    if (has_relative_coordinates_alone(o.integrator))
      throw base::InputError("`semi_implicit_euler` takes steps in relative coordinates alone",
                             "set  formulation: recursive, or choose another integrator");
    return;
  }
  if (!can_use_relative_coordinates(o.integrator))
    throw base::InputError(
        "formulation: `recursive` is not yet implemented with this integrator",
        "choose `generalized_alpha`, `hht`, `runge_kutta`, `bdf` or `semi_implicit_euler`, or set  formulation: absolute");
  recursive::refuse_set_valued_contacts(system);
}

integrators::PetscTsOptions ts_options(const DynamicsOptions& o, double regularization,
                                       std::vector<int> dependent_rows) {
  integrators::PetscTsOptions options;
  options.type = o.integrator == IntegratorKind::bdf ? integrators::PetscTsOptions::Type::bdf
                                                     : integrators::PetscTsOptions::Type::rk;
  options.relative_tolerance = o.relative_tolerance;
  options.absolute_tolerance = o.absolute_tolerance;
  options.projection = o.baumgarte_alpha == 0.0 && o.baumgarte_beta == 0.0;
  options.baumgarte_alpha = o.baumgarte_alpha;
  options.baumgarte_beta = o.baumgarte_beta;
  options.initial_step = o.step;
  options.preset = o.preset;
  options.regularization = regularization;
  options.dependent_rows = std::move(dependent_rows);
  options.is_relative = o.formulation == Formulation::recursive;
  return options;
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(system::System& system, const DynamicsOptions& o,
                                      const system::Redundancy& redundancy,
                                      std::shared_ptr<integrators::ContactSolver> contact_solver) {
  SOLIDYN_ASSERT(o.formulation != Formulation::automatic);
  refuse_set_valued_contacts(system, o);
  refuse_formulation(system, o);
  if (o.integrator == IntegratorKind::kinematics)
    return std::make_unique<KinematicStepper>(system, o, redundancy);
  if (o.integrator == IntegratorKind::semi_implicit_euler) {
    refuse_adaptive(o, "semi_implicit_euler", "runge_kutta");
    return std::make_unique<FixedStep<SemiImplicitEuler>>(o.step, "semi_implicit_euler", system);
  }
  const double regularization =
      redundancy.rows.empty() ? 0.0 : system::redundancy_regularization(system);
  if (o.integrator == IntegratorKind::bdf || o.integrator == IntegratorKind::runge_kutta)
    return std::make_unique<TsStep>(system, ts_options(o, regularization, redundancy.rows));
  auto options = generalized_alpha_options(o, regularization);
  options.contact_solver = std::move(contact_solver);
  if (o.integrator == IntegratorKind::bathe)
    return make_newton_stepper<Bathe, integrators::StageOptions>(system, options, o, "bathe",
                                                                 "bathe, adaptive");
  if (o.integrator == IntegratorKind::ed_alpha) {
    integrators::EdAlphaOptions ed_alpha;
    static_cast<integrators::StageOptions&>(ed_alpha) = options;
    ed_alpha.rho_infinity = o.rho_infinity;
    ed_alpha.alpha_AR = o.alpha_AR;
    return make_newton_stepper<EdAlpha>(system, ed_alpha, o, "ed_alpha", "ed_alpha, adaptive");
  }
  if (o.integrator == IntegratorKind::half_explicit)
    return make_newton_stepper<HalfExplicit, integrators::StageOptions>(
        system, options, o, "half_explicit", "half_explicit, adaptive");
  if (o.integrator == IntegratorKind::moreau_jean) return make_moreau_jean(system, options, o);
  const bool is_hht = options.hht_alpha.has_value();
  if (o.formulation == Formulation::recursive)
    return make_newton_stepper<RelativeGeneralizedAlpha>(
        system, options, o, is_hht ? "hht" : "generalized_alpha",
        is_hht ? "hht, adaptive" : "generalized_alpha, adaptive");
  return make_newton_stepper<GeneralizedAlpha>(
      system, options, o, is_hht ? "hht" : "generalized_alpha",
      is_hht ? "hht, adaptive" : "generalized_alpha, adaptive");
}

}  // namespace solidyn::analyses
