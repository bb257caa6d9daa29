// Finds which of two events of a recording must come first (the happens-before order). This order follows
// from program order, launches, barriers of blocks and warps, and fences that are followed by an atomic or a
// store to a flag.
//
// The algorithm is based on the vector clocks of FastTrack (Flanagan, Freund 2009). The vector clock of a
// thread has one moment for every other thread: all actions of the other thread until this moment have
// certainly happened. To save memory, threads share these moments, as in Barracuda (Eizenberg et al. 2017).
//
// Here, a thread has one moment for its whole block, and a few moments for its warp. A thread has a separate
// moment for another thread only if it has learnt about the other thread from a flag.
#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/knowledge.hpp"
#include "analysis/meetings.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The order in which the lanes of a warp run. In lockstep (before Volta), a request of the warp ends for all
// lanes of the warp before the next request begins. If lanes are independent (since Volta), only the
// program's synchronisation orders the lanes of a warp.
enum class WarpModel : std::uint8_t { independent, lockstep };

// Returns the events in the order of issue: `result[m - 1]` is the event of moment m.
std::vector<std::uint32_t> issue_order(const Trace& trace);

class HappensBefore {
 public:
  // One block that has events. An agent is something that runs in program order: a thread, or a warp in
  // lockstep. A block out of focus is one agent, because its recording is incomplete.
  struct Block {
    std::uint32_t index = 0;  // the index among the blocks with events, in all grids together
    std::uint16_t grid = 0;
    std::uint32_t block = 0;
    bool in_focus = true;
    int threads = 0;
    int shift = 0;        // the index of a thread's agent is thread >> shift
    Moment launched = 0;  // all events until this moment happened before the first event of this block
    struct Live;
    std::unique_ptr<Live> live;  // null before the block's first event and after its last event

   private:
    friend class HappensBefore;
    std::uint32_t events_left = 0;
  };

  // The data that a block needs from its first event to its last event.
  struct Block::Live {
    // For each agent: all events of this block until this moment happened before the agent's current event.
    std::vector<Moment> at;

    // The members from `waiting` to `several_lines` describe the barrier at which threads wait. `waiting` has
    // the mask of the waiting lanes of each warp. `waiting_event` has the event at which each thread arrived.
    std::vector<std::uint32_t> waiting;
    std::vector<std::uint32_t> waiting_event;
    Moment last_arrival = 0;
    bool anyone_waits = false;
    std::uint16_t line = 0;      // the line in which the first waiting thread waits
    bool several_lines = false;  // whether other threads wait in other lines

   private:
    friend class HappensBefore;
    struct Warp {
      // Lanes meet at a __syncwarp().
      Moment together = 0;  // the last moment at which all lanes of the warp met
      // Lane `lane` knows all actions of the lane `other` until the moment with_lane[32 * lane + other],
      // because these two lanes met. Empty if all lanes of the warp took part in the last meeting, or if no
      // lanes have met.
      std::vector<Moment> with_lane;
    };
    // The knowledge of an agent, divided into parts, because agents share most of the parts.
    struct Told {
      Knowledge beyond;  // knowledge that is mostly about other blocks
      Knowledge own;     // knowledge about the agent's block
      Moment self = 0;   // all of the agent's own actions until this moment are known
      explicit operator bool() const { return beyond || own || self > 0; }
    };
    struct Agent {
      Knowledge beyond;  // the knowledge of the agent in addition to `at`
      // For each Scope: what another thread would learn if this agent stored to a flag now, and the other
      // thread read this flag. This knowledge is everything that the agent knew at its last fence.
      Told released[2];
      // For each Scope: the knowledge that the agent has read from flags; only the agent's next fence makes
      // this knowledge certain.
      Knowledge seen[2];
      unsigned round = 0;
    };
    std::vector<Warp> warps;
    // A round is the time from one barrier to the next. When a round begins, all agents have the same
    // knowledge, `others`. An agent that learns more gets an entry in `agents`.
    Agent others;
    std::vector<Agent> agents;           // one entry for each agent; valid if its round is the current round
    std::vector<std::uint32_t> learned;  // the agents that have a valid entry in `agents`
    unsigned round = 1;
    // For each Scope and warp: a mask of the lanes that have stored something since their last fence. If an
    // agent is a whole warp or block, there is one entry per agent instead. This entry is 0 if the agent has
    // stored nothing since its last fence.
    std::vector<std::uint32_t> dirty[2];

    const Agent& agent(std::size_t a) const {
      return a < agents.size() && agents[a].round == round ? agents[a] : others;
    }
    Agent& learn(std::size_t a) {
      if (a >= agents.size()) agents.resize(at.size());
      Agent& agent = agents[a];
      if (agent.round != round) {
        agent = others;
        agent.round = round;
        learned.push_back(static_cast<std::uint32_t>(a));
      }
      return agent;
    }
  };
  using Live = Block::Live;

  HappensBefore(const Trace& trace, WarpModel model);

  const Block& block_of(std::uint32_t event) const { return blocks_[block_of_event_[event]]; }
  const Block& block(std::uint32_t index) const { return blocks_[index]; }
  std::size_t blocks() const { return blocks_.size(); }

  // Must be called for each event in the order of issue, before the event's accesses are examined. Returns
  // true if the event shows that a barrier has released its threads. The caller can then read Live::waiting,
  // and must call release().
  bool begins(std::uint32_t event, Moment now) {
    now_ = now;
    Block& b = blocks_[block_of_event_[event]];
    if (!b.live) [[unlikely]]
      begin_block(b, now);
    const Event& e = trace_.events[event];
    return b.live->anyone_waits && (b.live->waiting[e.warp] & e.mask) != 0;
  }
  void release(std::uint32_t event);
  // Must be called for each event in the order of issue, after the event's accesses have been examined.
  // Returns true if this was the block's last event. The caller must then call leave().
  bool ends(std::uint32_t event, Moment now) {
    Block& b = blocks_[block_of_event_[event]];
    // Without fences in the trace, accesses and operations never order the events of two threads. So take()
    // does not need these events.
    if (fences_ || trace_.events[event].kind >= Kind::barrier) take(b, event, now);
    return --b.events_left == 0;
  }
  void leave(std::uint32_t event) { spare_.push_back(std::move(blocks_[block_of_event_[event]].live)); }

  // Returns whether an action of `thread` of block `index` at moment `then` happened before the current
  // action of thread `by` of block `b`. Must not be called for two accesses of one request.
  bool ordered(std::uint32_t index, int thread, Moment then, const Block& b, int by) const {
    const auto agent = static_cast<std::size_t>(by >> b.shift);
    if (index == b.index) {
      if (thread >> b.shift == by >> b.shift || then <= b.live->at[agent]) return true;
    } else if (then <= b.launched) {
      return true;
    }
    return known(index, thread, then, b, by);
  }

 private:
  using Place = Meetings::Place;  // a global buffer or a block's shared memory, and an address in it

  bool known(std::uint32_t index, int thread, Moment then, const Block& b, int by) const;
  static std::uint32_t agent_of(const Block& b, const Event& e, int lane) {
    return static_cast<std::uint32_t>((e.warp * 32 + lane) >> b.shift);
  }
  // Calls f(agent) for each agent of an event, in order.
  template <class F>
  static void for_each_agent(const Block& b, const Event& e, F f) {
    if (b.shift != 0) return f(agent_of(b, e, 0));
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1) f(agent_of(b, e, std::countr_zero(m)));
  }
  static bool is_dirty(const Block& b, int scope, std::size_t agent) {
    return b.shift != 0 ? b.live->dirty[scope][agent] != 0
                        : (b.live->dirty[scope][agent / 32] >> agent % 32 & 1) != 0;
  }
  void mark_dirty(Block& b, const Event& e, Scope scope) const;
  void begin_grid(int grid, Moment now);
  void begin_block(Block& b, Moment now);
  void take(Block& b, std::uint32_t event, Moment now);
  void meet(Block& b, const Event& e, Moment now);
  void meet_fenced(Block& b, const Event& e, Moment now);
  void share(Block& b, const std::vector<std::uint32_t>& who, Moment until);
  void fence(Block& b, const Event& e, Moment now);
  void launch(const Block& b, const Event& e, Moment now);
  void synchronise(Block& b, const Event& e);
  void acquire(Block& b, std::uint32_t agent, Place place, const Value& value);
  // Returns what a thread learns about the events of other threads if the thread reads `value` at `place`.
  // Returns null if the thread learns nothing.
  const Release* told(Place place, const Value& value);
  Release told_ahead(Place place, const Value& value, int depth);
  Knowledge own(const Block& b, std::size_t agent) const;
  static Knowledge together(const Block& b, std::size_t agent, const Live::Told& told);
  Place place_of(const Block& b, const Event& e, std::int64_t address) const;

  const Trace& trace_;
  WarpModel model_;
  const bool on_gpu_;
  // `fences_` is true if the trace has a fence. `fire_and_forget_` is true if the trace has a fire-and-forget
  // launch. If no launch is fire-and-forget, the grids ran one after another, and Block::launched is enough
  // to order their events.
  bool fences_ = false, fire_and_forget_ = false;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_event_;
  std::vector<std::size_t> root_of_grid_;  // for each grid: the launch of the host that led to this grid
  std::vector<Moment> grid_began_;         // for each grid: its first moment; 0 if the grid has not begun
  std::vector<Knowledge> grid_knows_;  // for each grid: the knowledge that a child grid gets from its launch
  // The agents that a barrier releases. This vector is a member only to reuse its memory.
  std::vector<std::uint32_t> released_;
  std::vector<std::unique_ptr<Live>> spare_;  // data of blocks that have ended, to be reused
  Meetings meetings_;
  // Only for recordings of a GPU: all atomics. The key is a hash of the atomic's place and of the value that
  // the atomic stored. The map is necessary because a GPU may record a read of this value before the atomic.
  // told() fills the map on first use.
  std::unordered_multimap<std::uint64_t, std::pair<std::uint32_t, int>> ahead_;  // an event and a lane
  Release ahead_release_;
  std::vector<Moment> moment_of_;  // for each event: its moment; filled together with ahead_
  Moment now_ = 0;
};

}  // namespace upsweep
