#include "sbody_file.h"

namespace solidyn::reduction {
namespace {

using Eigen::Vector3d;

/// What enters the hash: of every selection its place in the variant, then all of these in this
/// order, whether it has them or not. Files hold such digests, which must not change.
struct Hashed {
  std::string set;
  Vector3d point = Vector3d::Zero(), low = Vector3d::Zero(), high = Vector3d::Zero();
  Vector3d axis = Vector3d::UnitZ();
  double radius = 0.0, length = 0.0;
  std::vector<std::int64_t> tags;
  std::vector<double> weights;
};

void fill(const mesh::NodesNear& near, Hashed& hashed) {
  hashed.point = near.point;
  hashed.radius = near.radius;
}

void fill(const mesh::NodesInSet& in, Hashed& hashed) { hashed.set = in.set; }

void fill(const mesh::NodesInBox& box, Hashed& hashed) {
  hashed.low = box.low;
  hashed.high = box.high;
}

void fill(const mesh::NodesInCylinder& cylinder, Hashed& hashed) {
  hashed.point = cylinder.start;
  hashed.axis = cylinder.axis;
  hashed.radius = cylinder.radius;
  hashed.length = cylinder.length;
}

void fill(const mesh::NumberedNodes& numbered, Hashed& hashed) {
  hashed.point = numbered.origin;
  hashed.tags = numbered.tags;
  hashed.weights = numbered.weights;
}

}  // namespace

void add_selection(const mesh::NodeSelection& selection, base::ContentHash& hash) {
  Hashed hashed;
  std::visit([&](const auto& rule) { fill(rule, hashed); }, selection);
  hash.add(static_cast<std::int64_t>(selection.index()));
  hash.add(hashed.set);
  for (const Vector3d& v : {hashed.point, hashed.low, hashed.high, hashed.axis})
    hash.add(v.data(), 3);
  hash.add(hashed.radius);
  hash.add(hashed.length);
  for (const std::int64_t tag : hashed.tags) hash.add(tag);
  for (const double weight : hashed.weights) hash.add(weight);
}

}  // namespace solidyn::reduction
