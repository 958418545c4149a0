#include "recursive/body_motions.h"

namespace solidyn::recursive {

using Eigen::Vector3d;

namespace {

// Of one matrix, entries that are not zero.
struct Entries {
  std::vector<Eigen::Triplet<double>> list;
  void add(int row, int column, const Vector3d& linear, const Vector3d& angular) {
    for (int i = 0; i < 3; ++i) {
      if (linear[i] != 0.0) list.emplace_back(row + i, column, linear[i]);
      if (angular[i] != 0.0) list.emplace_back(row + 3 + i, column, angular[i]);
    }
  }
  Eigen::SparseMatrix<double> matrix(int rows, int columns) const {
    Eigen::SparseMatrix<double> m(rows, columns);
    m.setFromTriplets(list.begin(), list.end());
    return m;
  }
};

}  // namespace

// Velocities of the system are those of origins in W, and angular ones in B: R^T (dw - d x w) is
// the rate of the rotation, and of accelerations the same.
BodyMotions motions_of_bodies(const Tree& tree, const LinkFields& fields) {
  Entries increments, velocities, accelerations, by_u;
  const system::Layout& layout = tree.system().layout();
  for (std::size_t i = 0; i < tree.links().size(); ++i) {
    const Link& k = tree.links()[i];
    const int n_followed = k.modes >= 0 ? tree.modes()[k.modes].n_followed : 0;
    const int first_mode = tree.modes_in_system(k) - n_followed;
    for (int m = n_followed; m < fields.n_own_modes(i); ++m)
      increments.list.emplace_back(first_mode + m, k.u + k.n_speeds + m, 1.0);
    if (!tree.has_frame(k)) continue;
    const int at = layout.velocity_offset(k.body);
    const Vector3d back = -fields.arm(k), a = k.a.head<3>();
    const auto RT = k.R.transpose();
    for (int on = static_cast<int>(i); on >= 0; on = tree.links()[on].parent)
      for (int e = fields.begin(on); e < fields.end(on); ++e) {
        const auto x = fields.by_q().col(e);
        const auto x_u = fields.by_u().col(e);
        const auto here = [&back](const auto& field) { return velocity_at_point(field, back); };
        const Vector6d d = here(x.segment<6>(kField)), rate = here(x.segment<6>(kRate)),
                       second = here(x.segment<6>(kSecondRate)), rate_u = here(x_u.head<6>()),
                       second_u = here(x_u.tail<6>());
        const Vector3d turn = d.tail<3>(), turning = rate.tail<3>(), turning_u = rate_u.tail<3>();
        const int j = fields.speed(e);
        increments.add(at, j, d.head<3>(), RT * turn);
        velocities.add(at, j, rate.head<3>() + turn.cross(k.v), RT * turning);
        accelerations.add(at, j, second.head<3>() + 2.0 * turning.cross(k.v) + turn.cross(a),
                          RT * (second.tail<3>() + turning.cross(k.w)));
        by_u.add(at, j, second_u.head<3>() + 2.0 * turning_u.cross(k.v),
                 RT * (second_u.tail<3>() + turning_u.cross(k.w)));
      }
  }
  const int n_v = layout.n_velocities(), n = tree.n_speeds();
  return {increments.matrix(n_v, n), velocities.matrix(n_v, n), accelerations.matrix(n_v, n),
          by_u.matrix(n_v, n)};
}

}  // namespace solidyn::recursive
