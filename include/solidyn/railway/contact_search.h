#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/math/dual.h"
#include "solidyn/railway/elliptic_contact.h"
#include "solidyn/railway/wheel_on_rail.h"

namespace solidyn::railway {

/// The order of derivatives by a WheelPosition.
enum PositionVariable { kY, kZ, kRoll, kYaw, kPositionVariables };
using PositionDual = math::Dual<kPositionVariables>;

/// A point where a wheel presses on its rail, both elastic, in the axes of its side with x from the
/// wheelset's centre. All depend on y, z, roll and yaw, with their derivatives.
struct ContactPoint {
  /// Along the normal, m, > 0: for Hertz' law. It is zero where the point appears, and where it
  /// becomes a part of another one, so that no force jumps.
  PositionDual approach;
  PositionDual x, y, z;     ///< of the rail's point, m
  PositionDual angle;       ///< of the common tangent, rad; positive as a flange leans
  PositionDual radius;      ///< of the wheel there, m
  PositionDual A, B;        ///< relative curvatures as in ContactGeometry, 1/m
  double u = 0.0;           ///< on the wheel, from the tape circle outwards, m
  bool is_bounded = false;  ///< B is the least one: the profiles are conformal there

  ContactGeometry geometry() const { return {A.value, B.value}; }
};

/// Where B of a patch comes from.
enum class PatchCurvature {
  local,        ///< the profiles' curvatures at the point
  from_overlap  ///< the parabola with the area of the overlap around the point: for profiles whose
                ///< curvature changes within a patch, or that are conformal
};

struct ContactOptions {
  PatchCurvature curvature = PatchCurvature::local;
  /// B is taken no smaller, 1/m: 0.05 is a patch eight times as wide as long on wheels of 0.46 m.
  double least_curvature = 0.05;
};

/// Finds the contact points of a wheel and its rail. Implementations give the same points.
class ContactSearch {
 public:
  virtual ~ContactSearch() = default;
  /// All points with an approach > 0, in the order of u; none while the wheel is above its rail.
  /// @param points is overwritten
  /// @throws base::ComputationError, with the position, where the wheel is beside the rail or
  /// touches it with the end of its profile, or a table is left
  virtual void find(const WheelPosition& at, std::vector<ContactPoint>& points) const = 0;
};

/// Looks along the whole profile.
class OnlineSearch : public ContactSearch {
 public:
  /// @throws base::InputError for a least curvature that is not positive
  OnlineSearch(WheelOnRail pair, const ContactOptions& options);
  void find(const WheelPosition& at, std::vector<ContactPoint>& points) const override;
  const WheelOnRail& pair() const { return pair_; }

 private:
  WheelOnRail pair_;
  ContactOptions options_;
};

/// Where a table reaches: half widths about a wheelset in the middle of the track.
struct ContactRange {
  double y = 0.012;                ///< m
  double roll = 0.02, yaw = 0.02;  ///< rad
};

/// Looks only where a table says: for cells of y, roll and yaw it holds the parts of the wheel on
/// which points can be, from bounds on the angles of wheel and rail in the cell. The points there
/// are then found exactly, so that there is nothing to interpolate and no difference from
/// OnlineSearch. Overlaps deeper than the table was made for are looked for along the whole
/// profile.
class TabulatedSearch : public ContactSearch {
 public:
  /// @throws base::InputError for a range without width, or a yaw of 0.3 rad and more
  TabulatedSearch(WheelOnRail pair, const ContactRange& range, const ContactOptions& options);
  void find(const WheelPosition& at, std::vector<ContactPoint>& points) const override;
  std::size_t n_cells() const { return starts_.size() - 1; }
  /// Mean number of samples in a cell, of samples of the wheel.
  double samples_in_cell() const;

 private:
  struct RailSlopes;
  struct YawedSamples;
  /// Of the cell about this position, with a range of yaw.
  void add_runs(double y, double roll, const YawedSamples& yawed, const RailSlopes& rail);

  OnlineSearch online_;
  ContactRange range_;
  ContactOptions options_;
  int n_y_ = 0, n_roll_ = 0, n_yaw_ = 0;
  double half_y_ = 0.0, half_roll_ = 0.0;  ///< of a cell
  std::vector<std::uint32_t> starts_;      ///< [n_cells + 1], of a cell's runs
  std::vector<SampleRun> runs_;
};

}  // namespace solidyn::railway
