#pragma once
#include "model/language/report.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// Complains of two surfaces between which a set-valued and a penalty law act: surfaces that meet
/// by an impact would be pushed apart by a penalty before or after it.
void refuse_both_laws(const ModelDescription& model, Report& report);

}  // namespace solidyn::model
