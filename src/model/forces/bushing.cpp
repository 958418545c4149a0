#include "solidyn/forces/bushing.h"

#include <fmt/format.h>

#include "model/forces/force_places.h"

namespace solidyn::model {
namespace {

using Matrix6 = forces::Bushing::Matrix6;
using Vector6 = forces::Bushing::Vector6;

/// Resistance in all six directions.
struct BushingEntry final : BetweenFrames, ForceEntryOf<BushingEntry> {
  Matrix6 stiffness = Matrix6::Zero(), damping = Matrix6::Zero();
  Vector6 preload = Vector6::Zero();

  static const Fields<BushingEntry>& fields();
  void check(const TableView& view, const Scope&);
  std::string acts_on() const override { return text(); }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  const char* drawn_as() const override { return "bushing"; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

/// The file's units of a bushing's stiffness: force by length, by angle, torque by length, by
/// angle.
Matrix6 stiffness_scales(const Units& units) {
  const double of_row[] = {units.force, units.force * units.length};
  const double of_column[] = {units.length, units.angle};
  Matrix6 scales;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) scales(i, j) = of_row[i / 3] / of_column[j / 3];
  return scales;
}

/// In the file's units. @pre the value is good
Matrix6 read_matrix(const Value& value) {
  Matrix6 matrix = Matrix6::Zero();
  for (int i = 0; i < 6; ++i)
    if (value.items[i].items.empty())
      matrix(i, i) = *as_number(value.items[i]);
    else
      for (int j = 0; j < 6; ++j) matrix(i, j) = *as_number(value.items[i].items[j]);
  return matrix;
}

Matrix6 read_symmetric(const TableView& view, const std::string& key, const Matrix6& scales) {
  if (!view.is_good(key)) return Matrix6::Zero();
  const Matrix6 matrix = read_matrix(*view.find(key)).cwiseProduct(scales);
  const double size = matrix.cwiseAbs().maxCoeff();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(matrix(i, j) - matrix(j, i)) > 1e-9 * size) {
        view.report().error(
            view.where(key),
            fmt::format(
                "{} is not symmetric: row {} number {} is {:g}, row {} number {} is {:g} (SI)",
                view.path(key), i + 1, j + 1, matrix(i, j), j + 1, i + 1, matrix(j, i)),
            "make both equal");
        return Matrix6::Zero();
      }
  return 0.5 * (matrix + matrix.transpose());
}

void read_stiffness(BushingEntry& entry, const TableView& view, const Scope&) {
  entry.stiffness = read_symmetric(view, "stiffness", stiffness_scales(view.context().units));
}

void read_damping(BushingEntry& entry, const TableView& view, const Scope&) {
  const Units& units = view.context().units;
  entry.damping = read_symmetric(view, "damping", units.time * stiffness_scales(units));
  const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(entry.damping, Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues().minCoeff();
  if (least < -1e-9 * eigen.eigenvalues().cwiseAbs().maxCoeff())
    view.report().error(view.where("damping"),
                        fmt::format("{} has the negative eigenvalue {:g}: it would generate energy",
                                    view.path("damping"), least),
                        "use a positive semidefinite damping, or none");
}

void read_preload(BushingEntry& entry, const TableView& view, const Scope&) {
  if (!view.is_good("preload")) return;
  const Units& units = view.context().units;
  const std::vector<double> preload = view.numbers("preload");
  for (int i = 0; i < 6; ++i)
    entry.preload[i] = preload[i] * units.force * (i < 3 ? 1.0 : units.length);
}

const Fields<BushingEntry>& BushingEntry::fields() {
  using Self = BushingEntry;
  static const Fields<Self> list = joined_fields(
      Fields<Self>{
          read_by<Self>(
              Key("between", Form::references, "the two places", "[subframe, engine.mount]")
                  .sized(2)
                  .needed(),
              [](Self& entry, const TableView& view, const Scope& scope) {
                entry.BetweenPlaces::read(view, Turns::yes, scope);
              }),
          field(Key("axis", Form::direction,
                    "world axes: the z axis of the bushing; by default that of the world",
                    "[0, 1, 0]"),
                &BetweenFrames::axis)
              .of_derived<Self>(),
          read_by<Self>(
              Key("stiffness", Form::matrix,
                  "against displacements along x, y, z and rotations about them: six numbers, the diagonal, or six rows of six, symmetric; N/m, N/rad = N m/m and N m/rad in the units of the file. About an axis without stiffness the second place rotates freely, over any number of turns",
                  "[1e6, 1e6, 3e5, 200, 200, 20]")
                  .sized(6)
                  .needed(),
              read_stiffness),
          read_by<Self>(Key("damping", Form::matrix, "the same for rates: N s/m ..., N m s/rad",
                            "[300, 300, 100, 0.1, 0.1, 0.02]")
                            .sized(6),
                        read_damping),
          read_by<Self>(Key("preload", Form::vector,
                            "preload: three forces and three moments at zero displacement",
                            "[0, 0, -500, 0, 0, 0]")
                            .sized(6),
                        read_preload)},
      BetweenFrames::fields());
  return list;
}

void BushingEntry::check(const TableView& view, const Scope&) {
  BetweenFrames::check(view);
  const bool is_ball = stiffness.bottomRows<3>().isZero(0.0);
  if (is_ball && view.is_good("stiffness") && !preload.tail<3>().isZero(0.0))
    view.report().error(
        view.where("preload"),
        fmt::format(
            "{} has a moment, but {} resists no rotation: the moment would have no angle to act on",
            view.path("preload"), view.path("stiffness")),
        "give the moment as a load, or as the `actuator` of a torsional_spring_damper");
}

std::unique_ptr<forces::Force> BushingEntry::build(const Builder& builder) const {
  system::System& system = builder.built.system;
  bodies::FrameLink link = add_force_frames(*this, *this, false, builder);
  if (const std::optional<int> axis = forces::Bushing::turn_axis(stiffness)) {
    const bodies::FrameIndex A = link.frame_A(), B = link.frame_B();
    link = system.tracked_link(A, B, bodies::twist_angle(*axis));
  }
  return std::make_unique<forces::Bushing>(name, link, stiffness, damping, preload);
}

}  // namespace

ForceType bushing_row() {
  return BushingEntry::row("bushing", "all six directions",
                           forces::Bushing::readings_of_displacement());
}

}  // namespace solidyn::model
