#pragma once
#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "command.h"
#include "solidyn/simulation/bench.h"

/// What the benches of one large body share: which body, and files with a line for each run.
namespace solidyn::drivers {

/// The value of a name. @throws UsageError with the names that are known
template <class Value>
Value choice(const char* what, const std::string& name, const std::map<std::string, Value>& known) {
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  std::string names;
  for (const auto& [key, value] : known) names += (names.empty() ? "" : ", ") + key;
  throw UsageError(fmt::format("unknown {} `{}`; known are {}", what, name, names));
}

/// Declares the options of the body, its steps, and -o.
void declare_bench_body(Options& options);
/// @throws UsageError
simulation::BenchOptions bench_body(const Options& options);
/// How many unknowns, of which some are meant for each rank. @pre MPI is initialised
void size_bench_body(const Options& options, simulation::BenchOptions& bench);

/// Appends to a file. With no text a trial, before hours of work whose result would have no place.
/// @throws base::InputError
void append(const std::string& file, const std::string& text);

/// Visits the lines of a file that are not empty, with "FILE:number". @throws base::InputError
void for_each_line(const std::string& file,
                   const std::function<void(const std::string&, const std::string&)>& visit);
template <class Parse>
auto read_lines(const std::string& file, const Parse& parse) {
  std::vector<decltype(parse(std::string(), std::string()))> results;
  for_each_line(file, [&](const std::string& line, const std::string& where) {
    results.push_back(parse(line, where));
  });
  return results;
}

/// Rank 0 works; the others wait for its verdict.
void on_first_rank(const std::function<void()>& work);

}  // namespace solidyn::drivers
