#include "recursive/link_fields.h"

namespace solidyn::recursive {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// A rigid body on a fixed axis of another one, or of the ground.
bool has_one_speed(const Link& k) { return k.modes < 0 && k.carried < 0 && k.n_speeds == 1; }

}  // namespace

LinkFields::LinkFields(Tree& tree) : tree_(tree), columns_(tree) {
  const std::vector<Link>& links = tree.links();
  const std::size_t n = links.size();
  next_.assign(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    const Link& k = links[i];
    begin_.push_back(size());
    const int n_parent = k.carried >= 0 ? tree.modes()[links[k.parent].modes].n : 0,
              n_own = k.modes >= 0 ? tree.modes()[k.modes].n : 0;
    n_own_.push_back(n_own);
    is_one_to_one_ &= n_parent == 0 && n_own == 0;
    for (int j = 0; j < n_parent; ++j)
      speed_.push_back(links[k.parent].u + links[k.parent].n_speeds + j);
    for (int j = 0; j < k.n_speeds; ++j) speed_.push_back(k.u + j);
    for (int j = 0; j < n_own; ++j) speed_.push_back(k.u + k.n_speeds + j);
  }
  begin_.push_back(size());
  // Bodies are in the order of a walk that goes inwards only when a branch is done.
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t last = i + 1;
    while (last < n && links[last].parent >= static_cast<int>(i)) ++last;
    next_[i] = last;
  }
  by_q_.setZero(18, size());
  by_u_.setZero(12, size());
  geometric_.resize(n);
}

void LinkFields::evaluate(const VectorXd& q, const VectorXd& u, const VectorXd& du) {
  const std::vector<Link>& links = tree_.links();
  point_.setZero();
  for (const Link& k : links) point_ += k.p;
  if (!links.empty()) point_ /= static_cast<double>(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (begin_[i] == begin_[i + 1]) continue;
    if (has_one_speed(links[i])) {
      set_one_speed(links[i], begin_[i]);
      continue;
    }
    columns_.evaluate(links[i], q, u, du, point_);
    by_q_.middleCols(begin_[i], columns_.size()) = columns_.by_q();
    by_u_.middleCols(begin_[i], columns_.size()) = columns_.by_u();
    geometric_[i] = columns_.geometric();
  }
}

// The axis stands still in the parent: dC = V x C.
void LinkFields::set_one_speed(const Link& k, int column) {
  const Vector6d C = velocity_at_point(tree_.H(k).col(0), arm(k));
  auto by_q = by_q_.col(column);
  auto by_u = by_u_.col(column);
  by_q.head<6>() = C;
  by_u.head<6>() = C;
  if (k.parent < 0) return;
  const Link& parent = tree_.links()[k.parent];
  const Vector6d V = velocity(parent), dC = cross_motion(V, C);
  by_q.segment<6>(kRate) = dC;
  by_q.segment<6>(kSecondRate) = cross_motion(acceleration(parent), C) + cross_motion(V, dC);
  by_u.tail<6>() = 2.0 * dC;
}

}  // namespace solidyn::recursive
