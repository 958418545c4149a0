#include "solidyn/joints/strain_constraint.h"

#include <fmt/format.h>

#include "solidyn/bodies/section_motion.h"

namespace solidyn::joints {
namespace {

using beams::Matrix12;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<BodyIndex> bodies_of(const StrainEnd& p, const StrainEnd& q, BodyIndex strains) {
  std::vector<BodyIndex> all = {p.body, q.body};
  if (strains != bodies::kGround) all.push_back(strains);
  return all;
}

}  // namespace

StrainConstraint::StrainConstraint(std::string name, const StrainEnd& p, const StrainEnd& q,
                                   StrainUse strains,
                                   std::unique_ptr<beams::StrainRelation> relation)
    : Constraint(std::move(name), bodies_of(p, q, strains.body), relation->n_rows()),
      p_(p),
      q_(q),
      strains_(std::move(strains)),
      relation_(std::move(relation)) {}

Matrix12 StrainConstraint::section_map() const {
  Matrix12 T = Matrix12::Identity();
  T.block<3, 3>(3, 3) = p_.R.transpose();
  T.block<3, 3>(9, 9) = q_.R.transpose();
  return T;
}

StrainConstraint::Ends StrainConstraint::read(const bodies::Kinematics& k, double t) const {
  VectorXd strains = strains_.fixed;
  for (std::size_t i = 0; i < strains_.laws.size(); ++i)
    strains += strains_.by_laws.col(static_cast<Eigen::Index>(i)) * strains_.laws[i].value(t);
  if (strains_.body != bodies::kGround) strains += strains_.free * k.bodies[strains_.body].q_e;
  const Ends ends(bodies::section_of(k.bodies[p_.body], p_.R),
                  bodies::section_of(k.bodies[q_.body], q_.R));
  relation_->evaluate(ends.pair, strains);
  return ends;
}

void StrainConstraint::evaluate(const bodies::Kinematics& k, double t,
                                ConstraintValues& values) const {
  const Ends ends = read(k, t);
  values.phi = relation_->value();
  values.G.leftCols<12>() = relation_->by_pose() * ends.pair.increments() * section_map();
  if (strains_.body != bodies::kGround)
    values.G.rightCols(strains_.free.cols()) = relation_->by_strains() * strains_.free;
}

// dC/dt = by_pose rates + by_strains deps/dt; differentiated once more.
void StrainConstraint::evaluate_rates(const bodies::Kinematics& k, double t,
                                      ConstraintValues& values) const {
  const Ends ends = read(k, t);
  const int n = relation_->n_strains();
  VectorXd first = VectorXd::Zero(n), second = first, rates(6 + n);
  for (std::size_t i = 0; i < strains_.laws.size(); ++i) {
    const auto of_time = strains_.laws[i].evaluate(t);
    first += strains_.by_laws.col(static_cast<Eigen::Index>(i)) * of_time.first;
    second += strains_.by_laws.col(static_cast<Eigen::Index>(i)) * of_time.second;
  }
  values.nu = -relation_->by_strains() * first;
  if (strains_.body != bodies::kGround) first += strains_.free * k.bodies[strains_.body].v;
  rates << ends.pair.rates(ends.p, ends.q), first;
  beams::Vector12 of_ends;
  of_ends << ends.p.v, ends.p.w, ends.q.v, ends.q.w;
  values.gamma = -relation_->by_strains() * second -
                 relation_->by_pose() * (ends.pair.rate_stiffness(ends.p, ends.q) * of_ends);
  for (int row = 0; row < n_rows(); ++row) {
    const VectorXd unit = VectorXd::Unit(n_rows(), row);
    values.gamma[row] -= rates.dot(relation_->second_derivative(unit) * rates);
  }
}

void StrainConstraint::add_stiffness(const bodies::Kinematics& k, double t,
                                     const Eigen::Ref<const VectorXd>& lambda, double weight,
                                     Eigen::Ref<MatrixXd> K) const {
  const Ends ends = read(k, t);
  const MatrixXd H = relation_->second_derivative(lambda);
  const Matrix12 T = section_map();
  const beams::Vector6 gradient = relation_->by_pose().transpose() * lambda;
  K.topLeftCorner<12, 12>() +=
      weight * (T.transpose() * ends.pair.stiffness(gradient, H.topLeftCorner<6, 6>()) * T);
  if (strains_.body == bodies::kGround) return;
  const Eigen::Index n = strains_.free.cols();
  const MatrixXd mixed = (ends.pair.increments() * T).transpose() *
                         H.topRightCorner(6, relation_->n_strains()) * strains_.free;
  K.topRightCorner(12, n) += weight * mixed;
  K.bottomLeftCorner(n, 12) += weight * mixed.transpose();
  K.bottomRightCorner(n, n) +=
      weight *
      (strains_.free.transpose() *
       H.bottomRightCorner(relation_->n_strains(), relation_->n_strains()) * strains_.free);
}

beams::Vector12 StrainConstraint::section_forces(const bodies::Kinematics& k, double t,
                                                 const Eigen::Ref<const VectorXd>& lambda) const {
  const Ends ends = read(k, t);
  return ends.pair.forces(relation_->by_pose().transpose() * lambda);
}

std::string StrainConstraint::row_name(int row) const {
  return n_rows() == 1 ? "length" : fmt::format("continuity {}", row + 1);
}

}  // namespace solidyn::joints
