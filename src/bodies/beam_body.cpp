#include "solidyn/bodies/beam_body.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "solidyn/base/error.h"

namespace solidyn::bodies {
namespace {

using beams::Matrix12;
using beams::Matrix6;
using beams::SectionMotion;
using beams::SectionPair;
using beams::Vector12;
using beams::Vector6;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;

SectionMotion section_of(const BodyState& node, const Matrix3d& R) {
  return {node.p_WB,        node.R_WB * R,
          node.v_WB(),      R.transpose() * node.w_WB_B(),
          node.a.head<3>(), R.transpose() * node.a.segment<3>(3)};
}

SectionMotion section_of(const InitialMotion& node, const Matrix3d& R) {
  SectionMotion s;
  s.p = node.p_WB;
  s.R = node.q_WB.toRotationMatrix() * R;
  return s;
}

// Increments of the sections by those of the nodes: both turn about the same point.
Matrix12 section_map(const BeamElementData& d) {
  Matrix12 T = Matrix12::Identity();
  T.block<3, 3>(3, 3) = d.R_p.transpose();
  T.block<3, 3>(9, 9) = d.R_q.transpose();
  return T;
}

double radius_of_gyration_of(const std::vector<InitialMotion>& nodes, double section) {
  Vector3d centre = Vector3d::Zero();
  for (const InitialMotion& node : nodes) centre += node.p_WB / static_cast<double>(nodes.size());
  double squares = 0.0;
  for (const InitialMotion& node : nodes)
    squares += (node.p_WB - centre).squaredNorm() / static_cast<double>(nodes.size());
  return std::sqrt(squares + section);
}

}  // namespace

BeamBody::BeamBody(std::string name, std::vector<int> nodes,
                   const std::vector<InitialMotion>& undeformed,
                   const std::vector<BeamElementData>& elements)
    : ElementBody(std::move(name), std::move(nodes)) {
  double section = 0.0;
  for (const BeamElementData& d : elements) {
    elements_.push_back({d,
                         {d.length, d.rigidity, d.torsion, d.rule},
                         {d.length, d.mass_per_length, d.inertia_per_length},
                         {},
                         {}});
    const SectionPair pair(section_of(undeformed[d.p], d.R_p), section_of(undeformed[d.q], d.R_q));
    if (!elements_.back().strain.set_unstressed(pair.D, beams::quaternion_of(pair.Q)))
      throw base::InputError(
          fmt::format("element {} of beam {} turns too much", elements_.size(), this->name()),
          "use more elements");
    mass_ += elements_.back().inertia.mass();
    if (d.mass_per_length > 0.0)
      section = std::max(section, d.inertia_per_length.maxCoeff() / d.mass_per_length);
  }
  radius_of_gyration_ = radius_of_gyration_of(undeformed, section);
}

void BeamBody::follow(const Kinematics& kinematics) {
  for (Element& e : elements_) {
    e.p = section_of(kinematics.bodies[nodes()[e.data.p]], e.data.R_p);
    e.q = section_of(kinematics.bodies[nodes()[e.data.q]], e.data.R_q);
    if (!e.has_strains()) continue;
    const SectionPair pair(e.p, e.q);
    e.is_found = e.strain.solve(pair.D, beams::quaternion_of(pair.Q));
  }
}

beams::Strains BeamBody::Element::strain_rates() {
  Matrix6 H;
  strain.compute_second_derivative(H);
  return strain.rows() * SectionPair(p, q).rates(p, q);
}

// Of the elastic and the damping stresses, by the pose.
Vector6 BeamBody::Element::gradient() {
  if (data.damping == 0.0) return strain.gradient();
  const beams::Strains stress = data.damping * strain.stiffness() * strain_rates();
  return strain.gradient() + strain.rows().transpose() * stress;
}

// On the sections.
Vector12 BeamBody::Element::forces(const Vector3d& gravity) {
  if (!is_found) return Vector12::Constant(std::numeric_limits<double>::quiet_NaN());
  const Vector12 of_inertia = inertia.forces(p, q, gravity);
  if (!has_strains()) return of_inertia;
  return SectionPair(p, q).forces(gradient()) + of_inertia;
}

// That of damping leaves out how the rows of the strains change: a fraction damping * (rate of
// strain) of the stiffness.
void BeamBody::Element::add_tangent(const Vector3d& gravity, const TangentCoefficients& c,
                                    Matrix12& rate, Matrix12& K) {
  beams::BeamInertia::Tangent of_inertia;
  inertia.compute_tangent(p, q, gravity, of_inertia);
  rate += c.mass * of_inertia.M + c.damping * of_inertia.D;
  K += of_inertia.K;
  if (!has_strains()) return;
  const SectionPair pair(p, q);
  const Vector6 total = gradient();
  Matrix6 H;
  strain.compute_second_derivative(H);
  K += pair.stiffness(total, H);
  if (data.damping == 0.0) return;
  const Matrix6 C = data.damping * strain.rows().transpose() * strain.stiffness() * strain.rows();
  const beams::Matrix6x12 B = pair.increments();
  rate += c.damping * B.transpose() * C * B;
  K += B.transpose() * C * pair.rate_stiffness(p, q);
}

void BeamBody::add_residual(const BodyState&, const Vector3d& gravity, Ref<VectorXd> r) {
  for (Element& e : elements_) {
    const Vector12 f = e.forces(gravity);
    r.segment<3>(6 * e.data.p) += f.segment<3>(0);
    r.segment<3>(6 * e.data.p + 3) += e.data.R_p * f.segment<3>(3);
    r.segment<3>(6 * e.data.q) += f.segment<3>(6);
    r.segment<3>(6 * e.data.q + 3) += e.data.R_q * f.segment<3>(9);
  }
}

void BeamBody::add_element_tangent(int index, const Vector3d& gravity, const TangentCoefficients& c,
                                   Ref<MatrixXd> J_rate, Ref<MatrixXd> J_q) const {
  Element& e = elements_[index];
  const Matrix12 T = section_map(e.data);
  if (c.damping == 0.0 && c.stiffness == 0.0) {
    Matrix12 M;
    e.inertia.compute_mass(e.p, e.q, M);
    J_rate.noalias() += c.mass * T.transpose() * M * T;
    return;
  }
  Matrix12 rate = Matrix12::Zero(), K = rate;
  e.add_tangent(gravity, c, rate, K);
  J_rate.noalias() += T.transpose() * rate * T;
  J_q.noalias() += c.stiffness * (T.transpose() * K * T);
}

Energy BeamBody::energy(const BodyState&, const Vector3d& gravity) const {
  Energy energy;
  for (const Element& e : elements_) {
    energy.kinetic += e.inertia.kinetic_energy(e.p, e.q);
    if (e.has_strains()) energy.strain += e.strain.energy();
    energy.potential -= gravity.dot(e.inertia.first_moment(e.p, e.q));
  }
  return energy;
}

Momentum BeamBody::momentum(const BodyState&) const {
  Momentum momentum;
  for (const Element& e : elements_) {
    momentum.linear += e.inertia.momentum(e.p, e.q);
    momentum.angular += e.inertia.angular_momentum(e.p, e.q);
  }
  return momentum;
}

double BeamBody::dissipation(const BodyState&) const {
  double power = 0.0;
  for (Element& e : elements_) {
    if (e.data.damping == 0.0 || !e.has_strains()) continue;
    const beams::Strains rates = e.strain_rates();
    power += e.data.damping * rates.dot(e.strain.stiffness() * rates);
  }
  return power;
}

}  // namespace solidyn::bodies
