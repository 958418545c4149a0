#pragma once
#include <fmt/core.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace solidyn::base {

/// An index that counts one kind of thing, said by its tag, so that a frame's is not taken for a
/// body's: body(FrameIndex{3}) does not compile. Made from an int, and back, only on purpose. One
/// that has been given no value refers to nothing; rooms name it (bodies::kGround). Proved by
/// TypedIndex.*.
template <class Tag>
class TypedIndex {
 public:
  constexpr TypedIndex() = default;
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  constexpr explicit TypedIndex(Integer value) : value_(static_cast<int>(value)) {}

  constexpr int value() const { return value_; }

  friend constexpr bool operator==(TypedIndex a, TypedIndex b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(TypedIndex a, TypedIndex b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(TypedIndex a, TypedIndex b) { return a.value_ < b.value_; }
  friend constexpr bool operator>(TypedIndex a, TypedIndex b) { return a.value_ > b.value_; }
  friend constexpr bool operator<=(TypedIndex a, TypedIndex b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>=(TypedIndex a, TypedIndex b) { return a.value_ >= b.value_; }
  constexpr TypedIndex& operator++() {
    ++value_;
    return *this;
  }

 private:
  int value_ = -1;
};

/// The indices from 0 to `size` - 1, for loops.
template <class Index>
class IndexRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(int at) : at_(at) {}
    constexpr Index operator*() const { return at_; }
    constexpr Iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    Index at_;
  };
  constexpr explicit IndexRange(std::size_t size) : size_(static_cast<int>(size)) {}
  constexpr Iterator begin() const { return Iterator(0); }
  constexpr Iterator end() const { return Iterator(size_); }
  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }

 private:
  int size_;
};

/// A std::vector whose elements are found by indices of one kind alone.
template <class Index, class T>
class IndexedVector {
 public:
  using value_type = T;
  IndexedVector() = default;
  IndexedVector(std::initializer_list<T> items) : items_(items) {}
  explicit IndexedVector(std::size_t size) : items_(size) {}
  IndexedVector(std::size_t size, const T& value) : items_(size, value) {}

  decltype(auto) operator[](Index i) { return items_[i.value()]; }
  decltype(auto) operator[](Index i) const { return items_[i.value()]; }
  /// @throws std::out_of_range
  const T& at(Index i) const { return items_.at(static_cast<std::size_t>(i.value())); }

  /// @return the index of the new element
  Index push_back(T item) {
    items_.push_back(std::move(item));
    return Index(items_.size() - 1);
  }
  template <class... Arguments>
  Index emplace_back(Arguments&&... arguments) {
    items_.emplace_back(std::forward<Arguments>(arguments)...);
    return Index(items_.size() - 1);
  }
  void resize(std::size_t size) { items_.resize(size); }
  void reserve(std::size_t size) { items_.reserve(size); }

  int size() const { return static_cast<int>(items_.size()); }
  bool empty() const { return items_.empty(); }
  IndexRange<Index> indices() const { return IndexRange<Index>(items_.size()); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  decltype(auto) front() const { return items_.front(); }
  decltype(auto) back() const { return items_.back(); }
  decltype(auto) back() { return items_.back(); }
  const T* data() const { return items_.data(); }

 private:
  std::vector<T> items_;
};

}  // namespace solidyn::base

/// @cond specialisations of templates of others, whose scopes Doxygen does not know
template <class Tag>
struct std::hash<solidyn::base::TypedIndex<Tag>> {
  std::size_t operator()(solidyn::base::TypedIndex<Tag> index) const noexcept {
    return std::hash<int>()(index.value());
  }
};

template <class Tag>
struct fmt::formatter<solidyn::base::TypedIndex<Tag>> {
  constexpr auto parse(format_parse_context& context) const { return context.begin(); }
  template <class Context>
  auto format(solidyn::base::TypedIndex<Tag> index, Context& context) const {
    return fmt::format_to(context.out(), "{}", index.value());
  }
};
/// @endcond
