#pragma once
#include <map>

#include "solidyn/model/build.h"

namespace solidyn::model {

/// Knows where on the system's bodies the places of a model file are.
class PlaceFinder {
 public:
  explicit PlaceFinder(system::System& system) : system_(system) {}

  /// Declares a place: its undeformed frame on its carrier, and the carrier's pose at t = 0.
  void add_carrier(bodies::BodyIndex body, const system::InitialMotion& motion);
  void add_place(const std::string& body, const std::string& name, const bodies::Frame& frame);

  /// A frame of the place's carrier that at t = 0 stands at p_W with axes R_W and moves with the
  /// place.
  /// @throws base::InputError when the place is a flexible body without an interface
  bodies::Frame frame(const PlaceDescription& place, const std::string& name,
                      const Eigen::Vector3d& p_W, const Eigen::Matrix3d& R_W) const;
  /// The frame of the place itself, for sensors.
  bodies::Frame own_frame(const PlaceDescription& place) const;
  Eigen::Vector3d position(const PlaceDescription& place) const;     ///< in W at t = 0
  Eigen::Matrix3d orientation(const PlaceDescription& place) const;  ///< R_WF at t = 0
  Eigen::Quaterniond attitude(bodies::BodyIndex body) const {
    return motions_.at(body).q_WB;
  }  ///< at t = 0
  bodies::BodyIndex carrier_of_frame(bodies::FrameIndex frame) const;
  /// Whether two points in W are one, as far as that can be said of places in a mesh: closer than
  /// 1e-5 of the distance that the places lie apart.
  bool is_same_point(const Eigen::Vector3d& p, const Eigen::Vector3d& q) const;
  /// A frame of a body with axes of its own (-1: the ground) that at t = 0 stands at p_W, R_W.
  bodies::Frame frame_on(bodies::BodyIndex body, const std::string& name,
                         const Eigen::Vector3d& p_W, const Eigen::Matrix3d& R_W) const;

 private:
  system::System& system_;
  std::map<bodies::BodyIndex, system::InitialMotion> motions_;
  double extent() const;

  std::map<std::string, bodies::Frame> places_;  // "body" or "body.name"
  mutable double extent_ = -1.0;                 // negative: not known
};

/// Pose and velocity of a body at t = 0, and those of axes fixed at x_B, R_BF in a body.
system::InitialMotion initial_motion(const BodyEntry& body);
system::InitialMotion carried_along(const system::InitialMotion& motion, const Eigen::Vector3d& x_B,
                                    const Eigen::Matrix3d& R_BF);

/// What building bodies needs beside their entries.
struct BodyBuilder {
  MPI_Comm comm;
  const ModelDescription& model;
  const BuildOptions& options;
  BuiltModel& built;
  PlaceFinder& places;
};

}  // namespace solidyn::model
