#!/usr/bin/env bash
# Records assets/traces again, on a machine with an NVIDIA GPU:
#   scripts/record_traces.sh [PROGRAM [FOLDER]]
# PROGRAM is upsweep (default: build/upsweep). FOLDER is the folder of the recordings (default:
# assets/traces). The list below names the recordings. Together the recordings must stay below 2 MB, because
# they are part of the program.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/upsweep} folder=${2:-$root/assets/traces}
if [[ $# -gt 2 || ${1-} == -* ]]; then sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; fi

# Each line has the recording's name and the arguments of `upsweep trace`.
recordings='
reduce_atomic                  reduce_atomic --n 4096 --block 64 --grid 16
reduce_global_in_place         reduce_global_in_place --n 2048 --block 64
reduce_unrolled                reduce_unrolled --n 4000 --block 64
reduce_unrolled_warp           reduce_unrolled_warp --n 4000 --block 64
reduce_two_pass_blocked        reduce_two_pass_blocked --n 4096 --block 64 --grid 8
reduce_two_pass                reduce_two_pass --n 4096 --block 64 --grid 8
reduce_two_pass_tree           reduce_two_pass_tree --n 4096 --block 64 --grid 8
reduce_shuffle                 reduce_shuffle --n 4096 --block 64 --grid 8
reduce_single_pass             reduce_single_pass --n 4096 --block 64 --grid 16
reduce_nested                  reduce_nested --n 512 --block 64 --grid 8
reduce_nested_one_child        reduce_nested --n 512 --block 64 --grid 8 --variant children=one_child
nested_hello                   nested_hello --n 128 --block 64
reduce_vectorized              reduce_vectorized --n 8192 --block 64 --grid 16
scan_per_output                scan_per_output --n 256 --block 64
scan_large                     scan_large --n 4000 --block 64
scan_reduce_then_scan          scan_reduce_then_scan --n 4000 --block 64
scan_decoupled_lookback        scan_decoupled_lookback --n 20000 --block 64 --variant items=3 --focus 16:8
scan_decoupled_chained         scan_decoupled_lookback --n 20000 --block 64 --variant items=3 --variant wait=chained --focus 16:8
scan_lookback_vectorized       scan_lookback_vectorized --n 20000 --block 64 --variant rows=2 --focus 16:8
stream_compaction_look_back    stream_compaction_look_back --n 20000 --block 64 --variant rows=4 --focus 16:8
linear_recurrence_look_back    linear_recurrence_look_back --n 20000 --block 64 --variant rows=2 --focus 16:8
bug_barrier_in_divergent_loop  bug_barrier_in_divergent_loop --n 128 --block 128
bug_half_loaded                bug_half_loaded --n 128 --block 64
bug_reverse_overrun            bug_reverse_overrun --n 128 --block 64
bug_missing_shift_assign       bug_missing_shift_assign --n 128 --block 64
bug_pointer_sum                bug_pointer_sum --n 2048 --block 64
bug_volatile_warp              bug_volatile_warp --n 512 --block 256
bug_two_barriers_needed        bug_two_barriers_needed --n 1000 --block 1024
bug_barrier_removed            bug_barrier_removed --n 512 --block 256
'

mkdir -p "$folder"
failed=0
while read -r name arguments; do
  if [[ -z $name ]]; then continue; fi
  # shellcheck disable=SC2086  # $arguments is split into words on purpose
  if "$program" trace $arguments --machine gpu -o "$folder/$name.upsweep" >/dev/null; then
    printf '%9s bytes  %s\n' "$(stat -c %s "$folder/$name.upsweep")" "$name"
  else
    failed=1
  fi
done <<<"$recordings"

total=$(cat "$folder"/*.upsweep | wc -c)
echo "$total bytes in total."
if [[ $total -ge 2000000 ]]; then
  echo "The recordings take more than 2 MB: record fewer or smaller runs." >&2
  failed=1
fi
exit $failed
