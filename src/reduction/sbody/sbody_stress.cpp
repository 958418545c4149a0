#include "reduction/sbody/sbody_stress.h"

#include "solidyn/base/gather.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;

std::string at_place(std::size_t i) { return fmt::format("stress/places/{}", i); }
std::string at_mode(int i) { return fmt::format("stress/modes/{}", i); }

// Where each node of the file is in `nodes`; -1 where it is not.
std::vector<std::int64_t> places_of(const std::vector<std::int64_t>& nodes, std::int64_t n_nodes) {
  std::vector<std::int64_t> places(n_nodes, -1);
  for (std::size_t k = 0; k < nodes.size(); ++k) places.at(nodes[k]) = static_cast<int>(k);
  return places;
}

}  // namespace

void put_stress_places(const std::vector<StressPlace>& places, SbodyWriter& file) {
  file.group("stress");
  file.group("stress/places");
  std::vector<std::string> names;
  names.reserve(places.size());
  for (const StressPlace& place : places) names.push_back(place.name);
  file.put("stress/places/names", names);
  for (std::size_t i = 0; i < places.size(); ++i) {
    file.group(at_place(i));
    file.put(at_place(i) + "/nodes", places[i].node_tags);
    file.put(at_place(i) + "/x_B", places[i].x_B);
    file.put(at_place(i) + "/S", places[i].S);
  }
}

std::vector<StressPlace> get_stress_places(SbodyReader& file) {
  std::vector<StressPlace> places;
  for (const std::string& name : file.strings("stress/places/names")) {
    const std::string group = at_place(places.size());
    StressPlace place{name, file.integers(group + "/nodes"), file.matrix(group + "/x_B"),
                      file.matrix(group + "/S")};
    if (place.S.rows() != 6 * static_cast<Eigen::Index>(place.node_tags.size()))
      throw base::Hdf5Error(fmt::format("{}/S has the wrong shape", group));
    places.push_back(std::move(place));
  }
  return places;
}

void put_stress_in_pictures(const ReducedBody& body, const std::vector<std::int64_t>& row_of,
                            SbodyWriter* file) {
  const MPI_Comm comm = body.mesh.comm;
  std::vector<std::int64_t> mine;
  for (const std::int32_t node : body.stress.nodes) mine.push_back(body.mesh.global[node]);
  std::vector<std::int64_t> nodes = base::gather_on_first(comm, mine, MPI_INT64_T);
  if (!row_of.empty())
    for (std::int64_t& node : nodes) node = row_of.at(node);
  base::run_together(comm, [&] {
    if (!file) return;
    file->put("stress/nodes", nodes);
    file->group("stress/modes");
  });
  const std::int64_t n = base::sum(comm, static_cast<std::int64_t>(mine.size()));
  for (int i = 0; n > 0 && i < body.n_modes(); ++i) {
    const double* column = body.stress.S.col(i).data();
    const auto mode = base::gather_on_first(
        comm, std::vector<double>(column, column + body.stress.S.rows()), MPI_DOUBLE);
    base::run_together(comm, [&] {
      if (file) file->put_field(at_mode(i), mode);
    });
  }
}

void distribute_stress(SbodyReader* file, const std::string& path, ReducedBody& body) {
  const MPI_Comm comm = body.mesh.comm;
  const mesh::DistributedMesh& mesh = body.mesh;
  std::vector<std::int64_t> place_of_node;
  std::int64_t n = 0;
  base::run_together(comm, [&] {
    if (!file) return;
    read_or_complain(path, [&] {
      const std::vector<std::int64_t> nodes = file->integers("stress/nodes");
      n = static_cast<std::int64_t>(nodes.size());
      place_of_node = places_of(nodes, mesh.n_global_nodes);
    });
  });
  base::broadcast(comm, place_of_node);
  n = base::sum(comm, n);
  body.stress.is_in_pictures = n > 0;
  body.stress.nodes.clear();
  for (std::int32_t k = 0; n > 0 && k < mesh.n_owned; ++k)
    if (place_of_node[mesh.node_tags[k]] >= 0) body.stress.nodes.push_back(k);
  body.stress.S.resize(6 * body.stress.nodes.size(), body.n_modes());
  for (int i = 0; n > 0 && i < body.n_modes(); ++i) {
    std::vector<double> mode;
    base::run_together(comm, [&] {
      if (!file) return;
      read_or_complain(path, [&] {
        const MatrixXd column = file->matrix(at_mode(i));
        if (column.size() != 6 * n) throw base::Hdf5Error("a stress mode has the wrong length");
        mode.assign(column.data(), column.data() + column.size());
      });
    });
    base::broadcast(comm, mode);
    for (std::size_t k = 0; k < body.stress.nodes.size(); ++k)
      body.stress.S.col(i).segment<6>(6 * static_cast<Eigen::Index>(k)) =
          Eigen::Map<const Eigen::Matrix<double, 6, 1>>(
              &mode[6 * place_of_node[mesh.node_tags[body.stress.nodes[k]]]]);
  }
}

void add_stress_options(const StressOptions& options, base::ContentHash& hash) {
  hash.add(std::int64_t{static_cast<int>(options.pictures)});
  hash.add(static_cast<std::int64_t>(options.places.size()));
  for (const StressPlaceDefinition& place : options.places) {
    hash.add(place.name);
    add_selection(place.nodes, hash);
  }
}

}  // namespace solidyn::reduction
