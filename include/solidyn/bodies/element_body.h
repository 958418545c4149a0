#pragma once
#include <array>
#include <utility>

#include "solidyn/bodies/frame.h"

namespace solidyn::bodies {

/// A flexible body made of elements between nodes. The nodes are bodies of the system, with six
/// velocities each; they alone are unknowns, so that joints, forces and frames find on them what
/// they find on any body. The residual acts on the velocities of nodes(), the tangent element by
/// element on those of element_nodes(), so that a long body gives a sparse matrix.
class ElementBody : public Body {
 public:
  ElementBody(std::string name, std::vector<BodyIndex> nodes)
      : Body(std::move(name), 0, Axes::world), nodes_(std::move(nodes)) {}

  ElementBody* as_elements() final { return this; }

  /// Indices of its nodes in the system, distinct.
  const std::vector<BodyIndex>& nodes() const { return nodes_; }
  virtual int n_elements() const = 0;
  /// Places in nodes() of the nodes of element `e`, distinct.
  virtual std::vector<int> element_nodes(int e) const = 0;

  /// Learns how its nodes move. All that follows is of this state.
  virtual void follow(const Kinematics& kinematics) = 0;
  /// As add_tangent(), of one element: on the velocities of its nodes, one after the other.
  virtual void add_element_tangent(int e, const Eigen::Vector3d& gravity,
                                   const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                                   Eigen::Ref<Eigen::MatrixXd> J_q) const = 0;

  /// Whether constraints of the system say how its nodes lie to each other; else a start keeps them
  /// as they are.
  virtual bool is_shaped_by_constraints() const { return false; }

  /// The tangent of an element whose nodes move in a plane that halves it, by motions in this plane
  /// alone: by `at` of the element's velocities. With those across it they have no coupling.
  struct PlaneTangent {
    std::array<int, 6> at;
    Eigen::Matrix<double, 6, 6> J;  ///< J_rate + J_q: turns about the normal need no other factor
  };
  /// @return false where the element does not move in such a plane; `tangent` is then not set
  virtual bool find_plane_tangent(int /*e*/, const Eigen::Vector3d& /*gravity*/,
                                  const TangentCoefficients&, PlaneTangent& /*tangent*/) const {
    return false;
  }

  /// On the velocities of all nodes: the elements' together.
  void add_tangent(const BodyState& state, const Eigen::Vector3d& gravity,
                   const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) final;
  Eigen::VectorXd elastic_amplitude() const final { return {}; }

 private:
  std::vector<BodyIndex> nodes_;
};

/// A node: a massless body that nothing but elements, joints and forces give equations.
class Node final : public Body {
 public:
  explicit Node(std::string name) : Body(std::move(name), 0) {}
  bool is_placed() const override { return true; }
  void add_residual(const BodyState&, const Eigen::Vector3d&,
                    Eigen::Ref<Eigen::VectorXd>) override {}
  void add_tangent(const BodyState&, const Eigen::Vector3d&, const TangentCoefficients&,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>) override {}
  Energy energy(const BodyState&, const Eigen::Vector3d&) const override { return {}; }
  Momentum momentum(const BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  double dissipation(const BodyState&) const override { return 0.0; }
  Eigen::VectorXd elastic_amplitude() const override { return {}; }
};

}  // namespace solidyn::bodies
