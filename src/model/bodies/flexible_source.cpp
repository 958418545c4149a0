#include "model/bodies/flexible_source.h"

namespace solidyn::model {

fem::Hex8Formulation hex8_formulation(const BodyDescription& d) {
  switch (d.flexible.hex8) {
    case Hex8Stiffness::standard:
      return fem::Hex8Formulation::standard;
    case Hex8Stiffness::b_bar:
      return fem::Hex8Formulation::b_bar;
    case Hex8Stiffness::incompatible_modes:
      break;
  }
  return fem::Hex8Formulation::incompatible_modes;
}

fem::Hex20Integration hex20_integration(const BodyDescription& d) {
  return d.flexible.hex20 == Hex20Stiffness::reduced ? fem::Hex20Integration::reduced
                                                     : fem::Hex20Integration::full;
}

fem::Section section_of(const ModelDescription& model, const BodyDescription& d) {
  const MaterialDescription& m = model.materials.at(d.flexible.material);
  return {
      {m.youngs_modulus, m.poissons_ratio, m.density}, hex8_formulation(d), hex20_integration(d)};
}

fem::MassKind mass_kind(const BodyDescription& d) {
  return d.flexible.mass_matrix == MassMatrix::lumped ? fem::MassKind::lumped
                                                      : fem::MassKind::consistent;
}

bool keeps_rigid_modes(const BodyDescription& d) {
  return d.flexible.enforced_by == EnforcedBy::multipliers;
}

}  // namespace solidyn::model
