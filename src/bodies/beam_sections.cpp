// What a beam's sections carry and how they are strained.
#include "solidyn/bodies/beam_body.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using beams::SectionMotion;
using beams::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Wrench {
  Vector3d force, moment;  // world
};

// From the start of the element, on the cubic of its mass.
Vector3d position(const SectionMotion& p, const SectionMotion& q, double length, double x) {
  const double y = 1.0 - x;
  return length * x * y * (y * p.R.col(0) - x * q.R.col(0)) + x * x * (3.0 - 2.0 * x) * (q.p - p.p);
}

// M' = -x' x F with a force that is linear between the ends; what loads that vary leave between
// that and the moment at the end is linear too.
Wrench between(const Wrench& start, const Wrench& end, const Vector3d& to_end, const Vector3d& r,
               double x) {
  const Vector3d change = end.force - start.force;
  const Vector3d gap = end.moment - start.moment + to_end.cross(start.force + 0.5 * change);
  return {start.force + x * change,
          start.moment - r.cross(start.force) - 0.5 * x * x * to_end.cross(change) + x * gap};
}

// A stiffness of zero stands for one without end.
Vector3d by(const Vector3d& force, const Vector3d& stiffness) {
  Vector3d strain = Vector3d::Zero();
  for (int i = 0; i < 3; ++i)
    if (stiffness[i] > 0.0) strain[i] = force[i] / stiffness[i];
  return strain;
}

Vector3d rotation_vector(const Matrix3d& R) { return math::log_rotation(Eigen::Quaterniond(R)); }

// Quadratic in rotation vectors, from those of the middle and the end.
Matrix3d turn_at(const Matrix3d& middle, const Matrix3d& end, double x) {
  return math::exp_rotation(4.0 * x * (1.0 - x) * rotation_vector(middle) +
                            x * (2.0 * x - 1.0) * rotation_vector(end));
}

}  // namespace

SectionState BeamBody::section(int index, double x, const Vector3d& gravity,
                               const Vector12& elastic) const {
  Element& e = elements_[index];
  SectionState state;
  e.look_in_space();
  e.look_at_strains();
  const Vector12 f = elastic + e.forces(gravity) - load_forces(e);
  const Wrench start{-f.segment<3>(0), -e.p.R * f.segment<3>(3)},
      end{f.segment<3>(6), e.q.R * f.segment<3>(9)};
  const Wrench here = between(start, end, e.q.p - e.p.p, position(e.p, e.q, e.data.length, x), x);
  const Matrix3d R = e.p.R * turn_at(e.strain.middle_turn(), e.pair.Q, x);
  state.force = R.transpose() * here.force;
  state.moment = R.transpose() * here.moment;
  if (e.is_found) e.strain_section(x, state);
  return state;
}

void BeamBody::Element::strain_section(double x, SectionState& section) {
  const auto curvature = [&](const beams::Strains& s) {
    return Vector3d(((1.0 - x) * s.segment<3>(1) + x * s.segment<3>(4)) / data.length);
  };
  const beams::Rigidity& r = data.rigidity;
  beams::Strains without_stress = strain.prestrain();
  if (data.damping > 0.0) without_stress -= data.damping * strain_rates();
  const beams::Matrix37& rows = strain.curve().stretch_rows();
  section.stretch = rows * without_stress + by(section.force, {r.EA, r.GA_y, r.GA_z});
  section.curvature = curvature(without_stress) + by(section.moment, {r.GJ, r.EI_y, r.EI_z});
  const beams::Strains found = strain.strains() - strain.unstressed();
  const Vector3d given_stretch = rows * found, given_curvature = curvature(found);
  const auto& given = data.is_driven;
  if (given[0]) section.stretch[0] = given_stretch[0];
  for (int i = 0; i < 3; ++i)
    if (given[i + 1]) section.curvature[i] = given_curvature[i];
  // Shear along y follows the curvature about z, and the other way round.
  for (int i = 1; i < 3; ++i)
    if (given[4 - i]) section.stretch[i] = given_stretch[i];
}

}  // namespace solidyn::bodies
