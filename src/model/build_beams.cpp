#include "model/build_beams.h"

#include <fmt/format.h>

#include "model/beam_line.h"
#include "model/beam_loads.h"
#include "model/build_beam_strains.h"
#include "model/read_beam_strains.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/beam_body.h"
#include "solidyn/system/beam_strains.h"

namespace solidyn::model {
using Eigen::Matrix3d;
using Eigen::Vector3d;

bodies::BeamElementData beam_element_data(const BeamDescription& beam, const beams::Section& s,
                                          const MaterialDescription& m) {
  const double E = m.youngs_modulus, G = 0.5 * E / (1.0 + m.poissons_ratio);
  bodies::BeamElementData data;
  data.rigidity = {E * s.area, G * s.torsion_constant, E * s.I_y, E * s.I_z, 0.0, 0.0};
  if (beam.has_shear) {
    data.rigidity.GA_y = G * s.area * s.shear_y;
    data.rigidity.GA_z = G * s.area * s.shear_z;
  }
  data.mass_per_length = m.density * s.area;
  data.inertia_per_length = m.density * Vector3d(s.I_y + s.I_z, s.I_y, s.I_z);
  if (!beam.has_rotary_inertia) data.inertia_per_length.tail<2>().setZero();
  data.damping = beam.damping;
  data.section = s;
  if (has_driven_strains(beam)) data.strains = bodies::ElementStrains::unknown;
  for (int i = 0; i < kBeamStrains; ++i) data.is_driven[i] = beam.driven[i].has_value();
  data.torsion = beam.torsion;
  data.rule = beam.rule;
  return data;
}

// Nodes have the body's axes, so that its places do.
void add_beam(const ModelDescription& model, const BodyDescription& d, BuiltModel& built,
              PlaceFinder& places) {
  const BeamLine line = make_beam_line(d.beam);
  const system::InitialMotion motion = initial_motion(d);
  std::vector<int> nodes;
  std::vector<system::InitialMotion> undeformed;
  for (const Vector3d& x_B : line.nodes) {
    undeformed.push_back(carried_along(motion, x_B, Matrix3d::Identity()));
    nodes.push_back(built.system.add_body(
        std::make_unique<bodies::Node>(fmt::format("node {} of {}", nodes.size() + 1, d.name)),
        undeformed.back()));
    places.add_carrier(nodes.back(), undeformed.back());
  }
  for (std::size_t k = 0; k < d.beam.points.size(); ++k) {
    bodies::Frame frame;
    frame.body = nodes[line.node_of_point[k]];
    frame.x_B = line.to_points[line.node_of_point[k]];
    places.add_place(d.name, d.beam.points[k].name, frame);
  }
  const MaterialDescription& material = model.materials.at(d.beam.material);
  const beams::Section section = section_of(d.beam.section, material.poissons_ratio);
  std::vector<bodies::BeamElementData> elements(line.lengths.size(),
                                                beam_element_data(d.beam, section, material));
  for (std::size_t e = 0; e < elements.size(); ++e) {
    elements[e].p = static_cast<int>(e);
    elements[e].q = static_cast<int>(e) + 1;
    elements[e].R_p = line.sections[2 * e];
    elements[e].R_q = line.sections[2 * e + 1];
    elements[e].length = line.lengths[e];
  }
  check_tension(d, elements);
  auto body = std::make_unique<bodies::BeamBody>(d.name, nodes, undeformed, elements);
  body->set_prestrain(make_prestrain(d.beam, elements.front().rigidity));
  for (const LoadDescription& load : model.loads)
    if (load.type == LoadType::distributed && load.body == d.name)
      body->add_load(make_line_load(load, d.beam, line));
  base::log_info("body {}: {:.6g} kg, {} beam elements", d.name, body->mass(), elements.size());
  const bodies::BeamBody& beam = *body;
  const int index = built.system.add_body(std::move(body), {});
  BuiltBody made;
  made.name = d.name;
  made.type = d.type;
  made.index = index;
  made.nodes = std::move(nodes);
  for (int e = 0; e < static_cast<int>(line.lengths.size()); ++e) made.lines.push_back({e, e + 1});
  if (has_driven_strains(d.beam))
    for (int e = 0; e < beam.n_elements(); ++e)
      made.strain_constraints.push_back(
          system::add_strain_unknowns(built.system, beam, e, d.beam.driven));
  built.bodies.push_back(std::move(made));
}

}  // namespace solidyn::model
