#pragma once
#include "model/forces/force_places.h"

namespace solidyn::model {

/// Its two ends as they are built.
struct PlacedLine {
  bodies::FrameLink link;
  double length = 0.0;  ///< as modelled, m
};

/// The line between two points: the origins of two places, or points given in the world.
struct LineBetween : BetweenPlaces {
  std::optional<Eigen::Vector3d> at_first, at_second;  ///< world, t = 0, m

  static Fields<LineBetween> fields();
  /// What is missing or contradicts. @pre its keys were read
  void check_ends(const TableView& view) const;
  /// @throws base::InputError where the ends coincide, or do not move relative to each other
  PlacedLine place(const ForceEntry& force, const Builder& builder) const;
};

/// Those of LineBetween, for the list of an entry that is one.
template <class T>
Fields<T> line_fields() {
  Fields<T> list = {
      read_by<T>(Key("between", Form::references, "the two places", "[chassis.top, wheel.hub]")
                     .sized(2)
                     .needed(),
                 [](T& entry, const TableView& view, const Scope& scope) {
                   entry.BetweenPlaces::read(view, Turns::no, scope);
                 })};
  return joined_fields(std::move(list), LineBetween::fields());
}

}  // namespace solidyn::model
