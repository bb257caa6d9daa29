#!/usr/bin/env bash
# Fails if the format of a C++ file differs from .clang-format, and names the file and the line. Other
# versions of clang-format than 14 break lines differently. Without version 14, this script exits with 77, and
# ctest reports the test as "skipped".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool=$(command -v clang-format-14 || command -v clang-format || true)
version=$([[ -z $tool ]] || "$tool" --version | grep -oE 'version [0-9]+' | head -n 1)
if [[ $version != 'version 14' ]]; then
  echo "The format is checked with clang-format 14 only; here is ${version:-none}."
  exit 77
fi
find src tests bench -name '*.cpp' -print0 -o -name '*.hpp' -print0 |
  xargs -0 -n 40 -P "$(nproc)" "$tool" --dry-run -Werror || {
  echo "Format these files with: clang-format -i FILE..."
  exit 1
}
