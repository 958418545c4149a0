#include "integrators/held_contacts.h"

#include "integrators/saddle_point_solve.h"

namespace solidyn::integrators {
namespace {

// Directions that move others by less than this part do so not at all.
constexpr double kRankOfHeld = 1e-10;

}  // namespace

using Eigen::VectorXd;

std::vector<Eigen::Index> held_directions(const ContactPoints& contacts, const system::State& s,
                                          const std::vector<int>& of) {
  std::vector<Eigen::Index> held;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const auto first = static_cast<Eigen::Index>(3 * k);
    const forces::SetValuedLaw& law = contacts.law(of[k]);
    const bool sticks = contacts.read(s, of[k]).sticks && law.can_stick();
    if (law.has_gap() || (law.kind == forces::SetValuedLaw::Kind::clutch && sticks))
      held.push_back(first);
    if (sticks && law.has_friction()) held.insert(held.end(), {first + 1, first + 2});
  }
  return held;
}

HeldContacts::HeldContacts(const ContactPoints& contacts, const system::State& s,
                           const ContactFactors& factors, int n_unknowns) {
  const std::vector<int> closed = contacts.closed(s);
  if (closed.empty()) return;
  compliance_ = contact_compliance(contacts, closed, factors, n_unknowns);
  held_ = DirectionsOfContacts(compliance_.A, held_directions(contacts, s, closed), kRankOfHeld);
}

void HeldContacts::hold(const VectorXd& wanted, VectorXd& x) const {
  if (held_.is_empty()) return;
  const VectorXd missing = compliance_.W.transpose() * (wanted - x.head(compliance_.W.rows()));
  x += compliance_.X * held_.forces_for(missing(held_.directions()));
}

}  // namespace solidyn::integrators
