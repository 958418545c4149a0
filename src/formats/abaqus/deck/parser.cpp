#include "formats/abaqus/deck/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace solidyn::formats::abaqus {
namespace {

template <std::size_t n>
bool is_one_of(const std::array<const char*, n>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// They make nodes and elements that the file does not list.
bool makes_mesh(const std::string& name) {
  static const std::array<const char*, 7> names = {"NGEN",  "NFILL",  "NCOPY",           "NMAP",
                                                   "ELGEN", "ELCOPY", "SUBSTRUCTURECOPY"};
  return is_one_of(names, name);
}

/// They add stiffness, mass or constraints that the reader does not understand.
bool changes_matrices(const std::string& name) {
  static const std::array<const char*, 32> names = {"EQUATION",
                                                    "TIE",
                                                    "SPRING",
                                                    "DASHPOT",
                                                    "CONTACTPAIR",
                                                    "CONTACT",
                                                    "CONNECTORSECTION",
                                                    "CONNECTORBEHAVIOR",
                                                    "SHELLSECTION",
                                                    "SHELLGENERALSECTION",
                                                    "FRAMESECTION",
                                                    "MEMBRANESECTION",
                                                    "COHESIVESECTION",
                                                    "GASKETSECTION",
                                                    "SURFACESECTION",
                                                    "EMBEDDEDELEMENT",
                                                    "SHELLTOSOLIDCOUPLING",
                                                    "FASTENER",
                                                    "UEL",
                                                    "USERELEMENT",
                                                    "UELPROPERTY",
                                                    "MATRIX",
                                                    "MATRIXINPUT",
                                                    "MATRIXASSEMBLE",
                                                    "SUBSTRUCTUREPROPERTY",
                                                    "NONSTRUCTURALMASS",
                                                    "FOUNDATION",
                                                    "CYCLICSYMMETRYMODEL",
                                                    "PRE-TENSIONSECTION",
                                                    "JOINT",
                                                    "GAP",
                                                    "REBARLAYER"};
  return is_one_of(names, name);
}

class DeckParser {
 public:
  DeckParser(AbaqusSource& source, AbaqusComplaints& complaints)
      : context_{source, complaints, deck_},
        mesh_(context_),
        properties_(context_),
        beams_(context_) {}

  Deck read() {
    AbaqusKeyword keyword;
    while (context_.source.next_keyword(keyword)) {
      if (read_structure(keyword) || mesh_.read(keyword, scope()) ||
          properties_.read(keyword, scope()) || beams_.read(keyword, scope()))
        continue;
      pass_over(keyword);
    }
    require_ends();
    warn_of_open_sections();
    return std::move(deck_);
  }

 private:
  Scope& scope() {
    if (is_in_instance_) return deck_.instances.back().scope;
    return part_ ? *part_ : deck_.root;
  }

  /// Parts, instances, steps.
  bool read_structure(const AbaqusKeyword& keyword) {
    const std::string& name = keyword.name;
    if (name == "PART") {
      begin_part(keyword);
    } else if (name == "ENDPART") {
      part_ = nullptr;
    } else if (name == "INSTANCE") {
      begin_instance(keyword);
    } else if (name == "ENDINSTANCE") {
      is_in_instance_ = false;
    } else if (name == "ASSEMBLY" || name == "STEP") {
      begin_section(keyword);
    } else if (name == "ENDASSEMBLY" || name == "ENDSTEP") {
      open_sections_.erase(name.substr(3));
    } else if (name != "HEADING" && name != "PREPRINT") {
      return false;
    }
    return true;
  }

  void begin_section(const AbaqusKeyword& keyword) {
    open_sections_[keyword.name] = keyword.place;
    const std::string* name = keyword.find("NAME");
    if (keyword.name == "ASSEMBLY" && name) deck_.assembly = *name;
  }

  /// What they may hold besides is not known: a shorter file is a good one otherwise.
  void warn_of_open_sections() {
    for (const auto& [name, place] : open_sections_)
      deck_.report.warnings.push_back({context_.source.location(place),
                                       fmt::format("*{} is not closed", name),
                                       "is the file truncated?"});
  }

  void begin_part(const AbaqusKeyword& keyword) {
    const std::string* name = context_.require(keyword, "NAME");
    mesh_.reset_system();
    open_ = keyword;
    const std::string given = name ? *name : "?";
    const auto [part, is_new] = deck_.parts.emplace(abaqus_fold(given), Scope{});
    if (!is_new)
      context_.complain(keyword.place, fmt::format("the part `{}` is defined twice", given),
                        "rename one of them");
    part->second.name = given;
    part_ = &part->second;
  }

  void begin_instance(const AbaqusKeyword& keyword) {
    const std::string* name = context_.require(keyword, "NAME");
    const std::string* part = context_.require(keyword, "PART");
    mesh_.reset_system();
    open_ = keyword;
    is_in_instance_ = true;
    Instance instance;
    instance.scope.name = name ? *name : "?";
    instance.part = part ? *part : "";
    instance.place = keyword.place;
    double shift[3], turn[7];
    if (context_.read_numbers(shift, 3)) {
      instance.place_part.translation() = Eigen::Vector3d(shift[0], shift[1], shift[2]);
      if (context_.read_numbers(turn, 7)) rotate(turn, instance);
    }
    deck_.instances.push_back(std::move(instance));
  }

  /// About the axis from a to b, after the shift.
  void rotate(const double* turn, Instance& instance) {
    const Eigen::Vector3d a(turn[0], turn[1], turn[2]), b(turn[3], turn[4], turn[5]);
    const Eigen::Vector3d axis = b - a;
    if (turn[6] == 0.0) return;
    if (!(axis.norm() > 0.0) || !std::isfinite(axis.norm()))
      return context_.complain("the rotation axis of the instance has zero length",
                               "give two different points, then the angle in degrees");
    const Eigen::AngleAxisd rotation(turn[6] * EIGEN_PI / 180.0, axis.normalized());
    instance.place_part =
        Eigen::Translation3d(a) * rotation * Eigen::Translation3d(-a) * instance.place_part;
  }

  void pass_over(const AbaqusKeyword& keyword) {
    if (makes_mesh(keyword.name))
      context_.complain(
          keyword.place,
          fmt::format("*{} generates nodes or elements, which is not supported", keyword.name),
          "write the complete mesh to the file");
    else if (changes_matrices(keyword.name))
      context_.note_unsupported(keyword.name, keyword.place);
    else
      count_skipped(keyword.name);
  }

  void count_skipped(const std::string& name) {
    constexpr std::size_t kMostNames = 200, kLongest = 40;
    const bool is_listed = deck_.report.skipped.size() < kMostNames && name.size() < kLongest;
    ++deck_.report.skipped[is_listed ? name : "others"];
  }

  /// A part or instance that continues to the end of the file was cut off.
  void require_ends() {
    if (!part_ && !is_in_instance_) return;
    context_.complain(open_.place, fmt::format("*{} is not closed", open_.name),
                      fmt::format("*END {} is missing: is the file truncated?", open_.name));
  }

  Deck deck_;
  ParserContext context_;
  MeshParser mesh_;
  PropertyParser properties_;
  BeamParser beams_;
  Scope* part_ = nullptr;
  bool is_in_instance_ = false;
  AbaqusKeyword open_;
  std::map<std::string, AbaqusPlace> open_sections_;  // *STEP and *ASSEMBLY without their ends
};

}  // namespace

Deck read_deck(AbaqusSource& source, AbaqusComplaints& complaints) {
  return DeckParser(source, complaints).read();
}

}  // namespace solidyn::formats::abaqus
