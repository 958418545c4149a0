#include "model/analyses/simulated_time.h"

#include <algorithm>

namespace solidyn::model {

double longest_motion(const ModelDescription& model) {
  double duration = 0.0;
  for (const AnalysisDescription& analysis : model.analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      duration = std::max(duration, dynamics->options.duration);
  return duration;
}

double longest_step(const ModelDescription& model) {
  double step = 0.0;
  for (const AnalysisDescription& analysis : model.analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      step = std::max(step, dynamics->options.step);
  return step;
}

double longest_time(const ModelDescription& model) {
  double duration = longest_motion(model);
  for (const AnalysisDescription& analysis : model.analyses)
    if (std::holds_alternative<StaticsDescription>(analysis)) duration = std::max(duration, 1.0);
  return duration;
}

}  // namespace solidyn::model
