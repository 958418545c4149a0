#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

/// Files of other programs, and what is known of them: tests/data/interop/README.md.
namespace solidyn::testing_support {

inline std::string sample_folder() {
  return std::string(SOLIDYN_SOURCE_DIR) + "/tests/data/interop/";
}

/// The path of a sample such as "nastran/op4/rd.op4"; of one whose licence keeps it out of the
/// project, the path beside the project. Empty when it is in neither place.
inline std::string sample(const std::string& name) {
  for (const std::string& folder :
       {sample_folder(), std::string(SOLIDYN_SOURCE_DIR) + "/../shared/interop/samples/"})
    if (std::filesystem::exists(folder + name)) return folder + name;
  return {};
}

/// The bytes of a sample.
inline std::string bytes_of(const std::string& name) {
  std::ifstream file(sample(name), std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// facts.json's facts of a sample. Throws when the file or the sample is missing in it.
inline nlohmann::json facts_of(const std::string& name) {
  std::ifstream file(sample_folder() + "facts.json");
  return nlohmann::json::parse(file).at(name).at("facts");
}

/// In a test: skips it, aloud, when a sample is not there.
#define SOLIDYN_REQUIRE_SAMPLE(name)                                      \
  if (::solidyn::testing_support::sample(name).empty())                   \
  GTEST_SKIP() << name << " is not in the project, for its licence; put " \
               << "../shared/interop/samples beside it to run this test"

}  // namespace solidyn::testing_support
