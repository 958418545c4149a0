#include "solidyn/system/beam_strains.h"

#include <fmt/format.h>

#include "solidyn/bodies/strain_body.h"
#include "solidyn/joints/strain_constraint.h"

namespace solidyn::system {

void add_strain_unknowns(System& system, const bodies::BeamBody& beam, int e) {
  const bodies::BeamElementData& data = beam.data(e);
  const beams::BeamElement& element = beam.element(e);
  const Eigen::MatrixXd free = element.free_strains();
  const Eigen::MatrixXd S = free.transpose() * element.stiffness() * free;
  const std::string name = fmt::format("element {} of {}", e + 1, beam.name());
  joints::StrainUse strains;
  strains.body = system.add_body(
      std::make_unique<bodies::StrainBody>("strains of " + name, S, data.damping * S), {});
  strains.free = free;
  strains.fixed = element.unstressed();
  system.add_constraint(std::make_unique<joints::StrainConstraint>(
      name, joints::StrainEnd{beam.nodes()[data.p], data.R_p},
      joints::StrainEnd{beam.nodes()[data.q], data.R_q}, std::move(strains),
      std::make_unique<beams::BeamRelation>(element.curve())));
}

}  // namespace solidyn::system
