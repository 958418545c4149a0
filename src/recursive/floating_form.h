#pragma once
#include <memory>
#include <vector>

#include "solidyn/bodies/superelement.h"

namespace solidyn::recursive {

/// A superelement as a body on a hinge. It is a modal body with coordinates [q_1; ...; q_N; eta] of
/// which six are too many: rows * [q_1; ...; q_N] = 0 says where its floating frame is. Here they
/// are those of the motions z_k of all interfaces but one, o, seen from that one,
///   [q_1; ...; q_N] = (1 - R rows) z,   z_o = 0,   R_k = [1, -skew(x_k); 0, 1] a rigid motion's,
///   z_k = q_k - R_k R_o^-1 q_o,
/// and its coordinates [z_k, k other than o; eta] are free. Rotations in z count by the body's
/// length, so that all are lengths. Nothing is approximated: the frame, the places of interfaces
/// with exp(theta_k) of their rotations, and the energy are the superelement's.
/// Proved by RecursiveSuperelement.*
class FloatingForm {
 public:
  /// @param origin  interface o
  FloatingForm(const bodies::Superelement& superelement, int origin);

  bodies::ModalBody& body() { return *body_; }
  /// Of interface k on body(), with the body's axes.
  const bodies::Frame& frame(int k) const { return frames_[k]; }
  /// Of [q_1; ...; q_N; eta] that satisfy the rows, or of their rates of any order.
  Eigen::VectorXd coordinates(const Eigen::Ref<const Eigen::VectorXd>& q) const;

 private:
  Eigen::MatrixXd back_;  // coordinates = back [q_1; ...; q_N; eta]
  std::unique_ptr<bodies::ModalBody> body_;
  std::vector<bodies::Frame> frames_;
};

}  // namespace solidyn::recursive
