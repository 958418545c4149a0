#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"

namespace solidyn::simulation {

/// Watches the history columns, and the events, that are to end a run. Collective as the sensors
/// are.
class StopConditions {
 public:
  /// @throws base::InputError when there is no such column
  StopConditions(const std::vector<model::StopCondition>& conditions,
                 const model::BuiltModel& built);

  /// True when a condition has come to hold since the last call; the first call only remembers.
  /// @param contacts  what has happened to them so far
  /// @pre the system's kinematics are those of `state`
  bool is_met(model::BuiltModel& built, const system::State& state,
              const analyses::ContactTotals& contacts);
  /// Whether is_met() looks at reactions of joints.
  bool read_reactions(const model::BuiltModel& built) const;
  /// "bob.x is above 0.5, ...": what the last call found to hold already.
  std::string holding() const;
  /// "bob.x rose above 0.5 at about t = 0.123 s"
  const std::string& reason() const { return reason_; }

 private:
  struct Watch {
    model::StopCondition condition;
    std::size_t sensor, column;
    std::optional<double> before;
    bool holds(double x) const {
      return condition.is_above ? x > condition.value : x < condition.value;
    }
  };
  struct EventWatch {
    model::StopCondition::Event event;
    std::optional<std::int64_t> before;
    std::int64_t count(const analyses::ContactTotals& contacts) const;
  };
  void look_at_events(double t, const analyses::ContactTotals& contacts);

  std::vector<Watch> watches_;
  std::vector<EventWatch> events_;
  double time_before_ = 0.0;
  std::string reason_;
};

}  // namespace solidyn::simulation
