#include "solidyn/fem/sections.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::fem {
namespace {

// Appends the complaints of `work`, if it has any.
template <class Work>
void collect(std::vector<base::Diagnostic>& errors, const Work& work) {
  try {
    work();
  } catch (const base::InputError& error) {
    errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
  }
}

std::int32_t largest_region(const std::vector<mesh::ElementBlock>& blocks) {
  std::int32_t largest = 0;
  for (const mesh::ElementBlock& block : blocks)
    for (const std::int32_t region : block.regions) largest = std::max(largest, region);
  return largest;
}

}  // namespace

void check(const Sections& sections, const std::vector<mesh::ElementBlock>& blocks) {
  std::vector<base::Diagnostic> errors;
  const std::size_t n = sections.all().size();
  for (std::size_t i = 0; i < n; ++i)
    collect(errors, [&] {
      check(sections.all()[i].material,
            sections.is_one() ? "material" : fmt::format("material of region {}", i));
    });
  const std::int32_t largest = largest_region(blocks);
  if (!sections.is_one() && static_cast<std::size_t>(largest) >= n)
    errors.push_back(
        {{},
         fmt::format("the mesh has a region {}, but sections are defined for {} regions", largest,
                     n),
         "assign a material to each region of the mesh"});
  if (!errors.empty()) throw base::InputError(std::move(errors));
}

}  // namespace solidyn::fem
