#include "recursive/node_matrix.h"

#include "solidyn/bodies/element_body.h"
#include "solidyn/joints/constraint.h"
#include "solidyn/math/rotation.h"
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

NodeMatrix::NodeMatrix(const Tree& tree, const NodeGroup& group,
                       const std::vector<NodeElements>& elements)
    : tree_(tree), group_(group), elements_(&elements) {
  const system::System& system = tree.system();
  for (const ConstraintIndex c : tree.forest().closures) join(system.constraint(c).bodies());
  for (const forces::ForceIndex f : system.forces()) join(system.force(f).bodies());
  for (int i = group.begin; i < group.end; ++i) block_of_pair_[{i, i}] = 0;
  std::vector<solvers::BlockIndices> blocks;
  const auto speeds_of = [&](const std::vector<int>& links) {
    std::vector<int> speeds;
    speeds.reserve(6 * links.size());
    for (const int link : links)
      for (int i = 0; i < 6; ++i) speeds.push_back(tree.links()[link].u - group.u + i);
    return speeds;
  };
  for (const NodeElements& of : elements)
    for (int e = 0; e < of.body->n_elements(); ++e) {
      const std::vector<int> nodes = of.body->element_nodes(e);
      std::vector<int> links;
      links.reserve(nodes.size());
      for (const int node : nodes) links.push_back(of.links[node]);
      const std::vector<int> speeds = speeds_of(links);
      blocks.push_back({speeds, speeds});
    }
  for (auto& [pair, block] : block_of_pair_) {
    block = static_cast<int>(blocks.size());
    blocks.push_back({speeds_of({pair.first}), speeds_of({pair.second})});
  }
  solver_ = solvers::make_linear_solver(solvers::Preset::automatic, group.n);
  solver_->set_pattern(group.n, blocks);
}

NodeMatrix::~NodeMatrix() = default;
NodeMatrix::NodeMatrix(NodeMatrix&&) noexcept = default;

void NodeMatrix::join(const std::vector<BodyIndex>& bodies) {
  std::vector<int> nodes;
  for (const BodyIndex body : bodies) {
    const int link = body == bodies::kGround ? -1 : tree_.index_of(body);
    if (link >= group_.begin && link < group_.end) nodes.push_back(link);
  }
  for (const int i : nodes)
    for (const int j : nodes) block_of_pair_[{i, j}] = 0;
}

void NodeMatrix::set_zero() { solver_->set_zero(); }

void NodeMatrix::add_elements(const bodies::TangentCoefficients& c, const Eigen::Vector3d& gravity,
                              const VectorXd* increment) {
  int block = 0;
  for (const NodeElements& of : *elements_)
    for (int e = 0; e < of.body->n_elements(); ++e) {
      const std::vector<int> nodes = of.body->element_nodes(e);
      const auto n = 6 * static_cast<Eigen::Index>(nodes.size());
      MatrixXd J_rate = MatrixXd::Zero(n, n), J_q = J_rate;
      of.body->add_element_tangent(e, gravity, c, J_rate, J_q);
      if (increment)
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          const int u = tree_.links()[of.links[nodes[i]]].u;
          auto turns = J_q.middleCols<3>(6 * static_cast<Eigen::Index>(i) + 3);
          turns = (turns * math::right_tangent(increment->segment<3>(u + 3))).eval();
        }
      J_rate += J_q;
      solver_->add_block(block++, J_rate);
    }
}

void NodeMatrix::add(int row, int column, const Block& block) {
  solver_->add_block(block_of_pair_.at({row, column}), block);
}

void NodeMatrix::factor() { solver_->factor(); }

VectorXd NodeMatrix::solve(const VectorXd& b) const {
  VectorXd x;
  solver_->solve(b, x);
  return x;
}

MatrixXd NodeMatrix::solve_columns(const MatrixXd& B) const {
  if (B.cols() == 0) return B;
  return solver_->solve_columns(B);
}

}  // namespace solidyn::recursive
