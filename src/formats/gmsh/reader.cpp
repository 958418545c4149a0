#include <fmt/format.h>

#include "formats/gmsh/builder.h"
#include "formats/shared/file_bytes.h"
#include "solidyn/formats/gmsh/gmsh.h"

namespace solidyn::formats {
namespace {

enum class Version { v1, v2, v4_0, v4_1 };

struct Format {
  Version version = Version::v2;
  bool is_v4() const { return version == Version::v4_0 || version == Version::v4_1; }
  bool is_swapped = false;
  int size_bytes = 8;
};

/// Reads $MeshFormat and sets `file.is_binary`.
Format read_format(std::string_view body, GmshFile& file) {
  const char* at = body.data();
  TextSource text(file, body.substr(0, body.find('\n') + 1));
  const double version = text.real();
  const std::int64_t encoding = text.integer(), data_size = text.integer();
  Format format;
  if (version == 4.0 || version == 4.1)
    format.version = version == 4.0 ? Version::v4_0 : Version::v4_1;
  format.size_bytes = static_cast<int>(data_size);
  if (!format.is_v4() && !(version >= 2.0 && version < 3.0))
    file.fail(
        at,
        fmt::format("MSH version {} is not supported; supported are versions 1, 2, 4.0 and 4.1",
                    version),
        "export it again (Gmsh: gmsh -save in.msh -format msh41 -o out.msh)");
  if (encoding != 0 && encoding != 1)
    file.fail(at, fmt::format("the file type is {}; expected 0 (ASCII) or 1 (binary)", encoding),
              kExportAgain);
  if (data_size != 8 && !(format.is_v4() && data_size == 4))
    file.fail(at, fmt::format("the data size is {} bytes", data_size), kExportAgain);
  if (encoding == 0) return format;
  file.is_binary = true;
  body.remove_prefix(body.find('\n') + 1);
  constexpr int kOne = 1, kSwappedOne = 0x01000000;
  const std::int64_t one = BinarySource(file, body, false, 8).integer();
  if (one != kOne && one != kSwappedOne)
    file.fail(body.data(),
              "the byte order cannot be determined: the format section does not contain a 1",
              "was the file transferred as text? Transfer it in binary mode");
  format.is_swapped = one == kSwappedOne;
  return format;
}

/// Where the sections lie: name -> what stands between `$Name` and `$EndName`.
class Sections {
 public:
  explicit Sections(GmshFile& file) : file_(file) {
    std::size_t at = 0;
    while (skip_space(at)) at = read_section(at);
  }
  const Format& format() const { return format_; }
  const std::string_view* find(const std::string& name) const {
    const auto found = bodies_.find(name);
    return found == bodies_.end() ? nullptr : &found->second;
  }
  std::string_view require(const std::string& name, const char* remedy) const {
    if (const std::string_view* body = find(name)) return *body;
    throw base::InputError(fmt::format("there is no section ${}", name), remedy,
                           {file_.name, 0, 0});
  }

 private:
  bool skip_space(std::size_t& at) const {
    at = file_.bytes.find_first_not_of(" \t\r\n", at);
    return at != std::string_view::npos;
  }

  std::size_t read_section(std::size_t at) {
    const std::string_view bytes = file_.bytes;
    const char* place = bytes.data() + at;
    if (bytes[at] != '$')
      file_.fail(place, "expected a section, which starts with `$`",
                 bodies_.empty() ? "is this a Gmsh mesh file (.msh)?" : kExportAgain);
    const std::size_t name_end = std::min(bytes.find_first_of(" \t\r\n", at), bytes.size());
    const std::string name(bytes.substr(at + 1, std::min<std::size_t>(name_end - at - 1, 40)));
    const std::size_t line_end = bytes.find('\n', name_end);
    // Version 1 has no $MeshFormat, and its two sections have names of their own.
    const bool is_v1 = name == "NOD" || name == "ELM";
    const std::string end_name = (is_v1 ? "$END" : "$End") + name;
    const std::size_t end =
        line_end == std::string_view::npos ? line_end : bytes.find(end_name, line_end);
    if (end == std::string_view::npos)
      file_.fail(place, fmt::format("section ${} is not closed: {} is missing", name, end_name),
                 kExportAgain);
    add_section(is_v1 ? (name == "NOD" ? "Nodes" : "Elements") : name,
                bytes.substr(line_end + 1, end - line_end - 1), place);
    if (is_v1) require_v1(place);
    return end + end_name.size();
  }

  void add_section(const std::string& name, std::string_view body, const char* place) {
    const bool is_new = bodies_.emplace(name, body).second;
    if (!is_new &&
        (name == "MeshFormat" || name == "Nodes" || name == "Elements" || name == "Entities"))
      file_.fail(place, fmt::format("section ${} is defined twice", name), kExportAgain);
    if (name == "MeshFormat") format_ = read_format(body, file_);
  }

  void require_v1(const char* place) {
    if (find("MeshFormat"))
      file_.fail(place, "a section of MSH version 1 in a file of a later version", kExportAgain);
    format_.version = Version::v1;
  }

  GmshFile& file_;
  Format format_;
  std::map<std::string, std::string_view> bodies_;
};

/// Layouts of the sections. `Source` is TextSource or BinarySource.
template <class Source>
class Reader {
 public:
  Reader(const Format& format, GmshBuilder& builder) : format_(format), builder_(builder) {}

  void read_entities(Source source) {
    std::int64_t n[4];
    for (std::int64_t& count : n) count = read_count(source, 2 * Source::kIntBytes, "entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::int64_t i = 0; i < n[dimension]; ++i) read_entity(source, dimension);
    require_end(source, "$Entities");
  }

  void read_nodes(Source source) {
    if (format_.version == Version::v4_0) {
      read_nodes_4_0(source);
    } else if (format_.version == Version::v4_1) {
      read_nodes_4(source);
    } else {
      read_nodes_2(source);
    }
    require_end(source, "$Nodes");
    builder_.index_nodes();
  }

  void read_elements(Source source) {
    if (format_.is_v4()) {
      read_elements_4(source);
    } else {
      read_elements_2(source);
    }
    require_end(source, "$Elements");
  }

 private:
  /// A count from the file; whatever it counts takes at least `least_bytes` each, so that an absurd
  /// count is refused before anything is allocated.
  std::int64_t read_count(Source& source, std::size_t least_bytes, const char* what) {
    const char* at = source.here();
    return check_count(source, source.size(), least_bytes, what, at);
  }
  std::int64_t check_count(Source& source, std::int64_t n, std::size_t least_bytes,
                           const char* what, const char* at) {
    const std::int64_t room = static_cast<std::int64_t>(source.n_left() / least_bytes);
    if (n < 0 || n > room)
      source.fail(at, fmt::format("{} {} are declared, but the section has room for at most {}", n,
                                  what, room));
    return n;
  }

  void require_end(Source& source, const char* section) {
    if (!source.is_at_end())
      source.fail(source.here(),
                  fmt::format("{} contains more data than its counts state", section));
  }

  Eigen::Vector3d read_point(Source& source) {
    const double x = source.real(), y = source.real();
    return {x, y, source.real()};
  }

  void read_entity(Source& source, int dimension) {
    const std::int64_t tag = source.integer();
    const bool is_only_a_point = dimension == 0 && format_.version == Version::v4_1;
    for (int i = 0; i < (is_only_a_point ? 3 : 6); ++i) source.real();
    std::vector<GmshGroup>& groups = groups_of_[{dimension, tag}];
    groups.clear();
    const std::int64_t n_groups = read_count(source, Source::kIntBytes, "physical groups");
    for (std::int64_t i = 0; i < n_groups; ++i)  // a sign gives the orientation
      groups.emplace_back(dimension, std::abs(source.integer()));
    if (dimension == 0) return;
    const std::int64_t n_bounding = read_count(source, Source::kIntBytes, "bounding entities");
    for (std::int64_t i = 0; i < n_bounding; ++i) source.integer();
  }

  void read_nodes_2(Source& source) {
    const char* at = source.here();
    const std::int64_t n = check_count(source, source.text_size(),
                                       Source::kIntBytes + 3 * Source::kRealBytes, "nodes", at);
    builder_.reserve_nodes(n);
    for (std::int64_t i = 0; i < n; ++i) {
      at = source.here();
      const std::int64_t tag = source.integer();
      builder_.add_node(tag, read_point(source), at);
    }
  }

  void read_nodes_4(Source& source) {
    const std::int64_t n_blocks = read_count(source, 3 * Source::kIntBytes, "node blocks");
    const char* count_at = source.here();
    const std::int64_t n = read_count(source, Source::kSizeBytes + 3 * Source::kRealBytes, "nodes");
    source.size(), source.size();  // smallest and largest tag: known from the tags themselves
    builder_.reserve_nodes(n);
    std::int64_t n_read = 0;
    for (std::int64_t b = 0; b < n_blocks; ++b) n_read += read_node_block(source);
    if (n_read != n)
      source.fail(count_at,
                  fmt::format("{} nodes are declared, but the blocks contain {}", n, n_read));
  }

  /// Each number stands beside its coordinates, and the entity before its dimension.
  void read_nodes_4_0(Source& source) {
    const std::int64_t n_blocks = read_count(source, 3 * Source::kIntBytes, "node blocks");
    const char* count_at = source.here();
    const std::int64_t n = read_count(source, Source::kIntBytes + 3 * Source::kRealBytes, "nodes");
    builder_.reserve_nodes(n);
    std::int64_t n_read = 0;
    for (std::int64_t b = 0; b < n_blocks; ++b) n_read += read_node_block_4_0(source);
    if (n_read != n)
      source.fail(count_at,
                  fmt::format("{} nodes are declared, but the blocks contain {}", n, n_read));
  }

  std::int64_t read_node_block_4_0(Source& source) {
    source.integer();
    const std::int64_t dimension = source.integer();
    const bool is_parametric = source.integer() != 0;
    const std::int64_t n =
        read_count(source, Source::kIntBytes + 3 * Source::kRealBytes, "nodes of a block");
    for (std::int64_t i = 0; i < n; ++i) {
      const char* at = source.here();
      const std::int64_t tag = source.integer();
      const Eigen::Vector3d x = read_point(source);
      if (is_parametric)
        for (std::int64_t p = 0; p < std::min<std::int64_t>(dimension, 3); ++p) source.real();
      builder_.add_node(tag, x, at);
    }
    return n;
  }

  std::int64_t read_node_block(Source& source) {
    const std::int64_t dimension = source.integer();
    source.integer();
    const bool is_parametric = source.integer() != 0;
    const std::int64_t n =
        read_count(source, Source::kSizeBytes + 3 * Source::kRealBytes, "nodes of a block");
    tags_.clear();
    places_.clear();
    for (std::int64_t i = 0; i < n; ++i) {
      places_.push_back(source.here());
      tags_.push_back(source.size());
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const char* at = source.here();
      const Eigen::Vector3d x = read_point(source);
      if (is_parametric)
        for (std::int64_t p = 0; p < std::min<std::int64_t>(dimension, 3); ++p) source.real();
      builder_.add_node(tags_[i], x, x.allFinite() ? places_[i] : at);
    }
    return n;
  }

  const GmshType& find_type(Source& source, std::int64_t number, const char* at) {
    const GmshType* type = find_gmsh_type(number);
    if (!type)
      source.fail(at, fmt::format("unknown Gmsh element type {}", number),
                  "mesh with tet4 (type 4) or tet10 (type 11) elements");
    return *type;
  }

  const std::vector<std::int64_t>& read_tags(Source& source, int n, bool are_sizes) {
    tags_.clear();
    for (int i = 0; i < n; ++i) tags_.push_back(are_sizes ? source.size() : source.integer());
    return tags_;
  }

  void read_elements_4(Source& source) {
    const std::int64_t n_blocks = read_count(source, 3 * Source::kIntBytes, "element blocks");
    const char* count_at = source.here();
    const std::int64_t n = read_count(source, 2 * Source::kIntBytes, "elements");
    if (format_.version == Version::v4_1) source.size(), source.size();
    std::int64_t n_read = 0;
    for (std::int64_t b = 0; b < n_blocks; ++b) n_read += read_element_block(source);
    if (n_read != n)
      source.fail(count_at,
                  fmt::format("{} elements are declared, but the blocks contain {}", n, n_read));
  }

  std::int64_t read_element_block(Source& source) {
    const char* block_at = source.here();
    const bool is_v4_1 = format_.version == Version::v4_1;
    std::int64_t dimension = source.integer(), entity = source.integer();
    if (!is_v4_1) std::swap(dimension, entity);
    const GmshType& type = find_type(source, source.integer(), block_at);
    if (dimension != type.dimension)
      source.fail(block_at, fmt::format("a block of dimension {} contains elements of type {}",
                                        dimension, type.name));
    const std::int64_t n =
        read_count(source, (1 + type.n_nodes) * Source::kIntBytes, "elements of a block");
    const std::vector<GmshGroup>& groups = groups_of_[{static_cast<int>(dimension), entity}];
    for (std::int64_t i = 0; i < n; ++i) {
      const char* at = source.here();
      const std::int64_t tag = is_v4_1 ? source.size() : source.integer();
      builder_.add_element(type, tag, read_tags(source, type.n_nodes, is_v4_1), groups, at);
    }
    return n;
  }

  void read_elements_2(Source& source) {
    const char* at = source.here();
    const std::int64_t n =
        check_count(source, source.text_size(), 2 * Source::kIntBytes, "elements", at);
    if constexpr (std::is_same_v<Source, TextSource>) {
      for (std::int64_t i = 0; i < n; ++i) {
        at = source.here();
        const std::int64_t tag = source.integer();
        const GmshType& type = find_type(source, source.integer(), at);
        if (format_.version == Version::v1) {
          read_element_1(source, type, tag, at);
          continue;
        }
        const std::int64_t n_tags = read_count(source, Source::kIntBytes, "tags of an element");
        read_element_2(source, type, tag, n_tags, at);
      }
    } else {
      for (std::int64_t n_read = 0; n_read < n;) n_read += read_element_group_2(source, n - n_read);
    }
  }

  /// After number and type: physical group, entity, number of nodes, nodes.
  void read_element_1(Source& source, const GmshType& type, std::int64_t tag, const char* at) {
    groups_.clear();
    const std::int64_t group = std::abs(source.integer());
    if (group != 0) groups_.emplace_back(type.dimension, group);
    source.integer();
    const std::int64_t n_nodes = source.integer();
    if (n_nodes != type.n_nodes)
      source.fail(at, fmt::format("element {} ({}) has {} nodes", tag, type.name, n_nodes));
    builder_.add_element(type, tag, read_tags(source, type.n_nodes, false), groups_, at);
  }

  std::int64_t read_element_group_2(Source& source, std::int64_t most) {
    const char* at = source.here();
    const GmshType& type = find_type(source, source.integer(), at);
    const std::int64_t n = source.integer(), n_tags = source.integer();
    if (n < 1 || n > most || n_tags < 0)
      source.fail(at, fmt::format("a group declares {} elements with {} tags; {} elements are left",
                                  n, n_tags, most));
    for (std::int64_t i = 0; i < n; ++i) {
      at = source.here();
      read_element_2(source, type, source.integer(), n_tags, at);
    }
    return n;
  }

  /// After the element's number: tags, of which the first is the physical group, then nodes.
  void read_element_2(Source& source, const GmshType& type, std::int64_t tag, std::int64_t n_tags,
                      const char* at) {
    groups_.clear();
    for (std::int64_t i = 0; i < n_tags; ++i) {
      const std::int64_t value = std::abs(source.integer());
      if (i == 0 && value != 0) groups_.emplace_back(type.dimension, value);
    }
    builder_.add_element(type, tag, read_tags(source, type.n_nodes, false), groups_, at);
  }

  const Format format_;
  GmshBuilder& builder_;
  std::map<std::pair<int, std::int64_t>, std::vector<GmshGroup>> groups_of_;  // by entity
  std::vector<GmshGroup> groups_;
  std::vector<std::int64_t> tags_;
  std::vector<const char*> places_;
};

/// $PhysicalNames is text in binary files too.
void read_names(const GmshFile& file, std::string_view body, GmshBuilder& builder) {
  const std::size_t line_end = std::min(body.find('\n'), body.size());
  const std::int64_t n = TextSource(file, body.substr(0, line_end)).integer();
  const char* at = body.data();
  body.remove_prefix(line_end);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::size_t open = body.find('"');
    const std::size_t close =
        open == std::string_view::npos ? open : body.find_first_of("\"\n", open + 1);
    if (close == std::string_view::npos || body[close] != '"')
      file.fail(at, fmt::format("{} physical names are declared, but only {} are complete", n, i),
                kExportAgain);
    at = body.data() + open;
    TextSource numbers(file, body.substr(0, open));
    const int dimension = static_cast<int>(numbers.integer());
    builder.name_group({dimension, numbers.integer()},
                       std::string(body.substr(open + 1, close - open - 1)));
    body.remove_prefix(close + 1);
  }
  if (body.find('"') != std::string_view::npos)
    file.fail(at, fmt::format("{} physical names are declared, but there are more", n),
              kExportAgain);
}

struct Content {
  imported::LineElements lines;
  mesh::Mesh mesh;
};

template <class MakeSource>
Content read_sections(const GmshFile& file, const Sections& sections, const Format& format,
                      double scale, const MakeSource& make_source) {
  GmshBuilder builder(file, scale);
  Reader<decltype(make_source(std::string_view()))> reader(format, builder);
  if (const std::string_view* names = sections.find("PhysicalNames"))
    read_names(file, *names, builder);
  if (format.is_v4())
    if (const std::string_view* entities = sections.find("Entities"))
      reader.read_entities(make_source(*entities));
  reader.read_nodes(make_source(sections.require("Nodes", kExportAgain)));
  reader.read_elements(make_source(sections.require(
      "Elements",
      "mesh the geometry before the export (Gmsh: -3), and check that the physical groups contain the solids")));
  imported::LineElements lines = builder.lines();
  return {std::move(lines), builder.finish()};
}

Content parse(std::string_view bytes, const std::string& name, double scale) {
  GmshFile file{bytes, name};
  if (bytes.empty())
    throw base::InputError("the file is empty", "is this a Gmsh mesh file (.msh)?", {name, 0, 0});
  const Sections sections(file);
  const Format& format = sections.format();
  if (format.version != Version::v1)
    sections.require("MeshFormat", "is this a Gmsh mesh file (.msh)?");
  if (sections.find("PartitionedEntities"))
    throw base::InputError(
        "the mesh is partitioned",
        "save it unpartitioned (Gmsh: Mesh > Unpartition); Solidyn partitions it itself",
        {name, 0, 0});
  if (file.is_binary)
    return read_sections(file, sections, format, scale, [&](std::string_view body) {
      return BinarySource(file, body, format.is_swapped, format.size_bytes);
    });
  return read_sections(file, sections, format, scale,
                       [&](std::string_view body) { return TextSource(file, body); });
}

}  // namespace

mesh::Mesh parse_gmsh(std::string_view bytes, const std::string& name, double scale) {
  return parse(bytes, name, scale).mesh;
}

mesh::Mesh read_gmsh(const std::string& path, double scale) {
  return parse_gmsh(FileBytes(path).bytes(), path, scale);
}

imported::SolidModel read_gmsh_model(const std::string& path) {
  Content content = parse(FileBytes(path).bytes(), path, 1.0);
  imported::SolidModel model;
  model.source = path;
  model.format = "Gmsh";
  model.mesh = std::move(content.mesh);
  model.lines = std::move(content.lines);
  return model;
}

}  // namespace solidyn::formats
