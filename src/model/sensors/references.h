#pragma once
#include <memory>

#include "model/read.h"

namespace solidyn::model {

/// The name under `key` out of `known`, entries of the list `section` of the file; empty when it is
/// not there or wrong. What is none of them is returned after a complaint.
std::string read_reference(const TableView& view, const std::string& key,
                           const std::vector<std::string>& known, const std::string& section);

template <class T>
const std::string& name_of_entry(const T& entry) {
  return entry.name;
}
template <class T>
const std::string& name_of_entry(const std::shared_ptr<const T>& entry) {
  return entry->name;
}

template <class T>
std::vector<std::string> names_of_entries(const std::vector<T>& entries) {
  std::vector<std::string> names;
  for (const T& entry : entries) names.push_back(name_of_entry(entry));
  return names;
}

}  // namespace solidyn::model
