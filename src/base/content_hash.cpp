#include "solidyn/base/content_hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <fstream>

#include "solidyn/base/error.h"

namespace solidyn::base {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

Context make_context() {
  Context context(EVP_MD_CTX_new());
  if (!context) throw ComputationError("OpenSSL: out of memory for a digest");
  return context;
}

void require(int result) {
  if (result != 1) throw ComputationError("OpenSSL could not compute SHA-256");
}

}  // namespace

struct ContentHash::State {
  Context context = make_context();
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr));
}
ContentHash::ContentHash(ContentHash&&) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&&) noexcept = default;
ContentHash::~ContentHash() = default;

void ContentHash::add_bytes(const void* bytes, std::size_t n) {
  require(EVP_DigestUpdate(state_->context.get(), bytes, n));
}

void ContentHash::add(const std::string& text) {
  add(static_cast<std::int64_t>(text.size()));
  add_bytes(text.data(), text.size());
}

void ContentHash::add(const double* values, std::int64_t n) {
  add(n);
  add_bytes(values, n * sizeof *values);
}

void ContentHash::add(const std::int64_t* values, std::int64_t n) {
  add(n);
  add_bytes(values, n * sizeof *values);
}

void ContentHash::add_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError(fmt::format("cannot read `{}`", path), "check the name and the permissions");
  std::vector<char> buffer(1 << 20);
  std::int64_t size = 0;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    add_bytes(buffer.data(), file.gcount());
    size += file.gcount();
  }
  add(size);
}

std::string ContentHash::hex() const {
  const Context copy = make_context();
  require(EVP_MD_CTX_copy_ex(copy.get(), state_->context.get()));
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  require(EVP_DigestFinal_ex(copy.get(), digest, &n));
  std::string out;
  for (unsigned i = 0; i < n; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

}  // namespace solidyn::base
