#include "solidyn/base/petsc_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"

namespace solidyn::base {
namespace {

struct GivenOption {
  std::string name, value;  // name without the hyphen
};

// PETSc's own rule: "-1" is a value.
bool is_name(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1]));
}

std::string in_lower_case(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

bool begins_with(const std::string& word, const std::string& beginning) {
  return word.compare(0, beginning.size(), beginning) == 0;
}

// @param word  with the hyphen
bool is_of(const OptionsReader& reader, const std::string& word) {
  const std::string name = in_lower_case(word.substr(1)), prefix = in_lower_case(reader.prefix);
  if (!begins_with(name, prefix)) return false;
  const std::vector<std::string>& all = reader.beginnings;
  return all.empty() || std::any_of(all.begin(), all.end(), [&](const std::string& beginning) {
           return begins_with(name.substr(prefix.size()), beginning);
         });
}

std::vector<GivenOption> given_options(const OptionsReader& reader) {
  char* all = nullptr;
  SOLIDYN_PETSC(PetscOptionsGetAll(nullptr, &all));
  std::istringstream words(all);
  SOLIDYN_PETSC(PetscFree(all));
  std::vector<GivenOption> given;
  bool is_ours = false;
  for (std::string word; words >> word;) {
    if (is_name(word)) {
      is_ours = is_of(reader, word);
      if (is_ours) given.push_back({word.substr(1), ""});
    } else if (is_ours) {
      given.back().value += (given.back().value.empty() ? "" : " ") + word;
    }
  }
  return given;
}

// What a solver can work with, by the end of the option's name: of body_mg_levels_ksp_max_it too.
struct NumberRule {
  const char* ending;
  double least, below;
  bool is_whole;
  const char* allowed;
};
constexpr double kAny = HUGE_VAL;
constexpr NumberRule kNumberRules[] = {
    {"ksp_rtol", 0.0, 1.0, false, "a number from 0 to below 1, for example 1e-8"},
    {"ksp_atol", 0.0, kAny, false, "a number that is not negative"},
    {"ksp_divtol", 1.0, kAny, false, "a number of at least 1"},
    {"ksp_max_it", 1.0, 2147483648.0, true, "a whole number of at least 1"},
    {"snes_rtol", 0.0, 1.0, false, "a number from 0 to below 1, for example 1e-8"},
    {"snes_atol", 0.0, kAny, false, "a number that is not negative"},
    {"snes_stol", 0.0, kAny, false, "a number that is not negative"},
    {"snes_max_it", 1.0, 2147483648.0, true, "a whole number of at least 1"},
    {"eps_tol", 1e-300, kAny, false, "a number above 0"},
    {"eps_max_it", 1.0, 2147483648.0, true, "a whole number of at least 1"},
    {"eps_ncv", 1.0, 2147483648.0, true, "a whole number of at least 1"},
    {"pep_tol", 1e-300, kAny, false, "a number above 0"},
    {"pep_max_it", 1.0, 2147483648.0, true, "a whole number of at least 1"}};

bool ends_with(const std::string& word, const std::string& ending) {
  const std::string name = in_lower_case(word);
  if (name.size() < ending.size()) return false;
  const std::size_t at = name.size() - ending.size();
  return name.compare(at, ending.size(), ending) == 0 && (at == 0 || name[at - 1] == '_');
}

bool is_number(const std::string& word, double& value) {
  char* end = nullptr;
  value = std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0';
}

// PETSc's words for its own defaults, negative numbers, which SLEPc's solvers understand; KSP and
// SNES take them as they are for tolerances and limits.
bool is_default(const NumberRule& rule, const std::string& word) {
  const std::string ending = rule.ending;
  if (ending.compare(0, 4, "eps_") != 0 && ending.compare(0, 4, "pep_") != 0) return false;
  return word == "default" || word == "PETSC_DEFAULT" || word == "DEFAULT" || word == "decide" ||
         word == "PETSC_DECIDE" || word == "DECIDE";
}

[[noreturn]] void refuse_value(const OptionsReader& reader, const GivenOption& option,
                               const char* allowed) {
  throw InputError(fmt::format("{}: option -{} {}", reader.name, option.name,
                               option.value.empty() ? "has no value" : "is `" + option.value + "`"),
                   fmt::format("give {}", allowed));
}

bool is_refusal(PetscErrorCode code) {
  constexpr PetscErrorCode kRefusals[] = {PETSC_ERR_ARG_UNKNOWN_TYPE,
                                          PETSC_ERR_SUP,
                                          PETSC_ERR_MISSING_FACTOR,
                                          PETSC_ERR_ARG_WRONG,
                                          PETSC_ERR_ARG_INCOMP,
                                          PETSC_ERR_ARG_OUTOFRANGE,
                                          PETSC_ERR_USER,
                                          PETSC_ERR_USER_INPUT,
                                          PETSC_ERR_FILE_OPEN};
  return std::find(std::begin(kRefusals), std::end(kRefusals), code) != std::end(kRefusals);
}

// Its words come as an error, with the reason.
class ErrorsReturned {
 public:
  ErrorsReturned() { SOLIDYN_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr)); }
  ~ErrorsReturned() { PetscPopErrorHandler(); }
  ErrorsReturned(const ErrorsReturned&) = delete;
  ErrorsReturned& operator=(const ErrorsReturned&) = delete;
};

std::string full_name(const std::string& prefix, const std::string& option) {
  return "-" + prefix + option.substr(1);
}

}  // namespace

bool has_option(const std::string& prefix, const std::string& option) {
  PetscBool is_set = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsHasName(nullptr, prefix.c_str(), option.c_str(), &is_set));
  return is_set == PETSC_TRUE;
}

std::optional<std::string> option_word(const std::string& prefix, const std::string& option) {
  char value[256] = "";
  PetscBool is_set = PETSC_FALSE;
  SOLIDYN_PETSC(
      PetscOptionsGetString(nullptr, prefix.c_str(), option.c_str(), value, sizeof value, &is_set));
  if (!is_set) return std::nullopt;
  return value;
}

std::optional<int> option_choice(const std::string& prefix, const std::string& option,
                                 const std::vector<std::string>& words) {
  const auto word = option_word(prefix, option);
  if (!word) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), *word);
  if (found != words.end()) return static_cast<int>(found - words.begin());
  std::string allowed = words.front();
  for (std::size_t i = 1; i < words.size(); ++i)
    allowed += (i + 1 < words.size() ? ", " : " or ") + words[i];
  throw InputError(fmt::format("option {} is `{}`", full_name(prefix, option), *word),
                   "write " + allowed);
}

std::optional<double> option_number(const std::string& prefix, const std::string& option) {
  const auto word = option_word(prefix, option);
  double value = 0.0;
  if (!word) return std::nullopt;
  if (!is_number(*word, value) || !std::isfinite(value))
    throw InputError(fmt::format("option {} is `{}`", full_name(prefix, option), *word),
                     "give a number");
  return value;
}

std::optional<int> option_count(const std::string& prefix, const std::string& option) {
  const auto value = option_number(prefix, option);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > 2147483647.0)
    throw InputError(fmt::format("option {} is {:g}", full_name(prefix, option), *value),
                     "give a whole number");
  return static_cast<int>(*value);
}

bool option_flag(const std::string& prefix, const std::string& option, bool otherwise) {
  PetscBool value = otherwise ? PETSC_TRUE : PETSC_FALSE;
  const PetscErrorCode code =
      PetscOptionsGetBool(nullptr, prefix.c_str(), option.c_str(), &value, nullptr);
  if (code != 0)
    throw InputError(fmt::format("option {} is `{}`", full_name(prefix, option),
                                 option_word(prefix, option).value_or("")),
                     "write 1 or 0");
  return value == PETSC_TRUE;
}

std::string options_given(const OptionsReader& reader) {
  std::string text;
  for (const GivenOption& option : given_options(reader))
    text += " -" + option.name + (option.value.empty() ? "" : " " + option.value);
  return text;
}

void check_option_numbers(const OptionsReader& reader) {
  for (const GivenOption& option : given_options(reader))
    for (const NumberRule& rule : kNumberRules) {
      double value = 0.0;
      if (!ends_with(option.name, rule.ending) || is_default(rule, option.value)) continue;
      const bool is_right = is_number(option.value, value) && value >= rule.least &&
                            value < rule.below && (!rule.is_whole || value == std::floor(value));
      if (!is_right) refuse_value(reader, option, rule.allowed);
    }
}

void refuse_options(const OptionsReader& reader, PetscErrorCode code) {
  if (!is_refusal(code)) return;
  const std::string given = options_given(reader);
  if (given.empty()) return;
  const char* text = nullptr;
  char* specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  const int n = size(reader.comm);
  throw InputError(fmt::format("{}: PETSc cannot solve with the options{} on {} rank{}: {}{}{}",
                               reader.name, given, n, n == 1 ? "" : "s", text ? text : "",
                               specific && *specific ? ": " : "", specific ? specific : ""),
                   reader.page);
}

void obey_options(const OptionsReader& reader, const std::function<PetscErrorCode()>& call) {
  check_option_numbers(reader);
  PetscErrorCode code = 0;
  {
    const ErrorsReturned returned;
    code = call();
  }
  refuse_options(reader, code);
  SOLIDYN_PETSC(code);
}

}  // namespace solidyn::base
