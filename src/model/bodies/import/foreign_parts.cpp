#include <mpi.h>

#include "mesh/packet.h"
#include "model/bodies/import/foreign_body.h"
#include "solidyn/base/mpi.h"

namespace solidyn::model {
namespace {

using mesh::Packet;

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

void put_mass(const fem::NodeMass& mass, Packet& packet) {
  packet.put(mass.name);
  packet.put(std::vector<double>{mass.mass});
  packet.put(std::vector<std::int64_t>{mass.node});
}

fem::NodeMass get_node_mass(Packet& packet) {
  const auto name = packet.get<std::string>();
  const double mass = packet.get<std::vector<double>>()[0];
  return {name, mass, packet.get<std::vector<std::int64_t>>()[0]};
}

void put_mass(const fem::CarriedMass& mass, Packet& packet) {
  packet.put(mass.name);
  packet.put(std::vector<double>{mass.mass});
  packet.put(to_numbers(mass.x));
  packet.put(to_numbers(mass.inertia));
  put_interface(mass.carrier, packet);
}

fem::CarriedMass get_carried_mass(Packet& packet) {
  fem::CarriedMass mass;
  mass.name = packet.get<std::string>();
  mass.mass = packet.get<std::vector<double>>()[0];
  mass.x = Eigen::Vector3d(packet.get<std::vector<double>>().data());
  mass.inertia = Eigen::Matrix3d(packet.get<std::vector<double>>().data());
  mass.carrier = get_interface(packet);
  return mass;
}

Packet pack(const ForeignParts& parts) {
  Packet packet;
  put_sections(parts.sections, packet);
  packet.put(std::vector<std::size_t>{parts.interfaces.size(), parts.masses.at_nodes.size(),
                                      parts.masses.on_frames.size()});
  for (const mesh::InterfaceDefinition& i : parts.interfaces) put_interface(i, packet);
  for (const fem::NodeMass& mass : parts.masses.at_nodes) put_mass(mass, packet);
  for (const fem::CarriedMass& mass : parts.masses.on_frames) put_mass(mass, packet);
  return packet;
}

ForeignParts unpack_parts(Packet packet) {
  ForeignParts parts;
  parts.sections = get_sections(packet);
  const auto counts = packet.get<std::vector<std::size_t>>();
  for (std::size_t i = 0; i < counts[0]; ++i) parts.interfaces.push_back(get_interface(packet));
  for (std::size_t i = 0; i < counts[1]; ++i)
    parts.masses.at_nodes.push_back(get_node_mass(packet));
  for (std::size_t i = 0; i < counts[2]; ++i)
    parts.masses.on_frames.push_back(get_carried_mass(packet));
  return parts;
}

}  // namespace

ForeignParts share(MPI_Comm comm, const ForeignParts& parts) {
  std::string bytes;
  if (base::rank(comm) == 0) {
    const Packet packet = pack(parts);
    bytes.assign(packet.bytes().begin(), packet.bytes().end());
  }
  base::broadcast(comm, bytes);
  return unpack_parts(Packet({bytes.begin(), bytes.end()}));
}

}  // namespace solidyn::model
