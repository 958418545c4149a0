#pragma once
#include <optional>

#include "model/bodies/body_entry.h"
#include "model/bodies/mesh_source.h"
#include "solidyn/fem/sections.h"
#include "solidyn/reduction/reduction_options.h"

namespace solidyn::model {

/// What a file says of a body of solid elements, whatever its type.
struct FlexibleDescription : MeshSource {
  fem::MassKind mass = fem::MassKind::lumped;
  /// Empty: that of fem::Section, or what a mesh file of another program says.
  std::optional<fem::Hex8Formulation> hex8;
  std::optional<fem::Hex20Integration> hex20;
  reduction::Damping damping;
  std::vector<mesh::InterfaceDefinition> interfaces;  ///< file order; mesh axes, m
  std::vector<reduction::PointDefinition> points;     ///< file order; mesh axes, m
  reduction::StressOptions stress;                    ///< where it is wanted; mesh axes, m

  static Field<FlexibleDescription> mass_field();     ///< `mass_matrix`
  static Field<FlexibleDescription> hex8_field();     ///< `hex8`
  static Field<FlexibleDescription> hex20_field();    ///< `hex20`
  static Field<FlexibleDescription> damping_field();  ///< `damping`
  static Fields<FlexibleDescription> place_fields();  ///< `interfaces`, `points`
  static Field<FlexibleDescription> stress_field();   ///< `stress`
  /// The last four keys, which all types have.
  static Fields<FlexibleDescription> shared_fields();

  /// The element formulations that the file asks for. @pre `material` is one of the model's
  fem::Section section(const ModelDescription& model) const;
};

/// A body of solid elements, reduced or not.
class FlexibleEntry : public BodyEntry, public FlexibleDescription {
 public:
  std::vector<PlaceDescription> places() const override;
  std::vector<std::string> stress_places() const override;
  std::vector<std::pair<std::string, std::filesystem::path>> files() const override;
  bool has_open_places() const override { return is_imported(); }
  Refusal refuses_supports() const override { return {}; }
  const FlexibleEntry* flexible() const override { return this; }

  /// With further points.
  virtual std::shared_ptr<const BodyEntry> with_points(
      const std::vector<reduction::PointDefinition>& more) const = 0;
  /// Whether it is no more than the mass of its elements, so that their stiffness does not matter.
  virtual bool is_rigid() const { return false; }
  /// Whether its 8-node hexahedra are trilinear, whatever else is said: those of large strains.
  virtual bool has_trilinear_hex8() const { return false; }

 protected:
  /// The mesh file and its material for the summary.
  std::string mesh_in_words() const;
};

/// @see BodyEntryOf
template <class E, class Base = FlexibleEntry>
class FlexibleEntryOf : public BodyEntryOf<E, Base> {
 public:
  std::shared_ptr<const BodyEntry> with_points(
      const std::vector<reduction::PointDefinition>& more) const final {
    auto body = std::make_shared<E>(static_cast<const E&>(*this));
    body->points.insert(body->points.end(), more.begin(), more.end());
    return body;
  }
};

}  // namespace solidyn::model
