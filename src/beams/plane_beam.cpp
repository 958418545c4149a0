#include "solidyn/beams/plane_beam.h"

#include <cmath>

namespace solidyn::beams {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kMaxIterationsInPlane = 12;
// Of strains, which are numbers of order one: the square of such a step is round-off.
constexpr double kLastStepInPlane = 1e-8;
// Longer steps lead astray; strains as large as that are left to the search in space.
constexpr double kLongestStepInPlane = 0.5;

// From U to V by a right angle.
Vector2d turned(const Vector2d& a) { return {-a.y(), a.x()}; }
double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// The product of complex numbers: b, turned and stretched as a says.
Vector2d product(const Vector2d& a, const Vector2d& b) {
  return {a.x() * b.x() - a.y() * b.y(), a.x() * b.y() + a.y() * b.x()};
}

// b in the axes of which a is the first.
Vector2d seen_from(const Vector2d& a, const Vector2d& b) { return {a.dot(b), cross(a, b)}; }

}  // namespace

PlaneBeam::PlaneBeam(const PlaneBeamData& data)
    : data_(data),
      shear_(data.GA > 0.0 ? data.EI / (data.length * data.length * data.GA) : 0.0),
      stiffness_(data.EA * data.length, data.EI / data.length * (1.0 / 3.0 + 4.0 * shear_),
                 data.EI / data.length),
      disc_(data.inertia_per_length * data.length / 6.0) {
  line_ << 156, 22, 54, -13,  //
      22, 4, 13, -3,          //
      54, 13, 156, -22,       //
      -13, -3, -22, 4;
  line_ *= data.mass_per_length * data.length / 420.0;
  D_unstressed_ = {data.length, 0.0};
}

void PlaneBeam::set_pose(const Vector2d& D, const Vector2d& x) {
  D_ = D;
  x_end_ = x;
  theta_ = std::atan2(x.y(), x.x());
}

void PlaneBeam::set_strains(const Vector3d& e_d_theta) {
  e_ = e_d_theta[0];
  d_ = e_d_theta[1];
  theta_ = e_d_theta[2];
}

bool PlaneBeam::set_unstressed(const Vector2d& D, const Vector2d& x) {
  is_found_ = false;
  e_ = d_ = 0.0;
  set_pose(D, x);
  if (!find_strains(D)) return false;
  D_unstressed_ = D;
  x_unstressed_ = x;
  unstressed_ = {e_, d_, theta_};
  return true;
}

// With the turns theta/2 + d/4 of the middle and theta of the end, and the shear 2 shear d, the end
// is at  l [1/6 + 4/6 exp(i middle) + 1/6 exp(i theta)] (1 + e + i shear).
void PlaneBeam::evaluate() {
  const double middle = 0.5 * theta_ + 0.25 * d_;
  cos_middle_ = std::cos(middle);
  sin_middle_ = std::sin(middle);
  const double l = data_.length;
  const Vector2d stretch(1.0 + e_, 2.0 * shear_ * d_);
  const Vector2d turn(l * ((1.0 + 4.0 * cos_middle_ + x_end_.x()) / 6.0),
                      l * ((4.0 * sin_middle_ + x_end_.y()) / 6.0));
  const Vector2d turn_by_d(-l * sin_middle_ / 6.0, l * cos_middle_ / 6.0);
  const Vector2d turn_by_theta(-l * (2.0 * sin_middle_ + x_end_.y()) / 6.0,
                               l * (2.0 * cos_middle_ + x_end_.x()) / 6.0);
  end_ = product(turn, stretch);
  end_by_theta_ = product(turn_by_theta, stretch);
  end_rows_.col(0) = turn;
  end_rows_.col(1) = product(turn_by_d, stretch) + 2.0 * shear_ * turned(turn);
  const double scale = 1.0 / cross(end_rows_.col(0), end_rows_.col(1));
  inverse_ << scale * end_rows_(1, 1), -scale * end_rows_(0, 1), -scale * end_rows_(1, 0),
      scale * end_rows_(0, 0);
}

bool PlaneBeam::find_strains(const Vector2d& D) {
  bool is_last = false;
  for (int i = 0; i < kMaxIterationsInPlane; ++i) {
    evaluate();
    if (is_last) return true;
    const Vector2d step = inverse_ * (D - end_);
    const double size = step.lpNorm<Eigen::Infinity>();
    if (!(size <= kLongestStepInPlane)) return false;
    e_ += step[0];
    d_ += step[1];
    is_last = size <= kLastStepInPlane;
  }
  return false;
}

bool PlaneBeam::follow(const PlaneSection& p, const PlaneSection& q) {
  p_ = p;
  q_ = q;
  const Vector2d D_before = D_, D = seen_from(p.x, q.p - p.p);
  const double theta_before = theta_;
  set_pose(D, seen_from(p.x, q.x));
  if (D == D_unstressed_ && x_end_ == x_unstressed_) {
    // Without round-off: an element that nothing acts on has no forces.
    set_strains(unstressed_);
    evaluate();
    is_found_ = true;
  } else {
    if (is_found_) {
      const Vector2d change = D - D_before;
      const double turned_by = theta_ - theta_before;
      e_ += to_strains_.row(0).head<2>().dot(change) + to_strains_(0, 2) * turned_by;
      d_ += to_strains_.row(1).head<2>().dot(change) + to_strains_(1, 2) * turned_by;
    }
    is_found_ = find_strains(D);
    if (!is_found_) {
      e_ = d_ = 0.0;
      is_found_ = find_strains(D);
    }
  }
  if (!is_found_) {
    set_strains(unstressed_);
    return false;
  }
  set_gradient();
  return true;
}

Vector3d PlaneBeam::deformation() const { return Vector3d(e_, d_, theta_) - unstressed_; }

Vector3d PlaneBeam::stressing_strains() const {
  const Vector3d s = deformation();
  return {s[0], s[2] + s[1], s[2] - s[1]};
}

void PlaneBeam::set_gradient() {
  const Vector2d of_theta = inverse_ * end_by_theta_;
  to_strains_ << inverse_(0, 0), inverse_(0, 1), -of_theta[0],  //
      inverse_(1, 0), inverse_(1, 1), -of_theta[1],             //
      0.0, 0.0, 1.0;
  Vector3d stress = stiffness_.cwiseProduct(deformation());
  force_ = inverse_.transpose() * stress.head<2>();
  const Vector2d apart = seen_from(p_.x, q_.v - p_.v) - p_.w * turned(D_);
  rates_ = to_strains_ * Vector3d(apart.x(), apart.y(), q_.w - p_.w);
  if (data_.damping > 0.0) stress += data_.damping * stiffness_.cwiseProduct(rates_);
  gradient_ = to_strains_.transpose() * stress;
}

// Of elastic energy by the pose: that by (e, d, theta), less the forces times how the end curves.
Matrix3d PlaneBeam::second_derivative() const {
  const double l = data_.length;
  const Vector2d stretch(1.0 + e_, 2.0 * shear_ * d_);
  const Vector2d middle(l * cos_middle_, l * sin_middle_), end = l * x_end_;
  const Vector2d by_d = turned(middle) / 6.0, by_theta = (2.0 * turned(middle) + turned(end)) / 6.0;
  const Vector2d shear(0.0, 2.0 * shear_);
  const Vector2d d_d = product(-middle / 24.0, stretch) + 2.0 * product(by_d, shear);
  const Vector2d d_theta = product(-middle / 12.0, stretch) + product(by_theta, shear);
  const Vector2d theta_theta = product(-(middle + end) / 6.0, stretch);
  Matrix3d L;
  L(0, 0) = stiffness_[0];
  L(1, 1) = stiffness_[1] - force_.dot(d_d);
  L(2, 2) = stiffness_[2] - force_.dot(theta_theta);
  L(0, 1) = L(1, 0) = -force_.dot(by_d);
  L(0, 2) = L(2, 0) = -force_.dot(by_theta);
  L(1, 2) = L(2, 1) = -force_.dot(d_theta);
  return to_strains_.transpose().lazyProduct((L * to_strains_).eval());
}

PlaneBeam::Columns PlaneBeam::accelerations(const Vector2d& gravity) const {
  const double l = data_.length;
  Columns u;
  u << p_.a - gravity, l * (p_.dw * turned(p_.x) - p_.w * p_.w * p_.x), q_.a - gravity,
      l * (q_.dw * turned(q_.x) - q_.w * q_.w * q_.x);
  return u;
}

PlaneBeam::Vector6 PlaneBeam::forces(const Vector2d& gravity) const {
  const Columns f = accelerations(gravity).lazyProduct(line_);
  const Vector2d n = gradient_.head<2>(), force = product(p_.x, n);
  const double m = gradient_[2], l = data_.length;
  const double of_middle = disc_ * (p_.dw + q_.dw);  // 4/6, half of the mean on either end
  Vector6 r;
  r.segment<2>(0) = f.col(0) - force;
  r[2] = l * cross(p_.x, f.col(1)) + disc_ * p_.dw + of_middle + cross(n, D_) - m;
  r.segment<2>(3) = f.col(2) + force;
  r[5] = l * cross(q_.x, f.col(3)) + disc_ * q_.dw + of_middle + m;
  return r;
}

// That of damping leaves out how the rows of the strains change, as in space.
void PlaneBeam::compute_tangent(const Vector2d& gravity, double mass, double damping,
                                double stiffness, Matrix6& J) const {
  const double c = p_.x.x(), s = p_.x.y();
  // [dD; dtheta] by the motions.
  Matrix36 B;
  B << -c, -s, D_.y(), c, s, 0.0,  //
      s, -c, -D_.x(), -s, c, 0.0,  //
      0.0, 0.0, -1.0, 0.0, 0.0, 1.0;
  Matrix36 X = (stiffness * second_derivative()).lazyProduct(B);
  if (data_.damping > 0.0) {
    const Matrix3d stress = data_.damping * stiffness_.asDiagonal() * to_strains_;
    const Matrix3d C = to_strains_.transpose().lazyProduct(stress);
    const Vector2d apart = seen_from(p_.x, q_.v - p_.v);
    // How the rates of D change with the motions.
    Matrix36 rates;
    rates << p_.w * B.row(1), -p_.w * B.row(0), Eigen::Matrix<double, 1, 6>::Zero();
    rates(0, 2) += apart.y();
    rates(1, 2) -= apart.x();
    const Matrix36 together = damping * B + stiffness * rates;
    X += C.lazyProduct(together);
  }
  J = B.transpose().lazyProduct(X);
  const Vector2d n = stiffness * gradient_.head<2>(), across = turned(product(p_.x, n));
  J.block<2, 1>(0, 2) -= across;
  J.block<2, 1>(3, 2) += across;
  J.row(2) += n.x() * B.row(1) - n.y() * B.row(0);
  add_inertia_tangent(gravity, mass, damping, stiffness, J);
}

void PlaneBeam::add_inertia_tangent(const Vector2d& gravity, double mass, double damping,
                                    double stiffness, Matrix6& J) const {
  const double l = data_.length;
  const Columns f = accelerations(gravity).lazyProduct(line_);
  const PlaneSection* sections[] = {&p_, &q_};
  const Vector2d across[] = {l * turned(p_.x), l * turned(q_.x)};
  for (int j = 0; j < 2; ++j) {
    const PlaneSection& b = *sections[j];
    // Of the direction's acceleration, by the turn and what it does to the rates.
    const Vector2d by_turn = (mass - stiffness * b.w * b.w) * across[j] -
                             l * (2.0 * damping * b.w + stiffness * b.dw) * b.x;
    for (int i = 0; i < 2; ++i) {
      J.block<2, 2>(3 * i, 3 * j).diagonal().array() += mass * line_(2 * i, 2 * j);
      J.block<2, 1>(3 * i, 3 * j + 2) += line_(2 * i, 2 * j + 1) * by_turn;
      J.block<1, 2>(3 * i + 2, 3 * j) += mass * line_(2 * i + 1, 2 * j) * across[i].transpose();
      J(3 * i + 2, 3 * j + 2) +=
          line_(2 * i + 1, 2 * j + 1) * across[i].dot(by_turn) + mass * disc_;
    }
    J(3 * j + 2, 3 * j + 2) += mass * disc_ - stiffness * l * b.x.dot(f.col(2 * j + 1));
  }
}

double PlaneBeam::strain_energy() const {
  const Vector3d strains = deformation();
  return 0.5 * strains.dot(stiffness_.cwiseProduct(strains));
}

double PlaneBeam::kinetic_energy() const {
  const double l = data_.length, mean = 0.5 * (p_.w + q_.w);
  Columns u;
  u << p_.v, l * p_.w * turned(p_.x), q_.v, l * q_.w * turned(q_.x);
  const Columns moved = u.lazyProduct(line_);
  return 0.5 *
         (moved.cwiseProduct(u).sum() + disc_ * (p_.w * p_.w + q_.w * q_.w + 4.0 * mean * mean));
}

double PlaneBeam::dissipation() const {
  return data_.damping * rates_.dot(stiffness_.cwiseProduct(rates_));
}

}  // namespace solidyn::beams
