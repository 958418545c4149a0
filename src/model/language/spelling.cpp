#include "model/language/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace solidyn::model {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours.
int distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string find_nearest(const std::string& written, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 100;
  if (written.empty() || written.size() > kLongest) return "";
  const std::string wanted = lower_case(written);
  std::string best;
  // Words of one or two letters are all near to each other.
  const int allowed = written.size() < 3 ? 0 : std::max(1, static_cast<int>(written.size()) / 3);
  int best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    const std::string word = lower_case(candidate);
    // A beginning of three letters or more is meant as an abbreviation ("youngs", "interface").
    const bool is_start = wanted.size() >= 3 && word.compare(0, wanted.size(), wanted) == 0;
    const int d = is_start ? 1 : distance(wanted, word);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string listed(const std::vector<std::string>& words, const char* last) {
  constexpr std::size_t kMost = 12;
  const std::size_t n = std::min(words.size(), kMost);
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  if (n < words.size()) text += fmt::format(" ... ({} in all)", words.size());
  return text;
}

std::string suggestion(const std::string& written, const std::vector<std::string>& candidates,
                       const std::string& lead) {
  const std::string nearest = find_nearest(written, candidates);
  if (!nearest.empty()) return fmt::format("did you mean `{}`?", nearest);
  return candidates.empty() ? "" : fmt::format("{} {}", lead, listed(candidates, "and"));
}

}  // namespace solidyn::model
