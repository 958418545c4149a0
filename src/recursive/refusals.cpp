#include "recursive/refusals.h"

#include <fmt/format.h>

#include <set>

#include "solidyn/bodies/element_body.h"
#include "solidyn/forces/internal_state.h"
#include "solidyn/joints/constraint.h"

namespace solidyn::recursive {
namespace {

const char* const kRemedy = "reduce it to modes (type: modal), or set  formulation: absolute";

// Complaints, and the first of them in a few words.
class Refusals {
 public:
  void add(const std::string& what, const std::string& why, const char* remedy,
           const char* subject = "it") {
    if (errors_.empty()) reason_ = fmt::format("{} {}", what, why);
    errors_.push_back({{},
                       fmt::format("formulation: `recursive` with {} is not yet implemented: {} {}",
                                   what, subject, why),
                       remedy});
  }
  void throw_if_any() const {
    if (!errors_.empty()) throw NotRelative(errors_, reason_);
  }

 private:
  std::vector<base::Diagnostic> errors_;
  std::string reason_;
};

// Modal bodies whose frame is fixed by multipliers: the rigid modes are still among theirs, so that
// they move without their frame, and nothing has inertia on a hinge.
std::set<bodies::BodyIndex> bodies_with_rigid_modes(const system::System& system) {
  std::set<bodies::BodyIndex> found;
  for (const bodies::ConstraintIndex i : system.constraints()) {
    const joints::Constraint& constraint = system.constraint(i);
    if (constraint.is_between_bodies() || constraint.as_strains() ||
        constraint.bodies().size() != 1)
      continue;
    const bodies::BodyIndex body = constraint.bodies().front();
    if (system.body(body).n_rigid() > 0 && system.layout().nodal_of_body(body) < 0)
      found.insert(body);
  }
  return found;
}

std::string quoted(const bodies::Body& body) { return fmt::format("`{}`", body.name()); }

// Why a body has no place on a hinge; empty when it has.
std::string reason_against(const system::System& system, bodies::BodyIndex i) {
  const bodies::Body& body = system.body(i);
  if (system.layout().nodal_of_body(i) >= 0) return "keeps all nodes of its mesh";
  if (body.is_carried()) return {};  // a superelement
  if (body.n_rigid() == 0 || body.has_free_strains())
    return "has its nodes in absolute coordinates";
  return {};
}

}  // namespace

void refuse_what_is_not_relative(const system::System& system) {
  Refusals refusals;
  std::set<bodies::BodyIndex> of_forces;
  for (const forces::ForceIndex i : system.forces())
    if (const forces::InternalState* state = system.force(i).as_internal_state())
      of_forces.insert(state->coordinate());
  // Of a structure on the ground the nodes say no more than itself.
  std::set<bodies::BodyIndex> displaced, structures;
  const system::Connectivity& connectivity = system.connectivity();
  for (std::size_t k = 0; k < connectivity.element_bodies().size(); ++k) {
    const bodies::ElementBody& body = *connectivity.element_bodies()[k];
    if (system.body(body.nodes().front()).n_rigid() > 0) continue;
    displaced.insert(body.nodes().begin(), body.nodes().end());
    structures.insert(connectivity.body_of_elements(static_cast<int>(k)));
  }
  for (const bodies::BodyIndex i : structures)
    refusals.add(quoted(system.body(i)), "is a structure of displacements, which are on no hinge",
                 "set  formulation: absolute");
  for (const bodies::BodyIndex i : system.bodies())
    if (const std::string reason = reason_against(system, i);
        !reason.empty() && !of_forces.count(i) && !displaced.count(i) && !structures.count(i))
      refusals.add(quoted(system.body(i)), reason, kRemedy, "the body");
  for (const bodies::BodyIndex i : bodies_with_rigid_modes(system))
    refusals.add(
        quoted(system.body(i)), "has its reference conditions by multipliers",
        "write  reference_conditions: mean_axis  and  enforced_by: orthogonal_modes  (the defaults), or set  formulation: absolute",
        "the body");
  refusals.throw_if_any();
}

void refuse_lost_frame(const bodies::Body& body) {
  Refusals refusals;
  refusals.add(
      quoted(body), "has no mass, and no joint with a hinge leads to it",
      "connect it by a fixed joint, attach the interface by `rbe3`, or set  formulation: absolute");
  refusals.throw_if_any();
}

void refuse_interfaces(const system::System& system, const std::vector<bodies::BodyIndex>& bodies) {
  Refusals refusals;
  for (const bodies::BodyIndex body : bodies)
    refusals.add(
        quoted(system.body(body)),
        "closes a loop of interfaces of superelements in which there is no joint to cut",
        "write  share: false  on one of the fixed joints of the loop, or set  formulation: absolute",
        "the body");
  refusals.throw_if_any();
}

void refuse_cuts(const std::vector<std::string>& joints) {
  std::vector<base::Diagnostic> errors;
  for (const std::string& name : joints)
    errors.push_back(
        {{},
         fmt::format(
             "{}: `cut: true`, but no loop is left that this would cut: nothing else connects the two sides by hinges",
             name),
         "remove `cut` from it, or from another joint of the same loop: each loop is cut once"});
  throw base::InputError(errors);
}

void refuse_massless_bodies(const system::System& system,
                            const std::vector<bodies::BodyIndex>& massless) {
  Refusals refusals;
  for (const bodies::BodyIndex body : massless)
    refusals.add(quoted(system.body(body)), "has no mass, carries none, and moves on its hinge",
                 "attach the interface by `rbe3`, give it mass, or set  formulation: absolute");
  refusals.throw_if_any();
}

}  // namespace solidyn::recursive
