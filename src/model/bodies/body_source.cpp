#include "model/bodies/body_source.h"

#include <fmt/format.h>

#include "model/bodies/import/imported_body.h"
#include "solidyn/base/content_hash.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/read_mesh.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/mesh/check.h"

namespace solidyn::model {
namespace {

// A file may include others, so that its own bytes do not say all.
std::string hash_of(const mesh::Mesh& mesh) {
  base::ContentHash hash;
  hash.add(mesh.x.data(), mesh.x.size());
  hash.add(mesh.node_tags.data(), static_cast<std::int64_t>(mesh.node_tags.size()));
  for (const mesh::ElementBlock& block : mesh.blocks) {
    hash.add(std::string(elements::name(block.type)));
    for (const auto* values : {&block.connectivity, &block.regions})
      hash.add_bytes(values->data(), values->size() * sizeof(std::int32_t));
    hash.add(block.tags.data(), static_cast<std::int64_t>(block.tags.size()));
  }
  for (const auto& [name, set] : mesh.sets) {
    hash.add(name);
    hash.add_bytes(set.nodes.data(), set.nodes.size() * sizeof(std::int32_t));
  }
  return hash.hex();
}

void log_report(const BodyEntry& d, const imported::SolidModel& file, const ImportedParts& parts) {
  for (const base::Diagnostic& warning : parts.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
  std::string left_out;
  for (const auto& [name, n] : file.other_elements)
    left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", n, name);
  for (const auto& [card, n] : file.report.skipped)
    left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", n, card);
  base::log_info("body {}: {}, {}: {} materials, {} masses, {} interfaces from rigid elements{}{}",
                 d.name, file.source, file.format, file.materials.size(), parts.masses.size(),
                 parts.interfaces.size(), left_out.empty() ? "" : "; ignored: ", left_out);
}

ImportedParts read_on_first(const ModelDescription& model, const FlexibleEntry& d,
                            mesh::Mesh& whole, std::string& hash) {
  const std::string path = d.mesh.string();
  imported::SolidModel file = formats::read_solid_model(path);
  convert_to_si(file, d.mesh_units);
  mesh::check(file.mesh, path);
  ImportedParts parts = make_imported_parts(file, model, d);
  log_report(d, file, parts);
  hash = hash_of(file.mesh);
  whole = std::move(file.mesh);
  return parts;
}

BodySource read_imported(MPI_Comm comm, const ModelDescription& model, const FlexibleEntry& d) {
  auto whole = std::make_shared<mesh::Mesh>();
  ImportedParts parts;
  BodySource source;
  base::run_together(comm, [&] {
    if (base::rank(comm) == 0) parts = read_on_first(model, d, *whole, source.content_hash);
  });
  parts = share(comm, parts);
  base::broadcast(comm, source.content_hash);
  source.sections = fem::Sections(std::move(parts.sections));
  source.interfaces = d.interfaces;
  source.interfaces.insert(source.interfaces.end(), parts.interfaces.begin(),
                           parts.interfaces.end());
  source.masses = std::move(parts.masses);
  source.load_mesh = [comm, whole] { return mesh::distribute(comm, std::move(*whole)); };
  return source;
}

}  // namespace

BodySource make_body_source(MPI_Comm comm, const ModelDescription& model, const FlexibleEntry& d) {
  if (d.is_imported()) return read_imported(comm, model, d);
  BodySource source;
  source.sections = d.section(model);
  source.interfaces = d.interfaces;
  source.load_mesh = [comm, &d] {
    return formats::read_mesh(comm, d.mesh.string(), d.mesh_units.length);
  };
  return source;
}

}  // namespace solidyn::model
