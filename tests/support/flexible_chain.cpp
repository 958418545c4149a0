#include "flexible_chain.h"

#include "random_bodies.h"
#include "solidyn/system/connect.h"

namespace solidyn::testing_support {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

std::unique_ptr<system::System> make_flexible_chain(int n_links, int n_modes) {
  auto chain = std::make_unique<system::System>();
  chain->set_gravity(Vector3d(0, -9.81, 0));
  std::mt19937 generator(1);
  const auto random_columns = [&] {
    Matrix3Xd columns(3, n_modes);
    columns.reshaped() = random_vector(generator, 3 * n_modes, 0.1);
    return columns;
  };
  const auto add_pin = [&](bodies::BodyIndex body, double x) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = Vector3d(x, 0, 0);
    if (body != bodies::kGround) {
      frame.Psi_t = random_columns();
      frame.Psi_r = random_columns();
    }
    return chain->add_frame(std::move(frame));
  };
  for (int i = 0; i < n_links; ++i) {
    MassCloud cloud(20, n_modes, 1 + i);
    cloud.m /= cloud.m.sum();
    cloud.x *= 0.5;
    const MatrixXd M = cloud.mass_matrix();
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    chain->add_body(std::make_unique<bodies::ModalBody>("link", cloud.invariants(), M, 1e3 * M,
                                                        MatrixXd::Zero(n_modes, n_modes),
                                                        Eigen::VectorXd::Ones(n_modes)),
                    pose);
    const auto A = i == 0 ? add_pin(bodies::kGround, 0.0) : add_pin(bodies::BodyIndex(i - 1), 0.5);
    system::add_joint(*chain, "pin", joints::JointType::revolute,
                      {A, add_pin(bodies::BodyIndex(i), -0.5)});
  }
  chain->finalize();
  return chain;
}

}  // namespace solidyn::testing_support
