#pragma once
#include <Eigen/Core>
#include <memory>

namespace solidyn::benchmarks {

/// The same chain of rigid links as benchmarks::Chain(n, 0), in Simbody: a peer in the same run.
/// Angles [n] and speeds [n] are those of its hinges, from the ground outwards.
class SimbodyChain {
 public:
  explicit SimbodyChain(int n);
  ~SimbodyChain();
  /// Accelerations of the hinges, rad/s^2: State and System::realize(Stage::Acceleration).
  const Eigen::VectorXd& compute_accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  /// Starts its SemiExplicitEulerIntegrator there, with steps of `h` s; then takes one.
  void start(const Eigen::VectorXd& q, const Eigen::VectorXd& u, double h);
  void step();

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace solidyn::benchmarks
