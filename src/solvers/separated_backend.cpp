// SymmetricFactor on several ranks: by a separator, or by MUMPS.
#include "separated_factor.h"
#include "solidyn/base/log.h"
#include "symmetric_backend.h"

namespace solidyn::solvers {
namespace {

class SeparatedBackend final : public SymmetricFactor::Backend {
 public:
  SeparatedBackend(MPI_Comm comm, Precision precision)
      : comm_(comm), precision_(precision), separated_(comm, precision) {}

  SymmetricFactor::Outcome factorise(::Mat A, std::string& error) override {
    is_separated_ = false;
    error.clear();
    const auto outcome = separated_.factorise(A);
    if (!outcome) return factorise_by_mumps(A, error);
    is_separated_ = true;
    mumps_.reset();
    if (*outcome == SymmetricFactor::Outcome::done) tell();
    if (*outcome == SymmetricFactor::Outcome::not_positive_definite)
      error = "the rows of a rank, or what others leave of those between them, are indefinite";
    return *outcome;
  }
  void solve(const double* B, double* X, int n_columns) override {
    if (is_separated_)
      separated_.solve(B, X, n_columns);
    else
      mumps_->solve(B, X, n_columns);
  }
  int n_negative() const override { return 0; }
  int n_zero() const override { return 0; }
  double bytes() const override { return is_separated_ ? separated_.bytes() : mumps_->bytes(); }

 private:
  SymmetricFactor::Outcome factorise_by_mumps(::Mat A, std::string& error) {
    if (!mumps_) mumps_ = make_mumps(comm_, SymmetricFactor::Kind::positive_definite, precision_);
    return mumps_->factorise(A, error);
  }
  // Which of the two ways ranks share a factor in, when that changes.
  void tell() {
    if (separated_.n_separator() == told_) return;
    told_ = separated_.n_separator();
    base::log_info(
        "each rank factorises its own of {} unknowns, and all ranks those {} that are between them",
        separated_.n_rows(), told_);
  }

  MPI_Comm comm_;
  Precision precision_;
  SeparatedFactor separated_;
  std::unique_ptr<Backend> mumps_;  // where it is needed
  bool is_separated_ = false;
  int told_ = -1;
};

}  // namespace

std::unique_ptr<SymmetricFactor::Backend> SymmetricFactor::Backend::make_separated(
    MPI_Comm comm, Precision precision) {
  return std::make_unique<SeparatedBackend>(comm, precision);
}

}  // namespace solidyn::solvers
