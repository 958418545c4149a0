#include "solidyn/forces/set_valued_coordinates.h"

#include "solidyn/base/error.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Row12;
using bodies::Vector12;
using Eigen::Vector3d;

namespace {

constexpr int kDirections = 3;

Row12 row_of(const SetValuedCoordinates::Direction& d, const FramePair& f) {
  return d.factor * value_of(d.coordinate, f).J;
}

}  // namespace

SetValuedCoordinates::SetValuedCoordinates(std::string name, const bodies::FrameLink& link,
                                           Options options)
    : PairForce(std::move(name), link),
      o_(std::move(options)),
      memory_(Eigen::VectorXd::Zero(SetValuedPoint::kSize)) {
  SOLIDYN_ASSERT(o_.slips.size() < kDirections);
  SOLIDYN_ASSERT(o_.normal.has_value() == o_.slips.empty());
}

const SetValuedCoordinates::Direction* SetValuedCoordinates::direction(int i) const {
  if (i == 0) return o_.normal ? &*o_.normal : nullptr;
  return i <= static_cast<int>(o_.slips.size()) ? &o_.slips[i - 1] : nullptr;
}

Vector12 SetValuedCoordinates::wrench(const FramePair& f, double) const {
  const Vector3d force = kept().force;
  Vector12 w = Vector12::Zero();
  for (int i = 0; i < kDirections; ++i)
    if (const Direction* d = direction(i); d && force[i] != 0.0)
      w += force[i] * row_of(*d, f).transpose();
  return w;
}

void SetValuedCoordinates::add_derivatives(const FramePair& f, double, Matrix12& by_position,
                                           Matrix12&) const {
  const Vector3d force = kept().force;
  for (int i = 0; i < kDirections; ++i)
    if (const Direction* d = direction(i); d && force[i] != 0.0)
      add_stiffness_of(d->coordinate, f, force[i] * d->factor, by_position);
}

double SetValuedCoordinates::gap(const bodies::Kinematics& k, int) const {
  if (!o_.law.has_gap()) return 0.0;
  return o_.normal->factor * value_of(o_.normal->coordinate, pair(k)).value + o_.offset;
}

Vector3d SetValuedCoordinates::velocity(const bodies::Kinematics& k, int) const {
  const FramePair f = pair(k);
  Vector3d u = Vector3d::Zero();
  for (int i = 0; i < kDirections; ++i)
    if (const Direction* d = direction(i)) u[i] = row_of(*d, f).dot(f.twist());
  return u;
}

Vector3d SetValuedCoordinates::acceleration(const bodies::Kinematics& k, int) const {
  const FramePair f = pair(k);
  Vector12 twist_rate;
  twist_rate << f.A.acceleration, f.B.acceleration;
  Vector3d a = Vector3d::Zero();
  for (int i = 0; i < kDirections; ++i)
    if (const Direction* d = direction(i))
      a[i] = row_of(*d, f).dot(twist_rate) + d->factor * bias_of(d->coordinate, f);
  return a;
}

void SetValuedCoordinates::directions(const bodies::Kinematics& k, int,
                                      Eigen::Ref<Eigen::MatrixXd> W) const {
  const FramePair f = pair(k);
  for (int i = 0; i < kDirections; ++i)
    if (const Direction* d = direction(i)) link().set_row(k, row_of(*d, f), W.col(i).transpose());
}

}  // namespace solidyn::forces
