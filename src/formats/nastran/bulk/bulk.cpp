#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "formats/nastran/bulk/attachments.h"
#include "formats/nastran/bulk/beams.h"
#include "formats/nastran/bulk/grids.h"
#include "formats/nastran/bulk/properties.h"
#include "formats/nastran/bulk/solids.h"
#include "formats/nastran/lines/deck.h"
#include "formats/nastran/lines/mesh_sets.h"
#include "formats/nastran/lines/sets.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"

namespace solidyn::formats {

namespace {

enum class Role { skipped, element, damper, stiffness };

/// Elements have names that begin with C. So do these, which are none: a name that is not known may
/// be that of an element, or a damaged one.
bool is_known_not_to_be_element(const std::string& name) {
  static const std::set<std::string> names = {
      "CAERO1",  "CAERO2",  "CAERO3", "CAERO4", "CAERO5", "CAERO7",  "CAMPBLL", "CBARAO",
      "CDSHIFT", "CHBDYE",  "CHBDYG", "CHBDYP", "CLOAD",  "CMARKB2", "CMARKN1", "CNTLST",
      "CONTRLT", "CONVM",   "CORD3G", "CREEP",  "CSCHD",  "CSET",    "CSET1",   "CSSCHD",
      "CSUPER",  "CSUPEXT", "CYAX",   "CYJOIN", "CYSUP",  "CYSYM"};
  return names.count(name) > 0;
}

/// What an entry that is not read does to stiffness and mass.
Role role_of(std::uint64_t key) {
  static const std::unordered_map<std::uint64_t, Role> roles = [] {
    std::unordered_map<std::uint64_t, Role> all;
    for (const char* name :
         {"CBAR",    "CBEAM",   "CBEAM3",  "CBEND",   "CBUSH",   "CBUSH1D", "CBUSH2D", "CELAS1",
          "CELAS2",  "CELAS3",  "CELAS4",  "CFAST",   "CGAP",    "CMASS1",  "CMASS2",  "CMASS3",
          "CMASS4",  "CONM1",   "CONROD",  "CONV",    "CPLSTN3", "CPLSTN4", "CPLSTN6", "CPLSTN8",
          "CPLSTS3", "CPLSTS4", "CPLSTS6", "CPLSTS8", "CQUAD",   "CQUAD4",  "CQUAD8",  "CQUADR",
          "CQUADX",  "CQUADX4", "CQUADX8", "CRAC2D",  "CRAC3D",  "CROD",    "CSEAM",   "CSHEAR",
          "CTRAX3",  "CTRAX6",  "CTRIA3",  "CTRIA6",  "CTRIAR",  "CTRIAX",  "CTRIAX6", "CTUBE",
          "CWELD",   "CIHEX1",  "CIHEX2",  "CHEX8",   "CHEX20",  "CIFHEX",  "CIFPENT", "GENEL"})
      all[card_key(name)] = Role::element;
    for (const char* name : {"CDAMP1", "CDAMP2", "CDAMP3", "CDAMP4", "CDAMP5", "CVISC", "PLOTEL"})
      all[card_key(name)] = Role::damper;
    for (const char* name :
         {"MPC", "RBAR", "RBAR1", "RBE1", "RROD", "RTRPLT", "RTRPLT1", "RSPLINE", "RSSCON",
          "RJOINT", "NSM", "NSM1", "NSML", "NSML1", "MATT1", "MATT9", "MATT11", "BCTSET", "BGSET"})
      all[card_key(name)] = Role::stiffness;
    return all;
  }();
  const auto role = roles.find(key);
  return role == roles.end() ? Role::skipped : role->second;
}

class BulkReader {
 public:
  BulkReader(NastranSource main, NastranInclude include)
      : ends_open_(!main.bytes.empty() && main.bytes.back() != '\n'),
        deck_(std::move(main), std::move(include)) {}

  imported::SolidModel read(const std::string& file) {
    model_.source = file;
    model_.format = "Nastran bulk data";
    read_cards();
    check_sections();
    complaints_.throw_if_any();
    grids_.finish(deck_.lines(), complaints_, model_.report);
    complaints_.throw_if_any();
    if (grids_.size() == 0)
      throw base::InputError("the deck has no GRID entries", "is it Nastran bulk data?",
                             {file, 0, 0});
    finish_elements();
    finish_attachments();
    make_mesh();
    finish_properties_and_sets();
    apply_wtmass();
    complaints_.throw_if_any();
    return std::move(model_);
  }

 private:
  void read_cards() {
    NastranCard card;
    for (bool is_more = true; is_more;) {
      try {
        is_more = deck_.next(card);
        if (is_more) add(card);
      } catch (const base::InputError& error) {
        complaints_.add(error);
      }
    }
    for (const auto& [key, skipped] : skipped_) model_.report.skipped[skipped.name] += skipped.n;
  }

  void add(const NastranCard& card) {
    if (NastranSolids::is_solid(card.key()))
      solids_.add(card);
    else if (!grids_.add(card) && !properties_.add(card) && !attachments_.add(card) &&
             !sets_.add(card))
      pass_over(card);
  }

  void pass_over(const NastranCard& card) {
    beams_.note(card);
    if (card.is("PARAM") && card.word(1) == "WTMASS") wtmass_ = card.real(2, 1.0);
    const Role role = role_of(card.key());
    if (role == Role::element || role == Role::damper) ++model_.other_elements[card.name()];
    if (role == Role::element || role == Role::stiffness)
      model_.report.unsupported.emplace(card.name(), card.where());
    if (role != Role::skipped) return;
    Skipped& skipped = skipped_[card.key()];
    if (skipped.n++ > 0) return;
    skipped.name = card.name();
    if (skipped.name.rfind('C', 0) == 0 && !is_known_not_to_be_element(skipped.name))
      model_.report.unsupported.emplace(skipped.name, card.where());
  }

  void check_sections() {
    if (deck_.n_bulk_sections() > 1)
      complaints_.add(
          {{model_.source, 0, 0},
           fmt::format(
               "the deck has {} sections of bulk data (BEGIN BULK, BEGIN SUPER): superelements in parts are not supported",
               deck_.n_bulk_sections()),
           "write each part to a separate file"});
    if (deck_.n_bulk_sections() > 0 && !deck_.has_enddata())
      model_.report.warnings.push_back(
          {{model_.source, 0, 0}, "the deck has no ENDDATA", "check that the file is complete"});
    if (ends_open_ && !deck_.has_enddata())
      model_.report.warnings.push_back(
          {{model_.source, 0, 0},
           "the last line does not end with a line break",
           "if the file is truncated there, its last number may be incomplete: check it, or write the file again"});
    sets_.add(deck_.case_control(), deck_.lines(), model_.report);
  }

  void finish_elements() {
    solids_.connect(grids_, deck_.lines(), complaints_, model_.report);
    solids_.turn_tetrahedra(grids_, deck_.lines(), model_.report);
    complaints_.throw_if_any();
  }

  void finish_attachments() {
    std::vector<std::int64_t> tags;
    if (attachments_.has_supports()) {
      tags = grids_.tags();
      std::sort(tags.begin(), tags.end());
    }
    attachments_.finish(grids_, tags, selected_constraints(deck_.case_control()), model_,
                        complaints_);
    grids_.for_each_axes(
        [&](std::int32_t grid, const Eigen::Matrix3d& axes) {
          model_.node_axes.emplace(grids_.tags()[grid], axes);
        },
        complaints_);
    complaints_.throw_if_any();
    beams_.finish(grids_, properties_, model_);
  }

  /// Grids of solids become nodes, in their order; the others are loose.
  void make_mesh() {
    std::vector<std::int32_t> node_of_grid(grids_.size(), -1);
    for (const mesh::ElementBlock& block : solids_.blocks())
      for (const std::int32_t grid : block.connectivity) node_of_grid[grid] = 0;
    std::vector<std::int64_t> tags = grids_.take_tags();
    Eigen::Matrix3Xd x = grids_.take_x();
    std::int32_t n = 0;
    for (std::size_t grid = 0; grid < tags.size(); ++grid) {
      const auto column = static_cast<Eigen::Index>(grid);
      if (node_of_grid[grid] < 0) {
        model_.loose_nodes.push_back({tags[grid], x.col(column)});
        continue;
      }
      if (n != column) x.col(n) = x.col(column).eval();
      tags[n] = tags[grid];
      node_of_grid[grid] = n++;
    }
    x.conservativeResize(3, n);
    tags.resize(n);
    model_.mesh.x = std::move(x);
    model_.mesh.node_tags = std::move(tags);
    model_.mesh.blocks = std::move(solids_.blocks());
    for (mesh::ElementBlock& block : model_.mesh.blocks)
      for (std::int32_t& node : block.connectivity) node = node_of_grid[node];
  }

  void finish_properties_and_sets() {
    add_property_sets(model_.mesh);
    properties_.finish(model_, complaints_,
                       [this](std::int32_t frame, const base::SourceLocation& used) {
                         return grids_.material_axes(frame, used);
                       });
    complaints_.throw_if_any();
    add_listed_sets(sets_.sets(), model_);
    apply_names(deck_.names(), model_);
    add_line_sets(sets_.sets(), model_.lines);
    apply_names(deck_.names(), model_.lines);
  }

  void apply_wtmass() {
    for (const NastranDeck::CaseLine& line : deck_.case_control())
      if (line.text.find("WTMASS") != std::string::npos)
        throw base::InputError("PARAM,WTMASS in case control is not supported",
                               "put it into the bulk data", deck_.lines().where(line.serial));
    if (wtmass_ == 1.0) return;
    for (imported::Material& material : model_.materials) material.density *= wtmass_;
    for (imported::Material& material : model_.lines.materials) material.density *= wtmass_;
    for (imported::LineProperty& property : model_.lines.properties)
      property.mass_per_length *= wtmass_;
    for (imported::PointMass& mass : model_.masses) {
      mass.mass *= wtmass_;
      mass.inertia *= wtmass_;
    }
    model_.report.warnings.push_back(
        {{model_.source, 0, 0},
         fmt::format("PARAM,WTMASS,{}: densities and masses are multiplied by this value", wtmass_),
         ""});
  }

  struct Skipped {
    std::string name;
    std::int64_t n = 0;
  };

  bool ends_open_ = false;  // the main file's last line
  NastranDeck deck_;
  Complaints complaints_;
  NastranGrids grids_;
  NastranSolids solids_;
  NastranProperties properties_;
  NastranBeams beams_;
  NastranAttachments attachments_;
  NastranSets sets_;
  double wtmass_ = 1.0;
  std::unordered_map<std::uint64_t, Skipped> skipped_;
  imported::SolidModel model_;
};

}  // namespace

imported::SolidModel parse_nastran_bulk(std::string_view bytes, const std::string& file) {
  return BulkReader({file, nullptr, bytes}, refuse_include).read(file);
}

imported::SolidModel read_nastran_bulk(const std::string& path) {
  return BulkReader(open_nastran(path), include_below(path)).read(path);
}

}  // namespace solidyn::formats
