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

double first_step(const ModelDescription& model) {
  double step = 0.0;
  for (const AnalysisDescription& analysis : model.analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      step = std::max(step, dynamics->options.step);
  return step;
}

LongestStep longest_step(const ModelDescription& model) {
  LongestStep longest;
  for (const AnalysisDescription& analysis : model.analyses) {
    const auto* dynamics = std::get_if<DynamicsDescription>(&analysis);
    if (!dynamics) continue;
    const auto& adaptive = dynamics->options.adaptive;
    const double step = adaptive ? adaptive->maximum_step : dynamics->options.step;
    if (step > longest.seconds) longest = {step, adaptive.has_value()};
  }
  return longest;
}

double longest_time(const ModelDescription& model) {
  double duration = longest_motion(model);
  for (const AnalysisDescription& analysis : model.analyses)
    if (std::holds_alternative<StaticsDescription>(analysis)) duration = std::max(duration, 1.0);
  return duration;
}

}  // namespace solidyn::model
