#include "solidyn/system/closed_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "solidyn/base/error.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/system/linearisation.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;
using forces::SetValued;
using forces::SetValuedLaw;
using forces::SetValuedPoint;
using Matrix = Linearisation::Matrix;
using Triplets = std::vector<Eigen::Triplet<double>>;

// Relative velocities, 1/s, and accelerations, 1/s^2, below which bodies in contact stand still.
constexpr double kStandsStill = 1e-3;
// Of a row: what is left of it without those before it, when it follows from them.
constexpr double kDependent = 1e-8;

void add_point(const System& system, ForceIndex force, const SetValued& law, int i,
               ClosedContacts& contacts) {
  using Kind = SetValuedLaw::Kind;
  const SetValuedPoint point = law.kept(i);
  const SetValuedLaw& its = law.law_of(i);
  const std::string name = law.name_of(i);
  if (its.kind == Kind::moment && point.phase == SetValuedPoint::Phase::open) return;
  const bool turns_freely = its.kind == Kind::clutch && !point.sticks;
  if (point.phase == SetValuedPoint::Phase::open || turns_freely) {
    if (law.exists(system.kinematics(), i)) contacts.open.push_back(name);
    return;
  }
  if (its.has_friction() && !point.sticks) return contacts.slipping.push_back(name);
  const bool rubs = its.has_friction();
  const bool has_normal = its.kind != Kind::friction && its.kind != Kind::moment;
  for (int d = has_normal ? 0 : 1; d < (rubs ? 3 : 1); ++d) contacts.rows.push_back({force, i, d});
  (rubs ? contacts.sticking : contacts.holding).push_back(name);
  const bool may_open = has_normal;
  if (may_open && point.force.isZero(0.0)) contacts.unloaded.push_back(name);
}

// Nodes of a surface have one name: "floor (4 times)".
std::string listed(const std::vector<std::string>& names) {
  constexpr int kNamedAtMost = 12;
  std::string text;
  int n_named = 0;
  for (auto name = names.begin(); name != names.end(); ++n_named) {
    if (n_named == kNamedAtMost)
      return text + fmt::format(" and {} more", std::distance(name, names.end()));
    const auto next = std::find_if(name, names.end(), [&](const auto& n) { return n != *name; });
    const auto n_same = std::distance(name, next);
    text += (n_named ? "; " : "") + *name;
    if (n_same > 1) text += fmt::format(" ({} times)", n_same);
    name = next;
  }
  return text;
}

// In the coordinates x. [n_v] each
std::vector<VectorXd> held_directions(const System& system, const std::vector<ContactRow>& rows,
                                      const Matrix& T) {
  std::vector<VectorXd> held;
  Eigen::MatrixXd local;
  for (const ContactRow& row : rows) {
    const SetValued& law = *system.force(row.force).as_set_valued();
    const std::vector<bodies::BodyIndex>* own = law.bodies_of(row.point);
    const std::vector<int> columns =
        own ? system.layout().velocity_indices(*own) : system.force_columns(row.force);
    local.setZero(static_cast<Eigen::Index>(columns.size()), 3);
    law.directions(system.kinematics(), row.point, local);
    VectorXd direction = VectorXd::Zero(system.layout().n_velocities());
    for (std::size_t j = 0; j < columns.size(); ++j)
      direction[columns[j]] = local(static_cast<Eigen::Index>(j), row.direction);
    held.emplace_back(T.transpose() * direction);
  }
  return held;
}

// Weighted, by Gram and Schmidt's method.
class HeldRows {
 public:
  explicit HeldRows(const VectorXd& weights) : unit_(weights.cwiseInverse()) {}
  // @return false where the row follows from those before it
  bool add(const VectorXd& row) {
    VectorXd w = unit_.cwiseProduct(row);
    const double size = w.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (const VectorXd& before : basis_) w -= before.dot(w) * before;
    if (!(w.norm() > kDependent * size)) return false;
    basis_.push_back(w.normalized());
    return true;
  }

 private:
  VectorXd unit_;
  std::vector<VectorXd> basis_;
};

void refuse_motion(const State& state, const Linearisation& l, const ClosedContacts& contacts) {
  const double speed = state.v.cwiseProduct(l.weights).lpNorm<Eigen::Infinity>();
  const double acceleration = state.a.cwiseProduct(l.weights).lpNorm<Eigen::Infinity>();
  if (speed < kStandsStill && acceleration < kStandsStill) return;
  const std::string first =
      contacts.sticking.empty() ? contacts.holding.front() : contacts.sticking.front();
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: the system cannot be linearised: `{}` is closed and bodies move, with {:.2g} of their size per second and {:.2g} per second squared\n  small motions about closed set-valued contacts are those about a state at rest: let the motion settle (longer, with damping) before",
      state.t, first, speed, acceleration));
}

Matrix with_rows(const Matrix& G, const std::vector<VectorXd>& more) {
  Triplets list;
  for (int j = 0; j < G.outerSize(); ++j)
    for (Matrix::InnerIterator it(G, j); it; ++it) list.emplace_back(it.row(), j, it.value());
  for (std::size_t i = 0; i < more.size(); ++i)
    for (Eigen::Index j = 0; j < more[i].size(); ++j)
      if (more[i][j] != 0.0)
        list.emplace_back(static_cast<int>(G.rows() + static_cast<Eigen::Index>(i)),
                          static_cast<int>(j), more[i][j]);
  Matrix all(G.rows() + static_cast<Eigen::Index>(more.size()), G.cols());
  all.setFromTriplets(list.begin(), list.end());
  return all;
}

}  // namespace

bool has_set_valued_contacts(const System& system) {
  for (const ForceIndex f : system.forces())
    if (system.force(f).as_set_valued()) return true;
  return false;
}

ClosedContacts find_closed_contacts(const System& system) {
  ClosedContacts contacts;
  for (const ForceIndex f : system.forces())
    if (const SetValued* law = system.force(f).as_set_valued())
      for (int i = 0; i < law->n_points(); ++i) add_point(system, f, *law, i, contacts);
  return contacts;
}

std::string describe(const ClosedContacts& contacts) {
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty())
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n  ", what, listed(names));
  };
  add("joined, as they stick", contacts.sticking);
  add("held along the normal alone", contacts.holding);
  add("open, and without a part", contacts.open);
  return text;
}

void hold_closed_contacts(const System& system, const State& state, Linearisation& l) {
  const ClosedContacts contacts = find_closed_contacts(system);
  if (!contacts.slipping.empty())
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: the system cannot be linearised: dry friction slides at {}, which has no linear form\n  let the motion settle until it sticks, or remove the friction",
        state.t, listed(contacts.slipping)));
  if (contacts.rows.empty()) return;
  refuse_motion(state, l, contacts);
  HeldRows rows(l.weights);
  const Eigen::MatrixXd constraints(l.G);
  for (Eigen::Index i = 0; i < constraints.rows(); ++i) rows.add(constraints.row(i).transpose());
  const std::vector<VectorXd> held = held_directions(system, contacts.rows, l.T);
  std::vector<VectorXd> independent, dependent;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const bool adds = rows.add(held[i]);
    (adds ? independent : dependent).push_back(held[i]);
    (adds ? l.contacts : l.dependent_contacts).push_back(contacts.rows[i]);
  }
  l.dependent_G = with_rows(Matrix(0, l.G.cols()), dependent);
  l.G = with_rows(l.G, independent);
  l.B = with_rows(l.B.transpose(), independent).transpose();
  l.is_rate.insert(l.is_rate.end(), independent.size(), false);
  l.rate = 0.0;
}

}  // namespace solidyn::system
