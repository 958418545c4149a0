#include "random_trees.h"

#include "random_beam.h"
#include "random_bodies.h"
#include "solidyn/bodies/internal_coordinate.h"
#include "solidyn/forces/series_spring_damper.h"
#include "solidyn/joints/joint_friction.h"
#include "solidyn/joints/rigid_flexible_joint.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::testing_support {

using bodies::BodyIndex;
using bodies::FrameIndex;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using joints::JointType;

std::vector<Hinge::Kind> hinge_kinds() {
  using K = Hinge::Kind;
  return {K::fixed,     K::revolute,      K::prismatic,         K::cylindrical,
          K::screw,     K::universal,     K::constant_velocity, K::planar,
          K::spherical, K::point_on_line, K::orientation,       K::parallel_axes};
}

joints::JointRows rows_of(Hinge::Kind kind) {
  using K = Hinge::Kind;
  switch (kind) {
    case K::fixed:
      return joints::joint_rows(JointType::fixed);
    case K::revolute:
      return joints::joint_rows(JointType::revolute);
    case K::prismatic:
      return joints::joint_rows(JointType::prismatic);
    case K::cylindrical:
      return joints::joint_rows(JointType::cylindrical);
    case K::screw:
      return joints::screw_rows(0.3);
    case K::universal:
      return joints::joint_rows(JointType::universal);
    case K::constant_velocity:
      return joints::joint_rows(JointType::constant_velocity);
    case K::planar:
      return joints::joint_rows(JointType::planar);
    case K::spherical:
      return joints::joint_rows(JointType::spherical);
    case K::point_on_line:
      return joints::joint_rows(JointType::point_on_line);
    case K::orientation:
      return joints::joint_rows(JointType::orientation);
    case K::parallel_axes:
      return joints::joint_rows(JointType::parallel_axes);
    case K::free:
      break;
  }
  return {};
}

namespace {

void add_stiffening(std::mt19937& generator, reduction::InertiaInvariants& inertia) {
  const auto n = static_cast<int>(inertia.S.cols());
  inertia.C.resize(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const Matrix3d A = Eigen::Map<const Matrix3d>(random_vector(generator, 9, 0.1).data());
      inertia.C[i * n + j] = inertia.C[j * n + i] = A + A.transpose();
    }
}

}  // namespace

VectorXd random_coordinates(std::mt19937& generator, const Hinge& hinge) {
  VectorXd q = random_vector(generator, hinge.n_coordinates());
  if (hinge.turns_freely()) q.tail<4>().normalize();
  return q;
}

RandomTree::RandomTree(unsigned seed) : generator_(seed) {
  system_.set_gravity(Vector3d(1.0, -2.0, -9.0));
}

bodies::Frame RandomTree::random_frame(BodyIndex body) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = random_vector(generator_, 3, 0.5);
  frame.R_BF = random_rotation(generator_).toRotationMatrix();
  const int n = body == bodies::kGround ? 0 : system_.body(body).n_elastic();
  if (n == 0) return frame;
  const auto modes = [&] {
    return Matrix3Xd(Eigen::Map<const Matrix3Xd>(random_vector(generator_, 3 * n).data(), 3, n));
  };
  const FrameShapes shapes = poses_[body.value()].shapes;
  frame.Psi_t = modes();
  if (shapes == FrameShapes::translations) return frame;
  frame.Psi_r = modes();
  if (shapes == FrameShapes::linear) return frame;
  frame.Y_t = random_second_order(generator_, n, 0.3);
  frame.Y_r = random_second_order(generator_, n, 0.3);
  return frame;
}

bodies::FrameMotion RandomTree::pose_of(const bodies::Frame& frame) const {
  bodies::FrameMotion motion;
  bodies::BodyState carrier;
  VectorXd v;
  if (frame.body != bodies::kGround) {
    const Pose& pose = poses_[frame.body.value()];
    carrier.R_WB = pose.R;
    carrier.p_WB = pose.p;
    v.setZero(6 + pose.q_e.size());
    new (&carrier.q_e) Eigen::Map<const VectorXd>(pose.q_e.data(), pose.q_e.size());
    new (&carrier.v) Eigen::Map<const VectorXd>(v.data(), v.size());
  }
  compute_frame_motion(frame, carrier, motion);
  return motion;
}

BodyIndex RandomTree::add_body(BodyIndex parent, Hinge::Kind kind, const Options& options) {
  const int n = options.n_modes;
  const BodyIndex index(poses_.size());
  std::unique_ptr<bodies::ModalBody> body;
  if (n > 0) {
    const MassCloud cloud(8 + n, n, generator_());
    reduction::InertiaInvariants inertia = cloud.invariants();
    if (options.stiffens) add_stiffening(generator_, inertia);
    body = std::make_unique<bodies::ModalBody>("body", inertia, cloud.mass_matrix(),
                                               50.0 * cloud.stiffness(generator_()),
                                               cloud.stiffness(generator_()), VectorXd::Ones(n));
  } else if (options.is_massless) {
    body = bodies::make_virtual_body("massless");
  } else {
    const Vector3d moments = random_vector(generator_, 3).array().abs() + 1.0;
    const Matrix3d R = random_rotation(generator_).toRotationMatrix();
    body = bodies::make_rigid_body("body", 1.5, random_vector(generator_, 3, 0.3),
                                   R * (0.2 * moments).asDiagonal() * R.transpose());
  }
  Pose pose;
  pose.shapes = options.shapes;
  pose.q_e = random_vector(generator_, n, 0.2);
  poses_.push_back(pose);
  bodies::InitialMotion motion;
  motion.q_e = pose.q_e;
  if (kind == Hinge::Kind::free) {
    poses_.back().R = random_rotation(generator_).toRotationMatrix();
    poses_.back().p = random_vector(generator_, 3);
  } else {
    const bodies::FrameMotion inboard = pose_of(
        system_.kinematics().frame_definitions[frame_A_ = system_.add_frame(random_frame(parent))]);
    joints::JointRows rows = rows_of(kind);
    joints::HingeMotion relative;
    const VectorXd q = random_coordinates(generator_, *rows.hinge), zero = VectorXd::Zero(7);
    rows.hinge->compute(q.data(), zero.data(), relative);
    Matrix3d R = inboard.R * relative.R;
    Vector3d p = inboard.p + inboard.R * relative.p;
    if (options.is_reversed) {
      R = inboard.R * relative.R.transpose();
      p = inboard.p - R * relative.p;
    }
    // The body's own pose, by its outboard frame in its axes.
    poses_.back().R.setIdentity();
    poses_.back().p.setZero();
    const BodyIndex added = system_.add_body(std::move(body), motion);
    const bodies::Frame outboard = random_frame(added);
    const bodies::FrameMotion local = pose_of(outboard);
    poses_.back().R = R * local.R.transpose();
    poses_.back().p = p - poses_.back().R * local.p;
    frame_B_ = system_.add_frame(outboard);
    if (options.is_reversed) std::swap(frame_A_, frame_B_);
    const bodies::FrameLink link = system_.tracked_link(frame_A_, frame_B_);
    system_.add_constraint(std::make_unique<joints::Joint>(
        "joint " + std::to_string(index.value()), link, rows.primitives, rows.names, rows.hinge));
    return added;
  }
  return system_.add_body(std::move(body), motion);
}

FrameIndex RandomTree::add_frame(BodyIndex body) { return system_.add_frame(random_frame(body)); }

FrameIndex RandomTree::add_frame_at(BodyIndex body, FrameIndex other) {
  const bodies::FrameMotion there = pose_of(system_.kinematics().frame_definitions[other]);
  bodies::Frame frame = random_frame(body);
  // Anywhere first; its origin and axes follow from the pose that it shall have.
  frame.x_B.setZero();
  frame.R_BF.setIdentity();
  const bodies::FrameMotion here = pose_of(frame);
  const Matrix3d R =
      body == bodies::kGround ? Matrix3d(Matrix3d::Identity()) : poses_[body.value()].R;
  frame.x_B = R.transpose() * (there.p - here.p);
  frame.R_BF = here.R.transpose() * there.R;
  return system_.add_frame(frame);
}

std::vector<BodyIndex> RandomTree::add_beam() {
  RandomBeam beam(generator_());
  for (const system::InitialMotion& pose : beam.poses)
    poses_.push_back({pose.q_WB.toRotationMatrix() *
                          math::exp_rotation(Vector3d(random_vector(generator_, 3, 0.05))),
                      pose.p_WB + random_vector(generator_, 3, 0.01), VectorXd(0)});
  std::vector<BodyIndex> nodes = beam.add_to(system_, bodies::ElementStrains::eliminated);
  poses_.push_back({Matrix3d::Identity(), Vector3d::Zero(), VectorXd(0)});  // of the beam itself
  return nodes;
}

BodyIndex RandomTree::add_virtual_body(BodyIndex flexible) {
  using joints::RigidFlexibleJoint;
  const Pose carrier = poses_[flexible.value()];
  const int n = static_cast<int>(carrier.q_e.size());
  const Matrix3d x = Eigen::Map<const Matrix3d>(random_vector(generator_, 9).data());
  std::array<Matrix3Xd, 3> Psi;
  Matrix3d b = x;
  for (int i = 0; i < 3; ++i) {
    Psi[i] = Eigen::Map<const Matrix3Xd>(random_vector(generator_, 3 * n, 0.3).data(), 3, n);
    b.col(i) += Psi[i] * carrier.q_e;
  }
  poses_.push_back(
      {carrier.R * RigidFlexibleJoint::triad(b), carrier.p + carrier.R * b.col(0), VectorXd(0)});
  const BodyIndex index = system_.add_body(bodies::make_virtual_body("virtual"), {});
  system_.add_constraint(std::make_unique<RigidFlexibleJoint>("attachment", flexible, index, n, x,
                                                              Psi, RigidFlexibleJoint::triad(x)));
  return index;
}

namespace {
constexpr double kSeriesStiffness = 300.0, kSeriesDamping = 20.0;
}

void RandomTree::add_series_damper(BodyIndex first, BodyIndex second) {
  const FrameIndex A = add_frame(first), B = add_frame(second);
  const forces::SeriesSpringDamper::Options options{
      kSeriesStiffness, kSeriesDamping, position(A, B).norm() - 0.1, {}};
  const BodyIndex own =
      system_.add_body(std::make_unique<bodies::InternalCoordinate>(
                           "damper", forces::SeriesSpringDamper::inertia(options)),
                       {});
  poses_.push_back({Matrix3d::Identity(), Vector3d::Zero(), random_vector(generator_, 1, 0.2),
                    FrameShapes::second_order});
  series_dampers_.push_back(system_.add_force(std::make_unique<forces::SeriesSpringDamper>(
      "series damper", system_.link(A, B), bodies::Distance(), own, options)));
}

void RandomTree::settle_series_dampers() {
  for (const forces::ForceIndex f : series_dampers_) {
    const forces::Force& force = system_.force(f);
    double values[6];
    force.read(system_.kinematics(), 0.0, values);
    state_.v[system_.layout().velocity_offset(force.as_internal_state()->coordinate())] =
        values[3] / kSeriesDamping;
  }
  system_.update(state_);
}

Vector3d RandomTree::position(FrameIndex A, FrameIndex B) const {
  const auto& frames = system_.kinematics().frame_definitions;
  const bodies::FrameMotion a = pose_of(frames[A]), b = pose_of(frames[B]);
  return a.R.transpose() * (b.p - a.p);
}

double RandomTree::angle(FrameIndex A, FrameIndex B) const {
  const auto& frames = system_.kinematics().frame_definitions;
  const Matrix3d R = pose_of(frames[A]).R.transpose() * pose_of(frames[B]).R;
  return std::atan2(R(1, 0), R(0, 0));
}

void RandomTree::set_in_motion() {
  system_.finalize();
  state_ = system_.make_state();
  for (const BodyIndex i : system_.bodies()) {
    const Pose& pose = poses_[i.value()];
    state_.q.segment(system_.layout().elastic_offset(i), pose.q_e.size()) = pose.q_e;
    if (system_.body(i).n_rigid() == 0) continue;  // of a series damper
    const Eigen::Quaterniond Q(pose.R);
    const int at = system_.layout().configuration_offset(i);
    state_.q.segment<3>(at) = pose.p;
    state_.q.segment<4>(at + 3) << Q.w(), Q.vec();
  }
  state_.v = random_vector(generator_, system_.layout().n_velocities());
  system_.update(state_);
  system_.accept(state_);
  system::make_velocities_consistent(system_, state_, 1e-13);
  system_.update(state_);
}

system::State RandomTree::absolute_accelerations(bool has_dependent_rows) {
  system::State state = state_.clone();
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system_.layout().n_unknowns());
  system_.set_pattern(*solver);
  system::AccelerationOptions options;
  if (has_dependent_rows) options.regularization = system::redundancy_regularization(system_);
  state.a.setZero();
  state.lambda.setZero();
  system::solve_acceleration_equations(system_, state, options, *solver);
  return state;
}

int add_friction(system::System& system, double coefficient) {
  using K = Hinge::Kind;
  using Turning = joints::JointFriction::Turning;
  const auto along = [](const Vector3d& axis) { return bodies::PointAlongFrameAxis(axis); };
  int n = 0;
  for (const bodies::ConstraintIndex c : system.constraints()) {
    const joints::Joint* joint = system.constraint(c).as_joint();
    if (!joint || !joint->hinge()) continue;
    joints::JointFriction::Options o;
    o.law.static_coefficient = o.law.dynamic_coefficient = coefficient;
    o.law.transition_speed = 0.5;
    o.radius = 0.1;
    o.moment_arm = 0.8;
    o.rounding = 1.0;
    std::vector<Turning> turning;
    const K kind = joint->hinge()->kind();
    if (kind == K::revolute || kind == K::cylindrical || kind == K::screw || kind == K::planar)
      turning = {Turning::about_z};
    if (kind == K::spherical) turning = {Turning::any};
    if (kind == K::universal) turning = {Turning::about_first_arm, Turning::about_second_arm};
    if (kind == K::prismatic) turning = {Turning::none};
    if (kind == K::prismatic || kind == K::cylindrical || kind == K::screw)
      o.slides = {along(Vector3d::UnitZ())};
    if (kind == K::planar) o.slides = {along(Vector3d::UnitX()), along(Vector3d::UnitY())};
    if (kind == K::planar || kind == K::screw) o.thrust = 1.1;
    for (const Turning turns : turning) {
      o.turns = turns;
      system.add_force(
          std::make_unique<joints::JointFriction>(joint->name() + " friction", *joint, c, o));
      ++n;
    }
  }
  return n;
}

void grow(RandomTree& tree, bool has_modes) {
  std::mt19937& g = tree.generator();
  const auto kinds = hinge_kinds();
  const int n = 4 + static_cast<int>(g() % 9);
  for (int i = 0; i < n; ++i) {
    RandomTree::Options options;
    options.n_modes = has_modes && g() % 3 == 0 ? 1 + static_cast<int>(g() % 3) : 0;
    options.is_reversed = g() % 2 == 0;
    const auto kind = i == 0 && g() % 2 == 0 ? Hinge::Kind::free : kinds[g() % kinds.size()];
    // Mostly on the last bodies, sometimes on the ground: long branches, and several trees.
    const int back = 1 + static_cast<int>(g() % 3);
    tree.add_body(i - back < 0 && kind != Hinge::Kind::free ? bodies::kGround
                                                            : BodyIndex(std::max(0, i - back)),
                  kind, options);
  }
}

void grow_with_virtual_bodies(RandomTree& tree, unsigned seed) {
  using K = Hinge::Kind;
  const K kinds[] = {K::spherical, K::universal, K::cylindrical, K::revolute};
  const BodyIndex first =
      tree.add_body(bodies::kGround, kinds[seed % 4], {2, seed % 3 == 0, false});
  const BodyIndex rigid =
      tree.add_body(tree.add_virtual_body(first), kinds[(seed + 1) % 4], {0, seed % 5 == 0, false});
  const BodyIndex hung = tree.add_body(bodies::kGround, K::free, {3, false, false}),
                  by = tree.add_virtual_body(hung);
  const bodies::FrameIndex A = tree.add_frame(rigid), B = tree.add_frame_at(by, A);
  system::add_joint(tree.system(), "hung", JointType::spherical, {A, B});
  tree.add_virtual_body(hung);
  const BodyIndex last =
      tree.add_body(tree.add_virtual_body(hung), kinds[(seed + 2) % 4], {2, false, false});
  if (seed % 2 == 0) return;
  const bodies::FrameIndex C = tree.add_frame(bodies::kGround), D = tree.add_frame(last);
  system::add_joint(tree.system(), "rod", joints::distance_rows(tree.position(C, D).norm()),
                    {C, D});
}

void grow_with_loops(RandomTree& tree, unsigned seed) {
  using K = Hinge::Kind;
  const K kinds[] = {K::spherical, K::universal, K::spherical, K::cylindrical};
  BodyIndex last = bodies::kGround;
  for (unsigned i = 0; i < 9; ++i) {
    const int n_modes = seed % 3 > 0 && (i + seed) % 3 == 0 ? 2 : 0;
    last = tree.add_body(last, kinds[(i + seed) % 4], {n_modes, (i + seed) % 5 == 0, false});
  }
  const BodyIndex branch = tree.add_body(BodyIndex(3), K::revolute, {2, false, false});
  const auto add_rod = [&tree](BodyIndex first, BodyIndex second) {
    const bodies::FrameIndex A = tree.add_frame(first), B = tree.add_frame(second);
    system::add_joint(tree.system(), "rod", joints::distance_rows(tree.position(A, B).norm()),
                      {A, B});
  };
  const std::pair<int, int> spans[] = {{0, 2}, {1, 3}, {3, 7}, {4, 6}, {2, 8}, {5, 7}};
  for (const auto& [first, second] : spans) add_rod(BodyIndex(first), BodyIndex(second));
  const bodies::FrameIndex A = tree.add_frame(last), B = tree.add_frame_at(branch, A);
  system::add_joint(tree.system(), "ball", joints::JointType::spherical, {A, B});
  if (seed % 2 == 0) add_rod(bodies::kGround, last);
}

}  // namespace solidyn::testing_support
