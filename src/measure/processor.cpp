#include "measure/processor.hpp"

#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <numeric>
#include <thread>
#include <type_traits>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/arithmetic.hpp"

#ifdef UPSWEEP_TBB
#include <execution>
#endif

namespace upsweep {
namespace {

// The number of elements between two checks of the stop token. This number of elements takes less than a
// millisecond.
constexpr std::size_t chunk = 1 << 18;
// The number of elements between two checks if all cores work together. This number of elements takes less
// than 100 ms, but much longer than starting the threads.
constexpr std::size_t par_chunk = 1 << 24;

template <class N>
struct Map {
  N a{1}, b{0};
};

template <Operator op, class N>
struct Combine {
  using Element = std::conditional_t<op == Operator::affine, Map<N>, N>;
  // The type for a long chain of operations, in which each operation uses the previous result. Half becomes
  // CarriedHalf, which is faster.
  using Chain = Combine<op, std::conditional_t<std::is_same_v<Element, Half>, CarriedHalf, N>>;
  static constexpr Operator is = op;
  static Element identity() {
    if constexpr (op == Operator::affine) return {};
    else if constexpr (op == Operator::product) return N(1);
    else if constexpr (op == Operator::min) return std::numeric_limits<N>::max();
    else if constexpr (op == Operator::max) return std::numeric_limits<N>::lowest();
    else return N(0);
  }
  Element operator()(const Element& x, const Element& y) const {
    if constexpr (op == Operator::affine) return {x.a * y.a, y.a * x.b + y.b};  // applies x first, then y
    else if constexpr (op == Operator::product) return x * y;
    else if constexpr (op == Operator::min) return y < x ? y : x;
    else if constexpr (op == Operator::max) return x < y ? y : x;
    else return x + y;
  }
};

// Calls f with the Combine that computes the operator of these settings.
template <class F>
auto with_combine(const Settings& s, F f) {
  return with_arithmetic(s, [&]<class N>(N) {
    return with_operator(
        s.op, [&]<Operator op>(std::integral_constant<Operator, op>) { return f(Combine<op, N>{}); });
  });
}

// Returns the element of the input data for a random digit. The input on the GPU has the same elements
// (helper_kernels.hpp).
template <class N>
N filling(unsigned digit) {
  if constexpr (std::is_same_v<N, Half>) return Half::from_bits(static_cast<std::uint16_t>(digit));
  else return static_cast<N>(digit);
}

// Returns the begin and the end of a thread's range of elements. All ranges have nearly the same length.
std::pair<std::size_t, std::size_t> range(std::size_t n, int part, int parts) {
  const auto at = [&](int k) { return n * static_cast<std::size_t>(k) / static_cast<std::size_t>(parts); };
  return {at(part), at(part + 1)};
}

// Calls f for each chunk of [begin, end). Returns false if `stop` was requested.
template <class F>
bool chunks(std::size_t begin, std::size_t end, const std::stop_token& stop, F f, std::size_t each = chunk) {
  for (; begin < end; begin += each) {
    if (stop.stop_requested()) return false;
    f(begin, std::min(end, begin + each));
  }
  return true;
}

template <class Op>
typename Op::Element reduce_range(const typename Op::Element* in, std::size_t begin, std::size_t end,
                                  const std::stop_token& stop) {
  using Chain = typename Op::Chain;
  typename Chain::Element sum = Op::identity();
  chunks(begin, end, stop,
         [&](std::size_t from, std::size_t to) { sum = std::accumulate(in + from, in + to, sum, Chain{}); });
  return sum;
}

template <class Op>
void scan_range(const typename Op::Element* in, typename Op::Element* out, std::size_t begin, std::size_t end,
                typename Op::Chain::Element before, bool exclusive, const std::stop_token& stop) {
  using Chain = typename Op::Chain;
  chunks(begin, end, stop, [&](std::size_t from, std::size_t to) {
    if (exclusive) {
      std::exclusive_scan(in + from, in + to, out + from, before, Chain{});
      before = Chain{}(out[to - 1], in[to - 1]);
    } else {
      std::inclusive_scan(in + from, in + to, out + from, Chain{}, before);
      before = out[to - 1];
    }
  });
}

}  // namespace

struct Processor::State {
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte, Free> input, output;
  std::size_t bytes = 0;
  std::vector<char> flushed;
  int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::function<void(int)> work;  // the work of each thread; if empty, the threads end
  std::barrier<> begin{count + 1}, end{count + 1};
  std::vector<std::jthread> threads;

  State() {
    for (int t = 0; t < count; ++t)
      threads.emplace_back([this, t] {
        for (begin.arrive_and_wait(); work; begin.arrive_and_wait()) {
          work(t);
          end.arrive_and_wait();
        }
      });
  }
  ~State() {
    work = nullptr;
    begin.arrive_and_wait();
  }
  void on_all(std::function<void(int)> f) {
    work = std::move(f);
    begin.arrive_and_wait();
    end.arrive_and_wait();
  }

  template <class Op>
  void parallel(std::size_t n, const Result& what, const std::stop_token& stop) {
    using Element = typename Op::Element;
    const auto* in = reinterpret_cast<const Element*>(input.get());
    auto* out = reinterpret_cast<Element*>(output.get());
    std::vector<Element> sums(static_cast<std::size_t>(count));
    on_all([&](int t) {
      const auto [from, to] = range(n, t, count);
      sums[static_cast<std::size_t>(t)] = reduce_range<Op>(in, from, to, stop);
    });
    if (what == Result::reduction) {
      out[0] = std::accumulate(sums.begin(), sums.end(), Op::identity(), Op{});
      return;
    }
    std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), Op::identity(), Op{});
    on_all([&](int t) {
      const auto [from, to] = range(n, t, count);
      scan_range<Op>(in, out, from, to, sums[static_cast<std::size_t>(t)], what == Result::exclusive_scan,
                     stop);
    });
  }

  template <class Op>
  void sequential(std::size_t n, const Result& what, const std::stop_token& stop) {
    using Element = typename Op::Element;
    const auto* in = reinterpret_cast<const Element*>(input.get());
    auto* out = reinterpret_cast<Element*>(output.get());
    if (what == Result::reduction) out[0] = reduce_range<Op>(in, 0, n, stop);
    else scan_range<Op>(in, out, 0, n, Op::identity(), what == Result::exclusive_scan, stop);
  }

  template <class Op>
  void par_unseq([[maybe_unused]] std::size_t n, const Result& what,
                 [[maybe_unused]] const std::stop_token& stop) {
    for (const Message& why : {no_par(), par_refusal(what, Op::is)})
      if (why) throw WorkError(why);
#ifdef UPSWEEP_TBB
    using Element = typename Op::Element;
    [[maybe_unused]] constexpr auto& policy = std::execution::par_unseq;
    const auto* in = reinterpret_cast<const Element*>(input.get());
    auto* out = reinterpret_cast<Element*>(output.get());
    Element before = Op::identity();
    const auto f = [&](std::size_t from, std::size_t to) {
      if (what == Result::reduction) {
        if constexpr (Op::is != Operator::affine)
          before = std::reduce(policy, in + from, in + to, before, Op{});
      } else if constexpr (Op::is == Operator::sum) {
        if (what == Result::exclusive_scan) {
          std::exclusive_scan(policy, in + from, in + to, out + from, before, Op{});
          before = Op{}(out[to - 1], in[to - 1]);
        } else {
          std::inclusive_scan(policy, in + from, in + to, out + from, Op{}, before);
          before = out[to - 1];
        }
      }
    };
    chunks(0, n, stop, f, par_chunk);
    if (what == Result::reduction) out[0] = before;
#endif
  }
};

Message Processor::no_par() {
#ifdef UPSWEEP_TBB
  return {};
#else
  return say::no_tbb();
#endif
}

Message Processor::par_refusal(const Result& what, Operator op) {
  if (what == Result::reduction && op == Operator::affine) return say::order_matters();
  // In a scan of floats, libstdc++ begins each thread's part with T{}, which is 0. The number 0 is the
  // identity only for sums.
  if (what != Result::reduction && op != Operator::sum) return say::parallel_sums_alone(upsweep::name(op));
  return {};
}

Processor::Processor() : state_(std::make_unique<State>()) {}
Processor::~Processor() = default;
int Processor::threads() const { return state_->count; }
std::byte* Processor::input() { return state_->input.get(); }
const std::byte* Processor::output() const { return state_->output.get(); }

std::string Processor::name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "CPU";
}

std::uint64_t Processor::available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:")) return std::stoull(line.substr(13)) * 1024;
  return std::uint64_t{1} << 30;
}

bool Processor::prepare(const Settings& kind, const std::stop_token& stop) {
  State& p = *state_;
  const auto n = static_cast<std::size_t>(kind.n);
  const std::size_t bytes = n * static_cast<std::size_t>(element_bytes(kind));
  if (bytes > p.bytes) {
    p.bytes = 0;
    p.input.reset();
    p.output.reset();
    try {
      p.input.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64})));
      p.output.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64})));
    } catch (const std::bad_alloc&) { throw WorkError(say::beyond_host_memory(kind.n)); }
    p.bytes = bytes;
  }
  return with_combine(kind, [&]<class Op>(Op) {
    using Element = typename Op::Element;
    auto* in = reinterpret_cast<Element*>(p.input.get());
    auto* out = reinterpret_cast<Element*>(p.output.get());
    return chunks(0, n, stop, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const auto digit = static_cast<unsigned>(((i * 0x9e3779b97f4a7c15ull) >> 40) % 8);
        if constexpr (requires(Element e) { e.b; }) in[i] = {.b = filling<decltype(Element::b)>(digit)};
        else in[i] = kind.op == Operator::product ? Element(1) : filling<Element>(digit);
        out[i] = in[i];  // accesses all pages, so that no page faults are timed
      }
    });
  });
}

void Processor::flush() {
  State& p = *state_;
  if (p.flushed.empty()) {
    const long level3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    // Some servers report the sum of the caches of all cores, hundreds of megabytes. So the size is limited.
    p.flushed.resize(2 * static_cast<std::size_t>(std::clamp(level3, 8l << 20, 64l << 20)));
  }
  const int with = ++p.flushed[0];
  p.on_all([&](int t) {
    const auto [from, to] = range(p.flushed.size(), t, p.count);
    std::memset(p.flushed.data() + from, with, to - from);
  });
}

std::optional<double> Processor::run(const Settings& s, const Result& what, Cores cores,
                                     const std::stop_token& stop) {
  const auto n = static_cast<std::size_t>(s.n);
  const auto begin = std::chrono::steady_clock::now();
  with_combine(s, [&]<class Op>(Op) {
    switch (cores) {
      case Cores::one: return state_->sequential<Op>(n, what, stop);
      case Cores::threads: return state_->parallel<Op>(n, what, stop);
      case Cores::par_unseq: return state_->par_unseq<Op>(n, what, stop);
    }
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (stop.stop_requested()) return {};
  return took.count();
}

}  // namespace upsweep
