#include "model/bodies/nodal_entry.h"

#include <fmt/format.h>

#include "model/bodies/damping.h"

namespace solidyn::model {

void NodalEntry::check_nodal(const TableView& view, const Scope& scope) const {
  if (!view.has("mesh"))
    view.report().error(
        view.where(),
        fmt::format("{} is missing (type {} needs it)", view.path("mesh"), view.type()),
        "give a mesh file, for example  mesh: rod.msh");
  check_mesh(view, scope);
  warn_of_modal_damping(view, damping);
}

}  // namespace solidyn::model
