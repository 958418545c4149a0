#include "simulation/body_shapes.h"

#include <algorithm>
#include <cmath>

#include "solidyn/math/dense.h"

namespace solidyn::simulation {
namespace {

using bodies::BodyState;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using results::MotionPrimitive;

// Relative to its longest edge: thinner boxes would not be seen.
constexpr double kThinnest = 0.02;

// Mass, centre of mass and inertia about it, in body axes.
struct Inertia {
  double mass = 0.0;
  Vector3d center = Vector3d::Zero();
  Matrix3d about_center = Matrix3d::Zero();
};

// What the momenta of unit angular velocities say: of any kind of body with a frame.
Inertia inertia_of(const bodies::Body& body) {
  Inertia inertia;
  inertia.mass = body.mass();
  if (body.n_rigid() == 0 || !(inertia.mass > 0.0)) return inertia;
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(body.n_elastic());
  Matrix3d skew = Matrix3d::Zero(), about_origin = Matrix3d::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(body.n_velocities());
    v[3 + axis] = 1.0;
    BodyState state;
    new (&state.q_e) Eigen::Map<const Eigen::VectorXd>(q.data(), q.size());
    new (&state.v) Eigen::Map<const Eigen::VectorXd>(v.data(), v.size());
    new (&state.a) Eigen::Map<const Eigen::VectorXd>(v.data(), v.size());
    const bodies::Momentum momentum = body.momentum(state);
    skew.col(axis) = momentum.linear;  // e_axis x m c
    about_origin.col(axis) = momentum.angular;
  }
  inertia.center = Vector3d(skew(1, 2), skew(2, 0), skew(0, 1)) / inertia.mass;
  const Vector3d& c = inertia.center;
  inertia.about_center =
      about_origin - inertia.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  return inertia;
}

}  // namespace

// Edges a_i^2 = 6 (J_j + J_k - J_i) / m.
MotionPrimitive box_of_inertia(const bodies::Body& body, double smallest) {
  const Inertia inertia = inertia_of(body);
  const auto [J, axes, has_converged] = math::symmetric_spectrum(
      Matrix3d(0.5 * (inertia.about_center + inertia.about_center.transpose())));
  Vector3d edges;
  for (int i = 0; i < 3; ++i)
    edges[i] = std::sqrt(std::max(0.0, 6.0 * (J.sum() - 2.0 * J[i]) / inertia.mass));
  if (!has_converged || edges.maxCoeff() < 1e-6 * smallest)
    return {"sphere", {0.5 * smallest}, inertia.center, Eigen::Quaterniond::Identity()};
  edges = edges.cwiseMax(kThinnest * edges.maxCoeff());
  Matrix3d R = axes;
  if (R.determinant() < 0.0) R.col(0) *= -1.0;
  return {"box", {edges[0], edges[1], edges[2]}, inertia.center, Eigen::Quaterniond(R)};
}

std::optional<MotionPrimitive> primitive_of(const model::Appearance& a) {
  using Shape = model::Appearance::Shape;
  const auto with = [&](const char* shape, std::vector<double> size) {
    return MotionPrimitive{shape, std::move(size), a.position, a.rotation};
  };
  switch (a.shape) {
    case Shape::none:
      return {};
    case Shape::box:
      return with("box", {a.size[0], a.size[1], a.size[2]});
    case Shape::cylinder:
      return with("cylinder", {a.radius, a.length});
    case Shape::sphere:
      return with("sphere", {a.radius});
    case Shape::capsule:
      return with("capsule", {a.radius, a.length});
  }
  return {};
}

}  // namespace solidyn::simulation
