#include <cmath>
#include <initializer_list>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

namespace solidyn::imported {
namespace {

// What a unit of a coordinate is in SI: u_SI = scale u. Modal coordinates are scaled so that unit
// modal masses stay one.
double scale_of(int component, const Units& units) {
  if (component == 0) return units.length * std::sqrt(units.mass);
  return component <= 3 ? units.length : 1.0;
}

// `unit`: of the quadratic form u^T A u.
void scale(Matrix& matrix, const std::vector<Dof>& dofs, double unit, const Units& units) {
  for (std::size_t e = 0; e < matrix.values.size(); ++e)
    matrix.values[e] *= unit / (scale_of(dofs[matrix.rows[e]].component, units) *
                                scale_of(dofs[matrix.columns[e]].component, units));
}

void scale(std::initializer_list<double*> sizes, double unit) {
  for (double* size : sizes) *size *= unit;
}

void scale(beams::Rectangle& s, double length) { scale({&s.width, &s.height}, length); }
void scale(beams::Circle& s, double length) { scale({&s.radius}, length); }
void scale(beams::Tube& s, double length) { scale({&s.radius, &s.wall}, length); }
void scale(beams::ISection& s, double length) {
  scale({&s.width, &s.height, &s.flange, &s.web}, length);
}
void scale(beams::Section& s, double length) {
  const double area = length * length;
  scale({&s.area}, area);
  scale({&s.I_y, &s.I_z, &s.torsion_constant}, area * area);
}

}  // namespace

void convert_to_si(Material& material, const Units& units) {
  material.youngs_modulus *= units.stress();
  material.density *= units.density();
  if (material.stiffness) *material.stiffness *= units.stress();
}

void convert_to_si(LineElements& lines, const Units& units) {
  const double length = units.length;
  for (LineElement& element : lines.elements)
    for (Eigen::Vector3d& offset : element.offsets) offset *= length;
  for (Material& material : lines.materials) convert_to_si(material, units);
  for (LineProperty& property : lines.properties) {
    std::visit([length](auto& shape) { scale(shape, length); }, property.shape);
    property.mass_per_length *= units.mass / length;
  }
}

void convert_to_si(SolidModel& model, const Units& units) {
  model.mesh.x *= units.length;
  for (LooseNode& node : model.loose_nodes) node.x *= units.length;
  for (Material& material : model.materials) convert_to_si(material, units);
  for (Region& region : model.regions) region.axes.origin *= units.length;
  convert_to_si(model.lines, units);
  for (PointMass& mass : model.masses) {
    mass.mass *= units.mass;
    mass.offset *= units.length;
    mass.inertia *= units.mass * units.length * units.length;
  }
}

void convert_to_si(ModalData& modes, const Units& units) {
  modes.x *= units.length;
  const double shape = 1.0 / std::sqrt(units.mass);
  modes.translations *= shape;
  modes.imaginary_translations *= shape;
  modes.rotations *= shape / units.length;
  modes.imaginary_rotations *= shape / units.length;
  for (ImportedMode& mode : modes.modes) {
    const double per_second = 1.0 / units.time;
    mode.eigenvalue *= modes.is_complex ? per_second : per_second * per_second;
    mode.eigenvalue_imaginary *= per_second;
  }
}

void convert_to_si(MatrixModel& model, const Units& units) {
  const double inertia = units.mass * units.length * units.length;
  scale(model.mass, model.dofs, inertia, units);
  scale(model.damping, model.dofs, inertia / units.time, units);
  scale(model.stiffness, model.dofs, inertia / (units.time * units.time), units);
  for (auto& [tag, x] : model.nodes) x *= units.length;
}

}  // namespace solidyn::imported
