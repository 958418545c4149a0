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
#include "solidyn/model/appearance.h"
#include "solidyn/model/description.h"
#include "solidyn/model/joint_freedom.h"
#include "solidyn/reduction/reduced_body.h"
#include "solidyn/system/system.h"

namespace solidyn::bodies {
class BeamBody;
class NodalBody;
class SolidBody;
}  // namespace solidyn::bodies
namespace solidyn::contact {
class GroupContact;
class PairContact;
}  // namespace solidyn::contact

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
  bodies::BodyIndex index = bodies::kGround;              ///< in the system
  std::shared_ptr<const reduction::ReducedBody> reduced;  ///< modal bodies
  const bodies::NodalBody* nodal = nullptr;               ///< full-mesh bodies; owned by the system
  BuiltStress stress;
  /// Of full-mesh bodies: the rigid bodies in the system that stand for masses on their frames.
  std::vector<bodies::BodyIndex> attached_masses = {};
  const bodies::BeamBody* beam = nullptr;     ///< beams; owned by the system
  std::vector<bodies::BodyIndex> nodes = {};  ///< beams: their bodies in the system, along the line
  std::vector<std::array<int, 2>> lines = {};  ///< beams: between which of `nodes` elements are
  /// Beams: the constraint of each element that has driven strains, else kNoConstraint.
  std::vector<bodies::ConstraintIndex> strain_constraints = {};
  /// Beams by lines of a mesh: where sensors of sections are.
  std::map<std::string, analyses::SectionPlace> sections = {};
  std::vector<bodies::FrameIndex> followed_frames =
      {};                 ///< superelements: the system's frames that carry them
  std::string type = {};  ///< its word in the model file
  Appearance appearance = {};
  std::shared_ptr<const mesh::DistributedMesh> drawn_mesh = {};  ///< of appearance.surface
  double drawn_radius = 0.0;  ///< beams: of a circle of the section's area, m
};

/// A system made from a model file, with the names that go with it.
struct BuiltModel {
  system::System system;
  std::vector<BuiltBody> bodies;  ///< in the order of the file
  std::map<std::string, bodies::ConstraintIndex> joints;
  /// Name -> frames A and B in the system; couplings have none.
  std::map<std::string, std::array<bodies::FrameIndex, 2>> joint_frames;
  std::map<std::string, std::string> joint_types = {};  ///< their words in the model file
  /// Of joints that bring their own: name -> what a freedom is, as a scalar of these frames.
  std::map<std::string, std::map<JointFreedom, bodies::Coordinate>> own_coordinates = {};
  std::set<std::string> shared_joints;  ///< fixed joints that are nodes and no constraints
  /// Name -> its forces, owned by the system.
  std::map<std::string, std::vector<const contact::PairContact*>> contacts;
  /// Of contacts between groups: name -> the force of all its pairs, owned by the system.
  std::map<std::string, const contact::GroupContact*> contact_groups = {};
  /// Name, or "joint.spring", "joint.limits", "joint.friction" of a joint's own -> in the system.
  std::map<std::string, std::vector<forces::ForceIndex>> forces;
  std::map<std::string, forces::ForceIndex>
      loads;  ///< name -> its force in the system, where no body carries it
  std::vector<analyses::Sensor> sensors;  ///< in the order of the file
  std::vector<analyses::Sensor> drives;   ///< force or torque, and power of each
  /// Analysis, by its number -> the frames of its places in the system.
  std::map<std::size_t, std::vector<bodies::FrameIndex>> analysed_places = {};
  double seconds_reduction = 0.0;  ///< wall-clock time of reductions (cached or not)
  /// Of bodies with a frame: name -> the constraints that hold them there.
  std::map<std::string, std::vector<bodies::ConstraintIndex>> supports = {};
  /// Of bodies on absolute coordinates: name -> the body, owned by the system, and which of its
  /// own.
  std::map<std::string, std::pair<const bodies::SolidBody*, int>> solid_supports = {};
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
