#include "reduction/eigen/multigrid.h"

#include <fmt/format.h>

#include "reduction/eigen/pencil.h"
#include "reduction/eigen/two_levels.h"
#include "solidyn/base/petsc_options.h"
#include "solvers/near_null_space.h"

namespace solidyn::reduction {
namespace {

constexpr const char* kPrefixOfModes = "modes_";

// What -modes_pc_type asks for, or what there is.
std::string choose_type(const Pencil& pencil) {
  const auto word = base::option_word(kPrefixOfModes, "-pc_type");
  const bool has_corners = pencil.interpolation.get() != nullptr;
  if (!word) return has_corners ? PCMG : PCGAMG;
  const std::string& type = *word;
  if (type == PCGAMG || (type == PCMG && has_corners)) return type;
  if (type == PCMG)
    throw base::InputError(
        "option -modes_pc_type mg needs elements with nodes in the middle of their edges",
        "use gamg, or remove it");
  throw base::InputError(
      fmt::format("option -modes_pc_type is `{}`, which is not of the iterative route", type),
      "write mg or gamg, or remove it");
}

}  // namespace

std::unique_ptr<BlockPreconditioner> make_multigrid(Pencil& pencil) {
  std::unique_ptr<BlockPreconditioner> made;
  if (choose_type(pencil) == PCGAMG) {
    made = std::make_unique<Multigrid>(pencil.shifted, pencil.rigid);
  } else {
    MultiVector rigid(3 * static_cast<Eigen::Index>(pencil.corner_blocks.size()),
                      pencil.rigid.cols());
    for (std::size_t k = 0; k < pencil.corner_blocks.size(); ++k)
      rigid.middleRows<3>(3 * static_cast<Eigen::Index>(k)) =
          pencil.rigid.middleRows<3>(Eigen::Index{3} * pencil.corner_blocks[k]);
    made = std::make_unique<TwoLevels>(pencil.shifted, pencil.interpolation, rigid);
  }
  pencil.shifted = base::Mat();
  pencil.interpolation = base::Mat();
  return made;
}

Multigrid::Multigrid(Mat A, const MultiVector& rigid) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  solvers::attach_near_null_space(A, rigid);
  SOLIDYN_PETSC(PCCreate(comm, pc_.out()));
  SOLIDYN_PETSC(PCSetOptionsPrefix(pc_, kPrefixOfModes));
  SOLIDYN_PETSC(PCSetOperators(pc_, A, A));
  SOLIDYN_PETSC(PCSetType(pc_, PCGAMG));
  base::obey_options({"the reduction", kPrefixOfModes, comm},
                     [this] { return PCSetFromOptions(pc_); });
  SOLIDYN_PETSC(PCSetType(pc_, PCGAMG));  // below two levels too, where -modes_pc_type is mg
  SOLIDYN_PETSC(PCSetUp(pc_));
  levels_ = take_levels(pc_);
}

BlockCycle& Multigrid::cycle(int width) const {
  const auto found = cycles_.find(width);
  if (found != cycles_.end()) return found->second;
  ::KSP coarse = nullptr;
  SOLIDYN_PETSC(PCMGGetCoarseSolve(pc_, &coarse));
  return cycles_
      .emplace(std::piecewise_construct, std::forward_as_tuple(width),
               std::forward_as_tuple(levels_, coarse, width))
      .first->second;
}

MultiVector Multigrid::apply(const MultiVector& r) const {
  constexpr Eigen::Index kWidest = 8;  // more vectors at once gain little and need more memory
  MultiVector z(r.rows(), r.cols());
  Eigen::Index n = 0;
  for (Eigen::Index j = 0; j < r.cols(); j += n) {
    n = std::min(kWidest, r.cols() - j);
    const int width = n > 4 ? 8 : n > 2 ? 4 : static_cast<int>(n);
    cycle(width).apply(r.middleCols(j, n), z.middleCols(j, n));
  }
  return z;
}

}  // namespace solidyn::reduction
