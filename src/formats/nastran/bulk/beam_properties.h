#pragma once
#include <map>
#include <set>

#include "formats/nastran/lines/cards.h"
#include "solidyn/imported/line_elements.h"

namespace solidyn::formats {

/// PBAR, PBARL, PBEAM and PBEAML of a deck. Private to the Nastran readers.
class NastranBeamProperties {
 public:
  static bool is_property(std::uint64_t key);
  /// @pre is_property(card.key()). Throws InputError for what no beam here can have: tapered
  /// sections, sections without stiffness, neutral axes off the shear centre.
  void add(const NastranCard& card);

  struct Property {
    imported::LineProperty values;  ///< without material
    std::int32_t material = 0;      ///< MID
  };
  /// Null for one that the deck does not give, or gives wrongly.
  const Property* find(std::int32_t pid) const;
  /// Whether add() had a complaint about it.
  bool is_wrong(std::int32_t pid) const { return wrong_.count(pid) > 0; }

 private:
  static Property read(const NastranCard& card);

  std::map<std::int32_t, Property> properties_;
  std::set<std::int32_t> wrong_;
};

}  // namespace solidyn::formats
