#include "results/field_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "results/link_name.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/elements/edge_order.h"

namespace solidyn::results {
namespace {

using base::H5Dataset;
using base::H5File;
using base::H5Group;
using base::InputError;
using elements::ElementType;
using Integers = std::vector<std::int64_t>;

constexpr const char* kFieldsFormat = "solidyn fields";
constexpr std::int64_t kFieldsVersion = 1;
constexpr double kNotYet = std::numeric_limits<double>::quiet_NaN();

Integers nodes_of(const FieldPart& part, ElementType shape) {
  Integers nodes;
  for (const FieldCells& cells : part.cells)
    if (cells.shape == shape) nodes.insert(nodes.end(), cells.nodes.begin(), cells.nodes.end());
  return nodes;
}

Integers all_cell_nodes(const FieldPart& part) {
  Integers nodes;
  for (const FieldCells& cells : part.cells)
    nodes.insert(nodes.end(), cells.nodes.begin(), cells.nodes.end());
  return nodes;
}

// To VTK's order, which is XDMF's.
Integers reordered(const Integers& rows, ElementType shape) {
  const std::vector<int>& order = elements::around_order(shape);
  Integers out(rows.size());
  for (std::size_t cell = 0; cell < rows.size(); cell += order.size())
    for (std::size_t i = 0; i < order.size(); ++i) out[cell + order[i]] = rows[cell + i];
  return out;
}

PlacedPart::Cells place_cells(MPI_Comm comm, const RowNumbering& numbering, ElementType shape,
                              const Integers& nodes) {
  PlacedPart::Cells cells{shape, 0, 0, reordered(numbering.rows_of(nodes), shape)};
  cells.n = static_cast<std::int64_t>(nodes.size()) / elements::n_nodes(shape);
  MPI_Exscan(&cells.n, &cells.first, 1, MPI_INT64_T, MPI_SUM, comm);
  if (base::rank(comm) == 0) cells.first = 0;
  return cells;
}

void require_agreement(MPI_Comm comm, const FieldPart& part) {
  std::string text;
  for (const FieldQuantity& q : part.quantities)
    text += fmt::format("{}\n{}\n{}\n", q.name, q.unit, q.n_components);
  std::string first = text;
  base::broadcast(comm, first);
  const bool differs = base::sum(comm, std::int64_t{text != first}) > 0;
  if (differs)
    throw base::ComputationError(
        fmt::format("fields: the quantities of part `{}` differ between ranks", part.name));
}

int n_components_of(const FieldPart& part) {
  int n = 3;
  for (const FieldQuantity& quantity : part.quantities) n += quantity.n_components;
  return n;
}

// Appends to `rows` those of the part's own nodes, counted over all parts.
PlacedPart place_part(MPI_Comm comm, const FieldPart& part, std::int64_t first_row,
                      Integers& rows) {
  require_agreement(comm, part);
  const RowNumbering numbering(comm, all_cell_nodes(part));
  Integers own = numbering.rows_of(part.tags);
  if (!RowExchange(comm, own, numbering.n_rows()).covers_all_rows())
    throw base::ComputationError(fmt::format(
        "fields: a node of part `{}` belongs to no rank, or to two of them", part.name));
  for (std::int64_t& row : own) row = row < 0 ? row : row + first_row;
  rows.insert(rows.end(), own.begin(), own.end());

  PlacedPart placed;
  placed.in_file = {part.name, link_name(part.name), numbering.n_rows(), {}, part.quantities};
  placed.first_row = first_row;
  for (const elements::ElementTraits& traits : elements::kElements) {
    const ElementType shape = traits.type;
    PlacedPart::Cells cells = place_cells(comm, numbering, shape, nodes_of(part, shape));
    const std::int64_t n_cells = base::sum(comm, cells.n);
    if (n_cells == 0) continue;
    placed.in_file.cells.push_back({shape, n_cells});
    placed.cells.push_back(std::move(cells));
  }
  return placed;
}

Integers tags_in_order(const RowExchange& nodes, const std::vector<FieldPart>& parts) {
  std::vector<double> tags;
  for (const FieldPart& part : parts) tags.insert(tags.end(), part.tags.begin(), part.tags.end());
  const std::vector<double> block = nodes.to_block(tags.data(), 1);
  return {block.begin(), block.end()};
}

std::string nodes_path(const XdmfPart& part) { return group_of(part) + "/nodes"; }

void create_part(hid_t file, const XdmfPart& part) {
  const H5Group group = base::create_group(file, group_of(part));
  base::write_attribute(group, "name", part.name);
  base::create_rows(group, "nodes", H5T_NATIVE_INT64, {part.n_nodes});
  base::create_group(group, "cells");
  for (const XdmfPart::Cells& cells : part.cells)
    base::create_rows(file, cells_path(part, cells.shape), H5T_NATIVE_INT64,
                      {cells.n, elements::n_nodes(cells.shape)});
  base::write_attribute(base::create_group(group, "positions"), "unit", std::string("m"));
  for (const FieldQuantity& quantity : part.quantities)
    base::write_attribute(base::create_group(group, link_name(quantity.name)), "unit",
                          quantity.unit);
}

// Snapshot by snapshot, so that what is written together lies together.
void create_snapshots(hid_t file, const Placement& placement, std::int64_t begin,
                      std::int64_t end) {
  for (std::int64_t k = begin; k < end; ++k) {
    for (const PlacedPart& part : placement.parts) {
      const std::int64_t n = part.in_file.n_nodes;
      for (const FieldQuantity& quantity : quantities_of(part.in_file))
        base::create_rows(
            file, values_path(part.in_file, quantity.name, k), H5T_NATIVE_DOUBLE,
            quantity.n_components == 1 ? Integers{n} : Integers{n, quantity.n_components});
    }
  }
}

H5Dataset open_dataset(hid_t file, const std::string& path) {
  return H5Dataset{SOLIDYN_HDF5(H5Dopen2(file, path.c_str(), H5P_DEFAULT))};
}

std::int64_t offset_of(hid_t file, const std::string& path) {
  return static_cast<std::int64_t>(H5Dget_offset(open_dataset(file, path)));
}

InputError other_parts(const std::string& path, const std::string& what) {
  return InputError(fmt::format("{} contains other bodies than this run: {}", path, what),
                    "restart with the unchanged model, or start a new run");
}

void require_shape(hid_t file, const std::string& path, const std::string& dataset,
                   const Integers& shape) {
  if (base::shape_of(file, dataset) != shape) throw other_parts(path, dataset + " differs in size");
}

void require_same_part(hid_t file, const std::string& path, const PlacedPart& placed,
                       const Placement& placement) {
  const XdmfPart& part = placed.in_file;
  require_shape(file, path, nodes_path(part), {part.n_nodes});
  for (const XdmfPart::Cells& cells : part.cells)
    require_shape(file, path, cells_path(part, cells.shape),
                  {cells.n, elements::n_nodes(cells.shape)});
  for (const FieldQuantity& quantity : part.quantities)
    if (!base::contains(file, group_of(part) + "/" + link_name(quantity.name)))
      throw other_parts(path, fmt::format("`{}` of `{}` is missing", quantity.name, part.name));
  const Placement::Range range = placement.own_rows(placed);
  Integers tags(range.size());
  base::read_rows(open_dataset(file, nodes_path(part)), range.begin, range.size(), tags.data());
  if (tags != placement.own_tags(placed))
    throw other_parts(path, fmt::format("`{}` has other nodes", part.name));
}

}  // namespace

Placement::Range Placement::own_rows(const PlacedPart& part) const {
  const auto within = [&](std::int64_t row) {
    return std::clamp(row - part.first_row, std::int64_t{0}, part.in_file.n_nodes);
  };
  return {within(nodes.first()), within(nodes.first() + nodes.n())};
}

Integers Placement::own_tags(const PlacedPart& part) const {
  const Range range = own_rows(part);
  if (range.size() == 0) return {};
  const auto first = tags.begin() + (part.first_row + range.begin - nodes.first());
  return {first, first + range.size()};
}

Placement place(MPI_Comm comm, const std::vector<FieldPart>& parts) {
  std::vector<PlacedPart> placed;
  Integers rows;
  std::int64_t n_rows = 0;
  int n_components = 3;
  std::vector<std::int32_t> first_own{0};
  for (const FieldPart& part : parts) {
    placed.push_back(place_part(comm, part, n_rows, rows));
    n_rows += placed.back().in_file.n_nodes;
    n_components = std::max(n_components, n_components_of(part));
    first_own.push_back(static_cast<std::int32_t>(rows.size()));
  }
  RowExchange nodes(comm, rows, n_rows);
  Integers tags = tags_in_order(nodes, parts);
  return {std::move(placed), std::move(nodes), std::move(tags), n_components, std::move(first_own)};
}

std::vector<FieldQuantity> quantities_of(const XdmfPart& part) {
  std::vector<FieldQuantity> quantities{{"positions", "m", 3}};
  quantities.insert(quantities.end(), part.quantities.begin(), part.quantities.end());
  return quantities;
}

void create_fields(const std::string& path, const Placement& placement, std::int64_t n_snapshots) {
  H5File file;
  try {
    file = base::create_hdf5(path);
  } catch (const base::Hdf5Error& error) {
    throw InputError(fmt::format("cannot create {}: {}", path, error.what()),
                     "check the output folder and its permissions");
  }
  base::write_attribute(file, "format", std::string(kFieldsFormat));
  base::write_attribute(file, "format_version", kFieldsVersion);
  base::write_dataset(file, "times", std::vector<double>(n_snapshots, kNotYet));
  base::create_group(file, "parts");
  for (const PlacedPart& part : placement.parts) create_part(file, part.in_file);
  create_snapshots(file, placement, 0, n_snapshots);
  file.close();
}

void add_snapshots(const std::string& path, const Placement& placement, std::int64_t n_before,
                   std::int64_t n_snapshots) {
  H5File file = base::update_hdf5(path);
  std::vector<double> times = base::read_doubles(file, "times");
  times.resize(n_snapshots, kNotYet);
  create_snapshots(file, placement, n_before, n_snapshots);
  SOLIDYN_HDF5(H5Ldelete(file, "times", H5P_DEFAULT));
  base::write_dataset(file, "times", times);
  file.close();
}

FieldOffsets read_offsets(const std::string& path, const Placement& placement,
                          std::int64_t n_snapshots) {
  const H5File file = base::open_hdf5(path);
  FieldOffsets offsets;
  offsets.times = offset_of(file, "times");
  for (const PlacedPart& part : placement.parts) {
    offsets.topology.push_back(offset_of(file, nodes_path(part.in_file)));
    for (const PlacedPart::Cells& cells : part.cells)
      offsets.topology.push_back(offset_of(file, cells_path(part.in_file, cells.shape)));
  }
  for (std::int64_t k = 0; k < n_snapshots; ++k)
    for (const PlacedPart& part : placement.parts)
      for (const FieldQuantity& quantity : quantities_of(part.in_file))
        offsets.snapshots.push_back(offset_of(file, values_path(part.in_file, quantity.name, k)));
  return offsets;
}

void require_same_parts(const std::string& path, const Placement& placement) {
  const H5File file = base::open_hdf5(path);
  if (SOLIDYN_HDF5(H5Aexists(file, "format")) <= 0 ||
      base::read_string_attribute(file, "format") != kFieldsFormat)
    throw InputError(fmt::format("{} was not written by Solidyn", path),
                     "move it away to continue without the earlier field output");
  const std::vector<std::string> found = base::names_in(base::open_group(file, "parts"));
  std::vector<std::string> wanted;
  for (const PlacedPart& part : placement.parts) wanted.push_back(part.in_file.link);
  std::sort(wanted.begin(), wanted.end());
  if (found != wanted) throw other_parts(path, "their names differ");
  for (const PlacedPart& part : placement.parts) require_same_part(file, path, part, placement);
}

void require_fields_format(hid_t file, const std::string& path) {
  if (SOLIDYN_HDF5(H5Aexists(file, "format")) <= 0 ||
      base::read_string_attribute(file, "format") != kFieldsFormat)
    throw InputError(fmt::format("{} was not written by Solidyn", path),
                     "move it away, and run the model again");
  const std::int64_t version = base::read_integer_attribute(file, "format_version");
  if (version != kFieldsVersion)
    throw InputError(fmt::format("{} has format {}; this program reads format {}", path, version,
                                 kFieldsVersion),
                     version > kFieldsVersion ? "use a newer Solidyn" : "run the model again");
}

std::vector<double> read_times(const std::string& path) {
  return base::read_doubles(base::open_hdf5(path), "times");
}

}  // namespace solidyn::results
