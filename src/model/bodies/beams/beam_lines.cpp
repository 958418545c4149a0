#include "model/bodies/beams/beam_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/beams/beam_line.h"
#include "model/bodies/import/imported_body.h"
#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using imported::LineElement;

constexpr double kAlong = 1e-6;  // sine of the angle between a line and its orientation

MaterialDescription described(const imported::Material& m) {
  return {m.name, materials::Material(m.youngs_modulus, m.poissons_ratio, m.density), false,
          m.where};
}

class Lines {
 public:
  Lines(const imported::SolidModel& file, const ModelDescription& model, const BeamOfMesh& body,
        const NodePositions& nodes, LineComplaints& complaints)
      : file_(file), model_(model), body_(body), nodes_(nodes), complaints_(complaints) {}

  std::vector<BeamLineElement> make() {
    find_groups();
    std::vector<BeamLineElement> lines;
    for (std::size_t e = 0; e < file_.lines.elements.size(); ++e) {
      const LineElement& line = file_.lines.elements[e];
      BeamLineElement made;
      made.line = &line;
      if (groups_[e]) made.group = static_cast<int>(groups_[e] - body_.groups.data());
      const bool has_place = set_axes(line, groups_[e], made);
      const bool has_material = set_material(line, groups_[e], made);
      const bool has_section = set_section(line, groups_[e], made);
      if (has_place && has_material && has_section) lines.push_back(made);
    }
    return lines;
  }

 private:
  // The model file's group of each line; null without one.
  void find_groups() {
    groups_.assign(file_.lines.elements.size(), nullptr);
    std::map<std::string, const std::vector<std::size_t>*> by_name;
    for (const auto& [name, members] : file_.lines.groups)
      by_name.emplace(name_in_model(name), &members);
    for (const BeamGroup& group : body_.groups) {
      const auto found = by_name.find(group.name);
      if (found == by_name.end())
        refuse_group(group, by_name);
      else
        for (const std::size_t e : *found->second) put_into(group, e);
    }
  }

  template <class Map>
  void refuse_group(const BeamGroup& group, const Map& by_name) {
    std::vector<std::string> known;
    for (const auto& entry : by_name) known.push_back(entry.first);
    complaints_.add({group.where,
                     fmt::format("bodies.{}.groups.{}: {} has no lines of this name", body_.name,
                                 group.name, file_.source),
                     known.empty() ? "its lines are in no named group"
                                   : suggestion(group.name, known, "there are")});
  }

  void put_into(const BeamGroup& group, std::size_t e) {
    if (groups_[e] && groups_[e] != &group)
      complaints_.add(file_.lines.elements[e],
                      fmt::format("two groups, {} and {}, of bodies.{}.groups", groups_[e]->name,
                                  group.name, body_.name),
                      "use groups without common lines");
    groups_[e] = &group;
  }

  const imported::LineProperty* property_of(const LineElement& line) const {
    return line.property < 0 ? nullptr : &file_.lines.properties[line.property];
  }

  bool has_own_section(const BeamGroup* group) const {
    return (group && group->section) || body_.section;
  }

  const SectionDescription& own_section(const BeamGroup* group) const {
    return group && group->section ? *group->section : *body_.section;
  }

  bool has_own_stiffness(const BeamGroup* group) const {
    return has_own_section(group) && own_section(group).rigidity() != nullptr;
  }

  // ---- Section and material

  bool set_section(const LineElement& line, const BeamGroup* group, BeamLineElement& made) {
    beams::Rigidity& rigidity = made.properties.rigidity;
    if (has_own_section(group)) {
      made.properties = properties_of(own_section(group), made.material);
    } else if (const imported::LineProperty* property = property_of(line)) {
      made.properties = properties_of(section_of(property->shape, poissons_ratio_of(made.material)),
                                      made.material);
      made.properties.mass_per_length += property->mass_per_length;
      if (property->mass_per_length > 0.0 && !body_.has_unit_system)
        return refuse_unit(line, "a mass per length");
    } else {
      if (is_told()) return false;
      complaints_.add(line, "no section",
                      fmt::format("give  bodies.{0}.section, or  bodies.{0}.groups", body_.name));
      return false;
    }
    if (!line.has_shear && !has_own_stiffness(group)) rigidity.GA_y = rigidity.GA_z = 0.0;
    return true;
  }

  // The reader has said what is wrong with properties of this file.
  bool is_told() const { return !file_.lines.errors.empty(); }

  bool refuse_unit(const LineElement& line, const char* what) {
    complaints_.add(
        line,
        fmt::format("{} whose unit is unknown: bodies.{}.mesh_units is a unit of length", what,
                    body_.name),
        "give a unit system, for example  mesh_units: tonne-mm-s");
    return false;
  }

  bool set_material(const LineElement& line, const BeamGroup* group, BeamLineElement& made) {
    if (has_own_stiffness(group)) return true;
    const std::string& own = group && !group->material.empty() ? group->material : body_.material;
    const imported::LineProperty* property = property_of(line);
    if (!own.empty()) {
      made.material = model_.materials.at(own);
      return true;
    }
    if (!property || property->material < 0) {
      if (is_told()) return false;
      complaints_.add(line, "no material", fmt::format("give  bodies.{}.material", body_.name));
      return false;
    }
    const imported::Material& given = file_.lines.materials[property->material];
    if (const MaterialDescription* other = find_material_of_model(model_, given.name)) {
      made.material = *other;
      return true;
    }
    if (!body_.has_unit_system) return refuse_unit(line, "a material");
    made.material = described(given);
    made.has_material_of_file = true;
    return is_good(line, given);
  }

  bool is_good(const LineElement& line, const imported::Material& m) {
    const auto refuse = [&](const std::string& what) {
      complaints_.add(
          line, fmt::format("the material {} with {}", m.name, what),
          fmt::format("correct it in the file, or define it as  materials.{}  in the model file",
                      name_in_model(m.name)));
      return false;
    };
    if (!(m.youngs_modulus > 0.0))
      return refuse(fmt::format("Young's modulus {:g} Pa", m.youngs_modulus));
    if (!(m.poissons_ratio > -1.0))
      return refuse(fmt::format("Poisson's ratio {:g}", m.poissons_ratio));
    if (!(m.density > 0.0)) return refuse(fmt::format("density {:g} kg/m^3", m.density));
    return true;
  }

  // ---- Where it is

  bool set_axes(const LineElement& line, const BeamGroup* group, BeamLineElement& made) {
    std::array<Vector3d, 2> ends;
    for (int i = 0; i < 2; ++i) {
      const auto node = nodes_.find(line.nodes[i]);
      if (node == nodes_.end()) {
        complaints_.add(line,
                        fmt::format("node {}, which is not defined in the file", line.nodes[i]),
                        "add the node to the file");
        return false;
      }
      ends[i] = node->second + line.offsets[i];
    }
    made.length = (ends[1] - ends[0]).norm();
    const double scale = std::max(ends[0].cwiseAbs().maxCoeff(), ends[1].cwiseAbs().maxCoeff());
    if (made.length <= 1e-9 * scale) {
      complaints_.add(line, "zero length: both ends coincide", "remove it, or merge its nodes");
      return false;
    }
    if (!orient((ends[1] - ends[0]) / made.length, line, group, made)) return false;
    for (int i = 0; i < 2; ++i) made.arms[i] = line.offsets[i];
    if (has_own_section(group))
      for (Vector3d& arm : made.arms) arm += made.R_BS * own_section(group).offset;
    return true;
  }

  bool orient(const Vector3d& x, const LineElement& line, const BeamGroup* group,
              BeamLineElement& made) {
    const bool is_of_group = group && !group->y_axis.isZero(0.0);
    const bool is_of_body = !body_.y_axis.isZero(0.0);
    Vector3d y = is_of_group ? group->y_axis : is_of_body ? body_.y_axis : line.towards_y;
    if (y.isZero(0.0)) y = default_y_axis(x);
    if (y.normalized().cross(x).norm() <= kAlong) {
      complaints_.add(
          line,
          is_of_group || is_of_body
              ? fmt::format("the direction of the `y_axis` of bodies.{}", body_.name)
              : std::string("an orientation parallel to its axis"),
          is_of_group || is_of_body
              ? "give a direction not parallel to any line, or a y_axis for each of `groups`"
              : "give an orientation not parallel to the line");
      return false;
    }
    made.R_BS = section_axes(x, y);
    const imported::LineProperty* property = property_of(line);
    if (property && !has_own_section(group))
      made.R_BS *= Eigen::AngleAxisd(property->turn, Vector3d::UnitX()).toRotationMatrix();
    return true;
  }

  const imported::SolidModel& file_;
  const ModelDescription& model_;
  const BeamOfMesh& body_;
  const NodePositions& nodes_;
  LineComplaints& complaints_;
  std::vector<const BeamGroup*> groups_;
};

}  // namespace

void LineComplaints::add(const LineElement& line, const std::string& what,
                         const std::string& remedy) {
  auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                           [&](const Kind& k) { return k.what == what && k.remedy == remedy; });
  if (kind == kinds_.end()) kind = kinds_.insert(kind, {what, remedy, line.where, {}});
  // Halves of a line with a node in its middle have one name.
  if (kind->names.empty() || kind->names.back() != line.name) kind->names.push_back(line.name);
}

std::vector<base::Diagnostic> LineComplaints::all() const {
  constexpr std::size_t kFirst = 5;
  std::vector<base::Diagnostic> all = others_;
  for (const Kind& kind : kinds_) {
    std::string names;
    for (std::size_t i = 0; i < std::min(kFirst, kind.names.size()); ++i)
      names += (i ? ", " : "") + kind.names[i];
    if (kind.names.size() > kFirst)
      names += fmt::format(" and {} more", kind.names.size() - kFirst);
    const char* has = kind.names.size() > 1 ? "have" : "has";
    all.push_back({kind.where, fmt::format("{} {} {}", names, has, kind.what), kind.remedy});
  }
  return all;
}

std::vector<BeamLineElement> make_beam_lines(const imported::SolidModel& file,
                                             const ModelDescription& model, const BeamOfMesh& body,
                                             const NodePositions& nodes,
                                             LineComplaints& complaints) {
  return Lines(file, model, body, nodes, complaints).make();
}

}  // namespace solidyn::model
