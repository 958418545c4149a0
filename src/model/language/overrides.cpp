#include "model/language/overrides.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/check.h"
#include "model/language/spelling.h"
#include "solidyn/model/grammar.h"

namespace solidyn::model {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t dot; (dot = path.find('.', start)) != std::string::npos; start = dot + 1)
    parts.push_back(path.substr(start, dot - start));
  parts.push_back(path.substr(start));
  return parts;
}

/// Walks the path through tree and grammar together, down to the value to replace.
class Walk {
 public:
  Walk(std::string path, Value& root, base::SourceLocation where, Report& report)
      : parts_(split(path)), where_(std::move(where)), report_(report), value_(&root) {}

  /// Null after a complaint.
  Value* go() {
    table_ = &model_grammar();
    for (at_ = 0; at_ < parts_.size(); ++at_)
      if (!step(parts_[at_])) return nullptr;
    return value_;
  }

 private:
  bool is_last() const { return at_ + 1 == parts_.size(); }

  bool step(const std::string& part) {
    if (table_) return enter_key(part);
    if (key_ && key_->form == Form::list) return enter_item(part);
    if (key_ && (key_->form == Form::named_tables || key_->form == Form::named_vectors ||
                 key_->form == Form::named_numbers))
      return enter_name(part);
    return enter_number(part);
  }

  bool enter_key(const std::string& part) {
    const KeySpec* key = table_->find(part, selected_type(*value_, *table_));
    if (!key) key = table_->find_any(part);
    if (!key) {
      std::vector<std::string> known;
      for (const KeySpec& spec : table_->keys)
        if (std::find(known.begin(), known.end(), spec.key) == known.end())
          known.push_back(spec.key);
      return fail(known);
    }
    key_ = key;
    descend(part);
    table_ = key->form == Form::table           ? key->table
             : key->form == Form::time_function ? &time_function_grammar()
                                                : nullptr;
    return true;
  }

  /// A new name may be made, but only with its whole content; a new parameter would do nothing.
  bool enter_name(const std::string& part) {
    const bool is_parameter = at_ == 1 && parts_[0] == "parameters";
    if (!value_->find(part) && (!is_last() || is_parameter)) {
      std::vector<std::string> known;
      for (const Entry& entry : value_->entries) known.push_back(entry.key);
      return fail(known);
    }
    descend(part);
    table_ = key_->form == Form::named_tables ? key_->table : nullptr;
    key_ = nullptr;
    return true;
  }

  /// By number, or, where only one entry has the key, by that key.
  bool enter_item(const std::string& part) {
    const bool is_number = enter_number_quietly(part);
    if (!is_number) {
      Value* only = nullptr;
      for (Value& item : value_->items) {
        if (!item.find(part)) continue;
        if (only) return fail_numbered();
        only = &item;
      }
      if (!only) return fail_numbered();
      value_ = only;
    }
    table_ = key_->table;
    key_ = nullptr;
    return is_number || enter_key(part);
  }

  bool enter_number_quietly(const std::string& part) {
    if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos) return false;
    const std::size_t i = part.size() < 7 ? std::stoul(part) : value_->items.size();
    if (i >= value_->items.size()) return false;
    value_ = &value_->items[i];
    return true;
  }

  bool enter_number(const std::string& part) {
    return enter_number_quietly(part) || fail_numbered();
  }

  void descend(const std::string& part) {
    if (value_->kind != Value::Kind::map) {
      *value_ = Value();
      value_->kind = Value::Kind::map;
      value_->where = where_;
    }
    Entry* entry = value_->find(part);
    if (!entry) {
      value_->entries.push_back({part, where_, Value()});
      entry = &value_->entries.back();
      entry->value.where = where_;
    }
    value_ = &entry->value;
  }

  std::string so_far() const {
    std::string path;
    for (std::size_t i = 0; i < at_; ++i) path = joined(path, parts_[i]);
    return path;
  }

  bool fail(const std::vector<std::string>& known) {
    std::vector<std::string> paths;
    for (const std::string& key : known) paths.push_back(joined(so_far(), key));
    const std::string wrong = joined(so_far(), parts_[at_]);
    const std::string near = find_nearest(parts_[at_], known);
    report_.error(where_, fmt::format("the model has no `{}`", wrong),
                  !near.empty()   ? fmt::format("did you mean `{}`?", joined(so_far(), near))
                  : paths.empty() ? fmt::format("`{}` is empty", so_far())
                                  : "there are " + listed(paths, "and"));
    return false;
  }

  bool fail_numbered() {
    const std::size_t n = value_->items.size();
    report_.error(where_, fmt::format("the model has no `{}`", joined(so_far(), parts_[at_])),
                  n == 0
                      ? fmt::format("`{}` has no entries", so_far())
                      : fmt::format("the entries of `{0}` are {0}.0 to {0}.{1}", so_far(), n - 1));
    return false;
  }

  std::vector<std::string> parts_;
  std::size_t at_ = 0;
  base::SourceLocation where_;
  Report& report_;
  Value* value_;
  const TableSpec* table_ = nullptr;  ///< grammar of value_ where it is a table
  const KeySpec* key_ = nullptr;      ///< grammar of value_ otherwise
};

}  // namespace

void apply_override(const std::string& text, Value& root, Report& report) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    report.error({"--set " + text, 0, 0}, "`=` is missing",
                 "write  --set path.in.model=value, for example  --set bodies.rod.type=modal");
    return;
  }
  const std::string path = text.substr(0, equals);
  const base::SourceLocation where{"--set " + path, 0, 0};
  Value value;
  try {
    Report inside;
    value = parse_yaml(text.substr(equals + 1), where.file, inside);
    if (!inside.is_empty()) throw base::InputError("duplicate key");
  } catch (const base::InputError& error) {
    const std::string given = text.substr(equals + 1);
    report.error(where, fmt::format("cannot read the value `{}`", given),
                 given.find_first_not_of(' ') == std::string::npos
                     ? "write a value behind the =, \"\" for an empty text"
                     : error.diagnostics()[0].what);
    return;
  }
  relocate(value, where);
  if (Value* target = Walk(path, root, where, report).go()) *target = std::move(value);
}

}  // namespace solidyn::model
