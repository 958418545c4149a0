#include "formats/nastran/bulk/frames.h"

#include <fmt/format.h>

#include "solidyn/math/constants.h"

namespace solidyn::formats {

namespace {

constexpr int kDeepestFrame = 1000;  // systems in systems; more is a mistake

Eigen::Vector3d cylindrical(const Eigen::Vector3d& p) {
  const double theta = math::kRadiansPerDegree * p[1];
  return {p[0] * std::cos(theta), p[0] * std::sin(theta), p[2]};
}

/// r, theta from z, phi about z.
Eigen::Vector3d spherical(const Eigen::Vector3d& p) {
  const double theta = math::kRadiansPerDegree * p[1], phi = math::kRadiansPerDegree * p[2];
  return p[0] * Eigen::Vector3d(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                                std::cos(theta));
}

/// Columns r, theta, z at a point in the system's axes; on the z axis theta counts as 0.
Eigen::Matrix3d cylindrical_axes(const Eigen::Vector3d& p) {
  const double r = std::hypot(p[0], p[1]);
  const double c = r > 0.0 ? p[0] / r : 1.0, s = r > 0.0 ? p[1] / r : 0.0;
  Eigen::Matrix3d axes;
  axes << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return axes;
}

/// Columns r, theta (away from z), phi.
Eigen::Matrix3d spherical_axes(const Eigen::Vector3d& p) {
  const Eigen::Matrix3d around = cylindrical_axes(p);
  const double r = p.norm();
  const double cos_theta = r > 0.0 ? p[2] / r : 1.0;
  const double sin_theta = r > 0.0 ? std::hypot(p[0], p[1]) / r : 0.0;
  const Eigen::Vector3d rho = around.col(0), z = around.col(2);
  Eigen::Matrix3d axes;
  axes << sin_theta * rho + cos_theta * z, cos_theta * rho - sin_theta * z, around.col(1);
  return axes;
}

}  // namespace

bool NastranFrames::is_frame(std::uint64_t key) {
  switch (key) {
    case card_key("CORD1R"):
    case card_key("CORD1C"):
    case card_key("CORD1S"):
    case card_key("CORD2R"):
    case card_key("CORD2C"):
    case card_key("CORD2S"):
      return true;
    default:
      return false;
  }
}

void NastranFrames::add_one(std::int32_t id, Raw raw) {
  const auto found = raw_.find(id);
  if (found == raw_.end()) {
    raw_.emplace(id, std::move(raw));
    return;
  }
  const Raw& other = found->second;
  if (other.kind != raw.kind || other.reference != raw.reference || other.grids != raw.grids ||
      other.points != raw.points)
    throw base::InputError(
        fmt::format("coordinate system {} is defined twice with different data (first in line {})",
                    id, other.where.line),
        "use unique coordinate system numbers", raw.where);
}

void NastranFrames::add(const NastranCard& card) {
  const std::string name = card.name();
  Raw raw;
  raw.kind = name[5] == 'C'   ? Kind::cylindrical
             : name[5] == 'S' ? Kind::spherical
                              : Kind::rectangular;
  raw.where = card.where();
  if (name[4] == '1') {
    for (int first = 1; first == 1 || !card.is_blank(first); first += 4) {
      for (int i = 0; i < 3; ++i) raw.grids[i] = card.label(first + 1 + i);
      add_one(card.label(first), raw);
      if (first > 4) break;
    }
    return;
  }
  const std::int64_t reference = card.integer(2, 0);
  raw.reference = reference == 0 ? 0 : card.label(2);
  for (int i = 0; i < 9; ++i) raw.points(i % 3, i / 3) = card.real(3 + i, 0.0);
  add_one(card.label(1), raw);
}

NastranFrames::Frame NastranFrames::make(const Raw& raw, const Eigen::Matrix3d& points) {
  Frame frame;
  frame.kind = raw.kind;
  frame.origin = points.col(0);
  const Eigen::Vector3d z = points.col(1) - points.col(0), xz = points.col(2) - points.col(0);
  const Eigen::Vector3d y = z.cross(xz);
  if (!(y.norm() > 1e-10 * z.norm() * xz.norm()))
    throw base::InputError("the three points of the coordinate system are collinear",
                           "B must differ from A, and C must not be on the line from A to B",
                           raw.where);
  frame.R.col(2) = z.normalized();
  frame.R.col(1) = y.normalized();
  frame.R.col(0) = frame.R.col(1).cross(frame.R.col(2));
  return frame;
}

const NastranFrames::Frame& NastranFrames::resolve(std::int32_t id, const GridPosition& grid,
                                                   const base::SourceLocation& used) {
  if (id == 0) return basic_;
  const auto found = raw_.find(id);
  if (found == raw_.end())
    throw base::InputError(fmt::format("coordinate system {} is not defined in the deck", id),
                           "add its CORD2R, CORD2C or CORD2S entry", used);
  Raw& raw = found->second;
  if (raw.frame) return *raw.frame;
  if (raw.is_open || depth_ >= kDeepestFrame)
    throw base::InputError(
        raw.is_open ? fmt::format("coordinate system {} is defined by itself", id)
                    : fmt::format("coordinate system {} is at the end of a chain of more than {}",
                                  id, kDeepestFrame),
        "define it in the basic system (RID 0)", raw.where);
  raw.is_open = true;
  ++depth_;
  Eigen::Matrix3d points;
  try {
    for (int i = 0; i < 3; ++i)
      points.col(i) = raw.grids[0] ? grid(raw.grids[i])
                                   : to_basic(raw.reference, raw.points.col(i), grid, raw.where);
  } catch (...) {
    raw.is_open = false;
    --depth_;
    throw;
  }
  raw.is_open = false;
  --depth_;
  raw.frame = make(raw, points);
  return *raw.frame;
}

Eigen::Vector3d NastranFrames::to_basic(std::int32_t frame, const Eigen::Vector3d& coordinates,
                                        const GridPosition& grid,
                                        const base::SourceLocation& used) {
  const Frame& f = resolve(frame, grid, used);
  const Eigen::Vector3d p = f.kind == Kind::cylindrical ? cylindrical(coordinates)
                            : f.kind == Kind::spherical ? spherical(coordinates)
                                                        : coordinates;
  return f.origin + f.R * p;
}

Eigen::Matrix3d NastranFrames::axes_at(std::int32_t frame, const Eigen::Vector3d& x,
                                       const GridPosition& grid, const base::SourceLocation& used) {
  const Frame& f = resolve(frame, grid, used);
  const Eigen::Vector3d p = f.R.transpose() * (x - f.origin);
  if (f.kind == Kind::rectangular) return f.R;
  return f.R * (f.kind == Kind::cylindrical ? cylindrical_axes(p) : spherical_axes(p));
}

materials::Axes NastranFrames::material_axes(std::int32_t frame, const GridPosition& grid,
                                             const base::SourceLocation& used) {
  if (frame == 0) return {};
  const Frame& f = resolve(frame, grid, used);
  materials::Axes axes;
  axes.kind = f.kind == Kind::cylindrical ? materials::Axes::Kind::cylindrical
              : f.kind == Kind::spherical ? materials::Axes::Kind::spherical
                                          : materials::Axes::Kind::rectangular;
  axes.R = f.R;
  axes.origin = f.origin;
  return axes;
}

}  // namespace solidyn::formats
