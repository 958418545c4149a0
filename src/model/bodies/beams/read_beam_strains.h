#pragma once
#include "model/read.h"

namespace solidyn::model {

/// `prestress`, `prestrain`, `fixed_strains` and `driven_strains` of a beam, or of a group of its
/// lines: then those of the keys that the group has not are the body's.
/// @param own the body, or the group
GivenStrains read_given_strains(const TableView& own, const TableView& body);

}  // namespace solidyn::model
