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

bool BeamBody::Plane::has_section(const SectionMotion& s) const {
  return s.R(normal, axis) * side > 0.0 && s.R(U, axis) == 0.0 && s.R(V, axis) == 0.0 &&
         s.R(normal, 0) == 0.0 && s.v[normal] == 0.0 && s.a[normal] == 0.0 && is_along(s.w, axis) &&
         is_along(s.dw, axis);
}

beams::PlaneSection BeamBody::Plane::section(const SectionMotion& s) const {
  return {in_plane(s.p), in_plane(s.R.col(0)), in_plane(s.v), in_plane(s.a), s.w[axis], s.dw[axis]};
}

Strains BeamBody::Plane::strains() const {
  const Vector3d found = beam.strains();
  Strains strains = Strains::Zero();
  strains[0] = found[0];
  strains[1 + axis] = found[1];
  strains[4 + axis] = found[2];
  return strains;
}

// The plane of an element that could move in one, as its first section lies.
std::optional<BeamBody::Plane> BeamBody::Element::find_plane() const {
  if (!has_strains() || data.rule != beams::TurnRule::magnus) return std::nullopt;
  for (const int axis : {2, 1}) {
    const int normal = axis_along(p.R.col(axis)), turn_p = axis_along(data.R_p.col(axis)),
              turn_q = axis_along(data.R_q.col(axis));
    if (normal < 0 || p.R(normal, 0) != 0.0 || turn_p < 0 || turn_q < 0 ||
        !is_flat(strain.unstressed(), axis))
      continue;
    const bool is_z = axis == 2;
    const beams::Rigidity& r = data.rigidity;
    const Vector3d unstressed(strain.unstressed()[0], strain.unstressed()[1 + axis],
                              strain.unstressed()[4 + axis]);
    Plane plane{
        axis,
        (normal + 1) % 3,
        (normal + 2) % 3,
        normal,
        std::copysign(1.0, p.R(normal, axis)),
        {turn_p, turn_q},
        {std::copysign(1.0, data.R_p(turn_p, axis)), std::copysign(1.0, data.R_q(turn_q, axis))},
        PlaneBeam({data.length, r.EA, is_z ? r.EI_z : r.EI_y, is_z ? r.GA_y : r.GA_z,
                   data.mass_per_length, data.inertia_per_length[axis], data.damping, unstressed}),
        false};
    if (plane.side < 0.0) std::swap(plane.U, plane.V);
    return plane;
  }
  return std::nullopt;
}

// @return whether it moves in a plane, and has strains there
bool BeamBody::Element::follow_in_plane() {
  if (!loads.empty()) return false;
  const auto holds = [this] {
    return plane->has_section(p) && plane->has_section(q) &&
           p.p[plane->normal] == q.p[plane->normal];
  };
  if (!plane || !holds()) {
    plane = find_plane();
    if (!plane || !holds()) return false;
  }
  plane->is_known_in_space = false;
  if (!plane->beam.follow(plane->section(p), plane->section(q))) return false;
  is_found = true;
  return true;
}

// Weight across the plane would be a force there.
bool BeamBody::Element::moves_in_plane(const Vector3d& gravity) const {
  return is_in_plane && gravity[plane->normal] == 0.0;
}

void BeamBody::Element::look_in_space() {
  if (!is_in_plane || plane->is_known_in_space) return;
  plane->is_known_in_space = true;
  strain.begin_at(plane->strains());
  find_strains();
}

void BeamBody::Element::add_forces_in_plane(const Vector3d& gravity,
                                            Eigen::Ref<Eigen::VectorXd> r) const {
  const PlaneBeam::Vector6 f = plane->beam.forces(plane->in_plane(gravity));
  const int nodes[] = {6 * data.p, 6 * data.q};
  for (int i = 0; i < 2; ++i) {
    r[nodes[i] + plane->U] += f[3 * i];
    r[nodes[i] + plane->V] += f[3 * i + 1];
    r[nodes[i] + 3 + plane->turn[i]] += plane->sign[i] * f[3 * i + 2];
  }
}

bool BeamBody::find_plane_tangent(int index, const Vector3d& gravity, const TangentCoefficients& c,
                                  PlaneTangent& tangent) const {
  const Element& e = elements_[index];
  if (!e.moves_in_plane(gravity)) return false;
  const Plane& plane = *e.plane;
  plane.beam.compute_tangent(plane.in_plane(gravity), c.mass, c.damping, c.stiffness, tangent.J);
  for (int i = 0; i < 2; ++i) {
    tangent.at[3 * i] = 6 * i + plane.U;
    tangent.at[3 * i + 1] = 6 * i + plane.V;
    tangent.at[3 * i + 2] = 6 * i + 3 + plane.turn[i];
    tangent.J.row(3 * i + 2) *= plane.sign[i];
    tangent.J.col(3 * i + 2) *= plane.sign[i];
  }
  return true;
}

}  // namespace solidyn::bodies
