#include <algorithm>
#include <cmath>

#include "solidyn/imported/checks.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::imported {
namespace {

using Eigen::Vector3d;

double density_of(const SolidModel& model, const mesh::ElementBlock& block, std::int64_t element) {
  const std::int32_t region = block.regions.empty() ? 0 : block.regions[element];
  if (region < 0 || region >= static_cast<std::int32_t>(model.regions.size())) return 0.0;
  const int material = model.regions[region].material;
  return material < 0 ? 0.0 : model.materials[material].density;
}

/// Where the node of a tag is. There are few point masses, so that a search will do.
Vector3d position_of(const SolidModel& model, std::int64_t tag) {
  const auto& tags = model.mesh.node_tags;
  const auto node = std::find(tags.begin(), tags.end(), tag);
  if (node != tags.end()) return model.mesh.x.col(node - tags.begin());
  for (const LooseNode& loose : model.loose_nodes)
    if (loose.tag == tag) return loose.x;
  return Vector3d::Zero();
}

void measure_mass(const SolidModel& model, SolidChecks& checks) {
  Vector3d moment = Vector3d::Zero();
  for (const mesh::ElementBlock& block : model.mesh.blocks) {
    if (elements::dimension(block.type) != 3) continue;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const mesh::ElementPositions x = mesh::gather_positions(model.mesh.x, block, e);
      const double volume = mesh::volume(x);
      const double density = density_of(model, block, e);
      checks.n_without_density += !(density > 0.0);
      checks.volume += volume;
      checks.mass += density * volume;
      moment += density * mesh::first_moment(x);
    }
  }
  for (const PointMass& mass : model.masses) {
    checks.mass += mass.mass;
    moment += mass.mass * (position_of(model, mass.node) + mass.offset);
  }
  if (checks.mass > 0.0) checks.centre = moment / checks.mass;
}

}  // namespace

SolidChecks measure(const SolidModel& model) {
  SolidChecks checks;
  checks.source = model.source;
  checks.has_other_elements = !model.other_elements.empty() || !model.report.unsupported.empty();
  measure_mass(model, checks);
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
