#include "model/forces/line_between.h"

#include <fmt/format.h>

namespace solidyn::model {

using Eigen::Vector3d;

Fields<LineBetween> LineBetween::fields() {
  return {
      field(Key("at_first", Form::vector,
                "the end on the first place, world at t = 0; by default the place's origin",
                "[0, 0, 0.5]")
                .in(kLength),
            &LineBetween::at_first),
      field(
          Key("at_second", Form::vector, "the end on the second place", "[0, 0, 0.1]").in(kLength),
          &LineBetween::at_second)};
}

void LineBetween::check_ends(const TableView& view) const {
  using Kind = PlaceDescription::Kind;
  const char* keys[] = {"at_first", "at_second"};
  for (int i = 0; i < 2; ++i) {
    if (view.has(keys[i]) && between[i].kind == Kind::point)
      view.report().error(view.where(keys[i]),
                          fmt::format("{}: the place is already a point", view.path(keys[i])),
                          "remove it, or give an interface");
    if (view.is_good("between") && !view.has(keys[i]) && between[i].kind == Kind::ground)
      view.report().error(view.where(), fmt::format("{} is missing", view.path(keys[i])),
                          "give the end on the ground in world coordinates, for example  " +
                              std::string(keys[i]) + ": [0, 0, 1]");
  }
}

PlacedLine LineBetween::place(const ForceEntry& force, const Builder& builder) const {
  const std::optional<Vector3d>* given[] = {&at_first, &at_second};
  std::array<Vector3d, 2> ends;
  std::array<bodies::FrameIndex, 2> frames;
  for (int i = 0; i < 2; ++i) {
    ends[i] = *given[i] ? **given[i] : builder.places.position(between[i]);
    frames[i] =
        add_force_frame(force, between[i], i, ends[i], Eigen::Matrix3d::Identity(), builder);
  }
  refuse_force_within(force, frames[0], frames[1], builder);
  const double drawn = (ends[1] - ends[0]).norm();
  if (drawn == 0.0)
    throw base::InputError(
        fmt::format(
            "forces.{}: its two ends coincide at ({:g}, {:g}, {:g}) m, so that its force has no direction",
            force.name, ends[0].x(), ends[0].y(), ends[0].z()),
        "move an end by `at_first` or `at_second`, or use a bushing", force.where);
  return {builder.built.system.link(frames[0], frames[1]), drawn};
}

}  // namespace solidyn::model
