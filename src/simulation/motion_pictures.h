#pragma once
#include <optional>

#include "solidyn/model/build.h"
#include "solidyn/results/motion.h"

namespace solidyn::simulation {

/// What a motion goes along.
struct Independent {
  std::string name = "time", unit = "s";
};

/// What a report sees of a system: bodies by pose and coordinates, joints by their frames, forces
/// between frames by their vectors.
class MotionPictures {
 public:
  /// Collective. @pre System::update(); the lengths of drawn bodies are those of this state
  MotionPictures(MPI_Comm comm, const model::ModelDescription& description,
                 const model::BuiltModel& built, const Independent& independent = {});
  const results::MotionScene& scene() const { return scene_; }
  /// Whether the nodes of a body are in fields.h5 alone.
  bool needs_fields() const;
  /// Those of bodies of few coordinates.
  std::vector<results::MotionSurface> surfaces() const;
  /// Of the state that System::update() was called with last, at time t.
  std::vector<double> row(double t) const;

 private:
  void add_bodies();
  void add_joints();
  void add_forces();
  int add_frame(const std::string& name, bodies::FrameIndex frame);

  MPI_Comm comm_;
  const model::BuiltModel& built_;
  results::MotionScene scene_;
  std::vector<bodies::FrameIndex> frames_;         // as those of scene_
  std::map<bodies::BodyIndex, int> listed_;        // bodies with axes, as those of scene_
  std::vector<const forces::Force*> pair_forces_;  // as the symbols of scene_
};

/// Seconds between pictures of the motion; 0: none.
double motion_interval(const model::OutputDescription& output, double duration);

}  // namespace solidyn::simulation
