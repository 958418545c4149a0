#include "solidyn/joints/coupler.h"

#include <algorithm>

#include "solidyn/base/error.h"

namespace solidyn::joints {

using bodies::CoordinateValue;
using bodies::FramePair;
using bodies::Matrix12;

namespace {

std::vector<BodyIndex> bodies_of(const std::vector<Coupler::Term>& terms) {
  std::vector<BodyIndex> bodies;
  for (const Coupler::Term& term : terms)
    for (const BodyIndex body : term.link.bodies())
      if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) bodies.push_back(body);
  return bodies;
}

// Where each column of the links stands when every body has its columns once.
std::vector<std::vector<int>> merged_columns(const std::vector<Coupler::Term>& terms,
                                             const std::vector<BodyIndex>& bodies) {
  std::vector<int> sizes(bodies.size(), 0), offsets(bodies.size(), 0);
  const auto place_of = [&](BodyIndex body) {
    return std::find(bodies.begin(), bodies.end(), body) - bodies.begin();
  };
  for (const Coupler::Term& term : terms)
    for (const BodyIndex body : term.link.bodies())
      sizes[place_of(body)] = term.link.n_velocities(body);
  for (std::size_t i = 1; i < bodies.size(); ++i) offsets[i] = offsets[i - 1] + sizes[i - 1];
  std::vector<std::vector<int>> columns;
  for (const Coupler::Term& term : terms) {
    columns.emplace_back();
    for (const BodyIndex body : term.link.bodies())
      for (int k = 0; k < term.link.n_velocities(body); ++k)
        columns.back().push_back(offsets[place_of(body)] + k);
  }
  return columns;
}

}  // namespace

Coupler::Coupler(std::string name, std::vector<Term> terms, double constant)
    : Constraint(std::move(name), bodies_of(terms), 1),
      terms_(std::move(terms)),
      constant_(constant),
      columns_(merged_columns(terms_, bodies())) {
  SOLIDYN_ASSERT(!terms_.empty());
}

math::TimeFunction::Values Coupler::law_of(const Term& term, double x) {
  if (term.law) return term.law->evaluate(x);
  return {term.factor * x, term.factor, 0.0};
}

void Coupler::evaluate(const bodies::Kinematics& kinematics, double, ConstraintValues& out) const {
  out.phi[0] = -constant_;
  out.G.setZero();
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    const CoordinateValue c = value_of(term.coordinate, term.link.pair(kinematics));
    const math::TimeFunction::Values f = law_of(term, c.value);
    out.phi[0] += f.value;
    Eigen::RowVectorXd row(term.link.n_columns());
    term.link.set_row(kinematics, c.J, row);
    for (std::size_t k = 0; k < columns_[i].size(); ++k)
      out.G(0, columns_[i][k]) += f.first * row[static_cast<Eigen::Index>(k)];
  }
}

void Coupler::evaluate_rates(const bodies::Kinematics& kinematics, double,
                             ConstraintValues& out) const {
  out.nu[0] = 0.0;
  out.gamma[0] = 0.0;
  for (const Term& term : terms_) {
    const FramePair f = term.link.pair(kinematics);
    const CoordinateValue c = value_of(term.coordinate, f);
    const math::TimeFunction::Values law = law_of(term, c.value);
    const double rate = c.J.dot(f.twist());
    out.gamma[0] -= law.second * rate * rate +
                    law.first * (bias_of(term.coordinate, f) + c.J.head<6>().dot(f.A.bias) +
                                 c.J.tail<6>().dot(f.B.bias));
  }
}

void Coupler::add_stiffness(const bodies::Kinematics& kinematics, double,
                            const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                            Eigen::Ref<Eigen::MatrixXd> K) const {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    const FramePair f = term.link.pair(kinematics);
    const CoordinateValue c = value_of(term.coordinate, f);
    const math::TimeFunction::Values law = law_of(term, c.value);
    const double force = weight * lambda[0] * law.first;
    Matrix12 S = weight * lambda[0] * law.second * c.J.transpose() * c.J;
    add_stiffness_of(term.coordinate, f, force, S);
    const int n = term.link.n_columns();
    Eigen::MatrixXd K_link = Eigen::MatrixXd::Zero(n, n);
    term.link.add_geometric_stiffness(kinematics, force * c.J.transpose(), K_link);
    term.link.add_matrix(kinematics, S, K_link);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) K(columns_[i][a], columns_[i][b]) += K_link(a, b);
  }
}

}  // namespace solidyn::joints
