#pragma once
#include <solidyn/bodies/element_body.h>

#include <array>
#include <string>
#include <vector>

/// Straight bars between nodes, which carry tension and compression alone, in motions of any size:
///   W = 1/2 EA L e^2,   e = (l^2 - L^2) / (2 L^2),   d = p_q - p_p, l = |d|
/// a Green-Lagrange strain, so that the force on the nodes is -+ (EA e / L) d. Half of a bar's mass
/// stands on each of its nodes, as a point. No damping.
class BarBody final : public solidyn::bodies::ElementBody {
 public:
  struct Bar {
    int p = 0, q = 1;        ///< places of its nodes among the body's
    double length = 0.0;     ///< L, without stress, m
    double stiffness = 0.0;  ///< EA, N
    double mass = 0.0;       ///< kg
  };
  /// @param nodes  bodies of the system, each with six velocities; massless ones are
  /// solidyn::bodies::Node, whose rotations something else has to hold
  BarBody(std::string name, std::vector<solidyn::bodies::BodyIndex> nodes, std::vector<Bar> bars);

  /// Of a bar in the state of follow(), N; compression is negative.
  double tension(int bar) const;

  int n_elements() const override { return static_cast<int>(bars_.size()); }
  std::vector<int> element_nodes(int e) const override { return {bars_[e].p, bars_[e].q}; }
  void follow(const solidyn::bodies::Kinematics& kinematics) override;
  void add_residual(const solidyn::bodies::BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  void add_element_tangent(int e, const Eigen::Vector3d& gravity,
                           const solidyn::bodies::TangentCoefficients& c,
                           Eigen::Ref<Eigen::MatrixXd> J_rate,
                           Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  solidyn::bodies::Energy energy(const solidyn::bodies::BodyState& state,
                                 const Eigen::Vector3d& gravity) const override;
  solidyn::bodies::Momentum momentum(const solidyn::bodies::BodyState& state) const override;
  double mass() const override { return masses_.sum(); }
  double dissipation(const solidyn::bodies::BodyState&) const override { return 0.0; }

 private:
  Eigen::Vector3d between(const Bar& bar) const { return p_.col(bar.q) - p_.col(bar.p); }
  static double strain(const Bar& bar, const Eigen::Vector3d& d);

  std::vector<Bar> bars_;
  Eigen::VectorXd masses_;      ///< [nodes] kg
  Eigen::Matrix3Xd p_, v_, a_;  ///< [3 x nodes] of follow(), W
};
