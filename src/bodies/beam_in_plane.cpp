// Elements that move in a plane: doc/theory/beams.md.
#include <cmath>

#include "solidyn/bodies/beam_body.h"

namespace solidyn::bodies {
namespace {

using beams::PlaneBeam;
using beams::SectionMotion;
using beams::Strains;
using Eigen::Matrix3d;
using Eigen::Vector3d;

bool is_along(const Vector3d& a, int axis) {
  return a[(axis + 1) % 3] == 0.0 && a[(axis + 2) % 3] == 0.0;
}

// The axis along which a unit vector lies to the last bit; its length may be off by that. -1: none.
int axis_along(const Vector3d& a) {
  for (int i = 0; i < 3; ++i)
    if (is_along(a, i)) return i;
  return -1;
}

bool is_flat(const Strains& strains, int axis) {
  Strains across = strains;
  across[0] = across[1 + axis] = across[4 + axis] = 0.0;
  return across.isZero(0.0);
}

}  // namespace

bool BeamBody::PlaneAxes::has_section(const SectionMotion& s) const {
  return s.R(normal, axis) * side > 0.0 && s.R(U, axis) == 0.0 && s.R(V, axis) == 0.0 &&
         s.R(normal, 0) == 0.0 && s.v[normal] == 0.0 && s.a[normal] == 0.0 && is_along(s.w, axis) &&
         is_along(s.dw, axis);
}

bool BeamBody::PlaneAxes::has(const SectionMotion& p, const SectionMotion& q) const {
  return has_section(p) && has_section(q) && p.p[normal] == q.p[normal];
}

beams::PlaneSection BeamBody::PlaneAxes::section(const SectionMotion& s) const {
  return {in_plane(s.p), in_plane(s.R.col(0)), in_plane(s.v), in_plane(s.a), s.w[axis], s.dw[axis]};
}

// The plane in which the element moves, if it is normal to this axis of its sections.
std::optional<BeamBody::PlaneAxes> BeamBody::Element::find_plane_axes(int axis) const {
  const int normal = axis_along(p.R.col(axis));
  if (normal < 0) return std::nullopt;
  const int turn_p = axis_along(data.R_p.col(axis)), turn_q = axis_along(data.R_q.col(axis));
  if (turn_p < 0 || turn_q < 0 || !is_flat(strain.unstressed(), axis)) return std::nullopt;
  PlaneAxes axes{
      axis,
      (normal + 1) % 3,
      (normal + 2) % 3,
      normal,
      std::copysign(1.0, p.R(normal, axis)),
      {turn_p, turn_q},
      {std::copysign(1.0, data.R_p(turn_p, axis)), std::copysign(1.0, data.R_q(turn_q, axis))}};
  if (axes.side < 0.0) std::swap(axes.U, axes.V);
  if (!axes.has(p, q)) return std::nullopt;
  return axes;
}

// In the plane normal to this axis of its sections; none where it has no strains there.
std::optional<PlaneBeam> BeamBody::Element::make_plane_beam(int axis) const {
  const bool is_z = axis == 2;
  const beams::Rigidity& r = data.rigidity;
  PlaneBeam beam({data.length, r.EA, is_z ? r.EI_z : r.EI_y, is_z ? r.GA_y : r.GA_z,
                  data.mass_per_length, data.inertia_per_length[axis], data.damping});
  // y is V where z is the normal, and z against V where y is.
  const auto in_plane = [is_z](const Vector3d& a) {
    return Eigen::Vector2d(a.x(), is_z ? a.y() : -a.z());
  };
  if (!beam.set_unstressed(in_plane(undeformed.D), in_plane(undeformed.Q.col(0))))
    return std::nullopt;
  return beam;
}

std::optional<BeamBody::Plane> BeamBody::Element::find_plane() const {
  if (!has_strains() || data.rule != beams::TurnRule::magnus) return std::nullopt;
  for (const int axis : {2, 1})
    if (const auto axes = find_plane_axes(axis))
      if (const auto beam = make_plane_beam(axis)) return Plane{*axes, *beam, false};
  return std::nullopt;
}

// @return whether it moves in a plane, and has strains there
bool BeamBody::Element::follow_in_plane() {
  if (!loads.empty()) return false;
  if (!plane || !plane->axes.has(p, q)) {
    begin_in_space();
    plane = find_plane();
    if (!plane) return false;
  }
  plane->is_known_in_space = false;
  const PlaneAxes& axes = plane->axes;
  if (!plane->beam.follow(axes.section(p), axes.section(q))) return false;
  is_found = true;
  return true;
}

// The element in space goes on where that in the plane was, as far from its own strains without
// stress: undeformed it has none, to the last bit.
void BeamBody::Element::begin_in_space() {
  if (!is_in_plane || !plane) return;
  const Vector3d found = plane->beam.stressing_strains();
  Strains strains = strain.unstressed();
  strains[0] += found[0];
  strains[1 + plane->axes.axis] += found[1];
  strains[4 + plane->axes.axis] += found[2];
  strain.begin_at(strains);
}

// Weight across the plane would be a force there.
bool BeamBody::Element::moves_in_plane(const Vector3d& gravity) const {
  return is_in_plane && gravity[plane->axes.normal] == 0.0;
}

void BeamBody::Element::look_in_space() {
  if (!is_in_plane || plane->is_known_in_space) return;
  plane->is_known_in_space = true;
  begin_in_space();
  find_strains();
}

void BeamBody::Element::add_forces_in_plane(const Vector3d& gravity,
                                            Eigen::Ref<Eigen::VectorXd> r) const {
  const PlaneAxes& axes = plane->axes;
  const PlaneBeam::Vector6 f = plane->beam.forces(axes.in_plane(gravity));
  const int nodes[] = {6 * data.p, 6 * data.q};
  for (int i = 0; i < 2; ++i) {
    r[nodes[i] + axes.U] += f[3 * i];
    r[nodes[i] + axes.V] += f[3 * i + 1];
    r[nodes[i] + 3 + axes.turn[i]] += axes.sign[i] * f[3 * i + 2];
  }
}

bool BeamBody::find_plane_tangent(int index, const Vector3d& gravity, const TangentCoefficients& c,
                                  PlaneTangent& tangent) const {
  const Element& e = elements_[index];
  if (!e.moves_in_plane(gravity)) return false;
  const PlaneAxes& axes = e.plane->axes;
  e.plane->beam.compute_tangent(axes.in_plane(gravity), c.mass, c.damping, c.stiffness, tangent.J);
  for (int i = 0; i < 2; ++i) {
    tangent.at[3 * i] = 6 * i + axes.U;
    tangent.at[3 * i + 1] = 6 * i + axes.V;
    tangent.at[3 * i + 2] = 6 * i + 3 + axes.turn[i];
    tangent.J.row(3 * i + 2) *= axes.sign[i];
    tangent.J.col(3 * i + 2) *= axes.sign[i];
  }
  return true;
}

}  // namespace solidyn::bodies
