#include "solidyn/base/program.h"

#include <slepc.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <new>

#include "solidyn/base/blas_check.h"
#include "solidyn/base/blas_kernels.h"
#include "solidyn/base/crash.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/meeting.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"

namespace solidyn::base {
namespace {

/// SlepcInitialize and SlepcFinalize as a scope.
class PetscScope {
 public:
  explicit PetscScope(const std::vector<std::string>& arguments) : words_(arguments) {
    words_.insert(words_.begin(), "solidyn");
    for (std::string& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
    int argc = static_cast<int>(words_.size());
    char** argv = argv_.data();
    use_blas_kernels_of_this_processor();
    expect_single_process_without_launcher();
    SOLIDYN_PETSC(SlepcInitialize(&argc, &argv, nullptr, nullptr));
    LogStage::begin();
    // Failures come back as an error code, which we report once, instead of PETSc's own report.
    SOLIDYN_PETSC(PetscPopSignalHandler());
    SOLIDYN_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
    install_crash_handlers();
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
    log_message(LogLevel::error, message);
    return leave("error: " + message, kExitFailed, rank(PETSC_COMM_WORLD) == 0);
  }

  int refuse(const std::string& message) {
    const bool speaks = rank(PETSC_COMM_WORLD) == 0;
    if (speaks) std::cerr << message << std::endl;
    return leave(message, kExitWrongInput, speaks);
  }

 private:
  int leave(const std::string& message, int status, bool has_spoken) {
    if (meeting_.all_arrive(std::chrono::seconds(10))) return status;
    if (!has_spoken)
      std::cerr << fmt::format("rank {}: {}", rank(PETSC_COMM_WORLD), message) << std::endl;
    meeting_.abort(status);
  }

  const Meeting meeting_{PETSC_COMM_WORLD};
};

}  // namespace

int run_program(const std::vector<std::string>& petsc_arguments, const std::function<int()>& work) {
  const PetscScope petsc(petsc_arguments);
  ExitDoor door;
  try {
    run_together(PETSC_COMM_WORLD, [] { reserve_blas_memory(); });
    return work();
  } catch (const InputError& error) {
    return door.refuse(error.what());
  } catch (const std::bad_alloc&) {
    return door.fail("out of memory");
  } catch (const std::exception& error) {
    return door.fail(error.what());
  }
}

void print_once(const std::string& text) {
  if (rank(PETSC_COMM_WORLD) == 0) std::fputs(text.c_str(), stdout);
}

}  // namespace solidyn::base
