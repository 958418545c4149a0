#pragma once
#include <functional>
#include <string>

#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {

/// Where a reduced body came from; travels in its file.
struct Provenance {
  std::string solidyn_version;  ///< of the program that reduced it
  std::string mesh_file;        ///< as the user named it
  std::string mesh_hash;        ///< SHA-256 of its bytes
  std::string options;          ///< the reduction in words, for people
};

enum class FieldPrecision { full, single };
enum class Geometry { whole, skin };

/// What the file keeps of a body's mesh and mode shapes. They are for pictures only: M, K, D, the
/// inertia and what interfaces, points and stress places see are whole and in double precision.
struct SbodyContent {
  FieldPrecision precision = FieldPrecision::full;  ///< of the mode shapes on the mesh
  Geometry geometry = Geometry::whole;              ///< skin: the elements with an outer face
};

/// Collective. Writes everything that a ReducedBody holds to one HDF5 file (.sbody), with a format
/// version and a checksum of all values. Atomic: the file appears whole, or not at all. Rank 0
/// gathers the field part, one mode at a time. doc/theory/reduction.md lists the datasets. Throws
/// ComputationError (on all ranks) when the file cannot be written.
void write_sbody(const std::string& path, const ReducedBody& body, const Provenance& provenance,
                 const SbodyContent& content = {});

/// Collective. Reads a file written on any number of ranks; the field part is distributed anew. A
/// missing, foreign, damaged or too new file gives one InputError on all ranks that names the path.
ReducedBody read_sbody(MPI_Comm comm, const std::string& path, Provenance* provenance = nullptr);

/// Local. True when `path` is a file that write_sbody made, be its values damaged or not.
bool is_sbody(const std::string& path);

/// Collective. The key under which reduce_cached() keeps a body: a hash of the mesh file's bytes,
/// `mesh_scale` (what one unit of the file is in metres), the sections, the options, the format
/// version, the rules of reduction and the program's version.
std::string cache_key(const std::string& mesh_hash, double mesh_scale,
                      const fem::Sections& sections, const ReductionOptions& options);

/// What reduce_cached() reduces.
struct MeshSource {
  std::string file;                             ///< its bytes are hashed on rank 0
  double scale = 1.0;                           ///< m per unit of the file
  std::function<mesh::DistributedMesh()> load;  ///< collective; called only when nothing is cached
  std::string hash = {};  ///< of the contents of the file, where its own bytes are not sufficient
};

/// Collective. reduce(), unless `cache_folder` holds the same reduction of the same file already:
/// then that is read and no eigenproblem is solved (timings->n_eigenproblems stays 0). A damaged
/// entry is reported in a warning and replaced; a folder that cannot be written gives a warning,
/// and the result all the same. An empty `cache_folder` means no cache.
ReducedBody reduce_cached(MPI_Comm comm, const std::string& cache_folder, const MeshSource& source,
                          const fem::Sections& sections, const ReductionOptions& options,
                          ReductionTimings* timings = nullptr, Provenance* provenance = nullptr);

}  // namespace solidyn::reduction
