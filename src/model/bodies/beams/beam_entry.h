#pragma once
#include "model/bodies/beams/beam_section.h"
#include "model/bodies/beams/given_strains.h"
#include "model/bodies/body_entry.h"

namespace solidyn::model {

/// What a file says of a beam, wherever its lines come from.
struct BeamDescription {
  /// Empty: that of the mesh file.
  std::optional<SectionDescription> section;
  std::string material;  ///< key of ModelDescription::materials; "": that of the mesh file
  int n_elements = 1;    ///< of all its length, at least one between two points; of a mesh's line
  Eigen::Vector3d y_axis = Eigen::Vector3d::Zero();  ///< of the sections, body axes; zero: default
  bool has_shear = true;
  bool has_rotary_inertia = true;
  beams::Torsion torsion = beams::Torsion::linear;
  beams::TurnRule rule = beams::TurnRule::magnus;
  double damping = 0.0;  ///< s
  GivenStrains given;

  static const Fields<BeamDescription>& fields();
};

/// Elements of a slender part, for large deflections.
class BeamEntry : public BodyEntry, public BeamDescription {
 public:
  const BodyTraits& traits() const override;
  Refusal refuses_supports() const override;
  Refusal refuses_own_modes() const override;
  const BeamEntry* beam() const override { return this; }

  /// Whether it is made of the lines of a mesh file, which have no order; else its places are its
  /// points, from one end to the other.
  virtual bool is_of_mesh() const = 0;

 protected:
  /// What both kinds ask.
  void check_beam(const TableView& view) const;
  void visit_strains(const GivenStrains& given, const std::string& path,
                     const base::SourceLocation& where, const BodyLawVisitor& visit) const;
};

/// Complains of a `material` that nothing would be taken from.
void refuse_material(const TableView& table, const char* why);

}  // namespace solidyn::model
