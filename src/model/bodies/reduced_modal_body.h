#pragma once
#include "model/bodies/build_bodies.h"
#include "model/bodies/reduced_entry.h"

namespace solidyn::model {

struct ReducedModalBody {
  bodies::BodyIndex index;  ///< in the system
  std::shared_ptr<const reduction::ReducedBody> reduced;
};

/// Collective. Reduces a body and adds it as a floating frame with its modes, if it has any.
/// @throws base::InputError as reduce_body(), and for a file of other rigid modes
ReducedModalBody add_reduced_modal_body(const ReducedEntry& body, const BodyBuilder& builder);

/// Its interfaces, points and supports, after what else constrains it.
void add_places_of_modal_body(const ReducedEntry& body, bodies::BodyIndex index,
                              const reduction::ReducedBody& reduced, const BodyBuilder& builder);

}  // namespace solidyn::model
