#pragma once
#include <algorithm>
#include <random>
#include <vector>

#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"

namespace solidyn::benchmarks {

enum class Shape { chain, binary_tree, star };

// Links of 1 m and 1 kg in a row along x, or two of them on the end of each, or rows of them on the
// end of the first one, pinned about z; a flexible one is 20 masses with random modes, of which
// frames see the displacement and the slope.
class Chain {
 public:
  Chain(int n, int n_modes, Shape shape = Shape::chain) : n_modes_(n_modes), shape_(shape) {
    system.set_gravity(Eigen::Vector3d(0, -9.81, 0));
    for (int i = 0; i < n; ++i) add_link(i);
    system.finalize();
  }
  system::System system;

 private:
  Eigen::Matrix3Xd random(int columns) {
    Eigen::Matrix3Xd m(3, columns);
    for (double& x : m.reshaped()) x = std::uniform_real_distribution<double>(-1, 1)(generator_);
    return m;
  }

  std::unique_ptr<bodies::ModalBody> make_body() {
    if (n_modes_ == 0)
      return bodies::make_rigid_body("link", 1.0, Eigen::Vector3d::Zero(),
                                     Eigen::Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal());
    const int n_masses = 20;
    const double mass = 1.0 / n_masses;
    const Eigen::Matrix3Xd x = 0.5 * random(n_masses);
    std::vector<Eigen::Matrix3Xd> X;
    for (int i = 0; i < n_modes_; ++i) X.push_back(random(n_masses));
    reduction::InertiaInvariants inertia;
    Eigen::MatrixXd M(n_modes_, n_modes_);
    inertia.mass = 1.0;
    inertia.first_moment = mass * x.rowwise().sum();
    inertia.N00 = mass * x * x.transpose();
    inertia.S.resize(3, n_modes_);
    for (int i = 0; i < n_modes_; ++i) {
      inertia.S.col(i) = mass * X[i].rowwise().sum();
      inertia.N0.emplace_back(mass * x * X[i].transpose());
      for (int j = 0; j < n_modes_; ++j) {
        inertia.N.emplace_back(mass * X[i] * X[j].transpose());
        M(i, j) = inertia.N.back().trace();
      }
    }
    return std::make_unique<bodies::ModalBody>("link", inertia, M, 1e3 * M,
                                               Eigen::MatrixXd::Zero(n_modes_, n_modes_),
                                               Eigen::VectorXd::Ones(n_modes_));
  }

  bodies::FrameIndex add_frame(bodies::BodyIndex body, double x) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = Eigen::Vector3d(x, 0, 0);
    if (body != bodies::kGround && n_modes_ > 0) {
      frame.Psi_t = 0.1 * random(n_modes_);
      frame.Psi_r = 0.1 * random(n_modes_);
    }
    return system.add_frame(std::move(frame));
  }

  static constexpr int kRows = 8;  // of a star
  int parent_of(int i) const {
    if (shape_ == Shape::binary_tree) return (i + 1) / 2 - 1;
    return shape_ == Shape::chain ? i - 1 : std::max(i - kRows, std::min(i, 1) - 1);
  }

  void add_link(int i) {
    const int parent = parent_of(i);
    depth_.push_back(parent < 0 ? 0 : depth_[parent] + 1);
    bodies::InitialMotion pose;
    pose.p_WB = Eigen::Vector3d(depth_.back() + 0.5, 0, 0);
    const bodies::BodyIndex body = system.add_body(make_body(), pose);
    const auto A =
        parent < 0 ? add_frame(bodies::kGround, 0.0) : add_frame(bodies::BodyIndex(parent), 0.5);
    system::add_joint(system, "joint", joints::JointType::revolute, {A, add_frame(body, -0.5)});
  }

  int n_modes_;
  Shape shape_;
  std::vector<int> depth_;  // of each link
  std::mt19937 generator_{1};
};

}  // namespace solidyn::benchmarks
