#include "simulation/motion_output.h"

#include "simulation/pictures.h"

namespace solidyn::simulation {

std::unique_ptr<MotionOutput> MotionOutput::open(MPI_Comm comm,
                                                 const model::ModelDescription& description,
                                                 const model::BuiltModel& built, std::string path,
                                                 const Course& course) {
  const double interval = motion_interval(description.output, course.duration);
  if (!(interval > 0.0)) return nullptr;
  auto pictures = std::make_unique<MotionPictures>(comm, description, built, course.independent);
  std::int64_t n_pictures = planned_pictures(course.duration, course.step, interval);
  if (course.has_fields && pictures->needs_fields())
    n_pictures +=
        planned_pictures(course.duration, course.step, description.output.fields_interval);
  results::MotionWriter writer(comm, std::move(path), pictures->scene(), pictures->surfaces(),
                               n_pictures, course.resume_at);
  return std::unique_ptr<MotionOutput>(
      new MotionOutput(interval, std::move(pictures), std::move(writer)));
}

void MotionOutput::write(double t, const system::State& state) {
  writer_.write(t, pictures_->row(state));
}

}  // namespace solidyn::simulation
