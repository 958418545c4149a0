#pragma once

namespace solidyn::solvers {

/// Who iterates on the equations of an implicit step and of an equilibrium: the code's own Newton
/// method, or PETSc's SNES with its line searches, trust regions and monitors (Snes).
enum class Nonlinear { newton, snes };

}  // namespace solidyn::solvers
