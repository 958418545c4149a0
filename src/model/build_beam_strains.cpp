#include "model/build_beam_strains.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::model {
namespace {

// T l^2 at which strains that leave an element's ends in their places have no stiffness:
// doc/theory.
constexpr double kOfTorsion = 16.0, kOfBending = 48.0;

}  // namespace

void check_tension(const BodyDescription& body, const bodies::BeamElementData& e, double tension) {
  if (e.rule == beams::TurnRule::magnus) return;
  const beams::Rigidity& r = e.rigidity;
  double limit = kOfBending * std::min(r.EI_y, r.EI_z);
  if (e.torsion == beams::Torsion::linear) limit = std::min(limit, kOfTorsion * r.GJ);
  if (tension * e.length * e.length < limit) return;
  throw base::InputError(
      fmt::format("bodies.{}: under its tension of {:g} N elements of {:g} m are unstable with the "
                  "curvature rule `lobatto`",
                  body.name, tension, e.length),
      "write  curvature_rule: magnus, which strings and cables want", body.where);
}

bodies::Prestrain make_prestrain(const GivenStrains& given, const beams::Rigidity& r) {
  bodies::Prestrain prestrain;
  prestrain.constant = -given.prestress.cwiseQuotient(Eigen::Vector4d(r.EA, r.GJ, r.EI_y, r.EI_z));
  prestrain.laws = given.prestrain;
  return prestrain;
}

}  // namespace solidyn::model
