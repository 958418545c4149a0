#pragma once
#include "solidyn/fem/elastic_body.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// What every formulation of a flexible body takes from the model file.
/// @pre the body has a material of the model file
fem::Section section_of(const ModelDescription& model, const BodyDescription& body);
/// Whether the modes include the rigid ones, for reference conditions by multipliers.
bool keeps_rigid_modes(const BodyDescription& body);

}  // namespace solidyn::model
