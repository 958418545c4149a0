#include "recursive/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/forces/internal_state.h"
#include "solidyn/joints/constraint.h"

namespace solidyn::recursive {
namespace {

const char *const kRemedy = "reduce it to modes (type: modal), or set  formulation: absolute",
                  *const kOtherFormulation = "set  formulation: absolute";

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

// Coordinates of forces, what is made of elements, and nodes that have none; these are refused with
// what they are parts of.
std::set<bodies::BodyIndex> find_known_without_frames(const system::System& system) {
  std::set<bodies::BodyIndex> known;
  for (const forces::ForceIndex i : system.forces())
    if (const forces::InternalState* state = system.force(i).as_internal_state())
      known.insert(state->coordinate());
  const system::Connectivity& connectivity = system.connectivity();
  for (std::size_t k = 0; k < connectivity.element_bodies().size(); ++k) {
    known.insert(connectivity.body_of_elements(static_cast<int>(k)));
    const bodies::ElementBody& body = *connectivity.element_bodies()[k];
    known.insert(body.nodes().begin(), body.nodes().end());
  }
  return known;
}

}  // namespace

void refuse_what_is_not_relative(const system::System& system, const AbsoluteNodes& nodes) {
  Refusals refusals;
  // Of a structure on the ground the nodes say no more than itself.
  const system::Connectivity& connectivity = system.connectivity();
  for (std::size_t k = 0; k < connectivity.element_bodies().size(); ++k) {
    const bodies::ElementBody& elements = *connectivity.element_bodies()[k];
    const std::string name =
        quoted(system.body(connectivity.body_of_elements(static_cast<int>(k))));
    if (system.body(elements.nodes().front()).n_rigid() == 0)
      refusals.add(name, "is a structure of displacements, which are on no hinge",
                   kOtherFormulation);
    // The mass of these constraints is that of nodes alone, which turn with almost none: what is
    // left of it for all of the beam would be round-off.
    else if (elements.is_shaped_by_constraints())
      refusals.add(name, "has fixed or driven strains, six constraints to an element",
                   kOtherFormulation, "the beam");
  }
  for (const bodies::Superelement* body : connectivity.superelements())
    if (std::any_of(body->carriers().begin(), body->carriers().end(),
                    [&](bodies::BodyIndex carrier) { return nodes.contains(carrier); }))
      refusals.add(quoted(*body), "has an interface on a node of a beam", kOtherFormulation,
                   "the superelement");
  const std::set<bodies::BodyIndex> known = find_known_without_frames(system);
  for (const bodies::BodyIndex i : system.bodies()) {
    const bodies::Body& body = system.body(i);
    if (system.layout().nodal_of_body(i) >= 0)
      refusals.add(quoted(body), "keeps all nodes of its mesh", kRemedy, "the body");
    else if (body.n_rigid() == 0 && !body.is_carried() && !body.has_free_strains() &&
             !known.count(i))
      refusals.add(quoted(body), "has no frame that a hinge could be on", kRemedy, "the body");
  }
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
  errors.reserve(joints.size());
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
