#pragma once
#include "model/loads/load_entry.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/forces/frame_load.h"
#include "solidyn/reduction/load_rows.h"

/// Loads on nodes or outer faces of a flexible body.
namespace solidyn::model {

struct BuiltBody;

/// Nodes, or the faces whose nodes are all selected.
struct MeshPlace {
  std::string body;
  mesh::NodeSelection nodes;

  /// `body`, and `nodes` or `faces`.
  static Fields<MeshPlace> fields_on_nodes();
  static Fields<MeshPlace> fields_on_faces();
};

class LoadOnMesh : public LoadEntry, public MeshPlace {
 public:
  using Kind = reduction::LoadDefinition::Kind;

  std::string acts_on() const override { return "on body " + body; }
  std::optional<reduction::LoadDefinition> definition(const std::string& of_body) const override;
  std::optional<bodies::SolidLoad> on_solid(const std::string& of_body) const override;
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;

 protected:
  virtual Kind kind() const = 0;
  /// Its values on a body in absolute coordinates.
  virtual void set_values(bodies::SolidLoad& load) const = 0;
  /// On a body with a frame of its own, by rows on its coordinates.
  virtual std::unique_ptr<forces::Force> build_rows(const BuiltBody& on,
                                                    const reduction::LoadRows& rows,
                                                    const Builder& builder) const = 0;
};

/// A force on each node or per area.
struct MeshVector {
  using Axes = forces::FrameLoad::Axes;
  forces::VectorFunction force;  ///< N, or Pa
  Axes axes = Axes::world;

  static Field<MeshVector> field_of_axes();
};

class VectorOnMesh : public LoadOnMesh, public MeshVector {
 public:
  std::string acts_on() const override;
  void check(const TableView& view, const Scope& scope) const;

 protected:
  void set_values(bodies::SolidLoad& load) const override { load.vector = force; }
  std::unique_ptr<forces::Force> build_rows(const BuiltBody& on, const reduction::LoadRows& rows,
                                            const Builder& builder) const override;
};

}  // namespace solidyn::model
