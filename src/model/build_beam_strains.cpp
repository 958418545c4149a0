#include "model/build_beam_strains.h"

#include <fmt/format.h>

namespace solidyn::model {

void check_tension(const BodyDescription& body, const bodies::BeamElementData& e, double tension) {
  if (tension >= e.rigidity.EA)
    throw base::InputError(
        fmt::format("bodies.{}: its prestress of {:g} N is not below E A = {:g} N: without stress "
                    "nothing were left of it",
                    body.name, tension, e.rigidity.EA),
        "check the units of `prestress` and `youngs_modulus`", body.where);
  if (tension < beams::largest_tension(e.length, e.rigidity, e.torsion, e.rule)) return;
  throw base::InputError(
      fmt::format("bodies.{}: under its tension of {:g} N elements of {:g} m are unstable with the "
                  "curvature rule `lobatto`",
                  body.name, tension, e.length),
      "leave curvature_rule out: `magnus` has no such limit", body.where);
}

bodies::Prestrain make_prestrain(const GivenStrains& given, const beams::Rigidity& r) {
  bodies::Prestrain prestrain;
  prestrain.constant = -given.prestress.cwiseQuotient(Eigen::Vector4d(r.EA, r.GJ, r.EI_y, r.EI_z));
  prestrain.laws = given.prestrain;
  return prestrain;
}

}  // namespace solidyn::model
