#pragma once
#include <algorithm>

#include "model/sensors/sensor_entry.h"

/// The key `component`: which of the things that a type of sensor can record.
namespace solidyn::model {

/// One of them: its word in the model file, its name in the physics, and what it measures.
template <class What>
struct Component {
  const char* word;
  What what;
  Quantity quantity = {};
};
template <class What>
using Components = std::vector<Component<What>>;

/// x, y, z and magnitude of a vector.
inline const Components<analyses::VectorComponent>& vector_components() {
  using C = analyses::VectorComponent;
  static const Components<C> list = {
      {"x", C::x}, {"y", C::y}, {"z", C::z}, {"magnitude", C::magnitude}};
  return list;
}

template <class What>
std::vector<What> whats(const Components<What>& components) {
  std::vector<What> result;
  for (const Component<What>& component : components) result.push_back(component.what);
  return result;
}

/// Each measures what its row says.
template <class What>
std::vector<Recorded> recorded_components(const Components<What>& components) {
  std::vector<Recorded> result;
  for (const Component<What>& component : components)
    result.push_back({component.word, component.quantity});
  return result;
}

/// All measure the same.
template <class What>
std::vector<Recorded> recorded_components(const Components<What>& components,
                                          const Quantity& quantity) {
  std::vector<Recorded> result;
  for (const Component<What>& component : components) result.push_back({component.word, quantity});
  return result;
}

/// Appends the words that are not there yet.
template <class What>
void add_words(const Components<What>& components, Words& words) {
  for (const Component<What>& component : components)
    if (std::find(words.begin(), words.end(), component.word) == words.end())
      words.emplace_back(component.word);
}

/// Those that `word` asks for: one, or with `all` the first `n_all`. Empty when there is none.
template <class What>
Components<What> find_components(const Components<What>& list, std::size_t n_all,
                                 const std::string& word) {
  if (word == "all") return {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(n_all)};
  for (const Component<What>& component : list)
    if (word == component.word) return {component};
  return {};
}

/// Complains of the value of `component`, which is none of `words`.
void report_unknown_component(const TableView& view, const std::string& owner, const Words& words);

/// The same of the key `component`, with a complaint when there is none. @param owner what does not
/// have it: "a rotation_drive"    @param n_all 0: `all` has no meaning
template <class What>
Components<What> choose_components(const TableView& view, const Components<What>& list,
                                   std::size_t n_all, const std::string& owner) {
  Components<What> chosen = find_components(list, n_all, view.text("component"));
  if (chosen.empty()) {
    Words words;
    if (n_all > 0) words.emplace_back("all");
    add_words(list, words);
    report_unknown_component(view, owner, words);
  }
  return chosen;
}

/// The key `component` of all sensors of a type: words of the list, and `all`, the first `n_all`.
template <class T, class What>
Field<T> component_field(Key key, const Components<What>& list, std::size_t n_all,
                         Components<What> T::*chosen) {
  Words words;
  add_words(list, words);
  words.emplace_back("all");
  return read_by<T>(key.among(words), [=](T& entry, const TableView& view, const Scope&) {
    entry.*chosen = find_components(list, n_all, view.text("component"));
  });
}

}  // namespace solidyn::model
