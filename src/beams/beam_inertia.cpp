#include "solidyn/beams/beam_inertia.h"

#include "solidyn/math/rotation.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

const Vector3d kAxis = Vector3d::UnitX();

Vector3d gyroscopic(const Vector3d& J, const Vector3d& w) { return w.cross(J.cwiseProduct(w)); }

// d(w x J w)/dw.
Matrix3d gyroscopic_rows(const Vector3d& J, const Vector3d& w) {
  return skew(w) * J.asDiagonal() - skew(J.cwiseProduct(w));
}

// d^2(R e)/dt^2 in the section's axes.
Vector3d direction_acceleration(const SectionMotion& s) {
  return s.dw.cross(kAxis) + s.w.cross(s.w.cross(kAxis));
}

}  // namespace

// The disc half-way between the sections. With t = n tan(angle/4) of Q,
//   w = 1/2 [(1 - t x) w_p + (1 + t x) w_q],   dt/dt = E(t) (w_q - Q^T w_p),
// as follows from the mean of two unit quaternions: q_m = (q_p + q_q)/|q_p + q_q|.
struct BeamInertia::Disc {
  Disc(const SectionMotion& p, const SectionMotion& q) : Q(p.R.transpose() * q.R) {
    const Eigen::Vector4d turn = quaternion_of(Q);
    t = turn.tail<3>() / (1.0 + turn[0]);
    E = 0.25 *
        ((1.0 - t.squaredNorm()) * Matrix3d::Identity() + 2.0 * skew(t) + 2.0 * t * t.transpose());
    relative = q.w - Q.transpose() * p.w;
    dt = E * relative;
    w = blend(p.w, q.w);
    dw = blend(p.dw, q.dw) + 0.5 * dt.cross(q.w - p.w);
  }
  Vector3d blend(const Vector3d& of_p, const Vector3d& of_q) const {
    const Vector3d difference = of_q - of_p;
    return 0.5 * (of_p + of_q + t.cross(difference));
  }
  Matrix3d by_p() const { return 0.5 * (Matrix3d::Identity() - skew(t)); }
  Matrix3d by_q() const { return 0.5 * (Matrix3d::Identity() + skew(t)); }
  // R_W of the disc: from p by half of Q.
  Matrix3d orientation(const SectionMotion& p) const {
    const Eigen::Quaterniond half(1.0, t.x(), t.y(), t.z());
    return p.R * half.normalized().toRotationMatrix();
  }
  Vector3d torque(const Vector3d& J) const { return J.cwiseProduct(dw) + gyroscopic(J, w); }

  Matrix3d Q, E;
  Vector3d t, dt, relative, w, dw;
};

BeamInertia::BeamInertia(double length, double mass_per_length, const Vector3d& inertia)
    : length_(length),
      mass_(mass_per_length * length),
      end_(length / 6.0 * inertia),
      middle_(4.0 * length / 6.0 * inertia) {
  line_ << 156, 22, 54, -13,  //
      22, 4, 13, -3,          //
      54, 13, 156, -22,       //
      -13, -3, -22, 4;
  line_ *= mass_ / 420.0;
  sums_ << 0.5, 1.0 / 12.0, 0.5, -1.0 / 12.0;
  sums_ *= mass_;
}

BeamInertia::Columns BeamInertia::positions(const SectionMotion& p, const SectionMotion& q) const {
  Columns u;
  u << p.p, length_ * p.R.col(0), q.p, length_ * q.R.col(0);
  return u;
}

BeamInertia::Columns BeamInertia::velocities(const SectionMotion& p, const SectionMotion& q) const {
  Columns u;
  u << p.v, length_ * (p.R * p.w.cross(kAxis)), q.v, length_ * (q.R * q.w.cross(kAxis));
  return u;
}

BeamInertia::Columns BeamInertia::accelerations(const SectionMotion& p, const SectionMotion& q,
                                                const Vector3d& gravity) const {
  Columns u;
  u << p.a - gravity, length_ * (p.R * direction_acceleration(p)), q.a - gravity,
      length_ * (q.R * direction_acceleration(q));
  return u;
}

Vector12 BeamInertia::forces(const SectionMotion& p, const SectionMotion& q,
                             const Vector3d& gravity) const {
  const Columns f = accelerations(p, q, gravity) * line_;
  const Disc disc(p, q);
  const Vector3d torque = disc.torque(middle_), turned = disc.t.cross(torque);
  Vector12 r;
  r.segment<3>(0) = f.col(0);
  r.segment<3>(3) = length_ * kAxis.cross(p.R.transpose() * f.col(1)) + end_.cwiseProduct(p.dw) +
                    gyroscopic(end_, p.w) + 0.5 * (torque + turned);
  r.segment<3>(6) = f.col(2);
  r.segment<3>(9) = length_ * kAxis.cross(q.R.transpose() * f.col(3)) + end_.cwiseProduct(q.dw) +
                    gyroscopic(end_, q.w) + 0.5 * (torque - turned);
  return r;
}

void BeamInertia::compute_mass(const SectionMotion& p, const SectionMotion& q, Matrix12& M) const {
  compute_line_mass(p, q, M);
  add_disc_mass(Disc(p, q), M);
}

void BeamInertia::compute_line_mass(const SectionMotion& p, const SectionMotion& q,
                                    Matrix12& M) const {
  // Of the directions l R e_x by the turns.
  const Matrix3d by_turn[] = {-length_ * p.R * skew(kAxis), -length_ * q.R * skew(kAxis)};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      M.block<3, 3>(6 * i, 6 * j) = line_(2 * i, 2 * j) * Matrix3d::Identity();
      M.block<3, 3>(6 * i, 6 * j + 3) = line_(2 * i, 2 * j + 1) * by_turn[j];
      M.block<3, 3>(6 * i + 3, 6 * j) = line_(2 * i + 1, 2 * j) * by_turn[i].transpose();
      M.block<3, 3>(6 * i + 3, 6 * j + 3) =
          line_(2 * i + 1, 2 * j + 1) * (by_turn[i].transpose() * by_turn[j]);
    }
}

void BeamInertia::add_disc_mass(const Disc& disc, Matrix12& M) const {
  M.diagonal().segment<3>(3) += end_;
  M.diagonal().segment<3>(9) += end_;
  const Matrix3d by_p = disc.by_p(), by_q = disc.by_q();
  const Matrix3d J_p = middle_.asDiagonal() * by_p, J_q = middle_.asDiagonal() * by_q;
  const Matrix3d mixed = by_p.transpose() * J_q;
  M.block<3, 3>(3, 3) += by_p.transpose() * J_p;
  M.block<3, 3>(3, 9) += mixed;
  M.block<3, 3>(9, 3) += mixed.transpose();
  M.block<3, 3>(9, 9) += by_q.transpose() * J_q;
}

void BeamInertia::compute_tangent(const SectionMotion& p, const SectionMotion& q,
                                  const Vector3d& gravity, Tangent& tangent) const {
  const Disc disc(p, q);
  compute_line_mass(p, q, tangent.M);
  add_disc_mass(disc, tangent.M);
  tangent.D.setZero();
  tangent.K.setZero();
  tangent.D.block<3, 3>(3, 3) = gyroscopic_rows(end_, p.w);
  tangent.D.block<3, 3>(9, 9) = gyroscopic_rows(end_, q.w);
  add_line_tangent(p, q, gravity, tangent);
  add_middle_tangent(p, q, disc, tangent);
}

void BeamInertia::add_line_tangent(const SectionMotion& p, const SectionMotion& q,
                                   const Vector3d& gravity, Tangent& tangent) const {
  const Columns f = accelerations(p, q, gravity) * line_;
  const SectionMotion* sections[] = {&p, &q};
  Matrix3d by_rate[2], by_turn[2], moment[2];
  for (int k = 0; k < 2; ++k) {
    const SectionMotion& s = *sections[k];
    by_rate[k] = -length_ * s.R * (skew(s.w.cross(kAxis)) + skew(s.w) * skew(kAxis));
    by_turn[k] = -length_ * s.R * skew(direction_acceleration(s));
    moment[k] = length_ * skew(kAxis) * s.R.transpose();
  }
  for (int j = 0; j < 2; ++j) {
    const int column = 6 * j + 3, of = 2 * j + 1;
    for (int i = 0; i < 2; ++i) {
      tangent.D.block<3, 3>(6 * i, column) += line_(2 * i, of) * by_rate[j];
      tangent.K.block<3, 3>(6 * i, column) += line_(2 * i, of) * by_turn[j];
      const Matrix3d arm = line_(2 * i + 1, of) * moment[i];
      tangent.D.block<3, 3>(6 * i + 3, column) += arm * by_rate[j];
      tangent.K.block<3, 3>(6 * i + 3, column) += arm * by_turn[j];
    }
    const Vector3d f_section = sections[j]->R.transpose() * f.col(of);
    tangent.K.block<3, 3>(column, column) += length_ * skew(kAxis) * skew(f_section);
  }
}

void BeamInertia::add_middle_tangent(const SectionMotion& p, const SectionMotion& q,
                                     const Disc& disc, Tangent& tangent) const {
  const Matrix3d N[] = {disc.by_p(), disc.by_q()};
  const Vector3d torque = disc.torque(middle_), spread = q.w - p.w;
  const Matrix3d by_w = gyroscopic_rows(middle_, disc.w);
  const Matrix3d by_dt = -0.5 * skew(spread);  // of the disc's acceleration
  const Matrix3d by_relative = by_dt * disc.E;
  const double sign[] = {-1.0, 1.0};
  // d torque by the rates of p and q.
  Matrix3d D[2];
  D[0] = middle_.asDiagonal() * (-by_relative * disc.Q.transpose() - 0.5 * skew(disc.dt)) +
         by_w * N[0];
  D[1] = middle_.asDiagonal() * (by_relative + 0.5 * skew(disc.dt)) + by_w * N[1];
  // and by psi, on which t depends.
  const Vector3d& t = disc.t;
  const Vector3d& w = disc.relative;
  const Matrix3d rate_by_t =
      0.5 * (t * w.transpose() - w * t.transpose() - skew(w) + t.dot(w) * Matrix3d::Identity());
  const Matrix3d spun = skew(disc.Q.transpose() * p.w);
  const Matrix3d acceleration_by_psi =
      (-0.5 * skew(q.dw - p.dw) + by_dt * rate_by_t) * disc.E - by_relative * spun;
  const Matrix3d torque_by_psi =
      middle_.asDiagonal() * acceleration_by_psi + by_w * (-0.5 * skew(spread) * disc.E);
  for (int i = 0; i < 2; ++i) {
    const Matrix3d by_psi =
        N[i].transpose() * torque_by_psi + sign[i] * 0.5 * skew(torque) * disc.E;
    tangent.K.block<3, 3>(6 * i + 3, 3) -= by_psi * disc.Q.transpose();
    tangent.K.block<3, 3>(6 * i + 3, 9) += by_psi;
    for (int j = 0; j < 2; ++j)
      tangent.D.block<3, 3>(6 * i + 3, 6 * j + 3) += N[i].transpose() * D[j];
  }
}

double BeamInertia::kinetic_energy(const SectionMotion& p, const SectionMotion& q) const {
  const Columns u = velocities(p, q);
  const Disc disc(p, q);
  return 0.5 * ((u * line_).cwiseProduct(u).sum() + p.w.dot(end_.cwiseProduct(p.w)) +
                q.w.dot(end_.cwiseProduct(q.w)) + disc.w.dot(middle_.cwiseProduct(disc.w)));
}

Vector3d BeamInertia::momentum(const SectionMotion& p, const SectionMotion& q) const {
  return velocities(p, q) * sums_;
}

Vector3d BeamInertia::angular_momentum(const SectionMotion& p, const SectionMotion& q) const {
  const Columns x = positions(p, q), moved = velocities(p, q) * line_;
  const Disc disc(p, q);
  Vector3d L = p.R * end_.cwiseProduct(p.w) + q.R * end_.cwiseProduct(q.w) +
               disc.orientation(p) * middle_.cwiseProduct(disc.w);
  for (int i = 0; i < 4; ++i) L += x.col(i).cross(moved.col(i));
  return L;
}

Vector3d BeamInertia::first_moment(const SectionMotion& p, const SectionMotion& q) const {
  return positions(p, q) * sums_;
}

}  // namespace solidyn::beams
