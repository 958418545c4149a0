#include "solidyn/bodies/linear_elements.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearElementBody::LinearElementBody(std::string name, std::vector<BodyIndex> nodes,
                                     std::vector<int> node_sizes, std::vector<Matrices> matrices,
                                     std::vector<Element> elements)
    : ElementBody(std::move(name), std::move(nodes)),
      node_sizes_(std::move(node_sizes)),
      matrices_(std::move(matrices)),
      elements_(std::move(elements)) {
  std::vector<int> offsets;
  int n = 0;
  for (const int size : node_sizes_) {
    offsets.push_back(n);
    n += size;
  }
  const auto assemble = [&](auto&& of, Eigen::SparseMatrix<double, Eigen::RowMajor>& sum) {
    std::vector<Eigen::Triplet<double>> entries;
    for (const Element& element : elements_) {
      const MatrixXd& block = of(matrices_[element.matrices]);
      std::vector<int> at;
      for (const int node : element.nodes)
        for (int i = 0; i < node_sizes_[node]; ++i) at.push_back(offsets[node] + i);
      for (Eigen::Index i = 0; i < block.rows(); ++i)
        for (Eigen::Index j = 0; j < block.cols(); ++j)
          if (block(i, j) != 0.0) entries.emplace_back(at[i], at[j], block(i, j));
    }
    sum.resize(n, n);
    sum.setFromTriplets(entries.begin(), entries.end());
  };
  assemble([](const Matrices& m) -> const MatrixXd& { return m.M; }, M_);
  assemble([](const Matrices& m) -> const MatrixXd& { return m.D; }, D_);
  assemble([](const Matrices& m) -> const MatrixXd& { return m.K; }, K_);
  q_ = v_ = a_ = VectorXd::Zero(n);
}

void LinearElementBody::follow(const Kinematics& kinematics) {
  Eigen::Index at = 0;
  for (const BodyIndex node : nodes()) {
    const BodyState& state = kinematics.bodies[node];
    const Eigen::Index n = state.q_e.size();
    q_.segment(at, n) = state.q_e;
    v_.segment(at, n) = state.v;
    a_.segment(at, n) = state.a;
    at += n;
  }
}

void LinearElementBody::add_residual(const BodyState&, const Eigen::Vector3d&,
                                     Eigen::Ref<VectorXd> r) {
  r += M_ * a_;
  r += D_ * v_;
  r += K_ * q_;
}

void LinearElementBody::add_element_tangent(int e, const Eigen::Vector3d&,
                                            const TangentCoefficients& c,
                                            Eigen::Ref<MatrixXd> J_rate,
                                            Eigen::Ref<MatrixXd> J_q) const {
  const Matrices& m = matrices_[elements_[e].matrices];
  J_rate += c.mass * m.M + c.damping * m.D;
  J_q += c.stiffness * m.K;
}

Energy LinearElementBody::energy(const BodyState&, const Eigen::Vector3d&) const {
  Energy energy;
  energy.kinetic = 0.5 * v_.dot(M_ * v_);
  energy.strain = 0.5 * q_.dot(K_ * q_);
  return energy;
}

double LinearElementBody::dissipation(const BodyState&) const { return v_.dot(D_ * v_); }

}  // namespace solidyn::bodies
