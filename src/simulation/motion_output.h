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
  /// Collective. A picture of the state that System::update() was called with last.
  /// @param t  what the pictures are along: time, or the number of a load step
  /// @pre the state's multipliers are found
  void write(double t, const system::State& state);
  /// Whether a picture is to be written.
  bool is_wanted(bool is_due, bool is_beside_fields) const {
    return is_due || (is_beside_fields && pictures_->needs_fields());
  }

 private:
  MotionOutput(double interval, std::unique_ptr<MotionPictures> pictures,
               results::MotionWriter writer)
      : interval_(interval), pictures_(std::move(pictures)), writer_(std::move(writer)) {}

  double interval_;
  std::unique_ptr<MotionPictures> pictures_;
  results::MotionWriter writer_;
};

}  // namespace solidyn::simulation
