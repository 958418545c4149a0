#include "model/body_source.h"

#include <fmt/format.h>

#include "mesh/packet.h"
#include "model/flexible_source.h"
#include "model/foreign_body.h"
#include "solidyn/base/content_hash.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/mesh/check.h"

namespace solidyn::model {
namespace {

using mesh::Packet;

std::vector<mesh::InterfaceDefinition> own_interfaces(const BodyDescription& d) {
  std::vector<mesh::InterfaceDefinition> interfaces;
  interfaces.reserve(d.flexible.interfaces.size());
  for (const InterfaceDescription& i : d.flexible.interfaces) interfaces.push_back(i.definition);
  return interfaces;
}

// ---- What rank 0 found out, for the others

std::vector<double> to_numbers(const Eigen::Ref<const Eigen::MatrixXd>& values) {
  const Eigen::MatrixXd copy = values;
  return {copy.data(), copy.data() + copy.size()};
}

void put_sections(const std::vector<fem::Section>& sections, Packet& packet) {
  std::vector<double> numbers;
  for (const fem::Section& s : sections)
    numbers.insert(numbers.end(),
                   {s.material.youngs_modulus, s.material.poissons_ratio, s.material.density,
                    static_cast<double>(s.hex8), static_cast<double>(s.hex20)});
  packet.put(numbers);
}

std::vector<fem::Section> get_sections(Packet& packet) {
  const auto numbers = packet.get<std::vector<double>>();
  std::vector<fem::Section> sections;
  for (std::size_t i = 0; i < numbers.size(); i += 5)
    sections.push_back({{numbers[i], numbers[i + 1], numbers[i + 2]},
                        static_cast<fem::Hex8Formulation>(static_cast<int>(numbers[i + 3])),
                        static_cast<fem::Hex20Integration>(static_cast<int>(numbers[i + 4]))});
  return sections;
}

void put_interface(const mesh::InterfaceDefinition& definition, Packet& packet) {
  packet.put(definition.name);
  packet.put(std::vector<int>{static_cast<int>(definition.attach)});
  packet.put(to_numbers(definition.nodes.point));
  packet.put(definition.nodes.tags);
  packet.put(definition.nodes.weights);
}

mesh::InterfaceDefinition get_interface(Packet& packet) {
  mesh::InterfaceDefinition definition;
  definition.name = packet.get<std::string>();
  definition.attach = static_cast<mesh::Attachment>(packet.get<std::vector<int>>()[0]);
  definition.nodes.rule = mesh::NodeSelection::Rule::numbered;
  definition.nodes.point = Eigen::Vector3d(packet.get<std::vector<double>>().data());
  definition.nodes.tags = packet.get<std::vector<std::int64_t>>();
  definition.nodes.weights = packet.get<std::vector<double>>();
  return definition;
}

void put_mass(const fem::AttachedMass& mass, Packet& packet) {
  packet.put(mass.name);
  packet.put(std::vector<double>{mass.mass, mass.is_at_node ? 1.0 : 0.0});
  packet.put(to_numbers(mass.x));
  packet.put(to_numbers(mass.inertia));
  packet.put(mass.nodes);
}

fem::AttachedMass get_mass(Packet& packet) {
  fem::AttachedMass mass;
  mass.name = packet.get<std::string>();
  const auto numbers = packet.get<std::vector<double>>();
  mass.mass = numbers[0];
  mass.is_at_node = numbers[1] != 0.0;
  mass.x = Eigen::Vector3d(packet.get<std::vector<double>>().data());
  mass.inertia = Eigen::Matrix3d(packet.get<std::vector<double>>().data());
  mass.nodes = packet.get<std::vector<std::int64_t>>();
  return mass;
}

Packet pack(const ForeignParts& parts, const std::string& hash) {
  Packet packet;
  packet.put(hash);
  put_sections(parts.sections, packet);
  packet.put(std::vector<std::size_t>{parts.interfaces.size(), parts.masses.size()});
  for (const mesh::InterfaceDefinition& i : parts.interfaces) put_interface(i, packet);
  for (const fem::AttachedMass& mass : parts.masses) put_mass(mass, packet);
  return packet;
}

void unpack(Packet packet, BodySource& source) {
  source.content_hash = packet.get<std::string>();
  source.sections = fem::Sections(get_sections(packet));
  const auto counts = packet.get<std::vector<std::size_t>>();
  for (std::size_t i = 0; i < counts[0]; ++i) source.interfaces.push_back(get_interface(packet));
  for (std::size_t i = 0; i < counts[1]; ++i) source.masses.push_back(get_mass(packet));
}

// ---- Reading

// A file may include others, so that its own bytes do not say all.
std::string hash_of(const mesh::Mesh& mesh) {
  base::ContentHash hash;
  hash.add(mesh.x.data(), mesh.x.size());
  hash.add(mesh.node_tags.data(), static_cast<std::int64_t>(mesh.node_tags.size()));
  for (const mesh::ElementBlock& block : mesh.blocks) {
    hash.add(std::string(mesh::name(block.type)));
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

void log_report(const BodyDescription& d, const imported::SolidModel& file,
                const ForeignParts& parts) {
  for (const base::Diagnostic& warning : parts.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
  std::string left_out;
  for (const auto& [name, n] : file.other_elements)
    left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", n, name);
  for (const auto& [card, n] : file.report.skipped)
    left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", n, card);
  base::log_info("body {}: {}, {}: {} materials, {} masses, {} interfaces from rigid elements{}{}",
                 d.name, file.source, file.format, file.materials.size(), parts.masses.size(),
                 parts.interfaces.size(), left_out.empty() ? "" : "; passed over: ", left_out);
}

Packet read_on_first(const ModelDescription& model, const BodyDescription& d, mesh::Mesh& whole) {
  const std::string path = d.flexible.mesh.string();
  imported::SolidModel file = formats::read_solid_model(path);
  convert_to_si(file, d.flexible.mesh_units);
  mesh::check(file.mesh, path);
  const ForeignParts parts = make_foreign_parts(file, model, d);
  log_report(d, file, parts);
  const Packet packet = pack(parts, hash_of(file.mesh));
  whole = std::move(file.mesh);
  return packet;
}

void broadcast(MPI_Comm comm, Packet& packet) {
  std::string bytes(packet.bytes().begin(), packet.bytes().end());
  base::broadcast(comm, bytes);
  packet = Packet(std::vector<char>(bytes.begin(), bytes.end()));
}

BodySource read_foreign(MPI_Comm comm, const ModelDescription& model, const BodyDescription& d) {
  auto whole = std::make_shared<mesh::Mesh>();
  Packet packet;
  base::run_together(comm, [&] {
    if (base::rank(comm) == 0) packet = read_on_first(model, d, *whole);
  });
  broadcast(comm, packet);
  BodySource source;
  source.interfaces = own_interfaces(d);
  unpack(std::move(packet), source);
  source.load_mesh = [comm, whole] { return mesh::distribute(comm, std::move(*whole)); };
  return source;
}

}  // namespace

BodySource make_body_source(MPI_Comm comm, const ModelDescription& model,
                            const BodyDescription& d) {
  if (formats::is_foreign_model_name(d.flexible.mesh.string())) return read_foreign(comm, model, d);
  BodySource source;
  source.sections = section_of(model, d);
  source.interfaces = own_interfaces(d);
  source.load_mesh = [comm, &d] { return read_mesh(comm, d); };
  return source;
}

}  // namespace solidyn::model
