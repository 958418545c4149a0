#pragma once

/// What sensors record of a mechanism, where one of them may record several things.
namespace solidyn::analyses {

enum class EnergyPart { kinetic, strain, potential, total };
/// Angular about the world's origin; centroidal: angular about the system's centre of mass.
enum class MomentumPart { linear, angular, centroidal };
enum class CentreQuantity { position, velocity };  ///< of a centre of mass
/// Of a reaction: the world's, or those of one of the joint's frames.
enum class ReactionAxes { world, first, second };

/// Of a contact: the smallest gap (m, negative where the surfaces overlap), the overlap (m, or 0),
/// the sum of normal forces and the size of the sum of friction forces (N), the slip speed where
/// the normal force is largest (m/s), whether it touches (1 or 0), the force of its first place on
/// its second (N, W), and the moment of rolling and drilling friction on that (N m, W).
enum class ContactQuantity {
  gap,
  penetration,
  normal_force,
  friction_force,
  slip_speed,
  in_contact,
  force_x,
  force_y,
  force_z,
  impulse,
  state,
  torque_x,
  torque_y,
  torque_z
};

}  // namespace solidyn::analyses
