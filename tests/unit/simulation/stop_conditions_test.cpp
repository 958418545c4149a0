// When a column of the history ends a run.
#include "simulation/stop_conditions.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "solidyn/base/error.h"

namespace solidyn::simulation {
namespace {

using model::StopCondition;
using testing::HasSubstr;

// A model of one sensor with two columns that are given functions of time.
model::BuiltModel with_columns(
    double (*x)(double), double (*y)(double) = [](double) { return 0.0; }) {
  model::BuiltModel built;
  analyses::Sensor sensor;
  sensor.columns = {{"bob.x", "m"}, {"bob.y", "m"}};
  sensor.read = [x, y](const analyses::SensorContext& context, double* values) {
    values[0] = x(context.state.t);
    values[1] = y(context.state.t);
  };
  built.sensors.push_back(sensor);
  return built;
}

StopCondition on(const std::string& column, bool is_above, double value) {
  StopCondition condition;
  condition.column = column;
  condition.is_above = is_above;
  condition.value = value;
  return condition;
}

// Looks at the times one after the other. @return what ended the run, and when it was noticed
std::pair<std::string, double> stopped(model::BuiltModel built,
                                       const std::vector<StopCondition>& conditions,
                                       const std::vector<double>& times) {
  StopConditions watch(conditions, built);
  system::State state;
  for (const double t : times) {
    state.t = t;
    if (watch.is_met(built, state, {})) return {watch.reason(), t};
  }
  return {watch.reason(), -1.0};
}

TEST(StopWhen, TheTimeIsThatOfTheLineBetweenTwoLooks) {
  const auto rising = [](double t) { return 2.0 * t - 1.0; };
  EXPECT_EQ(stopped(with_columns(rising), {on("bob.x", true, 0.25)}, {0.0, 0.5, 1.0, 2.0}),
            std::make_pair(std::string("bob.x rose above 0.25 at about t = 0.625 s"), 1.0));
  const auto falling = [](double t) { return -4.0 * t; };
  EXPECT_EQ(stopped(with_columns(falling), {on("bob.x", false, -1.0)}, {0.0, 0.1, 0.4}),
            std::make_pair(std::string("bob.x fell below -1 at about t = 0.25 s"), 0.4));
}

TEST(StopWhen, ReachingALimitIsNotPassingIt) {
  const auto up_to_one = [](double t) { return std::min(t, 1.0); };
  EXPECT_EQ(stopped(with_columns(up_to_one), {on("bob.x", true, 1.0)}, {0.0, 1.0, 2.0}).second,
            -1.0);
  EXPECT_EQ(stopped(with_columns([](double t) { return -std::min(t, 1.0); }),
                    {on("bob.x", false, -1.0)}, {0.0, 1.0, 2.0})
                .second,
            -1.0);
}

// As a run that goes on from where its condition had ended it.
TEST(StopWhen, WhatHoldsFromTheFirstLookMustBePassedAnew) {
  const auto wave = [](double t) { return std::cos(M_PI * t); };
  model::BuiltModel built = with_columns(wave);
  StopConditions watch({on("bob.x", true, 0.5)}, built);
  system::State state;
  EXPECT_FALSE(watch.is_met(built, state, {}));
  EXPECT_EQ(watch.holding(), "bob.x is already above 0.5");
  state.t = 1.0;
  EXPECT_FALSE(watch.is_met(built, state, {}));
  EXPECT_EQ(watch.holding(), "");
  state.t = 2.0;
  EXPECT_TRUE(watch.is_met(built, state, {}));
  EXPECT_EQ(watch.reason(), "bob.x rose above 0.5 at about t = 1.75 s");
}

TEST(StopWhen, TheFirstOfSeveralIsToldAndStaysTheReason) {
  model::BuiltModel built = with_columns([](double t) { return t; }, [](double t) { return -t; });
  StopConditions watch({on("bob.y", false, -0.5), on("bob.x", true, 0.25), on("bob.x", true, 2.0)},
                       built);
  system::State state;
  for (const double t : {0.0, 0.4}) {
    state.t = t;
    watch.is_met(built, state, {});
  }
  EXPECT_EQ(watch.reason(), "bob.x rose above 0.25 at about t = 0.25 s");
  state.t = 3.0;
  EXPECT_TRUE(watch.is_met(built, state, {}));
  EXPECT_EQ(watch.reason(), "bob.x rose above 0.25 at about t = 0.25 s");
  EXPECT_EQ(watch.holding(),
            "bob.y is already below -0.5, bob.x is already above 0.25, bob.x is already above 2");
}

// A sensor may have nothing to say at first, as a ratio with a force that is still zero.
TEST(StopWhen, AColumnThatBecomesANumberBeyondTheLimitEndsTheRunThen) {
  const auto late = [](double t) {
    return t < 0.5 ? std::numeric_limits<double>::quiet_NaN() : 3.0;
  };
  EXPECT_EQ(stopped(with_columns(late), {on("bob.x", true, 1.0)}, {0.0, 0.25, 0.75}),
            std::make_pair(std::string("bob.x rose above 1 at about t = 0.75 s"), 0.75));
  EXPECT_EQ(stopped(with_columns(late), {on("bob.x", false, 1.0)}, {0.0, 0.25, 0.75}).second, -1.0);
}

TEST(StopWhen, ColumnsThatAreNotThereAreRefusedWithThoseThatAre) {
  const model::BuiltModel built = with_columns([](double t) { return t; });
  const auto message = [&](const std::string& column) -> std::string {
    StopCondition condition = on(column, true, 0.0);
    condition.where = {"model.yaml", 17, 5};
    try {
      StopConditions({condition}, built);
    } catch (const base::InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("bob"),
              HasSubstr("model.yaml:17:5: error: stop_when: the history has no column `bob`"));
  EXPECT_THAT(message("bob.z"), HasSubstr("expected one of bob.x, bob.y"));
  EXPECT_THAT(message("weight"), HasSubstr("give a sensor"));
  EXPECT_EQ(message("bob.y"), "accepted");
}

// Those of a contact and its kind alone, and only such as happen while it is watched.
TEST(StopWhen, AnEventEndsTheRunWhenItHasHappenedOftenEnough) {
  using Kind = integrators::ContactEvent::Kind;
  model::BuiltModel built = with_columns([](double t) { return t; });
  StopCondition condition;
  condition.event = {Kind::impact, "floor", 3};
  StopConditions watch({condition}, built);
  system::State state;
  analyses::ContactTotals totals;
  const auto happens = [&](double t, const std::string& contact, Kind kind) {
    state.t = t;
    ++totals.events[contact][static_cast<std::size_t>(kind)];
    return watch.is_met(built, state, totals);
  };
  EXPECT_FALSE(happens(0.0, "floor", Kind::impact));
  EXPECT_FALSE(happens(1.0, "wall", Kind::impact));
  EXPECT_FALSE(happens(2.0, "floor", Kind::opens));
  EXPECT_FALSE(happens(3.0, "floor", Kind::impact));
  EXPECT_TRUE(happens(4.0, "floor", Kind::impact));
  EXPECT_EQ(watch.reason(), "floor: impact in the step to t = 4 s, 3 so far");
}

TEST(StopWhen, AnEventOfAnyContactCounts) {
  model::BuiltModel built = with_columns([](double t) { return t; });
  StopCondition condition;
  condition.event = {integrators::ContactEvent::Kind::impact, "", 1};
  StopConditions watch({condition}, built);
  system::State state;
  analyses::ContactTotals totals;
  EXPECT_FALSE(watch.is_met(built, state, totals));
  state.t = 0.5;
  totals.events["wall"][0] = 1;
  EXPECT_TRUE(watch.is_met(built, state, totals));
  EXPECT_EQ(watch.reason(), "set-valued contacts: impact in the step to t = 0.5 s");
}

}  // namespace
}  // namespace solidyn::simulation
