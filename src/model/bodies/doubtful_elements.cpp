#include "model/bodies/doubtful_elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/doubtful_elements.h"

namespace solidyn::model {
namespace {

bool is_of_same_mesh(const FlexibleEntry& a, const FlexibleEntry& b) {
  const fem::Section usual;
  return a.mesh == b.mesh && a.hex8.value_or(usual.hex8) == b.hex8.value_or(usual.hex8) &&
         a.hex20.value_or(usual.hex20) == b.hex20.value_or(usual.hex20) && !b.is_rigid() &&
         a.has_trilinear_hex8() == b.has_trilinear_hex8();
}

// "body rod", or "bodies rod and 9 more".
std::string subject(const BodyEntry& body, std::int64_t n_alike) {
  return n_alike == 1 ? "body " + body.name
                      : fmt::format("bodies {} and {} more of its mesh", body.name, n_alike - 1);
}

std::string types_in_words(const fem::DoubtfulElements& found) {
  std::string text;
  for (const auto& [type, share] : found.locking)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", elements::name(type));
  return text;
}

std::string way_out(const FlexibleEntry& body, const fem::DoubtfulElements& found) {
  const bool is_hex8 =
      found.locking.size() == 1 && found.locking.begin()->first == elements::ElementType::hex8;
  const char* quadratic = "use quadratic elements (Gmsh: Mesh.ElementOrder = 2)";
  if (!is_hex8) return fmt::format("{}, or six or more elements through the thickness", quadratic);
  if (body.has_trilinear_hex8())
    return fmt::format(
        "{}, or use  type: corotational  with  hex8: incompatible_modes, which are accurate in bending",
        quadratic);
  return "write  hex8: incompatible_modes, which are accurate in bending";
}

// Told by the first of the bodies of a mesh.
void warn_of_locking(const ModelDescription& model, const FlexibleEntry& body,
                     const fem::DoubtfulElements& found) {
  if (!(found.locking_share() > fem::kDoubtfulShare)) return;
  const auto is_alike = [&](const std::shared_ptr<const BodyEntry>& b) {
    return b->flexible() && is_of_same_mesh(body, *b->flexible());
  };
  const auto first = std::find_if(model.bodies.begin(), model.bodies.end(), is_alike);
  if (first != model.bodies.end() && (*first)->name != body.name) return;
  base::log_warning(
      "{}: linear elements ({}) are much too stiff in bending with few elements through the thickness, and {:.0f} % of the volume is in surface elements: deflections will be too small, frequencies too high\n  {}",
      subject(body, std::count_if(model.bodies.begin(), model.bodies.end(), is_alike)),
      types_in_words(found), 100.0 * found.locking_share(), way_out(body, found));
}

// Large strains take the trilinear element.
fem::Sections with_standard_hex8(const fem::Sections& sections) {
  std::vector<fem::Section> standard = sections.all();
  for (fem::Section& section : standard) section.hex8 = fem::Hex8Formulation::standard;
  return sections.is_one() ? fem::Sections(standard.front()) : fem::Sections(standard);
}

bool has_elements(const mesh::DistributedMesh& mesh, elements::ElementType type) {
  std::int64_t n_here = 0;
  for (const mesh::ElementBlock& block : mesh.solids)
    if (block.type == type) n_here += block.size();
  return base::sum(mesh.comm, n_here) > 0;
}

// A formulation of elements that the mesh does not have.
void warn_of_formulations(const FlexibleEntry& body, const mesh::DistributedMesh& mesh) {
  const auto warn = [&](const char* key, elements::ElementType type) {
    if (!has_elements(mesh, type))
      base::log_warning("bodies.{}.{} has no effect: the mesh has no {} elements", body.name, key,
                        elements::name(type));
  };
  if (body.hex8) warn("hex8", elements::ElementType::hex8);
  if (body.hex20) warn("hex20", elements::ElementType::hex20);
}

}  // namespace

void warn_of_doubtful_elements(const ModelDescription& model, const FlexibleEntry& body,
                               const mesh::DistributedMesh& mesh, const fem::Sections& sections) {
  if (body.is_rigid()) return;
  warn_of_formulations(body, mesh);
  const fem::DoubtfulElements found = fem::find_doubtful_elements(
      mesh, body.has_trilinear_hex8() ? with_standard_hex8(sections) : sections);
  warn_of_locking(model, body, found);
  if (found.is_row_of_reduced_hex20)
    base::log_warning(
        "body {}: hex20 elements with reduced integration form a single row of {}, which has {} zero-energy modes besides the rigid-body modes, and supports at its ends constrain few of them\n"
        "  use two elements across, or  hex20: full",
        body.name, mesh.n_global_elements, mesh.n_global_elements + 1);
}

}  // namespace solidyn::model
