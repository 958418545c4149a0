#include "open_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "solidyn/contact/contact_force.h"

namespace solidyn::analyses {
namespace {

constexpr std::size_t kNamedContacts = 6;

// The smallest gap of each contact, which may be several forces of one name.
std::map<std::string, double> gaps(const system::System& system) {
  std::map<std::string, double> found;
  for (int k = 0; k < system.n_forces(); ++k) {
    const auto* contact = dynamic_cast<const contact::ContactForce*>(&system.force(k));
    if (!contact) continue;
    const double gap = contact->state(contact->pair(system.kinematics())).gap;
    const auto [entry, is_new] = found.emplace(contact->name(), gap);
    if (!is_new) entry->second = std::min(entry->second, gap);
  }
  return found;
}

}  // namespace

std::string describe_open_contacts(system::System& system, const system::State& state) {
  system.update(state);
  std::string text;
  std::size_t n = 0;
  for (const auto& [name, gap] : gaps(system)) {
    if (gap < 0.0) continue;
    if (n++ < kNamedContacts)
      text += fmt::format("{}{} is open (gap {:.3g} m)", text.empty() ? "" : ", ", name, gap);
  }
  if (n == 0) return "";
  if (n > kNamedContacts) text += fmt::format(", and {} more", n - kNamedContacts);
  return "\n  " + text +
         ": an open contact holds nothing; begin where the shapes touch, overlapping by a little, "
         "or "
         "let the bodies come to rest by themselves: `method: relaxation`, or `dynamics`";
}

}  // namespace solidyn::analyses
