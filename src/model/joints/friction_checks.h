#pragma once
#include "model/language/table_view.h"
#include "solidyn/contact/friction.h"

namespace solidyn::model {

/// A warning where friction never comes near its static coefficient, because that falls with the
/// slip before friction has built up over the transition speed.
void warn_of_unreached_static(const TableView& view, const contact::Friction& friction);

}  // namespace solidyn::model
