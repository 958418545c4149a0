#pragma once
#include <petsc.h>

#include <memory>
#include <string>
#include <vector>

#include "solidyn/analyses/statics.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::testing_support {

/// A model of one beam, and the state that its statics ends with.
struct BeamStatics {
  std::unique_ptr<model::BuiltModel> built;
  std::unique_ptr<analyses::Statics> statics;

  explicit BeamStatics(const std::string& file, const std::vector<std::string>& overrides = {}) {
    const std::string path = SOLIDYN_SOURCE_DIR "/tests/verification/beams/" + file;
    const model::ModelDescription description = model::load_model(path, overrides);
    built = model::build(PETSC_COMM_SELF, description, {});
    for (const auto& analysis : description.analyses)
      if (const auto* options = std::get_if<model::StaticsDescription>(&analysis))
        statics = std::make_unique<analyses::Statics>(
            built->system, model::statics_options(*options, description.solver));
    statics->start();
    while (!statics->is_done()) statics->advance();
    built->system.update(statics->state());
  }

  const system::State& state() const { return statics->state(); }
  bodies::BodyIndex tip() const { return built->bodies.front().nodes.back(); }
  const bodies::BodyState& tip_state() const { return built->system.kinematics().bodies[tip()]; }
};

/// Values of the model's first sensor.
inline Eigen::VectorXd reading(const BeamStatics& beam) {
  const analyses::Sensor& sensor = beam.built->sensors[0];
  Eigen::VectorXd values(static_cast<Eigen::Index>(sensor.columns.size()));
  sensor.read({beam.built->system, beam.state()}, values.data());
  return values;
}

}  // namespace solidyn::testing_support
