// This is the recorded version of the pass. Each fragment also writes its events. Each target after the first gets one event.
// machine/shader/fragment_log.hpp describes an event's four words.
struct Traced {
  Number number;
  uint origin;  // 1 + the index of the event that produced the number
};
#define T Traced
#define fetch(from, i) fetched(from, i, __LINE__)
#define op(left, right) applied(left, right, __LINE__)
#define write(to, x) written(to, x, __LINE__)
layout(location = 1) out uvec4 event_0;
layout(location = 2) out uvec4 event_1;
layout(location = 3) out uvec4 event_2;
layout(location = 4) out uvec4 event_3;
layout(location = 5) out uvec4 event_4;
layout(location = 6) out uvec4 event_5;
layout(location = 7) out uvec4 event_6;
uint events = 0u;

// Counts an event. If the fragment had fewer than seven events before, draws this event into the next target. Returns the event's number, counted from 1.
uint note(uint kind, int which, int line, int place, Number number, uint left, uint right) {
  uvec4 event = uvec4(kind | uint(which) << 4 | uint(line) << 8, uint(place), bits_of(number), left | right << 8);
  if (events == 0u) event_0 = event;
  else if (events == 1u) event_1 = event;
  else if (events == 2u) event_2 = event;
  else if (events == 3u) event_3 = event;
  else if (events == 4u) event_4 = event;
  else if (events == 5u) event_5 = event;
  else if (events == 6u) event_6 = event;
  return ++events;
}

Traced fetched(Texture from, int i, int line) {
  Number number = texel_of(from, i);
  return Traced(number, note(1u, from, line, i, number, 0u, 0u));
}

Traced applied(Traced left, Traced right, int line) {
  Number number = combine(left.number, right.number);
  return Traced(number, note(2u, 0, line, 0, number, left.origin, right.origin));
}

void written(Target to, Traced x, int line) {
  drawn = x.number;
  note(3u, to, line, texel(), x.number, x.origin, 0u);
}

void begin() {
  event_0 = event_1 = event_2 = event_3 = event_4 = event_5 = event_6 = uvec4(0u);
}

void end() {
  if (events > 7u) event_6.w |= 0x80000000u;  // the fragment had more events than targets
}
