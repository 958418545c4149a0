#pragma once
#include "model/bodies/nodal_entry.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::model {

struct BodySource;

/// Nodes in absolute coordinates.
class SolidEntry : public NodalEntry {
 public:
  /// What the type and the file say of them; the rest is made of what FlexibleDescription has.
  bodies::SolidBodyOptions options;

  SolidEntry() { mass = options.mass; }
  const BodyTraits& traits() const override;
  void build(const BodyBuilder& builder) const override;

 private:
  bodies::SolidBodyOptions solid_options(const ModelDescription& model,
                                         const BodySource& source) const;
};

/// `temperature_change`, of entries that are SolidEntry.
template <class E>
Field<E> temperature_field() {
  return field(
      Key("temperature_change", Form::number,
          "of the whole body relative to its stress-free state; requires `thermal_expansion` of its material, here or in the mesh file",
          "40")
          .in(kTemperatureChange)
          .or_default(),
      static_cast<bodies::SolidBodyOptions E::*>(&E::options),
      &bodies::SolidBodyOptions::temperature, &fem::TemperatureChange::uniform);
}

}  // namespace solidyn::model
