#include "model/language/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "model/check.h"
#include "model/language/formula_names.h"
#include "model/language/spelling.h"
#include "solidyn/math/expression.h"

namespace solidyn::model {
namespace {

std::string text_of(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

class Resolver {
 public:
  explicit Resolver(Report& report) : report_(report) {}

  void read(Value& table) {
    for (const Entry& entry : table.entries) later_.push_back(entry.key);
    for (Entry& entry : table.entries) {
      const std::string path = joined("parameters", entry.key);
      later_.erase(later_.begin());
      if (!is_sound(entry, path)) continue;
      uses_.emplace_back();
      to_ = &uses_.back();
      resolve(entry.value, path);
      to_ = nullptr;
      const auto number = as_number(entry.value);
      if (!number && entry.value.formula.empty() && !is_wrong_)
        report_.error(
            entry.value.where, fmt::format("{} is {}: expected a number", path, shown(entry.value)),
            "a parameter is a number or a formula of earlier ones, for example  width: \"=length/2\"");
      is_wrong_ = false;
      names_.push_back(entry.key);
      numbers_.push_back(number.value_or(1.0));
      places_.push_back(entry.where);
    }
    is_used_.assign(names_.size(), false);
  }

  void resolve(Value& value, const std::string& path) {
    if (value.kind == Value::Kind::scalar) resolve_text(value, path);
    for (std::size_t i = 0; i < value.items.size(); ++i)
      resolve(value.items[i], joined(path, std::to_string(i)));
    for (Entry& entry : value.entries)
      if (!path.empty() || entry.key != "parameters") resolve(entry.value, joined(path, entry.key));
  }

  void warn_of_unused() const {
    std::vector<bool> is_used = is_used_;
    for (std::size_t i = is_used.size(); i-- > 0;)  // by later ones that are used
      if (is_used[i])
        for (std::size_t earlier : uses_[i]) is_used[earlier] = true;
    for (std::size_t i = 0; i < is_used.size(); ++i)
      if (!is_used[i])
        report_.warning(
            places_[i], fmt::format("parameters.{} is not used", names_[i]),
            fmt::format("write  \"={}\"  where its value is needed, or remove it", names_[i]));
  }

 private:
  /// A name that formulas can have.
  bool is_sound(const Entry& entry, const std::string& path) {
    const std::string& name = entry.key;
    const bool is_plain = begins_name(name[0]) &&
                          std::all_of(name.begin(), name.end(), continues_name) &&
                          name.find('.') == std::string::npos;
    std::string why;
    if (name.empty() || !is_plain)
      why = "it cannot be used in formulas: a name consists of letters, digits and _";
    else if (name == "pi" || name == "e")
      why = fmt::format("`{}` is a constant in formulas", name);
    if (!why.empty()) report_.error(entry.where, path + ": " + why, "choose another name");
    return why.empty();
  }

  void resolve_text(Value& value, const std::string& path) {
    const std::string original = value.text;
    if (original.size() > 1 && original[0] == '=') {
      if (const auto number = evaluate(original.substr(1), value, path)) {
        value.text = text_of(*number);
        value.is_quoted = false;
      }
    } else if (original.find("{=") != std::string::npos) {
      value.text = with_numbers(value, path);
    }
    if (value.text != original) value.formula = original;
  }

  /// The text with a number for each {=formula}; a negative one in parentheses.
  std::string with_numbers(const Value& value, const std::string& path) {
    const std::string& text = value.text;
    std::string result;
    std::size_t at = 0;
    for (std::size_t open; (open = text.find("{=", at)) != std::string::npos;) {
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos) {
        fail(value, path, fmt::format("`{}` has no closing }}", text.substr(open)),
             "write  {=formula}");
        break;
      }
      const auto number = evaluate(text.substr(open + 2, close - open - 2), value, path);
      result += text.substr(at, open - at);
      if (number) result += *number < 0.0 ? "(" + text_of(*number) + ")" : text_of(*number);
      at = close + 1;
    }
    return result + text.substr(at);
  }

  std::optional<double> evaluate(const std::string& formula, const Value& value,
                                 const std::string& path) {
    if (!knows_names(formula, value, path)) return {};
    try {
      const math::Expression expression(formula, names_);
      for (std::size_t i = 0; i < names_.size(); ++i)
        if (expression.uses(static_cast<int>(i))) note_use(i);
      const double number = expression.value(numbers_.data());
      if (std::isfinite(number)) return number;
      fail(value, path, fmt::format("`{}` is {}", formula, number), "it must be a finite number");
    } catch (const base::InputError& error) {
      for (const base::Diagnostic& d : error.diagnostics()) fail(value, path, d.what, d.remedy);
    }
    return {};
  }

  bool knows_names(const std::string& formula, const Value& value, const std::string& path) {
    bool knows_all = true;
    for (const std::string& name : names_in(formula)) {
      const auto is_in = [&](const std::vector<std::string>& list) {
        return std::find(list.begin(), list.end(), name) != list.end();
      };
      if (is_in(names_) || name == "pi" || name == "e") continue;
      knows_all = false;
      if (is_in(later_))
        fail(value, path, fmt::format("parameter `{}` is defined further down", name),
             "parameters can only refer to earlier ones: change their order");
      else
        fail(value, path, fmt::format("there is no parameter `{}`", name), remedy_for(name));
    }
    return knows_all;
  }

  std::string remedy_for(const std::string& name) const {
    if (names_.empty())
      return fmt::format("define it at the top of the file, for example  parameters: {{{}: 1.0}}",
                         name);
    const std::string nearest = find_nearest(name, names_);
    if (!nearest.empty()) return fmt::format("did you mean `{}`?", nearest);
    const std::string known = "there are " + listed(names_, "and");
    if (name != "t") return known;
    return known + "; in a formula of t parameters are written in braces: \"{=amplitude}*sin(t)\"";
  }

  void note_use(std::size_t parameter) {
    if (to_)
      to_->push_back(parameter);
    else
      is_used_[parameter] = true;
  }

  void fail(const Value& value, const std::string& path, const std::string& what,
            const std::string& remedy) {
    report_.error(value.where, fmt::format("{} is {}: {}", path, shown(value), what), remedy);
    is_wrong_ = true;
  }

  Report& report_;
  std::vector<std::string> names_, later_;
  std::vector<double> numbers_;
  std::vector<base::SourceLocation> places_;
  std::vector<std::vector<std::size_t>> uses_;  // earlier parameters, of each
  std::vector<std::size_t>* to_ = nullptr;      // those of the parameter that is read
  std::vector<bool> is_used_;                   // by the rest of the file
  bool is_wrong_ = false;
};

}  // namespace

void resolve_parameters(Value& root, Report& report) {
  if (root.kind != Value::Kind::map) return;
  Resolver resolver(report);
  if (Entry* entry = root.find("parameters")) resolver.read(entry->value);
  resolver.resolve(root, "");
  resolver.warn_of_unused();
}

}  // namespace solidyn::model
