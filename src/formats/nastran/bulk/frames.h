#pragma once
#include <Eigen/Dense>
#include <functional>
#include <map>
#include <optional>

#include "formats/nastran/lines/cards.h"
#include "solidyn/materials/axes.h"

namespace solidyn::formats {

/// Coordinate systems of a deck: CORD1R, CORD1C, CORD1S, CORD2R, CORD2C, CORD2S, in any order and
/// defined in each other. System 0 is the basic one. Private to the Nastran readers.
class NastranFrames {
 public:
  /// The basic position of a grid, for CORD1x. Throws InputError.
  using GridPosition = std::function<Eigen::Vector3d(std::int64_t grid)>;

  static bool is_frame(std::uint64_t key);
  /// @pre is_frame(card.key())
  void add(const NastranCard& card);
  bool empty() const { return raw_.empty(); }

  /// All three throw InputError (at `used`, if the system does not exist) for systems that are
  /// missing, degenerate or defined by each other.
  /// Basic coordinates of (x, y, z), (r, theta deg, z) or (r, theta deg, phi deg).
  Eigen::Vector3d to_basic(std::int32_t frame, const Eigen::Vector3d& coordinates,
                           const GridPosition& grid, const base::SourceLocation& used);
  /// Directions of the components at a basic position, columns in basic axes.
  Eigen::Matrix3d axes_at(std::int32_t frame, const Eigen::Vector3d& x, const GridPosition& grid,
                          const base::SourceLocation& used);
  /// How axes of materials (CORDM) lie in such a system: the same everywhere, or around its axis or
  /// origin.
  materials::Axes material_axes(std::int32_t frame, const GridPosition& grid,
                                const base::SourceLocation& used);

 private:
  enum class Kind { rectangular, cylindrical, spherical };
  struct Frame {
    Kind kind = Kind::rectangular;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  // axes as columns
  };
  struct Raw {
    Kind kind = Kind::rectangular;
    std::int32_t reference = 0;                     // CORD2x
    std::array<std::int32_t, 3> grids = {0, 0, 0};  // CORD1x, else 0
    Eigen::Matrix3d points = Eigen::Matrix3d::Zero();
    base::SourceLocation where;
    bool is_open = false;  // being resolved
    std::optional<Frame> frame;
  };
  void add_one(std::int32_t id, Raw raw);
  const Frame& resolve(std::int32_t id, const GridPosition& grid, const base::SourceLocation& used);
  static Frame make(const Raw& raw, const Eigen::Matrix3d& points);

  std::map<std::int32_t, Raw> raw_;
  Frame basic_;
  int depth_ = 0;
};

}  // namespace solidyn::formats
