#include "solidyn/bodies/beam_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solidyn/base/error.h"
#include "solidyn/bodies/section_motion.h"

namespace solidyn::bodies {
namespace {

using beams::Matrix12;
using beams::Matrix6;
using beams::SectionMotion;
using beams::SectionPair;
using beams::Vector12;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;

SectionMotion section_of(const InitialMotion& node, const Matrix3d& R) {
  SectionMotion s;
  s.p = node.p_WB;
  s.R = node.q_WB.toRotationMatrix() * R;
  return s;
}

// From the axes of the sections to those of the nodes: both turn about the same point.
void turn_to_nodes(const BeamElementData& d, Matrix12& K) {
  for (const auto& [at, R] : {std::pair{3, &d.R_p}, std::pair{9, &d.R_q}}) {
    K.middleRows<3>(at) = R->lazyProduct(K.middleRows<3>(at)).eval();
    K.middleCols<3>(at) = K.middleCols<3>(at).lazyProduct(R->transpose()).eval();
  }
}

void add_to_nodes(const BeamElementData& d, const Vector12& on_sections, Ref<VectorXd> r) {
  r.segment<3>(6 * d.p) += on_sections.segment<3>(0);
  r.segment<3>(6 * d.p + 3) += d.R_p * on_sections.segment<3>(3);
  r.segment<3>(6 * d.q) += on_sections.segment<3>(6);
  r.segment<3>(6 * d.q + 3) += d.R_q * on_sections.segment<3>(9);
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

BeamBody::BeamBody(std::string name, std::vector<BodyIndex> nodes,
                   const std::vector<InitialMotion>& undeformed,
                   const std::vector<BeamElementData>& elements)
    : ElementBody(std::move(name), std::move(nodes)) {
  double section = 0.0;
  for (const BeamElementData& d : elements) {
    const SectionPair pair(section_of(undeformed[d.p], d.R_p), section_of(undeformed[d.q], d.R_q));
    elements_.push_back({d,
                         {d.length, d.rigidity, d.torsion, d.rule},
                         {d.length, d.mass_per_length, d.inertia_per_length},
                         pair,
                         {},
                         {},
                         {},
                         true,
                         beams::Vector6::Zero(),
                         beams::Strains::Zero(),
                         beams::Strains::Zero(),
                         {},
                         false,
                         {},
                         false});
    if (!elements_.back().strain.set_unstressed(pair.D, beams::quaternion_of(pair.Q)))
      throw base::InputError(
          fmt::format("element {} of beam {} rotates too much", elements_.size(), this->name()),
          "use more elements");
    mass_ += elements_.back().inertia.mass();
    if (d.mass_per_length > 0.0)
      section = std::max(section, d.inertia_per_length.maxCoeff() / d.mass_per_length);
  }
  radius_of_gyration_ = radius_of_gyration_of(undeformed, section);
}

void BeamBody::add_load(LineLoad load) {
  for (const LineLoad::Part& part : load.parts()) {
    Element& e = elements_[part.element];
    e.loads.push_back({loads_.size(), {e.data.length, load.axes(), part.pieces}});
    e.has_following_load |= load.axes() == beams::BeamLoad::Axes::section;
  }
  loads_.push_back(std::move(load));
}

void BeamBody::set_prestrain(std::vector<Prestrain> of_elements) {
  prestrain_ = std::move(of_elements);
  has_prestrain_ = std::any_of(prestrain_.begin(), prestrain_.end(),
                               [](const Prestrain& p) { return !p.is_zero(); });
}

void BeamBody::follow(const Kinematics& kinematics) {
  const double t = kinematics.bodies[nodes().front()].t;
  for (LineLoad& load : loads_) load.set_time(t);
  strain_by_themselves(t);
  for (Element& e : elements_) {
    e.p = section_of(kinematics.bodies[nodes()[e.data.p]], e.data.R_p);
    e.q = section_of(kinematics.bodies[nodes()[e.data.q]], e.data.R_q);
    const bool is_in_plane = !is_static_ && !has_prestrain_ && e.follow_in_plane();
    if (!is_in_plane) e.begin_in_space();
    e.is_in_plane = is_in_plane;
    if (!is_in_plane) e.find_strains();
  }
}

void BeamBody::strain_by_themselves(double t) {
  for (std::size_t k = 0; k < prestrain_.size(); ++k) {
    const Prestrain& prestrain = prestrain_[k];
    if (prestrain.is_zero()) continue;
    Element& e = elements_[k];
    e.strain.set_prestrain(prestrain.value(e.data.length, t));
    if (!prestrain.varies()) continue;
    e.prestrain_rates = prestrain.rate(e.data.length, t);
    e.damped_rates = is_static_ ? beams::Strains::Zero() : e.prestrain_rates;
  }
}

void BeamBody::Element::find_strains() {
  if (has_strains() || has_following_load) look_at_strains();
  if (is_found && has_strains()) find_gradient();
}

void BeamBody::Element::look_at_strains() {
  pair = SectionPair(p, q);
  is_found = strain.solve(pair.D, beams::quaternion_of(pair.Q));
}

void BeamBody::Element::find_gradient() {
  gradient = strain.gradient();
  if (data.damping == 0.0) return;
  const beams::Strains stress = data.damping * strain.stiffness() * strain_rates();
  gradient += strain.rows().transpose() * stress;
}

beams::MiddleSection BeamBody::Element::middle() const {
  beams::MiddleSection middle;
  if (has_following_load) middle.R = p.R * strain.middle_turn();
  return middle;
}

beams::MiddleSection BeamBody::Element::middle_with_rows() {
  beams::MiddleSection section = middle();
  if (!has_following_load) return section;
  section.rows = strain.middle_turn_rows() * pair.increments();
  section.rows.middleCols<3>(3) += strain.middle_turn().transpose();
  return section;
}

Vector12 BeamBody::load_forces(const Element& e) const {
  Vector12 f = Vector12::Zero();
  const beams::MiddleSection middle = e.middle();
  for (const ElementLoad& part : e.loads)
    f += part.load.forces(e.p, e.q, middle, loads_[part.of].force(), loads_[part.of].torque());
  return f;
}

VectorXd BeamBody::unit_load(const std::string& load, int component) const {
  const beams::Vector6 unit = beams::Vector6::Unit(component);
  VectorXd f = VectorXd::Zero(static_cast<Eigen::Index>(6 * nodes().size()));
  for (const Element& e : elements_) {
    Vector12 on_sections = Vector12::Zero();
    for (const ElementLoad& part : e.loads)
      if (loads_[part.of].name() == load)
        on_sections += part.load.forces(e.p, e.q, e.middle(), unit.head<3>(), unit.tail<3>());
    add_to_nodes(e.data, on_sections, f);
  }
  return f;
}

void BeamBody::vary_load(const std::string& load, int component, double by) const {
  for (LineLoad& candidate : loads_)
    if (candidate.name() == load) candidate.vary(component, by);
}

Matrix12 BeamBody::load_stiffness(Element& e) const {
  Matrix12 K = Matrix12::Zero();
  const beams::MiddleSection middle = e.middle_with_rows();
  for (const ElementLoad& part : e.loads)
    K += part.load.stiffness(e.p, e.q, middle, loads_[part.of].force(), loads_[part.of].torque());
  return K;
}

// On the sections.
Vector12 BeamBody::Element::forces(const Vector3d& gravity) const {
  if (!is_found) return Vector12::Constant(std::numeric_limits<double>::quiet_NaN());
  Vector12 of_inertia = inertia.forces(p, q, gravity);
  if (!has_strains()) return of_inertia;
  return pair.forces(gradient) + of_inertia;
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
  K += pair.stiffness(gradient, strain.second_derivative());
  if (data.damping == 0.0) return;
  const beams::Matrix76& rows = strain.rows();
  const beams::Matrix76 stress = data.damping * strain.stiffness().lazyProduct(rows);
  const Matrix6 C = rows.transpose().lazyProduct(stress);
  rate += c.damping * pair.on_sections(pair.by_sections(C));
  K += pair.on_sections(C.lazyProduct(pair.rate_stiffness(p, q)));
}

void BeamBody::add_residual(const BodyState&, const Vector3d& gravity, Ref<VectorXd> r) {
  for (Element& e : elements_) {
    if (e.moves_in_plane(gravity)) {
      e.add_forces_in_plane(gravity, r);
      continue;
    }
    e.look_in_space();
    Vector12 f = e.forces(gravity);
    if (!e.loads.empty()) f -= load_forces(e);
    add_to_nodes(e.data, f, r);
  }
}

void BeamBody::add_element_tangent(int index, const Vector3d& gravity, const TangentCoefficients& c,
                                   Ref<MatrixXd> J_rate, Ref<MatrixXd> J_q) const {
  Element& e = elements_[index];
  if (c.damping == 0.0 && c.stiffness == 0.0) {
    Matrix12 M;
    e.inertia.compute_mass(e.p, e.q, M);
    turn_to_nodes(e.data, M);
    J_rate += c.mass * M;
    return;
  }
  e.look_in_space();
  Matrix12 rate = Matrix12::Zero(), K = rate;
  e.add_tangent(gravity, c, rate, K);
  if (!e.loads.empty()) K -= load_stiffness(e);
  turn_to_nodes(e.data, rate);
  turn_to_nodes(e.data, K);
  J_rate += rate;
  J_q += c.stiffness * K;
}

bool BeamBody::is_shaped_by_constraints() const {
  return std::any_of(elements_.begin(), elements_.end(),
                     [](const Element& e) { return !e.has_strains(); });
}

Energy BeamBody::energy(const BodyState&, const Vector3d& gravity) const {
  Energy energy;
  for (const Element& e : elements_) {
    energy.kinetic +=
        e.is_in_plane ? e.plane->beam.kinetic_energy() : e.inertia.kinetic_energy(e.p, e.q);
    if (e.has_strains())
      energy.strain += e.is_in_plane ? e.plane->beam.strain_energy() : e.strain.energy();
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
    if (e.data.damping == 0.0 || !e.has_strains() || !e.is_found) continue;
    if (e.is_in_plane) {
      power += e.plane->beam.dissipation();
      continue;
    }
    const beams::Strains rates = e.strain_rates();
    power += e.data.damping * rates.dot(e.strain.stiffness() * rates);
  }
  return power;
}

std::string BeamBody::warning() const {
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    if (e.data.rule == beams::TurnRule::magnus || !e.has_strains() || !e.is_found) continue;
    const double tension = e.strain.stresses()[0] / e.data.length;
    const double limit =
        beams::largest_tension(e.data.length, e.data.rigidity, e.data.torsion, e.data.rule);
    if (tension < limit) continue;
    return fmt::format(
        "its element {} is under a tension of {:.3g} N and becomes unstable at {:.3g} N with the curvature rule `lobatto`: remove curvature_rule (`magnus` has no such limit), or use more elements",
        i + 1, tension, limit);
  }
  return {};
}

beams::Strains BeamBody::Element::stresses() {
  beams::Strains stress = strain.stresses();
  if (data.damping > 0.0) stress += data.damping * strain.stiffness() * strain_rates();
  return stress;
}

// What strains the beam by itself works against its stresses.
double BeamBody::load_power(const BodyState&) const {
  double power = 0.0;
  for (Element& e : elements_) {
    if (!e.prestrain_rates.isZero(0.0) && e.has_strains() && e.is_found)
      power -= e.stresses().dot(e.prestrain_rates);
    if (e.loads.empty()) continue;
    Vector12 rates;
    rates << e.p.v, e.p.w, e.q.v, e.q.w;
    power += load_forces(e).dot(rates);
  }
  return power;
}

}  // namespace solidyn::bodies
