#pragma once
#include <functional>
#include <vector>

#include "solidyn/model/build.h"
#include "solidyn/model/drawn_model.h"
#include "solidyn/results/motion.h"

namespace solidyn::simulation {

/// Forces, contacts, loads, supports and reactions of joints as a report draws them: symbols of a
/// scene, and what of them is in each picture.
class MotionSymbols {
 public:
  /// Makes a frame of the system one of the scene, and says which.
  using AddFrame = std::function<int(const std::string& name, bodies::FrameIndex frame)>;

  /// What is between frames alone, or with vectors what acts there too.
  enum class Vectors { none, all };
  /// @pre System::update()
  MotionSymbols(const model::BuiltModel& built, const model::DrawnModel& drawn,
                results::MotionScene& scene, AddFrame add_frame, Vectors vectors);
  /// The numbers of all symbols, in their order, of the state that System::update() was called
  /// with last. @pre its multipliers are found
  void append(const system::State& state, std::vector<double>& row) const;

 private:
  using Numbers = std::function<void(const system::State& state, std::vector<double>& row)>;
  /// @param numbers  none where the symbol has no vector, or those before it append its own
  void add(results::MotionSymbol symbol, Numbers numbers);
  void add_forces(const model::DrawnModel& drawn);
  void add_contacts();
  void add_loads();
  void add_supports();
  void add_reactions();

  const model::BuiltModel& built_;
  results::MotionScene& scene_;
  AddFrame add_frame_;
  bool has_vectors_;
  std::vector<Numbers> numbers_;
};

/// What a joint leaves free, in words: "rotation about z". Empty for drives and couplings.
std::string words_for_freedom(const model::BuiltModel& built, const std::string& joint);

}  // namespace solidyn::simulation
