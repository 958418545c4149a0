#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

/// Multipliers that forces follow, as friction of joints follows what the joint transmits.
namespace solidyn::system {

class System;

/// Their places in State::lambda, each once, ascending; empty without such forces.
std::vector<int> followed_multipliers(const System& system);

/// Of a change of all multipliers [n_constraints], the name of the force that follows the largest;
/// empty without such forces.
std::string worst_follower(const System& system, const Eigen::VectorXd& change);

}  // namespace solidyn::system
