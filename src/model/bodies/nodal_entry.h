#pragma once
#include "model/bodies/flexible_entry.h"

namespace solidyn::model {

/// A body whose unknowns are the displacements of all nodes of its mesh.
class NodalEntry : public FlexibleEntry {
 public:
  std::string in_words() const override { return mesh_in_words(); }

 protected:
  void check_nodal(const TableView& view, const Scope& scope) const;
};

}  // namespace solidyn::model
