#pragma once
#include "model/language/key.h"

/// The tables of `contacts`.
namespace solidyn::model {

const TableSpec& contact_table();
const TableSpec& contact_shape_table();
const TableSpec& contact_law_table();
const TableSpec& contact_friction_table();

}  // namespace solidyn::model
