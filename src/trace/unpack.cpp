
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "trace/body.hpp"
#include "trace/format_1.hpp"
#include "trace/rows.hpp"
#include "trace_generated.h"

namespace upsweep {
namespace {

using flatbuffers::Offset;

// In format 1, the kernel's text is searched for the names of shared memory, once per launch. At most this
// many bytes are searched in total. Real recordings of format 1 have only a few launches.
constexpr std::size_t most_to_search = 1 << 26;

class Unpacker {
 public:
  // `memory` is the largest number of bytes for all rows. `texts` is the largest number of bytes for all
  // strings and lists. A valid file has each string and list once, but a damaged file may refer to one string
  // or list many times.
  Unpacker(std::string name, std::uint64_t memory, std::uint64_t texts)
      : name_(std::move(name)), memory_(memory), texts_(texts) {}

  // `most_steps` is the largest allowed number of steps and launches together.
  Trace unpack(const trace_file::Recording& r, int format, std::uint64_t most_steps) {
    Trace t;
    if (r.settings()) t.settings = settings_of(*r.settings());
    for (const MachineKind kind : {MachineKind::gpu, MachineKind::opengl})
      if (text(r.machine()) == name(kind)) t.machine = kind;
    t.device = text(r.device());
    t.driver = r.driver_version();
    t.nvrtc = r.nvrtc_version();
    t.date = text(r.date());
    t.program = text(r.program());
    t.file = text(r.file());
    t.text = text(r.text());
    t.state = text(r.state());
    if (r.stop()) t.stopped = stop_of(*r.stop());
    for_each(r.buffers(), [&](const trace_file::Buffer& b) {
      t.buffers.push_back({text(b.name()), static_cast<Cells>(b.cells()), b.count(), b.columns()});
    });
    const std::uint64_t grids = r.grids() ? r.grids()->size() : 0, steps = r.steps() ? r.steps()->count() : 0;
    if (grids > most_steps || steps > most_steps - grids) refuse(name_, say::too_many_steps(steps, grids));
    t.grids.clear();
    for_each(r.grids(), [&](const trace_file::Grid& g) { t.grids.push_back(grid_of(g)); });
    t.steps = steps_of(r);
    t.events = rows<Event>(r.events());
    std::uint32_t next = 0;
    column<std::uint32_t>(r.events(), "first", [&](std::size_t i, std::uint32_t x) {
      Event& e = t.events[i];
      e.first = x + next;
      next = e.first + entries(e);
    });
    t.lanes = rows<Lane>(r.lanes());
    for (const auto& [name, member] : {std::pair("left", &Lane::left), std::pair("right", &Lane::right)})
      column<Origin>(r.lanes(), name, [&, m = member](std::size_t k, Origin o) { t.lanes[k].*m = o; });
    for_each_entry(t.events, t.lanes.size(), [&](std::size_t k, std::uint32_t event) {
      t.lanes[k].left = relative(t.lanes[k].left, event);
      t.lanes[k].right = relative(t.lanes[k].right, event);
    });
    for (const ClockRow& row : rows<ClockRow>(r.clock())) t.clock.push_back(row.clock);
    t.values = values(r.values());
    snapshots_of(r, t);
    t.runs = rows<BlockRun>(r.runs());
    t.counts = rows<Count>(r.counts());
    t.input = values(r.input());
    t.output = values(r.output());
    t.more_inputs = lists_of_values(r.more_inputs());
    t.more_outputs = lists_of_values(r.more_outputs());
    t.dropped = r.dropped();
    t.span = r.span();
    list(r.operating(), t.operating);
    if (format < 2 && t.text.size() * t.grids.size() <= most_to_search)
      read_as_codes(text(r.stopped()), text(r.driver()), t);
    return t;
  }

 private:
  std::string text(const flatbuffers::String* s) {
    if (!s) return {};
    take_text(s->size());
    return s->str();
  }
  template <class Number>
  void list(const flatbuffers::Vector<Number>* from, std::vector<Number>& to) {
    if (!from) return;
    take_text(from->size() * sizeof(Number));
    to.assign(from->begin(), from->end());
  }
  void take_text(std::uint64_t bytes) {
    if (bytes > texts_) damaged();
    texts_ -= bytes;
  }

  template <class T, class F>
  static void for_each(const flatbuffers::Vector<Offset<T>>* all, F f) {
    if (all)
      for (const T* each : *all) f(*each);
  }

  [[noreturn]] void damaged() const { refuse(name_, say::other_than_it_says()); }

  Stopped stop_of(const trace_file::Stopped& s) {
    Stopped stopped{.kind = static_cast<Stop>(s.kind()),
                    .places = {},
                    .rounds = s.rounds(),
                    .elements = s.elements(),
                    .first_element = s.first_element()};
    for_each(s.places(), [&](const trace_file::StoppedThreads& p) {
      stopped.places.push_back({static_cast<Wait>(p.wait()), p.line(), p.grid(), p.block(), {}});
      list(p.threads(), stopped.places.back().threads);
    });
    return stopped;
  }

  Settings settings_of(const trace_file::Settings& s) {
    Settings settings;
    settings.algorithm = text(s.algorithm());
    settings.n = s.n();
    settings.block = s.block();
    settings.type = static_cast<Scalar>(s.type());
    settings.op = static_cast<Operator>(s.op());
    settings.grid = s.grid();
    for_each(s.variants(),
             [&](const trace_file::Variant& v) { settings.choices[text(v.name())] = text(v.choice()); });
    settings.choose("layout", text(s.layout()));
    settings.choose("load_pattern", text(s.load_pattern()));
    settings.without_barrier = s.without_barrier();
    settings.columns = s.columns();
    settings.expression = text(s.expression());
    settings.identity = text(s.identity());
    return settings;
  }

  Grid grid_of(const trace_file::Grid& g) {
    Grid grid;
    grid.kernel = text(g.kernel());
    grid.blocks = g.blocks();
    grid.threads = g.threads();
    grid.first_step = g.first_step();
    grid.steps = g.steps();
    grid.parent = g.parent();
    grid.parent_event = g.parent_event();
    grid.depth = g.depth();
    grid.blocks_across = {g.blocks_y(), g.blocks_z()};
    grid.threads_across = {g.threads_y(), g.threads_z()};
    if (const trace_file::Shared* s = g.shared()) {
      grid.shared.elements = s->elements();
      grid.shared.buffers = s->buffers();
      grid.shared.cells_per_buffer = s->cells_per_buffer();
      list(s->cell(), grid.shared.cell);
      for_each(s->more(), [&](const trace_file::Region& r) {
        grid.shared.more.push_back(
            {text(r.name()), static_cast<Cells>(r.cells()), r.first(), r.count(), r.columns(), r.pitch()});
      });
      grid.shared.bytes = s->bytes();
      grid.shared.columns = s->columns();
      grid.shared.cells = static_cast<Cells>(s->cells());
      grid.shared.name = text(s->name());
    }
    return grid;
  }

  // Returns an array for the rows. Throws RequestError if the array would exceed the memory limit.
  template <class Row>
  std::vector<Row> room(const trace_file::Rows* rows) {
    const std::uint64_t count = rows ? rows->count() : 0;
    if (count > memory_ / sizeof(Row)) damaged();
    memory_ -= count * sizeof(Row);
    return std::vector<Row>(count);
  }

  // Calls f(i, number) for each number of a column, if the column exists. If two columns have this name, only
  // the first column is read.
  template <class U, class F>
  void column(const trace_file::Rows* rows, std::string_view name, F f) const {
    if (!rows || !rows->columns()) return;
    for (const trace_file::Column* each : *rows->columns()) {
      const trace_file::Column& c = *each;
      if (!c.name() || c.name()->string_view() != name || !c.data()) continue;
      const std::span<const std::uint8_t> frame(c.data()->data(), c.data()->size());
      const std::uint64_t size = rows->count() * sizeof(U);
      if (c.width() != sizeof(U) || size_of_content(frame) != static_cast<std::int64_t>(size)) damaged();
      Bytes bytes(size);
      if (!decompress(frame, bytes)) damaged();
      return gather<U>(bytes, c.differences(), f);
    }
  }

  template <class Row>
  std::vector<Row> rows(const trace_file::Rows* packed) {
    if (packed && packed->count() > 0 && (!packed->columns() || packed->columns()->size() == 0)) damaged();
    std::vector<Row> all = room<Row>(packed);
    fields(static_cast<const Row*>(nullptr), [&](const char* name, auto member, bool) {
      using T = std::remove_cvref_t<decltype(std::declval<Row>().*member)>;
      column<typename BitsOf<T>::type>(packed, name,
                                       [&](std::size_t i, auto x) { all[i].*member = static_cast<T>(x); });
    });
    return all;
  }

  // Reads the steps. If a phase's number has no name in the file, the phase has no name.
  std::vector<Step> steps_of(const trace_file::Recording& r) {
    std::vector<Phase> phases(std::begin(phase_names), std::end(phase_names));
    if (r.phases())
      for (const flatbuffers::String* own : *r.phases())
        if (phases.size() < UINT8_MAX) phases.emplace_back(own->string_view());
    std::vector<Step> steps;
    for (const StepRow& row : rows<StepRow>(r.steps()))
      steps.push_back({row.phase < phases.size() ? phases[row.phase] : Phase(""), row.stride});
    return steps;
  }

  std::vector<Value> values(const trace_file::Rows* packed) {
    std::vector<Value> all = room<Value>(packed);
    for (std::size_t w = 0; w < std::size(words_of_value); ++w)
      column<std::uint32_t>(packed, words_of_value[w],
                            [&](std::size_t i, std::uint32_t x) { all[i][w] = x; });
    return all;
  }

  std::vector<std::vector<Value>> lists_of_values(
      const flatbuffers::Vector<Offset<trace_file::Rows>>* packed) {
    std::vector<std::vector<Value>> lists;
    if (packed && packed->size() > most_buffers) damaged();
    for_each(packed, [&](const trace_file::Rows& rows) { lists.push_back(values(&rows)); });
    return lists;
  }

  void snapshots_of(const trace_file::Recording& r, Trace& t) {
    const std::vector<SnapshotRow> snapshots = rows<SnapshotRow>(r.snapshots());
    const std::vector<ByteRow> bytes = rows<ByteRow>(r.snapshot_bytes());
    auto from = bytes.begin();
    for (const SnapshotRow& row : snapshots) {
      if (row.bytes > static_cast<std::uint64_t>(bytes.end() - from)) damaged();
      Snapshot& s = t.snapshots.emplace_back(Snapshot{row.block, row.step, {}});
      s.bytes.reserve(row.bytes);
      for (const auto to = from + static_cast<std::ptrdiff_t>(row.bytes); from != to; ++from)
        s.bytes.push_back(from->byte);
    }
  }

  std::string name_;
  std::uint64_t memory_, texts_;
};

}  // namespace

void refuse(const std::string& name, const Message& why) {
  throw RequestError(say::bad_recording(name, why));
}

Trace unpack_body(std::span<const std::uint8_t> bytes, int format, std::uint64_t memory,
                  const std::string& name) {
  const std::int64_t size = size_of_content(bytes);
  if (size < 0 || static_cast<std::uint64_t>(size) > memory) refuse(name, say::bad_checksum());
  Bytes body(static_cast<std::size_t>(size));
  if (!decompress(bytes, body)) refuse(name, say::bad_checksum());
  constexpr int deep = 16, tables = 1 << 20;
  flatbuffers::Verifier verifier(body.data(), body.size(), deep, tables);
  if (!trace_file::VerifyRecordingBuffer(verifier)) refuse(name, say::parts_do_not_fit());
  return Unpacker(name, memory - body.size(), body.size())
      .unpack(*trace_file::GetRecording(body.data()), format, most_steps_in(bytes.size()));
}

}  // namespace upsweep
