#pragma once
#include "report/scene.h"

namespace solidyn::report {

/// The machine in its modes: pictures of modes_motion.h5, and which of them are a period of which
/// row of modes.csv. Null without that file.
struct LinearScene {
  Scene scene;
  Json periods = Json::array();
};
LinearScene make_linear_scene(const std::string& folder, double tolerance, Blob& blob);

}  // namespace solidyn::report
