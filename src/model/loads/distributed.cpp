#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/beams/beam_entry.h"
#include "model/bodies/beams/beam_line.h"
#include "model/language/spelling.h"
#include "model/loads/load_entry.h"
#include "solidyn/bodies/line_load.h"

namespace solidyn::model {
namespace {

using Axes = beams::BeamLoad::Axes;
using Part = bodies::LineLoad::Part;
using Piece = beams::BeamLoad::Piece;

const Quantity kForcePerLength{"N/m", -1, 0, 0, 0, 1};
const Quantity kTorquePerLength{"N m/m", 0, 0, 0, 0, 1};

// Of the element's length: shorter pieces are left out.
constexpr double kShort = 1e-12;

/// A force and a torque per length of a beam.
struct DistributedEntry final : LoadEntryOf<DistributedEntry> {
  std::string body;
  std::array<std::string, 2> between;  ///< points of the beam; empty: all of it
  /// Fraction of the length and factor, from 0 to 1; empty: the factor is one.
  std::vector<Eigen::Vector2d> factors;
  bodies::LineLoad::Vector force, torque;  ///< N/m, N m/m
  Axes axes = Axes::world;

  static const Fields<DistributedEntry>& fields();
  void check(const TableView& view, const Scope& scope) const;
  std::string acts_on() const override {
    return "on body " + body + (axes == Axes::section ? ", follows" : "");
  }
  bool has_components() const override { return true; }
  std::string beam() const override { return body; }
  std::optional<bodies::LineLoad> on_beam(const BeamEntry& of_body, const BeamLine* line,
                                          int n_elements) const override;
};

void read_body(DistributedEntry& load, const TableView& view, const Scope& scope) {
  if (const BodyEntry* body = find_referred_body(view, "body", scope)) load.body = body->name;
}

void read_between(DistributedEntry& load, const TableView& view, const Scope&) {
  if (!view.is_good("between")) return;
  const std::vector<std::string> names = view.texts("between");
  load.between = {names[0], names[1]};
}

// From 0 to 1; two points at the same place make a jump.
void read_factors(DistributedEntry& load, const TableView& view, const Scope&) {
  if (!view.is_good("factors")) return;
  for (const Value& point : view.find("factors")->items)
    load.factors.emplace_back(as_number(point.items[0]).value_or(0.0),
                              as_number(point.items[1]).value_or(0.0));
  const auto& f = load.factors;
  const bool grows =
      std::is_sorted(f.begin(), f.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  if (f.size() >= 2 && grows && f.front()[0] == 0.0 && f.back()[0] == 1.0) return;
  view.report().error(
      view.where("factors"),
      fmt::format("{} must increase from fraction 0 to fraction 1", view.path("factors")),
      "write for example  factors: [[0, 1], [0.4, 0.2], [1, 0]]");
  load.factors.clear();
}

const Fields<DistributedEntry>& DistributedEntry::fields() {
  using Self = DistributedEntry;
  static const Choice<Axes> axes_of = {{"world", Axes::world}, {"section", Axes::section}};
  static const Fields<Self> list = {
      read_by<Self>(Key("body", Form::reference, "the beam", "mast").needed(), read_body),
      read_by<Self>(
          Key("between", Form::references,
              "two points of the beam between which the load acts; by default the whole beam",
              "[foot, top]")
              .sized(2),
          read_between),
      read_by<Self>(
          Key("factors", Form::points,
              "how the load varies: points [fraction of the length, factor] from 0 to 1, between which the factor is linear",
              "[[0, 1], [0.5, 0.2], [1, 0]]"),
          read_factors),
      field(Key("force", Form::time_vector, "force per undeformed length", "[0, \"-200*t\", 0]")
                .in(kForcePerLength),
            &Self::force),
      field(Key("torque", Form::time_vector, "torque per undeformed length", "[\"5*t\", 0, 0]")
                .in(kTorquePerLength),
            &Self::torque),
      field(
          Key("axes", Form::word,
              "axes of the components: of the `world`, or of the cross-sections, following their rotation (`section`: x along the beam, y and z of the `section`)",
              "section")
              .or_default(),
          axes_of, &Self::axes)};
  return list;
}

// Where it acts in the order of the beam's points, -1 after a complaint.
int find_point(const TableView& view, const std::string& name, const BeamEntry& body) {
  const std::vector<std::string> known = body.place_names(PlaceDescription::Kind::interface);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return static_cast<int>(found - known.begin());
  view.report().error(
      view.where("between"),
      fmt::format("{}: the beam `{}` has no point `{}`", view.path("between"), body.name, name),
      suggestion(name, known, "there are"));
  return -1;
}

void check_between(const TableView& view, const DistributedEntry& load, const BeamEntry& body) {
  if (!view.is_good("between")) return;
  const auto& names = load.between;
  const int from = find_point(view, names[0], body), to = find_point(view, names[1], body);
  if (from >= 0 && to >= 0 && from >= to)
    view.report().error(view.where("between"),
                        fmt::format("{}: {} does not precede {} along the beam",
                                    view.path("between"), names[0], names[1]),
                        "give them in the order of the beam's points");
}

// Lines of a mesh have no order.
void refuse_parts_of_network(const TableView& view, const BeamEntry& body) {
  for (const char* key : {"between", "factors"})
    if (view.has(key))
      view.report().error(
          view.where(key),
          fmt::format(
              "{}: the lines of `{}` come from a mesh, and the load is the same on all of them",
              view.path(key), body.name),
          "remove it, or define a beam by points for the lines concerned");
}

void DistributedEntry::check(const TableView& view, const Scope& scope) const {
  if (!view.has("force") && !view.has("torque"))
    view.report().error(view.where(), fmt::format("{} has neither force nor torque", view.path()),
                        "give one, for example  force: [0, \"-200*t\", 0]");
  const BodyEntry* on = scope.model.find_body(body);
  if (!on) return;
  if (const BeamEntry* beam = on->beam()) {
    beam->is_of_mesh() ? refuse_parts_of_network(view, *beam) : check_between(view, *this, *beam);
  } else {
    view.report().error(
        view.where("body"),
        fmt::format("{}: `{}` is of type {}, which has no line to load", view.path("body"), body,
                    on->type),
        "give a body of type beam; other types accept loads of type force, pressure or traction");
  }
}

int node_of(const std::string& point, const BeamEntry& beam, const BeamLine& line) {
  const auto known = beam.place_names(PlaceDescription::Kind::interface);
  return line.node_of_point[std::find(known.begin(), known.end(), point) - known.begin()];
}

// The part of an element that is between two fractions of the loaded length, with the factors
// there. @param start, end of the element, as fractions
void add_piece(const Eigen::Vector2d& a, const Eigen::Vector2d& b, double start, double end,
               std::vector<Piece>& pieces) {
  const double from = std::max(a[0], start), to = std::min(b[0], end), length = end - start;
  if (to - from <= kShort * length) return;
  const auto factor = [&](double x) { return a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1]); };
  pieces.push_back({(from - start) / length, (to - start) / length, factor(from), factor(to)});
}

std::vector<Part> parts_on_all(int n_elements) {
  std::vector<Part> parts;
  parts.reserve(n_elements);
  for (int e = 0; e < n_elements; ++e) parts.push_back({e, {{0.0, 1.0, 1.0, 1.0}}});
  return parts;
}

std::vector<Part> parts_on_line(const DistributedEntry& load, const BeamEntry& beam,
                                const BeamLine& line) {
  const bool is_whole = load.between[0].empty();
  const int first = is_whole ? 0 : node_of(load.between[0], beam, line);
  const int last =
      is_whole ? static_cast<int>(line.lengths.size()) : node_of(load.between[1], beam, line);
  std::vector<Eigen::Vector2d> factors = load.factors;
  if (factors.empty()) factors = {{0.0, 1.0}, {1.0, 1.0}};
  double whole = 0.0, at = 0.0;
  for (int e = first; e < last; ++e) whole += line.lengths[e];
  std::vector<Part> parts;
  for (int e = first; e < last; ++e) {
    const double start = at / whole, end = (at + line.lengths[e]) / whole;
    Part part{e, {}};
    for (std::size_t k = 1; k < factors.size(); ++k)
      add_piece(factors[k - 1], factors[k], start, end, part.pieces);
    parts.push_back(std::move(part));
    at += line.lengths[e];
  }
  return parts;
}

std::optional<bodies::LineLoad> DistributedEntry::on_beam(const BeamEntry& of_body,
                                                          const BeamLine* line,
                                                          int n_elements) const {
  if (of_body.name != body) return {};
  return bodies::LineLoad(name, axes, force, torque,
                          line ? parts_on_line(*this, of_body, *line) : parts_on_all(n_elements));
}

}  // namespace

LoadType distributed_row() { return DistributedEntry::row("distributed", "per length of a beam"); }

}  // namespace solidyn::model
