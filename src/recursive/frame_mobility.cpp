#include "solidyn/recursive/frame_mobility.h"

#include "recursive/absolute_part.h"
#include "recursive/closure_sweep.h"

namespace solidyn::recursive {
namespace {

using bodies::FrameIndex;
using Eigen::MatrixXd;

// Those that are satisfied, then those of frames, which are looked at.
std::vector<ClosureOrder::Closure> closures_and_frames(Tree& tree, const Closures& closures,
                                                       const std::vector<FrameIndex>& frames) {
  const system::System& system = tree.system();
  std::vector<ClosureOrder::Closure> all;
  all.reserve(closures.constraints().size() + frames.size());
  for (std::size_t c = 0; c < closures.constraints().size(); ++c) {
    ClosureOrder::Closure closure;
    for (const BodyIndex body : system.constraint(closures.constraints()[c]).bodies())
      closure.links.push_back(tree.entry_of_rows(tree.index_of(body)));
    closure.sees_ground = closures.order().ends_at(static_cast<int>(c), -1);
    all.push_back(std::move(closure));
  }
  for (const FrameIndex frame : frames) {
    ClosureOrder::Closure looked_at;
    const BodyIndex body = system.kinematics().frame_definitions[frame].body;
    if (body != bodies::kGround) looked_at.links = {tree.entry_of_rows(tree.index_of(body))};
    looked_at.is_looked_at = true;
    all.push_back(std::move(looked_at));
  }
  return all;
}

void add_rows(Tree& tree, const Closures& closures, int constraint, ClosureSweep& sweep) {
  const system::System& system = tree.system();
  int column = 0;
  for (const BodyIndex body : system.constraint(closures.constraints()[constraint]).bodies()) {
    const int n = system.body(body).n_velocities();
    sweep.add_rows(constraint, tree.link_of(body),
                   closures.values(constraint).G.middleCols(column, n));
    column += n;
  }
}

}  // namespace

MatrixXd frame_mobility(Tree& tree, double t, const std::vector<FrameIndex>& frames,
                        system::TwistAxes axes) {
  AbsolutePart absolute(tree);
  ArticulatedBodies articulated(tree);
  if (!absolute.empty()) articulated.set_absolute_part(&absolute);
  Closures closures(tree, articulated);
  const auto n = static_cast<int>(closures.constraints().size());
  std::vector<int> n_rows;
  n_rows.reserve(static_cast<std::size_t>(n) + frames.size());
  for (int c = 0; c < n; ++c) n_rows.push_back(static_cast<int>(closures.values(c).G.rows()));
  n_rows.resize(n_rows.size() + frames.size(), 6);
  ClosureSweep sweep(tree, closures_and_frames(tree, closures, frames), n_rows);
  articulated.set_closures(&sweep);
  sweep.begin();
  closures.evaluate(t);
  for (int c = 0; c < n; ++c) add_rows(tree, closures, c, sweep);
  const bodies::Kinematics& kinematics = tree.system().kinematics();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const BodyIndex body = kinematics.frame_definitions[frames[i]].body;
    if (body != bodies::kGround)
      sweep.add_rows(n + static_cast<int>(i), tree.link_of(body),
                     system::twist_rows(kinematics.frames[frames[i]], axes));
  }
  articulated.factorise();
  return sweep.mobility_from(n);
}

}  // namespace solidyn::recursive
