#include "solidyn/results/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"

namespace solidyn::results {
namespace {

constexpr double kBetweenDrawings = 0.1;   // s
constexpr double kBetweenLogLines = 30.0;  // s
constexpr int kLongestStride = 64;
constexpr int kBarWidth = 24;

std::string clock_text(double seconds) {
  if (!(seconds < 1e7)) return "?";
  const auto s = static_cast<std::int64_t>(std::ceil(seconds));
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string bar(double fraction) {
  const int filled = static_cast<int>(fraction * kBarWidth);
  std::string text(filled, '=');
  if (filled < kBarWidth) text += '>';
  text.resize(kBarWidth, ' ');
  return "[" + text + "]";
}

}  // namespace

ProgressReporter::Surroundings ProgressReporter::standard_surroundings() {
  return {isatty(STDERR_FILENO) == 1 && base::terminal_shows_info(),
          [](const std::string& text) {
            std::fputs(text.c_str(), stderr);
            std::fflush(stderr);
          },
          [](const std::string& line) { base::log_info("{}", line); },
          [timer = base::Timer()] { return timer.seconds(); }};
}

ProgressReporter::ProgressReporter(MPI_Comm comm, double start, double end,
                                   Surroundings surroundings)
    : surroundings_(std::move(surroundings)),
      speaks_(base::rank(comm) == 0),
      start_(start),
      end_(end),
      began_(surroundings_.seconds()),
      last_look_(began_),
      last_report_(began_) {
  if (!speaks_) steps_until_look_ = std::numeric_limits<int>::max();
}

double ProgressReporter::fraction(double time) const {
  return end_ > start_ ? std::clamp((time - start_) / (end_ - start_), 0.0, 1.0) : 1.0;
}

std::string ProgressReporter::describe(double time, std::int64_t step, double elapsed) const {
  const double done = fraction(time);
  const double rate = static_cast<double>(step - first_step_) / elapsed;
  std::string text =
      fmt::format("{:3.0f} %  t = {:.5g} s  step {}", std::floor(100 * done), time, step);
  if (std::isfinite(rate)) text += fmt::format("  {:.3g} steps/s", rate);
  return text + (done < 1 ? "  ETA " + clock_text(elapsed * (1 - done) / done)
                          : "  in " + clock_text(elapsed));
}

void ProgressReporter::draw_bar(double time, std::int64_t step, double elapsed) {
  std::string line = bar(fraction(time)) + " " + describe(time, step, elapsed);
  const std::size_t width = line.size();
  line.resize(std::max(width, std::exchange(drawn_width_, width)), ' ');  // over the longer old one
  surroundings_.draw("\r" + line + "\r");
}

void ProgressReporter::look(double time, std::int64_t step) {
  if (!speaks_) {
    steps_until_look_ = std::numeric_limits<int>::max();
    return;
  }
  if (first_step_ < 0) first_step_ = step_at_look_ = step - 1;
  const double now = surroundings_.seconds();
  const double seconds_per_step =
      (now - last_look_) / static_cast<double>(std::max<std::int64_t>(step - step_at_look_, 1));
  last_look_ = now;
  step_at_look_ = step;
  // Look about four times per drawing, so that a sudden slow step is noticed.
  steps_until_look_ =
      static_cast<int>(std::clamp(0.25 * kBetweenDrawings / std::max(seconds_per_step, 1e-12), 1.0,
                                  static_cast<double>(kLongestStride)));
  const int tenths = static_cast<int>(10 * fraction(time));
  const bool is_due = surroundings_.is_terminal
                          ? now - last_report_ >= kBetweenDrawings
                          : tenths > tenths_ || now - last_report_ >= kBetweenLogLines;
  if (!is_due) return;
  last_report_ = now;
  tenths_ = tenths;
  if (surroundings_.is_terminal)
    draw_bar(time, step, now - began_);
  else
    surroundings_.log(describe(time, step, now - began_));
}

void ProgressReporter::finish(double time, std::int64_t step) {
  if (!speaks_) return;
  if (first_step_ < 0) first_step_ = step;
  if (surroundings_.is_terminal) {
    draw_bar(time, step, surroundings_.seconds() - began_);
    surroundings_.draw("\n");
  } else if (tenths_ < 10) {
    surroundings_.log(describe(time, step, surroundings_.seconds() - began_));
  }
}

}  // namespace solidyn::results
