#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "random_bodies.h"
#include "solidyn/contact/geometry.h"
#include "solidyn/math/rotation.h"

/// Pairs of shapes that overlap in arbitrary poses, for tests of contact.
namespace solidyn::contact {

struct PairCase {
  std::string name;
  Shape A, B;
  Eigen::Vector3d p_AB;      ///< B's origin in A's axes, about which positions scatter
  Eigen::Vector3d rotation;  ///< rotation vector of B in A, about which orientations scatter
};

/// The rotation of a frame whose corner edge (along z, at -x, -y) points against n, across `edge`.
inline Eigen::Vector3d edge_against(const Eigen::Vector3d& n, const Eigen::Vector3d& edge) {
  Eigen::Matrix3d R;
  R << (n + edge).normalized(), (n - edge).normalized(), edge.cross(n);
  return math::log_rotation(R);
}

/// Eight corners of a box with a slanted top, and points inside of it.
inline Polyhedron wedge(double size = 1.0) {
  Polyhedron wedge = {{{-0.5, -0.6, -0.4},
                       {0.5, -0.6, -0.4},
                       {0.5, 0.6, -0.4},
                       {-0.5, 0.6, -0.4},
                       {-0.5, -0.6, 0.2},
                       {0.5, -0.6, 0.5},
                       {0.5, 0.6, 0.5},
                       {-0.5, 0.6, 0.2},
                       {0.0, 0.0, 0.1},
                       {0.1, -0.2, 0.0}}};
  for (Eigen::Vector3d& x : wedge.points) x *= size;
  return wedge;
}

/// Every pair of shapes, each where it overlaps in one way.
inline std::vector<PairCase> pair_cases() {
  const Sphere ball{0.5}, socket{0.8, Side::inner};
  const Cylinder roll{0.5, 1.4}, pin{0.45, 1.4}, bush{0.5, 1.0, Side::inner},
      long_bush{0.5, 2.0, Side::inner};
  const Capsule capsule{0.3, 1.2}, other{0.4, 0.8};
  const Box box{{1.0, 1.4, 0.8}};
  const Eigen::Vector3d none(0.0, 0.0, 0.0), quarter(M_PI / 2.0, 0.0, 0.0);
  const Box block{{0.9, 1.1, 0.7}};
  const Polyhedron stone = wedge();
  const Eigen::Vector3d diagonal = Eigen::Vector3d(1.0, 0.0, 1.0).normalized();
  return {
      {"sphere_plane", ball, Plane{}, {0.2, 0.3, 0.4}, {0.2, -0.1, 0.4}},
      {"sphere_sphere", ball, Sphere{0.7}, {0.8, 0.5, 0.4}, none},
      {"sphere_in_socket", ball, socket, {0.3, -0.2, 0.15}, none},
      {"sphere_on_box_face", ball, box, {0.1, 0.2, 0.8}, none},
      {"sphere_on_box_edge", ball, box, {-0.1, 0.95, 0.7}, none},
      {"sphere_on_box_corner", ball, box, {-0.65, 0.9, 0.65}, none},
      {"sphere_on_roll", ball, roll, {0.75, 0.5, 0.2}, none},
      {"sphere_on_roll_cap", ball, roll, {0.1, 0.2, 1.05}, none},
      {"sphere_on_roll_edge", ball, roll, {0.6, 0.3, 0.9}, none},
      {"sphere_in_tube", Sphere{0.45}, bush, {0.07, 0.03, 0.2}, none},
      {"sphere_at_end_of_tube", Sphere{0.45}, bush, {0.08, 0.05, 0.6}, none},
      {"sphere_beyond_end_of_tube", Sphere{0.45}, bush, {0.5, 0.3, 0.9}, none},
      {"sphere_point_in_box", Sphere{0.0}, box, {0.1, 0.2, 0.38}, none},
      {"sphere_point_in_roll", Sphere{0.0}, roll, {0.3, 0.3, 0.1}, none},
      {"sphere_point_beyond_bore", Sphere{0.0}, bush, {0.4, 0.4, 0.1}, none},
      {"sphere_on_capsule", ball, capsule, {0.5, 0.4, 0.2}, none},
      {"sphere_on_capsule_end", ball, capsule, {0.3, 0.4, 0.9}, none},
      {"capsule_plane", capsule, Plane{}, {0.0, 0.1, -0.3}, {1.2, 0.2, 0.0}},
      {"capsules_crossed", capsule, other, {0.1, 0.6, 0.1}, {0.0, 1.1, 0.3}},
      {"capsules_end_on_side", capsule, other, {0.15, 0.9, 0.1}, {1.3, 0.1, 0.2}},
      {"capsules_end_on_end", capsule, other, {0.2, 0.2, 1.45}, {0.2, 0.3, 0.1}},
      {"box_plane", box, Plane{}, {0.1, 0.1, -0.5}, {0.3, 0.2, 0.1}},
      {"cylinder_plane_tilted", roll, Plane{}, {0.1, 0.2, -0.7}, {0.5, 0.3, 0.1}},
      {"cylinder_plane_lying", roll, Plane{}, {-0.4, 0.1, 0.1}, {0.1, M_PI / 2.0 - 0.05, 0.1}},
      {"pin_in_short_bush", pin, bush, {0.05, 0.04, 0.1}, {0.02, -0.03, 0.8}},
      {"pin_leaving_bush",
       Cylinder{2.0, 1.4},
       Cylinder{2.05, 1.0, Side::inner},
       {0.06, 0.05, 1.21},
       {0.02, -0.03, 0.8}},
      {"pin_turned_round", pin, bush, {0.05, 0.04, 0.1}, {M_PI - 0.03, 0.02, 0.0}},
      {"pin_in_long_bush", pin, long_bush, {0.05, 0.04, 0.1}, {0.02, -0.03, 0.8}},
      {"box_on_box_face", box, block, {0.3, 0.35, 0.72}, {0.02, -0.03, 0.5}},
      {"box_corner_on_box_face", box, block, {0.1, -0.2, 1.0}, {0.6, 0.7, 0.3}},
      {"box_edge_on_box_edge", box, block,
       Eigen::Vector3d(0.5, 0.1, 0.4) + (std::sqrt(0.5) - 0.05) * diagonal,
       edge_against(diagonal, Eigen::Vector3d::UnitY())},
      {"box_across_box",
       Box{{0.3, 2.0, 0.4}},
       Box{{2.0, 0.4, 0.3}},
       {0.1, 0.1, 0.31},
       {0.03, 0.02, 0.1}},
      {"polyhedron_on_box_face", stone, box, {0.1, 0.2, -0.76}, {0.02, 0.03, 0.4}},
      {"polyhedron_on_polyhedron", stone, wedge(0.9), {0.2, 0.1, -0.72}, {3.1, 0.1, 0.2}},
      {"polyhedron_plane", stone, Plane{}, {0.1, 0.1, -0.36}, {0.1, 0.05, 0.4}},
      {"sphere_on_polyhedron_face", ball, stone, {0.1, 0.2, -0.85}, none},
      {"sphere_on_polyhedron_edge", ball, stone, {-0.8, 0.1, -0.7}, none},
      {"sphere_on_polyhedron_corner", ball, stone, {0.75, 0.85, 0.75}, none},
      {"capsule_on_box_face", capsule, box, {0.1, 0.1, -1.24}, {0.3, 0.2, 0.1}},
      {"capsule_lying_on_box", capsule, box, {0.65, 0.2, 0.1}, {0.05, 1.5, 0.3}},
      {"capsule_across_box_edge", capsule, box, {0.3 + 0.45, 0.0, 0.0}, {0.0, M_PI / 4.0, 0.3}}};
}

/// Whether a contact point is not always the same one: then only the smallest gap is continuous.
inline bool has_slots(const PairCase& c) {
  const auto is_one = [](const Shape& shape) {
    return std::get_if<Box>(&shape) || std::get_if<Polyhedron>(&shape) ||
           std::get_if<Capsule>(&shape);
  };
  const bool is_capsules = std::get_if<Capsule>(&c.A) && std::get_if<Capsule>(&c.B);
  return is_one(c.A) && is_one(c.B) && !is_capsules;
}

/// Frames A and B of the case in a scattered relative pose and arbitrary motion. `backwards`: the
/// shapes' frames are exchanged.
struct Motions {
  bodies::FrameMotion A, B;
  bodies::FramePair pair() const { return {A, B}; }
};

inline Motions scattered(const PairCase& c, std::mt19937& generator) {
  using testing_support::random_vector;
  Motions m;
  m.A.p = random_vector(generator, 3);
  m.A.R = testing_support::random_rotation(generator).toRotationMatrix();
  // sphere_* cases say where the ball is in the other's axes
  const bool says_where_A_is = c.name.rfind("sphere", 0) == 0;
  const Eigen::Vector3d scatter = random_vector(generator, 3, 0.02);
  const Eigen::Vector3d turned = c.rotation + random_vector(generator, 3, 0.01);
  m.B.R = m.A.R * math::exp_rotation(turned);
  m.B.p = says_where_A_is ? Eigen::Vector3d(m.A.p - m.B.R * (c.p_AB + scatter))
                          : Eigen::Vector3d(m.A.p + m.A.R * (c.p_AB + scatter));
  for (bodies::FrameMotion* f : {&m.A, &m.B}) {
    f->v = random_vector(generator, 3);
    f->w = random_vector(generator, 3);
  }
  return m;
}

/// The motions after the variation h of coordinate i of a FramePair.
inline Motions varied(const Motions& m, int i, double h) {
  Motions result = m;
  bodies::FrameMotion& f = i < 6 ? result.A : result.B;
  const int j = i % 6;
  if (j < 3)
    f.p[j] += h;
  else
    f.R = f.R * math::exp_rotation(h * Eigen::Vector3d::Unit(j - 3));
  return result;
}

}  // namespace solidyn::contact
