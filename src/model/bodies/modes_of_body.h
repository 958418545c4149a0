#pragma once
#include "model/bodies/reduced_entry.h"

namespace solidyn::model {

/// `modes` of a body.
Field<ReducedDescription> modes_of_body_field();

/// That they are there where they are needed, and go with the body's interfaces and its source.
/// Without static correction given it is there, unless constraint modes span it.
/// @pre the body's other keys have been read
void check_modes_of_body(const TableView& body, bool brings_interfaces, std::size_t n_interfaces,
                         ReducedDescription& reduced);

}  // namespace solidyn::model
