// A wheelset on rails that bend: what acts on the wheelset and on the element under it.
#include <algorithm>

#include "wheel_rail/differences.h"
#include "wheel_rail/wheel_rail_parts.h"

namespace solidyn::wheel_rail {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using track::kBendings;
using track::kLateralBending;
using track::kVerticalBending;

namespace {

constexpr int kOfNode = 2;  // coordinates
constexpr int kOfElement = 2 * kOfNode;

// What wheels do to the rails, by way of bending: opposite to what rails do to them.
Eigen::Matrix<double, RailsUnderWheels::kWays, 1> forces_on_rails(
    const WheelRailForce::State& state) {
  Eigen::Matrix<double, RailsUnderWheels::kWays, 1> force;
  for (const Side side : {kLeft, kRight}) {
    force[kBendings * side + kVerticalBending] = -state.wheels[side].Q;
    force[kBendings * side + kLateralBending] =
        side == kLeft ? state.wheels[side].Y : -state.wheels[side].Y;
  }
  return force;
}

}  // namespace

bool WheelRailForce::follow(const bodies::Kinematics& kinematics) {
  const FramePair f = pair(kinematics);
  under_.follow(*options_.rails, track::station_of(track_->alignment, f.B.p, s_), kinematics);
  if (on_rails_ && on_rails_->element() == under_.element()) return false;
  on_rails_ = std::make_unique<OnRails>(*this);
  parts_ = {on_rails_.get()};
  return true;
}

namespace {

// Of the link, then of the nodes of the element that are not clamped.
std::vector<bodies::BodyIndex> bodies_of(const bodies::FrameLink& link, const FlexibleRails& rails,
                                         int element) {
  std::vector<bodies::BodyIndex> bodies = link.bodies();
  if (element < 0) return bodies;
  for (const int section : {element, element + 1})
    for (const auto rail : {track::SleeperTrack::kLeft, track::SleeperTrack::kRight})
      for (const track::Bending bending : {kVerticalBending, kLateralBending})
        if (const int node = rails.track.rail_node(section, rail, bending); node >= 0)
          bodies.push_back(rails.nodes[node]);
  return bodies;
}

}  // namespace

WheelRailForce::OnRails::OnRails(const WheelRailForce& whole)
    : Force(whole.name(), bodies_of(whole.link(), *whole.options_.rails, whole.under_.element())),
      whole_(whole),
      element_(whole.under_.element()) {
  column_.fill(-1);
  if (element_ < 0) return;
  int next = whole.link().n_columns();
  for (const int end : {0, 1}) {
    if (whole.options_.rails->track.rail_node(element_ + end, track::SleeperTrack::kLeft,
                                              kVerticalBending) < 0)
      continue;
    for (int way = 0; way < RailsUnderWheels::kWays; ++way)
      for (int i = 0; i < kOfNode; ++i) column_[kOfElement * way + kOfNode * end + i] = next++;
  }
}

void WheelRailForce::OnRails::add_residual(const bodies::Kinematics& k, double t,
                                           Eigen::Ref<VectorXd> r) const {
  const bodies::FrameLink& link = whole_.link();
  const FramePair f = link.pair(k);
  link.add_force(k, -whole_.wrench(f, t), r.head(link.n_columns()));
  if (element_ < 0) return;
  const State& state = whole_.state(f);
  const auto force = forces_on_rails(state);
  const Eigen::Vector4d N = whole_.under_.shape(*whole_.options_.rails, state.s).N;
  for (int i = 0; i < RailDerivatives::kOfRails; ++i)
    if (column_[i] >= 0) r[column_[i]] -= N[i % kOfElement] * force[i / kOfElement];
}

// By the rails' displacements and slopes there, and by the velocities of their material; of these
// only what their own side does changes. Steps as of the wheelset's.
WheelRailForce::RailDerivatives WheelRailForce::rail_derivatives(const FramePair& f) const {
  constexpr double kPoseStep = 0x1p-23, kSlopeStep = 1e-6, kTwistStep = 1e-6;
  using Column = RailDerivatives::Column;
  const FlexibleRails& rails = *options_.rails;
  const auto forces_at = [&](const FramePair& pair, const Motion& m, const Contacts& contacts) {
    const State state = state_of(m, contacts);
    Column column = Column::Zero();
    column.head<RailDerivatives::kOfPair>() = wrench_of(pair, state);
    if (!under_.is_on()) return column;
    const auto force = forces_on_rails(state);
    const Eigen::Vector4d N = under_.shape(rails, m.at.s).N;
    for (int way = 0; way < RailsUnderWheels::kWays; ++way)
      column.segment<kOfElement>(RailDerivatives::kOfPair + kOfElement * way) = force[way] * N;
    return column;
  };
  const Motion now = motion(f);
  const Contacts contacts = find_contacts(now, true);
  RailDerivatives d;
  d.forces = forces_at(f, now, contacts);
  d.by_position.setZero();
  d.by_twist.setZero();
  d.by_rails.setZero();
  d.by_rail_rates.setZero();
  add_pose_differences(
      f, kPoseStep, rails_move_,
      [&](const FramePair& pair) {
        const Motion m = motion(pair);
        return forces_at(pair, m, find_contacts(m));
      },
      d.by_position);
  const double twist_step = kTwistStep * f.B.v.norm();
  if (!now.is_at_rest)
    add_twist_differences(
        f, twist_step, rails_move_,
        [&](const FramePair& pair) {
          const Motion m = motion(pair);
          Contacts moved = contacts;
          if (options_.damping.ratio > 0.0)
            for (const Side side : {kLeft, kRight}) move_on(side, m, moved[side]);
          return forces_at(pair, m, moved);
        },
        d.by_twist);
  if (!under_.is_on()) return d;
  const track::SleeperTrack::Shape shape = under_.shape(rails, now.at.s);
  const auto difference = [&](double step, auto&& contacts_at) {
    return Column((forces_at(f, now, contacts_at(step)) - forces_at(f, now, contacts_at(-step))) /
                  (2.0 * step));
  };
  for (const Side side : {kLeft, kRight})
    for (const track::Bending bending : {kVerticalBending, kLateralBending}) {
      const auto deviation = [bending](auto& of) -> track::Deviation& {
        return bending == kVerticalBending ? of.up : of.left;
      };
      const Column by_value = difference(kPoseStep, [&](double by) {
        RailDeflection varied = contacts[side].deflection;
        deviation(varied).value += by;
        Contacts moved = contacts;
        moved[side] = find_contact(side, now, false, varied);
        return moved;
      });
      const auto moved_on = [&](auto&& vary) {
        Contacts moved = contacts;
        vary(moved[side]);
        if (options_.damping.ratio > 0.0) move_on(side, now, moved[side]);
        return moved;
      };
      const Column by_slope = difference(kSlopeStep, [&](double by) {
        return moved_on([&](Contact& contact) { deviation(contact).first += by; });
      });
      const int first = kOfElement * (kBendings * side + bending);
      d.by_rails.middleCols<kOfElement>(first) =
          by_value * shape.N.transpose() + by_slope * shape.N_s.transpose();
      if (now.is_at_rest) continue;
      const Column by_rate = difference(twist_step, [&](double by) {
        return moved_on([&](Contact& contact) {
          (bending == kVerticalBending ? contact.deflection.up_rate
                                       : contact.deflection.left_rate) += by;
        });
      });
      d.by_rail_rates.middleCols<kOfElement>(first) = by_rate * shape.N.transpose();
    }
  return d;
}

void WheelRailForce::OnRails::add_tangent(const bodies::Kinematics& k, double,
                                          const bodies::TangentCoefficients& c,
                                          Eigen::Ref<MatrixXd> J_rate,
                                          Eigen::Ref<MatrixXd> J_q) const {
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  constexpr int kOfPair = RailDerivatives::kOfPair, kOfRails = RailDerivatives::kOfRails;
  const bodies::FrameLink& link = whole_.link();
  const RailDerivatives d = whole_.rail_derivatives(link.pair(k));
  const Eigen::Index n = link.n_columns();
  auto J_rate_pair = J_rate.topLeftCorner(n, n), J_q_pair = J_q.topLeftCorner(n, n);
  const Matrix12 by_position = d.by_position.topRows<kOfPair>(),
                 by_twist = d.by_twist.topRows<kOfPair>();
  link.add_matrix(k, -c.damping * by_twist, J_rate_pair);
  link.add_matrix(k, -c.stiffness * by_position, J_q_pair);
  link.add_rate_stiffness(k, -c.stiffness * by_twist, J_q_pair);
  link.add_geometric_stiffness(k, -c.stiffness * d.forces.head<kOfPair>(), J_q_pair);
  if (element_ < 0) return;

  // A is the ground: all columns of the link are those of the wheelset's body.
  const auto& J = k.frames[link.frame_B()].J;
  const MatrixXd rail_by_q = d.by_position.block<kOfRails, 6>(kOfPair, 6) * J +
                             d.by_twist.block<kOfRails, 6>(kOfPair, 6) *
                                 bodies::frame_rate_stiffness(k.frame_definitions[link.frame_B()],
                                                              k.bodies[link.body_B()]);
  const MatrixXd rail_by_v = d.by_twist.block<kOfRails, 6>(kOfPair, 6) * J;
  const auto column_of = [&](const auto& by, int i, double factor) {
    VectorXd column = VectorXd::Zero(J_q.rows());
    const Vector12 of_pair = factor * by.col(i).template head<kOfPair>();
    link.add_force(k, of_pair, column.head(n));
    for (int j = 0; j < kOfRails; ++j)
      if (column_[j] >= 0) column[column_[j]] += factor * by(kOfPair + j, i);
    return column;
  };
  for (int i = 0; i < kOfRails; ++i) {
    if (column_[i] < 0) continue;
    J_q.row(column_[i]).head(n) -= c.stiffness * rail_by_q.row(i);
    J_rate.row(column_[i]).head(n) -= c.damping * rail_by_v.row(i);
    J_q.col(column_[i]) += column_of(d.by_rails, i, -c.stiffness);
    J_rate.col(column_[i]) += column_of(d.by_rail_rates, i, -c.damping);
  }
}

}  // namespace solidyn::wheel_rail
