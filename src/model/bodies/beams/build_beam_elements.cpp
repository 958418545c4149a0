#include "model/bodies/beams/build_beam_elements.h"

#include <algorithm>

#include "model/bodies/beams/build_beam_strains.h"
#include "model/loads/catalogue.h"
#include "solidyn/bodies/beam_body.h"
#include "solidyn/system/beam_strains.h"

namespace solidyn::model {
namespace {

std::vector<bodies::Prestrain> prestrain_of(const BeamEntry& d, const BeamElements& elements) {
  std::vector<bodies::Prestrain> prestrain;
  for (std::size_t e = 0; e < elements.data.size(); ++e) {
    const GivenStrains& given = *elements.given[e];
    check_tension(d, elements.data[e], given.prestress[0]);
    prestrain.push_back(make_prestrain(given, elements.data[e].rigidity));
  }
  const bool has_any = std::any_of(prestrain.begin(), prestrain.end(),
                                   [](const bodies::Prestrain& p) { return !p.is_zero(); });
  return has_any ? prestrain : std::vector<bodies::Prestrain>();
}

}  // namespace

bodies::BeamElementData beam_element_data(const BeamDescription& beam, const GivenStrains& given,
                                          const SectionProperties& properties) {
  bodies::BeamElementData data;
  data.rigidity = properties.rigidity;
  if (!beam.has_shear) data.rigidity.GA_y = data.rigidity.GA_z = 0.0;
  data.mass_per_length = properties.mass_per_length;
  data.inertia_per_length = properties.inertia_per_length;
  if (!beam.has_rotary_inertia) data.inertia_per_length.tail<2>().setZero();
  data.damping = beam.damping;
  data.section = properties.section;
  data.torsion = beam.torsion;
  data.rule = beam.rule;
  for (std::size_t i = 0; i < given.driven.size(); ++i)
    data.is_driven[i] = given.driven[i].has_value();
  if (given.has_driven()) {
    data.strains = bodies::ElementStrains::unknown;
    data.torsion = beams::Torsion::constant;
  }
  return data;
}

const bodies::BeamBody& add_beam_elements(const ModelDescription& model, const BeamEntry& d,
                                          const BeamElements& elements, BuiltModel& built,
                                          BuiltBody& made) {
  auto body =
      std::make_unique<bodies::BeamBody>(d.name, made.nodes, elements.undeformed, elements.data);
  body->set_prestrain(prestrain_of(d, elements));
  check_own_strains(model, d, *body, elements.given);
  for (bodies::LineLoad& load : line_loads(model, d, elements.line, body->n_elements()))
    body->add_load(std::move(load));
  const bodies::BeamBody& beam = *body;
  made.name = d.name;
  made.index = built.system.add_body(std::move(body), {});
  made.beam = &beam;
  for (int e = 0; e < beam.n_elements(); ++e) {
    const bodies::BeamElementData& data = beam.data(e);
    made.lines.push_back({data.p, data.q});
    const bool is_driven = data.strains == bodies::ElementStrains::unknown;
    made.strain_constraints.push_back(
        is_driven ? system::add_strain_unknowns(built.system, beam, e, elements.given[e]->driven)
                  : bodies::kNoConstraint);
  }
  return beam;
}

}  // namespace solidyn::model
