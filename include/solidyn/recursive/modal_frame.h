#pragma once
#include "solidyn/bodies/node_triad.h"

namespace solidyn::recursive {

/// A frame on a body with modes that a hinge is on: an ordinary one, or that of three nodes, by
/// which a virtual body is attached. Borrowed.
class ModalFrame {
 public:
  ModalFrame() = default;  ///< none
  explicit ModalFrame(const bodies::Frame& frame) : frame_(&frame) {}
  explicit ModalFrame(const bodies::NodeTriad& triad) : triad_(&triad) {}
  explicit operator bool() const { return frame_ || triad_; }

  /// As bodies::compute_frame_in_body()
  bodies::DeformationRates compute_in_body(const bodies::BodyState& body,
                                           bodies::FrameMotion& motion) const {
    return triad_ ? triad_->compute_in_body(body, motion)
                  : compute_frame_in_body(*frame_, body, motion);
  }
  /// As bodies::compute_fields_in_body()
  void compute_fields(const bodies::BodyState& body, const Eigen::Ref<const Eigen::VectorXd>& ddq,
                      bodies::FrameFields& fields) const {
    if (triad_)
      triad_->compute_fields(body, ddq, fields);
    else
      compute_fields_in_body(*frame_, body, ddq, fields);
  }
  /// As bodies::add_field_stiffness()
  void add_stiffness(const bodies::BodyState& body, const Eigen::Matrix<double, 6, 1>& wrench,
                     Eigen::Ref<Eigen::MatrixXd> K) const {
    if (triad_)
      triad_->add_field_stiffness(body, wrench, K);
    else
      bodies::add_field_stiffness(*frame_, body, wrench, K);
  }

 private:
  const bodies::Frame* frame_ = nullptr;
  const bodies::NodeTriad* triad_ = nullptr;
};

}  // namespace solidyn::recursive
