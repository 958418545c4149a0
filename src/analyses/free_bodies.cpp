#include "free_bodies.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"
#include "solidyn/forces/internal_state.h"
#include "solidyn/math/dense.h"
#include "solidyn/system/quasi_static_start.h"
#include "solidyn/system/scales.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using system::System;

// Up to so many unknowns the free motions are looked for, to name their bodies.
constexpr int kLargest = 600;
constexpr std::size_t kNamedBodies = 5;

// Bodies that take part in one of these motions. [n_v x n]
std::string names_of_moved(const System& system, const MatrixXd& motions) {
  std::string names;
  std::size_t n_named = 0;
  for (const bodies::BodyIndex b : system.bodies()) {
    const auto rows =
        motions.middleRows(system.layout().velocity_offset(b), system.body(b).n_velocities());
    if (rows.size() == 0 || rows.norm() < 1e-6 * motions.norm()) continue;
    if (++n_named > kNamedBodies) return names + " ...";
    names += (names.empty() ? "" : ", ") + system.body(b).name();
  }
  return names;
}

// Bodies that take part in a motion that no constraint forbids. @pre G is that of the state
std::string free_bodies(const System& system) {
  if (system.layout().n_velocities() > kLargest || system.layout().n_constraints() == 0) return "";
  const VectorXd weights = increment_weights(system, characteristic_length(system));
  const math::FullLuFactor lu(MatrixXd(system.sparse_G()) * weights.cwiseInverse().asDiagonal(),
                              1e-9);
  if (lu.rank() == system.layout().n_velocities()) return "";
  return names_of_moved(system, lu.kernel());
}

[[noreturn]] void refuse_free_motions(const char* analysis, int n, const std::string& names) {
  throw base::InputError(
      fmt::format("{}: the drives leave {} motion{} of the mechanism free{}", analysis, n,
                  n == 1 ? "" : "s", names.empty() ? "" : "; these bodies can move: " + names),
      "add drives (rotation_drive, translation_drive, distance_drive ...), or use `dynamics`");
}

}  // namespace

void require_kinematics(const System& system, const system::Redundancy& redundancy) {
  for (const forces::ForceIndex f : system.forces())
    if (system.force(f).as_internal_state())
      throw base::InputError(
          fmt::format(
              "kinematics: force {} has a state of its own, which constraints do not determine",
              system.force(f).name()),
          "use `inverse_dynamics` with  deformation: dynamic,  or `dynamics`, where drives prescribe the same motion; without this force the motion would be that too, but not what drives exert");
  for (const bodies::BodyIndex b : system.bodies()) {
    if (system.body(b).has_free_strains())
      throw base::InputError(
          fmt::format("kinematics: the {} are free, and constraints alone do not determine them",
                      system.body(b).name()),
          "name stretch, twist, curvature_y and curvature_z of that beam under `fixed_strains` or `driven_strains`, or use `inverse_dynamics` or `dynamics`");
    if (system.body(b).n_elastic() > 0)
      throw base::InputError(
          fmt::format(
              "kinematics: body {} is flexible, and constraints alone do not determine its deformation",
              system.body(b).name()),
          fmt::format(
              "write  type: rigid  there (or --set bodies.{}.type=rigid), or use `inverse_dynamics` or `dynamics`",
              system.body(b).name()));
  }
  const int n_free = system.layout().n_velocities() -
                     (system.layout().n_constraints() - static_cast<int>(redundancy.rows.size()));
  if (n_free > 0) refuse_free_motions("kinematics", n_free, free_bodies(system));
}

void require_driven_bodies(System& system, const system::State& state) {
  const MatrixXd motions = system::shape_keeping_motions(system, state);
  if (motions.cols() > 0)
    refuse_free_motions("inverse_dynamics", static_cast<int>(motions.cols()),
                        names_of_moved(system, motions));
}

}  // namespace solidyn::analyses
