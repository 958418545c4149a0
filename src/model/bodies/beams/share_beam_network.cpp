#include "mesh/packet.h"
#include "model/bodies/beams/beam_network.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solid_model.h"

namespace solidyn::model {
namespace {

using mesh::Packet;

// Of numbers alone, which travel as they are.
struct PlainElement {
  double values[40];
};

PlainElement plain(const bodies::BeamElementData& e) {
  const beams::Rigidity& r = e.rigidity;
  const beams::Section& s = e.section;
  PlainElement p{};
  double* at = p.values;
  for (const double value : {double(e.p),
                             double(e.q),
                             e.length,
                             r.EA,
                             r.GJ,
                             r.EI_y,
                             r.EI_z,
                             r.GA_y,
                             r.GA_z,
                             e.mass_per_length,
                             e.inertia_per_length[0],
                             e.inertia_per_length[1],
                             e.inertia_per_length[2],
                             e.damping,
                             double(e.torsion),
                             double(e.rule),
                             double(e.strains),
                             s.area,
                             s.I_y,
                             s.I_z,
                             s.torsion_constant,
                             s.shear_y,
                             s.shear_z,
                             s.outer_y,
                             s.outer_z,
                             double(s.is_round),
                             double(e.is_driven[0]),
                             double(e.is_driven[1]),
                             double(e.is_driven[2]),
                             double(e.is_driven[3])})
    *at++ = value;
  Eigen::Map<Eigen::Matrix3d>{at} = e.R_p;  // that of q is the same: lines are straight
  return p;
}

bodies::BeamElementData element_of(const PlainElement& p) {
  const double* v = p.values;
  bodies::BeamElementData e;
  e.p = static_cast<int>(v[0]);
  e.q = static_cast<int>(v[1]);
  e.length = v[2];
  e.rigidity = {v[3], v[4], v[5], v[6], v[7], v[8]};
  e.mass_per_length = v[9];
  e.inertia_per_length = {v[10], v[11], v[12]};
  e.damping = v[13];
  e.torsion = static_cast<beams::Torsion>(static_cast<int>(v[14]));
  e.rule = static_cast<beams::TurnRule>(static_cast<int>(v[15]));
  e.strains = static_cast<bodies::ElementStrains>(static_cast<int>(v[16]));
  e.section = {v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25] != 0.0};
  for (int i = 0; i < 4; ++i) e.is_driven[i] = v[26 + i] != 0.0;
  e.R_p = e.R_q = Eigen::Map<const Eigen::Matrix3d>(v + 30);
  return e;
}

std::vector<double> numbers_of(const Eigen::Ref<const Eigen::MatrixXd>& values) {
  const Eigen::MatrixXd copy = values;
  return {copy.data(), copy.data() + copy.size()};
}

Packet pack(const BeamNetwork& network) {
  Packet packet;
  std::vector<double> x;
  for (const Eigen::Vector3d& node : network.nodes) x.insert(x.end(), node.data(), node.data() + 3);
  packet.put(x);
  for (const std::string& name : network.names) packet.put(name);
  std::vector<PlainElement> elements;
  for (const bodies::BeamElementData& e : network.elements) elements.push_back(plain(e));
  packet.put(elements);
  packet.put(network.groups);
  packet.put(std::vector<std::size_t>{network.ties.size(), network.places.size(),
                                      network.masses.size(), network.sections.size()});
  for (const BeamNetwork::Tie& tie : network.ties) {
    packet.put(tie.name);
    packet.put(std::vector<int>{tie.node, tie.to});
  }
  for (const BeamNetwork::Place& place : network.places) {
    packet.put(place.name);
    packet.put(std::vector<int>{place.node});
    packet.put(numbers_of(place.arm));
  }
  for (const BeamNetwork::Mass& mass : network.masses) {
    packet.put(std::vector<int>{mass.node});
    packet.put(std::vector<double>{mass.mass});
    packet.put(numbers_of(mass.arm));
    packet.put(numbers_of(mass.inertia));
  }
  for (const BeamNetwork::Section& section : network.sections) {
    packet.put(section.sensor);
    packet.put(std::vector<int>{section.element});
    packet.put(std::vector<double>{section.fraction});
  }
  return packet;
}

BeamNetwork unpack(Packet packet) {
  BeamNetwork network;
  const auto x = packet.get<std::vector<double>>();
  for (std::size_t i = 0; i < x.size(); i += 3)
    network.nodes.emplace_back(x[i], x[i + 1], x[i + 2]);
  while (network.names.size() < network.nodes.size())
    network.names.push_back(packet.get<std::string>());
  for (const PlainElement& e : packet.get<std::vector<PlainElement>>())
    network.elements.push_back(element_of(e));
  network.groups = packet.get<std::vector<int>>();
  const auto counts = packet.get<std::vector<std::size_t>>();
  for (std::size_t i = 0; i < counts[0]; ++i) {
    const auto name = packet.get<std::string>();
    const auto ends = packet.get<std::vector<int>>();
    network.ties.push_back({name, ends[0], ends[1]});
  }
  for (std::size_t i = 0; i < counts[1]; ++i) {
    const auto name = packet.get<std::string>();
    const int node = packet.get<std::vector<int>>()[0];
    network.places.push_back(
        {name, node, Eigen::Vector3d(packet.get<std::vector<double>>().data())});
  }
  for (std::size_t i = 0; i < counts[2]; ++i) {
    BeamNetwork::Mass mass;
    mass.node = packet.get<std::vector<int>>()[0];
    mass.mass = packet.get<std::vector<double>>()[0];
    mass.arm = Eigen::Vector3d(packet.get<std::vector<double>>().data());
    mass.inertia = Eigen::Matrix3d(packet.get<std::vector<double>>().data());
    network.masses.push_back(mass);
  }
  for (std::size_t i = 0; i < counts[3]; ++i) {
    BeamNetwork::Section section;
    section.sensor = packet.get<std::string>();
    section.element = packet.get<std::vector<int>>()[0];
    section.fraction = packet.get<std::vector<double>>()[0];
    network.sections.push_back(section);
  }
  return network;
}

BeamNetwork read(const ModelDescription& model, const BeamOfMesh& body) {
  imported::SolidModel file = formats::read_solid_model(body.mesh.string());
  convert_to_si(file, body.mesh_units);
  BeamNetwork network = make_beam_network(file, model, body);
  for (const base::Diagnostic& warning : network.warnings)
    base::log_warning("{}", base::format(warning, "warning"));
  base::log_info("body {}: {}", body.name, network.summary);
  return network;
}

}  // namespace

BeamNetwork read_beam_network(MPI_Comm comm, const ModelDescription& model,
                              const BeamOfMesh& body) {
  BeamNetwork network;
  base::run_together(comm, [&] {
    if (base::rank(comm) == 0) network = read(model, body);
  });
  std::string bytes;
  if (base::rank(comm) == 0) {
    const Packet packet = pack(network);
    bytes.assign(packet.bytes().begin(), packet.bytes().end());
  }
  base::broadcast(comm, bytes);
  return unpack(Packet({bytes.begin(), bytes.end()}));
}

}  // namespace solidyn::model
