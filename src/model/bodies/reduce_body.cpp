#include "solidyn/model/reduce_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_source.h"
#include "model/bodies/doubtful_elements.h"
#include "model/bodies/import/reduce_imported.h"
#include "model/bodies/plausibility.h"
#include "model/bodies/reduced_entry.h"
#include "model/supports/build_supports.h"
#include "solidyn/base/log.h"

namespace solidyn::model {
namespace {

// A file has the second order of its modes or not; the model file says whether it counts.
void choose_second_order(const ReducedEntry& d, reduction::ReducedBody& body) {
  const bool is_wanted =
      d.basis.geometric_stiffening == reduction::GeometricStiffening::second_order;
  if (is_wanted && !body.has_second_order())
    throw base::InputError(
        fmt::format("bodies.{}: the reduced body {} was computed without geometric stiffening",
                    d.name, d.reduced_body.string()),
        "reduce it again with  geometric_stiffening: second_order, or remove that key", d.where);
  if (is_wanted || !body.has_second_order()) return;
  base::log_info(
      "body {}: its file contains geometric stiffening, which is used only with  geometric_stiffening: second_order",
      d.name);
  body.inertia.C.clear();
  for (reduction::ReducedInterface& i : body.interfaces) i.Y_t = i.Y_r = Eigen::MatrixXd();
  for (reduction::TrackedPoint& p : body.points) p.Y = Eigen::MatrixXd();
  for (reduction::LoadRows& load : body.loads) load.Y = Eigen::MatrixXd();
}

BodyReduction find_body(MPI_Comm comm, const ModelDescription& model, const ReducedEntry& d,
                        const std::string& cache_folder, reduction::Check check) {
  if (d.import) {
    reduction::ReductionOptions options = d.reduction_options(model);
    options.check = check;
    return reduce_imported(comm, model, d, options);
  }
  BodyReduction result;
  reduction::ReducedBody body;
  if (!d.reduced_body.empty()) {
    body = reduction::read_sbody(comm, d.reduced_body.string(), &result.provenance);
    choose_second_order(d, body);
  } else {
    const BodySource origin = make_body_source(comm, model, d);
    const reduction::MeshSource source{d.mesh.string(), d.mesh_units.length, origin.load_mesh,
                                       origin.content_hash};
    reduction::ReductionOptions options = d.reduction_options(model);
    options.interfaces = origin.interfaces;
    for (mesh::InterfaceDefinition& held : d.held_interfaces(model))
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
void warn_of_units(const ReducedEntry& d, const reduction::ReducedBody& body) {
  const bool is_mass_told = d.import && d.import->modes.empty();
  const bool is_frequency_told = d.import && !d.import->modes.empty();
  const auto elastic = std::find_if(
      body.modes.begin(), body.modes.end(),
      [](const reduction::Mode& mode) { return mode.kind != reduction::Mode::Kind::rigid; });
  const double frequency = elastic == body.modes.end() ? 0.0 : elastic->frequency;
  warn_of_doubtful_units(d, is_mass_told ? 0.0 : body.inertia.mass,
                         is_frequency_told ? 0.0 : frequency);
}

}  // namespace

const BodyEntry& find_reducible_body(const ModelDescription& model, const std::string& name) {
  const BodyEntry* body = model.find_body(name);
  if (!body) {
    std::string names;
    for (const auto& known : model.bodies) names += " " + known->name;
    throw base::InputError(fmt::format("{} has no body `{}`", model.source, name),
                           "give --body one of its bodies:" + names);
  }
  if (!body->reduced())
    throw base::InputError(
        fmt::format(
            "bodies.{} is of type {}; only `type: modal` and `type: superelement` are reduced",
            name, body->type),
        "write `type: modal` and `modes:` in the model file, or choose another body", body->where);
  if (!body->reduced_file().empty())
    throw base::InputError(fmt::format("bodies.{} is already reduced: it is read from {}", name,
                                       body->reduced_file().string()),
                           "give it a `mesh` and a `material` to reduce it again", body->where);
  return *body;
}

BodyReduction reduce_body(MPI_Comm comm, const ModelDescription& model, const BodyEntry& body,
                          const std::string& cache_folder, reduction::Check check) {
  const ReducedEntry& d = *body.reduced();
  BodyReduction result = find_body(comm, model, d, cache_folder, check);
  warn_of_units(d, *result.body);
  return result;
}

reduction::MeshModes modes_of_mesh(MPI_Comm comm, const ModelDescription& model,
                                   const BodyEntry& body, int count) {
  const FlexibleEntry& d = *body.flexible();
  const BodySource source = make_body_source(comm, model, d);
  reduction::ReductionOptions options;
  options.mass = d.mass;
  options.interfaces = source.interfaces;
  options.masses = source.masses;
  options.supports = support_definitions(model, d);
  std::vector<fem::Section> sections = source.sections.all();
  if (d.has_trilinear_hex8())  // which has the trilinear element
    for (fem::Section& section : sections) section.hex8 = fem::Hex8Formulation::standard;
  return reduction::compute_mesh_modes(source.load_mesh(), fem::Sections(std::move(sections)),
                                       options, count);
}

}  // namespace solidyn::model
