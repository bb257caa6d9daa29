#!/usr/bin/env bash
# Runs the lab's kernels on the CPU under random schedules: emulate.sh [ROUNDS]. Needs Boost.Context and CUDA's headers.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(mktemp)
trap 'rm -f "$program"' EXIT
g++ -std=c++20 -O1 -w -I"${CUDA_HOME:-/usr/local/cuda}/include" "$here/emulate.cpp" -o "$program" -lboost_context
"$program" "${1:-1}"
