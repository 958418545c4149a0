#pragma once
#include "model/contacts/contact_entry.h"

namespace solidyn::model {

/// Whether a name is one that the pattern stands for: * is any number of characters, ? is one.
bool matches(const std::string& pattern, const std::string& name);

/// The places of a contact between groups, and pairs to be ignored, with complaints. @pre its
/// shapes have been read
void read_groups(ContactEntry& contact, const TableView& view, const Scope& scope);

}  // namespace solidyn::model
