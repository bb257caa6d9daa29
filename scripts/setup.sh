# shellcheck shell=bash
# Lists the packages of Debian 12 or 13 that Upsweep needs, and defines functions that install these packages
# and build Upsweep. ./run and ./test source this file in the repository's root.

# One package per line, with its purpose.
# shellcheck disable=SC2034  # ./run and ./test use these variables
packages_to_run='
g++                   the compiler
cmake                 the build
ninja-build           runs the build
pkg-config            finds libraries without CMake files
libimgui-dev          Dear ImGui: the controls of the window
libglfw3-dev          GLFW: the window and its keys
python3-glad          glad: writes the loader of OpenGL while building
libegl-dev            EGL: pictures without a display
libgl-dev             OpenGL headers
libegl1               EGL at run time
libegl-mesa0          Mesa behind EGL
libgl1                OpenGL at run time
libgl1-mesa-dri       OpenGL in software, for computers without a usable graphics card
libfreetype-dev       FreeType: glyphs
libfontconfig-dev     Fontconfig: finds fonts
fonts-inter           Inter: words and numbers
fonts-jetbrains-mono  JetBrains Mono: source text
fonts-noto-cjk         Noto Sans CJK: Chinese characters
libcairo2-dev         Cairo: PDF
libpng-dev            PNG
libjpeg-dev           libjpeg-turbo: JPEG
libgif-dev            giflib: animations as GIF
libvpx-dev            libvpx: animations as WebM
libxcb1-dev           XCB: pictures in the clipboard
libboost-context-dev  Boost: fibers are the threads of the emulator; Interprocess maps fonts into memory
libtbb-dev            TBB: parallel algorithms of the CPU, to time beside the kernels
libcli11-dev          CLI11: the command line
libfmt-dev            fmt: numbers and sentences
nlohmann-json3-dev    JSON
libcmark-dev          cmark: Markdown, in which lessons are written
flatbuffers-compiler  FlatBuffers: writes the code that reads trace files, while building
flatbuffers-compiler-dev  helps CMake to find this compiler
libflatbuffers-dev    FlatBuffers: the structure of trace files
libzstd-dev           zstd: compresses trace files
'
# shellcheck disable=SC2034
packages_to_test='
libgtest-dev          GoogleTest
libbenchmark-dev      Google Benchmark
xvfb                  a display without a screen
xdotool               presses keys and moves the mouse
imagemagick           compares screens
poppler-utils         reads PDF back
librsvg2-bin          draws SVG, to compare
libwebm-dev           reads WebM back
xclip                 reads the clipboard
shellcheck            reads the scripts
clang-format          checks how the sources are formatted
'

names() { awk 'NF { print $1 }' <<<"$1"; }

say() { printf '%s\n' "$*" >&2; }

# missing PACKAGES...: prints the packages that are not installed, one per line.
missing() {
  local installed
  installed=$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    awk '$1 == "installed" { print $2 }') || true
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

ask=-n  # sudo asks for a password only in a terminal
if [[ -t 0 ]]; then ask=; fi

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo $ask "$@"; fi
}

# Runs apt-get, and shows its output only if it fails.
apt_get() {
  local words
  words=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq --yes -o Dpkg::Use-Pty=0 "$@" 2>&1 </dev/null) ||
    { say "$words"; return 1; }
}

# install_missing LISTS...: installs the missing packages of these lists. Installs nothing on a system without
# dpkg and apt; CMake then reports the missing packages.
install_missing() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
  local wanted lacking
  mapfile -t wanted < <(names "$*")
  mapfile -t lacking < <(missing "${wanted[@]}")
  [[ ${#lacking[@]} -gt 0 ]] || return 0

  say "Upsweep needs packages that are not installed here:"
  say "  ${lacking[*]}"
  if [[ $EUID -ne 0 ]] && ! as_root true 2>/dev/null; then
    say "Only root can install them, and you cannot use sudo here. Ask an administrator to run"
    say "  apt-get install --no-install-recommends ${lacking[*]}"
    return 1
  fi
  say "Installing these packages; this takes about a minute."
  # The first attempt fails if apt's lists of packages are missing or old. In this case, the lists are
  # fetched.
  apt_get install --no-install-recommends "${lacking[@]}" 2>/dev/null && return
  say "Fetching the lists of packages."
  apt_get update && apt_get install --no-install-recommends "${lacking[@]}" && return
  say "The packages could not be installed; apt's messages are above."
  return 1
}

# configure FOLDER OPTIONS...: runs CMake in a folder, if the folder is not configured with these options yet.
configure() {
  local folder=$1 option cache=$1/CMakeCache.txt
  shift
  # A build folder does not work after its repository was moved or copied, so such a build folder is removed.
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$cache"; then rm -rf "$folder"; fi
  if [[ -f $folder/build.ninja ]]; then
    for option in "$@"; do
      grep -qE "^${option%%=*}:[A-Z]+=${option#*=}\$" "$cache" || break
      option=
    done
    [[ -n ${option-} ]] || return 0
  fi
  cmake -S . -B "$folder" -G Ninja "${@/#/-D}" >&2
}
