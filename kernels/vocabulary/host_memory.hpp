// Defines a kernel's memory on the emulator. Kernels access memory through views, which record each access.
#pragma once
#include <algorithm>
#include <source_location>

#include "vocabulary/host_cells.hpp"

namespace upsweep::host {

// The compiler knows each place at compile time if every function that gets a place is inlined.
[[gnu::always_inline]] inline TextPlace place(const std::source_location& where) {
  return {static_cast<std::uint16_t>(where.line()), static_cast<std::uint16_t>(where.column())};
}

// An index of a cell, and the place in the kernel's text at which the index stands.
struct At {
  std::int64_t index;
  TextPlace where;
  template <class I>
  requires std::is_convertible_v<I, std::int64_t> At(
      I i, const std::source_location& here = std::source_location::current())
      : index(static_cast<std::int64_t>(i)), where(place(here)) {}
  At(std::int64_t i, TextPlace there) : index(i), where(there) {}
};

// A view of shared or global memory. The view records all reads and assignments. T is the type of a cell,
// which may be const or volatile.
template <class T, bool shared>
class View {
 public:
  using Cell = std::remove_cv_t<T>;
  using Traits = CellTraits<Cell>;
  using Number = typename Traits::Number;
  static constexpr bool is_volatile = std::is_volatile_v<T>;

  // A cell that is not read or assigned yet.
  class Element {
   public:
    using Cell = View::Cell;
    Element(const View& view, At at) : view_(view), at_(at) {}
    [[gnu::always_inline]] operator Cell() const { return view_.load(at_); }
    [[gnu::always_inline]] const Element& operator=(const Cell& v) const {
      return view_.store(at_, v), *this;
    }
    const Element& operator=(const Element& other) const { return *this = static_cast<Cell>(other); }
    // The address of a cell, which is the operand of an atomic.
    struct Address {
      const View& view;
      At at;
    };
    Address operator&() const { return {view_, at_}; }

   private:
    const View& view_;
    At at_;
  };
  Element operator[](At at) const { return {*this, at}; }

  // These functions load or store `parts` neighbouring cells, as one access.
  //
  // Accesses to cells of four bytes are inlined, because most runs have such cells. All other accesses are
  // function calls. If these accesses were inlined, a kernel would compile in twice the time, and the
  // recording of a scan of doubles would take a tenth less time.
  template <int parts>
  [[gnu::always_inline]] void load_parts(At at, Cell* cells) const {
    if constexpr (sizeof(Number) == 4) load_inlined<parts>(at, cells);
    else load_called<parts>(at, cells);
  }
  template <int parts>
  [[gnu::always_inline]] void store_parts(At at, const Cell* cells) const {
    static_assert(!std::is_const_v<T>, "A kernel cannot write to a Global<const T>.");
    if constexpr (sizeof(Number) == 4) store_inlined<parts>(at, cells);
    else store_called<parts>(at, cells);
  }
  // Executes an atomic and returns the old value. The operand has the origin `given` and the depth `depth`.
  template <class Change>
  Cell change(At at, Atomic atomic, Origin given, std::uint32_t depth, Change change) const {
    static_assert(!std::is_const_v<T>, "A kernel cannot write to a Global<const T>.");
    const What what(shared ? Kind::shared_atomic : Kind::global_atomic, sizeof(Number), 2,
                    static_cast<int>(atomic));
    Thread& thread = *Thread::current;
    thread.meet(what, at.where);
    Number numbers[2]{};
    const std::uint64_t cell = cell_of(at);
    const bool inside = this->inside(cell, 1);
    if (inside) {
      numbers[0] = read_cell<shared, Number>(locate(cell));
      numbers[1] = change(numbers[0]);
      put(thread, cell, numbers[1]);
      if (Traits::tracked && atomic == Atomic::combine && depths_ != nullptr)
        deepen(cell, thread.apply(depth_of(cell), depth));
    }
    for (const Number& number : numbers)
      thread.note(what.outside(!inside), at.where, recorded(cell), given, bits(number), buffer_);
    return Traits::make(numbers[0], 0, 0);
  }

 protected:
  // Makes a view whose cell 0 is cell `before` of the memory.
  View(const Memory& memory, std::int64_t before)
      : base_(memory.bytes),
        before_(before),
        all_(static_cast<std::uint64_t>(memory.size) / sizeof(Number)),
        count_(Thread::current->careful ? 0 : all_),
        depths_(memory.depths),
        buffer_(memory.buffer) {}
  template <class Other>
  explicit View(const View<Other, shared>& other)
      : base_(other.base_),
        before_(other.before_),
        all_(other.all_),
        count_(other.count_),
        depths_(other.depths_),
        buffer_(other.buffer_) {}

  std::byte* base_;
  std::int64_t before_;    // the number of the memory's cells that come before the view; 0 in global memory
  std::uint64_t all_;      // the number of cells of the memory
  std::uint64_t count_;    // all_, or 0 if every access needs a check
  std::uint32_t* depths_;  // see Memory::depths
  std::uint8_t buffer_;

 private:
  template <class, bool>
  friend class View;

  template <int parts>
  static constexpr What load_of{shared ? Kind::shared_load : Kind::global_load, parts * sizeof(Number), parts,
                                0, is_volatile};
  template <int parts>
  static constexpr What store_of{shared ? Kind::shared_store : Kind::global_store, parts * sizeof(Number),
                                 parts, 0, is_volatile};

  // Returns the cell's index in the memory, or a huge number if the cell is before the memory.
  std::uint64_t cell_of(At at) const {
    return static_cast<std::uint64_t>(shared ? at.index + before_ : at.index);
  }
  // Returns whether the cell may be read or written without further checks.
  bool holds(std::uint64_t cell, unsigned parts) const { return cell < count_ && count_ - cell >= parts; }
  bool inside(std::uint64_t cell, unsigned parts) const { return cell < all_ && all_ - cell >= parts; }
  std::byte* locate(std::uint64_t cell) const { return base_ + cell * sizeof(Number); }
  // The depth of a cell's value (see Tracked). The depth is known only while the run is recorded.
  std::uint32_t depth_of(std::uint64_t cell) const {
    if constexpr (!Traits::tracked) return 0;
    else return __atomic_load_n(depths_ + place_of_depth(cell), __ATOMIC_RELAXED);
  }
  void deepen(std::uint64_t cell, std::uint32_t depth) const {
    if constexpr (Traits::tracked) __atomic_store_n(depths_ + place_of_depth(cell), depth, __ATOMIC_RELAXED);
  }
  static std::uint64_t place_of_depth(std::uint64_t cell) {
    return shared ? cell * sizeof(Number) / Thread::bytes_per_depth : cell;
  }
  static std::int32_t recorded(std::uint64_t cell) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(cell), INT32_MIN, INT32_MAX - 3));
  }
  void put(Thread& thread, std::uint64_t cell, const Number& number) const {
    const auto before = read_cell<shared, Number>(locate(cell));
    if (std::memcmp(&before, &number, sizeof number) != 0) ++thread.run_of->progress;
    write_cell<shared>(locate(cell), number);
  }

  template <int parts>
  [[gnu::always_inline]] void load_inlined(At at, Cell* cells) const {
    Thread& thread = *Thread::current;
    const std::uint64_t cell = cell_of(at);
    if (cell % parts != 0) [[unlikely]]
      thread.stop_misaligned(at.where, at.index, parts);
    if (is_volatile || !holds(cell, parts)) [[unlikely]]
      return load_carefully<parts>(at, cells);
    for (int p = 0; p < parts; ++p) {
      const auto number = read_cell<shared, Number>(locate(cell + static_cast<unsigned>(p)));
      cells[p] = Traits::make(number,
                              thread.append(load_of<parts>, at.where, static_cast<std::int32_t>(cell) + p, 0,
                                            bits(number), buffer_),
                              depth_of(cell + static_cast<unsigned>(p)));
    }
  }
  template <int parts>
  [[gnu::always_inline]] void store_inlined(At at, const Cell* cells) const {
    Thread& thread = *Thread::current;
    const std::uint64_t cell = cell_of(at);
    if (cell % parts != 0) [[unlikely]]
      thread.stop_misaligned(at.where, at.index, parts);
    if (is_volatile || !holds(cell, parts)) [[unlikely]]
      return store_carefully<parts>(at, cells);
    for (int p = 0; p < parts; ++p) {
      const Number& number = Traits::number(cells[p]);
      write_cell<shared>(locate(cell + static_cast<unsigned>(p)), number);
      deepen(cell + static_cast<unsigned>(p), Traits::depth(cells[p]));
      thread.append(store_of<parts>, at.where, static_cast<std::int32_t>(cell) + p, Traits::origin(cells[p]),
                    bits(number), buffer_);
    }
  }
  template <int parts>
  [[gnu::noinline]] void load_called(At at, Cell* cells) const {
    load_inlined<parts>(at, cells);
  }
  template <int parts>
  [[gnu::noinline]] void store_called(At at, const Cell* cells) const {
    store_inlined<parts>(at, cells);
  }

  // These functions load and store in three special cases: other threads must run first, nothing is recorded,
  // or the access is outside the memory. An outside load returns zero, and an outside store does nothing.
  template <int parts>
  [[gnu::noinline]] void load_carefully(At at, Cell* cells) const {
    Thread& thread = *Thread::current;
    if (is_volatile || thread.stepped) thread.meet(load_of<parts>, at.where);
    const std::uint64_t cell = cell_of(at);
    const bool inside = this->inside(cell, parts);
    Number numbers[parts]{};
    for (unsigned p = 0; p < parts && inside; ++p) numbers[p] = read_cell<shared, Number>(locate(cell + p));
    const bool deep = inside && depths_ != nullptr;
    for (int p = 0; p < parts; ++p)
      cells[p] = Traits::make(numbers[p],
                              thread.note(load_of<parts>.outside(!inside), at.where, recorded(cell) + p, 0,
                                          bits(numbers[p]), buffer_),
                              deep ? depth_of(cell + static_cast<unsigned>(p)) : 0);
  }
  template <int parts>
  [[gnu::noinline]] void store_carefully(At at, const Cell* cells) const {
    Thread& thread = *Thread::current;
    if (is_volatile || thread.stepped) thread.meet(store_of<parts>, at.where);
    const std::uint64_t cell = cell_of(at);
    const bool inside = this->inside(cell, parts);
    if (!is_volatile) ++thread.run_of->progress;
    for (int p = 0; p < parts; ++p) {
      const Number& number = Traits::number(cells[p]);
      if (inside) put(thread, cell + static_cast<unsigned>(p), number);
      if (inside && depths_ != nullptr) deepen(cell + static_cast<unsigned>(p), Traits::depth(cells[p]));
      thread.note(store_of<parts>.outside(!inside), at.where, recorded(cell) + p, Traits::origin(cells[p]),
                  bits(number), buffer_);
    }
  }
  [[gnu::always_inline]] Cell load(At at) const {
    Cell cell;
    load_parts<1>(at, &cell);
    return cell;
  }
  [[gnu::always_inline]] void store(At at, const Cell& cell) const { store_parts<1>(at, &cell); }
};

// A view of the block's dynamic shared memory. The view begins at the beginning of this memory, or after
// `count` cells of another view, at a multiple of the size of the view's cells.
template <class T>
class Shared : public View<T, true> {
 public:
  Shared() : Shared(std::int64_t{0}) {}
  template <class Other>
  Shared(const Shared<Other>& after, int count)
      : Shared(((after.before_ + count) * after.cell_bytes + cell_bytes - 1) / cell_bytes * cell_bytes) {}

 private:
  template <class>
  friend class Shared;
  static constexpr auto cell_bytes = static_cast<std::int64_t>(sizeof(typename View<T, true>::Number));

  explicit Shared(std::int64_t first_byte)
      : View<T, true>(block_memory(first_byte), first_byte / cell_bytes) {}
  static Memory block_memory(std::int64_t first_byte) {
    const Thread& thread = *Thread::current;
    return {thread.shared.data(), static_cast<std::int64_t>(thread.shared.size()), thread.shared_depths,
            thread.region_at(first_byte)};
  }
};

// Global memory that a launch passes to its kernel.
template <class T>
class Global : public View<T, false> {
 public:
  explicit Global(const Memory& memory) : View<T, false>(memory, 0) {}
  // Converts as pointers do: for example, Global<T> to Global<const T>.
  template <class Other>
  requires std::is_convertible_v<Other*, T*> Global(const Global<Other>& other) : View<T, false>(other) {}
};

// A pack: the neighbouring elements that one access loads or stores. A pack has at most four elements, and at
// most 16 bytes.
template <class C>
struct Pack {
  static constexpr int bytes = sizeof(typename CellTraits<std::remove_cv_t<C>>::Number);
  static constexpr int width = bytes <= 4 ? 4 : 16 / bytes;
  C at[width];
};

// The pixels of an input. The option `bytes` says that each pixel is one byte. Without this option, a pixel
// is stored like other elements.
template <class T>
struct Pixel;
template <class N>
class Global<const Pixel<Tracked<N>>> {
 public:
  using Element = Tracked<N>;
  explicit Global(const Memory& memory) : elements_(memory), bytes_(memory) {}
  Element operator[](At at) const {
    if (!are_bytes()) return elements_[at];
    return widened(bytes_[at]);
  }
  Pack<Element> pack(At at) const {
    Pack<Element> all;
    const At first{all.width * at.index, at.where};
    if (!are_bytes()) return elements_.template load_parts<all.width>(first, all.at), all;
    Byte bytes[all.width];
    bytes_.template load_parts<all.width>(first, bytes);
    std::transform(bytes, bytes + all.width, all.at, widened);
    return all;
  }

 private:
  using Byte = Tracked<std::uint8_t>;
  static bool are_bytes() { return Thread::current->run_of->constants.bytes; }
  static Element widened(const Byte& byte) {
    return {from_bits<N>(bits(byte.value)), byte.origin, byte.depth};
  }

  Global<const Element> elements_;
  Global<const Byte> bytes_;
};

// Returns pack i, read in one access.
template <class T>
Pack<T> load_pack(const Global<const Pixel<T>>& from, At at) {
  return from.pack(at);
}
template <class T, bool shared>
Pack<std::remove_cv_t<T>> load_pack(const View<T, shared>& from, At at) {
  Pack<std::remove_cv_t<T>> pack;
  from.template load_parts<pack.width>({pack.width * at.index, at.where}, pack.at);
  return pack;
}
// An ordinary store, because the emulator has no caches.
template <class T, bool shared>
void stream_pack(const View<T, shared>& to, At at,
                 const Pack<std::type_identity_t<std::remove_cv_t<T>>>& pack) {
  to.template store_parts<pack.width>({pack.width * at.index, at.where}, pack.at);
}
template <class T, bool shared>
void prefetch(const View<T, shared>&, int, int) {}
template <class T>
void prefetch(const Global<const Pixel<T>>&, int, int) {}

// Four consecutive elements.
template <class C>
struct Four {
  C x, y, z, w;
};

// Returns elements 4i ... 4i + 3, read in accesses of at most 16 bytes.
template <class T, bool shared>
Four<std::remove_cv_t<T>> load_four(const View<T, shared>& from, At at) {
  constexpr int parts = Pack<T>::width;
  std::remove_cv_t<T> cells[4];
  for (int p = 0; p < 4; p += parts) from.template load_parts<parts>({4 * at.index + p, at.where}, cells + p);
  return {cells[0], cells[1], cells[2], cells[3]};
}
template <class T, bool shared>
void store_four(const View<T, shared>& to, At at,
                const Four<std::type_identity_t<std::remove_cv_t<T>>>& four) {
  constexpr int parts = Pack<T>::width;
  const std::remove_cv_t<T> cells[4] = {four.x, four.y, four.z, four.w};
  for (int p = 0; p < 4; p += parts) to.template store_parts<parts>({4 * at.index + p, at.where}, cells + p);
}

}  // namespace upsweep::host
