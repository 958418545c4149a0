#include "model/bodies/import/reduce_imported.h"

#include <fmt/format.h>

#include "model/bodies/import/imported_body.h"
#include "solidyn/base/content_hash.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/formats/imported_files.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/formats/tables/modal_tables.h"
#include "solidyn/imported/checks.h"
#include "solidyn/imported/choose_modes.h"
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
  ImportedParts parts;
  std::map<std::int64_t, Eigen::Vector3d> places;  // of nodes, from a table
};

std::string text_of(const std::filesystem::path& path) { return path.string(); }

void log_report(const imported::ImportReport& report, const std::string& source) {
  for (const base::Diagnostic& warning : report.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
  std::string skipped;
  for (const auto& [name, n] : report.skipped)
    skipped += fmt::format("{}{} {}", skipped.empty() ? "" : ", ", n, name);
  if (!skipped.empty()) base::log_info("{}: ignored: {}", source, skipped);
}

void log_checks(const imported::CheckReport& report, const std::string& source) {
  base::log_info("{}:\n{}", source, imported::format(report));
  for (const base::Diagnostic& warning : report.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
}

// A node and its set "node 11". @pre cloud.x has room for it
void add_to_cloud(mesh::Mesh& cloud, std::int64_t tag, const Eigen::Vector3d& x) {
  const auto i = static_cast<std::int32_t>(cloud.node_tags.size());
  cloud.x.col(i) = x;
  cloud.node_tags.push_back(tag);
  cloud.sets[fmt::format("node {}", tag)] = {0, {i}};
}

// A cloud of nodes that other data place.
mesh::Mesh make_cloud(const std::map<std::int64_t, Eigen::Vector3d>& nodes) {
  mesh::Mesh cloud;
  cloud.x.resize(3, static_cast<Eigen::Index>(nodes.size()));
  for (const auto& [tag, x] : nodes) add_to_cloud(cloud, tag, x);
  return cloud;
}

// Of matrices of any elements: their nodes, in the order of the rows.
mesh::Mesh read_node_cloud(const ImportDescription& import) {
  const formats::NodeTable table = formats::read_place_table(text_of(import.nodes));
  log_report(table.report, text_of(import.nodes));
  mesh::Mesh cloud;
  cloud.x.resize(3, static_cast<Eigen::Index>(table.order.size()));
  for (const std::int64_t tag : table.order)
    add_to_cloud(cloud, tag, table.places.at(tag) * import.units.length);
  return cloud;
}

void read_mesh_of(const ImportDescription& import, Imported& data) {
  if (!import.stiffness.empty() && !import.nodes.empty()) data.mesh.mesh = read_node_cloud(import);
  if (import.mesh.empty()) return;
  data.mesh = formats::read_solid_model(text_of(import.mesh));
  convert_to_si(data.mesh, import.units);
  mesh::check(data.mesh.mesh, text_of(import.mesh));
  log_report(data.mesh.report, text_of(import.mesh));
}

void read_modes_of(const ImportDescription& import, Imported& data) {
  data.modes = formats::read_modal_file(text_of(import.modes), import.subcase);
  data.modes.is_scaled_to_maximum = imported::has_unit_maximum(data.modes);
  convert_to_si(data.modes, import.units);
  if (data.modes.node_axes.empty()) data.modes.node_axes = data.mesh.node_axes;
  log_report(data.modes.report, data.modes.source);
  log_checks(imported::report(imported::measure(data.modes)), data.modes.source);
  if (!import.masses.empty()) {
    data.masses = formats::read_nodal_masses(text_of(import.masses));
    for (auto& [node, mass] : data.masses) mass *= import.units.mass;
  }
  if (!import.nodes.empty()) {
    formats::NodeTable table = formats::read_node_table(text_of(import.nodes));
    log_report(table.report, text_of(import.nodes));
    for (auto& [node, mass] : table.masses) mass *= import.units.mass;
    for (auto& [node, x] : table.places) x *= import.units.length;
    data.masses = std::move(table.masses);
    data.places = std::move(table.places);
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
  imported::place_nodes(data.matrices, data.mesh);
  if (import.superelement.empty()) imported::refuse_missing_rows(data.matrices, data.mesh);
  log_report(data.matrices.report, data.matrices.source);
  const imported::MatrixChecks checks = imported::measure(data.matrices);
  imported::CheckReport report = imported::report(checks);
  imported::compare_with_mesh(report, checks, imported::measure(data.mesh));
  log_checks(report, data.matrices.source);
}

// The nodes that the body has in pictures and interfaces.
mesh::Mesh nodes_of(const ImportDescription& import, Imported& data) {
  if (!import.superelement.empty()) {
    if (data.matrices.nodes.empty())
      throw base::InputError(
          fmt::format("{}: the coordinates of its nodes are unknown", data.matrices.source),
          "give the .asm of EXTSEOUT as `nodes`, or a `mesh` that contains them");
    return make_cloud(data.matrices.nodes);
  }
  if (data.mesh.mesh.n_nodes() > 0) return std::move(data.mesh.mesh);
  if (!data.places.empty()) return make_cloud(data.places);
  if (data.modes.x.cols() == 0)
    throw base::InputError(
        fmt::format("{}: it does not contain the coordinates of its nodes", data.modes.source),
        "give the `mesh` with the same node numbers, or a table of `nodes`");
  std::map<std::int64_t, Eigen::Vector3d> nodes;
  for (std::size_t i = 0; i < data.modes.node_tags.size(); ++i)
    nodes[data.modes.node_tags[i]] = data.modes.x.col(static_cast<Eigen::Index>(i));
  return make_cloud(nodes);
}

// The mass of imported modes comes from solid elements and point masses; what else has mass there
// is not known.
void refuse_other_elements(const ReducedEntry& d, const imported::SolidModel& mesh) {
  std::string what;
  for (const auto& [name, n] : mesh.other_elements)
    what += fmt::format("{}{} {}", what.empty() ? "" : ", ", n, name);
  if (!what.empty())
    throw base::InputError(
        fmt::format("bodies.{}: the mesh {} has {} besides its solids, whose mass would be missing",
                    d.name, d.import->mesh.string(), what),
        "give the masses of all nodes (`masses`) or the mass matrix (`mass`)", d.where);
}

// Sections and point masses of the mesh, where these are the mass of imported modes.
void read_parts(const ModelDescription& model, const ReducedEntry& d, Imported& data) {
  refuse_other_elements(d, data.mesh);
  data.mesh.report.warnings.clear();  // they were told when the mesh was read
  data.parts = make_imported_parts(data.mesh, model, d);
  for (const base::Diagnostic& warning : data.parts.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
}

bool has_mass_of_elements(const ImportDescription& import) {
  return !import.modes.empty() && import.masses.empty() && import.nodes.empty() &&
         import.mass.empty();
}

reduction::MassSource mass_of(const ImportDescription& import, Imported& data) {
  if (!import.masses.empty() || !import.nodes.empty()) return std::move(data.masses);
  if (!import.mass.empty()) return std::move(data.matrices);
  return fem::Sections(data.parts.sections);
}

// Nodes whose three rotations are rows of the matrices, on all ranks. @param matrices of rank 0
std::vector<std::int64_t> nodes_with_rotations(MPI_Comm comm,
                                               const imported::MatrixModel& matrices) {
  std::map<std::int64_t, int> n_rotations;  // of every node with rows
  for (const imported::Dof& dof : matrices.dofs)
    if (dof.component > 0) n_rotations[dof.node] += dof.component > 3;
  std::vector<std::int64_t> with, without;
  for (const auto& [node, n] : n_rotations) (n == 3 ? with : without).push_back(node);
  base::run_together(comm, [&] {
    if (without.empty()) return;
    const char* const remedy =
        "define interfaces of several nodes there, for example  interfaces: {left: {nodes: {near: [0, 0, 0], radius: 0.01}, attach: rbe3}}";
    if (with.empty())
      throw base::InputError(
          fmt::format(
              "{}: its nodes have no rotations, so that a single node cannot be an interface",
              matrices.source),
          remedy);
    base::log_warning(
        "{}: {} of its nodes (first: {}) have no rotations and are not interfaces\n  {}",
        matrices.source, without.size(), without[0], remedy);
  });
  base::broadcast(comm, with);
  return with;
}

// One per node with rotations of a superelement whose interfaces the model does not name.
std::vector<mesh::InterfaceDefinition> interfaces_at_nodes(const mesh::DistributedMesh& mesh,
                                                           const std::vector<std::int64_t>& nodes) {
  std::vector<mesh::InterfaceDefinition> interfaces;
  for (const auto& entry : mesh.sets) {
    const std::string& name = entry.first;  // a structured binding cannot be captured
    const bool has_rotations = std::any_of(nodes.begin(), nodes.end(), [&](std::int64_t node) {
      return name == fmt::format("node {}", node);
    });
    if (!has_rotations) continue;
    mesh::InterfaceDefinition definition;
    definition.name = name;
    std::replace(definition.name.begin(), definition.name.end(), ' ', '_');
    definition.nodes = mesh::NodesInSet{name};
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

BodyReduction reduce_imported(MPI_Comm comm, const ModelDescription& model, const ReducedEntry& d,
                              reduction::ReductionOptions options) {
  const ImportDescription& import = *d.import;
  const bool has_modes = !import.modes.empty();
  Imported data;
  mesh::Mesh nodes;
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    read_mesh_of(import, data);
    if (has_modes) read_modes_of(import, data);
    if (!has_modes || !import.mass.empty()) read_matrices_of(import, data);
    if (has_mass_of_elements(import)) read_parts(model, d, data);
    nodes = nodes_of(import, data);
  });
  if (has_mass_of_elements(import)) {
    data.parts = share(comm, data.parts);
    options.masses = data.parts.masses;
  }
  mesh::DistributedMesh mesh = mesh::distribute(comm, std::move(nodes));
  if (!import.superelement.empty() && options.interfaces.empty())
    options.interfaces = interfaces_at_nodes(mesh, nodes_with_rotations(comm, data.matrices));
  BodyReduction result;
  result.provenance = {SOLIDYN_VERSION,
                       text_of(has_modes                  ? import.modes
                               : import.stiffness.empty() ? import.superelement
                                                          : import.stiffness),
                       hash_of(comm, import), has_modes ? "imported modes" : "imported matrices"};
  const base::Timer timer;
  if (has_modes)
    result.body = std::make_shared<reduction::ReducedBody>(
        reduction::reduce_modes(std::move(mesh), data.modes, mass_of(import, data), options));
  else
    result.body = std::make_shared<reduction::ReducedBody>(
        reduction::reduce_matrices(std::move(mesh), data.matrices, options, &result.timings));
  result.timings.total = timer.seconds();
  return result;
}

}  // namespace solidyn::model
