#include "recursive/hinge_axes.h"

#include "solidyn/math/rotation.h"

namespace solidyn::recursive {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using system::IncrementAxes;
using Matrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

class AxesBuilder {
 public:
  AxesBuilder(Tree& tree, IncrementAxes axes) : tree_(tree), axes_(axes) {}

  HingeAxes build(const VectorXd& q, const VectorXd& u, const VectorXd& du) {
    for (const Link& k : tree_.links()) {
      const int n_t = k.hinge.n_translations(), n_r = k.hinge.n_speeds() - n_t;
      const int n_modes = k.modes >= 0 ? tree_.modes()[k.modes].n : 0;
      k.hinge.compute(q.data() + k.q, u.data() + k.u, motion_);
      // Translations are along A's axes, free rotations about A's or B's.
      const bool are_of_B = (axes_ == IncrementAxes::body) != k.is_reversed,
                 turn_in_B = k.hinge.turns_in() == joints::Hinge::TurnAxes::B;
      const Vector6d rate = motion_.H * u.segment(k.u, k.n_speeds),
                     second = motion_.H * du.segment(k.u, k.n_speeds) + motion_.bias;
      const Vector3d w = motion_.R.transpose() * rate.tail<3>(),
                     dw = motion_.R.transpose() * second.tail<3>();
      const Matrix3d wx = math::skew(w), zero = Matrix3d::Zero(), R = motion_.R;
      if (n_t > 1 && n_r > 0 && are_of_B)
        add(k.u, n_t, R, R * wx, 2.0 * R * wx, R * (wx * wx + math::skew(dw)));
      else
        add_same(k.u, n_t);
      if (n_r == 3 && are_of_B == turn_in_B)
        add_same_axes(k.u + n_t, k.hinge.turn_sign(), turn_in_B ? w : Vector3d(rate.tail<3>()),
                      turn_in_B ? dw : Vector3d(second.tail<3>()));
      else if (n_r == 3 && turn_in_B)
        add(k.u + n_t, 3, R.transpose(), zero, -wx * R.transpose(), zero);
      else if (n_r == 3)
        add(k.u + n_t, 3, R, zero, R * wx, zero);
      else
        add_same(k.u + n_t, n_r);
      add_same(k.u + k.n_speeds, n_modes);
    }
    return {matrix(S_), matrix(W_), matrix(A1_), matrix(A0_)};
  }

 private:
  void add(int at, int n, const Matrix3d& S, const Matrix3d& W, const Matrix3d& A1,
           const Matrix3d& A0) {
    const auto put = [at, n](const Matrix3d& from, Triplets& to) {
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          if (from(i, j) != 0.0) to.emplace_back(at + i, at + j, from(i, j));
    };
    put(S, S_);
    put(W, W_);
    put(A1, A1_);
    put(A0, A0_);
  }
  // Of rotations in the tree's own axes: speeds n' +- w x n.
  void add_same_axes(int at, double sign, const Vector3d& w, const Vector3d& dw) {
    const Matrix3d wx = sign * math::skew(w), dwx = sign * math::skew(dw);
    add(at, 3, Matrix3d::Identity(), wx, wx, dwx);
  }
  void add_same(int at, int n) {
    for (int i = 0; i < n; ++i) S_.emplace_back(at + i, at + i, 1.0);
  }
  Matrix matrix(const Triplets& list) const {
    Matrix m(tree_.n_speeds(), tree_.n_speeds());
    m.setFromTriplets(list.begin(), list.end());
    return m;
  }

  Tree& tree_;
  IncrementAxes axes_;
  joints::HingeMotion motion_;
  Triplets S_, W_, A1_, A0_;
};

}  // namespace

HingeAxes hinge_axes(Tree& tree, IncrementAxes axes, const VectorXd& q, const VectorXd& u,
                     const VectorXd& du) {
  return AxesBuilder(tree, axes).build(q, u, du);
}

}  // namespace solidyn::recursive
