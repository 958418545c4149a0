#include "model/language/table_view.h"

#include <algorithm>

namespace solidyn::model {
namespace {

const Value& empty_map() {
  static const Value value = [] {
    Value v;
    v.kind = Value::Kind::map;
    return v;
  }();
  return value;
}

}  // namespace

TableView::TableView(const Value& value, const TableSpec& spec, std::string path,
                     const base::SourceLocation& where, Context& context)
    : value_(&value),
      spec_(&spec),
      path_(std::move(path)),
      type_(selected_type(value, spec)),
      where_(where),
      context_(&context) {}

bool TableView::has_any(std::initializer_list<const char*> keys) const {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return has(key); });
}

const KeySpec& TableView::spec(const std::string& key) const {
  const KeySpec* found = spec_->find(key, type_);
  if (!found) found = spec_->find_any(key);
  SOLIDYN_ASSERT(found);
  return *found;
}

const Entry* TableView::entry(const std::string& key) const {
  return spec_->find(key, type_) ? value_->find(key) : nullptr;
}

const Value* TableView::find(const std::string& key) const {
  const Entry* found = entry(key);
  return found ? &found->value : nullptr;
}

const Value* TableView::good_value(const std::string& key) const {
  const Entry* found = entry(key);
  return found && model::is_good(found->value, spec(key), context_->directory) ? &found->value
                                                                               : nullptr;
}

bool TableView::is_good(const std::string& key) const { return good_value(key) != nullptr; }

base::SourceLocation TableView::where(const std::string& key) const {
  const Entry* found = value_->find(key);
  return found ? found->value.where : where_;
}

double TableView::scale(const std::string& key) const {
  return context_->units.scale(spec(key).quantity);
}

const char* TableView::si(const std::string& key) const { return spec(key).quantity.si; }

double TableView::number(const std::string& key) const {
  if (const Value* value = good_value(key)) return *as_number(*value) * scale(key);
  const std::string& fallback = spec(key).fallback;
  return fallback.empty() ? 0.0 : std::stod(fallback);
}

int TableView::integer(const std::string& key) const { return static_cast<int>(number(key)); }

std::string TableView::text(const std::string& key) const {
  const Value* value = good_value(key);
  return value && value->kind == Value::Kind::scalar ? value->text : spec(key).fallback;
}

std::vector<double> TableView::numbers(const std::string& key) const {
  std::vector<double> numbers;
  if (const Value* value = good_value(key)) {
    for (const Value& item : value->items) numbers.push_back(*as_number(item) * scale(key));
    return numbers;
  }
  Report scratch;
  const std::string& fallback = spec(key).fallback;
  if (fallback.empty()) return std::vector<double>(spec(key).size, 0.0);
  for (const Value& item : parse_yaml(fallback, key, scratch).items)
    numbers.push_back(*as_number(item));
  return numbers;
}

Eigen::Vector3d TableView::vector(const std::string& key) const {
  return Eigen::Vector3d(numbers(key).data());
}

Eigen::Vector3d TableView::direction(const std::string& key) const {
  const Eigen::Vector3d v = vector(key);
  return v.isZero(0.0) ? Eigen::Vector3d::UnitZ() : v.stableNormalized();
}

std::vector<std::string> TableView::texts(const std::string& key) const {
  std::vector<std::string> texts;
  if (const Value* value = good_value(key))
    for (const Value& item : value->items) texts.push_back(item.text);
  return texts;
}

std::vector<std::array<std::string, 2>> TableView::name_pairs(const std::string& key) const {
  std::vector<std::array<std::string, 2>> pairs;
  if (const Value* value = good_value(key))
    for (const Value& pair : value->items)
      pairs.push_back({pair.items[0].text, pair.items[1].text});
  return pairs;
}

TableView TableView::table(const std::string& key) const {
  const Entry* found = entry(key);
  const bool is_map = found && found->value.kind == Value::Kind::map;
  return TableView(is_map ? found->value : empty_map(), *spec(key).table, path(key),
                   found ? found->where : where_, *context_);
}

std::vector<std::pair<std::string, TableView>> TableView::tables(const std::string& key) const {
  std::vector<std::pair<std::string, TableView>> views;
  const Entry* found = entry(key);
  if (!found) return views;
  const auto add = [&](const std::string& name, const Value& value,
                       const base::SourceLocation& where) {
    views.emplace_back(
        name, TableView(value.kind == Value::Kind::map ? value : empty_map(), *spec(key).table,
                        joined(path(key), name), where, *context_));
  };
  for (const Entry& item : found->value.entries) add(item.key, item.value, item.where);
  for (const Value& item : found->value.items) add(std::to_string(views.size()), item, item.where);
  return views;
}

}  // namespace solidyn::model
