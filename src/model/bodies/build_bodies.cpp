#include "model/bodies/build_bodies.h"

#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::string key_of(const PlaceDescription& place) {
  return place.name.empty() ? place.body : place.body + "." + place.name;
}

}  // namespace

system::InitialMotion initial_motion(const BodyEntry& d) {
  system::InitialMotion m;
  m.p_WB = d.pose.position;
  m.q_WB = d.pose.rotation.normalized();
  m.v_WB = d.velocity.linear;
  m.w_WB_B = m.q_WB.conjugate() * d.velocity.angular;
  return m;
}

system::InitialMotion carried_along(const system::InitialMotion& motion, const Vector3d& x_B,
                                    const Matrix3d& R_BF) {
  system::InitialMotion m;
  m.p_WB = motion.p_WB + motion.q_WB * x_B;
  m.q_WB = motion.q_WB * Eigen::Quaterniond(R_BF);
  m.v_WB = motion.v_WB + motion.q_WB * motion.w_WB_B.cross(x_B);
  m.w_WB_B = R_BF.transpose() * motion.w_WB_B;
  return m;
}

void PlaceFinder::add_carrier(bodies::BodyIndex body, const system::InitialMotion& motion) {
  motions_[body] = motion;
}

void PlaceFinder::add_place(const std::string& body, const std::string& name,
                            const bodies::Frame& frame) {
  places_[name.empty() ? body : body + "." + name] = frame;
  extent_ = -1.0;
}

// The longest side of the box around all places.
double PlaceFinder::extent() const {
  if (extent_ >= 0.0) return extent_;
  Eigen::AlignedBox3d box;
  for (const auto& [name, frame] : places_) {
    const auto carrier = motions_.find(frame.body);
    if (carrier == motions_.end()) continue;
    const system::InitialMotion& m = carrier->second;
    box.extend(Vector3d(m.p_WB + m.q_WB * frame.x_B));
  }
  extent_ = box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
  return extent_;
}

bool PlaceFinder::is_same_point(const Vector3d& p, const Vector3d& q) const {
  constexpr double kSame = 1e-5;
  return (p - q).norm() <= kSame * extent();
}

bodies::Frame PlaceFinder::own_frame(const PlaceDescription& place) const {
  if (place.kind == PlaceDescription::Kind::ground) return {};
  const auto found = places_.find(key_of(place));
  if (found == places_.end()) {
    throw base::InputError(
        fmt::format(
            "{} is not a place for a joint or a sensor: a body with a mesh is connected at its interfaces and points",
            key_of(place)),
        fmt::format("use one of them, for example {}.<interface>", place.body), place.where);
  }
  bodies::Frame frame = found->second;
  frame.name = key_of(place);
  return frame;
}

Vector3d PlaceFinder::position(const PlaceDescription& place) const {
  const bodies::Frame frame = own_frame(place);
  if (frame.body == bodies::kGround) return frame.x_B;
  const system::InitialMotion& m = motions_.at(frame.body);
  return m.p_WB + m.q_WB * frame.x_B;
}

Matrix3d PlaceFinder::orientation(const PlaceDescription& place) const {
  const bodies::Frame frame = own_frame(place);
  if (frame.body == bodies::kGround) return frame.R_BF;
  return motions_.at(frame.body).q_WB * frame.R_BF;
}

bodies::Frame PlaceFinder::frame(const PlaceDescription& place, const std::string& name,
                                 const Vector3d& p_W, const Matrix3d& R_W) const {
  bodies::Frame frame = own_frame(place);
  frame.name = name;
  if (frame.body == bodies::kGround) {
    frame.x_B = p_W;
    frame.R_BF = R_W;
    return frame;
  }
  const system::InitialMotion& m = motions_.at(frame.body);
  const Matrix3d R_BW = m.q_WB.toRotationMatrix().transpose();
  bodies::move_origin(frame, R_BW * (p_W - m.p_WB) - frame.x_B);
  frame.R_BF = R_BW * R_W;
  return frame;
}

bodies::Frame PlaceFinder::frame_on(bodies::BodyIndex body, const std::string& name,
                                    const Vector3d& p_W, const Matrix3d& R_W) const {
  bodies::Frame frame;
  frame.name = name;
  frame.body = body;
  frame.x_B = p_W;
  frame.R_BF = R_W;
  if (body == bodies::kGround) return frame;
  const system::InitialMotion& m = motions_.at(body);
  frame.x_B = m.q_WB.conjugate() * (p_W - m.p_WB);
  frame.R_BF = m.q_WB.conjugate().toRotationMatrix() * R_W;
  return frame;
}

bodies::BodyIndex PlaceFinder::carrier_of_frame(bodies::FrameIndex frame) const {
  return system_.kinematics().frame_definitions[frame].body;
}

}  // namespace solidyn::model
