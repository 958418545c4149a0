#pragma once
#include <string>
#include <vector>

namespace solidyn::model {

/// The candidate nearest to what was written (edits and swapped neighbours, capitals ignored), or
/// "" when none is near enough to be meant.
std::string find_nearest(const std::string& written, const std::vector<std::string>& candidates);

/// "a, b or c", with at most twelve of them.
std::string listed(const std::vector<std::string>& words, const char* last = "or");

/// "did you mean `x`?", or else "<lead> a, b and c".
std::string suggestion(const std::string& written, const std::vector<std::string>& candidates,
                       const std::string& lead);

}  // namespace solidyn::model
