#include "model/build_beam_strains.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::model {
namespace {

// T l^2 at which strains that leave an element's ends in their places have no stiffness:
// doc/theory.
constexpr double kOfTorsion = 16.0, kOfBending = 48.0;

}  // namespace

void check_tension(const BodyDescription& body,
                   const std::vector<bodies::BeamElementData>& elements) {
  if (body.beam.rule == beams::TurnRule::magnus) return;
  for (const bodies::BeamElementData& e : elements) {
    const beams::Rigidity& r = e.rigidity;
    double limit = kOfBending * std::min(r.EI_y, r.EI_z);
    if (e.torsion == beams::Torsion::linear) limit = std::min(limit, kOfTorsion * r.GJ);
    if (body.beam.prestress[0] * e.length * e.length < limit) continue;
    throw base::InputError(
        fmt::format(
            "bodies.{}: under its tension of {:g} N elements of {:g} m are unstable with the "
            "curvature rule `lobatto`",
            body.name, body.beam.prestress[0], e.length),
        "write  curvature_rule: magnus, which strings and cables want", body.where);
  }
}

bodies::Prestrain make_prestrain(const BeamDescription& beam, const beams::Rigidity& r) {
  bodies::Prestrain prestrain;
  prestrain.constant = -beam.prestress.cwiseQuotient(Eigen::Vector4d(r.EA, r.GJ, r.EI_y, r.EI_z));
  prestrain.laws = beam.prestrain;
  return prestrain;
}

}  // namespace solidyn::model
