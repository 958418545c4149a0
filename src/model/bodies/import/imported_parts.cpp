#include <mpi.h>

#include "mesh/packet.h"
#include "model/bodies/import/imported_body.h"
#include "solidyn/base/mpi.h"

namespace solidyn::model {
namespace {

using mesh::Packet;

std::vector<double> to_numbers(const Eigen::Ref<const Eigen::MatrixXd>& values) {
  const Eigen::MatrixXd copy = values;
  return {copy.data(), copy.data() + copy.size()};
}

void put_material(const fem::Material& material, Packet& packet) {
  packet.put(std::vector<std::size_t>{material.elastic.index(),
                                      static_cast<std::size_t>(material.axes.kind)});
  if (const fem::IsotropicElastic* e = material.isotropic())
    packet.put(std::vector<double>{e->youngs_modulus, e->poissons_ratio, e->density});
  else
    packet.put(std::vector<double>{material.density()});
  packet.put(material.is_isotropic() ? std::vector<double>() : to_numbers(material.stiffness()));
  packet.put(to_numbers(material.expansion));
  packet.put(to_numbers(material.axes.R));
  packet.put(to_numbers(material.axes.origin));
  packet.put(to_numbers(material.axes.turn));
}

// Of directions the stiffness, by whatever constants it was given.
fem::Material get_material(Packet& packet) {
  const auto kinds = packet.get<std::vector<std::size_t>>();
  const auto numbers = packet.get<std::vector<double>>(),
             moduli = packet.get<std::vector<double>>();
  fem::Material material;
  if (moduli.empty())
    material = fem::IsotropicElastic{numbers[0], numbers[1], numbers[2]};
  else
    material = materials::AnisotropicElastic{materials::Matrix6d(moduli.data()), numbers[0]};
  material.expansion = materials::Vector6d(packet.get<std::vector<double>>().data());
  material.axes.kind = static_cast<materials::Axes::Kind>(kinds[1]);
  material.axes.R = Eigen::Matrix3d(packet.get<std::vector<double>>().data());
  material.axes.origin = Eigen::Vector3d(packet.get<std::vector<double>>().data());
  material.axes.turn = Eigen::Matrix3d(packet.get<std::vector<double>>().data());
  return material;
}

void put_sections(const std::vector<fem::Section>& sections, Packet& packet) {
  packet.put(std::vector<std::size_t>{sections.size()});
  for (const fem::Section& s : sections) {
    packet.put(std::vector<int>{static_cast<int>(s.hex8), static_cast<int>(s.hex20)});
    put_material(s.material, packet);
  }
}

std::vector<fem::Section> get_sections(Packet& packet) {
  std::vector<fem::Section> sections(packet.get<std::vector<std::size_t>>()[0]);
  for (fem::Section& s : sections) {
    const auto choices = packet.get<std::vector<int>>();
    s.hex8 = static_cast<fem::Hex8Formulation>(choices[0]);
    s.hex20 = static_cast<fem::Hex20Integration>(choices[1]);
    s.material = get_material(packet);
  }
  return sections;
}

// @pre its nodes are numbered
void put_interface(const mesh::InterfaceDefinition& definition, Packet& packet) {
  packet.put(definition.name);
  packet.put(std::vector<int>{static_cast<int>(definition.attach)});
  const auto& nodes = std::get<mesh::NumberedNodes>(definition.nodes);
  packet.put(to_numbers(nodes.origin));
  packet.put(nodes.tags);
  packet.put(nodes.weights);
}

mesh::InterfaceDefinition get_interface(Packet& packet) {
  mesh::InterfaceDefinition definition;
  definition.name = packet.get<std::string>();
  definition.attach = static_cast<mesh::Attachment>(packet.get<std::vector<int>>()[0]);
  mesh::NumberedNodes nodes;
  nodes.origin = Eigen::Vector3d(packet.get<std::vector<double>>().data());
  nodes.tags = packet.get<std::vector<std::int64_t>>();
  nodes.weights = packet.get<std::vector<double>>();
  definition.nodes = std::move(nodes);
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

void put_mass(const fem::FrameMass& mass, Packet& packet) {
  packet.put(mass.name);
  packet.put(std::vector<double>{mass.mass});
  packet.put(to_numbers(mass.x));
  packet.put(to_numbers(mass.inertia));
  put_interface(mass.carrier, packet);
}

fem::FrameMass get_frame_mass(Packet& packet) {
  fem::FrameMass mass;
  mass.name = packet.get<std::string>();
  mass.mass = packet.get<std::vector<double>>()[0];
  mass.x = Eigen::Vector3d(packet.get<std::vector<double>>().data());
  mass.inertia = Eigen::Matrix3d(packet.get<std::vector<double>>().data());
  mass.carrier = get_interface(packet);
  return mass;
}

Packet pack(const ImportedParts& parts) {
  Packet packet;
  put_sections(parts.sections, packet);
  packet.put(std::vector<std::size_t>{parts.interfaces.size(), parts.masses.at_nodes.size(),
                                      parts.masses.on_frames.size()});
  for (const mesh::InterfaceDefinition& i : parts.interfaces) put_interface(i, packet);
  for (const fem::NodeMass& mass : parts.masses.at_nodes) put_mass(mass, packet);
  for (const fem::FrameMass& mass : parts.masses.on_frames) put_mass(mass, packet);
  return packet;
}

ImportedParts unpack_parts(Packet packet) {
  ImportedParts parts;
  parts.sections = get_sections(packet);
  const auto counts = packet.get<std::vector<std::size_t>>();
  for (std::size_t i = 0; i < counts[0]; ++i) parts.interfaces.push_back(get_interface(packet));
  for (std::size_t i = 0; i < counts[1]; ++i)
    parts.masses.at_nodes.push_back(get_node_mass(packet));
  for (std::size_t i = 0; i < counts[2]; ++i)
    parts.masses.on_frames.push_back(get_frame_mass(packet));
  return parts;
}

}  // namespace

ImportedParts share(MPI_Comm comm, const ImportedParts& parts) {
  std::string bytes;
  if (base::rank(comm) == 0) {
    const Packet packet = pack(parts);
    bytes.assign(packet.bytes().begin(), packet.bytes().end());
  }
  base::broadcast(comm, bytes);
  return unpack_parts(Packet({bytes.begin(), bytes.end()}));
}

}  // namespace solidyn::model
