#include "model/bodies/plausibility.h"

#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "solidyn/base/log.h"
#include "solidyn/imported/checks.h"

namespace solidyn::model {

void warn_of_doubtful_units(const BodyEntry& body, double mass, double frequency) {
  imported::CheckReport report;
  imported::add_plausibility(report, {}, mass, frequency);
  for (base::Diagnostic& doubt : report.warnings) {
    doubt.where = body.where;
    doubt.what = fmt::format("bodies.{}: {}", body.name, doubt.what);
    base::log_warning("{}", base::format(doubt, "warning"));
  }
}

}  // namespace solidyn::model
