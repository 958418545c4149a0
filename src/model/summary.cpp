#include "solidyn/model/summary.h"

#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/forces/force_entry.h"
#include "model/joints/joint_entry.h"
#include "model/loads/load_entry.h"
#include "model/sensors/sensor_entry.h"

namespace solidyn::model {
namespace {

std::string line(const std::shared_ptr<const BodyEntry>& body) {
  return fmt::format("  {:<16} {:<15} {}\n", body->name, body->type, body->in_words());
}

std::string line(const std::shared_ptr<const JointEntry>& joint) {
  return fmt::format("  {:<16} {:<15} {}\n", joint->name, joint->type.word, joint->acts_on());
}

std::string line(const std::shared_ptr<const LoadEntry>& load) {
  return fmt::format("  {:<16} {:<15} {}\n", load->name, load->type, load->acts_on());
}

std::string between(const ContactDescription& contact) {
  if (!contact.is_group) return contact.between[0].text() + " - " + contact.between[1].text();
  const std::size_t n_first = contact.shapes[0].places.size(),
                    n_second = contact.shapes[1].places.size();
  return n_second == 0 ? fmt::format("{} shapes against each other", n_first)
                       : fmt::format("{} shapes against {}", n_first, n_second);
}

std::string line(const ContactDescription& contact) {
  return fmt::format("  {:<16} {:<15} {}, {}\n", contact.name, "contact", contact.what,
                     between(contact));
}

std::string line(const std::shared_ptr<const ForceEntry>& force) {
  return fmt::format("  {:<16} {:<15} {}\n", force->name, force->type, force->acts_on());
}

std::string line(const SupportDescription& support) {
  std::string fixed;
  for (int axis = 0; axis < 3; ++axis)
    if (support.fixes[axis]) fixed += "xyz"[axis];
  return fmt::format("  {:<16} {:<15} of body {}\n", support.name, fixed, support.body);
}

std::string line(const std::shared_ptr<const SensorEntry>& sensor) {
  std::string text = fmt::format("  {:<16} {:<15}", sensor->name, sensor->type);
  for (const Recorded& thing : sensor->recorded())
    text += thing.word.empty() ? "" : " " + thing.word;
  return text + "\n";
}

std::string in_words(const MechanismModesDescription& modes) {
  const std::string text = fmt::format("{} of the mechanism", modes.count);
  return modes.speeds.empty()
             ? text
             : text + fmt::format(" at {} speeds about {}", modes.speeds.size(), modes.about);
}

std::string in_words(const StateSpaceDescription& linear) {
  return fmt::format("{} inputs", linear.inputs.size());
}

std::string in_words(const FrequencyResponseDescription& linear) {
  return fmt::format("{} inputs, {} frequencies", linear.inputs.size(), linear.frequencies.size());
}

std::string in_words(const ReflectedInertiaDescription& inertia) {
  std::string places;
  for (const PlaceDescription& place : inertia.places)
    places += (places.empty() ? "at " : ", ") + place.text();
  return places;
}

template <class Description>
std::string line_of_linear(const AnalysisDescription& analysis) {
  const auto* linear = std::get_if<Description>(&analysis);
  if (!linear) return "";
  return fmt::format(
      "  {:<16} {}{}\n", name(analysis), in_words(*linear),
      linear->times.empty() ? "" : fmt::format(", at {} times", linear->times.size()));
}

std::string line(const AnalysisDescription& analysis) {
  if (const auto* modes = std::get_if<ModesDescription>(&analysis))
    return fmt::format("  modes            {} of {}\n", modes->count, modes->body);
  if (find_linear(analysis))
    return line_of_linear<MechanismModesDescription>(analysis) +
           line_of_linear<StateSpaceDescription>(analysis) +
           line_of_linear<FrequencyResponseDescription>(analysis) +
           line_of_linear<ReflectedInertiaDescription>(analysis);
  if (const auto* statics = std::get_if<StaticsDescription>(&analysis))
    return fmt::format("  statics          {} load steps{}\n", statics->options.load_steps,
                       statics->options.arc_length ? ", by the length of the path" : "");
  const auto& dynamics = std::get<DynamicsDescription>(analysis).options;
  if (dynamics.integrator == analyses::IntegratorKind::kinematics)
    return fmt::format("  {:<16} {:g} s in steps of {:g} s\n", name(dynamics), dynamics.duration,
                       dynamics.step);
  return fmt::format("  {:<16} {:g} s in {} {:g} s by {}\n", name(dynamics), dynamics.duration,
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
