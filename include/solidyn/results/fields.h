#pragma once
#include <mpi.h>

#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::results {

/// Cells of one shape: the tags of their nodes, one cell after the other, in Gmsh's node order.
struct FieldCells {
  elements::ElementType shape = elements::ElementType::line2;
  std::vector<std::int64_t> nodes;
};

/// A quantity that is drawn on the deformed shape, at its nodes.
struct FieldQuantity {
  std::string name;      ///< "displacement"
  std::string unit;      ///< "m"
  int n_components = 3;  ///< 1 a number, 3 a vector, 6 a symmetric tensor xx xy xz yy yz zz
};

/// The field output of one body, the part of one rank. Nodes are identified by tags (the numbers of
/// the mesh file), distinct over the ranks; the nodes of a rank's cells may belong to other ranks.
/// A node that no cell uses is not written: with a body's boundary faces, only the nodes of its
/// surface are.
struct FieldPart {
  std::string name;
  std::vector<std::int64_t> tags;  ///< [n_owned] of the nodes whose values this rank gives
  std::vector<FieldCells> cells;   ///< this rank's; all ranks together have each cell once
  std::vector<FieldQuantity> quantities;
};

/// What is drawn of a part at one time, on this rank's nodes, in the order of FieldPart::tags.
struct FieldValues {
  Eigen::Matrix3Xd positions;               ///< [3 x n_owned] deformed, m, in W
  std::vector<Eigen::MatrixXd> quantities;  ///< [n_components x n_owned] each
};

enum class MeshPicture { surface, solids };

/// The picture of a solid mesh: its boundary faces or all its elements. Values are given for the
/// mesh's owned nodes, in their order.
FieldPart make_field_part(std::string name, const mesh::DistributedMesh& mesh, MeshPicture picture,
                          std::vector<FieldQuantity> quantities = {});

/// A body without a mesh: its three axes, drawn as lines from its origin. Rank 0 has them.
FieldPart make_axes_part(MPI_Comm comm, std::string name);
/// The values that belong to it. @param length of the lines, m
FieldValues make_axes_values(MPI_Comm comm, const Eigen::Matrix3d& R_WB,
                             const Eigen::Vector3d& p_WB, double length);

/// Writes fields.h5 (the numbers) and fields.xdmf (what they mean) for ParaView: the deformed
/// bodies and the quantities on them at some times, called snapshots.
///
/// All datasets of all snapshots are created at the start; a snapshot only fills in its bytes, and
/// its number is recorded after them. So a process that is killed leaves two readable files with
/// all snapshots that were complete. fields.xdmf is replaced by rename, each time as long as that
/// costs less than a twentieth of the time, and always at flush() and at the end. Both may be
/// opened while the run continues. Nodes are in ascending order of their tags, whatever the number
/// of ranks. Proved by tests/mpi/results and tests/robustness/results.
class FieldWriter {
 public:
  /// Collective. Begins new files, or, with `resume_at`, continues after the last snapshot that is
  /// not later.
  /// @param n_snapshots how many are planned. More make the file grow, which a kill must not hit.
  /// Throws InputError when the files cannot be created or, on resume, show other parts.
  FieldWriter(MPI_Comm comm, std::string xdmf_path, std::string h5_path,
              const std::vector<FieldPart>& parts, std::int64_t n_snapshots,
              std::optional<double> resume_at = std::nullopt);
  FieldWriter(FieldWriter&&) noexcept;
  FieldWriter& operator=(FieldWriter&&) noexcept;
  /// Collective.
  ~FieldWriter();

  /// Collective. @param values one per part.
  void write(double time, const std::vector<FieldValues>& values);
  /// Collective. Lists all snapshots in fields.xdmf.
  void flush();
  std::int64_t n_written() const;

 private:
  class Files;
  std::unique_ptr<Files> files_;
};

}  // namespace solidyn::results
