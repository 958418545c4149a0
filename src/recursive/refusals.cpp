#include "recursive/refusals.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::recursive {
namespace {

const char* const kRemedy = "reduce it to modes (type: modal), or set  formulation: absolute";

// Why a body has no place on a hinge; empty when it has.
std::string reason_against(const system::System& system, bodies::BodyIndex i) {
  const bodies::Body& body = system.body(i);
  if (system.layout().nodal_of_body(i) >= 0) return "keeps all nodes of its mesh";
  if (body.is_carried()) return "follows its interfaces and has no motion of its own";
  if (body.n_rigid() == 0 || body.has_free_strains())
    return "has its nodes in absolute coordinates";
  return {};
}

}  // namespace

void refuse_what_is_not_relative(const system::System& system) {
  std::vector<base::Diagnostic> errors;
  for (const bodies::BodyIndex i : system.bodies()) {
    const std::string reason = reason_against(system, i);
    if (!reason.empty())
      errors.push_back(
          {{},
           fmt::format("formulation: `recursive` with `{}` is not yet implemented: the body {}",
                       system.body(i).name(), reason),
           kRemedy});
  }
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty())
      errors.push_back(
          {{},
           fmt::format(
               "formulation: `recursive` with {} is not yet implemented: it follows the forces that a joint transmits",
               system.force(i).name()),
           "leave out the friction of the joint, or set  formulation: absolute"});
  if (!errors.empty()) throw base::InputError(errors);
}

void refuse_lost_frame(const bodies::Body& body) {
  throw base::InputError(
      fmt::format(
          "formulation: `recursive` with `{}` is not yet implemented: it has no mass, and no joint with a hinge leads to it",
          body.name()),
      "connect it by a fixed joint, attach the interface by `rbe3`, or set  formulation: absolute");
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
  std::vector<base::Diagnostic> errors;
  for (const bodies::BodyIndex body : massless)
    errors.push_back(
        {{},
         fmt::format(
             "formulation: `recursive` with `{}` is not yet implemented: it has no mass, carries none, and moves on its hinge",
             system.body(body).name()),
         "attach the interface by `rbe3`, give it mass, or set  formulation: absolute"});
  throw base::InputError(errors);
}

}  // namespace solidyn::recursive
