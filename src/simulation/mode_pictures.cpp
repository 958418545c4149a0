#include "simulation/mode_pictures.h"

#include <cmath>

#include "simulation/pictures.h"
#include "solidyn/results/fields.h"

namespace solidyn::simulation {
namespace {

constexpr double kAmplitude = 0.1;

}  // namespace

void ModePictures::add(const system::State& state, const system::Linearisation& l,
                       const std::vector<analyses::Mode>& modes, int per_period) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Eigen::VectorXcd& shape = modes[i].shape;
    const Eigen::VectorXcd motion = l.T.cast<std::complex<double>>() * shape;
    const double largest = motion.cwiseProduct(l.bodies.weights).cwiseAbs().maxCoeff();
    for (int k = 0; k < per_period; ++k) {
      const double part = static_cast<double>(k) / per_period;
      const Eigen::VectorXd increment =
          kAmplitude / largest * (std::polar(1.0, 2.0 * M_PI * part) * motion).real();
      system::State moved = state.clone();
      built_.system.advance(state.q, increment, moved.q);
      states_.push_back(std::move(moved));
      times_.push_back(static_cast<double>(i + 1) + part);
    }
  }
}

void ModePictures::write(const results::OutputFolder& folder) const {
  if (states_.empty()) return;
  built_.system.update(states_.front());
  const Pictures pictures(comm_, built_);
  results::FieldWriter fields(comm_, folder.modes_xdmf(), folder.modes_h5(), pictures.parts(),
                              static_cast<std::int64_t>(states_.size()));
  for (std::size_t i = 0; i < states_.size(); ++i) {
    built_.system.update(states_[i]);
    fields.write(times_[i], pictures.values());
  }
  fields.flush();
}

}  // namespace solidyn::simulation
