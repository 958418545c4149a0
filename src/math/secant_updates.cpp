#include "math/secant_updates.h"

#include <algorithm>
#include <utility>

namespace solidyn::math {
namespace {

using Eigen::VectorXd;

// Of |s|^2: where s^T (s - d) is less, B is off as a whole, and u would be as large as one likes.
constexpr double kLeastPart = 0.2;

}  // namespace

void SecantUpdates::forget() {
  n_ = 0;
  follows_ = false;
}

void SecantUpdates::improve(const VectorXd& weights, VectorXd& x, VectorXd& y) {
  for (int i = 0; i < n_; ++i) {
    const double part = updates_[i].v.dot(x);
    x += part * updates_[i].u_x;
    y += part * updates_[i].u_y;
  }
  if (follows_) {
    const double along = last_.dot(x), part = last_square_ - along;
    if (part > kLeastPart * last_square_) {
      if (n_ == kMost) std::rotate(updates_.begin(), updates_.begin() + 1, updates_.begin() + n_--);
      if (static_cast<int>(updates_.size()) == n_) updates_.emplace_back();
      Update& update = updates_[n_++];
      update.u_x = x / part;
      update.u_y = y / part;
      std::swap(update.v, last_);
      x *= 1.0 + along / part;  // by this update too
      y *= 1.0 + along / part;
    }
  }
  last_ = weights.cwiseProduct(weights).cwiseProduct(x);
  last_square_ = last_.dot(x);
  follows_ = last_square_ > 0.0;
}

}  // namespace solidyn::math
