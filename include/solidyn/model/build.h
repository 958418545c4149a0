#pragma once
#include <mpi.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/analyses/section_sensor.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/bodies/nodal_stress.h"
#include "solidyn/model/description.h"
#include "solidyn/reduction/reduced_body.h"
#include "solidyn/system/system.h"

namespace solidyn::bodies {
class NodalBody;
}

namespace solidyn::model {

/// How the stress of a flexible body is found.
struct BuiltStress {
  struct Place {
    bodies::NodalStress stress;
    MPI_Comm comm = MPI_COMM_SELF;  ///< the ranks that share its nodes
  };
  std::map<std::string, Place> places;
  bodies::NodalStress in_pictures;  ///< empty when pictures show none
  std::vector<std::int32_t> nodes;  ///< those that pictures show, of the mesh's owned nodes
};

/// A body of the model file as it stands in the system. Virtual bodies are not listed.
struct BuiltBody {
  std::string name;
  BodyType type = BodyType::rigid;
  int index = -1;                                         ///< in the system
  std::shared_ptr<const reduction::ReducedBody> reduced;  ///< modal bodies
  const bodies::NodalBody* nodal = nullptr;               ///< full-mesh bodies; owned by the system
  BuiltStress stress;
  /// Of full-mesh bodies: the rigid bodies in the system that stand for masses on their frames.
  std::vector<int> carried_masses = {};
  std::vector<int> nodes = {};  ///< beams: their bodies in the system, along the line
  std::vector<std::array<int, 2>> lines = {};  ///< beams: between which of `nodes` elements are
  /// Beams: the constraint of each element that has driven strains, else -1.
  std::vector<int> strain_constraints = {};
  /// Beams by lines of a mesh: where sensors of sections are.
  std::map<std::string, analyses::SectionPlace> sections = {};
};

/// A system made from a model file, with the names that go with it.
struct BuiltModel {
  system::System system;
  std::vector<BuiltBody> bodies;      ///< in the order of the file
  std::map<std::string, int> joints;  ///< name -> constraint index
  /// Name -> frames A and B in the system; couplings have none.
  std::map<std::string, std::array<int, 2>> joint_frames;
  std::set<std::string> shared_joints;  ///< fixed joints that are nodes and no constraints
  std::map<std::string, std::vector<int>> contacts;  ///< name -> its forces in the system
  /// Name, or "joint.spring", "joint.limits", "joint.friction" of a joint's own -> in the system.
  std::map<std::string, std::vector<int>> forces;
  std::vector<analyses::Sensor> sensors;  ///< in the order of the file
  double seconds_reduction = 0.0;         ///< wall-clock time of reductions (cached or not)
  /// Of bodies with a frame: name -> the constraints that hold them there.
  std::map<std::string, std::vector<int>> supports = {};
};

struct BuildOptions {
  std::string cache_folder;  ///< of reduced bodies; empty: no cache
};

/// $SOLIDYN_CACHE, else $XDG_CACHE_HOME/solidyn, else ~/.cache/solidyn; empty when none of them is
/// set or SOLIDYN_CACHE is set but empty.
std::string default_cache_folder();

/// Collective. Reads meshes, reduces bodies, and adds bodies, frames, joints and sensors to a
/// system.
/// @throws base::InputError with everything found wrong (meshes, interfaces, joints), on all ranks
std::unique_ptr<BuiltModel> build(MPI_Comm comm, const ModelDescription& description,
                                  const BuildOptions& options);

/// The dynamics analysis of a description, as options of analyses::Dynamics.
analyses::DynamicsOptions dynamics_options(const DynamicsDescription& analysis,
                                           const SolverDescription& solver);

/// The statics analysis of a description, as options of analyses::Statics.
analyses::StaticsOptions statics_options(const StaticsDescription& analysis,
                                         const SolverDescription& solver);

}  // namespace solidyn::model
