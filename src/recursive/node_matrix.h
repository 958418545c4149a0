#pragma once
#include <map>
#include <memory>
#include <utility>

#include "solidyn/recursive/tree.h"

namespace solidyn::bodies {
class ElementBody;
}
namespace solidyn::solvers {
class LinearSolver;
}

namespace solidyn::recursive {

/// A body made of elements, with the links of its nodes.
struct NodeElements {
  bodies::ElementBody* body = nullptr;
  BodyIndex index;
  std::vector<int> links;  ///< of each of its nodes
};

/// A matrix on the speeds of a group of nodes, sparse as its elements are, and its factor.
/// Local. Proved by StepTangent.IsTheDerivativeWithBeams
class NodeMatrix {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  /// @param elements  of this group; they and the tree must outlive it
  NodeMatrix(const Tree& tree, const NodeGroup& group, const std::vector<NodeElements>& elements);
  ~NodeMatrix();
  NodeMatrix(NodeMatrix&&) noexcept;

  void set_zero();
  /// As System::assemble() has them, of rates and of increments that began at zero.
  /// @param increment  [n_speeds] of the tree; null: velocities are the unknowns
  void add_elements(const bodies::TangentCoefficients& c, const Eigen::Vector3d& gravity,
                    const Eigen::VectorXd* increment);
  /// Rows of one node by the speeds of another. @pre they are of the group, and the same, nodes of
  /// one constraint, or such that one force acts on
  void add(int row, int column, const Block& block);
  /// @throws base::ComputationError where it is singular
  void factor();
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;

 private:
  void join(const std::vector<BodyIndex>& bodies);

  const Tree& tree_;
  NodeGroup group_;
  const std::vector<NodeElements>* elements_;
  std::map<std::pair<int, int>, int> block_of_pair_;
  std::unique_ptr<solvers::LinearSolver> solver_;
};

}  // namespace solidyn::recursive
