#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::simulation {

/// What the results of benches share: each is a line of JSON, whose keys its own for_each_value()
/// lists once, for writing and for reading. `for_each_value(visit)` calls visit(key, value) for
/// each number and text, with keys as "seconds/mesh" for members of members.

/// @param kind  "bench scaling", of the key `solidyn`
template <class ForEachValue>
std::string write_bench_line(const char* kind, const ForEachValue& for_each_value) {
  using Json = nlohmann::ordered_json;
  Json json = {{"solidyn", kind}, {"version", SOLIDYN_VERSION}};
  for_each_value([&](const std::string& key, const auto& value) {
    json[Json::json_pointer("/" + key)] = value;
  });
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// @param where  names the line in the error  @throws base::InputError for anything else
template <class ForEachValue>
void read_bench_line(const std::string& line, const char* kind, const std::string& where,
                     const ForEachValue& for_each_value) {
  using Json = nlohmann::ordered_json;
  const std::string remedy = fmt::format("give a file written by `solidyn {} -o`", kind);
  try {
    const Json json = Json::parse(line);
    if (json.at("solidyn") != kind)
      throw base::InputError(fmt::format("{} is not a result of `solidyn {}`", where, kind),
                             remedy);
    for_each_value([&](const std::string& key, auto& value) {
      json.at(Json::json_pointer("/" + key)).get_to(value);
    });
  } catch (const nlohmann::json::exception& error) {
    throw base::InputError(
        fmt::format("{} is not a result of `solidyn {}`: {}", where, kind, error.what()), remedy);
  }
}

/// Results of the same mesh have the same energy on any number of ranks, to 1e-9.
/// @throws base::InputError where they have not
template <class Result>
void refuse_different_answers(const std::vector<Result>& results) {
  constexpr double kAgree = 1e-9;
  std::map<std::tuple<std::string, std::string, std::string, std::int64_t>, const Result*> first;
  for (const Result& r : results) {
    const Result* other =
        first.try_emplace({r.mesh, r.element, r.formulation, r.n_dofs}, &r).first->second;
    const double difference = std::abs(r.check.energy - other->check.energy);
    if (difference > kAgree * std::abs(other->check.energy))
      throw base::InputError(
          fmt::format(
              "{} with {} unknowns has the energy {:.12g} J on {} ranks, but {:.12g} J on {}",
              r.mesh, r.n_dofs, r.check.energy, r.ranks, other->check.energy, other->ranks),
          "these are different problems: compare only results of the same mesh and program version");
  }
}

}  // namespace solidyn::simulation
