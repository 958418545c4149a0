#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::mesh {

/// Arrays of plain values written one after the other into bytes, to travel between ranks.
class Packet {
 public:
  Packet() = default;
  explicit Packet(std::vector<char> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  void put(const std::vector<T>& values) {
    put_bytes(values.data(), values.size() * sizeof(T), values.size());
  }
  void put(const std::string& text) { put_bytes(text.data(), text.size(), text.size()); }

  template <class Container>
  Container get() {
    std::uint64_t n = 0;
    take(&n, sizeof n);
    Container values;
    values.resize(n);
    take(values.data(), n * sizeof(typename Container::value_type));
    return values;
  }

  const std::vector<char>& bytes() const { return bytes_; }

 private:
  void put_bytes(const void* data, std::size_t n_bytes, std::uint64_t n_values) {
    const char* count = reinterpret_cast<const char*>(&n_values);
    bytes_.insert(bytes_.end(), count, count + sizeof n_values);
    const char* first = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), first, first + n_bytes);
  }
  void take(void* target, std::size_t n_bytes) {
    SOLIDYN_ASSERT(at_ + n_bytes <= bytes_.size());
    if (n_bytes) std::memcpy(target, bytes_.data() + at_, n_bytes);
    at_ += n_bytes;
  }

  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

}  // namespace solidyn::mesh
