#include "model/sensors/references.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/spelling.h"

namespace solidyn::model {

std::string read_reference(const TableView& view, const std::string& key,
                           const std::vector<std::string>& known, const std::string& section) {
  if (!view.is_good(key)) return {};
  const std::string name = view.text(key);
  if (std::find(known.begin(), known.end(), name) == known.end())
    view.report().error(view.where(key),
                        fmt::format("{}: there is no {} `{}`", view.path(key), key, name),
                        known.empty() ? fmt::format("define it under `{}:`", section)
                                      : suggestion(name, known, "there are"));
  return name;
}

}  // namespace solidyn::model
