#pragma once
#include "solidyn/contact/geometry.h"

namespace solidyn::contact {

/// A geometry that a group owns, which must outlive this.
class BorrowedGeometry final : public PairGeometry {
 public:
  explicit BorrowedGeometry(const PairGeometry& geometry) : geometry_(geometry) {}
  int n_points() const override { return geometry_.n_points(); }
  ContactPoint at(const bodies::FramePair& f, int point) const override {
    return geometry_.at(f, point);
  }

 private:
  const PairGeometry& geometry_;
};

}  // namespace solidyn::contact
