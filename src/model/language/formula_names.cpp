#include "model/language/formula_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace solidyn::model {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

bool continues_name(char c) {
  return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.';
}

std::vector<std::string> names_in(const std::string& formula) {
  std::vector<std::string> names;
  const char* end = formula.data() + formula.size();
  for (std::size_t i = 0; i < formula.size();) {
    const std::size_t start = i;
    if (begins_name(formula[i])) {
      while (i < formula.size() && continues_name(formula[i])) ++i;
      const std::size_t next = formula.find_first_not_of(' ', i);
      const bool is_call = next != std::string::npos && formula[next] == '(';
      if (!is_call) names.push_back(formula.substr(start, i - start));
    } else if (continues_name(formula[i])) {
      double number = 0.0;
      const auto read = std::from_chars(formula.data() + i, end, number);
      i = std::max(i + 1, static_cast<std::size_t>(read.ptr - formula.data()));
    } else {
      ++i;
    }
  }
  return names;
}

}  // namespace solidyn::model
