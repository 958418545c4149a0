#include "open_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "solidyn/forces/force.h"

namespace solidyn::analyses {
namespace {

constexpr std::size_t kNamedContacts = 6;

// The smallest gap of each contact, which may be several forces of one name.
std::map<std::string, double> gaps(const system::System& system) {
  std::map<std::string, double> found;
  for (const forces::ForceIndex k : system.forces()) {
    const forces::Force& force = system.force(k);
    const std::optional<double> gap = force.gap(system.kinematics());
    if (!gap) continue;
    const auto [entry, is_new] = found.emplace(force.name(), *gap);
    if (!is_new) entry->second = std::min(entry->second, *gap);
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
         ": an open contact transmits no force; start with the shapes touching, with a small penetration, or let the bodies settle: `method: relaxation`, or `dynamics`";
}

}  // namespace solidyn::analyses
