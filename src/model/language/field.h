#pragma once
#include <array>
#include <functional>
#include <type_traits>
#include <utility>

#include "model/language/key.h"
#include "model/language/read_value.h"

/// Keys of the model file bound to the members that they fill, so that a key's word, unit, range,
/// default, meaning and destination stand in one place.
namespace solidyn::model {

struct Scope;

/// A function of time among an entry's values, and the key that it was given by.
using LawVisitor = std::function<void(const math::TimeFunction& law, const std::string& key)>;

/// A key of a table, and how its value comes into a T.
template <class T>
struct Field {
  KeySpec spec;
  /// Reports what is wrong with the value beyond the checks of the grammar, and continues.
  std::function<void(T&, const TableView&, const Scope&)> read;
  /// Visits the functions of time that were read; empty where there can be none.
  std::function<void(const T&, const LawVisitor&)> visit_laws = {};

  /// The same of something that has a T as its base.
  template <class Derived>
  Field<Derived> of_derived() const {
    static_assert(std::is_base_of_v<T, Derived>);
    return {spec, read, visit_laws};
  }
};

template <class T>
using Fields = std::vector<Field<T>>;

template <class T>
void read_fields(const Fields<T>& fields, const TableView& view, const Scope& scope, T& object) {
  for (const Field<T>& field : fields) field.read(object, view, scope);
}

/// The words of a key, and what each of them means.
template <class Enum>
using Choice = std::vector<std::pair<const char*, Enum>>;

/// @pre the choice has the value
template <class Enum>
const char* word_of(const Choice<Enum>& choice, Enum value) {
  for (const auto& [word, meant] : choice)
    if (meant == value) return word;
  return "";
}

/// Sets the value to what the key's word, or its default, means; without either it stays.
template <class Enum, class Value>
void read_choice(const TableView& view, const std::string& key, const Choice<Enum>& choice,
                 Value& value) {
  for (const auto& [word, meant] : choice)
    if (view.text(key) == word) value = meant;
}

namespace detail {

/// object.first.second..., by pointers to members.
template <class T, class... Members>
auto& member(T& object, Members... path) {
  return (object.*....*path);
}

template <class Value>
constexpr bool has_laws = std::is_same_v<Value, math::TimeFunction> ||
                          std::is_same_v<Value, std::array<math::TimeFunction, 3>>;

inline void visit(const math::TimeFunction& law, const std::string& key, const LawVisitor& visit) {
  visit(law, key);
}
inline void visit(const std::array<math::TimeFunction, 3>& laws, const std::string& key,
                  const LawVisitor& visit) {
  for (const math::TimeFunction& law : laws) visit(law, key);
}

}  // namespace detail

/// The key's value goes to object.first.rest...; where it is not given, or is wrong, the member
/// keeps its value. A key written with or_default() shows that value of a new T as its default.
///     field(Key("damping", Form::number, ...).within(kNotNegative), &Drag::options, &Options::c)
template <class T, class First, class... Rest>
Field<T> field(const Key& key, First T::*first, Rest... rest) {
  const T defaults{};
  Field<T> result{key, {}, {}};
  if (key.shows_default()) result.spec.fallback = as_yaml(detail::member(defaults, first, rest...));
  using Value = std::decay_t<decltype(detail::member(std::declval<T&>(), first, rest...))>;
  const std::string word = result.spec.key;
  result.read = [=](T& object, const TableView& view, const Scope&) {
    if (view.is_good(word)) read_value(view, word, detail::member(object, first, rest...));
  };
  if constexpr (detail::has_laws<Value>)
    result.visit_laws = [=](const T& object, const LawVisitor& visitor) {
      detail::visit(detail::member(object, first, rest...), word, visitor);
    };
  return result;
}

/// The same of one of several words. The default shown is that of a new T.
template <class T, class Enum, class First, class... Rest>
Field<T> field(const Key& key, const Choice<Enum>& choice, First T::*first, Rest... rest) {
  const T defaults{};
  Field<T> result{key, {}, {}};
  for (const auto& [word, value] : choice) {
    result.spec.words.emplace_back(word);
    if (value == detail::member(defaults, first, rest...) && key.shows_default())
      result.spec.fallback = word;
  }
  result.read = [=, word = result.spec.key](T& object, const TableView& view, const Scope&) {
    if (!view.is_good(word)) return;
    for (const auto& [name, value] : choice)
      if (view.text(word) == name) detail::member(object, first, rest...) = value;
  };
  return result;
}

namespace detail {

template <class T>
T& opened(T& object) {
  return object;
}
template <class T>
T& opened(std::optional<T>& object) {
  return object.emplace(T());
}

}  // namespace detail

/// The table below the key goes, key by key, to the member, or into it where it may be absent.
template <class T, class Inner, class First, class... Rest>
Field<T> table_field(const Key& key, const Fields<Inner>& inner, First T::*first, Rest... rest) {
  return {key,
          [=, word = KeySpec(key).key](T& object, const TableView& view, const Scope& scope) {
            if (!view.has(word)) return;
            Inner& nested = detail::opened(detail::member(object, first, rest...));
            read_fields(inner, view.table(word), scope, nested);
          },
          {}};
}

/// The same fields of something that has such an object as its member.
template <class T, class Inner, class First, class... Rest>
Fields<T> fields_of_member(const Fields<Inner>& inner, First T::*first, Rest... rest) {
  Fields<T> fields;
  for (const Field<Inner>& field : inner) {
    fields.push_back({field.spec,
                      [=, read = field.read](T& object, const TableView& view, const Scope& scope) {
                        read(detail::member(object, first, rest...), view, scope);
                      },
                      {}});
    if (field.visit_laws)
      fields.back().visit_laws = [=, visit = field.visit_laws](const T& object,
                                                               const LawVisitor& visitor) {
        visit(detail::member(object, first, rest...), visitor);
      };
  }
  return fields;
}

/// Each of the tables below the key becomes one more of the member's list, with its name.
template <class T, class Inner, class First, class... Rest>
Field<T> list_field(const Key& key, const Fields<Inner>& inner, First T::*first, Rest... rest) {
  return {key,
          [=, word = KeySpec(key).key](T& object, const TableView& view, const Scope& scope) {
            for (const auto& [name, table] : view.tables(word)) {
              Inner& added = detail::member(object, first, rest...).emplace_back();
              added.name = name;
              read_fields(inner, table, scope, added);
            }
          },
          {}};
}

/// The key's value is read by `read`, which is called also where the key is not given.
template <class T, class Read>
Field<T> read_by(const Key& key, Read read) {
  return {
      key,
      [read](T& object, const TableView& view, const Scope& scope) { read(object, view, scope); },
      {}};
}

/// A key that is read together with another one.
template <class T>
Field<T> read_elsewhere(const Key& key) {
  return {key, [](T&, const TableView&, const Scope&) {}, {}};
}

template <class T>
std::vector<KeySpec> keys_of(const Fields<T>& fields) {
  std::vector<KeySpec> keys;
  for (const Field<T>& field : fields) keys.push_back(field.spec);
  return keys;
}

template <class T>
void visit_laws(const Fields<T>& fields, const T& object, const LawVisitor& visit) {
  for (const Field<T>& field : fields)
    if (field.visit_laws) field.visit_laws(object, visit);
}

/// One list after the other; those of a base class as ones of `T`.
template <class T, class... Bases>
Fields<T> joined_fields(Fields<T> fields, const Fields<Bases>&... more) {
  const auto append = [&](const auto& list) {
    for (const auto& field : list) fields.push_back(field.template of_derived<T>());
  };
  (append(more), ...);
  return fields;
}

}  // namespace solidyn::model
