#include "solidyn/recursive/tree.h"

#include <algorithm>
#include <cmath>

#include "recursive/floating_form.h"
#include "solidyn/joints/joint.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

const bodies::Frame* frame_of(const system::System& system, FrameIndex frame) {
  return &system.kinematics().frame_definitions[frame];
}

}  // namespace

Tree::~Tree() = default;

Tree::Tree(system::System& system) : system_(system), forest_(find_forest(system)) {
  links_.reserve(forest_.branches.size());
  link_of_body_ = base::IndexedVector<BodyIndex, int>(system.bodies().size(), -1);
  for (const Branch& branch : forest_.branches) add_link(branch);
  H_.resize(6 * static_cast<std::size_t>(n_columns_));
  for (Modes& m : modes_) {
    m.state.R_WB.setIdentity();
    using View = Map<const VectorXd>;
    new (&m.state.q_e) View(m.q_e.data(), m.n);
    new (&m.state.v) View(m.v.data(), 6 + m.n);
    new (&m.state.a) View(m.zero.data(), 6 + m.n);
  }
}

void Tree::add_link(const Branch& branch) {
  Link k;
  k.body = branch.body;
  k.parent = branch.parent;
  k.hinge = branch.hinge;
  k.is_reversed = branch.is_reversed;
  k.q = n_q_;
  k.u = n_u_;
  k.columns = n_columns_;
  k.n_speeds = branch.hinge.n_speeds();
  set_order(k, branch);
  bodies::Body& body = system_.body(k.body);
  if (body.n_elastic() > 0 || body.as_superelement())
    add_modes(k, branch);
  else
    set_inertia(k);
  if (!branch.is_root() && !branch.is_of_force) set_frames(k, branch);
  const int n_e = k.modes >= 0 ? modes_[k.modes].n : 0;
  n_q_ += branch.hinge.n_coordinates() + n_e;
  n_u_ += k.n_speeds + n_e;
  n_columns_ += k.n_speeds;
  link_of_body_[k.body] = static_cast<int>(links_.size());
  if (k.n_free < k.n_speeds) driven_links_.push_back(static_cast<int>(links_.size()));
  if (branch.is_node())
    add_node(k, branch.node_group);
  else
    ++n_hinged_;
  links_.push_back(k);
}

void Tree::add_node(const Link& k, int group) {
  const int link = static_cast<int>(links_.size());
  if (group == static_cast<int>(node_groups_.size())) node_groups_.push_back({link, link, k.u, 0});
  NodeGroup& nodes = node_groups_.back();
  nodes.end = link + 1;
  nodes.n += k.n_speeds;
}

void Tree::set_frames(Link& k, const Branch& branch) {
  Modes* own = k.modes >= 0 ? &modes_[k.modes] : nullptr;
  const int of_parent = k.parent >= 0 ? links_[k.parent].modes : -1;
  if (branch.attachment != bodies::kNoConstraint) return set_attachment(k, branch.attachment);
  const bodies::Frame *inboard = nullptr, *outboard = nullptr;
  if (branch.interface < 0 || (own && own->floating))
    inboard = frame_of(system_, branch.inboard_frame);
  else
    inboard = &modes_[of_parent].floating->frame(branch.interface);
  if (branch.interface >= 0 && own && own->floating)
    outboard = &own->floating->frame(branch.interface);
  else
    outboard = frame_of(system_, branch.outboard_frame);
  k.x_inboard = inboard->x_B;
  k.R_inboard = inboard->R_BF;
  k.x_outboard = outboard->x_B;
  k.R_outboard = outboard->R_BF;
  if (own) own->outboard = ModalFrame(*outboard);
  if (of_parent >= 0) carry(k, ModalFrame(*inboard));
}

// A virtual body's frame is at its origin, with its axes.
void Tree::set_attachment(Link& k, ConstraintIndex attachment) {
  const bodies::NodeTriad& triad = *system_.constraint(attachment).as_attachment();
  const BodyIndex carrier = system_.constraint(attachment).bodies()[0];
  if (system_.body(carrier).n_elastic() == 0) {
    bodies::FrameMotion still;
    triad.compute_in_body({}, still);
    (k.body == carrier ? k.x_outboard : k.x_inboard) = still.p;
    (k.body == carrier ? k.R_outboard : k.R_inboard) = still.R;
    return;
  }
  const ModalFrame frame(triad);
  if (k.body == carrier)
    modes_[k.modes].outboard = frame;
  else
    carry(k, frame);
}

void Tree::carry(Link& k, const ModalFrame& inboard) {
  k.carried = static_cast<int>(carried_.size());
  carried_.push_back({inboard, {}, Matrix6X(6, modes_[links_[k.parent].modes].n)});
}

// Speeds that follow laws come last.
void Tree::set_order(Link& k, const Branch& branch) const {
  std::array<bool, 6> is_driven{};
  for (const Branch::Drive& drive : branch.drives) is_driven[drive.speed] = true;
  int last = k.n_speeds;
  for (int i = k.n_speeds - 1; i >= 0; --i)
    if (is_driven[i]) k.order[--last] = i;
  k.n_free = last;
  for (int i = 0, column = 0; i < k.n_speeds; ++i)
    if (!is_driven[i]) k.order[column++] = i;
}

void Tree::add_modes(Link& k, const Branch& branch) {
  k.modes = static_cast<int>(modes_.size());
  Modes m;
  m.body = &system_.body(k.body);
  if (const bodies::Superelement* superelement = m.body->as_superelement()) {
    floating_.push_back(
        std::make_unique<FloatingForm>(*superelement, std::max(0, branch.interface)));
    m.floating = floating_.back().get();
    m.body = &floating_.back()->body();
    m.n_followed = m.body->n_elastic() - superelement->n_elastic();
  }
  m.has_frame = !m.floating && !branch.is_of_force;
  m.n = m.body->n_elastic();
  m.q_e.setZero(m.n);
  m.v.setZero(6 + m.n);
  m.zero = m.a = m.v;
  m.E.setZero(6, m.n);
  m.M.setZero(6 + m.n, 6 + m.n);
  m.unused = m.M;
  m.h.setZero(6 + m.n);
  m.P_ff.setZero(m.n, m.n);
  m.P_rf.setZero(6, m.n);
  m.z_f.setZero(m.n);
  m.ddq.setZero(m.n);
  modes_.push_back(std::move(m));
}

// Mass, first moment and inertia of a rigid body are in the tangent of its inertia forces.
void Tree::set_inertia(Link& k) const {
  bodies::Body& body = system_.body(k.body);
  const VectorXd zero = VectorXd::Zero(6);
  bodies::BodyState at_rest;
  new (&at_rest.v) Map<const VectorXd>(zero.data(), 6);
  new (&at_rest.a) Map<const VectorXd>(zero.data(), 6);
  MatrixXd M = MatrixXd::Zero(6, 6), unused = M;
  body.add_tangent(at_rest, Vector3d::Zero(), {1.0, 0.0, 0.0}, M, unused);
  k.mass = body.mass();
  k.first_moment = math::unskew(M.bottomLeftCorner<3, 3>());
  k.J = M.bottomRightCorner<3, 3>();
}

std::string Tree::name_of_hinge(const Link& k) const {
  const Branch& branch = forest_.branches[&k - links_.data()];
  const std::string hinge = branch.is_root()     ? "free"
                            : branch.is_of_force ? "a coordinate"
                            : branch.interface >= 0
                                ? "on an interface of a superelement"
                                : system_.constraint(branch.constraint()).name();
  return "the body `" + name_of(k) + "` (" + hinge + ")";
}

void Tree::find_coordinates(const system::State& state, VectorXd& q, VectorXd& u) const {
  q.resize(n_q_);
  u.resize(n_u_);
  const bodies::Kinematics& kinematics = system_.kinematics();
  joints::HingeMotion motion;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& k = links_[i];
    const Branch& branch = forest_.branches[i];
    const bodies::BodyState& body = kinematics.bodies[k.body];
    double *coordinates = q.data() + k.q, *speeds = u.data() + k.u;
    if (branch.is_root()) {
      k.hinge.find_coordinates(body.p_WB, body.R_WB, coordinates);
      Map<Vector6d>(speeds, 6) = body.v.head<6>();
    } else if (k.n_speeds > 0) {
      const joints::Joint& joint = *system_.constraint(branch.joint).as_joint();
      const bodies::FrameMotion &A = kinematics.frames[joint.frame_A()],
                                &B = kinematics.frames[joint.frame_B()];
      const Matrix3d R = A.R.transpose();
      k.hinge.find_coordinates(R * (B.p - A.p), R * B.R, coordinates);
      k.hinge.compute(coordinates, VectorXd::Zero(7).eval().data(), motion);
      const Vector3d w = A.R * A.w;
      Vector6d twist;
      twist << R * (B.v - A.v - w.cross(B.p - A.p)), R * (B.R * B.w - w);
      Map<VectorXd>(speeds, k.n_speeds) =
          math::LuFactor(motion.H.transpose() * motion.H).solve(motion.H.transpose() * twist);
    }
    if (k.modes < 0) continue;
    const int n_e = modes_[k.modes].n;
    auto q_e = q.segment(k.q + k.hinge.n_coordinates(), n_e);
    auto u_e = u.segment(k.u + k.n_speeds, n_e);
    if (const FloatingForm* floating = modes_[k.modes].floating) {
      q_e = floating->coordinates(body.q_e);
      u_e = floating->coordinates(body.dq_e());
      continue;
    }
    q_e = state.q.segment(system_.layout().elastic_offset(k.body), n_e);
    u_e = state.v.segment(modes_in_system(k), n_e);
  }
}

int Tree::modes_in_system(const Link& k) const {
  return system_.layout().velocity_offset(k.body) + system_.body(k.body).n_rigid();
}

void Tree::follow_laws(double t, Eigen::Ref<VectorXd> q, Eigen::Ref<VectorXd> u,
                       VectorXd& du) const {
  static const bodies::FrameMotion still;
  for (const int i : driven_links_)
    for (const Branch::Drive& drive : forest_.branches[i].drives) {
      const joints::Primitive& row =
          system_.constraint(drive.constraint).as_joint()->primitives()[0];
      const joints::Primitive::Rates rates = row.rates(t);
      u[links_[i].u + drive.speed] = rates.nu / drive.rate;
      du[links_[i].u + drive.speed] = rates.gamma / drive.rate;
      if (row.level() != joints::Constraint::Level::position) continue;
      // A coordinate that is zero misses its value by that; angles by that up to whole turns.
      double& at = q[links_[i].q + drive.speed];
      const double value = -row.violation({}, {still, still, 0.0}, t) / drive.rate;
      at = links_[i].hinge.kind() == joints::Hinge::Kind::screw && is_angle(row.coordinate())
               ? at + std::remainder(value - at, 2.0 * M_PI)  // its turns are in its pose
               : value;
    }
}

void Tree::prescribe(int link) {
  Link& k = links_[link];
  if (k.n_free == k.n_speeds) driven_links_.push_back(link);
  k.n_free = 0;
}

void Tree::write(system::State& s) const {
  const system::Layout& layout = system_.layout();
  for (const Link& k : links_) {
    if (k.modes >= 0) {
      const Modes& m = modes_[k.modes];
      const int n = m.n - m.n_followed;
      s.q.segment(layout.elastic_offset(k.body), n) = m.q_e.tail(n);
      s.v.segment(modes_in_system(k), n) = m.v.tail(n);
      if (!m.has_frame) continue;
    }
    const int q = layout.configuration_offset(k.body), v = layout.velocity_offset(k.body);
    s.q.segment<3>(q) = k.p;
    const Eigen::Quaterniond Q(k.R);
    // Of the two that say the same, the one that the state had nearly.
    Eigen::Vector4d now(Q.w(), Q.x(), Q.y(), Q.z());
    if (now.dot(s.q.segment<4>(q + 3)) < 0.0) now = -now;
    s.q.segment<4>(q + 3) = now.normalized();
    s.v.segment<3>(v) = k.v;
    s.v.segment<3>(v + 3).noalias() = k.R.transpose() * k.w;
  }
}

void Tree::compute_rates(const double* q, const double* u, double* rates) const {
  for (const Link& k : links_) {
    k.hinge.compute_rates(q + k.q, u + k.u, rates + k.q);
    if (k.modes < 0) continue;
    const int n_e = modes_[k.modes].n;
    Map<VectorXd>(rates + k.q + k.hinge.n_coordinates(), n_e) =
        Map<const VectorXd>(u + k.u + k.n_speeds, n_e);
  }
}

void Tree::advance(const VectorXd& increment, VectorXd& q) const {
  if (n_q_ == n_u_) {  // no quaternions: coordinates and speeds are in the same order
    q += increment;
    return;
  }
  for (const Link& k : links_) {
    k.hinge.advance(increment.data() + k.u, q.data() + k.q);
    if (k.modes < 0) continue;
    const int n_e = modes_[k.modes].n;
    q.segment(k.q + k.hinge.n_coordinates(), n_e) += increment.segment(k.u + k.n_speeds, n_e);
  }
}

}  // namespace solidyn::recursive
