#include "solidyn/base/typed_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <unordered_set>

#include "solidyn/system/system.h"

namespace solidyn::system {
namespace {

using base::IndexedVector;
using base::IndexRange;
using bodies::BodyIndex;
using bodies::FrameIndex;
using testing::ElementsAre;

template <class Of, class Index, class = void>
struct TakesIndex : std::false_type {};
template <class Of, class Index>
struct TakesIndex<Of, Index, std::void_t<decltype(std::declval<Of>()[std::declval<Index>()])>>
    : std::true_type {};

// What does not compile: an index of one kind, or a bare number, in place of another's.
using BodyOf = const bodies::Body& (System::*)(BodyIndex) const;
static_assert(std::is_invocable_v<BodyOf, const System&, BodyIndex>);
static_assert(!std::is_invocable_v<BodyOf, const System&, FrameIndex>);
static_assert(!std::is_invocable_v<BodyOf, const System&, int>);
static_assert(static_cast<BodyOf>(&System::body) != nullptr);
static_assert(!std::is_invocable_v<decltype(&System::constraint), const System&, BodyIndex>);
static_assert(
    !std::is_invocable_v<decltype(&System::force), const System&, bodies::ConstraintIndex>);
static_assert(!std::is_convertible_v<int, BodyIndex> && !std::is_convertible_v<BodyIndex, int>);
static_assert(!std::is_constructible_v<BodyIndex, FrameIndex>);
static_assert(!std::is_constructible_v<BodyIndex, double>);
static_assert(!std::is_assignable_v<BodyIndex&, FrameIndex>);
using Bodies = IndexedVector<BodyIndex, double>;
static_assert(TakesIndex<Bodies, BodyIndex>::value);
static_assert(!TakesIndex<Bodies, FrameIndex>::value && !TakesIndex<Bodies, int>::value);
static_assert(!TakesIndex<std::vector<double>, BodyIndex>::value);
// It costs what an int costs.
static_assert(sizeof(BodyIndex) == sizeof(int) && std::is_trivially_copyable_v<BodyIndex>);

TEST(TypedIndex, ComparesAndCountsAsItsNumber) {
  const BodyIndex first(0), second(1);
  EXPECT_EQ(first, BodyIndex(0));
  EXPECT_NE(first, second);
  EXPECT_LT(first, second);
  EXPECT_GE(second, first);
  BodyIndex next = first;
  EXPECT_EQ(++next, second);
  EXPECT_EQ(second.value(), 1);
}

TEST(TypedIndex, WithoutAValueIsTheGroundAndNoBody) {
  EXPECT_EQ(BodyIndex(), bodies::kGround);
  EXPECT_NE(bodies::kGround, BodyIndex(0));
  EXPECT_EQ(bodies::Frame().body, bodies::kGround);
}

TEST(TypedIndex, CanBePrintedAndHashed) {
  EXPECT_EQ(fmt::format("body {}", BodyIndex(7)), "body 7");
  std::unordered_set<FrameIndex> seen = {FrameIndex(1), FrameIndex(2), FrameIndex(1)};
  EXPECT_EQ(seen.size(), 2u);
}

TEST(IndexedVector, FindsElementsByTheIndicesThatItGave) {
  IndexedVector<FrameIndex, std::unique_ptr<int>> numbers;
  const FrameIndex a = numbers.push_back(std::make_unique<int>(3));
  const FrameIndex b = numbers.push_back(std::make_unique<int>(5));
  EXPECT_EQ(*numbers[a] + *numbers[b], 8);
  EXPECT_EQ(numbers.size(), 2);
  std::vector<int> visited;
  for (const FrameIndex i : numbers.indices()) visited.push_back(*numbers[i]);
  EXPECT_THAT(visited, ElementsAre(3, 5));
  EXPECT_THROW(numbers.at(FrameIndex(2)), std::out_of_range);
  EXPECT_THROW(numbers.at(FrameIndex()), std::out_of_range);
}

TEST(IndexRange, OfNothingIsEmpty) {
  EXPECT_TRUE(IndexRange<BodyIndex>(0).empty());
  EXPECT_TRUE(System().bodies().empty());
}

}  // namespace
}  // namespace solidyn::system
