#pragma once
#include "model/analyses/simulated_time.h"
#include "model/forces/force_entry.h"
#include "model/track/rail_track.h"
#include "solidyn/railway/wheelset_geometry.h"

namespace solidyn::model {

/// Two wheels of a body's frame on the rails of `track`.
struct WheelRailEntry final : ForceEntryOf<WheelRailEntry> {
  PlaceDescription at;
  std::optional<PlaceDescription> rails_on;
  std::shared_ptr<const railway::Profile> wheel;
  std::shared_ptr<const TrackDescription> track;
  railway::WheelsetDimensions dimensions;
  railway::FallingFriction friction;
  std::optional<double> friction_right;
  std::optional<math::Curve> friction_along, friction_along_right;
  railway::ElasticMaterial material;
  railway::PatchModel patch = railway::PatchModel::hertz;
  railway::CreepParameters creep;
  std::string law = "fastsim";
  railway::OverlapDamping damping{0.0, 0.1};
  bool turns = true;
  double rolling_inertia = 0.0;

  static const Fields<WheelRailEntry>& fields();
  void check(const TableView& view, const Scope& scope);
  std::string acts_on() const override { return at.text() + " on the track"; }
  std::vector<PlaceDescription> places() const override {
    return rails_on ? std::vector<PlaceDescription>{*rails_on, at}
                    : std::vector<PlaceDescription>{at};
  }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;

 private:
  void check_friction(const TableView& view) const;
  void warn_of_rolling_inertia(const Builder& builder, bodies::FrameIndex wheelset) const;
  void check_start(const Builder& builder, double s) const;
  void check_step(const LongestStep& step, double speed) const;
  void refuse_the_same_axle(const Builder& builder) const;
};

}  // namespace solidyn::model
