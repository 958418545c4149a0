#include "solidyn/bodies/frame_fields.h"

#include "bodies/quadratic.h"
#include "math/left_tangent.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// With p of the frame in B and its axes exp(theta): angular T(-theta) theta_i, linear p_i + p x
// angular, of p_i = dp/dq_i and theta_i = dtheta/dq_i.
void compute_fields_in_body(const Frame& frame, const BodyState& carrier,
                            const Eigen::Ref<const VectorXd>& ddq, FrameFields& f) {
  const Eigen::Index n = carrier.q_e.size();
  for (FrameFields::Columns* columns : {&f.S, &f.dS, &f.ddS}) columns->setZero(6, n);
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  const Vector3d p = frame.x_B + d.value();
  Vector3d dp = Vector3d::Zero(), ddp = dp;
  if (!d.is_empty()) {
    dp = d.rate(carrier);
    ddp = d.rows() * ddq + d.curvature(carrier);
    f.S.topRows<3>() = d.rows();
    f.dS.topRows<3>() = d.rows_by(carrier.dq_e());
    f.ddS.topRows<3>() = d.rows_by(ddq);
  }
  if (frame.Psi_r.cols() == 0) return;
  const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
  const math::LeftTangent T(turn.value(), turn.rate(carrier),
                            turn.rows() * ddq + turn.curvature(carrier));
  const Matrix3Xd rates = turn.rows_by(carrier.dq_e()), second = turn.rows_by(ddq);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vector3d by = turn.rows().col(i), dby = rates.col(i), ddby = second.col(i);
    const Vector3d s = T.value(by), ds = T.rate(by) + T.value(dby),
                   dds = T.second_rate(by) + 2.0 * T.rate(dby) + T.value(ddby);
    f.S.col(i) += (Eigen::Matrix<double, 6, 1>() << p.cross(s), s).finished();
    f.dS.col(i) += (Eigen::Matrix<double, 6, 1>() << dp.cross(s) + p.cross(ds), ds).finished();
    f.ddS.col(i) +=
        (Eigen::Matrix<double, 6, 1>() << ddp.cross(s) + 2.0 * dp.cross(ds) + p.cross(dds), dds)
            .finished();
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
  K += turn.rows().transpose() * by_axes * turn.rows();
  turn.add_stiffness(values.transpose() * torque, K);
  if (!d.is_empty()) K += (values * turn.rows()).transpose() * math::skew(force) * d.rows();
}

}  // namespace solidyn::bodies
