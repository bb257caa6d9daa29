# Defines functions that embed files in the program, compile kernels for the emulator, and generate code.

# Writes FILE only if its content changes, because a new date of the file would cause rebuilds.
function(write_if_different file content)
  if(EXISTS ${file})
    file(READ ${file} old)
    if(old STREQUAL content)
      return()
    endif()
  endif()
  file(WRITE ${file} "${content}")
endfunction()

# embed_files(TARGET NAME patterns...): builds text files into TARGET. embedded/NAME.hpp declares
# std::string_view upsweep::embedded_NAME(std::string_view file_name). This function returns the file's text,
# or an empty text for an unknown file.
function(embed_files target name)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${ARGN})
  set(body "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    get_filename_component(base ${file} NAME)
    string(APPEND body "  if (file == \"${base}\") return R\"embedded(${text})embedded\";\n")
  endforeach()
  set(dir ${CMAKE_BINARY_DIR}/generated/embedded)
  write_if_different(${dir}/${name}.hpp "#pragma once
#include <string_view>
namespace upsweep {
// Returns the text of a file that was built into the program; empty if there is no such file.
std::string_view embedded_${name}(std::string_view file);
}
")
  write_if_different(${dir}/${name}.cpp "#include \"embedded/${name}.hpp\"
namespace upsweep {
std::string_view embedded_${name}([[maybe_unused]] std::string_view file) {
${body}  return {};
}
}
")
  target_sources(${target} PRIVATE ${dir}/${name}.cpp)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()

# emulate(TARGET NAME [HEADERS_OF LIBRARY] files...): compiles kernel files for the emulator. emulated/NAME.hpp
# declares upsweep::NAME(file), which returns the kernels of a file, or nullptr for an unknown file. `file` is the
# file's name without .cuh. With HEADERS_OF, the kernels use the precompiled headers of LIBRARY, which needs the
# same definitions.
function(emulate target name)
  cmake_parse_arguments(arg "" "HEADERS_OF" "" ${ARGN})
  set(dir ${CMAKE_BINARY_DIR}/generated/emulated)
  set(declarations "")
  set(table "")
  # The kernels are a separate library, because no header may be included after the macros that the vocabulary
  # defines.
  set(vocabulary ${CMAKE_SOURCE_DIR}/kernels/vocabulary/host.hpp)
  add_library(${name}_builds OBJECT EXCLUDE_FROM_ALL)
  set_target_properties(${name}_builds PROPERTIES UNITY_BUILD OFF)  # because different kernel files use the same names
  target_link_libraries(${name}_builds PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
  target_include_directories(${name}_builds PRIVATE ${CMAKE_BINARY_DIR}/generated ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/kernels)
  target_compile_options(${name}_builds PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS> -Wno-unknown-pragmas  # for CUDA's pragmas
                         -Wno-dangling-else -Wno-unused-value)
  if(arg_HEADERS_OF)
    target_precompile_headers(${name}_builds REUSE_FROM ${arg_HEADERS_OF})
  else()
    target_precompile_headers(${name}_builds PRIVATE ${vocabulary})
  endif()
  # Kernels are compiled without UndefinedBehaviorSanitizer, because the emulator itself checks every access.
  if(UPSWEEP_SANITIZE)
    target_compile_options(${name}_builds PRIVATE -fno-sanitize=undefined ${calls_of_sanitizer})
  elseif(NOT sanitizers)
    # Refuses local variables that do not fit on the stack of an emulated thread (see Stacks::size). A division of
    # integers by zero calls a function of machine/emulator/division.cpp. Without this call, it would end the program.
    target_compile_options(${name}_builds PRIVATE -Werror=frame-larger-than=12288
      -fsanitize=integer-divide-by-zero -fno-sanitize-recover=integer-divide-by-zero)
  endif()
  foreach(path ${arg_UNPARSED_ARGUMENTS})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    get_filename_component(file ${path} NAME_WE)
    file(READ ${path} text)
    string(REGEX MATCHALL "__global__ +void +[A-Za-z_0-9]+ *\\(" kernels "${text}")
    set(builds "")
    foreach(kernel ${kernels})
      string(REGEX REPLACE "__global__ +void +([A-Za-z_0-9]+) *\\(" "\\1" kernel "${kernel}")
      string(APPEND builds "UPSWEEP_KERNEL(${kernel}), ")
    endforeach()
    string(APPEND declarations "namespace emulated::${name} { extern const Emulated ${file}; }\n")
    string(APPEND table "  if (file == \"${file}\") return &emulated::${name}::${file};\n")
    write_if_different(${dir}/${name}/${file}.cpp "#include \"${vocabulary}\"
#include \"${path}\"
#include \"vocabulary/host_end.hpp\"
namespace upsweep::emulated::${name} { extern const Emulated ${file}; const Emulated ${file}{{${builds}}}; }
")
    target_sources(${name}_builds PRIVATE ${dir}/${name}/${file}.cpp)
    if(file MATCHES "^bug_")  # compilers warn about some kernels that are broken on purpose
      set_source_files_properties(${dir}/${name}/${file}.cpp PROPERTIES COMPILE_OPTIONS "-Wno-empty-body;-Wno-unused-parameter")
    endif()
  endforeach()
  write_if_different(${dir}/${name}.hpp "#pragma once
#include <string_view>
namespace upsweep {
struct Emulated;
const Emulated* ${name}(std::string_view file);
}
")
  write_if_different(${dir}/${name}.cpp "#include \"emulated/${name}.hpp\"
#include \"machine/emulator/emulated_thread.hpp\"
namespace upsweep {
${declarations}const Emulated* ${name}([[maybe_unused]] std::string_view file) {
${table}  return nullptr;
}
}
")
  target_sources(${target} PRIVATE ${dir}/${name}.cpp $<TARGET_OBJECTS:${name}_builds>)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated ${CMAKE_SOURCE_DIR}/kernels)
endfunction()

# embed_bytes(TARGET NAME patterns...): builds files into TARGET. embedded/NAME.hpp declares std::span<const
# EmbeddedFile> upsweep::embedded_NAME(), which returns the unchanged files, sorted by name. The assembler
# copies the bytes.
function(embed_bytes target name)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  set(assembly "")
  set(declarations "")
  set(table "")
  set(k 0)
  foreach(file ${files})
    get_filename_component(base ${file} NAME)
    string(APPEND assembly "asm(R\"(.pushsection .rodata
  .balign 16
embedded_${name}_${k}:
  .incbin \"${file}\"
embedded_${name}_${k}_end:
  .byte 0
  .popsection)\");
")
    string(APPEND declarations "extern const char embedded_${name}_${k}[], embedded_${name}_${k}_end[];
")
    string(APPEND table "    {\"${base}\", {embedded_${name}_${k}, embedded_${name}_${k}_end}},
")
    math(EXPR k "${k} + 1")
  endforeach()
  set(dir ${CMAKE_BINARY_DIR}/generated/embedded)
  write_if_different(${dir}/embedded_file.hpp "#pragma once
#include <string_view>
namespace upsweep {
struct EmbeddedFile {
  std::string_view name, bytes;
};
}
")
  write_if_different(${dir}/${name}.hpp "#pragma once
#include <span>
#include \"embedded/embedded_file.hpp\"
namespace upsweep {
// Returns the files that were built into the program, sorted by name.
std::span<const EmbeddedFile> embedded_${name}();
}
")
  write_if_different(${dir}/${name}.cpp "#include \"embedded/${name}.hpp\"
#include <vector>
${assembly}extern \"C\" {
${declarations}}
namespace upsweep {
std::span<const EmbeddedFile> embedded_${name}() {
  static const std::vector<EmbeddedFile> files = {
${table}  };
  return files;
}
}
")
  set_source_files_properties(${dir}/${name}.cpp PROPERTIES OBJECT_DEPENDS "${files}" SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${dir}/${name}.cpp)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()

# embed_kernels(CATALOGUE MACHINE): for each name in kernels/registry, adds the kernel's text to CATALOGUE and
# the kernel's code for the emulator to MACHINE. If kernels/ has no file for a name, shaders/ must
# have a text for fragment shaders with this name.
function(embed_kernels catalogue machine)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS kernels/registry)
  file(STRINGS kernels/registry names REGEX "^[a-z]")
  set(files "")
  set(shaders "")
  set(list "")
  foreach(name ${names})
    if(EXISTS ${CMAKE_SOURCE_DIR}/kernels/${name}.cuh)
      list(APPEND files kernels/${name}.cuh)
    elseif(EXISTS ${CMAKE_SOURCE_DIR}/shaders/${name}.frag)
      list(APPEND shaders shaders/${name}.frag)
    else()
      message(FATAL_ERROR "kernels/registry names ${name}, but there is no kernels/${name}.cuh and no shaders/${name}.frag.")
    endif()
    string(APPEND list "    \"${name}\",\n")
  endforeach()
  embed_files(${catalogue} kernels ${files} ${shaders})
  embed_files(${machine} vocabulary kernels/vocabulary/*.cuh)
  emulate(${machine} emulated_kernels ${files})
  if(UPSWEEP_SANITIZE_THREADS)
    target_compile_definitions(emulated_kernels_builds PRIVATE UPSWEEP_ONLY_FOUR_BYTES)
  endif()
  if(NOT sanitizers)
    target_compile_options(emulated_kernels_builds PRIVATE -O1)  # compiles three times as fast as -O3, and runs as fast
  endif()
  write_if_different(${CMAKE_BINARY_DIR}/generated/registry_names.hpp "#pragma once
namespace upsweep {
inline constexpr const char* registry_names[] = {
${list}};
}
")
endfunction()

# glad(TARGET): generates the OpenGL 3.3 core loader with Debian's python3-glad (glad 2), and links it to
# TARGET. With --reproducible, glad needs no network.
function(glad target)
  find_program(GLAD glad PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
  set(dir ${CMAKE_BINARY_DIR}/generated/glad)
  add_custom_command(
    OUTPUT ${dir}/src/gl.c ${dir}/include/glad/gl.h
    COMMAND ${GLAD} --api gl:core=3.3 --extensions= --reproducible --quiet --out-path ${dir} c
    VERBATIM)
  add_library(glad STATIC ${dir}/src/gl.c)
  target_include_directories(glad PUBLIC ${dir}/include)
  target_link_libraries(${target} PUBLIC glad)
endfunction()

# trace_format(TARGET): generates the code that reads and writes the structure of trace files from
# src/trace/trace.fbs.
function(trace_format target)
  set(dir ${CMAKE_BINARY_DIR}/generated/flatbuffers)
  add_custom_command(
    OUTPUT ${dir}/trace_generated.h
    COMMAND flatbuffers::flatc --cpp --scoped-enums -o ${dir} ${CMAKE_SOURCE_DIR}/src/trace/trace.fbs
    DEPENDS src/trace/trace.fbs
    VERBATIM)
  target_sources(${target} PRIVATE ${dir}/trace_generated.h)
  target_include_directories(${target} SYSTEM PRIVATE ${dir})
  target_link_libraries(${target} PRIVATE flatbuffers::flatbuffers)
endfunction()
