#pragma once
#include "model/language/field.h"
#include "solidyn/reduction/reduction_options.h"

namespace solidyn::model {

/// `damping` of a body, and the keys of its table.
Key damping_key();
const Fields<reduction::Damping>& damping_fields();

/// What has no effect without `modal_ratio`. @param body with the `damping`
void warn_of_ratio_from(const TableView& body);
/// That a body without modes ignores the damping of modes.
void warn_of_modal_damping(const TableView& body, const reduction::Damping& damping);

}  // namespace solidyn::model
