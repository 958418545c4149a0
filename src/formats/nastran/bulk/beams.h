#pragma once
#include <set>

#include "formats/nastran/bulk/beam_properties.h"
#include "formats/nastran/bulk/grids.h"
#include "formats/nastran/bulk/properties.h"

namespace solidyn::formats {

/// CBAR and CBEAM of a deck with what they need. A deck of solids may hold any of them: what is
/// wrong with them goes to LineElements::errors. Private to the Nastran readers.
class NastranBeams {
 public:
  /// Takes note of CBAR, CBEAM, BAROR, BEAMOR and beams' properties.
  void note(const NastranCard& card);

  /// Fills model.lines, but for the sets of nodes. @pre model.node_axes is filled
  void finish(const NastranGrids& grids, const NastranProperties& materials,
              imported::SolidModel& model);

 private:
  /// What orients an element; BAROR and BEAMOR give it to those that leave it out.
  struct Orientation {
    std::int32_t grid = 0;  // G0; 0: the vector
    Eigen::Vector3d vector = Eigen::Vector3d::Zero();
    bool is_given = false;
  };
  struct Element {
    imported::LineElement values;
    std::int32_t pid = 0;
    Orientation orientation;
    std::string axes;  // OFFT: of the vector and of the offsets
    std::string card;
  };
  struct Defaults {
    std::int32_t pid = 0;
    Orientation orientation;
    std::string axes;
  };
  static void refuse_twice(const Element& element, std::set<std::int64_t>& known);
  void tell_of_default_axes(imported::SolidModel& model) const;
  static Orientation read_orientation(const NastranCard& card);
  static std::string read_axes(const NastranCard& card);
  static void refuse_pins(const NastranCard& card);
  void add_element(const NastranCard& card);
  void complete(Element& element) const;
  void finish_element(Element& element, const NastranGrids& grids,
                      const NastranProperties& materials, imported::SolidModel& model);
  int find_property(const Element& element, const NastranProperties& materials,
                    imported::LineElements& lines);
  static int find_material(const NastranBeamProperties::Property& property,
                           const NastranProperties& materials, imported::LineElements& lines);

  std::vector<Element> elements_;
  std::map<std::string, Defaults> defaults_;  // of "CBAR" and "CBEAM"
  NastranBeamProperties properties_;
  std::map<std::int32_t, int> found_;  // PID -> LineElements::properties
  std::vector<base::Diagnostic> errors_;
};

}  // namespace solidyn::formats
