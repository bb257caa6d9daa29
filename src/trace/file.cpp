#include "trace/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "trace/column.hpp"
#include "trace/sound.hpp"
#include "trace_generated.h"

static_assert(std::endian::native == std::endian::little, "columns are copied as they lie in memory");

namespace upsweep {
namespace {

struct Header {
  std::uint8_t magic[8];
  std::uint16_t major, minor;
  std::uint32_t zero;
  std::uint64_t packed;    // bytes that follow
  std::uint64_t unpacked;  // bytes of memory
};
static_assert(sizeof(Header) == 32);
constexpr std::uint8_t magic[8] = {0x89, 'U', 'P', 'S', '\r', '\n', 0x1a, '\n'};  // does not survive as text

// --- the fields of each kind of row, by name; writing and reading both go through these

constexpr bool as_is = false, differences = true;

template <class F>
void fields(const Event*, F f) {
  f("kind", &Event::kind, as_is);
  f("width", &Event::width, as_is);
  f("buffer", &Event::buffer, as_is);
  f("detail", &Event::detail, as_is);
  f("flags", &Event::flags, as_is);
  f("parts", &Event::parts, as_is);
  f("warp", &Event::warp, differences);
  f("line", &Event::line, as_is);
  f("grid", &Event::grid, as_is);
  f("block", &Event::block, differences);
  f("step", &Event::step, differences);
  f("mask", &Event::mask, as_is);
  f("time", &Event::time, differences);
}
template <class F>
void fields(const Lane*, F f) {
  f("address", &Lane::address, differences);  // left and right: see origins()
}
template <class F>
void fields(const Step*, F f) {
  f("phase", &Step::phase, as_is);
  f("stride", &Step::stride, as_is);
}
template <class F>
void fields(const BlockRun*, F f) {
  f("grid", &BlockRun::grid, differences);
  f("sm", &BlockRun::sm, as_is);
  f("block", &BlockRun::block, differences);
  f("in_focus", &BlockRun::in_focus, as_is);
  f("begin", &BlockRun::begin, differences);
  f("end", &BlockRun::end, differences);
}
template <class F>
void fields(const Count*, F f) {
  f("step", &Count::step, differences);
  f("line", &Count::line, as_is);
  f("kind", &Count::kind, as_is);
  f("requests", &Count::requests, as_is);
  f("lanes", &Count::lanes, as_is);
  f("units", &Count::units, as_is);
  f("ideal", &Count::ideal, as_is);
}
struct SnapshotRow {
  std::uint32_t block = 0, step = 0;
  std::uint64_t bytes = 0;
};
template <class F>
void fields(const SnapshotRow*, F f) {
  f("block", &SnapshotRow::block, differences);
  f("step", &SnapshotRow::step, differences);
  f("bytes", &SnapshotRow::bytes, as_is);
}
struct ByteRow {
  std::uint8_t byte = 0;
};
template <class F>
void fields(const ByteRow*, F f) {
  f("byte", &ByteRow::byte, as_is);
}
constexpr const char* words[] = {"word 0", "word 1", "word 2", "word 3"};  // of a Value

// Does not compile when a field is added that is not listed above (or in Packer and Unpacker) yet.
[[maybe_unused]] void every_field_is_known(const Trace& t, const Grid& g, const Event& e, const BlockRun& r,
                                           const Count& c) {
  [[maybe_unused]] const auto& [t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16,
                                t17, t18, t19, t20] = t;
  [[maybe_unused]] const auto& [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] = t.settings;
  [[maybe_unused]] const auto& [g0, g1, g2, g3, g4, g5, g6, g7, g8] = g;
  [[maybe_unused]] const auto& [h0, h1, h2, h3, h4, h5] = g.shared;
  [[maybe_unused]] const auto& [m0, m1, m2, m3] = g.shared.more.front();
  [[maybe_unused]] const auto& [b0, b1, b2] = t.buffers.front();
  [[maybe_unused]] const auto& [p0, p1] = t.steps.front();
  [[maybe_unused]] const auto& [e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13] = e;
  [[maybe_unused]] const auto& [l0, l1, l2] = t.lanes.front();
  [[maybe_unused]] const auto& [n0, n1, n2] = t.snapshots.front();
  [[maybe_unused]] const auto& [r0, r1, r2, r3, r4, r5] = r;
  [[maybe_unused]] const auto& [c0, c1, c2, c3, c4, c5, c6] = c;
}

template <class T>
struct BitsOf {
  using type = std::make_unsigned_t<T>;
};
template <class T>
requires std::is_enum_v<T>
struct BitsOf<T> {
  using type = std::make_unsigned_t<std::underlying_type_t<T>>;
};
template <>
struct BitsOf<bool> {
  using type = std::uint8_t;
};

// --- what follows from other rows

std::uint32_t entries(const Event& e) {
  return has_lanes(e.kind) ? static_cast<std::uint32_t>(std::popcount(e.mask)) * e.parts : 0;
}

// Calls f(entry) for each of an event's entries that exist.
template <class F>
void for_each_entry(const Event& e, std::size_t existing, F f) {
  const std::size_t last = std::min<std::size_t>(std::size_t{e.first} + entries(e), existing);
  for (std::size_t k = e.first; k < last; ++k) f(k);
}

// How many events back an origin lies, and the other way round: `event` is the index of the one that has it.
// No origin stays none; the part stays where it is.
Origin relative(Origin o, std::uint32_t event) {
  constexpr Origin events = (Origin{1} << origin_part_shift) - 1;
  const Origin from = (event + 1) & events, to = o & events;
  const Origin back = to == 0 ? 0 : to == from ? from : (from - to) & events;
  return (o & ~events) | back;
}

// Calls f(entry, event) for every lane entry of every event.
template <class F>
void for_each_entry(const std::vector<Event>& events, std::size_t existing, F f) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::size_t first = events[i].first, last = std::min(first + entries(events[i]), existing);
    for (std::size_t k = first; k < last; ++k) f(k, static_cast<std::uint32_t>(i));
  }
}

// --- writing

using flatbuffers::Offset;
using String = Offset<flatbuffers::String>;
template <class T>
using Offsets = std::vector<Offset<T>>;

class Packer {
 public:
  std::uint64_t memory = 0;  // that the rows take when they are read

  Bytes pack(const Trace& t) {
    const auto settings = settings_of(t.settings);
    const String machine = text(t.machine), device = text(t.device), driver = text(t.driver),
                 date = text(t.date), program = text(t.program), file = text(t.file), source = text(t.text),
                 stopped = text(t.stopped);
    Offsets<packed::Buffer> buffers;
    for (const GlobalBuffer& b : t.buffers)
      buffers.push_back(
          packed::CreateBuffer(builder_, text(b.name), static_cast<std::uint8_t>(b.cells), b.count));
    Offsets<packed::Grid> grids;
    for (const Grid& g : t.grids) grids.push_back(grid_of(g));
    const auto all_buffers = builder_.CreateVector(buffers);
    const auto all_grids = builder_.CreateVector(grids);
    const auto steps = rows(t.steps), events = events_of(t), lanes = lanes_of(t), vals = values(t.values);
    std::vector<SnapshotRow> snapshot_rows;
    std::vector<ByteRow> bytes;
    for (const Snapshot& s : t.snapshots) {
      snapshot_rows.push_back({s.block, s.step, s.bytes.size()});
      for (const std::uint8_t b : s.bytes) bytes.push_back({b});
    }
    const auto snapshots = rows(snapshot_rows), snapshot_bytes = rows(bytes);
    const auto runs = rows(t.runs), counts = rows(t.counts), input = values(t.input),
               output = values(t.output);
    builder_.Finish(packed::CreateRecording(builder_, settings, machine, device, driver, date, program, file,
                                            source, stopped, all_buffers, all_grids, steps, events, lanes,
                                            vals, snapshots, snapshot_bytes, runs, counts, input, output,
                                            t.dropped));
    memory += builder_.GetSize();
    return compressed({builder_.GetBufferPointer(), builder_.GetSize()});
  }

 private:
  String text(const std::string& s) { return builder_.CreateString(s); }

  Offset<packed::Settings> settings_of(const Settings& s) {
    Offsets<packed::Variant> variants;
    for (const auto& [variant, choice] : s.variants)
      variants.push_back(packed::CreateVariant(builder_, text(variant), text(choice)));
    const auto all_variants = builder_.CreateVector(variants);
    const String algorithm = text(s.algorithm), layout = text(s.layout), pattern = text(s.load_pattern);
    return packed::CreateSettings(builder_, algorithm, s.n, s.block, static_cast<std::uint8_t>(s.type),
                                  static_cast<std::uint8_t>(s.op), layout, pattern, s.grid, all_variants,
                                  s.without_barrier);
  }

  Offset<packed::Grid> grid_of(const Grid& g) {
    Offsets<packed::Region> more;
    for (const SharedRegion& r : g.shared.more)
      more.push_back(
          packed::CreateRegion(builder_, text(r.name), static_cast<std::uint8_t>(r.cells), r.first, r.count));
    const auto all_more = builder_.CreateVector(more);
    const auto cell = builder_.CreateVector(g.shared.cell);
    const auto shared = packed::CreateShared(builder_, g.shared.elements, g.shared.buffers,
                                             g.shared.cells_per_buffer, cell, all_more, g.shared.bytes);
    return packed::CreateGrid(builder_, text(g.kernel), g.blocks, g.threads, shared, g.first_step, g.steps,
                              g.parent, g.parent_event, g.depth);
  }

  // A field of all rows; `get(row)` gives the number.
  template <class U, class Row, class Get>
  void column(const char* name, const std::vector<Row>& all, bool as_differences, Get get) {
    std::vector<U> numbers(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) numbers[i] = get(all[i]);
    column<U>(name, numbers, as_differences);
  }
  template <class U>
  void column(const char* name, const std::vector<U>& numbers, bool as_differences) {
    const Bytes frame = compressed(spread<U>(numbers, as_differences));
    columns_.push_back(
        packed::CreateColumn(builder_, text(name), sizeof(U), as_differences, builder_.CreateVector(frame)));
  }

  template <class Row>
  void all_fields(const std::vector<Row>& all) {
    memory += all.size() * sizeof(Row);
    fields(static_cast<const Row*>(nullptr), [&](const char* name, auto member, bool as_differences) {
      using U = typename BitsOf<std::remove_cvref_t<decltype(std::declval<Row>().*member)>>::type;
      column<U>(name, all, as_differences, [&](const Row& row) { return static_cast<U>(row.*member); });
    });
  }

  Offset<packed::Rows> finished(std::size_t count) {
    const auto columns = builder_.CreateVector(std::exchange(columns_, {}));
    return packed::CreateRows(builder_, count, columns);
  }

  template <class Row>
  Offset<packed::Rows> rows(const std::vector<Row>& all) {
    all_fields(all);
    return finished(all.size());
  }

  Offset<packed::Rows> events_of(const Trace& t) {
    all_fields(t.events);
    std::uint32_t next = 0;
    column<std::uint32_t>("first", t.events, as_is, [&](const Event& e) {
      return e.first - std::exchange(next, e.first + entries(e));
    });
    return finished(t.events.size());
  }

  Offset<packed::Rows> lanes_of(const Trace& t) {
    all_fields(t.lanes);
    std::vector<Origin> numbers;
    for (const auto& [name, member] : {std::pair("left", &Lane::left), std::pair("right", &Lane::right)}) {
      numbers.assign(t.lanes.size(), 0);
      for_each_entry(t.events, t.lanes.size(), [&](std::size_t k, std::uint32_t event) {
        numbers[k] = relative(t.lanes[k].*member, event);
      });
      column<Origin>(name, numbers, differences);
    }
    return finished(t.lanes.size());
  }

  // Words that are zero in all values are left out.
  Offset<packed::Rows> values(const std::vector<Value>& all) {
    memory += all.size() * sizeof(Value);
    for (std::size_t w = 0; w < std::size(words); ++w)
      if (std::any_of(all.begin(), all.end(), [&](const Value& v) { return v[w] != 0; }))
        column<std::uint32_t>(words[w], all, as_is, [&](const Value& v) { return v[w]; });
    return finished(all.size());
  }

  flatbuffers::FlatBufferBuilder builder_;
  Offsets<packed::Column> columns_;
};

// --- reading

[[noreturn]] void refuse(const std::string& name, std::string_view why) {
  throw RequestError(fmt::format("The recording {} {}.", name, why));
}

class Unpacker {
 public:
  // `memory`: what all rows may take, in bytes.
  Unpacker(std::string name, std::uint64_t memory) : name_(std::move(name)), memory_(memory) {}

  Trace unpack(const packed::Recording& r) {
    Trace t;
    if (r.settings()) t.settings = settings_of(*r.settings());
    t.machine = text(r.machine());
    t.device = text(r.device());
    t.driver = text(r.driver());
    t.date = text(r.date());
    t.program = text(r.program());
    t.file = text(r.file());
    t.text = text(r.text());
    t.stopped = text(r.stopped());
    for_each(r.buffers(), [&](const packed::Buffer& b) {
      t.buffers.push_back({text(b.name()), static_cast<Cells>(b.cells()), b.count()});
    });
    t.grids.clear();
    for_each(r.grids(), [&](const packed::Grid& g) { t.grids.push_back(grid_of(g)); });
    t.steps = rows<Step>(r.steps());
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
    t.values = values(r.values());
    snapshots_of(r, t);
    t.runs = rows<BlockRun>(r.runs());
    t.counts = rows<Count>(r.counts());
    t.input = values(r.input());
    t.output = values(r.output());
    t.dropped = r.dropped();
    return t;
  }

 private:
  static std::string text(const flatbuffers::String* s) { return s ? s->str() : std::string(); }

  template <class T, class F>
  static void for_each(const flatbuffers::Vector<Offset<T>>* all, F f) {
    if (all)
      for (const T* each : *all) f(*each);
  }

  [[noreturn]] void damaged() const {
    refuse(name_, "is damaged: what it holds is not what it says it holds");
  }

  Settings settings_of(const packed::Settings& s) const {
    Settings settings;
    settings.algorithm = text(s.algorithm());
    settings.n = s.n();
    settings.block = s.block();
    settings.type = static_cast<Scalar>(s.type());
    settings.op = static_cast<Operator>(s.op());
    settings.layout = text(s.layout());
    settings.load_pattern = text(s.load_pattern());
    settings.grid = s.grid();
    for_each(s.variants(),
             [&](const packed::Variant& v) { settings.variants[text(v.name())] = text(v.choice()); });
    settings.without_barrier = s.without_barrier();
    return settings;
  }

  Grid grid_of(const packed::Grid& g) const {
    Grid grid;
    grid.kernel = text(g.kernel());
    grid.blocks = g.blocks();
    grid.threads = g.threads();
    grid.first_step = g.first_step();
    grid.steps = g.steps();
    grid.parent = g.parent();
    grid.parent_event = g.parent_event();
    grid.depth = g.depth();
    if (const packed::Shared* s = g.shared()) {
      grid.shared.elements = s->elements();
      grid.shared.buffers = s->buffers();
      grid.shared.cells_per_buffer = s->cells_per_buffer();
      if (s->cell()) grid.shared.cell.assign(s->cell()->begin(), s->cell()->end());
      for_each(s->more(), [&](const packed::Region& r) {
        grid.shared.more.push_back({text(r.name()), static_cast<Cells>(r.cells()), r.first(), r.count()});
      });
      grid.shared.bytes = s->bytes();
    }
    return grid;
  }

  // Room for so many rows.
  template <class Row>
  std::vector<Row> room(const packed::Rows* rows) {
    const std::uint64_t count = rows ? rows->count() : 0;
    if (count > memory_ / sizeof(Row)) damaged();
    memory_ -= count * sizeof(Row);
    return std::vector<Row>(count);
  }

  // Calls f(i, number) for each number of a column, if it is there.
  template <class U, class F>
  void column(const packed::Rows* rows, std::string_view name, F f) const {
    if (!rows) return;
    for_each(rows->columns(), [&](const packed::Column& c) {
      if (!c.name() || c.name()->string_view() != name || !c.data()) return;
      const std::span<const std::uint8_t> frame(c.data()->data(), c.data()->size());
      const std::uint64_t size = rows->count() * sizeof(U);
      if (c.width() != sizeof(U) || size_of_content(frame) != static_cast<std::int64_t>(size)) damaged();
      Bytes bytes(size);
      if (!decompress(frame, bytes)) damaged();
      gather<U>(bytes, c.differences(), f);
    });
  }

  template <class Row>
  std::vector<Row> rows(const packed::Rows* packed) {
    std::vector<Row> all = room<Row>(packed);
    fields(static_cast<const Row*>(nullptr), [&](const char* name, auto member, bool) {
      using T = std::remove_cvref_t<decltype(std::declval<Row>().*member)>;
      column<typename BitsOf<T>::type>(packed, name,
                                       [&](std::size_t i, auto x) { all[i].*member = static_cast<T>(x); });
    });
    return all;
  }

  std::vector<Value> values(const packed::Rows* packed) {
    std::vector<Value> all = room<Value>(packed);
    for (std::size_t w = 0; w < std::size(words); ++w)
      column<std::uint32_t>(packed, words[w], [&](std::size_t i, std::uint32_t x) { all[i][w] = x; });
    return all;
  }

  void snapshots_of(const packed::Recording& r, Trace& t) {
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
  std::uint64_t memory_;
};

// Half of what this computer has.
std::uint64_t largest_recording() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

// What a file's first bytes say: whether the rest is worth reading.
Header header_of(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) refuse(name, "is empty");
  Header h{};
  std::memcpy(&h, bytes.data(), std::min(bytes.size(), sizeof h));
  if (std::memcmp(h.magic, magic, std::min(bytes.size(), sizeof magic)) != 0)
    refuse(name, "is none: it is not a file that `upsweep trace ... -o FILE.upsweep` wrote");
  if (bytes.size() < sizeof h)
    refuse(name, fmt::format("is cut off: of its first {} bytes it holds {}", sizeof h, bytes.size()));
  if (h.major > format_major)
    refuse(name, fmt::format("was made by a newer Upsweep (format {}; this one reads up to {})", h.major,
                             format_major));
  if (h.major == 0) refuse(name, "is damaged: there is no format 0");
  if (h.unpacked > largest_recording())
    refuse(name, fmt::format("would take {} MB of memory, more than half of what this computer has",
                             h.unpacked >> 20));
  return h;
}

}  // namespace

std::string pack(const Trace& trace) {
  Packer packer;
  const Bytes body = packer.pack(trace);
  Header h{{}, format_major, format_minor, 0, body.size(), packer.memory};
  std::memcpy(h.magic, magic, sizeof magic);
  std::string bytes(sizeof h + body.size(), '\0');
  std::memcpy(bytes.data(), &h, sizeof h);
  std::memcpy(bytes.data() + sizeof h, body.data(), body.size());
  return bytes;
}

Trace unpack(std::string_view bytes, const std::string& name) {
  const Header h = header_of(bytes, name);
  const std::uint64_t held = bytes.size() - sizeof h;
  if (held < h.packed)
    refuse(name, fmt::format("is cut off: of {} bytes {} are missing", h.packed, h.packed - held));
  if (held > h.packed) refuse(name, "is damaged: something follows its end");
  const std::span<const std::uint8_t> frame(reinterpret_cast<const std::uint8_t*>(bytes.data()) + sizeof h,
                                            held);
  const std::int64_t size = size_of_content(frame);
  if (size < 0 || static_cast<std::uint64_t>(size) > h.unpacked)
    refuse(name, "is damaged: its checksum does not fit");
  Bytes body(static_cast<std::size_t>(size));
  if (!decompress(frame, body)) refuse(name, "is damaged: its checksum does not fit");
  constexpr int deep = 16, tables = 1 << 20;
  flatbuffers::Verifier verifier(body.data(), body.size(), deep, tables);
  if (!packed::VerifyRecordingBuffer(verifier)) refuse(name, "is damaged: its parts do not hold together");
  Trace trace = Unpacker(name, h.unpacked - body.size()).unpack(*packed::GetRecording(body.data()));
  if (const std::string why = contradiction(trace); !why.empty())
    refuse(name, fmt::format("contradicts itself: {}", why));
  return trace;
}

void write_trace(const std::string& path, const Trace& trace) {
  if (const std::string why = contradiction(trace); !why.empty())
    throw WorkError(fmt::format("{} is not written: what was recorded contradicts itself ({}).", path, why));
  write_file(path, pack(trace));
}

Trace read_trace(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string bytes;
  const auto read = [&](std::size_t most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + most);
    bytes.resize(before + std::fread(bytes.data() + before, 1, most, file.get()));
    if (std::ferror(file.get())) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    return bytes.size() == before + most;
  };
  read(sizeof(Header));
  const Header h = header_of(bytes, path);
  // Piece by piece: what a header says of its length need not be true.
  constexpr std::size_t piece = 1 << 20;
  while (bytes.size() - sizeof h <= h.packed && read(piece)) {}
  return unpack(bytes, path);
}

}  // namespace upsweep
