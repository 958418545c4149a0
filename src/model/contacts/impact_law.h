#pragma once
#include "model/language/field.h"
#include "model/read.h"
#include "solidyn/forces/set_valued.h"

namespace solidyn::model {

/// The key `impact_law` of contacts and stops, and its words.
const Key& impact_law_key();
const Choice<forces::SetValuedLaw::ImpactLaw>& impact_laws();

/// One law for all that may be hit together, which is known only as the bodies move; and
/// integrators that have it. Warns of `multiple_impacts` where nothing is hit by a set-valued law.
void check_impact_laws(const ModelDescription& model, Report& report);

}  // namespace solidyn::model
