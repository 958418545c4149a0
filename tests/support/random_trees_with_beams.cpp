#include "random_trees.h"
#include "solidyn/system/connect.h"

namespace solidyn::testing_support {

using bodies::BodyIndex;
using joints::JointType;

void grow_with_beams(RandomTree& tree, unsigned seed) {
  using K = joints::Hinge::Kind;
  const bool is_flexible = seed % 2 == 0;
  BodyIndex last = tree.add_body(bodies::kGround, K::universal, {is_flexible ? 2 : 0});
  if (!is_flexible) last = tree.add_body(last, K::revolute);
  const auto join = [&tree](JointType type, BodyIndex on, BodyIndex node) {
    const bodies::FrameIndex A = tree.add_frame(on), B = tree.add_frame_at(node, A);
    system::add_joint(tree.system(), "joint of a beam", type, {A, B});
  };
  const auto tie = [&tree](BodyIndex first, BodyIndex second) {
    forces::SpringDamper::Options options;
    options.stiffness = 300.0;
    options.damping = 5.0;
    const bodies::FrameIndex A = tree.add_frame(first), B = tree.add_frame(second);
    system::add_spring(tree.system(), "spring", bodies::Distance(), options, {A, B});
  };
  const std::vector<BodyIndex> first = tree.add_beam(), second = tree.add_beam(),
                               third = tree.add_beam();
  join(JointType::fixed, last, first.front());
  join(seed % 4 < 2 ? JointType::revolute : JointType::universal, first.back(), second.front());
  const BodyIndex weight = tree.add_body(bodies::kGround, K::free);
  join(JointType::fixed, weight, second.back());
  if (seed % 3 == 0) join(JointType::spherical, second.back(), bodies::kGround);
  tie(third.front(), last);
  tie(third.back(), bodies::kGround);
  if (is_flexible) tie(third[1], second[2]);
}

}  // namespace solidyn::testing_support
