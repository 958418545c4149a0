// `track.flexible_rails`: rails that bend on sleepers, as bodies of the system.
#include "solidyn/wheel_rail/flexible_rails.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/forces/force_entry.h"
#include "model/track/rail_track.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/linear_elements.h"
#include "solidyn/model/build.h"

namespace solidyn::model {
namespace {

using track::SleeperTrack;
using track::SleeperTrackOptions;

const Quantity kRailBending{"N m^2", 2, 0, 0, 0, 1};
const Quantity kRailMass{"kg/m", -1, 1, 0, 0, 0};
const Range kElements{1.0, 20.0, true, true};
// A name that no body of a file has.
const char* const kStructure = "track.flexible_rails";
constexpr double kMostElements = 5000.0;  // of each rail
constexpr double kRoundoff = 1e-6;        // m: of a sum of bays

std::array<double, track::kBendings> read_pair(const TableView& view, const char* key) {
  const std::vector<double> values = view.numbers(key);
  return {values[track::kVerticalBending], values[track::kLateralBending]};
}

// "left rail at s = 7.2 m, up and down": where modes move most.
std::vector<std::string> node_names(const SleeperTrack& track, double spacing) {
  std::vector<std::string> names(track.node_sizes().size());
  for (int section = 1; section < track.n_rail_elements(); ++section)
    for (const auto rail : {SleeperTrack::kLeft, SleeperTrack::kRight})
      for (const auto bending : {track::kVerticalBending, track::kLateralBending})
        names[track.rail_node(section, rail, bending)] = fmt::format(
            "{} rail at s = {:.6g} m {}", rail == SleeperTrack::kLeft ? "left" : "right",
            track.from() + section * track.element_length(),
            bending == track::kVerticalBending ? "up and down" : "across");
  for (int k = 0; k < track.n_sleepers(); ++k)
    names[track.sleeper_node(k)] =
        fmt::format("sleeper at s = {:.6g} m", track.from() + (k + 1) * spacing);
  return names;
}

}  // namespace

const TableSpec& flexible_rails_table() {
  static const TableSpec table{
      "flexible_rails",
      "Both rails as beams on sleepers, which stand on ballast, over a part of the track. Pairs are vertical, then lateral. Displacements are small, and from the equilibrium under the track's own weight. doc/railway.md.",
      {Key("from", Form::number, "s at which the rails begin to bend: there they are clamped", "10")
           .in(kLength)
           .within(kNotNegative)
           .needed(),
       Key("to", Form::number,
           "s at which they end to: a whole number of `sleeper_spacing` further, four or more",
           "40")
           .in(kLength)
           .within(kPositive)
           .needed(),
       Key("sleeper_spacing", Form::number, "from sleeper to sleeper", "0.6")
           .in(kLength)
           .within(kPositive)
           .or_else("0.6"),
       Key("elements_per_bay", Form::integer, "of a rail from sleeper to sleeper", "4")
           .within(kElements)
           .or_else("4"),
       Key("bending_stiffness", Form::vector, "EI of a rail, 60E1 by default", "[6.38e6, 1.076e6]")
           .in(kRailBending)
           .within(kPositive)
           .sized(2)
           .or_else("[6.38e6, 1.076e6]"),
       Key("mass_per_length", Form::number, "of a rail, 60E1 by default", "60.21")
           .in(kRailMass)
           .within(kPositive)
           .or_else("60.21"),
       Key("pad_stiffness", Form::vector, "of the pads and fastenings of a rail on a sleeper",
           "[2e8, 5e7]")
           .in(kStiffness)
           .within(kPositive)
           .sized(2)
           .needed(),
       Key("pad_damping", Form::vector, "of these", "[5e4, 2e4]")
           .in(kViscosity)
           .within(kNotNegative)
           .sized(2)
           .or_else("[0, 0]"),
       Key("sleeper_mass", Form::number, "of a sleeper", "300")
           .in(kMass)
           .within(kPositive)
           .needed(),
       Key("sleeper_length", Form::number,
           "of a sleeper, a uniform bar on uniform ballast: for its roll", "2.6")
           .in(kLength)
           .within(kPositive)
           .or_else("2.6"),
       Key("ballast_stiffness", Form::vector, "under a sleeper", "[1e8, 4e7]")
           .in(kStiffness)
           .within(kPositive)
           .sized(2)
           .needed(),
       Key("ballast_damping", Form::vector, "of this", "[1e5, 5e4]")
           .in(kViscosity)
           .within(kNotNegative)
           .sized(2)
           .or_else("[0, 0]")}};
  return table;
}

std::optional<SleeperTrackOptions> read_flexible_rails(const TableView& track, double length) {
  if (!track.has("flexible_rails")) return {};
  const TableView view = track.table("flexible_rails");
  for (const char* key : {"from", "to", "pad_stiffness", "sleeper_mass", "ballast_stiffness"})
    if (!view.is_good(key)) return {};
  for (const char* key : {"sleeper_spacing", "elements_per_bay", "bending_stiffness",
                          "mass_per_length", "pad_damping", "sleeper_length", "ballast_damping"})
    if (view.has(key) && !view.is_good(key)) return {};
  SleeperTrackOptions options;
  options.from = view.number("from");
  options.to = view.number("to");
  options.spacing = view.number("sleeper_spacing");
  options.elements_per_bay = view.integer("elements_per_bay");
  options.rail_distance = track.number("cant_base");
  options.bending_stiffness = read_pair(view, "bending_stiffness");
  options.mass_per_length = view.number("mass_per_length");
  options.pad_stiffness = read_pair(view, "pad_stiffness");
  options.pad_damping = read_pair(view, "pad_damping");
  options.sleeper_mass = view.number("sleeper_mass");
  options.sleeper_length = view.number("sleeper_length");
  options.ballast_stiffness = read_pair(view, "ballast_stiffness");
  options.ballast_damping = read_pair(view, "ballast_damping");
  const auto refuse = [&](const char* key, const std::string& what, const std::string& remedy) {
    view.report().error(view.where(key), fmt::format("{}: {}", view.path(), what), remedy);
    return std::nullopt;
  };
  if (options.to > length + kRoundoff)
    return refuse("to",
                  fmt::format("`to` is {:g} m, and the track is {:g} m long", options.to, length),
                  "end on the track, or make its `plan` longer");
  const double n = options.elements_per_bay * (options.to - options.from) / options.spacing;
  if (n > kMostElements)
    return refuse("to", fmt::format("{:g} elements of each rail", n),
                  fmt::format("take {:g} at most: a shorter part, or fewer `elements_per_bay`",
                              kMostElements));
  try {
    SleeperTrack{options};
  } catch (const base::InputError& error) {
    report_all(error, track, "flexible_rails");
    return {};
  }
  return options;
}

void check_flexible_rails(const TableView& file, const ModelDescription& model) {
  if (!model.track || !model.track->flexible_rails) return;
  if (model.track->running_speed > 0.0)
    file.report().error(
        file.table("track").where("running_speed"),
        "track.running_speed is given beside track.flexible_rails: on sleepers no vehicle runs steadily",
        "give the bodies a `velocity`, and let `dynamics` begin before the rails that bend");
  for (const auto& force : model.forces)
    if (force->type == "wheel_rail" && force->places().size() == 2)
      file.report().error(
          force->where,
          fmt::format(
              "forces.{}.rails_on: rails that bend (track.flexible_rails) move with no body",
              force->name),
          "remove one of them");
}

std::shared_ptr<const wheel_rail::FlexibleRails> flexible_rails(const Builder& builder) {
  const std::optional<SleeperTrackOptions>& options = builder.model.track->flexible_rails;
  if (!options) return nullptr;
  system::System& system = builder.built.system;
  auto rails = std::make_shared<wheel_rail::FlexibleRails>(
      wheel_rail::FlexibleRails{SleeperTrack(*options), {}});
  for (const bodies::BodyIndex b : system.bodies())
    if (system.body(b).name() == kStructure) {
      rails->nodes = system.body(b).as_elements()->nodes();
      return rails;
    }
  const SleeperTrack& track = rails->track;
  const Eigen::VectorXd of_rail = Eigen::Vector2d(1.0, track.element_length()),
                        of_sleeper = Eigen::Vector3d(1.0, 1.0, 0.5 * options->sleeper_length);
  const std::vector<std::string> names = node_names(track, options->spacing);
  for (std::size_t i = 0; i < names.size(); ++i)
    rails->nodes.push_back(system.add_body(
        std::make_unique<bodies::DisplacementNode>(
            names[i], track.node_sizes()[i] == of_rail.size() ? of_rail : of_sleeper),
        {}));
  std::vector<bodies::LinearElementBody::Matrices> matrices;
  for (const SleeperTrack::Matrices& of : track.matrices()) matrices.push_back({of.M, of.D, of.K});
  std::vector<bodies::LinearElementBody::Element> elements;
  for (const SleeperTrack::Element& element : track.elements())
    elements.push_back({element.matrices, element.nodes});
  system.add_body(
      std::make_unique<bodies::LinearElementBody>(kStructure, rails->nodes, track.node_sizes(),
                                                  std::move(matrices), std::move(elements)),
      {});
  return rails;
}

}  // namespace solidyn::model
