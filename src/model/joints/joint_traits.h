#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solidyn/forces/reading.h"
#include "solidyn/joints/joint_friction.h"
#include "solidyn/model/joint_freedom.h"

namespace solidyn::model {

/// Between two places, between the coordinates of other joints, or a motion that is given.
enum class JointFamily { joint, coupling, drive };

/// How dry friction acts in joints of a type.
struct FrictionTraits {
  using Turning = joints::JointFriction::Turning;
  /// Each a force of its own, with what its name has behind the joint's; empty: it only slides.
  std::vector<std::pair<std::string, Turning>> turning = {{"", Turning::about_z}};
  bool may_slide_alone = false;  ///< without `radius`, turning rubs nothing
  bool has_thrust_face = false;  ///< takes `thrust_radius`
  bool carries_moments = true;   ///< takes `moment_arm`
  bool presses_any_way = false;  ///< all of the force presses, not that across the axis alone
  double thrust = 0.0;           ///< of the force along the axis, what presses without such a face
};

/// What the rest of the program asks of a joint's type, before any joint is read.
struct JointTraits {
  enum class Point { none, optional, needed };
  /// Of a joint without `axis`: which axes its two places bring.
  enum class OwnAxes { none, free, in_line };

  explicit JointTraits(std::string its_word = {}) : word(std::move(its_word)) {}

  std::string word;                      ///< in the model file
  std::vector<std::string> other_words;  ///< that mean the same
  JointFamily family = JointFamily::joint;
  /// What it leaves free, each a coordinate by itself; of a drive what it prescribes.
  std::vector<JointFreedom> coordinates;
  Point point = Point::needed;             ///< `at`; interfaces and frames do as well
  OwnAxes own_axes = OwnAxes::none;        ///< z axes of interfaces and frames
  std::optional<FrictionTraits> friction;  ///< empty: has none
  std::array<std::string, 3> law_keys;     ///< of a drive: coordinate, rate and second rate
  bool is_bearing = false;  ///< turns about one line of both places: torsion springs may act there
  bool is_hinge = false;    ///< may carry a body in relative coordinates
  forces::Readings readings;  ///< of a drive, for sensors

  bool has_coordinate(JointFreedom freedom) const {
    return std::find(coordinates.begin(), coordinates.end(), freedom) != coordinates.end();
  }
  /// Not of drives: what a drive or a coupling may act on.
  bool leaves_free(JointFreedom freedom) const {
    return family == JointFamily::joint && has_coordinate(freedom);
  }
  bool slides_in_plane() const { return has_coordinate(JointFreedom::translation_x); }

  // For rows of the catalogue, in one expression.
  JointTraits& also(std::vector<std::string> words) {
    return other_words = std::move(words), *this;
  }
  JointTraits& leaves(std::vector<JointFreedom> freedoms) {
    return coordinates = std::move(freedoms), *this;
  }
  JointTraits& at(Point its_point) { return point = its_point, *this; }
  JointTraits& with_axes(OwnAxes axes) { return own_axes = axes, *this; }
  JointTraits& rubs(FrictionTraits traits) { return friction = std::move(traits), *this; }
  JointTraits& as_hinge() { return is_hinge = true, *this; }
  JointTraits& as_bearing() { return is_bearing = true, *this; }
  JointTraits& couples() { return family = JointFamily::coupling, *this; }
  JointTraits& drives(std::vector<JointFreedom> prescribed, std::array<std::string, 3> laws,
                      forces::Readings shown) {
    family = JointFamily::drive;
    coordinates = std::move(prescribed);
    law_keys = std::move(laws);
    readings = std::move(shown);
    return *this;
  }
};

}  // namespace solidyn::model
