#include "solidyn/system/beam_strains.h"

#include <fmt/format.h>

#include "solidyn/bodies/strain_body.h"
#include "solidyn/joints/strain_constraint.h"
#include "solidyn/math/dense.h"

namespace solidyn::system {
namespace {

using bodies::Prestrain;
using Eigen::MatrixXd;

// Those of the element's that no law gives.
MatrixXd free_strains(const beams::BeamElement& element, const Prestrain::Laws& driven) {
  const MatrixXd all = element.free_strains();
  const Eigen::Matrix<double, 7, 4> uniform = bodies::uniform_strains(1.0);
  MatrixXd free(all.rows(), 0);
  for (Eigen::Index i = 0; i < all.cols(); ++i) {
    bool is_driven = false;
    for (int k = 0; k < 4; ++k) is_driven |= driven[k] && all.col(i).dot(uniform.col(k)) != 0.0;
    if (is_driven) continue;
    free.conservativeResize(Eigen::NoChange, free.cols() + 1);
    free.rightCols<1>() = all.col(i);
  }
  return free;
}

// The laws of driven strains, and of those without stress.
void add_laws(const Prestrain::Laws& laws, double length, joints::StrainUse& use) {
  const Eigen::Matrix<double, 7, 4> uniform = bodies::uniform_strains(length);
  for (int k = 0; k < 4; ++k) {
    if (!laws[k]) continue;
    use.laws.push_back(*laws[k]);
    use.by_laws.conservativeResize(7, use.by_laws.cols() + 1);
    use.by_laws.rightCols<1>() = uniform.col(k);
  }
}

// Free strains count from where they have no stress: as modelled they are the opposite of what the
// element is strained by itself.
InitialMotion as_drawn(const MatrixXd& free, double length, const Prestrain& prestrain) {
  const math::PivotedQr parts(free);
  InitialMotion motion;
  motion.q_e = -parts.solve(prestrain.value(length, 0.0));
  motion.dq_e = -parts.solve(prestrain.rate(length, 0.0));
  return motion;
}

}  // namespace

ConstraintIndex add_strain_unknowns(System& system, const bodies::BeamBody& beam, int e,
                                    const Prestrain::Laws& driven) {
  const bodies::BeamElementData& data = beam.data(e);
  const beams::BeamElement& element = beam.element(e);
  const std::string name = fmt::format("element {} of {}", e + 1, beam.name());
  joints::StrainUse strains;
  strains.free = free_strains(element, driven);
  const Prestrain prestrain = beam.prestrain(e);
  strains.fixed = element.unstressed() + bodies::uniform_strains(data.length) * prestrain.constant;
  add_laws(driven, data.length, strains);
  add_laws(prestrain.laws, data.length, strains);
  if (strains.free.cols() > 0) {
    const MatrixXd S = strains.free.transpose() * element.stiffness() * strains.free;
    strains.body = system.add_body(
        std::make_unique<bodies::StrainBody>("strains of " + name, S, data.damping * S),
        as_drawn(strains.free, data.length, prestrain));
  }
  return system.add_constraint(std::make_unique<joints::StrainConstraint>(
      name, joints::StrainEnd{beam.nodes()[data.p], data.R_p},
      joints::StrainEnd{beam.nodes()[data.q], data.R_q}, std::move(strains),
      std::make_unique<beams::BeamRelation>(element.curve())));
}

}  // namespace solidyn::system
