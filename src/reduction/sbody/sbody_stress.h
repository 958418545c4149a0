#pragma once
#include "reduction/sbody/sbody_file.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// The stress modes of a reduced body in its file: `stress/places/*`, which every rank reads, and
/// `stress/nodes`, `stress/modes/<i>` of the surface.
void put_stress_places(const std::vector<StressPlace>& places, SbodyWriter& file);
std::vector<StressPlace> get_stress_places(SbodyReader& file);

/// Collective. Rank 0 writes what it gathers, one mode at a time. @param file of rank 0
/// @param row_of the file's row of each node of the mesh; empty when they are the same
void put_stress_in_pictures(const ReducedBody& body, const std::vector<std::int64_t>& row_of,
                            SbodyWriter* file);

/// Collective. Sends each rank its rows that rank 0 reads one mode at a time. @pre node_tags of the
/// mesh are rows of the file @param file of rank 0
void distribute_stress(SbodyReader* file, const std::string& path, ReducedBody& body);

void add_stress_options(const StressOptions& options, base::ContentHash& hash);

}  // namespace solidyn::reduction
