#include <fmt/format.h>

#include <cmath>

#include "model/contacts/read_contacts.h"
#include "model/language/spelling.h"
#include "solidyn/contact/hertz.h"

namespace solidyn::model {
namespace {

using contact::Dissipation;

Dissipation dissipation_type(const std::string& word) {
  return chosen<Dissipation>(word, {{"hertz", Dissipation::none},
                                    {"lankarani_nikravesh", Dissipation::lankarani_nikravesh},
                                    {"hunt_crossley", Dissipation::hunt_crossley},
                                    {"flores", Dissipation::flores},
                                    {"exact_restitution", Dissipation::exact_restitution}});
}

const MaterialDescription* find_material(const TableView& law, const std::string& name,
                                         const ModelDescription& model) {
  const auto found = model.materials.find(name);
  if (found != model.materials.end()) return &found->second;
  std::vector<std::string> known;
  for (const auto& [other, material] : model.materials) known.push_back(other);
  law.report().error(
      law.where("materials"),
      fmt::format("{}: there is no material `{}`", law.path("materials"), name),
      known.empty() ? "declare it under `materials:`" : suggestion(name, known, "there are"));
  return nullptr;
}

double stiffness_of_materials(const TableView& law, const Eigen::Vector2d& curvatures,
                              const ModelDescription& model) {
  const std::vector<std::string> names = law.texts("materials");
  const MaterialDescription* first = find_material(law, names[0], model);
  const MaterialDescription* second = find_material(law, names[1], model);
  if (law.has("exponent") && law.is_good("exponent") && law.number("exponent") != 1.5)
    law.report().error(law.where("exponent"),
                       fmt::format("{} is {:g}: the stiffness of materials is that of Hertz, with "
                                   "1.5",
                                   law.path("exponent"), law.number("exponent")),
                       "leave it out, or give `stiffness`");
  if (curvatures[1] <= 0.0)
    law.report().error(law.where("materials"),
                       fmt::format("{}: Hertz' theory has no stiffness for these two shapes, which "
                                   "touch along lines, at edges or over surfaces that fit",
                                   law.path("materials")),
                       "give `stiffness`, for example from a finite element model or a formula for "
                       "your bearing");
  if (!first || !second || curvatures[1] <= 0.0) return 0.0;
  const double modulus = contact::effective_modulus(first->youngs_modulus, first->poissons_ratio,
                                                    second->youngs_modulus, second->poissons_ratio);
  return contact::hertz_stiffness(modulus, curvatures);
}

}  // namespace

contact::NormalLaw read_contact_law(const TableView& law, const Eigen::Vector2d& curvatures,
                                    const ModelDescription& model) {
  contact::NormalLaw result;
  if (law.type().empty()) return result;
  const bool is_kelvin_voigt = law.type() == "kelvin_voigt";
  const bool is_of_materials = law.is_good("materials");
  result.slow_speed = law.number("slow_speed");
  result.exponent = is_of_materials ? 1.5 : law.number("exponent");
  if (is_kelvin_voigt) {
    result.damping = law.number("damping");
    result.damping_depth = law.number("damping_depth");
  } else if (law.is_good("restitution")) {
    result.dissipation =
        contact::dissipation(dissipation_type(law.type()), law.number("restitution"));
  }
  if (is_of_materials)
    result.stiffness = stiffness_of_materials(law, curvatures, model);
  else if (law.is_good("stiffness"))
    result.stiffness =
        law.number("stiffness") / std::pow(law.context().units.length, result.exponent);
  return result;
}

}  // namespace solidyn::model
