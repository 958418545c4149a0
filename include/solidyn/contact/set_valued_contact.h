#pragma once
#include <memory>

#include "solidyn/contact/contact_force.h"
#include "solidyn/contact/geometry.h"
#include "solidyn/forces/set_valued.h"

namespace solidyn::contact {

/// Contact between two shapes that is closed or open, with Coulomb's cone and an impact law, at
/// each of the pair's contact points (doc/theory/nonsmooth.md). Its forces are found by an
/// integrator that solves such laws; they are in the state. Behind the points come their moments of
/// rolling and of drilling friction, where the law has them: [points, rolling, drilling]. Local.
/// Proved by tests/unit/contact/set_valued_contact_test.cpp and tests/verification/nonsmooth.
class SetValuedContact final : public PairContact, public forces::SetValued {
 public:
  /// @param label  what the model calls it   @param surface_velocity  m/s, in A's axes: of A's
  /// surface against A's material (a belt). Its part across the normal counts.
  SetValuedContact(std::string name, std::string label, const bodies::FrameLink& link,
                   std::unique_ptr<PairGeometry> geometry, const forces::SetValuedLaw& law,
                   const Eigen::Vector3d& surface_velocity = Eigen::Vector3d::Zero());

  const forces::SetValued* as_set_valued() const override { return this; }

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  /// At constant forces along the normal and across it.
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;
  int n_memory() const override { return n_points() * forces::SetValuedPoint::kSize; }
  void recall(const Eigen::Ref<const Eigen::VectorXd>& memory) override;
  void remember(const bodies::Kinematics&, double,
                Eigen::Ref<Eigen::VectorXd> memory) const override {
    memory = memory_;
  }
  using PairContact::gap;
  ContactState state(const bodies::FramePair& f) const override;

  /// The pair's contact points, and as many for each kind of moments.
  int n_points() const override { return n_places() * (1 + law_.n_moments()); }
  int n_places() const { return n_places_; }
  const forces::SetValuedLaw& law() const override { return law_; }
  const forces::SetValuedLaw& law_of(int point) const override;
  int contact_of(int point) const override { return is_moment(point) ? number(point) : -1; }
  int number(int point) const override { return point < n_places_ ? point : point % n_places_; }
  std::string label() const override { return label_; }
  std::string name_of(int point) const override;
  /// ", rolling" of a moment; else empty.
  const char* suffix_of(int point) const;
  forces::SetValuedPoint kept(int point) const override;
  bool has_forces() const override { return has_forces_; }
  bool exists(const bodies::Kinematics& k, int point) const override;
  bool moves() const override { return !surface_velocity_.isZero(0.0); }
  double gap(const bodies::Kinematics& k, int point) const override;
  Eigen::Matrix3d axes(const bodies::Kinematics& k, int point) const override;
  Eigen::Vector3d normal(const bodies::Kinematics& k, int point) const override;
  Eigen::Vector3d velocity(const bodies::Kinematics& k, int point) const override;
  Eigen::Vector3d acceleration(const bodies::Kinematics& k, int point) const override;
  void directions(const bodies::Kinematics& k, int point,
                  Eigen::Ref<Eigen::MatrixXd> W) const override;

 private:
  // What is known of a point at poses_.
  enum class Known : char { nothing, place, derivatives };
  const ContactPoint& at(const bodies::FramePair& f, int point, Known what = Known::place) const;
  bool has_poses(const bodies::FramePair& f) const;
  // What the velocity of a point is of: the slip, or turning about the tangents, or the normal.
  enum class Part : char { slip, rolling, drilling };
  Part part(int point) const;
  bool is_moment(int point) const { return point >= n_places(); }
  const ContactPoint& at_place(const bodies::FramePair& f, int point,
                               Known what = Known::place) const {
    return at(f, number(point), what);
  }
  // Of the poses that at() was asked for last.
  const Eigen::Matrix3d& axes_here(int point) const;
  Eigen::Vector3d rolling_moment(int place, const Eigen::Vector3d& normal) const;
  Eigen::Vector3d drilling_moment(int place, const Eigen::Vector3d& normal) const;
  Eigen::Vector3d acceleration_of_spin(const bodies::FramePair& f, const ContactPoint& g,
                                       const Eigen::Matrix3d& axes, Part part) const;
  void add_derivatives_of_moments(const bodies::FramePair& f, int place,
                                  bodies::Matrix12& by_position) const;
  Eigen::Vector3d slip(const bodies::FramePair& f, const ContactPoint& g) const;
  Eigen::Vector3d surface_velocity(const bodies::FramePair& f, const ContactPoint& g) const;

  std::string label_;
  std::unique_ptr<PairGeometry> geometry_;
  forces::SetValuedLaw law_, rolling_, drilling_;  // the latter two of moments
  Eigen::Vector3d surface_velocity_;               // of A's surface, A's axes
  int n_places_;
  Eigen::VectorXd memory_;
  bool has_forces_ = false;
  // Points, normals of length one, of the poses [R_A, p_A, R_B, p_B] that were asked for last: an
  // integrator asks for each of them many times.
  mutable Eigen::Matrix<double, 3, 8> poses_;
  mutable std::vector<ContactPoint> points_;
  mutable std::vector<Known> known_;
  // Of the points of which they have been asked for there; else a first entry of NaN.
  mutable std::vector<Eigen::Matrix3d> axes_;
};

}  // namespace solidyn::contact
