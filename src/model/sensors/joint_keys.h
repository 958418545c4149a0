#pragma once
#include "model/language/key.h"

/// Keys of several sensors of joints, which are the same for all of them.
namespace solidyn::model {

inline Key joint_key() {
  return Key("joint", Form::reference, "the joint", "main_bearing").needed();
}

inline Key arm_key() {
  return Key("arm", Form::word, "of a universal joint: about the arm on its first or second place",
             "second")
      .among({"first", "second"});
}

inline Key along_key() {
  return Key("along", Form::word,
             "axis of the joint's frame on its first place; planar and point_on_plane joints have x and y, the others z",
             "x")
      .among({"x", "y", "z"})
      .or_else("z");
}

}  // namespace solidyn::model
