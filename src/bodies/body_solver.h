#pragma once
#include <Eigen/Dense>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bodies/factor_size.h"
#include "bodies/multigrid/corner_cycle.h"
#include "bodies/solver_choice.h"
#include "solidyn/base/error.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/mesh/distributed_mesh.h"
#include "solvers/refined_factor.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::bodies {

/// What a factorisation accepts.
enum class Definiteness { positive, any };
/// What most solutions are for.
enum class Solutions {
  corrections,  ///< Newton's method goes on from there
  exact         ///< nothing corrects them
};

/// Conjugate gradients or a factorisation found a matrix that is not positive definite.
class NotPositiveDefinite : public base::ComputationError {
 public:
  using base::ComputationError::ComputationError;
};

/// Solves with one symmetric matrix of a full-mesh body, positive definite or, where the caller
/// allows it, indefinite (then by L D L^T), block size 3. All calls are collective.
///
/// Default: Cholesky with nodes ordered by METIS, by SupernodalFactor on each rank, or by MUMPS
/// where its separator is large; in single precision where most solutions are corrections,
/// or only that factor fits into the machine's memory, and where none does conjugate gradients:
/// with the nodes' 3 x 3 blocks where masses dominate, else with a cycle of two levels, the mesh
/// and its corners, or with GAMG on the rigid motions where there are no other nodes than corners.
/// PETSc options with the prefix `body_<name>_` (where there are any; else `body_`) override every
/// choice,
/// `-body_precision single|double` that of the factor's precision. A matrix too ill-conditioned for
/// single precision gets a factor in double precision, with a warning.
class BodySolver {
 public:
  /// @param predict_bytes collective; called where the size of a factor decides what is taken
  BodySolver(MPI_Comm comm, std::string name, const FactorBytes& predict_bytes,
             Solutions solutions = Solutions::exact);

  bool is_iterative() const { return is_iterative_; }
  /// Whether solve_roughly() gives what solve() gives.
  bool is_exact() const { return !is_iterative_ && !uses_single_; }
  /// Conjugate gradients multiply without the matrix, unless -body_matrix_free 0 asks for it.
  bool is_matrix_free() const { return is_matrix_free_; }
  /// What the solver reads without conversion: whole rows, or the upper triangle (MUMPS, at half
  /// the memory).
  MatType matrix_type() const { return wants_rows_ ? MATAIJ : MATSBAIJ; }

  /// What makes conjugate gradients converge. Blocks and corners need no assembled matrix.
  enum class Preconditioner { blocks, corners, assembled };
  /// Whether products without a matrix may be all that the solver needs.
  bool may_do_without_matrix() const;
  /// Whether the options ask for the level of corners, -body_pc_type mg.
  bool insists_on_corners() const;
  /// Called for a body without that level. @throws base::InputError where the options ask for it
  void refuse_corners() const;
  /// @param stiffness_ratio of the diagonal, stiffness over mass: its largest
  Preconditioner choose(double stiffness_ratio, bool has_corners) const;
  /// Whether the cycle of two levels is to be made in single precision: by default.
  bool has_single_cycle() const { return has_single_cycle_; }
  /// Sets up the preconditioner, which is not `assembled`.
  /// @param shell multiplies like A, and has its diagonal and blocks
  /// @param smoothed  the same for the smoother of Preconditioner::corners
  /// @param corners for Preconditioner::corners, of A
  void set_shell(::Mat shell, const std::string& what, Preconditioner preconditioner,
                 double stiffness_ratio, ::Mat smoothed, const CoarseLevel* corners);
  /// Nodes of the mesh, which must outlive this object, are named where a solution is not found.
  void name_nodes_of(const mesh::DistributedMesh& mesh) { mesh_ = &mesh; }

  /// Factorises A, or sets up the preconditioner. @param what names A in the error
  /// @param x [3 x n_owned] node positions, of which multigrid makes the rigid motions
  /// @param stiffness_ratio of A's diagonal, stiffness over mass: its largest
  /// @param shell multiplies like A, for is_matrix_free(); A then makes the preconditioner
  void set_matrix(Mat A, const std::string& what, const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                  double stiffness_ratio, Mat shell = nullptr,
                  Definiteness definiteness = Definiteness::positive);
  /// Collective. Whether an indefinite matrix may have a factor in place of iterations: where it
  /// fits into the memory, which for iterations that options have chosen is predicted here, once.
  bool may_replace_iterations(const FactorBytes& predict_bytes);
  /// Factorises A, which conjugate gradients have refused, by L D L^T: until another is set.
  void replace_iterations(Mat A, const std::string& what);
  /// Throws ComputationError where iterations do not converge, with the nodes that hold them up.
  void solve(::Vec b, ::Vec x);
  /// Iterative solves end at this relative residual, factors in single precision at this relative
  /// error, for an iteration that continues from there.
  void solve_roughly(::Vec b, ::Vec x, double tolerance);
  /// @param guess of the solutions, for iterations to begin with; empty: zero
  Eigen::MatrixXd solve_roughly(const Eigen::MatrixXd& B, double tolerance,
                                const Eigen::MatrixXd& guess = {});
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);

  int iterations() const { return iterations_; }  ///< of all solves so far

  /// Negative eigenvalues of the matrix.
  struct Negatives {
    int at_least = 0;
    bool is_exact = true;  ///< else there may be more
  };
  /// Collective. By Sylvester's law of inertia from the factor that there is, else from one that is
  /// made for this; of conjugate gradients whether there are any, by a solution for a rough field
  /// (body_solver_inertia.cpp). Kept until another matrix is set.
  Negatives count_negatives();

 private:
  // Newton corrects what an iterative solve leaves; tighter gains no step, looser costs one.
  static constexpr double kIterativeTolerance = 1e-10;

  std::string factorise_single(Mat A, const std::string& what);
  void make_single();
  void leave_single(const std::string& why);
  void factorise_again(const std::string& why);
  base::OptionsReader options_reader() const;
  void refuse_numbers_of_levels() const;
  void set_from_options();
  bool has_type(PCType type) const;
  Negatives find_negatives();
  Negatives negatives_of_own_factor();
  Negatives search_negatives();
  void set_up_iterations();
  void limit_iterations(int n);
  void iterate(::Vec b, ::Vec x);
  Eigen::MatrixXd iterate(const Eigen::MatrixXd& B, const Eigen::MatrixXd& guess);
  void tell_convergence(int n, double seconds);
  void throw_unless_converged(::Vec b, ::Vec x) const;
  template <class Solve>
  auto with_tolerance(double tolerance, Solve&& solve);
  void set_tolerance(double relative);
  void take_preconditioner(const char* type, double stiffness_ratio);
  void log_preconditioner(const std::string& words, double stiffness_ratio);
  [[noreturn]] void throw_failed(const std::string& what, const std::string& failure) const;
  void use_shell_in_smoother();
  void set_indefinite_matrix(Mat A, const std::string& what);
  std::vector<std::string> set_defaults_of_cholmod() const;
  std::string set_up_krylov(Mat A, Mat shell, const std::string& what);
  std::string factorise(Mat A, const std::string& what);
  [[noreturn]] void throw_out_of_memory(const std::string& what);

  using Factor = solvers::SymmetricFactor;
  Factor* own_factor() const { return indefinite_ ? indefinite_.get() : factor_.get(); }

  MPI_Comm comm_;
  std::string name_;
  base::Ksp ksp_;
  std::unique_ptr<Factor> factor_, indefinite_;     // factor_ in place of ksp_
  std::unique_ptr<solvers::RefinedFactor> single_;  // in place of both, where uses_single_
  std::string what_;                                // names its matrix
  std::optional<bool> double_fits_;                 // into the memory; empty: not asked yet
  bool uses_single_ = false;
  bool is_iterative_ = false, is_matrix_free_ = false, wants_rows_ = true;
  bool chooses_preconditioner_ = false, has_single_cycle_ = false;
  bool has_told_ = false, has_warned_ = false;  // of convergence: since the set-up, ever
  bool has_double_factor_ = false;              // in factor_
  bool is_single_asked_ = false;                // by the options, or for want of memory
  bool has_told_of_single_ = false;             // a factor in single precision
  bool has_told_of_factor_ = false;             // in place of iterations
  bool has_told_of_search_ = false;             // for negative eigenvalues
  std::optional<Negatives> negatives_;
  const mesh::DistributedMesh* mesh_ = nullptr;
  std::string prefix_, logged_;
  std::unique_ptr<CornerCycle> cycle_;
  int iterations_ = 0;
};

}  // namespace solidyn::bodies
