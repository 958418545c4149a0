#pragma once
#include "model/language/key.h"

/// Tables of beams.
namespace solidyn::model {

const TableSpec& section_table();
/// `groups` and `places` of a beam with a mesh.
const TableSpec& beam_group_table();
const TableSpec& beam_place_table();
const TableSpec& prestress_table();
const TableSpec& prestrain_table();
const TableSpec& driven_strains_table();

}  // namespace solidyn::model
