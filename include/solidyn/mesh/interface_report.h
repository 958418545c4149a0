#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace solidyn::mesh {

struct Interface;
struct InterfaceDefinition;

/// Which nodes an interface took, for people.
struct InterfaceReport {
  std::string name;
  std::string attach;  ///< as the model file has it
  std::int64_t n_nodes = 0;
  std::vector<std::int64_t> tags;  ///< numbers in the mesh file, of the first kShownTags nodes
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of the undeformed frame, m
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< mean of the nodes, m
  /// Standard deviations of the nodes along their principal directions, largest first, m.
  Eigen::Vector3d spread = Eigen::Vector3d::Zero();
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();  ///< box of nodes
  /// Distance of the nearest node from the given point, m; negative without a point.
  double off_point = -1.0;

  static constexpr int kShownTags = 8;
};

/// @param tags  of interface.nodes, numbers in the mesh file
InterfaceReport make_interface_report(const InterfaceDefinition& definition,
                                      const Interface& interface,
                                      const std::vector<std::int64_t>& tags);

/// One line: `interface pin: rbe3 of 24 nodes in 6 x 6 x 0 mm, frame at (...) m`.
std::string describe(const InterfaceReport& report);

/// What looks wrong, one sentence each with a remedy; empty where nothing does:
///   nodes almost on one line (their rotation about it is that of noise);
///   all nodes on one side of a frame that lies beside them, farther than they reach;
///   the nearest node is farther from the given point than the size of the region.
std::vector<std::string> find_doubts(const InterfaceReport& report);

/// Logs a line for each interface of a body, and the doubts as warnings. Of many interfaces only
/// the first ones, and of the others how many there are; all of them at the level `debug`.
void log_interfaces(const std::string& body, const std::vector<InterfaceReport>& reports);

}  // namespace solidyn::mesh
