#include "recursive/mass_columns.h"

#include "recursive/link_fields.h"
#include "solidyn/base/error.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;

namespace {
// What compilers take of a loop at a time: columns are filled up to it, for what is left over is
// done one by one.
constexpr Eigen::Index kWholeLoop = 16, kPart = 4;
}  // namespace

MassColumns::MassColumns(Tree& tree) : tree_(tree), bodies_(tree) {
  const std::vector<Link>& links = tree.links();
  children_.resize(links.size());
  stream_.resize(links.size());
  int n_streams = 0;
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].parent >= 0) children_[links[i].parent].push_back(static_cast<int>(i));
  for (std::size_t i = links.size(); i-- > 0;)
    stream_[i] = children_[i].empty() ? n_streams++ : stream_[children_[i].front()];
  of_stream_.resize(n_streams);
}

// Of M^-1 a link has the columns of its own speeds and of those after them: what it carries is
// among these, and nothing else moves its forces.
Eigen::Index MassColumns::first_column(const Link& k) const {
  return has_inverse_ ? k.u / kPart * kPart : 0;
}

// e = b - H^T z,  z += G e
void MassColumns::sweep_inwards(const Vector3d& point, Rows& x) {
  const auto n = x.cols();
  for (std::size_t i = tree_.links().size(); i-- > 0;) {
    const Link& k = tree_.links()[i];
    Columns& z = of_stream_[stream_[i]];
    if (children_[i].empty()) z.setZero();
    for (std::size_t c = 1; c < children_[i].size(); ++c) z += of_stream_[stream_[children_[i][c]]];
    const auto H = tree_.H(k);
    const auto G = bodies_.G(k);
    const Vector3d s = k.p - point;
    const Eigen::Index first = first_column(k);
    for (int j = 0; j < k.n_free; ++j) {
      const Vector6d h = velocity_at_point(H.col(j), s);
      double* e = x.row(k.u + k.order[j]).data();
      const double* const z_0 = z.data();
      for (Eigen::Index c = first; c < n; ++c)
        e[c] -= h[0] * z_0[c] + h[1] * z_0[n + c] + h[2] * z_0[2 * n + c] + h[3] * z_0[3 * n + c] +
                h[4] * z_0[4 * n + c] + h[5] * z_0[5 * n + c];
    }
    for (int j = 0; j < k.n_free; ++j) {
      const Vector6d g = force_at_point(G.col(j), s);
      const double* const e = x.row(k.u + k.order[j]).data();
      for (int r = 0; r < 6; ++r) {
        double* const to = z.col(r).data();
        const double by = g[r];
        for (Eigen::Index c = first; c < n; ++c) to[c] += by * e[c];
      }
    }
  }
}

// x = D^-1 e - G^T a,  a += H x
void MassColumns::sweep_outwards(const Vector3d& point, Rows& x) {
  const auto n = x.cols();
  for (std::size_t i = 0; i < tree_.links().size(); ++i) {
    const Link& k = tree_.links()[i];
    Columns& a = of_stream_[stream_[i]];
    if (k.parent < 0) a.setZero();
    const auto H = tree_.H(k);
    const auto G = bodies_.G(k);
    const auto D_inverse = bodies_.D_inverse(k);
    const Vector3d s = k.p - point;
    const Eigen::Index first = first_column(k);
    if (k.n_free == 1) {
      x.row(k.u + k.order[0]) *= D_inverse(0, 0);
    } else if (k.n_free > 1) {
      Rows own(k.n_free, n);
      for (int j = 0; j < k.n_free; ++j) own.row(j) = x.row(k.u + k.order[j]);
      own = (D_inverse * own).eval();
      for (int j = 0; j < k.n_free; ++j) x.row(k.u + k.order[j]) = own.row(j);
    }
    for (int j = 0; j < k.n_free; ++j) {
      const Vector6d g = force_at_point(G.col(j), s);
      double* const out = x.row(k.u + k.order[j]).data();
      const double* const a_0 = a.data();
      for (Eigen::Index c = first; c < n; ++c)
        out[c] -= g[0] * a_0[c] + g[1] * a_0[n + c] + g[2] * a_0[2 * n + c] +
                  g[3] * a_0[3 * n + c] + g[4] * a_0[4 * n + c] + g[5] * a_0[5 * n + c];
    }
    for (int j = 0; j < k.n_free; ++j) {
      const Vector6d h = velocity_at_point(H.col(j), s);
      const double* const rate = x.row(k.u + k.order[j]).data();
      for (int r = 0; r < 6; ++r) {
        double* const to = a.col(r).data();
        const double by = h[r];
        for (Eigen::Index c = first; c < n; ++c) to[c] += by * rate[c];
      }
    }
    for (int j = k.n_free; j < k.n_speeds; ++j) x.row(k.u + k.order[j]).setZero();
    for (std::size_t c = 1; c < children_[i].size(); ++c) of_stream_[stream_[children_[i][c]]] = a;
  }
}

void MassColumns::divide(const Vector3d& point, MatrixXd& B, MatrixXd* inverse) {
  SOLIDYN_ASSERT(tree_.modes().empty() && tree_.node_groups().empty());
  bodies_.factorise();
  has_inverse_ = inverse != nullptr;
  const Eigen::Index n_inverse = has_inverse_ ? B.rows() : 0, n_columns = n_inverse + B.cols(),
                     n = (n_columns + kWholeLoop - 1) / kWholeLoop * kWholeLoop;
  for (Columns& columns : of_stream_) columns.setZero(n, 6);
  Rows x = Rows::Zero(B.rows(), n);
  x.leftCols(n_inverse).diagonal().setOnes();
  x.middleCols(n_inverse, B.cols()) = B;
  sweep_inwards(point, x);
  sweep_outwards(point, x);
  B = x.middleCols(n_inverse, B.cols());
  if (inverse) {
    *inverse = x.leftCols(n_inverse).triangularView<Eigen::Upper>();
    inverse->triangularView<Eigen::StrictlyLower>() = inverse->transpose();
  }
}

}  // namespace solidyn::recursive
