#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solidyn/base/error.h"
#include "solidyn/results/motion.h"

namespace solidyn::results {
namespace {

using Json = nlohmann::ordered_json;

template <class Vector>
Json list(const Vector& v) {
  return std::vector<double>(v.data(), v.data() + v.size());
}

Json quaternion(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

Eigen::Vector3d vector_of(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Eigen::Quaterniond quaternion_of(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>(),
          json.at(3).get<double>()};
}

Json to_json_of(const MotionPrimitive& p) {
  return {{"shape", p.shape},
          {"size", p.size},
          {"position", list(p.position)},
          {"rotation", quaternion(p.rotation)}};
}

Json to_json_of(const MotionBody& b) {
  Json json = {{"name", b.name},
               {"type", b.type},
               {"mass", b.mass},
               {"colour", b.colour},
               {"coordinates", b.n_coordinates},
               {"nodes", b.n_nodes},
               {"lines", b.lines},
               {"rest", b.rest},
               {"radius", b.radius},
               {"in_fields", b.is_in_fields},
               {"keeps_axes", b.keeps_axes}};
  if (b.primitive) json["primitive"] = to_json_of(*b.primitive);
  return json;
}

MotionBody body_of(const Json& json) {
  MotionBody b;
  b.name = json.at("name");
  b.type = json.at("type");
  b.mass = json.at("mass");
  b.colour = json.at("colour");
  b.n_coordinates = json.at("coordinates");
  b.n_nodes = json.at("nodes");
  b.lines = json.at("lines").get<std::vector<std::array<int, 2>>>();
  b.radius = json.at("radius");
  b.is_in_fields = json.at("in_fields");
  b.rest = json.value("rest", b.rest);
  b.keeps_axes = json.value("keeps_axes", false);
  if (json.contains("primitive")) {
    const Json& of = json["primitive"];
    b.primitive = {of.at("shape"), of.at("size").get<std::vector<double>>(),
                   vector_of(of.at("position")), quaternion_of(of.at("rotation"))};
  }
  return b;
}

MotionScene scene_of(const Json& json) {
  MotionScene s;
  s.title = json.at("title");
  s.independent = json.at("independent");
  s.unit = json.at("unit");
  s.gravity = vector_of(json.at("gravity"));
  s.model = json.at("model");
  s.overrides = json.at("overrides").get<std::vector<std::string>>();
  s.has_velocities = json.value("velocities", false);
  for (const Json& body : json.at("bodies")) s.bodies.push_back(body_of(body));
  for (const Json& f : json.at("frames"))
    s.frames.push_back({f.at("name"), f.at("body"), vector_of(f.at("position")),
                        quaternion_of(f.at("rotation")), f.value("on", "")});
  for (const Json& joint : json.at("joints"))
    s.joints.push_back({joint.at("name"), joint.at("type"), joint.value("leaves", ""),
                        joint.at("frames").get<std::array<int, 2>>()});
  for (const Json& symbol : json.at("symbols"))
    s.symbols.push_back({symbol.at("name"), symbol.at("kind"),
                         symbol.at("frames").get<std::vector<int>>(), symbol.at("vector"),
                         symbol.value("unit", "N"), symbol.value("point", false)});
  return s;
}

// What of a scene names another part of it that is not there; empty: nothing.
std::string find_fault(const MotionScene& s) {
  constexpr int kMost = 100'000'000;
  const int n_bodies = static_cast<int>(s.bodies.size());
  const int n_frames = static_cast<int>(s.frames.size());
  const auto is_frame = [&](int f) { return f >= 0 && f < n_frames; };
  std::int64_t n_numbers = 0;
  for (const MotionBody& b : s.bodies) {
    if (b.n_coordinates < 0 || b.n_nodes < 0 || b.n_coordinates > kMost || b.n_nodes > kMost / 7)
      return fmt::format("body `{}` has an impossible number of coordinates", b.name);
    for (const auto& line : b.lines)
      if (line[0] < 0 || line[1] < 0 || line[0] >= b.n_nodes || line[1] >= b.n_nodes)
        return fmt::format("a line of body `{}` has no such node", b.name);
    if (b.primitive && b.primitive->size.size() != (b.primitive->shape == "box"      ? 3u
                                                    : b.primitive->shape == "sphere" ? 1u
                                                                                     : 2u))
      return fmt::format("the shape of body `{}` lacks sizes", b.name);
    if (!b.rest.empty() && static_cast<int>(b.rest.size()) != std::max(1, b.n_nodes))
      return fmt::format("body `{}` has other nodes at rest", b.name);
    n_numbers += MotionScene::n_numbers(b) + MotionScene::n_rates(b);
  }
  if (n_numbers > kMost) return "a picture has too many numbers";
  for (const MotionFrame& f : s.frames)
    if (f.body < MotionFrame::kItself || f.body >= n_bodies)
      return fmt::format("frame `{}` is on no body", f.name);
  for (const MotionJoint& j : s.joints)
    if (!is_frame(j.frames[0]) || !is_frame(j.frames[1]))
      return fmt::format("joint `{}` has no such frame", j.name);
  for (const MotionSymbol& symbol : s.symbols)
    for (const int f : symbol.frames)
      if (!is_frame(f)) return fmt::format("`{}` has no such frame", symbol.name);
  return {};
}

}  // namespace

int MotionScene::body_column(int body) const {
  int column = 0;
  for (int i = 0; i < body; ++i) column += n_numbers(bodies[i]);
  return column;
}

int MotionScene::frame_column(int frame) const {
  int column = body_column(static_cast<int>(bodies.size()));
  for (int i = 0; i < frame; ++i) column += frames[i].body == MotionFrame::kItself ? 7 : 0;
  return column;
}

int MotionScene::symbol_column(int symbol) const {
  int column = frame_column(static_cast<int>(frames.size()));
  for (int i = 0; i < symbol; ++i)
    column += (symbols[i].has_point ? 3 : 0) + (symbols[i].has_vector ? 3 : 0);
  return column;
}

int MotionScene::rate_column(int body) const {
  int column = symbol_column(static_cast<int>(symbols.size()));
  for (int i = 0; i < body && has_velocities; ++i) column += n_rates(bodies[i]);
  return column;
}

int MotionScene::row_length() const { return rate_column(static_cast<int>(bodies.size())); }

std::string MotionScene::to_json() const {
  Json json = {{"title", title},
               {"independent", independent},
               {"unit", unit},
               {"gravity", list(gravity)},
               {"model", model},
               {"overrides", overrides},
               {"velocities", has_velocities},
               {"bodies", Json::array()},
               {"frames", Json::array()},
               {"joints", Json::array()},
               {"symbols", Json::array()}};
  for (const MotionBody& b : bodies) json["bodies"].push_back(to_json_of(b));
  for (const MotionFrame& f : frames)
    json["frames"].push_back({{"name", f.name},
                              {"body", f.body},
                              {"position", list(f.position)},
                              {"rotation", quaternion(f.rotation)},
                              {"on", f.on}});
  for (const MotionJoint& j : joints)
    json["joints"].push_back(
        {{"name", j.name}, {"type", j.type}, {"leaves", j.leaves}, {"frames", j.frames}});
  for (const MotionSymbol& s : symbols)
    json["symbols"].push_back({{"name", s.name},
                               {"kind", s.kind},
                               {"frames", s.frames},
                               {"vector", s.has_vector},
                               {"unit", s.unit},
                               {"point", s.has_point}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

MotionScene MotionScene::from_json(const std::string& text, const std::string& source) {
  const auto damaged = [&](const std::string& why) {
    return base::InputError(fmt::format("{} is damaged: {}", source, why), "run the model again");
  };
  MotionScene scene;
  try {
    scene = scene_of(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw damaged(e.what());
  }
  if (const std::string fault = find_fault(scene); !fault.empty()) throw damaged(fault);
  return scene;
}

}  // namespace solidyn::results
