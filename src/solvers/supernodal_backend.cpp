// SymmetricFactor on one rank: PETSc's matrices for SupernodalFactor.
#include <type_traits>

#include "solidyn/base/petsc.h"
#include "symmetric_backend.h"

namespace solidyn::solvers {
namespace {

static_assert(std::is_same_v<PetscInt, int>, "PETSc with 32-bit indices");

// By rows, whole; what is not is converted.
class Rows {
 public:
  explicit Rows(::Mat A) : A_(A) {
    PetscBool is_by_rows = PETSC_FALSE;
    SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(A), MATSEQAIJ, &is_by_rows));
    if (!is_by_rows) {
      SOLIDYN_PETSC(MatConvert(A, MATSEQAIJ, MAT_INITIAL_MATRIX, converted_.out()));
      A_ = converted_;
    }
    SOLIDYN_PETSC(MatGetBlockSize(A, &view_.block));
    PetscBool is_done = PETSC_FALSE;
    SOLIDYN_PETSC(MatGetRowIJ(A_, 0, PETSC_FALSE, PETSC_FALSE, &view_.n, &view_.starts, &view_.rows,
                              &is_done));
    SOLIDYN_PETSC(MatSeqAIJGetArrayRead(A_, &view_.values));
  }
  ~Rows() {  // PETSc has given them before
    PetscBool is_done = PETSC_FALSE;
    MatSeqAIJRestoreArrayRead(A_, &view_.values);
    MatRestoreRowIJ(A_, 0, PETSC_FALSE, PETSC_FALSE, &view_.n, &view_.starts, &view_.rows,
                    &is_done);
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  const SymmetricColumns& view() const { return view_; }

 private:
  ::Mat A_;
  base::Mat converted_;
  SymmetricColumns view_;
};

class SupernodalBackend final : public SymmetricFactor::Backend {
 public:
  explicit SupernodalBackend(Precision precision) : factor_(precision) {}

  SymmetricFactor::Outcome factorise(::Mat A, std::string& error) override {
    using Mine = SupernodalFactor::Outcome;
    const Mine outcome = factor_.factorise(Rows(A).view());
    error = factor_.error();
    if (outcome == Mine::done) return SymmetricFactor::Outcome::done;
    return outcome == Mine::out_of_memory ? SymmetricFactor::Outcome::out_of_memory
                                          : SymmetricFactor::Outcome::not_positive_definite;
  }
  void solve(const double* B, double* X, int n_columns) override { factor_.solve(B, X, n_columns); }
  int n_negative() const override { return 0; }
  int n_zero() const override { return 0; }
  double bytes() const override { return factor_.bytes(); }

 private:
  SupernodalFactor factor_;
};

}  // namespace

std::unique_ptr<SymmetricFactor::Backend> SymmetricFactor::Backend::make_supernodal(
    Precision precision) {
  return std::make_unique<SupernodalBackend>(precision);
}

}  // namespace solidyn::solvers
