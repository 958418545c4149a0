#pragma once

namespace solidyn::model {

/// What a joint leaves free, and what can act along it. Translations are along axes of the frame on
/// the first place, rotations about its z axis, or about the arms of a cross.
enum class JointFreedom {
  translation,  ///< along z
  rotation,
  translation_x,
  translation_y,
  first_arm,
  second_arm
};
/// The word that the model file uses for a value.
const char* name(JointFreedom freedom);

}  // namespace solidyn::model
