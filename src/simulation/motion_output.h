#pragma once
#include "simulation/motion_pictures.h"

namespace solidyn::simulation {

/// What pictures of a motion are taken along.
struct Course {
  double duration = 0.0, step = 0.0;
  bool has_fields = false;          ///< fields.h5 is written too
  std::optional<double> resume_at;  ///< of a run that continues
  Independent independent;
};

/// motion.h5 while a run goes on.
class MotionOutput {
 public:
  /// Collective. Null where the model asks for none. @pre System::update()
  static std::unique_ptr<MotionOutput> open(MPI_Comm comm,
                                            const model::ModelDescription& description,
                                            const model::BuiltModel& built, std::string path,
                                            const Course& course);
  double interval() const { return interval_; }
  /// Collective. A picture of the state that System::update() was called with last, if it is due,
  /// or beside one in fields.h5 that has the nodes of bodies which keep them all.
  void write(double t, bool is_due, bool is_beside_fields);

 private:
  MotionOutput(double interval, MotionPictures pictures, results::MotionWriter writer)
      : interval_(interval), pictures_(std::move(pictures)), writer_(std::move(writer)) {}

  double interval_;
  MotionPictures pictures_;
  results::MotionWriter writer_;
};

}  // namespace solidyn::simulation
