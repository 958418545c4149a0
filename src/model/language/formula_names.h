#pragma once
#include <string>
#include <vector>

namespace solidyn::model {

/// The names in a formula that are no calls of functions and no parts of numbers, such as the e of
/// 1e-3. Names have letters, digits and _, and . within.
std::vector<std::string> names_in(const std::string& formula);

bool begins_name(char c);
bool continues_name(char c);

}  // namespace solidyn::model
