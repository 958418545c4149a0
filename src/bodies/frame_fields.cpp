#include "solidyn/bodies/frame_fields.h"

#include "bodies/quadratic.h"
#include "math/left_tangent.h"
#include "math/small_product.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Angular T(-theta) theta_i, linear p_i + p x angular, of p_i = dp/dq_i and theta_i = dtheta/dq_i.
void compute_fields_in_body(const Frame& frame, const BodyState& carrier,
                            const Eigen::Ref<const VectorXd>& ddq, FrameFields& f) {
  const Eigen::Index n = carrier.q_e.size();
  const bool is_linear = frame.Y_t.rows() == 0 && frame.Y_r.rows() == 0;
  f.x.setZero(6, n);
  for (FrameFields::Columns* rates : {&f.dx, &f.ddx}) rates->setZero(6, is_linear ? 0 : n);
  f.by.setIdentity();
  f.rate.setZero();
  f.second.setZero();
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  const Vector3d p = frame.x_B + d.value();
  Vector3d dp = Vector3d::Zero(), ddp = dp;
  if (!d.is_empty()) {
    dp = d.rate(carrier);
    ddp = d.rows().lazyProduct(ddq) + d.curvature(carrier);
    f.x.topRows<3>() = d.rows();
    if (!is_linear) {
      f.dx.topRows<3>() = d.rows_by(carrier.dq_e());
      f.ddx.topRows<3>() = d.rows_by(ddq);
    }
  }
  if (frame.Psi_r.cols() == 0) return;
  const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
  f.x.bottomRows<3>() = turn.rows();
  if (!is_linear) {
    f.dx.bottomRows<3>() = turn.rows_by(carrier.dq_e());
    f.ddx.bottomRows<3>() = turn.rows_by(ddq);
  }
  const math::LeftTangent T(turn.value(), turn.rate(carrier),
                            turn.rows().lazyProduct(ddq) + turn.curvature(carrier));
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = Vector3d::Unit(i), s = T.value(e), ds = T.rate(e), dds = T.second_rate(e);
    f.by.col(3 + i) << p.cross(s), s;
    f.rate.col(3 + i) << dp.cross(s) + p.cross(ds), ds;
    f.second.col(3 + i) << ddp.cross(s) + 2.0 * dp.cross(ds) + p.cross(dds), dds;
  }
}

void add_field_stiffness(const Frame& frame, const BodyState& carrier,
                         const Eigen::Matrix<double, 6, 1>& wrench, Eigen::Ref<Eigen::MatrixXd> K) {
  const Vector3d force = wrench.head<3>();
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  if (!d.is_empty()) d.add_stiffness(force, K);
  if (frame.Psi_r.cols() == 0) return;
  const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
  const math::LeftTangent T(turn.value(), Vector3d::Zero(), Vector3d::Zero());
  // About the frame, where its columns are angular ones alone.
  const Vector3d torque = Vector3d(wrench.tail<3>()) + force.cross(frame.x_B + d.value());
  Matrix3d by_axes, values;
  for (int i = 0; i < 3; ++i) {
    values.col(i) = T.value(Vector3d::Unit(i));
    for (int j = 0; j < 3; ++j)
      by_axes(i, j) = torque.dot(T.derivative(Vector3d::Unit(i), Vector3d::Unit(j)));
  }
  const Eigen::Index n = turn.rows().cols();
  const Matrix3Xd& rows = turn.rows();
  Matrix3Xd by_coordinates = Matrix3Xd::Zero(3, n);
  math::add_small_product(by_axes, rows, by_coordinates);
  const Eigen::Matrix<double, Eigen::Dynamic, 3> columns = rows.transpose();
  math::add_small_product(columns, by_coordinates, K);
  turn.add_stiffness(values.transpose() * torque, K);
  if (d.is_empty()) return;
  by_coordinates.setZero();
  math::add_small_product(Matrix3d(values.transpose() * math::skew(force)), d.rows(),
                          by_coordinates);
  math::add_small_product(columns, by_coordinates, K);
}

}  // namespace solidyn::bodies
