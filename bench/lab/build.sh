#!/usr/bin/env bash
# Builds the scan lab, for Hopper, into one program that needs nothing but the driver: build.sh [FOLDER]. NVCC names the compiler. One file at a
# time, since each takes a compiler a GB. Then says which kernels spill registers; FOLDER/resources.txt has them all.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../build_lab}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
mkdir -p "$folder"
flags=("-gencode=arch=compute_90a,code=sm_90a" -O3 -std=c++17 -Xptxas -v)
for part in 0 1 2 3; do
  if ! "$nvcc" "${flags[@]}" -DLAB_PART=$part -c "$here/configs.cu" -o "$folder/part$part.o" > "$folder/part$part.log" 2>&1; then
    cat "$folder/part$part.log" >&2
    exit 1
  fi
done
"$nvcc" "${flags[@]}" -c "$here/peers.cu" -o "$folder/peers.o" > "$folder/peers.log" 2>&1
"$nvcc" "${flags[@]}" -c "$here/scan_lab.cu" -o "$folder/scan_lab.o" > "$folder/scan_lab.log" 2>&1
"$nvcc" -cudart static -Xcompiler -static-libstdc++ -Xcompiler -static-libgcc "${flags[@]:0:1}" "$folder"/{scan_lab,peers,part0,part1,part2,part3}.o -o "$folder/scan_lab"
# Registers, bytes of stack and the kernel, a line each.
cat "$folder"/part?.log | c++filt | awk '
  /Compiling entry function/ { name = $0; sub(/.*function .?/, "", name); sub(/.? for .sm.*/, "", name) }
  /bytes stack frame/ { stack = $1 }
  /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print substr($0, RSTART + 5, RLENGTH - 5), stack, name }' > "$folder/resources.txt"
echo "$(wc -l < "$folder/resources.txt") kernels, $(awk '$2 > 0' "$folder/resources.txt" | wc -l) of them with a stack frame, the largest $(awk '{print $2}' "$folder/resources.txt" | sort -n | tail -1) bytes"
strip "$folder/scan_lab"
ls -l "$folder/scan_lab"
