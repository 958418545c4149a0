#pragma once
#include <vector>

#include "integrators/contact_factors.h"
#include "integrators/contact_points.h"
#include "integrators/directions_of_contacts.h"

namespace solidyn::integrators {

/// Moves bodies so that contacts which press, or penetrate, have no gap: the smallest move in the
/// metric of an iteration matrix. Local.
class GapClosing {
 public:
  /// @param points  must outlive this
  explicit GapClosing(const ContactPoints& points) : points_(points) {}

  /// Points have become others.
  void forget_points() { kept_ = {}; }

  enum class Joints { beside_gaps, always, alone };
  /// Changes the increment n of the positions so that these contacts have no gap, and joints keep,
  /// or get, Phi = 0; `alone` they do, and gaps are left. @param met  points that have no gap in
  /// any case
  /// @pre and after: System::update(s), but for what forces remember before
  /// @return whether it has changed anything
  /// @throws base::ComputationError where gaps cannot all be closed
  bool close(system::System& system, const Eigen::VectorXd& q_before, system::State& s,
             const ContactFactors& factors, double length, Eigen::VectorXd& n,
             Joints joints = Joints::beside_gaps, const std::vector<int>& met = {});

 private:
  struct Touching {
    std::vector<int> points;
    Eigen::VectorXd gaps;
    double largest = 0.0;  // size of a gap
  };
  // How points that touch are moved along their normals, and by which factors.
  struct Directions {
    ContactCompliance compliance;
    DirectionsOfContacts normals;
    int factors = 0;
  };
  Touching find_touching(const system::State& s, std::vector<bool>& has_touched) const;
  Directions find_directions(const std::vector<int>& points, const ContactFactors& factors,
                             int n_unknowns, double rank) const;

  const ContactPoints& points_;
  Directions kept_;  // with the factors: gaps are those of the state
};

}  // namespace solidyn::integrators
