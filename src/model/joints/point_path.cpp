#include <fmt/format.h>

#include <algorithm>

#include "model/joints/drives.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

/// A point of the second place whose components in the axes of the first are given.
struct PointPath final : DriveEntry {
  std::array<bool, 3> fixes = {true, true, true};

  std::vector<std::string> inputs() const override;
  int n_multipliers() const override {
    return static_cast<int>(std::count_if(law.components.begin(), law.components.end(),
                                          [](const auto& law) { return law.has_value(); }));
  }

 protected:
  void read_components(const TableView& view) override;
  TwoPoses poses(const PlaceFinder& places) const override {
    return {{{places.position(between[0]), places.orientation(between[0])},
             {at.value_or(places.position(between[1])), Eigen::Matrix3d::Identity()}}};
  }
  // The path's axes are those of the first place itself.
  TwoFrames frames(const TwoPoses& poses, const PlaceFinder& places) const override {
    bodies::Frame first = places.own_frame(between[0]);
    first.name = name + ".first";
    return {first, places.frame(between[1], name + ".second", poses[1].p, poses[1].R)};
  }
  joints::JointRows rows(const Vector3d& drawn) const override {
    return joints::point_path_rows(law.components, law.level,
                                   law.starts_as_drawn ? drawn : Vector3d(Vector3d::Zero()));
  }
};

std::vector<std::string> PointPath::inputs() const {
  std::vector<std::string> components;
  for (int i = 0; i < 3; ++i)
    if (law.components[i]) components.push_back(fmt::format("{}.{}", name, "xyz"[i]));
  return components;
}

void PointPath::read_components(const TableView& view) {
  const std::array<math::TimeFunction, 3> laws = read_time_vector(view, law.key);
  for (int i = 0; i < 3; ++i)
    if (fixes[i]) law.components[i] = laws[i];
}

}  // namespace

JointType point_path_row() {
  PointPath path;
  path.type = JointTraits("point_path")
                  .at(JointTraits::Point::optional)
                  .drives({}, {"position", "velocity", "acceleration"}, {{"power", "W"}});
  return placed_joint_type(
      path, PlaceFields{between_field(), at_field()},
      law_fields(
          Key("position", Form::time_vector,
              "position of the point, from the origin and in the axes of the first place",
              "[\"cos(t)\", \"sin(t)\", 0]")
              .in(kLength),
          Key("velocity", Form::time_vector,
              "rate of these components, instead of `position`; the point starts as modelled",
              "[1, 0, 0]")
              .in(kVelocity),
          Key("acceleration", Form::time_vector,
              "second derivative of these components, instead of `position`; the point starts as modelled, at rest",
              "[\"sin(t)\", 0, 0]")
              .in(kAcceleration)),
      Fields<PointPath>{read_by<PointPath>(
          Key("fix", Form::words, "the components that are prescribed; by default all", "[x, y]")
              .among({"x", "y", "z"}),
          [](PointPath& entry, const TableView& view, const Scope&) {
            if (!view.has("fix")) return;
            entry.fixes = {};
            for (const std::string& axis : view.texts("fix")) entry.fixes[axis[0] - 'x'] = true;
          })});
}

}  // namespace solidyn::model
