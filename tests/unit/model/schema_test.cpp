#include "solidyn/model/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "solidyn/model/grammar.h"

namespace solidyn::model {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = SOLIDYN_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A Python that has what validate.py imports; "" if there is none.
std::string find_python() {
  for (const char* python : {"/usr/bin/python3", "python3"})
    if (std::system((std::string(python) + " -c 'import jsonschema, yaml' 2>/dev/null").c_str()) ==
        0)
      return python;
  return "";
}

TEST(Schema, ShippedFileIsUpToDate) {
  EXPECT_EQ(text_of(kSource / "doc/solidyn.schema.json"), json_schema())
      << "renew it with  solidyn schema > doc/solidyn.schema.json";
}

TEST(Schema, ManualsKeyTablesAreUpToDate) {
  EXPECT_THAT(text_of(kSource / "doc/model_file.md"), testing::HasSubstr(key_tables()))
      << "renew the part below `## All keys` with  solidyn schema --keys";
}

TEST(Schema, EveryKeyHasMeaningAndExampleOrWords) {
  for (const TableSpec* table : all_tables())
    for (const KeySpec& key : table->keys) {
      EXPECT_FALSE(key.meaning.empty()) << table->name << "." << key.key;
      EXPECT_FALSE(key.example.empty()) << table->name << "." << key.key;
    }
}

// Python's jsonschema accepts the models of this project and of the examples with it, and rejects
// wrong ones; the script prints what it did.
TEST(Schema, AgreesWithTheParser) {
  const std::string python = find_python();
  if (python.empty()) GTEST_SKIP() << "python3-jsonschema and python3-yaml are not installed";
  std::string command = python + " " + (kSource / "tests/unit/model/validate.py").string();
  for (const char* argument : {"doc/solidyn.schema.json", "tests/robustness/models",
                               "tests/unit/model/full.yaml", "examples"})
    command += " " + (kSource / argument).string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace
}  // namespace solidyn::model
