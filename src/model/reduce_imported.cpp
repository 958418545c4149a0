#include "model/reduce_imported.h"

#include <fmt/format.h>

#include "solidyn/base/content_hash.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/imported_files.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/imported/checks.h"
#include "solidyn/mesh/check.h"
#include "solidyn/reduction/reduce_matrices.h"
#include "solidyn/reduction/reduce_modes.h"

namespace solidyn::model {
namespace {

// What rank 0 read, in SI.
struct Imported {
  imported::SolidModel mesh;
  imported::ModalData modes;
  imported::MatrixModel matrices;
  reduction::NodalMasses masses;
};

std::string text_of(const std::filesystem::path& path) { return path.string(); }

void log_report(const imported::ImportReport& report, const std::string& source) {
  for (const base::Diagnostic& warning : report.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
  std::string skipped;
  for (const auto& [name, n] : report.skipped)
    skipped += fmt::format("{}{} {}", skipped.empty() ? "" : ", ", n, name);
  if (!skipped.empty()) base::log_info("{}: passed over: {}", source, skipped);
}

void log_checks(const imported::CheckReport& report, const std::string& source) {
  base::log_info("{}:\n{}", source, imported::format(report));
  for (const base::Diagnostic& warning : report.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
}

// A cloud of nodes that other data place, each of them a set "node 11".
mesh::Mesh make_cloud(const std::map<std::int64_t, Eigen::Vector3d>& nodes) {
  mesh::Mesh cloud;
  cloud.x.resize(3, static_cast<Eigen::Index>(nodes.size()));
  for (const auto& [tag, x] : nodes) {
    const auto i = static_cast<std::int32_t>(cloud.node_tags.size());
    cloud.x.col(i) = x;
    cloud.node_tags.push_back(tag);
    cloud.sets[fmt::format("node {}", tag)] = {0, {i}};
  }
  return cloud;
}

void read_mesh_of(const ImportDescription& import, Imported& data) {
  if (import.mesh.empty()) return;
  data.mesh = formats::read_solid_model(text_of(import.mesh));
  convert_to_si(data.mesh, import.units);
  mesh::check(data.mesh.mesh, text_of(import.mesh));
  log_report(data.mesh.report, text_of(import.mesh));
}

void read_modes_of(const ImportDescription& import, Imported& data) {
  data.modes = formats::read_modal_file(text_of(import.modes));
  convert_to_si(data.modes, import.units);
  if (data.modes.node_axes.empty()) data.modes.node_axes = data.mesh.node_axes;
  log_report(data.modes.report, data.modes.source);
  log_checks(imported::report(imported::measure(data.modes)), data.modes.source);
  if (!import.masses.empty()) {
    data.masses = formats::read_nodal_masses(text_of(import.masses));
    for (auto& [node, mass] : data.masses) mass *= import.units.mass;
  }
}

void read_matrices_of(const ImportDescription& import, Imported& data) {
  data.matrices =
      import.superelement.empty()
          ? formats::read_matrix_files(
                {text_of(import.stiffness), text_of(import.mass), text_of(import.dofs)}, data.mesh)
          : formats::read_superelement_files(text_of(import.superelement), text_of(import.dofs),
                                             text_of(import.nodes));
  convert_to_si(data.matrices, import.units);
  if (!import.mesh.empty()) imported::place_nodes(data.matrices, data.mesh);
  log_report(data.matrices.report, data.matrices.source);
  if (import.modes.empty())
    log_checks(imported::report(imported::measure(data.matrices)), data.matrices.source);
}

// The nodes that the body has in pictures and interfaces.
mesh::Mesh nodes_of(const ImportDescription& import, Imported& data) {
  if (!import.superelement.empty()) {
    if (data.matrices.nodes.empty())
      throw base::InputError(
          fmt::format("{}: nothing says where its nodes are", data.matrices.source),
          "name the .asm of EXTSEOUT as `nodes`, or a `mesh` that has them");
    return make_cloud(data.matrices.nodes);
  }
  if (!import.mesh.empty()) return std::move(data.mesh.mesh);
  if (data.modes.x.cols() == 0)
    throw base::InputError(
        fmt::format("{}: it does not say where its nodes are", data.modes.source),
        "name the `mesh` with the same node numbers");
  std::map<std::int64_t, Eigen::Vector3d> nodes;
  for (std::size_t i = 0; i < data.modes.node_tags.size(); ++i)
    nodes[data.modes.node_tags[i]] = data.modes.x.col(static_cast<Eigen::Index>(i));
  return make_cloud(nodes);
}

// Of the elements that give imported modes their mass; the same on all ranks.
fem::IsotropicElastic material_of_mass(MPI_Comm comm, const ModelDescription& model,
                                       const BodyDescription& d, const imported::SolidModel& mesh) {
  if (!d.flexible.material.empty()) {
    const MaterialDescription& m = model.materials.at(d.flexible.material);
    return {m.youngs_modulus, m.poissons_ratio, m.density};
  }
  std::vector<double> values(3);
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    if (mesh.materials.size() != 1 || !(mesh.materials[0].density > 0.0))
      throw base::InputError(
          fmt::format("bodies.{}: the mesh {} has {}, which the mass of the modes shall come from",
                      d.name, d.flexible.imported.mesh.string(),
                      mesh.materials.size() == 1
                          ? "a material without density"
                          : fmt::format("{} materials", mesh.materials.size())),
          "name a material of the model file with  material: , or give masses of nodes", d.where);
    const imported::Material& m = mesh.materials[0];
    values = {m.youngs_modulus, m.poissons_ratio, m.density};
  });
  base::broadcast(comm, values);
  return {values[0], values[1], values[2]};
}

// The mass of imported modes comes from solid elements; what else has mass there is not known.
void refuse_other_masses(const BodyDescription& d, const imported::SolidModel& mesh) {
  std::string what;
  if (!mesh.masses.empty())
    what = fmt::format("{} point masses (first: {})", mesh.masses.size(), mesh.masses[0].name);
  for (const auto& [card, where] : mesh.report.unsupported)
    what += (what.empty() ? "" : ", ") + card;
  for (const auto& [name, n] : mesh.other_elements)
    what += fmt::format("{}{} {}", what.empty() ? "" : ", ", n, name);
  if (!what.empty())
    throw base::InputError(
        fmt::format(
            "bodies.{}: the mesh {} has {} beside its solids, whose mass the modes would miss",
            d.name, d.flexible.imported.mesh.string(), what),
        "give the masses of all nodes (`masses`) or the mass matrix (`mass`)", d.where);
}

reduction::MassSource mass_of(MPI_Comm comm, const ModelDescription& model,
                              const BodyDescription& d, Imported& data) {
  const ImportDescription& import = d.flexible.imported;
  if (!import.masses.empty()) return std::move(data.masses);
  if (!import.mass.empty()) return std::move(data.matrices);
  base::run_together(comm, [&] {
    if (base::rank(comm) == 0) refuse_other_masses(d, data.mesh);
  });
  return material_of_mass(comm, model, d, data.mesh);
}

// One per node of a superelement whose interfaces the model does not name.
std::vector<mesh::InterfaceDefinition> interfaces_at_nodes(const mesh::DistributedMesh& mesh) {
  std::vector<mesh::InterfaceDefinition> interfaces;
  for (const auto& [name, set] : mesh.sets) {
    mesh::InterfaceDefinition definition;
    definition.name = name;
    std::replace(definition.name.begin(), definition.name.end(), ' ', '_');
    definition.nodes.rule = mesh::NodeSelection::Rule::in_set;
    definition.nodes.set = name;
    definition.attach = mesh::Attachment::node;
    interfaces.push_back(definition);
  }
  return interfaces;
}

// Collective. SHA-256 over all files.
std::string hash_of(MPI_Comm comm, const ImportDescription& import) {
  std::string hex;
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    base::ContentHash hash;
    for (const auto* file : {&import.modes, &import.stiffness, &import.mass, &import.dofs,
                             &import.superelement, &import.nodes, &import.masses, &import.mesh})
      if (!file->empty()) hash.add_file(file->string());
    hex = hash.hex();
  });
  base::broadcast(comm, hex);
  return hex;
}

}  // namespace

BodyReduction reduce_imported(MPI_Comm comm, const ModelDescription& model,
                              const BodyDescription& d, reduction::ReductionOptions options) {
  const ImportDescription& import = d.flexible.imported;
  const bool has_modes = !import.modes.empty();
  Imported data;
  mesh::Mesh nodes;
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    read_mesh_of(import, data);
    if (has_modes) read_modes_of(import, data);
    if (!has_modes || !import.mass.empty()) read_matrices_of(import, data);
    nodes = nodes_of(import, data);
  });
  mesh::DistributedMesh mesh = mesh::distribute(comm, std::move(nodes));
  if (!import.superelement.empty() && options.interfaces.empty())
    options.interfaces = interfaces_at_nodes(mesh);
  BodyReduction result;
  result.provenance = {SOLIDYN_VERSION,
                       text_of(has_modes                  ? import.modes
                               : import.stiffness.empty() ? import.superelement
                                                          : import.stiffness),
                       hash_of(comm, import), has_modes ? "imported modes" : "imported matrices"};
  if (has_modes)
    result.body = std::make_shared<reduction::ReducedBody>(reduction::reduce_modes(
        std::move(mesh), data.modes, mass_of(comm, model, d, data), options));
  else
    result.body = std::make_shared<reduction::ReducedBody>(
        reduction::reduce_matrices(std::move(mesh), data.matrices, options, &result.timings));
  return result;
}

}  // namespace solidyn::model
