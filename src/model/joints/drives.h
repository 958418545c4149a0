#pragma once
#include <array>
#include <optional>
#include <string>

#include "model/joints/placed_joint.h"

/// Joints that move the second place relative to the first.
namespace solidyn::model {

/// What a drive follows.
struct DriveLaw {
  using Level = joints::Constraint::Level;
  /// Of the coordinate, or of the components of a path that are given: rad, m, per s.
  std::array<std::optional<math::TimeFunction>, 3> components;
  Level level = Level::position;
  std::string key, text;         ///< as the file gives it; `text` with the key
  std::optional<double> start;   ///< rad, m; of a law for the acceleration, which is integrated
  double start_rate = 0.0;       ///< per s
  bool starts_as_drawn = false;  ///< the law is added to what is drawn

  const math::TimeFunction& only() const { return *components[0]; }
};

struct DriveLaws {
  DriveLaw law;
};

class DriveEntry : public PlacedJoint, public DriveLaws {
 public:
  std::string acts_on() const override;
  std::vector<std::string> inputs() const override { return {name}; }
  bool prescribes_rate() const override { return law.level == DriveLaw::Level::velocity; }
  int n_multipliers() const override { return 1; }
  void visit_laws(const JointLawVisitor& visit) const override;
  void check(const TableView& view, const Scope& scope);
  /// One of the keys of the law; complains about a second one.
  void read_law(const TableView& view, const std::string& key);

 protected:
  /// Whether an acceleration without `start` begins with what is drawn; else it begins with zero.
  virtual bool can_start_as_drawn() const { return true; }
  /// What a law on position level gives.
  virtual LawKind kind() const { return LawKind::position; }
  virtual void read_components(const TableView& view);

 private:
  bool has_two_laws_ = false;
};

/// The three keys of a drive's law: its coordinate, the rate and the second rate.
Fields<DriveEntry> law_fields(const Key& coordinate, const Key& rate, const Key& second_rate);

Field<DriveLaws> start_field(const Key& key);
Field<DriveLaws> start_rate_field(const char* meaning, const Quantity& rate);

}  // namespace solidyn::model
