#include "beam_chain.h"

#include "random_bodies.h"

namespace solidyn::testing_support {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix36 = Eigen::Matrix<double, 3, 6>;

// Displacement and rotation of the section at x with the left end held, per motion of the right
// end.
Matrix6 section_motion(double x, double L) {
  const double s = x / L;
  const double h = s * s * (3.0 - 2.0 * s), dh = 6.0 * s * (1.0 - s) / L;
  const double g = L * s * s * (s - 1.0), dg = s * (3.0 * s - 2.0);
  Matrix6 N = Matrix6::Zero();
  N(0, 0) = N(3, 3) = s;
  N(1, 1) = N(2, 2) = h;
  N(1, 5) = g;
  N(2, 4) = -g;
  N(4, 2) = -dh;
  N(5, 1) = dh;
  N(4, 4) = N(5, 5) = dg;
  return N;
}

Matrix36 shapes_at(const Vector3d& x, double L) {
  const Matrix6 N = section_motion(x.x(), L);
  return N.topRows<3>() - math::skew(Vector3d(0.0, x.y(), x.z())) * N.bottomRows<3>();
}

// Motion of the section halfway, by those of the ends.
reduction::Matrix6X midpoint_rows(double L) {
  const auto carried = [](double x) {
    Matrix6 R = Matrix6::Identity();
    R.topRightCorner<3, 3>() = -math::skew(Vector3d(x, 0.0, 0.0));
    return R;
  };
  const Matrix6 N = section_motion(0.5 * L, L);
  reduction::Matrix6X rows(6, 12);
  rows << carried(0.5 * L) - N * carried(L), N;
  return rows;
}

MatrixXd stiffness(const BeamSection& b, double L) {
  MatrixXd K = MatrixXd::Zero(6, 6);
  K(0, 0) = b.EA / L;
  K(3, 3) = b.GJ / L;
  K(1, 1) = K(2, 2) = 12.0 * b.EI / (L * L * L);
  K(4, 4) = K(5, 5) = 4.0 * b.EI / L;
  K(1, 5) = K(5, 1) = -6.0 * b.EI / (L * L);
  K(2, 4) = K(4, 2) = 6.0 * b.EI / (L * L);
  return K;
}

// Four points of the section at each of six Gauss points.
MassCloud mass_points(const BeamSection& b, double L) {
  constexpr double kAt[] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
  constexpr double kWeight[] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
  MassCloud cloud(24, 0, 1);
  cloud.X.assign(6, Matrix3Xd::Zero(3, 24));
  const double r = std::sqrt(2.0) * b.gyration;
  int k = 0;
  for (int i = 0; i < 3; ++i)
    for (const double side : {-1.0, 1.0})
      for (const Vector3d& place :
           {Vector3d(0, r, 0), Vector3d(0, -r, 0), Vector3d(0, 0, r), Vector3d(0, 0, -r)}) {
        cloud.m[k] = b.mass * L * kWeight[i] / 8.0;
        cloud.x.col(k) = Vector3d(0.5 * L * (1.0 + side * kAt[i]), place.y(), place.z());
        const Matrix36 N = shapes_at(cloud.x.col(k), L);
        for (int j = 0; j < 6; ++j) cloud.X[j].col(k) = N.col(j);
        ++k;
      }
  return cloud;
}

}  // namespace

reduction::ReducedBody make_beam_segment(const BeamSection& section, double length) {
  const MassCloud cloud = mass_points(section, length);
  reduction::ReducedBody body;
  body.inertia = cloud.invariants();
  body.M = cloud.mass_matrix();
  body.K = stiffness(section, length);
  body.D = MatrixXd::Zero(6, 6);
  body.modes.resize(6);
  body.amplitude = (Eigen::VectorXd(6) << 1, 1, 1, length, length, length).finished();
  for (const bool is_right : {false, true}) {
    reduction::ReducedInterface end;
    end.name = is_right ? "right" : "left";
    end.x_B = Vector3d(is_right ? length : 0.0, 0.0, 0.0);
    end.Psi_t = Matrix3Xd::Zero(3, 6);
    end.Psi_r = Matrix3Xd::Zero(3, 6);
    if (is_right) {
      end.Psi_t.leftCols<3>().setIdentity();
      end.Psi_r.rightCols<3>().setIdentity();
    }
    body.interfaces.push_back(end);
  }
  body.mesh.x = cloud.x;
  body.X.resize(3 * cloud.x.cols(), 6);
  for (int j = 0; j < 6; ++j)
    body.X.col(j) = Eigen::Map<const Eigen::VectorXd>(cloud.X[j].data(), cloud.X[j].size());
  return body;
}

BeamChain::BeamChain(system::System& system, const BeamSection& section, int n,
                     const Vector3d& start, const Vector3d& end, Root root,
                     FloatingFrame floating_frame) {
  const double length = (end - start).norm() / n;
  auto reduced = reduction::to_interface_coordinates(make_beam_segment(section, length), 0);
  if (floating_frame == FloatingFrame::midpoint) reduced.frame_rows = midpoint_rows(length);
  const Eigen::Quaterniond R = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), end - start);
  for (int k = 0; k <= n; ++k) {
    system::InitialMotion pose;
    pose.p_WB = start + (end - start) * k / n;
    pose.q_WB = R;
    bodies::Frame frame;
    if (k == 0 && root == Root::on_ground) {
      frame.x_B = pose.p_WB;
      frame.R_BF = R.toRotationMatrix();
    } else {
      frame.body = system.add_body(bodies::make_virtual_body("node"), pose);
    }
    nodes.push_back(frame.body);
    motion.push_back(pose);
    frames.push_back(system.add_frame(frame));
  }
  for (int k = 0; k < n; ++k)
    system.add_body(
        std::make_unique<bodies::Superelement>(
            "segment", reduced, std::vector<bodies::FrameIndex>{frames[k], frames[k + 1]}),
        {});
}

}  // namespace solidyn::testing_support
