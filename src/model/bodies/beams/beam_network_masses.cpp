#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/beams/beam_network_maker.h"

// Point masses on the nodes of a network.
namespace solidyn::model {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

Matrix3d inertia_about(const Vector3d& arm, double mass) {
  return mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
}

}  // namespace

void BeamNetworkMaker::add_masses() {
  std::map<int, BeamNetwork::Mass> by_node;
  std::vector<std::string> without_unit;
  for (const imported::PointMass& mass : file_.masses) {
    if (mass.mass == 0.0 && mass.inertia.isZero(0.0)) continue;
    if (!is_node(mass.node)) {
      refuse_mass(mass);
      continue;
    }
    if (!body_.has_unit_system) without_unit.push_back(mass.name);
    if (is_good(mass)) add_mass(mass, by_node);
  }
  if (!without_unit.empty())
    error(fmt::format(
              "{} point masses (first: {}) have no unit: bodies.{}.mesh_units is a unit of length",
              without_unit.size(), without_unit[0], body_.name),
          "give a unit system, for example  mesh_units: tonne-mm-s");
  for (const auto& [node, mass] : by_node) network_.masses.push_back(mass);
}

bool BeamNetworkMaker::is_on_solid(std::int64_t tag) const {
  const auto& tags = file_.mesh.node_tags;
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

void BeamNetworkMaker::refuse_mass(const imported::PointMass& mass) {
  const std::string what =
      fmt::format("{} is on node {}, which is on no line", mass.name, mass.node);
  if (is_on_solid(mass.node))
    warn(what + ": it is assigned to the solids", "", mass.where);
  else
    error(what, "attach it to a node of a line by a rigid element of six components, or remove it",
          mass.where);
}

bool BeamNetworkMaker::is_good(const imported::PointMass& mass) {
  const Vector3d J = Eigen::SelfAdjointEigenSolver<Matrix3d>(mass.inertia).eigenvalues();
  constexpr double kRounding = 1e-6;
  if (mass.mass >= 0.0 && J[0] >= -kRounding * J.cwiseAbs().maxCoeff()) return true;
  error(fmt::format("{} has the mass {:g} kg and principal moments {:.4g}, {:.4g}, {:.4g} kg m^2",
                    mass.name, mass.mass, J[0], J[1], J[2]),
        "none of them may be negative: correct it in the file", mass.where);
  return false;
}

// Sums masses about their common centre.
void BeamNetworkMaker::add_mass(const imported::PointMass& mass,
                                std::map<int, BeamNetwork::Mass>& by_node) {
  const int node = first_node(mass.node);
  const Vector3d arm = positions_.at(mass.node) + mass.offset - network_.nodes[node];
  BeamNetwork::Mass& sum = by_node[node];
  sum.node = node;
  const double total = sum.mass + mass.mass;
  const Vector3d centre =
      total > 0.0 ? Vector3d((sum.mass * sum.arm + mass.mass * arm) / total) : arm;
  sum.inertia += inertia_about(sum.arm - centre, sum.mass) + mass.inertia +
                 inertia_about(arm - centre, mass.mass);
  sum.arm = centre;
  sum.mass = total;
}

}  // namespace solidyn::model
