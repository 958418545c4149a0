#include "solidyn/model/summary.h"

#include <fmt/format.h>

namespace solidyn::model {
namespace {

std::string place(const PlaceDescription& place) {
  if (place.kind == PlaceDescription::Kind::ground) return "ground";
  return place.name.empty() ? place.body : place.body + "." + place.name;
}

std::string eigenmodes_in_words(int number, double up_to, const char* kind) {
  if (up_to > 0.0) return fmt::format("{} modes up to {:g} Hz", kind, up_to);
  return fmt::format("{} {} modes", number, kind);
}

std::string modes_in_words(const FlexibleDescription& flexible) {
  const ComponentModesDescription& component = flexible.component_modes;
  std::string text =
      eigenmodes_in_words(flexible.free_free_modes, component.free_free_up_to, "free-free");
  if (component.fixed_interface > 0 || component.fixed_interface_up_to > 0.0)
    text += ", " + eigenmodes_in_words(component.fixed_interface, component.fixed_interface_up_to,
                                       "fixed-interface");
  if (component.constraint_modes == reduction::ConstraintModesAt::interfaces)
    text += ", constraint modes";
  if (!component.static_loads.empty())
    text += fmt::format(", {} static loads", component.static_loads.size());
  if (flexible.static_correction == reduction::StaticCorrection::at_interfaces)
    text += " and static correction";
  return text;
}

std::string imported_files(const ImportDescription& import) {
  const std::filesystem::path& main = !import.modes.empty()       ? import.modes
                                      : !import.stiffness.empty() ? import.stiffness
                                                                  : import.superelement;
  return main.filename().string() +
         (import.mesh.empty() ? "" : " on " + import.mesh.filename().string());
}

std::string line(const BodyDescription& body) {
  std::string text =
      fmt::format("  {:<16} {:<15}", body.name, body.flexible.is_rigid ? "rigid" : name(body.type));
  if (body.type == BodyType::rigid)
    return text +
           fmt::format(" mass {:g} kg, {} frames\n", body.rigid.mass, body.rigid.frames.size());
  if (body.type == BodyType::beam && !body.flexible.mesh.empty())
    return text + fmt::format(" lines of {}{}, {} groups, {} places and those of the file\n",
                              body.flexible.mesh.filename().string(),
                              body.beam.material.empty() ? "" : ", " + body.beam.material,
                              body.beam.groups.size(), body.beam.places.size());
  if (body.type == BodyType::beam)
    return text + fmt::format(" {} elements, {}, {} points\n", body.beam.n_elements,
                              body.beam.section.rigidity ? "stiffness given" : body.beam.material,
                              body.beam.points.size());
  const FlexibleDescription& flexible = body.flexible;
  if (!flexible.reduced_body.empty())
    return text + fmt::format(" {}\n", flexible.reduced_body.filename().string());
  if (flexible.imported.is_given)
    return text + fmt::format(" {}, {} interfaces\n", imported_files(flexible.imported),
                              flexible.interfaces.size());
  text += fmt::format(" {}, {}, {} interfaces{}", flexible.mesh.filename().string(),
                      flexible.material.empty() ? "its materials" : flexible.material,
                      flexible.interfaces.size(),
                      flexible.brings_interfaces ? " and those of the file" : "");
  if ((body.type == BodyType::modal && !flexible.is_rigid) || body.type == BodyType::superelement)
    text += ", " + modes_in_words(flexible);
  if (flexible.geometric_stiffening == reduction::GeometricStiffening::second_order)
    text += ", geometric stiffening";
  return text + "\n";
}

std::string line(const JointDescription& joint) {
  const std::string text = fmt::format("  {:<16} {:<15} ", joint.name, name(joint.type));
  std::string what = joint.joint.empty() ? place(joint.between[0]) + " - " + place(joint.between[1])
                                         : "drives " + joint.joint;
  if (family(joint.type) == JointFamily::coupling) {
    what = "couples";
    for (const CouplingTerm& term : joint.terms)
      what += fmt::format(" {} of {}", name(term.coordinate), term.joint);
  }
  return text + what + (joint.law_text.empty() ? "" : ", " + joint.law_text) + "\n";
}

std::string line(const LoadDescription& load) {
  const std::string where = load.type == LoadType::force ? place(load.at) : "body " + load.body;
  return fmt::format("  {:<16} {:<15} on {}{}\n", load.name, name(load.type), where,
                     load.follows_body ? ", follows" : "");
}

std::string line(const ContactDescription& contact) {
  static const char* const types[] = {"", "revolute", "cylindrical", "spherical"};
  const std::string what =
      contact.type == ContactType::shapes
          ? contact::name(contact.shapes[0].shape) + " and " +
                contact::name(contact.shapes[1].shape)
          : types[static_cast<int>(contact.type)] + std::string(" with clearance");
  return fmt::format("  {:<16} {:<15} {}, {}\n", contact.name, "contact", what,
                     place(contact.between[0]) + " - " + place(contact.between[1]));
}

std::string line(const ForceDescription& force) {
  const std::string where = !force.joint.empty() ? "on joint " + force.joint
                            : force.type == ForceType::drag
                                ? "on " + place(force.between[1])
                                : place(force.between[0]) + " - " + place(force.between[1]);
  return fmt::format("  {:<16} {:<15} {}\n", force.name, name(force.type), where);
}

std::string line(const SupportDescription& support) {
  std::string fixed;
  for (int axis = 0; axis < 3; ++axis)
    if (support.fixes[axis]) fixed += "xyz"[axis];
  return fmt::format("  {:<16} {:<15} of body {}\n", support.name, fixed, support.body);
}

std::string line(const SensorDescription& sensor) {
  std::string text = fmt::format("  {:<16} {:<15}", sensor.name, name(sensor.type));
  for (Component component : sensor.components) text += fmt::format(" {}", name(component));
  return text + "\n";
}

std::string in_words(const LinearDescription& linear) {
  std::string text = linear.kind == LinearDescription::Kind::modes
                         ? fmt::format("{} of the mechanism", linear.count)
                         : fmt::format("{} inputs", linear.inputs.size());
  if (!linear.speeds.empty())
    text += fmt::format(" at {} speeds about {}", linear.speeds.size(), linear.about);
  if (!linear.frequencies.empty())
    text += fmt::format(", {} frequencies", linear.frequencies.size());
  if (!linear.times.empty()) text += fmt::format(", at {} times", linear.times.size());
  return text;
}

std::string line(const AnalysisDescription& analysis) {
  if (const auto* modes = std::get_if<ModesDescription>(&analysis))
    return fmt::format("  modes            {} of {}\n", modes->count, modes->body);
  if (const auto* linear = std::get_if<LinearDescription>(&analysis))
    return fmt::format("  {:<16} {}\n", name(linear->kind), in_words(*linear));
  if (const auto* statics = std::get_if<StaticsDescription>(&analysis))
    return fmt::format("  statics          {} load steps{}\n", statics->options.load_steps,
                       statics->options.arc_length ? ", by the length of the path" : "");
  const auto& dynamics = std::get<DynamicsDescription>(analysis).options;
  if (dynamics.integrator == analyses::IntegratorKind::kinematics)
    return fmt::format("  kinematics       {:g} s in steps of {:g} s\n", dynamics.duration,
                       dynamics.step);
  return fmt::format("  dynamics         {:g} s in {} {:g} s by {}\n", dynamics.duration,
                     dynamics.adaptive || dynamics.integrator == analyses::IntegratorKind::bdf
                         ? "variable steps from"
                         : "steps of",
                     dynamics.step, name(dynamics.integrator));
}

template <class T>
std::string section(const char* title, const std::vector<T>& items) {
  if (items.empty()) return "";
  std::string text = fmt::format("{} ({})\n", title, items.size());
  for (const T& item : items) text += line(item);
  return text;
}

}  // namespace

std::string summary(const ModelDescription& model) {
  std::string text = model.source + (model.title.empty() ? "" : ": " + model.title) + "\n";
  text += fmt::format("gravity [{:g}, {:g}, {:g}] m/s^2\n", model.gravity.x(), model.gravity.y(),
                      model.gravity.z());
  return text + section("bodies", model.bodies) + section("joints", model.joints) +
         section("loads", model.loads) + section("contacts", model.contacts) +
         section("forces", model.forces) + section("supports", model.supports) +
         section("sensors", model.sensors) + section("analyses", model.analyses);
}

}  // namespace solidyn::model
