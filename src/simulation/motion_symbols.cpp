#include "simulation/motion_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "solidyn/contact/contact_force.h"
#include "solidyn/joints/joint.h"

namespace solidyn::simulation {
namespace {

using Eigen::Vector3d;
using results::MotionSymbol;

// Of a support; more of its nodes would hide each other.
constexpr std::size_t kMostSupportPoints = 24;

void append_vector(const Vector3d& v, std::vector<double>& row) {
  row.insert(row.end(), v.data(), v.data() + 3);
}

// Forces of joints are named "joint.spring" and so on.
std::string kind_of(const model::DrawnModel& drawn, const std::string& force) {
  const auto known = drawn.force_kinds.find(force);
  if (known != drawn.force_kinds.end()) return known->second;
  const std::string end = ".spring";
  const bool is_spring =
      force.size() > end.size() && force.compare(force.size() - end.size(), end.size(), end) == 0;
  return is_spring ? "spring" : "force";
}

// The frame that a load on a place made for itself (model/loads/force.cpp).
std::optional<bodies::FrameIndex> frame_of_load(const bodies::Kinematics& kinematics,
                                                const std::string& load) {
  for (const bodies::FrameIndex i : kinematics.frame_definitions.indices())
    if (kinematics.frame_definitions[i].name == "load " + load) return i;
  return {};
}

// What a force that acts on one frame alone exerts there, force and torque in W: of its generalised
// force Q = J^T f.
Eigen::Matrix<double, 6, 1> wrench_on(const forces::Force& force, bodies::FrameIndex frame,
                                      const bodies::Kinematics& kinematics, double t) {
  const bodies::FrameMotion& motion = kinematics.frames[frame];
  Eigen::VectorXd r = Eigen::VectorXd::Zero(motion.J.cols());
  force.add_residual(kinematics, t, r);
  Eigen::Matrix<double, 6, 1> f =
      Eigen::MatrixXd(motion.J.transpose()).completeOrthogonalDecomposition().solve(-r);
  f.tail<3>() = (motion.R * f.tail<3>()).eval();
  return f;
}

const joints::Joint* find_joint(const model::BuiltModel& built, const std::string& name) {
  const auto found = built.joints.find(name);
  return found == built.joints.end() ? nullptr : built.system.constraint(found->second).as_joint();
}

}  // namespace

MotionSymbols::MotionSymbols(const model::BuiltModel& built, const model::DrawnModel& drawn,
                             results::MotionScene& scene, AddFrame add_frame, Vectors vectors)
    : built_(built),
      scene_(scene),
      add_frame_(std::move(add_frame)),
      has_vectors_(vectors == Vectors::all) {
  add_forces(drawn);
  add_supports();
  if (!has_vectors_) return;
  add_contacts();
  add_loads();
  add_reactions();
}

void MotionSymbols::add(MotionSymbol symbol, Numbers numbers) {
  if (symbol.has_vector && numbers) numbers_.push_back(std::move(numbers));
  scene_.symbols.push_back(std::move(symbol));
}

void MotionSymbols::append(const system::State& state, std::vector<double>& row) const {
  for (const Numbers& numbers : numbers_) numbers(state, row);
}

// Forces between two frames by what they exert on the second one.
void MotionSymbols::add_forces(const model::DrawnModel& drawn) {
  const bodies::Kinematics& kinematics = built_.system.kinematics();
  for (const auto& [name, indices] : built_.forces)
    for (const forces::ForceIndex index : indices) {
      const forces::Force& force = built_.system.force(index);
      const auto pair = force.pair_wrench(kinematics, 0.0);
      if (!pair || pair->link.is_within_one_body()) continue;
      MotionSymbol symbol{name, kind_of(drawn, name), {}, has_vectors_};
      symbol.frames = {add_frame_(name, pair->link.frame_A()),
                       add_frame_(name, pair->link.frame_B())};
      add(std::move(symbol), [this, &force](const system::State& state, std::vector<double>& row) {
        const auto now = force.pair_wrench(built_.system.kinematics(), state.t);
        append_vector(now ? Vector3d(now->wrench.segment<3>(6)) : Vector3d::Zero(), row);
      });
    }
}

// Of pairs; those of a group come and go.
void MotionSymbols::add_contacts() {
  for (const auto& [name, contacts] : built_.contacts)
    for (const contact::PairContact* contact : contacts)
      add({name, "contact", {}, true, "N", true},
          [this, contact](const system::State&, std::vector<double>& row) {
            const contact::ContactState now =
                contact->state(contact->link().pair(built_.system.kinematics()));
            append_vector(now.point, row);
            append_vector(now.force, row);
          });
}

void MotionSymbols::add_loads() {
  for (const auto& [name, index] : built_.loads) {
    const auto at = frame_of_load(built_.system.kinematics(), name);
    if (!at) continue;
    const int drawn = add_frame_(name, *at);
    const forces::Force& load = built_.system.force(index);
    // Force and torque come from one solution, and stand behind each other.
    add({name, "load", {drawn}, true, "N"},
        [this, &load, at = *at](const system::State& state, std::vector<double>& row) {
          const auto wrench = wrench_on(load, at, built_.system.kinematics(), state.t);
          append_vector(wrench.head<3>(), row);
          append_vector(wrench.tail<3>(), row);
        });
    add({name, "load", {drawn}, true, "N m"}, nullptr);
  }
}

void MotionSymbols::add_supports() {
  for (const auto& [name, constraints] : built_.supports) {
    MotionSymbol symbol{name, "support", {}, false};
    const std::size_t stride = (constraints.size() - 1) / kMostSupportPoints + 1;
    for (std::size_t i = 0; i < constraints.size(); i += stride)
      if (const joints::Joint* joint = built_.system.constraint(constraints[i]).as_joint())
        symbol.frames.push_back(add_frame_(name, joint->frame_B()));
    if (!symbol.frames.empty()) add(std::move(symbol), nullptr);
  }
}

// What a joint exerts on its second frame.
void MotionSymbols::add_reactions() {
  for (const results::MotionJoint& drawn : scene_.joints) {
    const joints::Joint* joint = find_joint(built_, drawn.name);
    if (!joint) continue;
    const bodies::ConstraintIndex index = built_.joints.at(drawn.name);
    add({drawn.name, "reaction", {drawn.frames[1]}, true},
        [this, joint, index](const system::State& state, std::vector<double>& row) {
          const system::System& system = built_.system;
          const bodies::Vector12 both = joint->reaction(
              system.kinematics(),
              state.lambda.segment(system.layout().constraint_offset(index), joint->n_rows()));
          append_vector(both.segment<3>(6), row);
        });
  }
}

std::string words_for_freedom(const model::BuiltModel& built, const std::string& name) {
  using Kind = joints::Hinge::Kind;
  const auto type = built.joint_types.find(name);
  if (type != built.joint_types.end() && type->second == "fixed") return "nothing";
  const joints::Joint* joint = find_joint(built, name);
  if (!joint || joint->is_rheonomic()) return {};
  if (!joint->hinge()) return fmt::format("{} of 6 freedoms", 6 - joint->n_rows());
  switch (joint->hinge()->kind()) {
    case Kind::fixed:
      return "nothing";
    case Kind::revolute:
      return "rotation about z";
    case Kind::prismatic:
      return "translation along z";
    case Kind::cylindrical:
      return "rotation about z and translation along z";
    case Kind::screw:
      return "rotation about z with translation along z";
    case Kind::universal:
      return "rotations about both arms of the cross";
    case Kind::constant_velocity:
      return "both angles between the shafts";
    case Kind::planar:
      return "translations along x and y, rotation about z";
    case Kind::spherical:
      return "all rotations";
    case Kind::point_on_line:
      return "translation along z, all rotations";
    case Kind::orientation:
      return "all translations";
    case Kind::parallel_axes:
      return "all translations, rotation about z";
    case Kind::free:
      return "everything";
  }
  return {};
}

}  // namespace solidyn::simulation
