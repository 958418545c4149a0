#pragma once
#include "formats/abaqus/deck/deck.h"
#include "formats/abaqus/deck/numbers.h"

/// Keyword by keyword from text to a Deck. Private to the reader.
namespace solidyn::formats::abaqus {

inline constexpr const char* kCheckLine =
    "the file is damaged or truncated, or contains data of another keyword here";

/// What all keyword readers share.
struct ParserContext {
  AbaqusSource& source;
  AbaqusComplaints& complaints;
  Deck& deck;

  void complain(AbaqusPlace at, std::string what, std::string remedy) const {
    complaints.add(source.location(at), std::move(what), std::move(remedy));
  }
  /// At the line that was read last.
  void complain(std::string what, std::string remedy = kCheckLine) const {
    complain(source.place(), std::move(what), std::move(remedy));
  }
  void warn(AbaqusPlace at, std::string what, std::string remedy = {}) const {
    deck.report.warnings.push_back({source.location(at), std::move(what), std::move(remedy)});
  }
  /// Stiffness or mass that is not understood.
  void note_unsupported(const std::string& what, AbaqusPlace at) const {
    deck.report.unsupported.emplace(what, source.location(at));
  }
  /// The value of a parameter that the keyword needs; complains, and nullptr, without it.
  const std::string* require(const AbaqusKeyword& keyword, const char* parameter) const;
  /// The numbers of the next data line, at most n of them, 0 where it has none. False without line.
  bool read_numbers(double* values, int n) const;
  /// The same without an error for what is not a number, which `is_good` then shows.
  bool try_numbers(double* values, int n, bool& is_good) const;
};

/// *NODE, *ELEMENT, *NSET, *ELSET, *SURFACE, *SYSTEM. Their part of the deck is `scope`.
class MeshParser {
 public:
  explicit MeshParser(const ParserContext& context) : context_(context) {}

  /// False: not a keyword of meshes.
  bool read(const AbaqusKeyword& keyword, Scope& scope);
  /// A new part begins: its coordinates are its own again.
  void reset_system() { system_.setIdentity(); }

 private:
  void read_nodes(const AbaqusKeyword& keyword, Scope& scope);
  bool read_node(std::string_view line, bool is_cylindrical, Scope& scope);
  void read_elements(const AbaqusKeyword& keyword, Scope& scope);
  bool read_element(std::string_view line, Elements& block);
  void read_other_elements(const AbaqusType& type, const AbaqusKeyword& keyword, Scope& scope);
  bool read_items(std::string_view line, Label& label, std::vector<Label>& nodes);
  void read_set(const AbaqusKeyword& keyword, SetDefinitions& sets, const char* name_parameter);
  void read_set_line(std::string_view line, bool generates, SetPiece& piece);
  void read_surface(const AbaqusKeyword& keyword, Scope& scope);
  void read_system();

  const ParserContext& context_;
  Eigen::Isometry3d system_ = Eigen::Isometry3d::Identity();  // of *SYSTEM
  std::vector<std::string_view> items_;
};

/// Materials, sections, masses, couplings, supports.
class PropertyParser {
 public:
  explicit PropertyParser(const ParserContext& context) : context_(context) {}

  /// False: not a keyword of properties.
  bool read(const AbaqusKeyword& keyword, Scope& scope);

 private:
  bool read_material(const AbaqusKeyword& keyword);
  bool read_coupling(const AbaqusKeyword& keyword, Scope& scope);
  void read_density();
  void read_elastic(const AbaqusKeyword& keyword);
  void read_elastic_with_directions(const AbaqusKeyword& keyword, const std::string& kind);
  void read_expansion(const AbaqusKeyword& keyword);
  void read_orientation(const AbaqusKeyword& keyword, Scope& scope);
  void read_section(const AbaqusKeyword& keyword, Scope& scope);
  void read_mass(const AbaqusKeyword& keyword, Scope& scope);
  void read_rotary_inertia(const AbaqusKeyword& keyword, Scope& scope);
  void read_transform(const AbaqusKeyword& keyword, Scope& scope);
  void read_boundary(const AbaqusKeyword& keyword, Scope& scope);
  void read_rigid_body(const AbaqusKeyword& keyword, Scope& scope);
  void begin_coupling(const AbaqusKeyword& keyword, Scope& scope);
  void finish_coupling(const AbaqusKeyword& keyword, Scope& scope);
  void read_kinematic_coupling(const AbaqusKeyword& keyword, Scope& scope);
  void read_distributing_coupling(const AbaqusKeyword& keyword, Scope& scope);
  void read_mpc(const AbaqusKeyword& keyword, Scope& scope);

  const ParserContext& context_;
  std::vector<std::string_view> items_;
  bool is_in_material_ = false;
};

/// Sections of beams, and what else says something of them. What is wrong goes to
/// Deck::line_errors: a file of solids may hold any of it.
class BeamParser {
 public:
  explicit BeamParser(const ParserContext& context) : context_(context) {}

  /// False for what is no section; it may have noted an error for beams nevertheless.
  bool read(const AbaqusKeyword& keyword, Scope& scope);

 private:
  void complain(AbaqusPlace at, std::string what, std::string remedy) const;
  bool read_line(std::vector<double>& numbers) const;
  bool set_shape(const std::string& shape, const std::vector<double>& d, AbaqusPlace at,
                 BeamSection& section) const;
  bool set_general(const std::vector<double>& d, AbaqusPlace at, BeamSection& section) const;
  bool set_i(const std::vector<double>& d, AbaqusPlace at, BeamSection& section) const;
  void read_section(const AbaqusKeyword& keyword, Scope& scope) const;
  void read_own_material(const AbaqusKeyword& keyword, const std::vector<double>& numbers,
                         BeamSection& section) const;

  const ParserContext& context_;
};

/// Digits first .. last, as far as they are mechanical components 1 to 6.
std::string components(std::int64_t first, std::int64_t last);

}  // namespace solidyn::formats::abaqus
