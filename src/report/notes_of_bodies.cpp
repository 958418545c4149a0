#include "report/notes_of_bodies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/drawn_surface.h"

namespace solidyn::report {

std::string names_in_words(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  if (names.size() < 2) return names.empty() ? "" : names.front();
  if (names.size() > kNamed + 1)
    return fmt::format("{} and {} others", fmt::join(names.begin(), names.begin() + kNamed, ", "),
                       names.size() - kNamed);
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::vector<std::string> NotesOfBodies::sentences() const {
  std::vector<std::string> all;
  const auto is_or_are = [](const std::vector<std::string>& names) {
    return names.size() > 1 ? "are" : "is";
  };
  if (!without_pictures.empty())
    all.push_back(fmt::format(
        "{} {} not drawn: nodes of full meshes are in pictures that `fields_interval` asks for.",
        names_in_words(without_pictures), is_or_are(without_pictures)));
  if (!not_in_fields.empty())
    all.push_back(fmt::format("{} {} not drawn: not contained in fields.h5.",
                              names_in_words(not_in_fields), is_or_are(not_in_fields)));
  if (!from_first_picture.empty())
    all.push_back(fmt::format(
        "The deformation of {} counts from the first picture: an earlier Solidyn wrote no other.",
        names_in_words(from_first_picture)));
  if (!simplified.empty())
    all.push_back(fmt::format(
        "The surface of {} is drawn with fewer triangles than the mesh has ({} million).",
        names_in_words(simplified), kMostTriangles / 1'000'000));
  if (fast.size() == 1)
    all.push_back(fmt::format(
        "{} turns by up to {:.3g} rad between two pictures, so that it seems to move otherwise than it does (its velocity is right): use a smaller `output.motion_interval`.",
        fast.front(), largest_turn));
  if (fast.size() > 1)
    all.push_back(fmt::format(
        "{} turn by up to {:.3g} rad between two pictures, so that they seem to move otherwise than they do (their velocities are right): use a smaller `output.motion_interval`.",
        names_in_words(fast), largest_turn));
  if (!beside.empty())
    all.push_back(fmt::format(
        "Between two pictures {} {} up to {:.2g} m beside where the run has {}, so that joints seem to open: use a smaller `output.motion_interval`, and where the run's steps are as long as that a smaller `step`.",
        names_in_words(beside), is_or_are(beside), largest_error,
        beside.size() > 1 ? "them" : "it"));
  return all;
}

}  // namespace solidyn::report
