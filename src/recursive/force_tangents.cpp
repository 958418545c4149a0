#include "recursive/force_tangents.h"

#include "recursive/absolute_part.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/forces/internal_state.h"
#include "solidyn/forces/visit_parts.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// What a force has of each velocity of the system among those of links.
std::vector<int> places_on_links(Tree& tree, const std::vector<BodyIndex>& bodies) {
  std::vector<int> places;
  int at = 0;
  for (const BodyIndex body : bodies) {
    const Link& k = tree.link_of(body);
    const int n = tree.n_velocities(k), n_system = tree.system().body(body).n_velocities();
    for (int i = n - n_system; i < n; ++i) places.push_back(at + i);
    at += n;
  }
  return places;
}

int n_on_links(Tree& tree, const std::vector<BodyIndex>& bodies) {
  int n = 0;
  for (const BodyIndex body : bodies) n += tree.n_velocities(tree.link_of(body));
  return n;
}

ForceTangent on_links(Tree& tree, ForceTangent t) {
  const int n = n_on_links(tree, t.bodies);
  if (n == t.r.size()) return t;
  const std::vector<int> places = places_on_links(tree, t.bodies);
  ForceTangent all{t.bodies, MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), VectorXd::Zero(n),
                   t.has_own_coordinate};
  all.by_v(places, places) = t.by_v;
  all.by_q(places, places) = t.by_q;
  all.r(places) = t.r;
  return all;
}

}  // namespace

std::vector<int> places_of(Tree& tree, const ForceTangent& tangent) {
  std::vector<int> at = {0};
  for (const BodyIndex body : tangent.bodies)
    at.push_back(at.back() + tree.n_velocities(tree.link_of(body)));
  return at;
}

VectorXd on_links(Tree& tree, const std::vector<BodyIndex>& bodies, const VectorXd& force) {
  VectorXd all = VectorXd::Zero(n_on_links(tree, bodies));
  all(places_on_links(tree, bodies)) = force;
  return all;
}

void visit_forces(StepEquations& equations, const system::State& state,
                  const std::function<void(const ForceTangent&)>& visit) {
  if (!equations.has_forces()) return;
  const system::System& system = equations.system();
  const auto look = [&](const forces::Force& force) {
    int n = 0;
    for (const BodyIndex body : force.bodies()) n += system.body(body).n_velocities();
    ForceTangent tangent{force.bodies(), MatrixXd::Zero(n, n), MatrixXd::Zero(n, n),
                         VectorXd::Zero(n), force.as_internal_state() != nullptr};
    force.add_tangent(system.kinematics(), state.t, {0.0, 1.0, 1.0}, tangent.by_v, tangent.by_q);
    force.add_residual(system.kinematics(), state.t, tangent.r);
    visit(on_links(equations.tree(), std::move(tangent)));
  };
  for (const forces::ForceIndex f : system.forces()) forces::visit_parts(system.force(f), look);
}

void visit_elements(const StepEquations& equations,
                    const std::function<void(const ForceTangent&)>& visit) {
  const Eigen::Vector3d& gravity = equations.system().gravity();
  const AbsolutePart& part = equations.absolute_part();
  for (int group = 0; group < part.n_groups(); ++group)
    for (const NodeElements& of : part.elements(group))
      for (int e = 0; e < of.body->n_elements(); ++e) {
        const std::vector<int> nodes = of.body->element_nodes(e);
        std::vector<BodyIndex> bodies;
        bodies.reserve(nodes.size());
        for (const int node : nodes) bodies.push_back(of.body->nodes()[node]);
        const auto n = 6 * static_cast<Eigen::Index>(bodies.size());
        ForceTangent tangent{bodies, MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), VectorXd::Zero(n)};
        tangent.by_a.setZero(n, n);
        MatrixXd unused = tangent.by_a;
        of.body->add_element_tangent(e, gravity, {1.0, 0.0, 0.0}, tangent.by_a, unused);
        of.body->add_element_tangent(e, gravity, {0.0, 1.0, 1.0}, tangent.by_v, tangent.by_q);
        visit(tangent);
      }
}

void visit_closures(const StepEquations& equations, const system::State& state,
                    const std::function<void(int closure, const ForceTangent&)>& visit) {
  const system::System& system = equations.system();
  const Closures& closures = equations.closures();
  for (int i = 0; i < static_cast<int>(closures.constraints().size()); ++i) {
    const ConstraintIndex c = closures.constraints()[i];
    const joints::Constraint& constraint = system.constraint(c);
    const MatrixXd& G = closures.values(i).G;
    const VectorXd lambda =
        state.lambda.segment(system.layout().constraint_offset(c), constraint.n_rows());
    ForceTangent tangent{constraint.bodies(), MatrixXd::Zero(G.cols(), G.cols()),
                         MatrixXd::Zero(G.cols(), G.cols()), G.transpose() * lambda};
    constraint.add_stiffness(system.kinematics(), state.t, lambda, 1.0, tangent.by_q);
    visit(i, tangent);
  }
}

}  // namespace solidyn::recursive
