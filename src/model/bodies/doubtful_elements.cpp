#include "model/bodies/doubtful_elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/doubtful_elements.h"

namespace solidyn::model {
namespace {

bool is_of_same_mesh(const BodyDescription& a, const BodyDescription& b) {
  return a.flexible.mesh == b.flexible.mesh && a.flexible.hex8 == b.flexible.hex8 &&
         a.flexible.hex20 == b.flexible.hex20 && !b.flexible.is_rigid &&
         (a.type == BodyType::inertial) == (b.type == BodyType::inertial);
}

// "body rod", or "bodies rod and 9 more".
std::string subject(const BodyDescription& body, std::int64_t n_alike) {
  return n_alike == 1 ? "body " + body.name
                      : fmt::format("bodies {} and {} more of its mesh", body.name, n_alike - 1);
}

std::string types_in_words(const fem::DoubtfulElements& found) {
  std::string text;
  for (const auto& [type, share] : found.locking)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", elements::name(type));
  return text;
}

std::string way_out(const BodyDescription& body, const fem::DoubtfulElements& found) {
  const bool is_hex8 =
      found.locking.size() == 1 && found.locking.begin()->first == elements::ElementType::hex8;
  const char* quadratic = "mesh with mid-side nodes (Gmsh: Mesh.ElementOrder = 2)";
  if (!is_hex8) return fmt::format("{}, or six or more elements through the thickness", quadratic);
  if (body.type == BodyType::inertial)
    return fmt::format(
        "{}, or take  type: corotational  with  hex8: incompatible_modes, which bend as they "
        "should",
        quadratic);
  return "say  hex8: incompatible_modes, which bend as they should";
}

// Told by the first of the bodies of a mesh.
void warn_of_locking(const ModelDescription& model, const BodyDescription& body,
                     const fem::DoubtfulElements& found) {
  if (!(found.locking_share() > fem::kDoubtfulShare)) return;
  const auto is_alike = [&](const BodyDescription& b) { return is_of_same_mesh(body, b); };
  const auto first = std::find_if(model.bodies.begin(), model.bodies.end(), is_alike);
  if (first != model.bodies.end() && first->name != body.name) return;
  base::log_warning(
      "{}: elements without mid-side nodes ({}) are much too stiff in bending where few of them "
      "lie through the thickness, and {:.0f} % of the volume is in elements at the surface: "
      "deflections come out too small, frequencies too high\n  {}",
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
void warn_of_formulations(const BodyDescription& body, const mesh::DistributedMesh& mesh) {
  const auto warn = [&](const char* key, elements::ElementType type) {
    if (!has_elements(mesh, type))
      base::log_warning("bodies.{}.{} changes nothing: the mesh has no {} elements", body.name, key,
                        elements::name(type));
  };
  if (body.flexible.has_hex8) warn("hex8", elements::ElementType::hex8);
  if (body.flexible.has_hex20) warn("hex20", elements::ElementType::hex20);
}

}  // namespace

void warn_of_doubtful_elements(const ModelDescription& model, const BodyDescription& body,
                               const mesh::DistributedMesh& mesh, const fem::Sections& sections) {
  if (body.flexible.is_rigid) return;
  warn_of_formulations(body, mesh);
  const fem::DoubtfulElements found = fem::find_doubtful_elements(
      mesh, body.type == BodyType::inertial ? with_standard_hex8(sections) : sections);
  warn_of_locking(model, body, found);
  if (found.is_row_of_reduced_hex20)
    base::log_warning(
        "body {}: hex20 elements with reduced integration stand in a row of {}, which has {} "
        "motions without energy beside the rigid ones, and supports at its ends hold few of them\n"
        "  take two elements across, or  hex20: full",
        body.name, mesh.n_global_elements, mesh.n_global_elements + 1);
}

}  // namespace solidyn::model
