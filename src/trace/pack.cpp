#include <utility>

#include "trace/body.hpp"
#include "trace/rows.hpp"
#include "trace_generated.h"

namespace upsweep {
namespace {

using flatbuffers::Offset;
using String = Offset<flatbuffers::String>;
template <class T>
using Offsets = std::vector<Offset<T>>;

// If a body claims more memory or steps than its length allows (see most_memory_in()), lengthens the body by
// a frame that readers skip.
void lengthen(Body& body, std::uint64_t steps) {
  const std::uint64_t size = body.bytes.size();
  std::uint64_t needed = size;
  if (body.memory > most_memory_in(size)) needed = (body.memory - most_memory_in(0)) / 64 + 1;
  if (steps > most_steps_in(needed)) needed = 8 * (steps - most_steps_in(0));
  if (needed == size) return;
  const std::uint32_t zeros = static_cast<std::uint32_t>(std::min<std::uint64_t>(needed - size, UINT32_MAX)),
                      frame[] = {0x184d2a50,
                                 zeros};  // zstd's skippable frame: a number, and the length that is skipped
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(frame);
  body.bytes.insert(body.bytes.end(), bytes, bytes + sizeof frame);
  body.bytes.resize(body.bytes.size() + zeros);
}

class Packer {
 public:
  Body pack(const Trace& t) {
    const auto settings = settings_of(t.settings);
    const String machine = text(std::string(name(t.machine))), device = text(t.device), driver = 0,
                 date = text(t.date), program = text(t.program), file = text(t.file), source = text(t.text),
                 state = t.state.empty() ? String(0) : text(t.state),
                 stopped = 0;  // only format 1 stores the sentences `driver` and `stopped`
    const auto stop = stop_of(t.stopped);
    Offsets<trace_file::Buffer> buffers;
    for (const GlobalBuffer& b : t.buffers)
      buffers.push_back(trace_file::CreateBuffer(builder_, text(b.name), static_cast<std::uint8_t>(b.cells),
                                                 b.count, b.columns));
    Offsets<trace_file::Grid> grids;
    for (const Grid& g : t.grids) grids.push_back(grid_of(g));
    const auto all_buffers = builder_.CreateVector(buffers);
    const auto all_grids = builder_.CreateVector(grids);
    const auto steps = steps_of(t.steps), events = events_of(t), lanes = lanes_of(t), vals = values(t.values);
    std::vector<SnapshotRow> snapshot_rows;
    std::vector<ByteRow> bytes;
    for (const Snapshot& s : t.snapshots) {
      snapshot_rows.push_back({s.block, s.step, s.bytes.size()});
      for (const std::uint8_t b : s.bytes) bytes.push_back({b});
    }
    const auto snapshots = rows(snapshot_rows), snapshot_bytes = rows(bytes);
    const auto runs = rows(t.runs), counts = rows(t.counts), input = values(t.input),
               output = values(t.output);
    std::vector<ClockRow> clock_rows;
    for (const std::uint32_t at : t.clock) clock_rows.push_back({at});
    const auto clock = rows(clock_rows);
    const auto phases = builder_.CreateVectorOfStrings(phases_);
    const auto operating = builder_.CreateVector(t.operating);
    const auto more_inputs = lists_of_values(t.more_inputs), more_outputs = lists_of_values(t.more_outputs);
    builder_.Finish(trace_file::CreateRecording(builder_, settings, machine, device, driver, date, program,
                                                file, source, stopped, all_buffers, all_grids, steps, events,
                                                lanes, vals, snapshots, snapshot_bytes, runs, counts, input,
                                                output, t.dropped, stop, t.driver, t.nvrtc, phases, t.span,
                                                operating, more_inputs, more_outputs, clock, state));
    Body body{compressed({builder_.GetBufferPointer(), builder_.GetSize()}), memory_ + builder_.GetSize()};
    lengthen(body, t.steps.size() + t.grids.size());
    return body;
  }

 private:
  String text(const std::string& s) { return builder_.CreateString(s); }

  Offset<trace_file::Stopped> stop_of(const Stopped& s) {
    if (!s) return 0;
    Offsets<trace_file::StoppedThreads> places;
    for (const StoppedThreads& p : s.places) {
      const auto threads = builder_.CreateVector(p.threads);
      places.push_back(trace_file::CreateStoppedThreads(builder_, static_cast<std::uint8_t>(p.wait), p.line,
                                                        p.grid, p.block, threads));
    }
    const auto all_places = builder_.CreateVector(places);
    return trace_file::CreateStopped(builder_, static_cast<std::uint8_t>(s.kind), all_places, s.rounds,
                                     s.elements, s.first_element);
  }

  Offset<trace_file::Settings> settings_of(const Settings& s) {
    Offsets<trace_file::Variant> variants;
    for (const auto& [variant, choice] : s.variants())
      variants.push_back(trace_file::CreateVariant(builder_, text(variant), text(choice)));
    const auto all_variants = builder_.CreateVector(variants);
    const String algorithm = text(s.algorithm), layout = text(s.choice("layout")),
                 pattern = text(s.choice("load_pattern"));
    const bool own = s.op == Operator::own;
    const String expression = own ? text(s.expression) : 0, identity = own ? text(s.identity) : 0;
    return trace_file::CreateSettings(builder_, algorithm, s.n, s.block, static_cast<std::uint8_t>(s.type),
                                      static_cast<std::uint8_t>(s.op), layout, pattern, s.grid, all_variants,
                                      s.without_barrier, s.columns, expression, identity);
  }

  Offset<trace_file::Grid> grid_of(const Grid& g) {
    Offsets<trace_file::Region> more;
    for (const SharedRegion& r : g.shared.more)
      more.push_back(trace_file::CreateRegion(builder_, text(r.name), static_cast<std::uint8_t>(r.cells),
                                              r.first, r.count, r.columns, r.pitch));
    const auto all_more = builder_.CreateVector(more);
    const auto cell = builder_.CreateVector(g.shared.cell);
    const auto shared = trace_file::CreateShared(
        builder_, g.shared.elements, g.shared.buffers, g.shared.cells_per_buffer, cell, all_more,
        g.shared.bytes, text(g.shared.name), g.shared.columns, static_cast<std::uint8_t>(g.shared.cells));
    return trace_file::CreateGrid(builder_, text(g.kernel), g.blocks, g.threads, shared, g.first_step,
                                  g.steps, g.parent, g.parent_event, g.depth, g.blocks_across.y,
                                  g.blocks_across.z, g.threads_across.y, g.threads_across.z);
  }

  // Packs a field of all rows; `get(row)` returns the number.
  template <class U, class Row, class Get>
  void column(const char* name, const std::vector<Row>& all, bool as_differences, Get get) {
    std::vector<U> numbers(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) numbers[i] = get(all[i]);
    column<U>(name, numbers, as_differences);
  }
  template <class U>
  void column(const char* name, const std::vector<U>& numbers, bool as_differences) {
    const Bytes frame = compressed(spread<U>(numbers, as_differences));
    columns_.push_back(trace_file::CreateColumn(builder_, text(name), sizeof(U), as_differences,
                                                builder_.CreateVector(frame)));
  }

  template <class Row>
  void all_fields(const std::vector<Row>& all) {
    memory_ += all.size() * sizeof(Row);
    fields(static_cast<const Row*>(nullptr), [&](const char* name, auto member, bool as_differences) {
      using U = typename BitsOf<std::remove_cvref_t<decltype(std::declval<Row>().*member)>>::type;
      column<U>(name, all, as_differences, [&](const Row& row) { return static_cast<U>(row.*member); });
    });
  }

  Offset<trace_file::Rows> finished(std::size_t count) {
    const auto columns = builder_.CreateVector(std::exchange(columns_, {}));
    return trace_file::CreateRows(builder_, count, columns);
  }

  template <class Row>
  Offset<trace_file::Rows> rows(const std::vector<Row>& all) {
    all_fields(all);
    return finished(all.size());
  }

  std::uint8_t number_of(const Phase& phase) {
    const auto known = std::find(std::begin(phase_names), std::end(phase_names), phase.name());
    if (known != std::end(phase_names)) return static_cast<std::uint8_t>(known - std::begin(phase_names));
    auto own = std::find(phases_.begin(), phases_.end(), phase.name());
    if (own == phases_.end()) {
      if (phases_.size() == most_own_phases) return UINT8_MAX;  // no room: the phase has no name in the file
      own = phases_.insert(own, std::string(phase.name()));
    }
    return static_cast<std::uint8_t>(std::ssize(phase_names) + (own - phases_.begin()));
  }

  Offset<trace_file::Rows> steps_of(const std::vector<Step>& steps) {
    std::vector<StepRow> numbered;
    for (const Step& s : steps) numbered.push_back({number_of(s.phase), s.stride});
    return rows(numbered);
  }

  Offset<trace_file::Rows> events_of(const Trace& t) {
    all_fields(t.events);
    std::uint32_t next = 0;
    column<std::uint32_t>("first", t.events, as_is, [&](const Event& e) {
      return e.first - std::exchange(next, e.first + entries(e));
    });
    return finished(t.events.size());
  }

  Offset<trace_file::Rows> lanes_of(const Trace& t) {
    all_fields(t.lanes);
    std::vector<Origin> numbers;
    for (const auto& [name, member] : {std::pair("left", &Lane::left), std::pair("right", &Lane::right)}) {
      numbers.assign(t.lanes.size(), 0);
      for_each_entry(t.events, t.lanes.size(), [&](std::size_t k, std::uint32_t event) {
        numbers[k] = relative(t.lanes[k].*member, event);
      });
      column<Origin>(name, numbers, from_row_to_row);
    }
    return finished(t.lanes.size());
  }

  // If one of the four words of a Value is zero in all values, this word is not stored.
  Offset<trace_file::Rows> values(const std::vector<Value>& all) {
    memory_ += all.size() * sizeof(Value);
    for (std::size_t w = 0; w < std::size(words_of_value); ++w)
      if (std::any_of(all.begin(), all.end(), [&](const Value& v) { return v[w] != 0; }))
        column<std::uint32_t>(words_of_value[w], all, as_is, [&](const Value& v) { return v[w]; });
    return finished(all.size());
  }

  flatbuffers::Offset<flatbuffers::Vector<Offset<trace_file::Rows>>> lists_of_values(
      const std::vector<std::vector<Value>>& lists) {
    Offsets<trace_file::Rows> all;
    for (const std::vector<Value>& list : lists) all.push_back(values(list));
    return builder_.CreateVector(all);
  }

  flatbuffers::FlatBufferBuilder builder_;
  Offsets<trace_file::Column> columns_;
  std::vector<std::string> phases_;  // phases that are not in phase_names
  std::uint64_t memory_ = 0;         // the bytes that the rows take when they are read
};

}  // namespace

Body pack_body(const Trace& trace) { return Packer().pack(trace); }

}  // namespace upsweep
