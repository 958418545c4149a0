#pragma once
#include <Eigen/Sparse>

#include "solidyn/bodies/element_body.h"

namespace solidyn::bodies {

/// A node of a LinearElementBody: small displacements in given directions, with no frame. Nothing
/// but elements and forces give it equations.
class DisplacementNode final : public Body {
 public:
  /// @param amplitude  of a unit of each coordinate, m
  DisplacementNode(std::string name, Eigen::VectorXd amplitude)
      : Body(std::move(name), static_cast<int>(amplitude.size()), Axes::world),
        amplitude_(std::move(amplitude)) {}
  void add_residual(const BodyState&, const Eigen::Vector3d&,
                    Eigen::Ref<Eigen::VectorXd>) override {}
  void add_tangent(const BodyState&, const Eigen::Vector3d&, const TangentCoefficients&,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>) override {}
  Energy energy(const BodyState&, const Eigen::Vector3d&) const override { return {}; }
  Momentum momentum(const BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  double dissipation(const BodyState&) const override { return 0.0; }
  Eigen::VectorXd elastic_amplitude() const override { return amplitude_; }

 private:
  Eigen::VectorXd amplitude_;
};

/// A structure that stands on the ground and is displaced by little from its equilibrium under its
/// own weight: M a + D v + K q = f with constant matrices, symmetric, M and K positive. Its nodes
/// are DisplacementNodes. System takes its tangent element by element; add_tangent() on all nodes
/// is for those with six velocities. It belongs to the surroundings: its momentum and mass do not
/// count among those of the mechanism, its energy does. Proved by LinearElements.*
class LinearElementBody final : public ElementBody {
 public:
  /// Of equal elements, on the coordinates of their nodes one after the other.
  struct Matrices {
    Eigen::MatrixXd M, D, K;
  };
  struct Element {
    int matrices = 0;  ///< which of them
    std::vector<int> nodes;
  };
  /// @param nodes, node_sizes  indices in the system, and how many coordinates each has
  LinearElementBody(std::string name, std::vector<BodyIndex> nodes, std::vector<int> node_sizes,
                    std::vector<Matrices> matrices, std::vector<Element> elements);

  /// Its nodes have no frames: a start has nothing to move rigidly.
  bool is_shaped_by_constraints() const override { return true; }
  int n_elements() const override { return static_cast<int>(elements_.size()); }
  std::vector<int> element_nodes(int e) const override { return elements_[e].nodes; }
  void follow(const Kinematics& kinematics) override;
  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  void add_element_tangent(int e, const Eigen::Vector3d& gravity, const TangentCoefficients& c,
                           Eigen::Ref<Eigen::MatrixXd> J_rate,
                           Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const override;
  Momentum momentum(const BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  double dissipation(const BodyState& state) const override;

 private:
  std::vector<int> node_sizes_;
  std::vector<Matrices> matrices_;
  std::vector<Element> elements_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> M_, D_, K_;  // on the coordinates of all nodes
  Eigen::VectorXd q_, v_, a_;                               // in the state of follow()
};

}  // namespace solidyn::bodies
