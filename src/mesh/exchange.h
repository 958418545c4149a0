#pragma once
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::mesh {

/// Plain values for every rank, or from every rank: those of rank r are [first[r], first[r + 1]).
template <class T>
struct Mail {
  std::vector<std::int64_t> first;  ///< [n_ranks + 1]
  std::vector<T> values;
  const T* begin(int rank) const { return values.data() + first[rank]; }
  std::int64_t count(int rank) const { return first[rank + 1] - first[rank]; }
};

/// Sorts values by the rank they go to; order is kept among those of one rank.
/// @param rank_of  (position in `values`) -> rank
/// @param[out] place  [values.size()] where each value went, when not null
template <class T, class RankOf>
Mail<T> address(const std::vector<T>& values, int n_ranks, const RankOf& rank_of,
                std::vector<std::int64_t>* place = nullptr) {
  Mail<T> mail;
  mail.first.assign(n_ranks + 1, 0);
  for (std::size_t i = 0; i < values.size(); ++i) ++mail.first[rank_of(i) + 1];
  std::partial_sum(mail.first.begin(), mail.first.end(), mail.first.begin());
  std::vector<std::int64_t> next(mail.first.begin(), mail.first.end() - 1);
  mail.values.resize(values.size());
  if (place) place->resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t to = next[rank_of(i)]++;
    mail.values[to] = values[i];
    if (place) (*place)[i] = to;
  }
  return mail;
}

namespace internal {

/// Counts and displacements as MPI wants them.
inline std::vector<int> as_ints(const std::vector<std::int64_t>& values, std::size_t n) {
  std::vector<int> ints(n);
  for (std::size_t i = 0; i < n; ++i) ints[i] = static_cast<int>(values[i]);
  return ints;
}

inline std::vector<int> counts_of(const std::vector<std::int64_t>& first) {
  std::vector<int> counts(first.size() - 1);
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = static_cast<int>(first[i + 1] - first[i]);
  return counts;
}

}  // namespace internal

/// Collective. What the others addressed to this rank, in the order of ranks.
template <class T>
Mail<T> deliver(MPI_Comm comm, const Mail<T>& sent) {
  static_assert(std::is_trivially_copyable_v<T>);
  const int n_ranks = base::size(comm);
  std::vector<std::int64_t> send_counts(n_ranks), counts(n_ranks);
  for (int r = 0; r < n_ranks; ++r) send_counts[r] = sent.count(r);
  MPI_Alltoall(send_counts.data(), 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, comm);
  Mail<T> received;
  received.first.assign(n_ranks + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), received.first.begin() + 1);
  base::run_together(comm, [&] {
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    if (received.first.back() > kMost || sent.first.back() > kMost)
      throw base::ComputationError(
          "more than 2^31 mesh values would be sent to or from one rank: use more ranks");
    received.values.resize(received.first.back());
  });
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(sent.values.data(), internal::counts_of(sent.first).data(),
                internal::as_ints(sent.first, n_ranks).data(), type, received.values.data(),
                internal::counts_of(received.first).data(),
                internal::as_ints(received.first, n_ranks).data(), type, comm);
  MPI_Type_free(&type);
  return received;
}

/// Collective. Asks other ranks: `answer` turns each question into an Answer where it arrives, and
/// the answers come back in the order of the questions.
/// @param rank_of  (question) -> rank       @param answer  (question, rank that asks) -> Answer
template <class Answer, class Question, class RankOf, class Answering>
std::vector<Answer> ask(MPI_Comm comm, const std::vector<Question>& questions,
                        const RankOf& rank_of, const Answering& answer) {
  std::vector<std::int64_t> place;
  Mail<Question> sent = address(
      questions, base::size(comm), [&](std::size_t i) { return rank_of(questions[i]); }, &place);
  const Mail<Question> received = deliver(comm, sent);
  Mail<Answer> reply{received.first, {}};
  reply.values.reserve(received.values.size());
  for (int r = 0; r < base::size(comm); ++r)
    for (std::int64_t i = received.first[r]; i < received.first[r + 1]; ++i)
      reply.values.push_back(answer(received.values[i], r));
  const Mail<Answer> back = deliver(comm, reply);
  std::vector<Answer> answers;
  answers.reserve(questions.size());
  for (std::int64_t at : place) answers.push_back(back.values[at]);
  return answers;
}

}  // namespace solidyn::mesh
