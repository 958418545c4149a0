#include "solidyn/reduction/sbody.h"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>
#include <optional>

#include "reduction/sbody/sbody_file.h"
#include "reduction/sbody/sbody_interfaces.h"
#include "reduction/sbody/sbody_loads.h"
#include "reduction/sbody/sbody_skin.h"
#include "reduction/sbody/sbody_stress.h"
#include "reduction/sbody/sbody_supports.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/gather.h"
#include "solidyn/base/log.h"
#include "solidyn/base/timer.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr const char* kAttachments[] = {"three_nodes", "rbe3", "rbe2", "virtual_body", "node"};
constexpr const char* kKinds[] = {"rigid",           "free_free",  "static_correction",
                                  "fixed_interface", "constraint", "load_pattern"};

constexpr elements::ElementType kSolids[] = {
    elements::ElementType::tet4,     elements::ElementType::tet10,
    elements::ElementType::hex8,     elements::ElementType::hex20,
    elements::ElementType::wedge6,   elements::ElementType::wedge15,
    elements::ElementType::pyramid5, elements::ElementType::pyramid13};

template <class Enum, std::size_t n>
Enum enum_of(const std::string& name, const char* const (&names)[n]) {
  for (std::size_t i = 0; i < n; ++i)
    if (name == names[i]) return static_cast<Enum>(i);
  throw base::Hdf5Error(fmt::format("`{}` is unknown", name));
}

MatrixXd stack(const std::vector<Eigen::Matrix3d>& blocks) {
  MatrixXd out(9, blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    out.col(i) = Eigen::Map<const Eigen::VectorXd>(blocks[i].data(), 9);
  return out;
}

std::vector<Eigen::Matrix3d> unstack(const MatrixXd& columns) {
  std::vector<Eigen::Matrix3d> out;
  for (Index i = 0; i < columns.cols(); ++i)
    out.emplace_back(Eigen::Map<const Eigen::Matrix3d>(columns.col(i).data()));
  return out;
}

std::string at(const std::string& group, std::size_t i) { return fmt::format("{}/{}", group, i); }

void put_reduced_part(const ReducedBody& body, const Provenance& provenance, SbodyWriter& file) {
  file.put("provenance", std::vector<std::string>{provenance.solidyn_version, provenance.mesh_file,
                                                  provenance.mesh_hash, provenance.options});
  const InertiaInvariants& inertia = body.inertia;
  file.group("inertia");
  file.put("inertia/mass", MatrixXd::Constant(1, 1, inertia.mass));
  file.put("inertia/first_moment", inertia.first_moment);
  file.put("inertia/N00", inertia.N00);
  file.put("inertia/S", inertia.S);
  file.put("inertia/N0", stack(inertia.N0));
  file.put("inertia/N", stack(inertia.N));
  file.put("inertia/C", stack(inertia.C));
  file.put("M", body.M);
  file.put("K", body.K);
  file.put("D", body.D);
  std::vector<std::string> kinds;
  Eigen::VectorXd frequencies(body.n_modes());
  for (int i = 0; i < body.n_modes(); ++i) {
    kinds.emplace_back(kKinds[static_cast<int>(body.modes[i].kind)]);
    frequencies[i] = body.modes[i].frequency;
  }
  file.put("kinds", kinds);
  file.put("frequencies", MatrixXd(frequencies));
  file.put("amplitude", MatrixXd(body.amplitude));

  std::vector<std::string> names, attachments;
  for (const ReducedInterface& interface : body.interfaces) {
    names.push_back(interface.name);
    attachments.emplace_back(kAttachments[static_cast<int>(interface.attach)]);
  }
  file.group("interfaces");
  file.put("interfaces/names", names);
  file.put("interfaces/attachments", attachments);
  for (std::size_t i = 0; i < body.interfaces.size(); ++i) {
    const ReducedInterface& interface = body.interfaces[i];
    const std::string group = at("interfaces", i);
    file.group(group);
    file.put(group + "/x_B", interface.x_B);
    file.put(group + "/Psi_t", interface.Psi_t);
    file.put(group + "/Psi_r", interface.Psi_r);
    file.put(group + "/Y_t", interface.Y_t);
    file.put(group + "/Y_r", interface.Y_r);
    file.put(group + "/x_nodes", interface.x_nodes);
    MatrixXd rows(3 * interface.Psi_nodes.size(), body.n_modes());
    for (std::size_t k = 0; k < interface.Psi_nodes.size(); ++k)
      rows.middleRows<3>(3 * k) = interface.Psi_nodes[k];
    file.put(group + "/Psi_nodes", rows);
  }
  names.clear();
  for (const TrackedPoint& point : body.points) names.push_back(point.name);
  file.group("points");
  file.put("points/names", names);
  for (std::size_t i = 0; i < body.points.size(); ++i) {
    file.group(at("points", i));
    file.put(at("points", i) + "/x_B", body.points[i].x_B);
    file.put(at("points", i) + "/Psi", body.points[i].Psi);
    file.put(at("points", i) + "/Y", body.points[i].Y);
  }
}

ReducedBody get_reduced_part(SbodyReader& file, Provenance& provenance) {
  ReducedBody body;
  const std::vector<std::string> words = file.strings("provenance");
  if (words.size() != 4) throw base::Hdf5Error("its provenance is incomplete");
  provenance = {words[0], words[1], words[2], words[3]};
  body.inertia.mass = file.matrix("inertia/mass")(0, 0);
  body.inertia.first_moment = file.matrix("inertia/first_moment");
  body.inertia.N00 = file.matrix("inertia/N00");
  body.inertia.S = file.matrix("inertia/S");
  body.inertia.N0 = unstack(file.matrix("inertia/N0"));
  body.inertia.N = unstack(file.matrix("inertia/N"));
  body.inertia.C = unstack(file.matrix("inertia/C"));
  body.M = file.matrix("M");
  body.K = file.matrix("K");
  body.D = file.matrix("D");
  const std::vector<std::string> kinds = file.strings("kinds");
  const MatrixXd frequencies = file.matrix("frequencies");
  for (std::size_t i = 0; i < kinds.size(); ++i)
    body.modes.push_back({enum_of<Mode::Kind>(kinds[i], kKinds), frequencies(i, 0)});
  body.amplitude = file.matrix("amplitude");

  const std::vector<std::string> names = file.strings("interfaces/names");
  const std::vector<std::string> attachments = file.strings("interfaces/attachments");
  for (std::size_t i = 0; i < names.size(); ++i) {
    ReducedInterface interface;
    const std::string group = at("interfaces", i);
    interface.name = names[i];
    interface.attach = enum_of<mesh::Attachment>(attachments.at(i), kAttachments);
    interface.x_B = file.matrix(group + "/x_B");
    interface.Psi_t = file.matrix(group + "/Psi_t");
    interface.Psi_r = file.matrix(group + "/Psi_r");
    interface.Y_t = file.matrix(group + "/Y_t");
    interface.Y_r = file.matrix(group + "/Y_r");
    interface.x_nodes = file.matrix(group + "/x_nodes");
    const MatrixXd rows = file.matrix(group + "/Psi_nodes");
    for (Index k = 0; k < rows.rows() / 3; ++k)
      interface.Psi_nodes.emplace_back(rows.middleRows<3>(3 * k));
    body.interfaces.push_back(std::move(interface));
  }
  const std::vector<std::string> points = file.strings("points/names");
  for (std::size_t i = 0; i < points.size(); ++i)
    body.points.push_back({points[i], file.matrix(at("points", i) + "/x_B"),
                           file.matrix(at("points", i) + "/Psi"),
                           file.matrix(at("points", i) + "/Y")});
  return body;
}

std::vector<std::int64_t> to_global(const mesh::DistributedMesh& mesh,
                                    const std::vector<std::int32_t>& local) {
  std::vector<std::int64_t> out;
  out.reserve(local.size());
  for (const std::int32_t node : local) out.push_back(mesh.global[node]);
  return out;
}

// The whole mesh on rank 0, in the distributed numbering.
mesh::Mesh gather_mesh(const mesh::DistributedMesh& mesh) {
  mesh::Mesh whole;
  const std::vector<double> x(mesh.x.data(), mesh.x.data() + 3 * mesh.n_owned);
  const std::vector<double> all_x = base::gather_on_first(mesh.comm, x, MPI_DOUBLE);
  whole.x = Eigen::Map<const Eigen::Matrix3Xd>(all_x.data(), 3, all_x.size() / 3);
  whole.node_tags = base::gather_on_first(
      mesh.comm,
      std::vector<std::int64_t>(mesh.node_tags.begin(), mesh.node_tags.begin() + mesh.n_owned),
      MPI_INT64_T);
  for (const elements::ElementType type : kSolids) {
    std::vector<std::int64_t> nodes, tags;
    for (const mesh::ElementBlock& block : mesh.solids)
      if (block.type == type) {
        nodes = to_global(mesh, block.connectivity);
        tags = block.tags;
      }
    nodes = base::gather_on_first(mesh.comm, nodes, MPI_INT64_T);
    tags = base::gather_on_first(mesh.comm, tags, MPI_INT64_T);
    if (!tags.empty())
      whole.blocks.push_back({type, std::vector<std::int32_t>(nodes.begin(), nodes.end()), tags});
  }
  for (const auto& [name, set] : mesh.sets) {
    const auto nodes = base::gather_on_first(mesh.comm, to_global(mesh, set.nodes), MPI_INT64_T);
    whole.sets[name] = {set.dimension, std::vector<std::int32_t>(nodes.begin(), nodes.end())};
  }
  return whole;
}

// The rows of the nodes that are kept.
std::vector<double> rows_of(const Skin& kept, const std::vector<double>& mode) {
  if (kept.node.empty()) return mode;
  std::vector<double> rows;
  rows.reserve(3 * kept.node.size());
  for (const std::int64_t node : kept.node)
    rows.insert(rows.end(), mode.begin() + 3 * node, mode.begin() + 3 * node + 3);
  return rows;
}

void put_mesh(const mesh::Mesh& mesh, SbodyWriter& file) {
  file.group("mesh");
  file.put("mesh/x", mesh.x);
  file.put("mesh/node_tags", mesh.node_tags);
  for (const elements::ElementType type : kSolids) {
    const mesh::ElementBlock* block = mesh.find_block(type);
    const std::string name = std::string("mesh/") + elements::name(type);
    file.put(name, block ? std::vector<std::int64_t>(block->connectivity.begin(),
                                                     block->connectivity.end())
                         : std::vector<std::int64_t>());
    file.put(name + "_tags", block ? block->tags : std::vector<std::int64_t>());
  }
  std::vector<std::string> names;
  std::vector<std::int64_t> dimensions;
  for (const auto& [name, set] : mesh.sets) {
    names.push_back(name);
    dimensions.push_back(set.dimension);
  }
  file.put("mesh/sets", names);
  file.put("mesh/set_dimensions", dimensions);
  file.group("mesh/set_nodes");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::int32_t>& nodes = mesh.sets.at(names[i]).nodes;
    file.put(at("mesh/set_nodes", i), std::vector<std::int64_t>(nodes.begin(), nodes.end()));
  }
}

std::vector<std::int32_t> to_nodes(const std::vector<std::int64_t>& values, std::int64_t n_nodes) {
  for (const std::int64_t node : values)
    if (node < 0 || node >= n_nodes) throw base::Hdf5Error("its mesh refers to an undefined node");
  return {values.begin(), values.end()};
}

mesh::Mesh get_mesh(SbodyReader& file) {
  mesh::Mesh mesh;
  mesh.x = file.matrix("mesh/x");
  mesh.node_tags = file.integers("mesh/node_tags");
  for (const elements::ElementType type : kSolids) {
    const std::string name = std::string("mesh/") + elements::name(type);
    mesh::ElementBlock block;
    block.type = type;
    block.connectivity = to_nodes(file.integers(name), mesh.n_nodes());
    block.tags = file.integers(name + "_tags");
    if (block.size() > 0) mesh.blocks.push_back(std::move(block));
  }
  const std::vector<std::string> names = file.strings("mesh/sets");
  const std::vector<std::int64_t> dimensions = file.integers("mesh/set_dimensions");
  for (std::size_t i = 0; i < names.size(); ++i)
    mesh.sets[names[i]] = {static_cast<int>(dimensions.at(i)),
                           to_nodes(file.integers(at("mesh/set_nodes", i)), mesh.n_nodes())};
  return mesh;
}

// Sends each rank its rows of the modes that rank 0 reads one by one. The nodes' tags stand for
// their rows in the file while the mesh is distributed.
void distribute_modes(SbodyReader* file, const std::string& path, ReducedBody& body) {
  const MPI_Comm comm = body.mesh.comm;
  const std::int64_t n_rows = 3 * body.mesh.n_global_nodes;
  body.X.resize(3 * body.mesh.n_local(), body.n_modes());
  for (int i = 0; i < body.n_modes(); ++i) {
    std::vector<double> mode;
    base::run_together(comm, [&] {
      if (!file) return;
      read_or_complain(path, [&] {
        const MatrixXd column = file->matrix(fmt::format("modes/{}", i));
        if (column.size() != n_rows) throw base::Hdf5Error("a mode has the wrong length");
        mode.assign(column.data(), column.data() + column.size());
      });
    });
    base::broadcast(comm, mode);
    for (std::int32_t k = 0; k < body.mesh.n_local(); ++k)
      body.X.block<3, 1>(3 * k, i) =
          Eigen::Map<const Eigen::Vector3d>(&mode[3 * body.mesh.node_tags[k]]);
  }
}

void add_definition(const mesh::InterfaceDefinition& definition, base::ContentHash& hash) {
  hash.add(definition.name);
  hash.add(std::int64_t{static_cast<int>(definition.attach)});
  add_selection(definition.nodes, hash);
}

// Collective. SHA-256 of a file that rank 0 reads.
std::string hash_of(MPI_Comm comm, const std::string& path) {
  std::string hex;
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    base::ContentHash hash;
    hash.add_file(path);
    hex = hash.hex();
  });
  base::broadcast(comm, hex);
  return hex;
}

// Collective. The body in a file of the cache, if there is one and it is whole.
std::optional<ReducedBody> find_cached(MPI_Comm comm, const std::string& path) {
  const std::int64_t exists = base::rank(comm) == 0 && std::filesystem::exists(path);
  if (base::sum(comm, exists) == 0) return std::nullopt;
  try {
    ReducedBody body = read_sbody(comm, path);
    base::log_info("reduction: read from the cache, {}", path);
    return body;
  } catch (const base::InputError& e) {
    base::log_warning("the cached reduced body is replaced: {}", e.what());
    return std::nullopt;
  }
}

std::string eigenmodes_in_words(int number, double up_to, const char* kind) {
  return up_to > 0.0 ? fmt::format("{} modes up to {:g} Hz", kind, up_to)
                     : fmt::format("{} {} modes", number, kind);
}

std::string describe(const ReductionOptions& options) {
  return fmt::format(
      "{}, {}, constraint modes {}, static correction {}, {} static loads, cut-off {} Hz, rigid modes {}, {} mass, {} interfaces, geometric stiffening {}",
      eigenmodes_in_words(options.free_free, options.free_free_up_to, "free-free"),
      eigenmodes_in_words(options.fixed_interface, options.fixed_interface_up_to,
                          "fixed-interface"),
      options.constraint_modes == ConstraintModesAt::none ? "none" : "at interfaces",
      options.static_correction == StaticCorrection::none ? "none" : "at interfaces",
      options.static_loads.size(), options.cut_off, options.keep_rigid_modes ? "kept" : "removed",
      options.mass == fem::MassKind::lumped ? "lumped" : "consistent", options.interfaces.size(),
      options.geometric_stiffening == GeometricStiffening::none ? "none" : "of second order");
}

}  // namespace

void write_sbody(const std::string& path, const ReducedBody& body, const Provenance& provenance,
                 const SbodyContent& content) {
  const MPI_Comm comm = body.mesh.comm;
  Skin kept;
  kept.mesh = gather_mesh(body.mesh);
  const bool writes = base::rank(comm) == 0;
  std::unique_ptr<SbodyWriter> file;
  base::run_together(comm, [&] {
    if (!writes) return;
    if (content.geometry == Geometry::skin) kept = make_skin(kept.mesh);
    file = std::make_unique<SbodyWriter>(base::own_temporary_name(path), content.precision);
    put_reduced_part(body, provenance, *file);
    put_stress_places(body.stress.places, *file);
    put_interface_reports(body.interfaces, *file);
    put_loads(body.loads, *file);
    put_supports(body.supports, *file);
    put_mesh(kept.mesh, *file);
    file->group("modes");
  });
  for (int i = 0; i < body.n_modes(); ++i) {
    const double* mine = body.X.col(i).data();
    const auto mode = base::gather_on_first(
        comm, std::vector<double>(mine, mine + 3 * body.mesh.n_owned), MPI_DOUBLE);
    base::run_together(comm, [&] {
      if (writes) file->put_field(fmt::format("modes/{}", i), rows_of(kept, mode));
    });
  }
  put_stress_in_pictures(body, kept.row_of, file.get());
  base::run_together(comm, [&] {
    if (!writes) return;
    file->finish();
    base::replace_by_temporary(path, base::own_temporary_name(path));
  });
}

ReducedBody read_sbody(MPI_Comm comm, const std::string& path, Provenance* provenance) {
  const bool reads_field = base::rank(comm) == 0;
  ReducedBody body;
  Provenance found;
  mesh::Mesh whole;
  std::vector<std::int64_t> tags;
  std::unique_ptr<SbodyReader> file;
  base::run_together(comm, [&] {
    read_or_complain(path, [&] {
      file = std::make_unique<SbodyReader>(path);
      body = get_reduced_part(*file, found);
      body.stress.places = get_stress_places(*file);
      get_interface_reports(*file, body.interfaces);
      body.loads = get_loads(*file);
      body.supports = get_supports(*file);
      if (!reads_field) {
        file.reset();
        return;
      }
      whole = get_mesh(*file);
      tags = whole.node_tags;
      std::iota(whole.node_tags.begin(), whole.node_tags.end(), 0);
    });
  });
  base::broadcast(comm, tags);
  body.mesh = mesh::distribute(comm, std::move(whole));
  distribute_modes(file.get(), path, body);
  distribute_stress(file.get(), path, body);
  base::run_together(comm, [&] {
    if (file) read_or_complain(path, [&] { file->check_sum(); });
  });
  for (std::int64_t& tag : body.mesh.node_tags) tag = tags[tag];
  if (provenance) *provenance = found;
  return body;
}

bool is_sbody(const std::string& path) {
  try {
    return base::read_string_attribute(base::open_hdf5(path), "format") == kSbodyFormat;
  } catch (const std::runtime_error&) {  // no HDF5 file, or one without formats
    return false;
  }
}

namespace {

void add_masses(const fem::AttachedMasses& masses, base::ContentHash& hash) {
  for (const fem::NodeMass& mass : masses.at_nodes) {
    hash.add(mass.mass);
    hash.add(mass.node);
  }
  for (const fem::FrameMass& mass : masses.on_frames) {
    hash.add(mass.mass);
    hash.add(mass.x.data(), 3);
    hash.add(mass.inertia.data(), 9);
    add_definition(mass.carrier, hash);
  }
}

// Of an isotropic material the three numbers that it always was.
void add_material(const fem::Material& material, base::ContentHash& hash) {
  if (const fem::IsotropicElastic* isotropic = material.isotropic()) {
    for (const double value :
         {isotropic->youngs_modulus, isotropic->poissons_ratio, isotropic->density})
      hash.add(value);
    return;
  }
  const materials::Matrix6d C = material.stiffness();
  const materials::Axes& axes = material.axes;
  hash.add(material.density());
  hash.add(C.data(), 36);
  hash.add(std::int64_t{static_cast<int>(axes.kind)});
  hash.add(axes.R.data(), 9);
  hash.add(axes.origin.data(), 3);
  hash.add(axes.turn.data(), 9);
}

void add_sections(const fem::Sections& sections, base::ContentHash& hash) {
  hash.add(std::int64_t{sections.is_one() ? 1 : 0});
  for (const fem::Section& section : sections.all()) {
    add_material(section.material, hash);
    hash.add(std::int64_t{static_cast<int>(section.hex8)});
    hash.add(std::int64_t{static_cast<int>(section.hex20)});
  }
}

}  // namespace

namespace {

// Raised when the same input makes another body: 1, rbe3 on sets of faces by their mass matrix; 2,
// supports by the means of their regions.
constexpr std::int64_t kReductionRules = 2;

}  // namespace

std::string cache_key(const std::string& mesh_hash, double mesh_scale,
                      const fem::Sections& sections, const ReductionOptions& options) {
  base::ContentHash hash;
  hash.add(std::string(kSbodyFormat));
  hash.add(kSbodyVersion);
  hash.add(kReductionRules);
  hash.add(std::string(SOLIDYN_VERSION));
  hash.add(mesh_hash);
  add_sections(sections, hash);
  for (const double value :
       {mesh_scale, options.damping.rayleigh_alpha, options.damping.rayleigh_beta,
        options.damping.modal_ratio, options.damping.modal_from, options.tolerance, options.cut_off,
        options.free_free_up_to, options.fixed_interface_up_to})
    hash.add(value);
  for (const int value :
       {options.free_free, static_cast<int>(options.static_correction), options.fixed_interface,
        static_cast<int>(options.constraint_modes), static_cast<int>(options.keep_rigid_modes),
        static_cast<int>(options.mass), static_cast<int>(options.geometric_stiffening),
        static_cast<int>(options.interfaces.size()), static_cast<int>(options.static_loads.size())})
    hash.add(std::int64_t{value});
  for (const mesh::InterfaceDefinition& definition : options.interfaces)
    add_definition(definition, hash);
  for (const LoadPattern& pattern : options.static_loads) {
    hash.add(std::int64_t{static_cast<int>(pattern.kind)});
    add_selection(pattern.where, hash);
    hash.add(pattern.direction.data(), 3);
  }
  for (const PointDefinition& point : options.points) {
    hash.add(point.name);
    hash.add(point.x_B.data(), 3);
  }
  for (const LoadDefinition& load : options.loads) {
    hash.add(load.name);
    hash.add(digest(load));
  }
  for (const SupportDefinition& support : options.supports) {
    hash.add(support.name);
    hash.add(digest(support));
    hash.add(std::int64_t{support.moves});
  }
  add_masses(options.masses, hash);
  add_stress_options(options.stress, hash);
  return hash.hex();
}

ReducedBody reduce_cached(MPI_Comm comm, const std::string& cache_folder, const MeshSource& source,
                          const fem::Sections& sections, const ReductionOptions& options,
                          ReductionTimings* timings, Provenance* provenance) {
  const base::Timer timer;
  const std::string mesh_hash = source.hash.empty() ? hash_of(comm, source.file) : source.hash;
  const Provenance origin{SOLIDYN_VERSION, source.file, mesh_hash, describe(options)};
  if (provenance) *provenance = origin;
  if (cache_folder.empty()) return reduce(source.load(), sections, options, timings);
  const std::string path =
      cache_folder + "/" + cache_key(mesh_hash, source.scale, sections, options) + ".sbody";
  if (std::optional<ReducedBody> body = find_cached(comm, path)) {
    if (timings) {
      *timings = {};
      timings->is_from_cache = true;
      timings->total = timer.seconds();
    }
    return std::move(*body);
  }
  ReducedBody body = reduce(source.load(), sections, options, timings);
  try {
    base::run_together(comm, [&] {
      if (base::rank(comm) == 0) std::filesystem::create_directories(cache_folder);
    });
    write_sbody(path, body, origin);
  } catch (const std::exception& e) {
    base::log_warning("the reduced body could not be stored in the cache `{}`: {}", cache_folder,
                      e.what());
  }
  return body;
}

}  // namespace solidyn::reduction
