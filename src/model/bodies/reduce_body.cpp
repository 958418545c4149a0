#include "solidyn/model/reduce_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_source.h"
#include "model/bodies/build_supports.h"
#include "model/bodies/doubtful_elements.h"
#include "model/bodies/flexible_source.h"
#include "model/bodies/import/reduce_imported.h"
#include "model/bodies/plausibility.h"
#include "model/forces/build_loads.h"
#include "solidyn/base/log.h"

namespace solidyn::model {
namespace {

reduction::ReductionOptions reduction_options(const ModelDescription& model,
                                              const BodyDescription& d) {
  reduction::ReductionOptions o;
  o.free_free = d.flexible.free_free_modes;
  o.static_correction = d.flexible.static_correction;
  const ComponentModesDescription& component = d.flexible.component_modes;
  o.free_free_up_to = component.free_free_up_to;
  o.fixed_interface = component.fixed_interface;
  o.fixed_interface_up_to = component.fixed_interface_up_to;
  o.constraint_modes = component.constraint_modes;
  o.static_loads = component.static_loads;
  o.cut_off = component.cut_off;
  o.geometric_stiffening = d.flexible.geometric_stiffening;
  o.keep_rigid_modes = keeps_rigid_modes(d);
  o.mass = d.flexible.mass_matrix;
  o.damping = {d.flexible.damping.rayleigh_mass, d.flexible.damping.rayleigh_stiffness,
               d.flexible.damping.modal_ratio, d.flexible.damping.modal_ratio_from};
  for (const InterfaceDescription& i : d.flexible.interfaces) o.interfaces.push_back(i.definition);
  for (const PointDescription& p : d.flexible.points) o.points.push_back({p.name, p.x_B});
  o.loads = load_definitions(model, d);
  if (d.type == BodyType::modal) o.supports = support_definitions(model, d);
  for (const StressPlaceDescription& place : d.flexible.stress.places)
    o.stress.places.push_back({place.name, place.nodes});
  if (d.flexible.stress.is_in_pictures) o.stress.pictures = reduction::StressInPictures::on_surface;
  return o;
}

// A file has the second order of its modes or not; the model file says whether it counts.
void choose_second_order(const BodyDescription& d, reduction::ReducedBody& body) {
  const bool is_wanted =
      d.flexible.geometric_stiffening == reduction::GeometricStiffening::second_order;
  if (is_wanted && !body.has_second_order())
    throw base::InputError(
        fmt::format("bodies.{}: the reduced body {} was made without geometric stiffening", d.name,
                    d.flexible.reduced_body.string()),
        "reduce it again with  geometric_stiffening: second_order, or leave that key out", d.where);
  if (is_wanted || !body.has_second_order()) return;
  base::log_info(
      "body {}: its file knows geometric stiffening, which counts only with  "
      "geometric_stiffening: second_order",
      d.name);
  body.inertia.C.clear();
  for (reduction::ReducedInterface& i : body.interfaces) i.Y_t = i.Y_r = Eigen::MatrixXd();
  for (reduction::TrackedPoint& p : body.points) p.Y = Eigen::MatrixXd();
  for (reduction::LoadRows& load : body.loads) load.Y = Eigen::MatrixXd();
}

BodyReduction find_body(MPI_Comm comm, const ModelDescription& model, const BodyDescription& d,
                        const std::string& cache_folder, reduction::Check check) {
  if (d.flexible.imported.is_given) {
    reduction::ReductionOptions options = reduction_options(model, d);
    options.check = check;
    return reduce_imported(comm, model, d, options);
  }
  BodyReduction result;
  reduction::ReducedBody body;
  if (!d.flexible.reduced_body.empty()) {
    body = reduction::read_sbody(comm, d.flexible.reduced_body.string(), &result.provenance);
    choose_second_order(d, body);
  } else {
    const BodySource origin = make_body_source(comm, model, d);
    const reduction::MeshSource source{d.flexible.mesh.string(), d.flexible.mesh_scale,
                                       origin.load_mesh, origin.content_hash};
    reduction::ReductionOptions options = reduction_options(model, d);
    options.interfaces = origin.interfaces;
    if (d.type == BodyType::superelement)
      for (mesh::InterfaceDefinition& held : support_interfaces(model, d))
        options.interfaces.push_back(std::move(held));
    options.masses = origin.masses;
    options.check = check;
    const std::string folder = check == reduction::Check::none ? cache_folder : "";
    body = reduction::reduce_cached(comm, folder, source, origin.sections, options, &result.timings,
                                    &result.provenance);
    warn_of_doubtful_elements(model, d, body.mesh, origin.sections);
  }
  result.body = std::make_shared<reduction::ReducedBody>(std::move(body));
  return result;
}

// Of imported data the reader has judged what the files say themselves.
void warn_of_units(const BodyDescription& d, const reduction::ReducedBody& body) {
  const ImportDescription& import = d.flexible.imported;
  const bool is_mass_told = import.is_given && import.modes.empty();
  const bool is_frequency_told = import.is_given && !import.modes.empty();
  const auto elastic = std::find_if(
      body.modes.begin(), body.modes.end(),
      [](const reduction::Mode& mode) { return mode.kind != reduction::Mode::Kind::rigid; });
  const double frequency = elastic == body.modes.end() ? 0.0 : elastic->frequency;
  warn_of_doubtful_units(d, is_mass_told ? 0.0 : body.inertia.mass,
                         is_frequency_told ? 0.0 : frequency);
}

}  // namespace

BodyReduction reduce_body(MPI_Comm comm, const ModelDescription& model, const BodyDescription& d,
                          const std::string& cache_folder, reduction::Check check) {
  BodyReduction result = find_body(comm, model, d, cache_folder, check);
  warn_of_units(d, *result.body);
  return result;
}

reduction::MeshModes modes_of_mesh(MPI_Comm comm, const ModelDescription& model,
                                   const BodyDescription& d, int count) {
  const BodySource source = make_body_source(comm, model, d);
  reduction::ReductionOptions options;
  options.mass = d.flexible.mass_matrix;
  options.interfaces = source.interfaces;
  options.masses = source.masses;
  options.supports = support_definitions(model, d);
  std::vector<fem::Section> sections = source.sections.all();
  if (d.type == BodyType::inertial)  // which has the trilinear element
    for (fem::Section& section : sections) section.hex8 = fem::Hex8Formulation::standard;
  return reduction::compute_mesh_modes(source.load_mesh(), fem::Sections(std::move(sections)),
                                       options, count);
}

}  // namespace solidyn::model
