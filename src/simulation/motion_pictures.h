#pragma once
#include <functional>
#include <optional>
#include <string>

#include "simulation/motion_symbols.h"
#include "solidyn/model/build.h"
#include "solidyn/results/motion.h"

namespace solidyn::simulation {

/// What a motion goes along.
struct Independent {
  std::string name = "time", unit = "s";
  bool is_time() const { return name == "time"; }
};

/// What a report sees of a system: bodies by pose and coordinates and their rates, joints by their
/// frames, all that pushes by its vector.
class MotionPictures {
 public:
  /// Collective. @pre System::update(); the lengths of drawn bodies are those of this state
  /// @param vectors  none: places alone, where nothing moves in time
  MotionPictures(MPI_Comm comm, const model::ModelDescription& description,
                 const model::BuiltModel& built, const Independent& independent = {},
                 MotionSymbols::Vectors vectors = MotionSymbols::Vectors::all);
  MotionPictures(const MotionPictures&) = delete;
  MotionPictures& operator=(const MotionPictures&) = delete;

  const results::MotionScene& scene() const { return scene_; }
  /// Whether the nodes of a body are in fields.h5 alone.
  bool needs_fields() const;
  /// Those of bodies of few coordinates.
  std::vector<results::MotionSurface> surfaces() const;
  /// Of the state that System::update() was called with last, whose multipliers are found.
  std::vector<double> row(const system::State& state) const;

 private:
  void add_bodies(const model::ModelDescription& description, const model::DrawnModel& drawn);
  void add_joints(const model::DrawnModel& drawn);
  int add_frame(const std::string& name, bodies::FrameIndex frame, const std::string& on = {});

  MPI_Comm comm_;
  const model::BuiltModel& built_;
  results::MotionScene scene_;
  std::vector<bodies::FrameIndex> frames_;   // as those of scene_
  std::map<bodies::BodyIndex, int> listed_;  // bodies with axes, as those of scene_
  std::optional<MotionSymbols> symbols_;     // after the joints, whose reactions are among them
};

/// Collective. Draws pictures without which an analysis is as good: where that fails, a warning
/// says so, and there is no file.
/// @param draw  fails on all ranks or on none
void leave_out_on_failure(MPI_Comm comm, const std::string& path,
                          const std::function<void()>& draw);

/// Seconds between pictures of the motion; 0: none.
double motion_interval(const model::OutputDescription& output, double duration);

}  // namespace solidyn::simulation
