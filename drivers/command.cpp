#include "command.h"

#include <fmt/format.h>
#include <slepc.h>

#include <chrono>
#include <iostream>

#include "solidyn/base/blas_check.h"
#include "solidyn/base/crash.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/meeting.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/model/units.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;

/// SlepcInitialize and SlepcFinalize as a scope.
class PetscScope {
 public:
  explicit PetscScope(const std::vector<std::string>& arguments) : words_(arguments) {
    words_.insert(words_.begin(), "solidyn");
    for (std::string& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
    int argc = static_cast<int>(words_.size());
    char** argv = argv_.data();
    SOLIDYN_PETSC(SlepcInitialize(&argc, &argv, nullptr, nullptr));
    // What went wrong comes back as an error, of which we tell once, and not as PETSc's own report.
    SOLIDYN_PETSC(PetscPopSignalHandler());
    SOLIDYN_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
    base::install_crash_handlers();
  }
  PetscScope(const PetscScope&) = delete;
  PetscScope& operator=(const PetscScope&) = delete;
  ~PetscScope() { SlepcFinalize(); }

 private:
  std::vector<std::string> words_;  // PETSc keeps pointers into them
  std::vector<char*> argv_;
};

/// The ranks' way out after an error: together when all have come here, else by MPI_Abort.
class ExitDoor {
 public:
  // A failure also goes to the log file of the run, where one is open.
  int fail(const std::string& message) {
    base::log_message(base::LogLevel::error, message);
    return leave("error: " + message, kFailed, base::rank(PETSC_COMM_WORLD) == 0);
  }

  int refuse(const std::string& message) {
    const bool speaks = base::rank(PETSC_COMM_WORLD) == 0;
    if (speaks) std::cerr << message << std::endl;
    return leave(message, kWrongInput, speaks);
  }

 private:
  int leave(const std::string& message, int status, bool has_spoken) {
    if (meeting_.all_arrive(std::chrono::seconds(10))) return status;
    if (!has_spoken)
      std::cerr << fmt::format("rank {}: {}", base::rank(PETSC_COMM_WORLD), message) << std::endl;
    meeting_.abort(status);
  }

  const base::Meeting meeting_{PETSC_COMM_WORLD};
};

}  // namespace

Options::Options(std::string usage, std::string purpose, std::string example)
    : usage_(std::move(usage)), purpose_(std::move(purpose)), example_(std::move(example)) {
  named_.add_options()("help,h", "show this help");
}

void Options::add_positional(const char* name, const char* meaning) {
  hidden_.add_options()(name, po::value<std::string>(), meaning);
  positional_.add(name, 1);
  positional_names_.emplace_back(name);
}

bool Options::parse(const Arguments& arguments) {
  po::options_description all;
  all.add(named_).add(hidden_);
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments.own)
                  .options(all)
                  .positional(positional_)
                  .style(style)
                  .run(),
              values_);
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(fmt::format(
        "more than {} argument{}; usage: {}",
        positional_names_.size() == 1 ? "one" : fmt::to_string(positional_names_.size()),
        positional_names_.size() == 1 ? "" : "s", usage_));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; usage: {}", error.what(), usage_));
  }
  if (has("help")) {
    print_help();
    return false;
  }
  for (const std::string& name : positional_names_)
    if (!has(name)) throw UsageError(fmt::format("the {} is missing; usage: {}", name, usage_));
  return true;
}

std::vector<std::string> Options::texts(const std::string& name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

void Options::print_help() const {
  std::cout << "usage: " << usage_ << "\n\n" << purpose_ << "\n\n" << named_;
  std::cout << "\nexample:\n  " << example_ << std::endl;
}

int run_with_petsc(const std::vector<std::string>& petsc_arguments,
                   const std::function<void()>& work) {
  const PetscScope petsc(petsc_arguments);
  ExitDoor door;
  try {
    base::run_together(PETSC_COMM_WORLD, [] { base::reserve_blas_memory(); });
    work();
    return kDone;
  } catch (const base::InputError& error) {
    return door.refuse(error.what());
  } catch (const std::bad_alloc&) {
    return door.fail("out of memory");
  } catch (const std::exception& error) {
    return door.fail(error.what());
  }
}

double metres_per(const std::string& unit) {
  if (const std::optional<double> metres = model::find_length_unit(unit)) return *metres;
  throw UsageError(
      fmt::format("unknown unit of length `{}`; known are m, dm, cm, mm, um, in, ft", unit));
}

imported::Units mesh_units(const std::string& word) {
  if (const std::optional<double> metres = model::find_length_unit(word)) return {*metres, 1, 1};
  try {
    return imported::units_by_name(word);
  } catch (const base::InputError& e) {
    throw UsageError(
        fmt::format("unknown unit of length `{}`; known are m, dm, cm, mm, um, in, ft, and of "
                    "sets of units {}",
                    word, e.diagnostics().front().remedy));
  }
}

void refuse_unit_of_length(const std::string& file, const std::string& contents,
                           const std::string& word) {
  const std::optional<double> metres = model::find_length_unit(word);
  if (!metres || *metres == 1.0) return;
  throw base::InputError(
      fmt::format("{} has {}, which --mesh-units {}, a unit of length, does not convert", file,
                  contents, word),
      "name its set of units, for example  --mesh-units tonne-mm-s");
}

void refuse_unit_of_length(const imported::SolidModel& model, const std::string& word) {
  if (model.materials.empty() && model.masses.empty()) return;
  refuse_unit_of_length(
      model.source,
      fmt::format("{} materials and {} point masses", model.materials.size(), model.masses.size()),
      word);
}

void print_usage_error(const std::string& message) {
  MPI_Init(nullptr, nullptr);
  if (base::rank(MPI_COMM_WORLD) == 0) std::cerr << message << std::endl;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}

}  // namespace solidyn::drivers
