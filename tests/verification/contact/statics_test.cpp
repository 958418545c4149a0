// Statics says what open contacts mean for it.
#include "solidyn/analyses/statics.h"

#include <gtest/gtest.h>

#include "ball.h"
#include "solidyn/base/error.h"

namespace solidyn::contact {
namespace {

TEST(StaticsErrors, OpenContactsAreNamed) {
  Body b;
  b.position = Vector3d(0.0, 0.0, b.radius + 0.02);
  NormalLaw law;
  law.stiffness = 1e6;
  const auto system = ball_on_plane(b, law, 9.81);
  analyses::StaticsOptions options;
  options.method = analyses::StaticsMethod::newton;
  analyses::Statics statics(*system, options);
  try {
    statics.start();
    while (!statics.is_done()) statics.advance();
    FAIL() << "nothing holds the ball";
  } catch (const base::ComputationError& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find("contact is open (gap 0.02 m)"), std::string::npos) << said;
    EXPECT_NE(said.find("an open contact transmits no force; start with"), std::string::npos)
        << said;
  }
}

}  // namespace
}  // namespace solidyn::contact
