#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "model/bodies/beams/beam_of_mesh.h"
#include "solidyn/bodies/beam_body.h"
#include "solidyn/imported/solid_model.h"

namespace solidyn::model {

/// Beams along the lines of a mesh file, as they come into a system; in SI and body axes. Lines
/// that share a node are joined rigidly there.
struct BeamNetwork {
  std::vector<Eigen::Vector3d> nodes;
  std::vector<std::string> names;  ///< of the nodes: "node 41"
  std::vector<bodies::BeamElementData> elements;
  std::vector<int> groups;  ///< of the elements: in BeamOfMesh::groups; -1: in none
  /// Nodes that are held rigidly to others: the ends of lines beside their node, rigid elements.
  struct Tie {
    std::string name;
    int node = 0, to = 0;
  };
  std::vector<Tie> ties;
  /// Joints, forces and sensors find it `arm` away from its node.
  struct Place {
    std::string name;
    int node = 0;
    Eigen::Vector3d arm = Eigen::Vector3d::Zero();
  };
  std::vector<Place> places;
  /// Point masses on a node, together.
  struct Mass {
    int node = 0;
    double mass = 0.0;                                  ///< kg
    Eigen::Vector3d arm = Eigen::Vector3d::Zero();      ///< from the node to its centre, m
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about its centre, kg m^2
  };
  std::vector<Mass> masses;
  /// Where a sensor of a section is.
  struct Section {
    std::string sensor;
    int element = 0;
    double fraction = 0.0;  ///< of the element
  };
  std::vector<Section> sections;
  std::vector<base::Diagnostic> warnings;  ///< on rank 0
  std::string summary;                     ///< for the log
};

/// Local. @param file in SI  @throws base::InputError with all that is wrong
BeamNetwork make_beam_network(const imported::SolidModel& file, const ModelDescription& model,
                              const BeamOfMesh& body);

/// Collective. Rank 0 reads the body's mesh file; all ranks have the network, but for its warnings.
BeamNetwork read_beam_network(MPI_Comm comm, const ModelDescription& model, const BeamOfMesh& body);

}  // namespace solidyn::model
