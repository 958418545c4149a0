#include "simulation/checkpointing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "simulation/contact_totals.h"
#include "solidyn/base/content_hash.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/model/fingerprint.h"
#include "solidyn/system/closed_contacts.h"

namespace solidyn::simulation {
namespace {

using Eigen::VectorXd;

// Modes that were computed twice agree to the eigensolver's tolerance, and that times their
// sensitivity.
constexpr double kSameModes = 1e-5;

// Of hinges, free rotations in the axes of what carries them: those of earlier files, in other
// axes, have other names, and are not taken for these.
constexpr const char* kHingeAcceleration = "acceleration of hinges, carrier's axes";
constexpr const char* kHingeMemory = "algorithmic acceleration of hinges, carrier's axes";

using Memory = integrators::GeneralizedAlpha::Memory;

std::vector<double> to_array(const VectorXd& v) { return {v.data(), v.data() + v.size()}; }

std::vector<std::int64_t> owned_tags(const mesh::DistributedMesh& mesh) {
  return {mesh.node_tags.begin(), mesh.node_tags.begin() + mesh.n_owned};
}

results::DistributedArray to_distributed(::Vec x, const mesh::DistributedMesh& mesh) {
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(x, &values));
  results::DistributedArray array{owned_tags(mesh),
                                  Eigen::Map<const Eigen::Matrix3Xd>(values, 3, mesh.n_owned)};
  SOLIDYN_PETSC(VecRestoreArrayRead(x, &values));
  return array;
}

void from_distributed(const Eigen::MatrixXd& columns, ::Vec x) {
  PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArray(x, &values));
  Eigen::Map<Eigen::MatrixXd>(values, columns.rows(), columns.cols()) = columns;
  SOLIDYN_PETSC(VecRestoreArray(x, &values));
}

constexpr Eigen::Index kNumbersOfAccount = 7;

template <class Action>
void for_accounts(analyses::Monitor& m, Action&& action) {
  action(m.balance);
  for (analyses::EnergyAccount& island : m.islands) action(island);
}

std::vector<double> to_numbers(analyses::Monitor m) {
  std::vector<double> numbers;
  for_accounts(m, [&](const analyses::EnergyAccount& a) {
    for (double x : {a.initial_energy, a.initial_strain, a.initial_potential, a.work, a.turned_over,
                     a.exchanged, a.imbalance})
      numbers.push_back(x);
  });
  return numbers;
}

void take_numbers(const VectorXd& numbers, analyses::Monitor& m) {
  const double* next = numbers.data();
  for_accounts(m, [&](analyses::EnergyAccount& a) {
    for (double* x : {&a.initial_energy, &a.initial_strain, &a.initial_potential, &a.work,
                      &a.turned_over, &a.exchanged, &a.imbalance})
      *x = *next++;
  });
}

// The full-mesh bodies in the order of State::nodal.
std::vector<const model::BuiltBody*> nodal_bodies(const model::BuiltModel& built) {
  std::vector<const model::BuiltBody*> list;
  for (const model::BuiltBody& body : built.bodies)
    if (body.nodal) list.push_back(&body);
  return list;
}

// The distributed vectors of a nodal body, by name.
template <class Work>
void for_nodal_vectors(const model::BuiltModel& built, const system::State& state, Memory* memory,
                       Work&& work) {
  const auto bodies = nodal_bodies(built);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::string& name = bodies[k]->name;
    work(name + "/displacement", state.nodal[k].u.get(), bodies[k]->nodal->mesh());
    work(name + "/velocity", state.nodal[k].du.get(), bodies[k]->nodal->mesh());
    work(name + "/acceleration", state.nodal[k].ddu.get(), bodies[k]->nodal->mesh());
    if (memory)
      work(name + "/algorithmic acceleration", memory->nodal[k].get(), bodies[k]->nodal->mesh());
  }
}

// The modes where the body is constrained or measured: distinguishes one basis from another.
VectorXd modes_at_places(const model::BuiltBody& body) {
  std::vector<double> values;
  const auto append = [&](const Eigen::Matrix3Xd& Psi) {
    values.insert(values.end(), Psi.data(), Psi.data() + Psi.size());
  };
  for (const reduction::ReducedInterface& i : body.reduced->interfaces) append(i.Psi_t);
  for (const reduction::TrackedPoint& p : body.reduced->points) append(p.Psi);
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// A body that was reduced anew, on another number of ranks, may have modes of other signs, or
// others of a double frequency: the saved modal coordinates would then mean another shape.
void check_modes(const std::string& path, const results::Checkpoint& c,
                 const model::BuiltBody& body) {
  const VectorXd now = modes_at_places(body);
  const auto found = c.arrays.find(body.name + "/modes at its places");
  const bool fits =
      found != c.arrays.end() && static_cast<Eigen::Index>(found->second.size()) == now.size();
  if (fits && now.size() == 0) return;
  if (fits && (now - Eigen::Map<const VectorXd>(found->second.data(), now.size()))
                      .lpNorm<Eigen::Infinity>() <= kSameModes * now.lpNorm<Eigen::Infinity>())
    return;
  throw base::InputError(
      fmt::format("{}: the modes of body {} differ from those at the start of the run", path,
                  body.name),
      "restart on the same number of ranks, or keep the modes: SOLIDYN_CACHE, or `solidyn reduce` and `reduced_body`");
}

// The saved state means another motion in a model with other masses, modes, forces ...
void check_model(const std::string& path, const results::Checkpoint& c,
                 const std::string& model_text) {
  constexpr std::size_t kNamedAtMost = 5;
  using Entries = std::map<std::string, std::string>;
  const auto saved = c.texts.find("model");
  if (saved == c.texts.end())
    throw base::InputError(fmt::format("{} does not identify the model that wrote it", path),
                           "it was written by an older program version; start a new run");
  if (saved->second == model_text) return;
  const auto before = nlohmann::json::parse(saved->second, nullptr, false);
  if (before.is_discarded())
    throw base::InputError(fmt::format("{} is damaged: its model cannot be read", path),
                           "start a new run, or restart from another checkpoint");
  const std::vector<std::string> list =
      model::differences(before.get<Entries>(), nlohmann::json::parse(model_text).get<Entries>());
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamedAtMost, list.size()); ++i)
    text += (i ? "; " : "") + list[i];
  if (list.size() > kNamedAtMost) text += fmt::format("; and {} more", list.size() - kNamedAtMost);
  throw base::InputError(
      fmt::format("{} was written by another model: {}", path, text),
      "restart with the model that wrote it, or start a new run in another folder");
}

// Of the other formulation there is none, and the motion begins with the accelerations of the
// state; so it does where explicit steps go on from implicit ones, or these from explicit ones,
// whose second set of accelerations means something else.
void recall_hinges(const results::Checkpoint& c, analyses::Dynamics& dynamics) {
  const auto a = c.arrays.find(kHingeAcceleration), A = c.arrays.find(kHingeMemory);
  if (a == c.arrays.end() || A == c.arrays.end()) return;
  const auto is_explicit = [](const std::string& name) { return name == "semi_implicit_euler"; };
  if (is_explicit(c.texts.at("integrator")) != is_explicit(dynamics.stepper().name())) return;
  const auto vector = [](const std::vector<double>& v) {
    return VectorXd(Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())));
  };
  dynamics.stepper().recall({vector(a->second), vector(A->second), c.scalars.at("last_step")},
                            dynamics.accepted());
}

}  // namespace

std::string model_text(MPI_Comm comm, const model::ModelDescription& description) {
  return nlohmann::json(model::physics_of(comm, description)).dump();
}

results::Checkpoint make_checkpoint(analyses::Dynamics& dynamics, const model::BuiltModel& built,
                                    const std::string& model_text) {
  const system::State& s = dynamics.accepted();
  const analyses::Monitor& m = dynamics.monitor();
  results::Checkpoint c;
  base::ContentHash hash;
  hash.add(model_text);
  c.model_hash = hash.hex();
  c.texts["model"] = model_text;
  c.time = s.t;
  c.step = dynamics.steps();
  c.arrays = {{"q", to_array(s.q)},           {"v", to_array(s.v)},
              {"a", to_array(s.a)},           {"lambda", to_array(s.lambda)},
              {"angles", to_array(s.angles)}, {"memory", to_array(s.memory)}};
  if (s.velocity_correction.size() > 0)
    c.arrays["velocity correction"] = to_array(s.velocity_correction);
  c.scalars = {{"position_violation", m.position_violation},
               {"velocity_violation", m.velocity_violation},
               {"acceleration_violation", m.acceleration_violation},
               {"largest_energy", m.largest_energy},
               {"largest_drift", m.largest_drift},
               {"start_failed", m.start_failed ? 1.0 : 0.0}};
  if (system::has_set_valued_contacts(built.system)) save_contact_totals(m.contacts, c);
  c.arrays["energy balance"] = to_numbers(m);
  c.texts["integrator"] = dynamics.stepper().name();
  c.texts["formulation"] = name(dynamics.formulation().formulation);
  Memory* memory = dynamics.stepper().memory();
  if (memory) {
    c.arrays["algorithmic_acceleration"] = to_array(memory->acceleration);
    c.scalars["last_step"] = memory->step;
  }
  if (const auto of_hinges = dynamics.stepper().relative_memory()) {
    c.arrays[kHingeAcceleration] = to_array(of_hinges->acceleration);
    c.arrays[kHingeMemory] = to_array(of_hinges->algorithmic_acceleration);
    c.scalars["last_step"] = of_hinges->step;
  }
  for (const model::BuiltBody& body : built.bodies)
    if (body.reduced)
      c.arrays[body.name + "/modes at its places"] = to_array(modes_at_places(body));
  for_nodal_vectors(built, s, memory,
                    [&](const std::string& name, ::Vec x, const mesh::DistributedMesh& mesh) {
                      c.distributed[name] = to_distributed(x, mesh);
                    });
  return c;
}

void resume_from(MPI_Comm comm, const std::string& path, const std::string& model_text,
                 const model::BuiltModel& built, analyses::Dynamics& dynamics) {
  const results::Checkpoint c = results::read_checkpoint(comm, path, "");
  check_model(path, c, model_text);
  system::State s = built.system.make_state();
  const auto require = [&](bool fits, const char* name) {
    if (!fits)
      throw base::InputError(
          fmt::format("{}: `{}` does not fit the model", path, name),
          "restart with the model that wrote the checkpoint, or start a new run");
  };
  const auto restore = [&](const char* name, VectorXd& into) {
    const auto found = c.arrays.find(name);
    require(
        found != c.arrays.end() && static_cast<Eigen::Index>(found->second.size()) == into.size(),
        name);
    into = Eigen::Map<const VectorXd>(found->second.data(), into.size());
  };
  const auto restore_memory = [&] {  // of forces between many bodies as long as they have parts
    const auto found = c.arrays.find("memory");
    require(found != c.arrays.end(), "memory");
    s.memory = Eigen::Map<const VectorXd>(found->second.data(),
                                          static_cast<Eigen::Index>(found->second.size()));
    require(built.system.is_memory(s.memory), "memory");
  };
  restore("q", s.q);
  restore("v", s.v);
  restore("a", s.a);
  restore("lambda", s.lambda);
  restore("angles", s.angles);
  restore_memory();
  if (c.arrays.count("velocity correction") > 0) {
    s.velocity_correction.resize(s.v.size());
    restore("velocity correction", s.velocity_correction);
  }
  s.t = c.time;
  for (const model::BuiltBody& body : built.bodies)
    if (body.reduced) check_modes(path, c, body);
  const auto read_nodal = [&](const std::string& name, ::Vec x, const mesh::DistributedMesh& mesh) {
    from_distributed(results::read_distributed(comm, path, name, owned_tags(mesh)), x);
  };
  for_nodal_vectors(built, s, nullptr, read_nodal);
  analyses::Monitor m;
  m.position_violation = c.scalars.at("position_violation");
  m.velocity_violation = c.scalars.at("velocity_violation");
  m.acceleration_violation = c.scalars.at("acceleration_violation");
  m.largest_energy = c.scalars.at("largest_energy");
  m.largest_drift = c.scalars.at("largest_drift");
  m.start_failed = c.scalars.at("start_failed") != 0.0;
  m.contacts = dynamics.monitor().contacts;  // the names
  if (system::has_set_valued_contacts(built.system)) restore_contact_totals(c, path, m.contacts);
  const int n_islands = built.system.connectivity().n_islands();
  m.islands.resize(n_islands > 1 ? n_islands : 0);
  VectorXd numbers(kNumbersOfAccount * (1 + static_cast<Eigen::Index>(m.islands.size())));
  restore("energy balance", numbers);
  take_numbers(numbers, m);
  const auto formulation = c.texts.find("formulation");  // older ones were absolute by default
  const bool was_recursive = formulation != c.texts.end() && formulation->second == "recursive";
  dynamics.resume(
      std::move(s), c.step, m,
      was_recursive ? analyses::Formulation::recursive : analyses::Formulation::absolute);
  recall_hinges(c, dynamics);
  // Other integrators leave none, and this one begins with the accelerations of the state.
  const bool has_memory = c.arrays.count("algorithmic_acceleration") > 0;
  if (Memory* memory = dynamics.stepper().memory(); memory && has_memory) {
    restore("algorithmic_acceleration", memory->acceleration);
    memory->step = c.scalars.at("last_step");
    for_nodal_vectors(built, dynamics.accepted(), memory,
                      [&](const std::string& name, ::Vec x, const mesh::DistributedMesh& mesh) {
                        if (name.find("/algorithmic") != std::string::npos)
                          read_nodal(name, x, mesh);
                      });
  }
}

}  // namespace solidyn::simulation
