#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/model/load.h"
#include "solidyn/results/read_history.h"
#include "solidyn/simulation/run.h"
#include "text_file.h"

/// Runs of models that are written in the tests themselves, into folders that go with the test.
namespace solidyn::simulation::testing_support {

inline model::ModelDescription parsed(const std::string& text,
                                      const std::vector<std::string>& overrides = {}) {
  return model::parse_model(text, "model.yaml", SOLIDYN_SOURCE_DIR, overrides);
}

/// The log goes into the runs' files only.
class RunsInMemory : public testing::Test {
 protected:
  results::RunStatus run(const std::string& text, const std::vector<std::string>& overrides = {},
                         RunOptions options = {}) {
    options.folder = out_;
    return simulation::run(MPI_COMM_SELF, parsed(text, overrides), options);
  }
  results::RunStatus resume(const std::string& text,
                            const std::vector<std::string>& overrides = {}) {
    RunOptions options;
    options.restart = true;
    return run(text, overrides, options);
  }
  /// Of a run that must end in an error of this type.
  template <class Error>
  std::string message(const std::string& text, const std::vector<std::string>& overrides = {},
                      RunOptions options = {}) {
    try {
      run(text, overrides, std::move(options));
    } catch (const Error& e) {
      return e.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }
  nlohmann::json summary() const { return nlohmann::json::parse(written("summary.json")); }
  results::History history() const { return results::read_history(path("history.csv")); }
  std::string written(const std::string& name) const { return test::read_text(path(name)); }
  std::string path(const std::string& name) const { return out_ + "/" + name; }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  test::ScratchFolder scratch_{MPI_COMM_SELF};
  std::string out_ = scratch_ / "out";
  base::LogScope quiet_{MPI_COMM_SELF};
};

}  // namespace solidyn::simulation::testing_support
