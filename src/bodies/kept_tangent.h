#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bodies/multigrid/corner_level.h"
#include "body_solver.h"
#include "matrix_free_tangent.h"
#include "nodal_axes.h"
#include "nodal_mass.h"
#include "solid_ports.h"

namespace solidyn::bodies {

/// What a solid body adds to the tangent of its elements.
struct TangentTerms {
  bool has_supports = false, has_load_stiffness = false;  ///< the same on all ranks
  std::vector<PetscInt> held_rows;  ///< local rows that supports prescribe: the identity's
  const NodalAxes* axes = nullptr;  ///< of their components; must outlive the tangent
  /// Collective. A += scale times the load stiffness at x [3 x n_local].
  std::function<void(const Eigen::Matrix3Xd& x, double scale, Mat A)> add_load_stiffness;
  /// N/m of the springs E E^T in A on the three anchor nodes of the ports; their condensed block
  /// gets the springs back with the opposite sign, so that the sum is that without them.
  double anchor_stiffness = 0.0;
};

/// A = mass M + damping D + stiffness K of a solid body at reference positions, factorised, and
/// turned with the body: A_Q = Q A Q^T with the rotation Q since then, Q (x) I per node. For the
/// admissible fields of rigid regions. Inside, the components of nodes that supports hold are along
/// the nodes' own axes; outside all is in W. All calls are collective.
class KeptTangent {
 public:
  /// All arguments must outlive this object.
  /// @param corners a level for multigrid without a matrix, or null
  KeptTangent(const std::string& name, const mesh::DistributedMesh& mesh,
              const fem::SolidOperator& forces, NodalMass& mass, const SolidPorts& ports,
              BodySolver& solver, TangentTerms terms, std::unique_ptr<CornerLevel> corners);

  /// Takes the mesh turned by R as reference where supports keep A from turning later: a tangent of
  /// the body as it is drawn would not bring Newton's method to its end in another pose.
  void place(const Eigen::Matrix3d& R);
  /// Fixes A up to the reference; factorises when it changed.
  void set_coefficients(const fem::TangentCoefficients& coefficients);
  /// Takes x [3 x n_local] with mean rotation R as reference. Nothing happens while the stiffness
  /// plays no part. @return false when A is as before: the tangent at x cannot be factorised
  bool renew(const Eigen::Matrix3Xd& x, const Eigen::Matrix3d& R);
  const fem::TangentCoefficients& coefficients() const { return coefficients_; }
  /// Nothing turns with supports, which hold directions. @return whether Q differs from before
  bool turn(const Eigen::Matrix3d& R);

  /// See NodalBody: whether solve() is as exact as the solver can be, or as rough as Newton's
  /// iteration bears, which continues from there.
  void solve_exactly(bool yes) { solves_exactly_ = yes; }
  /// x = A_Q^-1 b. At an equilibrium b = P load and not zero: what is solved to a relative
  /// tolerance is the rest, b - P load, or the iteration would end beside the solution.
  /// @param load the best guess of the forces on the ports
  void solve(::Vec b, ::Vec x, const Eigen::VectorXd& load);
  /// Y load, Y = A_Q^-1 P. [3 n_owned]
  Eigen::VectorXd spread(const Eigen::VectorXd& load) const;
  /// (P^T A_Q^-1 P)^-1
  const Eigen::MatrixXd& inverse_flexibility() const { return turned_; }
  /// The same without anchor springs: what the body adds to the system's matrix.
  Eigen::MatrixXd condensed() const;

  /// See NodalBody. Sylvester's and Haynsworth's laws of inertia: eliminating the interior leaves
  /// the negative eigenvalues of A less those of the flexibility P^T A^-1 P. Not known for an
  /// indefinite A with rigid regions.
  std::optional<int> n_hidden_negatives();

  double assembly_seconds = 0.0, factor_seconds = 0.0;
  double condensation_seconds = 0.0;  ///< of ports and rigid regions, not in factor_seconds
  int n_factors = 0;

 private:
  // For one matrix: the eliminated regions, the ports' responses and their flexibility.
  struct Condensation {
    RigidRegions regions;
    Eigen::MatrixXd Y, inverse_flexibility;
    bool is_ready = false;  ///< the same on all ranks, which the size of Y is not
  };
  bool is_inertial() const {
    return coefficients_.stiffness == 0.0 && coefficients_.damping == 0.0;
  }
  Condensation& present() { return is_inertial() ? inertial_ : elastic_; }
  const Condensation& present() const { return is_inertial() ? inertial_ : elastic_; }
  // Without mass the tangent of an equilibrium beyond a limit point is indefinite, and no fault.
  bool may_be_indefinite() const {
    return coefficients_.mass == 0.0 && coefficients_.damping == 0.0;
  }
  double scale() const { return is_inertial() ? coefficients_.mass : 1.0; }
  bool may_replace_iterations();
  void assemble_and_factor(const Eigen::Matrix3d& turn = Eigen::Matrix3d::Identity());
  void set_up();
  void make_product(std::unique_ptr<CornerLevel> corners);
  std::optional<CoarseLevel> assemble_corners();
  bool set_up_without_matrix();
  void assemble();
  void assemble_and_set();
  void replace_iterations();
  template <class Solve>
  auto or_by_factor(Solve&& solve);
  void multiply_regions(const std::function<void(::Vec, ::Vec)>& multiply);
  bool try_to_factor(Eigen::Matrix3Xd& x_before, const Eigen::Matrix3d& turn);
  void solve_whole(::Vec b, ::Vec x, double tolerance);
  void solve_at_nodes(::Vec b, ::Vec x, double tolerance);
  void hold_rows();
  void add_anchors();
  void condense(Condensation& c, const Eigen::MatrixXd& guess = {});
  Eigen::MatrixXd find_held_ports(const Eigen::MatrixXd& Y) const;
  void refuse_held_interface(int port, const std::string& along) const;
  void turn_flexibility();
  bool moves_regions() const { return moves_regions_ && !is_inertial(); }
  bool has_exact_regions() const { return !ports_.regions.is_empty() && !moves_regions(); }
  Eigen::MatrixXd solve_reference(const Eigen::MatrixXd& B, double tolerance,
                                  const Eigen::MatrixXd& guess = {});
  Eigen::MatrixXd solve_admissible(const Condensation& c, const Eigen::MatrixXd& B,
                                   double tolerance, const Eigen::MatrixXd& guess = {});
  Eigen::MatrixXd turned_responses(const Eigen::Matrix3d& Q, const Eigen::MatrixXd& Y) const;

  std::string name_;
  const mesh::DistributedMesh& mesh_;
  const fem::SolidOperator& forces_;
  NodalMass& mass_;
  const SolidPorts& ports_;
  BodySolver& solver_;
  TangentTerms terms_;
  std::vector<PetscInt> fixed_rows_;            ///< local: of rigid regions and of supports
  base::Mat A_;                                 ///< made where the solver needs it
  std::unique_ptr<MatrixFreeTangent> product_;  ///< where the solver asks for it
  std::unique_ptr<CornerLevel> corners_;        ///< only with product_
  fem::TangentCoefficients coefficients_;
  bool solves_exactly_ = false;
  bool has_factor_ = false;
  bool corners_have_regions_ = false;
  bool moves_regions_ = false;  // iterations are among admissible fields, else regions eliminated
  fem::TangentCoefficients factored_;
  Eigen::Matrix3Xd x_;  // reference
  Eigen::Matrix3d R_ref_ = Eigen::Matrix3d::Identity(), R_ = R_ref_, Q_ = R_ref_;
  Eigen::Matrix3d R_placed_ = R_ref_;
  Condensation inertial_, elastic_;
  Eigen::MatrixXd turned_;
};

}  // namespace solidyn::bodies
