#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solidyn/fem/hex8_stiffness.h"
#include "solidyn/fem/material.h"
#include "solidyn/fem/solid_element.h"
#include "solidyn/mesh/mesh.h"

namespace solidyn::fem {

/// What the elements of a region are made of, and how their stiffness is.
struct Section {
  Material material;
  Hex8Formulation hex8 = Hex8Formulation::incompatible_modes;
  Hex20Integration hex20 = Hex20Integration::full;
};

/// The section of each region of a mesh (mesh::ElementBlock::regions). Copies freely.
class Sections {
 public:
  /// One for the whole body, whatever its regions.
  Sections(const Section& section) : sections_{section}, is_one_(true) {}  // NOLINT: a conversion
  Sections(const IsotropicElastic& material,                               // NOLINT: likewise
           Hex8Formulation hex8 = Hex8Formulation::incompatible_modes)
      : Sections(Section{material, hex8, Hex20Integration::full}) {}
  Sections(const Material& material)  // NOLINT: likewise
      : Sections(Section{material}) {}
  /// Region r has the r-th section.
  explicit Sections(std::vector<Section> of_regions) : sections_(std::move(of_regions)) {}

  bool is_one() const { return is_one_; }
  const std::vector<Section>& all() const { return sections_; }
  /// @pre the region has a section (see check())
  const Section& of_region(std::int32_t region) const { return sections_[is_one_ ? 0 : region]; }

 private:
  std::vector<Section> sections_;
  bool is_one_ = false;
};

/// Local. Throws InputError that lists every property outside its range, and regions of the blocks
/// that have no section.
void check(const Sections& sections, const std::vector<mesh::ElementBlock>& blocks);

/// Visits the elements [first, last) of a block with their section, run by run: a mesh of one
/// section in one run. visit(section, first, last)
template <class Visit>
void for_sections(const Sections& sections, const mesh::ElementBlock& block, const Visit& visit) {
  const std::int64_t n = block.size();
  if (sections.is_one() || block.regions.empty()) {
    if (n > 0) visit(sections.of_region(0), std::int64_t{0}, n);
    return;
  }
  for (std::int64_t first = 0, last = 0; first < n; first = last) {
    while (last < n && block.regions[last] == block.regions[first]) ++last;
    visit(sections.of_region(block.regions[first]), first, last);
  }
}

}  // namespace solidyn::fem
