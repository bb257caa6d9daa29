#include "study/timing_kin.hpp"

#include <algorithm>
#include <cmath>

#include "measure/peers.hpp"

namespace upsweep {
namespace {

// Returns whether two kernels with the same kind of result also have the same kind of data: both sort pairs
// or neither does, and both use the same predicate.
bool has_same_data(const Settings& x, const Settings& y) {
  return sorts_pairs(x) == sorts_pairs(y) && predicate_beside_default(x) == predicate_beside_default(y);
}

bool moves_as_much(const Timings& all, const Timing& copy, const Settings& s) {
  constexpr double nearly = 0.01;
  return std::any_of(all.rows.begin(), all.rows.end(), [&](const Timing& t) {
    return t.contender == Contender::kernel && t.settings.n == copy.settings.n && is_same_kind(t, s) &&
           is_akin(known_result(t.settings), known_result(s)) && has_same_data(t.settings, s) &&
           std::abs(t.bytes - copy.bytes) <= nearly * copy.bytes;
  });
}

}  // namespace

const Result* known_result(const Settings& s) {
  const Algorithm* a = find_algorithm(s.algorithm);
  return a ? &result_of(*a, s) : nullptr;
}

bool is_akin(const Result* x, const Result* y) {
  return x && y && (*x == *y || (x->family == y->family && x->family != "application"));
}

bool is_same_kind(const Timing& t, const Settings& s) {
  return t.settings.type == s.type && t.settings.op == s.op;
}

bool is_peer(const Timings& all, const Timing& t, const Settings& s) {
  if (t.contender == Contender::kernel || !is_same_kind(t, s)) return false;
  if (t.contender == Contender::copy) return t.variant.empty() || moves_as_much(all, t, s);
  const Result* wanted = known_result(s);
  const Peer* peer = peer_of(t);
  if (!wanted || !peer) return false;
  if (peer->result == *wanted)
    return peer->computes(*wanted, s) && predicate_beside_default(t.settings) == predicate_beside_default(s);
  return wanted->loop && is_akin(wanted, &peer->result) &&
         std::none_of(all.rows.begin(), all.rows.end(), [&](const Timing& other) {
           const Peer* same =
               other.contender == t.contender && is_same_kind(other, s) ? peer_of(other) : nullptr;
           return same && same->result == *wanted;
         });
}

}  // namespace upsweep
