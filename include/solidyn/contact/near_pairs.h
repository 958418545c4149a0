#pragma once
#include <optional>
#include <vector>

#include "solidyn/contact/contact_group.h"

namespace solidyn::contact {

/// Which pairs of a group were near each other in an accepted state, and in which boxes shapes may
/// go on before others can touch: larger than the shapes by a margin and by what they may go in the
/// next step. Local. Proved by GroupForce.* and SetValuedGroup.*.
struct NearPairs {
  using Pair = ContactGroup::Pair;
  static constexpr int kBox = 6;  ///< numbers of a box

  double t = 0.0;             ///< s, of that state
  std::vector<Bounds> boxes;  ///< of the members; none before a state was accepted
  std::vector<Pair> pairs;    ///< in order

  bool is_empty() const { return boxes.empty(); }
  bool holds(Pair pair) const;
  /// Whether all shapes of these bounds are in their boxes still.
  bool bound(const std::vector<Bounds>& bounds) const;
  /// Whether they are so still after a step of h seconds at the speeds that they have.
  bool bound_for(double h, const ContactGroup& group, const bodies::Kinematics& k,
                 const std::vector<Bounds>& bounds) const;
  /// A pair that was not near, and has met or passed through each other since.
  std::optional<Pair> missed(const ContactGroup& group, const bodies::Kinematics& k) const;

  /// These bounds, larger by what shapes go in h seconds.
  static std::vector<Bounds> reached(const ContactGroup& group, const bodies::Kinematics& k,
                                     const std::vector<Bounds>& bounds, double h);

  void append_boxes(std::vector<double>& memory) const;
  /// @param at  kBox numbers of each of n members
  void read_boxes(const double* at, int n);
};

/// Those of a state with these bounds. @param h  s, the step that is ahead
NearPairs near_pairs_ahead(const ContactGroup& group, const bodies::Kinematics& k,
                           const std::vector<Bounds>& bounds, double t, double h);

}  // namespace solidyn::contact
