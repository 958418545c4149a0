#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <vector>

#include "solidyn/mesh/interface.h"

namespace solidyn::fem {

/// A mass at a node of the mesh: part of that node's diagonal term, so that M = m (x) I3 stays.
struct NodeMass {
  std::string name;       ///< in messages: "CONM2 17"
  double mass = 0.0;      ///< kg, > 0
  std::int64_t node = 0;  ///< number in the file
};

/// A rigid mass that a frame of the body carries along, where the frame is that of an interface:
/// the best rigid motion of a region (rbe3), a rigid region (rbe2), or a node with the elements
/// around it (node). With the frame's rows W on the nodal displacements, M grows by W^T M6 W. That
/// needs rows that the mesh's elements do not have: it is the part of whoever has the frames
/// (doc/theory/attached_masses.md).
struct FrameMass {
  std::string name;
  double mass = 0.0;                                  ///< kg, >= 0
  Eigen::Vector3d x = Eigen::Vector3d::Zero();        ///< its centre, mesh axes, m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< J about its centre, kg m^2; any J >= 0
  /// The frame. An interface of the body with this name is meant; else it is one of its own.
  mesh::InterfaceDefinition carrier;
};

/// What a body carries beside the mass of its elements.
struct AttachedMasses {
  std::vector<NodeMass> at_nodes;
  std::vector<FrameMass> on_frames;

  std::size_t size() const { return at_nodes.size() + on_frames.size(); }
};

}  // namespace solidyn::fem
