// Every file tests/robustness/models/*.yaml is wrong, and says in its first lines how:
//   # expect <line>: <part of the message>
// The loader must find exactly that. `placeholder.msh` is there for files that name a mesh which
// exists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  int line = 0;
  std::string fragment;
};

fs::path folder() { return fs::path(SOLIDYN_SOURCE_DIR) / "tests/robustness/models"; }

std::vector<std::string> wrong_models() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Expectation> expectations(const fs::path& path) {
  static const std::regex pattern("# expect ([0-9]+): (.*)");
  std::vector<Expectation> expected;
  std::ifstream file(path);
  std::smatch match;
  for (std::string line; std::getline(file, line) && std::regex_match(line, match, pattern);)
    expected.push_back({std::stoi(match[1]), match[2]});
  return expected;
}

bool fits(const base::Diagnostic& diagnostic, const Expectation& expected) {
  const std::string text = diagnostic.what + "\n" + diagnostic.remedy;
  return diagnostic.where.line == expected.line &&
         text.find(expected.fragment) != std::string::npos;
}

class WrongModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Files, WrongModel, testing::ValuesIn(wrong_models()),
                         [](const auto& info) { return info.param; });

TEST_P(WrongModel, EachErrorIsReportedWithItsLineAndARemedyAndNothingElse) {
  const fs::path path = folder() / (GetParam() + ".yaml");
  const std::vector<Expectation> expected = expectations(path);
  ASSERT_FALSE(expected.empty());
  try {
    load_model(path);
    FAIL() << "the model was accepted";
  } catch (const base::InputError& error) {
    const auto& found = error.diagnostics();
    EXPECT_EQ(found.size(), expected.size()) << error.what();
    for (const Expectation& e : expected)
      EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                              [&](const base::Diagnostic& d) { return fits(d, e); }))
          << "no line " << e.line << ": " << e.fragment << " in\n"
          << error.what();
    for (const base::Diagnostic& d : found) {
      EXPECT_EQ(d.where.file, path.string());
      EXPECT_FALSE(d.remedy.empty()) << d.what;
      EXPECT_TRUE(d.where.column > 0 || d.where.line == 0) << d.what;
    }
  }
}

TEST(WrongModels, AreManyKinds) { EXPECT_GE(wrong_models().size(), 100u); }

/// A model that uses most of the grammar, to be damaged.
std::string full_model() {
  std::ifstream file(fs::path(SOLIDYN_SOURCE_DIR) / "tests/unit/model/full.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whatever bytes are lost or changed, the loader answers with a model or an InputError.
TEST(DamagedModel, CutAnywhereIsAModelOrAnInputError) {
  const std::string text = full_model();
  ASSERT_GT(text.size(), 1000u);
  int n_rejected = 0;
  for (std::size_t n = 0; n < text.size(); n += 7) {
    try {
      parse_model(text.substr(0, n), "cut.yaml", folder());
    } catch (const base::InputError& error) {
      ++n_rejected;
      EXPECT_FALSE(error.diagnostics().empty());
    }
  }
  EXPECT_GT(n_rejected, 100);
}

TEST(DamagedModel, ChangedBytesAreAModelOrAnInputError) {
  const std::string text = full_model();
  const std::string bytes = std::string("\0\xff:[]{}#&*!|>'\"%@`-\n\t 9e", 24);
  unsigned state = 12345;  // a fixed sequence: failures repeat
  const auto next = [&state](std::size_t n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::size_t>(state >> 8) % n;
  };
  int n_rejected = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string damaged = text;
    for (int k = 0; k < 3; ++k) damaged[next(text.size())] = bytes[next(bytes.size())];
    try {
      parse_model(damaged, "damaged.yaml", folder());
    } catch (const base::InputError&) {
      ++n_rejected;
    }
  }
  EXPECT_GT(n_rejected, 250);
}

TEST(WrongFile, ThatIsNotThereOrAFolderIsAnInputError) {
  EXPECT_THROW(load_model(folder() / "no_such_model.yml"), base::InputError);
  EXPECT_THROW(load_model(folder()), base::InputError);
}

TEST(WrongFile, AliasesThatExpandWithoutEndAreRefused) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) text += (k ? ", *a" : "*a") + std::to_string(i - 1);
    text += "]\n";
  }
  try {
    parse_model(text, "bomb.yaml", folder());
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("more than 2000000 values"));
  }
}

}  // namespace
}  // namespace solidyn::model
