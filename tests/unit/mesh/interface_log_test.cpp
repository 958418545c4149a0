// What the log says of the interfaces of a body that has a hundred of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "solidyn/base/log.h"
#include "solidyn/mesh/interface_report.h"

namespace solidyn::mesh {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<InterfaceReport> reports(int n, const Eigen::Vector3d& spread) {
  std::vector<InterfaceReport> all(n);
  for (int i = 0; i < n; ++i) {
    all[i].name = fmt::format("face_{}", i);
    all[i].attach = i < 100 ? "rbe2" : "rbe3";
    all[i].n_nodes = 20;
    all[i].spread = spread;
  }
  return all;
}

std::string log_of(const std::vector<InterfaceReport>& reports) {
  base::clear_logged_warnings();
  testing::internal::CaptureStderr();
  log_interfaces("hull", reports);
  return testing::internal::GetCapturedStderr();
}

TEST(InterfaceLog, OfManyIsASummary) {
  const std::string text = log_of(reports(166, {0.1, 0.1, 0.0}));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5) << text;
  EXPECT_THAT(text, HasSubstr("interface face_3: rbe2 of 20 nodes"));
  EXPECT_THAT(text, HasSubstr("body hull: 162 more interfaces: 96 rbe2, 66 rbe3"));
  EXPECT_TRUE(base::logged_warnings().empty());
}

TEST(InterfaceLog, OfFewNamesEach) {
  const std::string text = log_of(reports(12, {0.1, 0.1, 0.0}));
  EXPECT_THAT(text, HasSubstr("face_11"));
  EXPECT_THAT(text, Not(HasSubstr("more interfaces")));
}

TEST(InterfaceLog, CountsTheDoubtsThatItDoesNotPrint) {
  log_of(reports(166, {0.1, 0.0, 0.0}));
  EXPECT_EQ(base::logged_warnings().size(), 13u);
  EXPECT_THAT(base::logged_warnings().back(),
              HasSubstr("154 more warnings of this kind about its interfaces"));
  base::clear_logged_warnings();
}

}  // namespace
}  // namespace solidyn::mesh
