#pragma once
#include "model/language/field.h"
#include "solidyn/model/appearance.h"

namespace solidyn::model {

const Fields<Appearance>& appearance_fields();
/// Whether the shape has the sizes that it needs and no others; a colour is six hexadecimal digits.
void check_appearance(const TableView& view, const Appearance& appearance);

}  // namespace solidyn::model
