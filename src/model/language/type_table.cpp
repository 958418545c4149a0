#include "model/language/type_table.h"

#include <algorithm>
#include <string_view>

namespace solidyn::model {
namespace {

bool are_alike(const KeySpec& a, const KeySpec& b) {
  return a.key == b.key && a.form == b.form && a.meaning == b.meaning && a.example == b.example &&
         std::string_view(a.quantity.si) == b.quantity.si && a.range.text() == b.range.text() &&
         a.fallback == b.fallback && a.is_required == b.is_required &&
         a.replaced_by == b.replaced_by && a.words == b.words && a.planned == b.planned &&
         a.size == b.size && a.table == b.table && a.needs == b.needs;
}

}  // namespace

void add_keys_of_type(const std::string& type, const std::vector<KeySpec>& keys, TableSpec& table) {
  for (const KeySpec& key : keys) {
    const auto same = std::find_if(table.keys.begin(), table.keys.end(), [&](const KeySpec& other) {
      return !other.types.empty() && are_alike(key, other);
    });
    if (same != table.keys.end()) {
      same->types.push_back(type);
    } else {
      table.keys.push_back(key);
      table.keys.back().types = {type};
    }
  }
}

}  // namespace solidyn::model
