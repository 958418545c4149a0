#pragma once
#include <petsc.h>

#include <string>
#include <utility>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::base {

/// Throws ComputationError with the call, file, line and PETSc's own text.
[[noreturn]] void throw_petsc_error(PetscErrorCode code, const char* call, const char* file,
                                    int line);

/// Hands options to PETSc: first those of a text like "-ksp_type cg -ksp_rtol 1e-8", then the words
/// of the command line again, so that these win. For objects created from now on; -log_view takes
/// effect at once.
/// @throws InputError when the text holds something else than options and their values
void insert_petsc_options(const std::string& text, const std::vector<std::string>& command_line);

/// One warning in the log that lists the unused PETSc options:
/// misspelt, or of an object that the program did not need. PETSc's own report of them comes only
/// if -options_left asks for it.
void warn_of_unused_petsc_options();

/// True between PetscInitialize and PetscFinalize.
bool petsc_is_running();

/// Owns one PETSc object. Creation and destruction are collective: no handle is born, dies or is
/// overwritten in a branch that depends on the rank.
template <class T, PetscErrorCode (*Destroy)(T*)>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (object_ && petsc_is_running()) Destroy(&object_);
  }
  T get() const { return object_; }
  operator T() const {
    return object_;
  }  // NOLINT(google-explicit-constructor): PETSc calls take it
  /// For calls that create: SOLIDYN_PETSC(VecDuplicate(x, r.out())). @pre empty
  T* out() {
    SOLIDYN_ASSERT(!object_);
    return &object_;
  }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T object_ = nullptr;
};

using Vec = Handle<::Vec, VecDestroy>;
using Mat = Handle<::Mat, MatDestroy>;
using Ksp = Handle<::KSP, KSPDestroy>;
using Ts = Handle<::TS, TSDestroy>;
using IndexSet = Handle<::IS, ISDestroy>;
using Scatter = Handle<::VecScatter, VecScatterDestroy>;

/// How many iterations the last solution took. Collective. @param what begins the error's text
/// @throws ComputationError where the solver did not converge
int iterations_of(::KSP ksp, const std::string& what);

}  // namespace solidyn::base

/// Every PETSc and SLEPc call passes through this.
#define SOLIDYN_PETSC(call)                                                         \
  do {                                                                              \
    const PetscErrorCode solidyn_code_ = (call);                                    \
    if (solidyn_code_)                                                              \
      ::solidyn::base::throw_petsc_error(solidyn_code_, #call, __FILE__, __LINE__); \
  } while (false)
