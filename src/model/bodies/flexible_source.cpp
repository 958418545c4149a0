#include "model/bodies/flexible_source.h"

namespace solidyn::model {

fem::Section section_of(const ModelDescription& model, const BodyDescription& d) {
  const MaterialDescription& m = model.materials.at(d.flexible.material);
  return {{m.youngs_modulus, m.poissons_ratio, m.density}, d.flexible.hex8, d.flexible.hex20};
}

bool keeps_rigid_modes(const BodyDescription& d) {
  return d.flexible.enforced_by == EnforcedBy::multipliers;
}

}  // namespace solidyn::model
