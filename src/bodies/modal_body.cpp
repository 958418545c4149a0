#include "solidyn/bodies/modal_body.h"

#include "math/small_product.h"
#include "solidyn/math/rotation.h"
#include "solidyn/reduction/interface_coordinates.h"

namespace solidyn::bodies {
namespace {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;
using math::cross_of;
using math::skew;

template <class Column>
Map<const Matrix3d> as_matrix(const Column& column) {
  return Map<const Matrix3d>(column.data());
}

}  // namespace

ModalBody::ModalBody(std::string name, reduction::InertiaInvariants inertia, Eigen::MatrixXd M,
                     Eigen::MatrixXd K, Eigen::MatrixXd D, VectorXd amplitude)
    : Body(std::move(name), static_cast<int>(M.rows())),
      inertia_(std::move(inertia)),
      M_(std::move(M)),
      K_(std::move(K)),
      D_(std::move(D)),
      amplitude_(std::move(amplitude)),
      has_damping_(D_.size() > 0 && D_.norm() > 0.0) {
  const int n = n_elastic();
  if (D_.rows() != n) D_.setZero(n, n);
  if (n == 0) inertia_.S.resize(3, 0);
  N0_.resize(9, n);
  N_.resize(9 * n, n);
  cross_.resize(3 * n, n);
  for (int i = 0; i < n; ++i) {
    Map<Matrix3d>(N0_.col(i).data()) = inertia_.N0[i];
    for (int j = 0; j < n; ++j) {
      Matrix3d N = inertia_.N[j * n + i];
      // C adds to sum m b X_i^T what the field's second order does, and being symmetric nothing to
      // its cross products.
      if (!inertia_.C.empty()) N += inertia_.C[j * n + i];
      Map<Matrix3d>(N_.col(j).segment<9>(9 * i).data()) = N;
      cross_.col(j).segment<3>(3 * i) = cross_of(N);
    }
  }
}

std::unique_ptr<ModalBody> ModalBody::in_coordinates(const Eigen::MatrixXd& T) const {
  const auto congruent = [&T](const Eigen::MatrixXd& A) -> Eigen::MatrixXd {
    const Eigen::MatrixXd B = T.transpose() * A * T;
    return 0.5 * (B + B.transpose());
  };
  return std::make_unique<ModalBody>(name(), reduction::transform_invariants(inertia_, T),
                                     congruent(M_), congruent(K_), congruent(D_),
                                     T.cwiseAbs().transpose() * amplitude_);
}

ModalBody::Matrix9X ModalBody::contract(const Ref<const VectorXd>& w) const {
  Matrix9X result = Matrix9X::Zero(9, n_elastic());
  add_small_product(N_, w, Map<VectorXd>(result.data(), result.size()));
  return result;
}

void ModalBody::compute_moments(const BodyState& state, Moments& m) const {
  // Inertia and forces of one state are asked for one after the other.
  if (n_elastic() > 0 && m.q_e.size() == n_elastic() && m.q_e == state.q_e) return;
  m.q_e = state.q_e;
  m.c = inertia_.first_moment;
  m.D = inertia_.N00;
  if (n_elastic() == 0) {
    m.B.resize(9, 0);
    return;
  }
  m.c += inertia_.S.lazyProduct(state.q_e);
  m.B = N0_;
  add_small_product(N_, state.q_e, Map<VectorXd>(m.B.data(), m.B.size()));
  // sum m b b^T = sum m b x^T + sum_i w_i B_i
  Eigen::Matrix<double, 9, 1> bx = N0_.lazyProduct(state.q_e);
  m.D += Map<const Matrix3d>(bx.data()).transpose();
  bx = m.B.lazyProduct(state.q_e);
  m.D += Map<const Matrix3d>(bx.data());
}

void ModalBody::add_residual(const BodyState& s, const Vector3d& gravity, Ref<VectorXd> r) {
  const int n = n_elastic();
  Moments& m = moments_;
  compute_moments(s, m);
  const Matrix3d& R = s.R_WB;
  const Vector3d w = s.w_WB_B();
  const Vector3d a_B = R.transpose() * (s.a.head<3>() - gravity);
  const Matrix3d Omega = skew(w);
  const Matrix3d A = skew(s.a.segment<3>(3)) + Omega * Omega;

  Vector3d force = inertia_.mass * a_B + A * m.c;
  Matrix3d Q = m.c * a_B.transpose() + m.D * A.transpose();
  if (n > 0) {
    const auto dw = s.v.tail(n), ddw = s.a.tail(n);
    Eigen::Matrix<double, 9, 1> rate = m.B.lazyProduct(dw);  // sum m b db^T
    Q.noalias() += 2.0 * Map<const Matrix3d>(rate.data()) * Omega.transpose();
    const Vector3d dc = inertia_.S.lazyProduct(dw);
    force += 2.0 * w.cross(dc);

    auto r_e = r.tail(n);
    if ((ddw.array() != 0.0).any()) {  // forces that come with no accelerations are asked for too
      rate = m.B.lazyProduct(ddw);
      Q += Map<const Matrix3d>(rate.data());
      force += inertia_.S.lazyProduct(ddw);
      add_small_product(M_, ddw, r_e);
    }
    add_small_product(K_, s.q_e, r_e);
    if (has_damping_) add_small_product(D_, dw, r_e);
    const Matrix3d At = A.transpose();
    const Map<const Eigen::Matrix<double, 9, 1>> At_vector(At.data());
    Eigen::Matrix3Xd coriolis = Eigen::Matrix3Xd::Zero(3, n);
    add_small_product(cross_, dw, Map<VectorXd>(coriolis.data(), coriolis.size()));
    for (int i = 0; i < n; ++i)
      r_e[i] +=
          inertia_.S.col(i).dot(a_B) + m.B.col(i).dot(At_vector) + 2.0 * coriolis.col(i).dot(w);
  }
  r.head<3>().noalias() += R * force;
  r.segment<3>(3) += cross_of(Q);
}

void ModalBody::add_tangent(const BodyState& s, const Vector3d& gravity,
                            const TangentCoefficients& k, Ref<Eigen::MatrixXd> J_rate,
                            Ref<Eigen::MatrixXd> J_q) {
  const int n = n_elastic();
  Moments& m = moments_;
  compute_moments(s, m);
  const Matrix3d& R = s.R_WB;
  const Vector3d w = s.w_WB_B();
  const Vector3d a_B = R.transpose() * (s.a.head<3>() - gravity);
  const Matrix3d Omega = skew(w);
  const Matrix3d A = skew(s.a.segment<3>(3)) + Omega * Omega;
  const Matrix3d J = m.D.trace() * Matrix3d::Identity() - m.D;
  const Eigen::Matrix3Xd& S = inertia_.S;
  Vector3d dc = Vector3d::Zero(), ddc = Vector3d::Zero();
  Matrix3d E = Matrix3d::Zero();  // sum m b db^T
  if (n > 0) {
    const auto dw = s.v.tail(n);
    dc = S.lazyProduct(dw);
    ddc = S.lazyProduct(s.a.tail(n));
    const Eigen::Matrix<double, 9, 1> e = m.B.lazyProduct(dw);
    E = Map<const Matrix3d>(e.data());
  }

  // Rigid rows and columns: dr/da, dr/dv, dr/dq.
  J_rate.topLeftCorner<3, 3>().diagonal().array() += k.mass * inertia_.mass;
  const Matrix3d Rc = R * skew(m.c);
  J_rate.block<3, 3>(0, 3) +=
      -k.mass * Rc - k.damping * R * (skew(w.cross(m.c)) + Omega * skew(m.c) + 2.0 * skew(dc));
  J_rate.block<3, 3>(3, 0) += k.mass * Rc.transpose() * -1.0;
  J_rate.block<3, 3>(3, 3) +=
      k.mass * J + k.damping * (Omega * J - skew(J * w) -
                                2.0 * (E.transpose() - E.trace() * Matrix3d::Identity()));
  const Vector3d y = inertia_.mass * a_B + A * m.c + 2.0 * w.cross(dc) + ddc;
  const Matrix3d a_skew = skew(a_B);
  J_q.block<3, 3>(0, 3) += k.stiffness * R * (inertia_.mass * a_skew - skew(y));
  J_q.block<3, 3>(3, 3) += k.stiffness * skew(m.c) * a_skew;
  if (n == 0) return;

  if (k.damping == 0.0 && k.stiffness == 0.0) {  // accelerations need no more
    const Matrix3d mR = k.mass * R;
    for (int j = 0; j < n; ++j) {
      const Vector3d s = mR * S.col(j), h = k.mass * cross_of(as_matrix(m.B.col(j)));
      J_rate.block<3, 1>(0, 6 + j) += s;
      J_rate.block<1, 3>(6 + j, 0) += s.transpose();
      J_rate.block<3, 1>(3, 6 + j) += h;
      J_rate.block<1, 3>(6 + j, 3) += h.transpose();
    }
    J_rate.bottomRightCorner(n, n) += k.mass * M_;
    return;
  }

  const auto dw = s.v.tail(n), ddw = s.a.tail(n);
  const Matrix9X B_rate = contract(dw);    // column j: sum m db X_j^T
  const Matrix9X B_rate2 = contract(ddw);  // column j: sum m ddb X_j^T
  Eigen::Matrix3Xd coriolis(3, n);         // column i: sum_j dw_j sum m X_j x X_i
  coriolis.setZero();
  add_small_product(cross_, dw, Map<VectorXd>(coriolis.data(), coriolis.size()));

  const Matrix3d RS_map = k.mass * R + 2.0 * k.damping * R * Omega, RA = k.stiffness * R * A,
                 a_map = k.stiffness * a_skew;
  for (int j = 0; j < n; ++j) {
    const Vector3d s = S.col(j), turned = a_map * s;
    J_rate.block<3, 1>(0, 6 + j) += RS_map * s;
    if (k.mass != 0.0) J_rate.block<1, 3>(6 + j, 0) += (k.mass * R * s).transpose();
    J_q.block<3, 1>(0, 6 + j) += RA * s;
    J_q.block<3, 1>(3, 6 + j) -= turned;
    J_q.block<1, 3>(6 + j, 3) -= turned.transpose();
  }
  for (int j = 0; j < n; ++j) {
    const auto B = as_matrix(m.B.col(j));
    const Matrix3d B_sym = B + B.transpose();
    const Vector3d h = cross_of(B);
    J_rate.block<3, 1>(3, 6 + j) +=
        k.mass * h + 2.0 * k.damping * (w * B.trace() - B.transpose() * w);
    J_rate.block<1, 3>(6 + j, 3) +=
        k.mass * h.transpose() +
        k.damping * (B_sym * w - 2.0 * B.trace() * w + 2.0 * coriolis.col(j)).transpose();
    J_q.block<3, 1>(3, 6 + j) +=
        k.stiffness * (cross_of(B_sym * A.transpose()) +
                       2.0 * cross_of(as_matrix(B_rate.col(j)).transpose() * Omega.transpose()) -
                       cross_of(as_matrix(B_rate2.col(j))));
  }
  if (k.mass != 0.0) J_rate.bottomRightCorner(n, n) += k.mass * M_;
  if (has_damping_) J_rate.bottomRightCorner(n, n) += k.damping * D_;
  J_q.bottomRightCorner(n, n) += k.stiffness * K_;
  const Matrix3d At = A.transpose();
  const Map<const Eigen::Matrix<double, 9, 1>> At_vector(At.data());
  const Eigen::Matrix<double, 9, 1> along = k.stiffness * At_vector;
  const Vector3d about = 2.0 * k.damping * w;
  for (int j = 0; j < n; ++j) {
    const double *N = N_.col(j).data(), *cross = cross_.col(j).data();
    for (int i = 0; i < n; ++i, N += 9, cross += 3) {
      J_q(6 + i, 6 + j) += Map<const Eigen::Matrix<double, 9, 1>>(N).dot(along);
      J_rate(6 + i, 6 + j) += Map<const Vector3d>(cross).dot(about);
    }
  }
}

double ModalBody::radius_of_gyration() const {
  if (!(inertia_.mass > 0.0)) return 0.0;
  const Vector3d& c = inertia_.first_moment;
  const Matrix3d about_centre = inertia_.N00 - c * c.transpose() / inertia_.mass;
  return bodies::radius_of_gyration(inertia_.mass,
                                    about_centre.trace() * Matrix3d::Identity() - about_centre);
}

double ModalBody::dissipation(const BodyState& s) const {
  return has_damping_ ? s.dq_e().dot(D_ * s.dq_e()) : 0.0;
}

Energy ModalBody::energy(const BodyState& s, const Vector3d& gravity) const {
  const int n = n_elastic();
  compute_moments(s, moments_);
  const Moments& m = moments_;
  const Vector3d v_B = s.R_WB.transpose() * s.v_WB(), w = s.w_WB_B();
  const Matrix3d J = m.D.trace() * Matrix3d::Identity() - m.D;
  Energy e;
  Vector3d dc = w.cross(m.c), h = Vector3d::Zero();
  if (n > 0) {
    const auto dw = s.v.tail(n);
    dc += inertia_.S * dw;
    const Eigen::Matrix<double, 9, 1> E = m.B * dw;
    h = cross_of(Map<const Matrix3d>(E.data()));
    e.kinetic += 0.5 * dw.dot(M_ * dw);
    e.strain = 0.5 * s.q_e.dot(K_ * s.q_e);
  }
  e.kinetic +=
      0.5 * inertia_.mass * v_B.squaredNorm() + v_B.dot(dc) + 0.5 * w.dot(J * w) + w.dot(h);
  e.potential = -gravity.dot(inertia_.mass * s.p_WB + s.R_WB * m.c);
  return e;
}

Momentum ModalBody::momentum(const BodyState& s) const {
  const int n = n_elastic();
  compute_moments(s, moments_);
  const Moments& m = moments_;
  const Vector3d v_B = s.R_WB.transpose() * s.v_WB(), w = s.w_WB_B();
  const Matrix3d J = m.D.trace() * Matrix3d::Identity() - m.D;
  Vector3d dc = w.cross(m.c), h = m.c.cross(v_B) + J * w;
  if (n > 0) {
    const auto dw = s.v.tail(n);
    dc += inertia_.S * dw;
    const Eigen::Matrix<double, 9, 1> E = m.B * dw;
    h += cross_of(Map<const Matrix3d>(E.data()));
  }
  Momentum p;
  p.linear = inertia_.mass * s.v_WB() + s.R_WB * dc;
  p.angular = s.p_WB.cross(p.linear) + s.R_WB * h;
  return p;
}

std::unique_ptr<ModalBody> make_rigid_body(std::string name, double mass, const Vector3d& com,
                                           const Matrix3d& inertia) {
  reduction::InertiaInvariants i;
  i.mass = mass;
  i.first_moment = mass * com;
  i.N00 = 0.5 * inertia.trace() * Matrix3d::Identity() - inertia + mass * com * com.transpose();
  return std::make_unique<ModalBody>(std::move(name), std::move(i), Eigen::MatrixXd(0, 0),
                                     Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 0), VectorXd(0));
}

std::unique_ptr<ModalBody> make_virtual_body(std::string name) {
  return make_rigid_body(std::move(name), 0.0, Vector3d::Zero(), Matrix3d::Zero());
}

}  // namespace solidyn::bodies
