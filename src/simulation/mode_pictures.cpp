#include "simulation/mode_pictures.h"

#include <algorithm>
#include <cmath>

#include "simulation/motion_pictures.h"
#include "simulation/pictures.h"
#include "solidyn/results/fields.h"

namespace solidyn::simulation {
namespace {

constexpr double kAmplitude = 0.1;
// Pictures of a period in modes_motion.h5: mean, cosine and sine follow from these.
constexpr int kQuarters = 4;

}  // namespace

void ModePictures::add(const system::State& state, const system::Linearisation& l,
                       const std::vector<analyses::Mode>& modes, std::size_t first_row,
                       int per_period) {
  states_.push_back(state.clone());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    Eigen::VectorXcd motion = l.T.cast<std::complex<double>>() * modes[i].shape;
    const double largest = motion.cwiseProduct(l.bodies.weights).cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) continue;
    motion *= kAmplitude / largest;
    shapes_.push_back({states_.size() - 1, first_row + i, per_period, std::move(motion)});
  }
}

system::State ModePictures::moved(const Shape& shape, double part_of_period) const {
  const system::State& at = states_[shape.operating_state];
  const Eigen::VectorXd increment =
      (std::polar(1.0, 2.0 * M_PI * part_of_period) * shape.motion).real();
  system::State moved = at.clone();
  built_.system.advance(at.q, increment, moved.q);
  return moved;
}

void ModePictures::write(const results::OutputFolder& folder) const {
  if (shapes_.empty()) return;
  write_fields(folder);
  if (!(description_.output.motion_interval.value_or(1.0) > 0.0)) return;
  // A report can do without it, and the modes are found.
  leave_out_on_failure(comm_, folder.modes_motion(), [&] { write_motion(folder); });
}

// The time is the number of the mode and, behind the point, how far it is in its period.
void ModePictures::write_fields(const results::OutputFolder& folder) const {
  std::int64_t n_pictures = 0;
  for (const Shape& shape : shapes_) n_pictures += shape.per_period;
  if (n_pictures == 0) return;
  built_.system.update(states_.front());
  const Pictures pictures(comm_, built_);
  results::FieldWriter fields(comm_, folder.modes_xdmf(), folder.modes_h5(), pictures.parts(),
                              n_pictures);
  int number = 0;
  for (const Shape& shape : shapes_) {
    ++number;
    for (int k = 0; k < shape.per_period; ++k) {
      const double part = static_cast<double>(k) / shape.per_period;
      const system::State state = moved(shape, part);
      built_.system.update(state);
      fields.write(number + part, pictures.values());
    }
  }
  fields.flush();
}

// At times row, row + 1/4 and so on.
void ModePictures::write_motion(const results::OutputFolder& folder) const {
  built_.system.update(states_.front());
  const MotionPictures pictures(comm_, description_, built_, {"mode", ""},
                                MotionSymbols::Vectors::none);
  results::MotionWriter writer(comm_, folder.modes_motion(), pictures.scene(), pictures.surfaces(),
                               static_cast<std::int64_t>(kQuarters * shapes_.size()));
  for (const Shape& shape : shapes_)
    for (int k = 0; k < kQuarters; ++k) {
      const double part = static_cast<double>(k) / kQuarters;
      const system::State state = moved(shape, part);
      built_.system.update(state);
      writer.write(static_cast<double>(shape.row) + part, pictures.row(state));
    }
}

}  // namespace solidyn::simulation
