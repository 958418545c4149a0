#include <cmath>

#include "solidyn/imported/checks.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::imported {
namespace {

double density_of(const SolidModel& model, const mesh::ElementBlock& block, std::int64_t element) {
  const std::int32_t region = block.regions.empty() ? 0 : block.regions[element];
  if (region < 0 || region >= static_cast<std::int32_t>(model.regions.size())) return 0.0;
  const int material = model.regions[region].material;
  return material < 0 ? 0.0 : model.materials[material].density;
}

}  // namespace

SolidChecks measure(const SolidModel& model) {
  SolidChecks checks;
  checks.source = model.source;
  for (const mesh::ElementBlock& block : model.mesh.blocks) {
    if (mesh::dimension(block.type) != 3) continue;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const double volume = mesh::volume(mesh::gather_positions(model.mesh.x, block, e));
      checks.volume += volume;
      checks.mass += density_of(model, block, e) * volume;
    }
  }
  for (const PointMass& mass : model.masses) checks.mass += mass.mass;
  if (model.mesh.n_nodes() > 0) {
    checks.low = model.mesh.x.rowwise().minCoeff();
    checks.high = model.mesh.x.rowwise().maxCoeff();
  }
  for (const Material& material : model.materials) {
    const bool is_known = material.density > 0.0 && material.youngs_modulus > 0.0;
    checks.waves.push_back(
        {material.name, is_known ? std::sqrt(material.youngs_modulus / material.density) : 0.0});
  }
  return checks;
}

}  // namespace solidyn::imported
