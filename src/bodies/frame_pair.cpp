#include "solidyn/bodies/frame_pair.h"

namespace solidyn::bodies {

FrameLink::FrameLink(const End& A, const End& B, AngleIndex angle)
    : frame_A_(A.frame),
      frame_B_(B.frame),
      body_A_(A.body),
      body_B_(B.body),
      angle_(angle),
      n_A_(A.body == kGround ? 0 : A.n_velocities),
      n_B_(B.body == kGround ? 0 : B.n_velocities),
      offset_B_(A.body == B.body ? 0 : n_A_),
      n_columns_(offset_B_ + n_B_) {}

std::vector<BodyIndex> FrameLink::bodies() const {
  std::vector<BodyIndex> list;
  if (body_A_ != kGround) list.push_back(body_A_);
  if (body_B_ != kGround && body_B_ != body_A_) list.push_back(body_B_);
  return list;
}

std::vector<int> FrameLink::few_columns(
    const base::IndexedVector<FrameIndex, Frame>& frame_definitions) const {
  if (is_within_one_body()) return {};
  std::vector<int> columns;
  bool are_few = false;
  for (const Side& side : sides()) {
    if (side.n == 0) continue;
    std::vector<int> moving = moving_velocities(frame_definitions[side.frame], side.n);
    are_few = are_few || !moving.empty();
    if (moving.empty())
      for (int i = 0; i < side.n; ++i) moving.push_back(i);
    for (const int i : moving) columns.push_back(side.offset + i);
  }
  return are_few ? columns : std::vector<int>();
}

std::vector<FrameLink::NarrowSide> FrameLink::narrow_sides(const Kinematics& k) const {
  std::vector<NarrowSide> narrow;
  Eigen::Index offset = 0;
  for (const Side& side : sides()) {
    if (side.n == 0) continue;
    const auto& J = k.frames[side.frame].J;
    const std::vector<int> moving = moving_velocities(k.frame_definitions[side.frame], J.cols());
    narrow.push_back({side, J, offset});
    if (!moving.empty()) {
      narrow.back().J.resize(6, static_cast<Eigen::Index>(moving.size()));
      for (std::size_t i = 0; i < moving.size(); ++i)
        narrow.back().J.col(static_cast<Eigen::Index>(i)) = J.col(moving[i]);
    }
    offset += narrow.back().J.cols();
  }
  return narrow;
}

void FrameLink::set_rows(const Kinematics& k, const Eigen::Matrix<double, 3, 12>& J_pair,
                         Eigen::Ref<Eigen::MatrixXd> W) const {
  if (W.rows() == n_columns_) {
    for (int i = 0; i < 3; ++i) set_row(k, J_pair.row(i), W.col(i).transpose());
    return;
  }
  for (const NarrowSide& of : narrow_sides(k)) {
    const int at = of.side.body == body_A_ ? 0 : 6;
    W.middleRows(of.offset, of.J.cols()).noalias() =
        of.J.transpose() * J_pair.middleCols<6>(at).transpose();
  }
}

void FrameLink::add_force(const Kinematics& k, const Vector12& wrench,
                          Eigen::Ref<Eigen::VectorXd> r) const {
  if (r.size() != n_columns_) {
    for (const NarrowSide& of : narrow_sides(k)) {
      const int at = of.side.body == body_A_ ? 0 : 6;
      r.segment(of.offset, of.J.cols()).noalias() +=
          of.J.transpose().lazyProduct(wrench.segment<6>(at));
    }
    return;
  }
  if (n_A_ > 0)
    r.head(n_A_).noalias() += k.frames[frame_A_].J.transpose().lazyProduct(wrench.head<6>());
  if (n_B_ > 0)
    r.tail(n_B_).noalias() += k.frames[frame_B_].J.transpose().lazyProduct(wrench.tail<6>());
}

void FrameLink::add_matrix(const Kinematics& k, const Matrix12& S,
                           Eigen::Ref<Eigen::MatrixXd> K) const {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  if (K.rows() != n_columns_) {
    const std::vector<NarrowSide> narrow = narrow_sides(k);
    for (const NarrowSide& i : narrow)
      for (const NarrowSide& j : narrow) {
        const Matrix6 S_ij =
            S.block<6, 6>(i.side.body == body_A_ ? 0 : 6, j.side.body == body_A_ ? 0 : 6);
        if (!S_ij.isZero(0.0))
          K.block(i.offset, j.offset, i.J.cols(), j.J.cols()) += i.J.transpose() * S_ij * j.J;
      }
    return;
  }
  const auto of = sides();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const Matrix6 S_ij = S.block<6, 6>(6 * i, 6 * j);
      if (of[i].n == 0 || of[j].n == 0 || S_ij.isZero(0.0)) continue;
      const FrameMotion& f_i = k.frames[of[i].frame];
      const FrameMotion& f_j = k.frames[of[j].frame];
      if (of[i].n == 6 && of[j].n == 6)
        K.block<6, 6>(of[i].offset, of[j].offset) +=
            rigid_J(f_i).transpose() * (S_ij * rigid_J(f_j)).eval();
      else
        K.block(of[i].offset, of[j].offset, of[i].n, of[j].n) += f_i.J.transpose() * S_ij * f_j.J;
    }
}

void FrameLink::add_geometric_stiffness(const Kinematics& k, const Vector12& wrench,
                                        Eigen::Ref<Eigen::MatrixXd> K) const {
  if (K.rows() != n_columns_) {
    for (const NarrowSide& of : narrow_sides(k))
      add_frame_geometric_stiffness(k.frame_definitions[of.side.frame], k.bodies[of.side.body],
                                    wrench.segment<6>(of.side.body == body_A_ ? 0 : 6),
                                    K.block(of.offset, of.offset, of.J.cols(), of.J.cols()));
    return;
  }
  const auto of = sides();
  for (int i = 0; i < 2; ++i)
    if (of[i].n > 0)
      add_frame_geometric_stiffness(k.frame_definitions[of[i].frame], k.bodies[of[i].body],
                                    wrench.segment<6>(6 * i),
                                    K.block(of[i].offset, of[i].offset, of[i].n, of[i].n));
}

void FrameLink::add_rate_stiffness(const Kinematics& k, const Matrix12& D,
                                   Eigen::Ref<Eigen::MatrixXd> K) const {
  const auto of = sides();
  for (int j = 0; j < 2; ++j) {
    if (of[j].n == 0) continue;
    const auto rates = frame_rate_stiffness(k.frame_definitions[of[j].frame], k.bodies[of[j].body]);
    for (int i = 0; i < 2; ++i) {
      if (of[i].n == 0) continue;
      K.block(of[i].offset, of[j].offset, of[i].n, of[j].n) +=
          k.frames[of[i].frame].J.transpose() * D.block<6, 6>(6 * i, 6 * j) * rates;
    }
  }
}

}  // namespace solidyn::bodies
