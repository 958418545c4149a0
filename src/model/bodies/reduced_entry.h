#pragma once
#include <optional>

#include "model/bodies/flexible_entry.h"
#include "model/bodies/import/import.h"

namespace solidyn::model {

/// Where the shapes of a reduced body come from, if not from a mesh, and which.
struct ReducedDescription {
  /// Absolute, empty when not given: mesh and material are not looked at then; modes, interfaces
  /// and points come from it.
  std::filesystem::path reduced_body;
  std::optional<ImportDescription> import;
  /// The basis, geometric stiffening and whether it keeps its rigid modes. The rest is that of
  /// FlexibleDescription.
  reduction::ReductionOptions basis;

  ReducedDescription();
  /// `reduced_body` and `import`.
  static Fields<ReducedDescription> source_fields();
};

/// A body that is reduced before anything moves.
class ReducedEntry : public FlexibleEntry, public ReducedDescription {
 public:
  ReducedEntry();

  std::string in_words() const override;
  bool has_open_places() const override;
  std::vector<std::pair<std::string, std::filesystem::path>> files() const override;
  Refusal refuses_supports() const override;
  Refusal refuses_own_modes() const override;
  std::filesystem::path reduced_file() const override { return reduced_body; }
  const ReducedEntry* reduced() const override { return this; }

  /// All that the file says of its reduction.
  virtual reduction::ReductionOptions reduction_options(const ModelDescription& model) const;
  /// Beside those of the body, of a mesh that is reduced: where supports hold it.
  virtual std::vector<mesh::InterfaceDefinition> held_interfaces(const ModelDescription&) const {
    return {};
  }

  /// `material` and what follows from elements.
  static Fields<FlexibleDescription> element_fields();

 protected:
  /// `mesh` and `material`, `import`, or `reduced_body`; and `modes`.
  void check_reduced(const TableView& view, const Scope& scope);

 private:
  void check_source(const TableView& view, const Scope& scope) const;
  std::string basis_in_words() const;

  bool brings_places_ = false;  // also of a file that cannot be read
};

}  // namespace solidyn::model
