#include "model/bodies/beams/build_beams.h"

#include <fmt/format.h>

#include <cmath>

#include "model/bodies/beams/beam_line.h"
#include "model/bodies/beams/build_beam_elements.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn::model {
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Nodes have the body's axes, so that its places do.
void add_beam(const BeamOfPoints& d, const BodyBuilder& builder) {
  BuiltModel& built = builder.built;
  PlaceFinder& places = builder.places;
  const BeamLine line = make_beam_line(d);
  const system::InitialMotion motion = initial_motion(d);
  BeamElements elements;
  elements.line = &line;
  BuiltBody made;
  for (const Vector3d& x_B : line.nodes) {
    elements.undeformed.push_back(carried_along(motion, x_B, Matrix3d::Identity()));
    made.nodes.push_back(built.system.add_body(
        std::make_unique<bodies::Node>(fmt::format("node {} of {}", made.nodes.size() + 1, d.name)),
        elements.undeformed.back()));
    places.add_carrier(made.nodes.back(), elements.undeformed.back());
  }
  for (std::size_t k = 0; k < d.points.size(); ++k) {
    bodies::Frame frame;
    frame.body = made.nodes[line.node_of_point[k]];
    frame.x_B = line.to_points[line.node_of_point[k]];
    places.add_place(d.name, d.points[k].name, frame);
  }
  const MaterialDescription material =
      d.section->rigidity() ? MaterialDescription() : builder.model.materials.at(d.material);
  const SectionProperties properties = properties_of(*d.section, material);
  made.drawn_radius = std::sqrt(properties.section.area / M_PI);
  elements.data.assign(line.lengths.size(), beam_element_data(d, d.given, properties));
  elements.given.assign(line.lengths.size(), &d.given);
  for (std::size_t e = 0; e < elements.data.size(); ++e) {
    bodies::BeamElementData& data = elements.data[e];
    data.p = static_cast<int>(e);
    data.q = static_cast<int>(e) + 1;
    data.R_p = line.sections[2 * e];
    data.R_q = line.sections[2 * e + 1];
    data.length = line.lengths[e];
  }
  const bodies::BeamBody& beam = add_beam_elements(builder.model, d, elements, built, made);
  base::log_info("body {}: {:.6g} kg, {} beam elements", d.name, beam.mass(), beam.n_elements());
  built.bodies.push_back(std::move(made));
}

}  // namespace solidyn::model
