#pragma once
#include "model/language/field.h"
#include "model/read.h"

/// Contacts of the model file (`contacts:`), each as pairs of shapes with a law.
namespace solidyn::model {

/// A contact while it is read.
struct ContactEntry : ContactDescription {
  /// Of the two shapes relative to each other, 1/m; ones where they are not known.
  Eigen::Vector2d curvatures = Eigen::Vector2d::Ones();
};

/// A row of the catalogue (catalogue.cpp): a way to say what the shapes are. Each is in one file.
struct ContactType {
  std::string word;
  std::string meaning;  ///< of the word, behind it in parentheses
  std::vector<KeySpec> keys;
  /// Fills `what`, the shapes and `curvatures`.
  std::function<void(ContactEntry&, const TableView&, const Scope&)> read;
};

/// A table of contact_shape_table().
ContactShapeDescription read_shape(const TableView& view, const Scope& scope);

/// A table of contact_law_table(). @pre the shapes were read
void read_contact_law(ContactEntry& contact, const TableView& law, const Scope& scope);

/// A table of contact_friction_table(). @pre the law was read
void read_contact_friction(ContactEntry& contact, const TableView& table, const Scope& scope);

/// `between`, with complaints about places on which the shapes cannot stand. @pre these were read
void read_contact_places(ContactEntry& contact, const TableView& view, const Scope& scope);

/// Complains of a place on which no shape can stand. @param path of the key that names it, as
/// `text`
void check_contact_place(const std::string& path, const std::string& text,
                         const PlaceDescription& place, const Scope& scope, Report& report);

}  // namespace solidyn::model
