#include "reference_tree.h"

#include <array>
#include <cmath>
#include <fstream>

#include "random_trees.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/connect.h"

namespace solidyn::testing_support {

using bodies::BodyIndex;
using bodies::FrameIndex;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using Json = nlohmann::json;

Json reference_data(const std::string& file) {
  std::ifstream stream(std::string(SOLIDYN_SOURCE_DIR) + "/tests/data/recursive/" + file);
  return Json::parse(stream);
}

VectorXd vector_of(const Json& list) {
  VectorXd v(static_cast<int>(list.size()));
  for (int i = 0; i < v.size(); ++i) v[i] = list[i].get<double>();
  return v;
}

MatrixXd matrix_of(const Json& list) {
  if (list.empty()) return {};
  if (!list[0].is_array()) return vector_of(list).asDiagonal();
  MatrixXd m(static_cast<int>(list.size()), static_cast<int>(list[0].size()));
  for (int i = 0; i < m.rows(); ++i) m.row(i) = vector_of(list[i]).transpose();
  return m;
}

Matrix3d axes_along(const Vector3d& z) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), z).toRotationMatrix();
}

Hinge::Kind hinge_kind(const std::string& word) {
  const std::vector<std::pair<const char*, Hinge::Kind>> words = {
      {"free", Hinge::Kind::free},
      {"fixed", Hinge::Kind::fixed},
      {"revolute", Hinge::Kind::revolute},
      {"prismatic", Hinge::Kind::prismatic},
      {"spherical", Hinge::Kind::spherical},
      {"cylindrical", Hinge::Kind::cylindrical},
      {"universal", Hinge::Kind::universal},
      {"constant_velocity", Hinge::Kind::constant_velocity},
      {"planar", Hinge::Kind::planar},
      {"screw", Hinge::Kind::screw},
      {"point_on_line", Hinge::Kind::point_on_line},
      {"orientation", Hinge::Kind::orientation}};
  for (const auto& [name, kind] : words)
    if (name == word) return kind;
  throw std::invalid_argument("no hinge " + word);
}

HingeEffort::HingeEffort(const std::string& name, const bodies::FrameLink& link, const Hinge& hinge,
                         Law law)
    : Force(name, link.bodies()), link_(link), hinge_(hinge), law_(std::move(law)) {}

// W in A's axes with H^T W = Q: a force along the relative velocity of B's origin, and a torque.
bodies::Vector12 HingeEffort::wrench(const bodies::Kinematics& k, double t) const {
  const bodies::FramePair f = link_.pair(k);
  const VectorXd Q = law_(t), zero = VectorXd::Zero(7);
  VectorXd q(7);
  const Vector3d r = f.B.p - f.A.p;
  joints::HingeMotion m;
  hinge_.find_coordinates(f.A.R.transpose() * r, f.A.R.transpose() * f.B.R, q.data());
  hinge_.compute(q.data(), zero.data(), m);
  const MatrixXd H = m.H;
  const VectorXd W = H * (H.transpose() * H).ldlt().solve(Q);
  const Vector3d force = f.A.R * W.head<3>(), torque = f.A.R * W.tail<3>();
  bodies::Vector12 wrench;
  wrench << -force, -f.A.R.transpose() * (torque + r.cross(force)), force,
      f.B.R.transpose() * torque;
  return wrench;
}

void HingeEffort::add_residual(const bodies::Kinematics& k, double t,
                               Eigen::Ref<VectorXd> r) const {
  link_.add_force(k, -wrench(k, t), r);
}

double HingeEffort::power(const bodies::Kinematics& k, double t) const {
  return wrench(k, t).dot(link_.pair(k).twist());
}

BodyIndex ReferenceTree::add_body(const Json& data) {
  Body body;
  body.data = data;
  body.v.setZero(6);
  std::unique_ptr<bodies::ModalBody> made;
  const bool is_rigid = data.contains("mass");
  if (is_rigid) {
    made = bodies::make_rigid_body("body", data["mass"], vector_of(data["com"]),
                                   matrix_of(data["inertia"]));
  } else {
    const VectorXd mass = vector_of(data["masses"]);
    const Matrix3Xd x = matrix_of(data["nodes"]).transpose();
    const MatrixXd K = matrix_of(data["K"]);
    const int n = static_cast<int>(K.rows());
    std::vector<Matrix3Xd> X(n, Matrix3Xd(3, x.cols()));  // of each mode
    for (int node = 0; node < x.cols(); ++node) {
      const MatrixXd gamma = matrix_of(data["gamma"][node]);
      for (int i = 0; i < n; ++i) X[i].col(node) = gamma.col(i);
    }
    reduction::InertiaInvariants inertia;
    MatrixXd M(n, n);
    inertia.mass = mass.sum();
    inertia.first_moment = x * mass;
    inertia.N00 = x * mass.asDiagonal() * x.transpose();
    inertia.S.resize(3, n);
    for (int i = 0; i < n; ++i) {
      inertia.S.col(i) = X[i] * mass;
      inertia.N0.emplace_back(x * mass.asDiagonal() * X[i].transpose());
      for (int j = 0; j < n; ++j) {
        inertia.N.emplace_back(X[i] * mass.asDiagonal() * X[j].transpose());
        M(i, j) = inertia.N.back().trace();
      }
    }
    made = std::make_unique<bodies::ModalBody>("body", inertia, M, K, MatrixXd::Zero(n, n),
                                               VectorXd::Ones(n));
    body.v.setZero(6 + n);
    body.q_e.setZero(n);
  }
  bodies_.push_back(std::move(body));
  return system_.add_body(std::move(made), {});
}

FrameIndex ReferenceTree::add_frame(BodyIndex body, int node, const Vector3d& offset,
                                    const Matrix3d& R) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = offset;
  frame.R_BF = R;
  if (body == bodies::kGround) return system_.add_frame(std::move(frame));
  const Body& carrier = bodies_[body.value()];
  frame.x_B = vector_of(carrier.data["nodes"][node]);
  if (carrier.q_e.size() > 0) {
    frame.Psi_t = matrix_of(carrier.data["gamma"][node]);
    frame.Psi_r = matrix_of(carrier.data["lam"][node]);
  }
  if (!offset.isZero()) move_origin(frame, offset);
  return system_.add_frame(std::move(frame));
}

bodies::BodyState ReferenceTree::state_of(const Body& body) const {
  bodies::BodyState state;
  state.R_WB = body.R;
  state.p_WB = body.p;
  new (&state.q_e) Eigen::Map<const VectorXd>(body.q_e.data(), body.q_e.size());
  new (&state.v) Eigen::Map<const VectorXd>(body.v.data(), body.v.size());
  return state;
}

bodies::FrameMotion ReferenceTree::motion_of(FrameIndex frame, int body) const {
  bodies::FrameMotion motion;
  compute_frame_motion(system_.kinematics().frame_definitions[frame],
                       body < 0 ? bodies::BodyState() : state_of(bodies_[body]), motion);
  return motion;
}

// The body's pose and velocity by those of frame B, which the hinge gives.
void ReferenceTree::hang(Hinge::Kind kind, FrameIndex A, FrameIndex B, const VectorXd& q,
                         const VectorXd& u, const VectorXd& q_e, const VectorXd& dq_e,
                         HingeEffort::Law effort) {
  const auto& frames = system_.kinematics().frame_definitions;
  Body& body = bodies_[frames[B].body.value()];
  const bodies::FrameMotion a = motion_of(A, frames[A].body.value());
  joints::JointRows rows = rows_of(kind);
  const Hinge hinge = rows.hinge ? *rows.hinge : Hinge(Hinge::Kind::free);
  joints::HingeMotion m;
  hinge.compute(q.data(), u.data(), m);
  body.q_e = q_e;
  body.v.tail(dq_e.size()) = dq_e;
  const bodies::FrameMotion local = motion_of(B, frames[B].body.value());
  const Matrix3d R_B = a.R * m.R;
  const Vector3d r = a.R * m.p, w_A = a.R * a.w;
  Eigen::Matrix<double, 6, 1> relative = Eigen::Matrix<double, 6, 1>::Zero();
  if (u.size() > 0) relative = m.H * u;
  const Vector3d v_B = a.v + w_A.cross(r) + a.R * relative.head<3>();
  const Vector3d w_B = w_A + a.R * relative.tail<3>();
  body.R = R_B * local.R.transpose();
  body.p = a.p + r - body.R * local.p;
  const Vector3d w = w_B - R_B * local.w;
  body.v.head<3>() = v_B - body.R * local.v - w.cross(body.R * local.p);
  body.v.segment<3>(3) = body.R.transpose() * w;
  const bodies::FrameLink link = system_.tracked_link(A, B);
  hinges_.push_back({link, kind == Hinge::Kind::revolute ? q[0] : 0.0});
  if (kind != Hinge::Kind::free) {
    auto joint = std::make_unique<joints::Joint>("hinge " + std::to_string(frames[B].body.value()),
                                                 link, rows.primitives, rows.names, rows.hinge);
    if (frames[B].body.value() == cut_) joint->cut();
    system_.add_constraint(std::move(joint));
  }
  if (effort && hinge.n_speeds() > 0)
    system_.add_force(std::make_unique<HingeEffort>("effort", link, hinge, std::move(effort)));
}

void ReferenceTree::add_all(const Json& file) {
  if (file.contains("gravity")) system_.set_gravity(vector_of(file["gravity"]));
  const bool is_in_motion = file.contains("q");
  const VectorXd q = is_in_motion ? vector_of(file["q"]) : VectorXd(),
                 v = is_in_motion ? vector_of(file["v"]) : VectorXd(),
                 Q = is_in_motion ? vector_of(file["generalised_force"]) : VectorXd();
  int at = 0;
  for (const Json& data : file["bodies"]) {
    const BodyIndex body = add_body(data);
    const int n_e = static_cast<int>(bodies_.back().q_e.size());
    const Hinge::Kind kind = hinge_kind(data["hinge"]);
    const Hinge hinge = kind == Hinge::Kind::screw ? Hinge::screw(data["pitch"]) : Hinge(kind);
    const int n = hinge.n_speeds();
    VectorXd own_q = VectorXd::Zero(n), own_u = own_q, own_Q = own_q, q_e = VectorXd::Zero(n_e),
             dq_e = q_e;
    if (is_in_motion) {
      q_e = q.segment(at, n_e);
      dq_e = v.segment(at, n_e);
      own_q = q.segment(at + n_e, n);
      own_u = v.segment(at + n_e, n);
      own_Q = Q.segment(at + n_e, n);
    }
    at += n_e + n;
    if (kind == Hinge::Kind::cylindrical)  // there the angle comes first
      for (VectorXd* list : {&own_q, &own_u, &own_Q}) list->reverseInPlace();
    if (hinge.turns_freely()) {
      // Speeds there are rates of the rotation vector, which is zero but where loops were closed.
      const Matrix3d T = math::right_tangent(own_q.tail<3>());
      Matrix3d R = math::exp_rotation(own_q.tail<3>());
      own_u.tail<3>() = T * own_u.tail<3>();
      own_Q.tail<3>() = T.transpose().inverse() * own_Q.tail<3>();
      if (data.contains("R0")) R = matrix_of(data["R0"]) * R;
      const Eigen::Quaterniond Q0(R);
      VectorXd with_turn(n + 1);
      with_turn << own_q.head(n - 3), Q0.w(), Q0.vec();
      own_q = with_turn;
    }
    const int parent = data["parent"];
    const Vector3d offset =
        data.contains("offset") ? Vector3d(vector_of(data["offset"])) : Vector3d(Vector3d::Zero());
    const Matrix3d R = data.contains("rotvec") ? math::exp_rotation(vector_of(data["rotvec"]))
                                               : Matrix3d(Matrix3d::Identity());
    const FrameIndex A = parent < 0 ? add_frame(bodies::kGround, 0, offset, R)
                                    : add_frame(BodyIndex(parent), data["parent_node"], offset, R);
    const FrameIndex B = add_frame(body, data["node"]);
    hang(kind, A, B, own_q, own_u, q_e, dq_e,
         is_in_motion ? HingeEffort::Law([own_Q](double) { return own_Q; }) : nullptr);
  }
  for (std::size_t i = 0; file.contains("wrench_at_node_1") && i < bodies_.size(); ++i) {
    const auto constant = [](const Json& list) {
      forces::VectorFunction f;
      for (int j = 0; j < 3; ++j) f[j] = math::TimeFunction::constant(list[j]);
      return f;
    };
    system::add_load(system_, "load", add_frame(BodyIndex(i), 1),
                     constant(file["wrench_at_node_1"][i][0]),
                     constant(file["wrench_at_node_1"][i][1]));
  }
  if (!file.contains("loops")) return;
  for (const Json& loop : file["loops"]) {
    // Rows are of p_a - p_b.
    const system::FramesOfPair frames{add_frame(BodyIndex(loop["b"][0].get<int>()), loop["b"][1]),
                                      add_frame(BodyIndex(loop["a"][0].get<int>()), loop["a"][1])};
    if (loop["type"] == "spherical")
      system::add_joint(system_, "loop", joints::JointType::spherical, frames);
    else
      system::add_joint(system_, "rod", joints::distance_rows(loop["length"]), frames);
  }
}

void ReferenceTree::finish() {
  system_.finalize();
  state_ = system_.make_state();
  for (const BodyIndex i : system_.bodies()) {
    const Body& body = bodies_[i.value()];
    const Eigen::Quaterniond Q(body.R);
    const int at = system_.layout().configuration_offset(i);
    state_.q.segment<3>(at) = body.p;
    state_.q.segment<4>(at + 3) << Q.w(), Q.vec();
    state_.q.segment(at + 7, body.q_e.size()) = body.q_e;
    state_.v.segment(system_.layout().velocity_offset(i), body.v.size()) = body.v;
  }
  for (const HungOn& hinge : hinges_) state_.angles[hinge.link.angle().value()] = hinge.angle;
  system_.update(state_);
  system_.accept(state_);
}

namespace {

// A file of bodies alone, at these coordinates and speeds.
void set_start(Json& file, const VectorXd& q, const VectorXd& v) {
  file["q"] = std::vector<double>(q.data(), q.data() + q.size());
  file["v"] = std::vector<double>(v.data(), v.data() + v.size());
  file["generalised_force"] = std::vector<double>(q.size(), 0.0);
}

}  // namespace

Json flexible_arm() {
  Json file = reference_data("e06_flexible_arm.json");
  VectorXd q = VectorXd::Zero(11);
  q[5] = -0.6;
  q[10] = 1.0;
  set_start(file, q, VectorXd::Zero(11));
  return file;
}

void add_arm_torques(ReferenceTree& tree) {
  const std::array<std::function<double(double)>, 3> torques = {
      [](double t) { return 6.0 * std::sin(4.0 * t); },
      [](double t) { return -28.0 + 6.0 * std::sin(5.0 * t); },
      [](double t) { return -6.0 * std::cos(6.0 * t); }};
  for (int i = 0; i < 3; ++i)
    tree.system().add_force(std::make_unique<HingeEffort>(
        "torque", tree.hinge(i), Hinge(Hinge::Kind::revolute),
        [f = torques[i]](double t) { return VectorXd::Constant(1, f(t)); }));
}

Json folded_satellite() {
  Json file = reference_data("e07_satellite.json");
  VectorXd q = VectorXd::Zero(18), v = q;
  const std::array<int, 4> at = {8, 11, 14, 17};
  const std::array<double, 4> folded = {M_PI / 2, -M_PI, -M_PI / 2, M_PI};
  for (int i = 0; i < 4; ++i) q[at[i]] = folded[i];
  v.segment<3>(3) = Vector3d(0.02, -0.01, 0.03);
  set_start(file, q, v);
  return file;
}

void add_satellite_springs(ReferenceTree& tree) {
  const std::array<double, 4> stiffness = {2.0, 1.0, 2.4, 1.2}, damping = {1.0, 0.5, 1.0, 0.5};
  for (int i = 0; i < 4; ++i) {
    forces::SpringDamper::Options spring;
    spring.stiffness = stiffness[i];
    spring.damping = damping[i];
    system::add_spring(tree.system(), "spring", bodies::RotationAngle(), spring,
                       tree.frames_of(1 + i));
  }
}

}  // namespace solidyn::testing_support
