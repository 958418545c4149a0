#include <fmt/format.h>

#include <cmath>

#include "model/analyses/linear.h"

// What takes inputs to outputs: matrices, and answers to harmonic inputs.
namespace solidyn::model {
namespace {

std::vector<double> read_range(const TableView& view) {
  const double from = view.number("from"), to = view.number("to");
  const int n = view.integer("points");
  const bool is_logarithmic = view.text("spacing") == "logarithmic";
  if (!view.is_good("from") || !view.is_good("to") || !view.is_good("points")) return {};
  if (to <= from) {
    view.report().error(
        view.where("to"),
        fmt::format("{} is {:g} Hz, not above `from`, {:g} Hz", view.path("to"), to, from),
        "exchange the two values");
    return {};
  }
  if (is_logarithmic && from == 0.0) {
    view.report().error(
        view.where("from"),
        fmt::format("{} is 0: logarithmic spacing cannot start there", view.path("from")),
        "start above zero, or write  spacing: linear");
    return {};
  }
  std::vector<double> frequencies;
  for (int i = 0; i < n; ++i) {
    const double part = static_cast<double>(i) / (n - 1);
    frequencies.push_back(is_logarithmic ? from * std::pow(to / from, part)
                                         : from + part * (to - from));
  }
  frequencies.back() = to;
  return frequencies;
}

void read_frequencies(FrequencyResponseDescription& linear, const TableView& view, const Scope&) {
  if (view.is_good("frequencies")) linear.frequencies = view.numbers("frequencies");
  if (!view.has("frequencies")) linear.frequencies = read_range(view);
}

const Fields<StateSpaceDescription>& linearise_fields() {
  static const Fields<StateSpaceDescription> fields =
      joined_fields(Fields<StateSpaceDescription>(), transfer_fields(), state_fields());
  return fields;
}

const Fields<FrequencyResponseDescription>& frequency_fields() {
  using Self = FrequencyResponseDescription;
  static const Fields<Self> range = {
      read_by<Self>(Key("frequencies", Form::vector, "frequencies in Hz", "[1, 2, 5, 10]")
                        .within(kNotNegative)
                        .sized(kAnySize),
                    read_frequencies),
      read_elsewhere<Self>(
          Key("from", Form::number, "instead of `frequencies`: the first of a range, Hz", "1")
              .within(kNotNegative)
              .with("to")),
      read_elsewhere<Self>(
          Key("to", Form::number, "the last, Hz", "100").within(kPositive).with("points")),
      read_elsewhere<Self>(Key("points", Form::integer, "number of values", "200")
                               .within({2.0, kInfinity, true, true})
                               .with("from")),
      read_elsewhere<Self>(
          Key("spacing", Form::word, "logarithmic (equal ratios) or linear (equal steps)", "linear")
              .among({"logarithmic", "linear"})
              .or_else("logarithmic"))};
  static const Fields<Self> fields =
      joined_fields(Fields<Self>(), transfer_fields(), range, state_fields());
  return fields;
}

template <class Description>
AnalysisDescription read_transfer(const TableView& view, const Scope& scope,
                                  const Fields<Description>& fields) {
  Description linear;
  linear.where = view.where();
  refuse_full_meshes(view, scope.model);
  read_fields(fields, view, scope, linear);
  return linear;
}

}  // namespace

const TableSpec& linearise_table() {
  static const TableSpec table{
      "linearise",
      "The linearised equations in minimal coordinates as matrices A, B, C, D, with those of mass, damping, stiffness and constraints, in files for other programs.",
      keys_of(linearise_fields())};
  return table;
}

const TableSpec& frequency_response_table() {
  static const TableSpec table{
      "frequency response",
      "Amplitude and phase of the steady-state response to harmonic inputs of unit amplitude.",
      keys_of(frequency_fields()),
      "",
      false,
      {"frequencies", "from"}};
  return table;
}

AnalysisType linearise_row() {
  return {"linearise", "state-space matrices", "{inputs: [push.force_z]}", &linearise_table(),
          [](const TableView& view, const Scope& scope) {
            return read_transfer(view, scope, linearise_fields());
          }};
}

AnalysisType frequency_response_row() {
  return {"frequency_response", "responses to harmonic inputs",
          "{inputs: [push.force_z], frequencies: [1, 2, 5]}", &frequency_response_table(),
          [](const TableView& view, const Scope& scope) {
            return read_transfer(view, scope, frequency_fields());
          }};
}

}  // namespace solidyn::model
