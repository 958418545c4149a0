#include "solidyn/base/log_stage.h"

#include <array>

#include "solidyn/base/petsc.h"

namespace solidyn::base {
namespace {

constexpr std::array kNames = {"Reading", "Reduction", "Start",    "Residual", "Tangent",
                               "Factor",  "Solve",     "Contacts", "Output"};
std::array<PetscLogStage, kNames.size()> registered;

}  // namespace

bool LogStage::is_logging_ = false;

void LogStage::begin() {
  PetscBool is_active = PETSC_FALSE;
  SOLIDYN_PETSC(PetscLogIsActive(&is_active));
  if (!is_active || is_logging_) return;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    SOLIDYN_PETSC(PetscLogStageRegister(kNames[i], &registered[i]));
  is_logging_ = true;
}

void LogStage::enter(Stage stage) {
  SOLIDYN_PETSC(PetscLogStagePush(registered[static_cast<std::size_t>(stage)]));
  is_inside_ = true;
}

void LogStage::leave() noexcept {
  // A destructor has nobody to tell; PETSc's finalisation closes stages that are open.
  static_cast<void>(PetscLogStagePop());
}

}  // namespace solidyn::base
