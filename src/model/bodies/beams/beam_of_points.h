#pragma once
#include "model/bodies/beams/beam_entry.h"
#include "model/bodies/named_points.h"

namespace solidyn::model {

/// A beam along a line through points.
class BeamOfPoints final : public BodyEntryOf<BeamOfPoints, BeamEntry> {
 public:
  std::vector<NamedPoint> points;          ///< two or more, file order
  std::optional<Eigen::Vector3d> through;  ///< of an arc from the first point to the second

  static const Fields<BeamOfPoints>& fields();
  void check(const TableView& view, const Scope& scope) const;

  std::string in_words() const override;
  void build(const BodyBuilder& builder) const override;
  std::vector<PlaceDescription> places() const override;
  void visit_laws(const BodyLawVisitor& visit) const override;
  bool is_of_mesh() const override { return false; }
};

}  // namespace solidyn::model
