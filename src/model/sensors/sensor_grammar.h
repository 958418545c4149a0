#pragma once
#include "model/language/key.h"

/// Parts of the table of `sensors`.
namespace solidyn::model {

/// Keys of the sensors `force`, `joint_force` and `drive`, and of `expression`.
std::vector<KeySpec> force_sensor_keys();
std::vector<KeySpec> expression_sensor_keys();
/// Of `section_force` and `section_strain`.
std::vector<KeySpec> section_sensor_keys();

/// What an `expression` may measure, by the words of its key `measures`.
const std::vector<std::pair<std::string, Quantity>>& quantities_by_word();

}  // namespace solidyn::model
