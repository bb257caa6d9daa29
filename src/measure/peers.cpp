#include "measure/peers.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "catalogue/predicate.hpp"
#include "measure/cub.hpp"
#include "measure/npp.hpp"

namespace upsweep {
namespace {

const Peer all_peers[] = {
    {Contender::library, "cub::DeviceReduce", "", Result::reduction},
    {Contender::processor, "std::accumulate", "", Result::reduction},
    {Contender::processor, "std::accumulate", "threads", Result::reduction, Cores::threads},
    {Contender::processor, "std::reduce", "par_unseq", Result::reduction, Cores::par_unseq},
    {Contender::library, "cub::DeviceScan", "", Result::inclusive_scan},
    {Contender::processor, "std::inclusive_scan", "", Result::inclusive_scan},
    {Contender::processor, "std::inclusive_scan", "threads", Result::inclusive_scan, Cores::threads},
    {Contender::processor, "std::inclusive_scan", "par_unseq", Result::inclusive_scan, Cores::par_unseq},
    {Contender::library, "cub::DeviceScan", "exclusive", Result::exclusive_scan},
    {Contender::processor, "std::exclusive_scan", "", Result::exclusive_scan},
    {Contender::processor, "std::exclusive_scan", "threads", Result::exclusive_scan, Cores::threads},
    {Contender::processor, "std::exclusive_scan", "par_unseq", Result::exclusive_scan, Cores::par_unseq},
    {Contender::library, "cub::DeviceSelect", "", Result::selection},
    {Contender::library, "cub::DeviceRadixSort", "", Result::sorting},
    {Contender::library, "cub::DeviceRadixSort", "pairs", Result::sorting, Cores::one, true},
    {Contender::library, "cub::DeviceScan", "maps", Result::recurrence},
    {Contender::library, "nppiIntegral_8u32s", "uint8", Result::summed_area_table}};

}  // namespace

bool Peer::computes(const Result& what, const Settings& s) const {
  if (what != result) return false;
  // NPP computes only tables of int32, for pictures with one channel.
  if (is_of_npp(what)) return s.type == Scalar::int32 && channels(s) == 1;
  return what != Result::sorting || pairs == sorts_pairs(s);
}

double Peer::bytes(const Settings& s) const {
  if (is_of_npp(result)) return Npp::bytes(s);
  const double values = pairs ? least_bytes(s.n, s.n, static_cast<int>(sizeof(unsigned))) : 0;
  return values + least_bytes(s.n, result.size(s), element_bytes(s));
}

Message Peer::refusal(const Settings& s) const {
  if (contender == Contender::library && !is_of_npp(result)) return Cub::refusal(result, s);
  return cores == Cores::par_unseq ? Processor::par_refusal(result, s.op) : Message{};
}

std::span<const Peer> peers() { return all_peers; }

const Peer* peer_of(const Timing& row) {
  const auto* found = std::find_if(std::begin(all_peers), std::end(all_peers), [&](const Peer& p) {
    return p.contender == row.contender && p.name == row.name && p.variant == row.variant;
  });
  return found == std::end(all_peers) ? nullptr : found;
}

std::string predicate_beside_default(const Settings& s) {
  const std::string chosen = chosen_predicate(s);
  return chosen == predicate_choice().usual_option() ? "" : chosen;
}

Settings peer_settings(const Result& what, const Settings& s) {
  Settings bare;
  bare.algorithm.clear();
  bare.n = s.n;
  bare.type = s.type;
  bare.op = s.op;
  bare.block = bare.grid = 0;
  if (const std::string predicate = predicate_beside_default(s);
      what == Result::selection && !predicate.empty())
    bare.choices["predicate"] = predicate;
  if (what == Result::sorting && sorts_pairs(s)) bare.choices["keys"] = "pairs";
  if (what == Result::summed_area_table) bare.columns = data_columns(s);
  return bare;
}

}  // namespace upsweep
