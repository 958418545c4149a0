#pragma once
#include <string>

namespace solidyn::results {

/// A user's name as a link of an HDF5 file and in an XDMF path: letters, digits and bytes of UTF-8
/// as they are, signs that have a meaning there (/ : % < & blank ...) as %XX.
std::string link_name(const std::string& name);
std::string name_of_link(const std::string& link);

}  // namespace solidyn::results
