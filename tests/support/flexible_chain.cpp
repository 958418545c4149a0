#include "flexible_chain.h"

#include "random_bodies.h"
#include "solidyn/system/connect.h"

namespace solidyn::testing_support {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

namespace {

// Links, and pins between them.
struct Rows {
  explicit Rows(int n_modes) : n_modes(n_modes) { system->set_gravity(Vector3d(0, -9.81, 0)); }

  Matrix3Xd random_columns() {
    Matrix3Xd columns(3, n_modes);
    columns.reshaped() = random_vector(generator, 3 * n_modes, 0.1);
    return columns;
  }
  bodies::FrameIndex add_pin(bodies::BodyIndex body, const Vector3d& x_B) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = x_B;
    if (body != bodies::kGround) {
      frame.Psi_t = random_columns();
      frame.Psi_r = random_columns();
    }
    return system->add_frame(std::move(frame));
  }
  // Along x from `start` in W, which is `x_B` of the carrier. @return the last link
  bodies::BodyIndex add_row(bodies::BodyIndex carrier, Vector3d x_B, const Vector3d& start,
                            int n_links) {
    for (int i = 0; i < n_links; ++i) {
      MassCloud cloud(20, n_modes, ++n_clouds);
      cloud.m /= cloud.m.sum();
      cloud.x *= 0.5;
      const MatrixXd M = cloud.mass_matrix();
      system::InitialMotion pose;
      pose.p_WB = start + Vector3d(i + 0.5, 0, 0);
      const bodies::BodyIndex link =
          system->add_body(std::make_unique<bodies::ModalBody>(
                               "link", cloud.invariants(), M, 1e3 * M,
                               MatrixXd::Zero(n_modes, n_modes), Eigen::VectorXd::Ones(n_modes)),
                           pose);
      const auto A = add_pin(carrier, x_B);
      system::add_joint(*system, "pin", joints::JointType::revolute,
                        {A, add_pin(link, Vector3d(-0.5, 0, 0))});
      carrier = link;
      x_B = Vector3d(0.5, 0, 0);
    }
    return carrier;
  }

  std::unique_ptr<system::System> system = std::make_unique<system::System>();
  std::mt19937 generator{1};
  int n_modes, n_clouds = 0;
};

}  // namespace

std::unique_ptr<system::System> make_flexible_chain(int n_links, int n_modes) {
  Rows rows(n_modes);
  rows.add_row(bodies::kGround, Vector3d::Zero(), Vector3d::Zero(), n_links);
  rows.system->finalize();
  return std::move(rows.system);
}

std::unique_ptr<system::System> make_flexible_fork(int n_rows, int n_links, int n_modes) {
  Rows rows(n_modes);
  const auto stem = rows.add_row(bodies::kGround, Vector3d::Zero(), Vector3d::Zero(), 2);
  for (int i = 0; i < n_rows; ++i)
    rows.add_row(stem, Vector3d(0.5, 0, i), Vector3d(2, 0, i), n_links);
  rows.system->finalize();
  return std::move(rows.system);
}

}  // namespace solidyn::testing_support
