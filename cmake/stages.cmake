# The words in which src/, tests/, bench/ and fuzz/ describe themselves.
#
# In all of them USES takes the name of a stage (base, lineage, …) or, in tests, benchmarks and fuzz
# targets, any target (vendor::rapidcheck). Sources are relative to the folder of the stage.

# "base" -> daybook::base; what already is a target name stays.
function(daybook_targets result)
  set(targets "")
  foreach(name IN LISTS ARGN)
    if(NOT name MATCHES "::")
      set(name "daybook::${name}")
    endif()
    list(APPEND targets "${name}")
  endforeach()
  set(${result} "${targets}" PARENT_SCOPE)
endfunction()

# "sha256.cpp" of stage base -> "base/sha256.cpp"; a generated file comes with its absolute path.
function(daybook_sources result folder)
  set(sources "")
  foreach(source IN LISTS ARGN)
    if(NOT IS_ABSOLUTE "${source}")
      set(source "${folder}/${source}")
    endif()
    list(APPEND sources "${source}")
  endforeach()
  set(${result} "${sources}" PARENT_SCOPE)
endfunction()

# daybook_stage(<name> SOURCES <file>... [USES <stage>...] [HIDES <vendor>...])
#
# One static library a stage, linked only to what it may use. Those declarations are the layering
# rule: tests/house/layers_test.cpp reads them. USES is public, since a stage's headers may speak of
# the stages before it; HIDES is private, since no header may speak of a vendor.
function(daybook_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES;HIDES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "daybook_stage(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  foreach(used IN LISTS arg_USES)
    if(NOT TARGET daybook_${used})
      message(FATAL_ERROR "Stage ${name} uses ${used}, which is not declared before it: "
                          "the flow has one direction.")
    endif()
  endforeach()

  daybook_sources(sources ${name} ${arg_SOURCES})
  daybook_targets(uses ${arg_USES})
  list(TRANSFORM arg_HIDES PREPEND "vendor::" OUTPUT_VARIABLE hides)

  add_library(daybook_${name} STATIC ${sources})
  add_library(daybook::${name} ALIAS daybook_${name})
  target_include_directories(
    daybook_${name}
    PUBLIC "${PROJECT_SOURCE_DIR}/include"
    PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(
    daybook_${name}
    PUBLIC ${uses}
    PRIVATE daybook_options ${hides})
endfunction()

# Reading Catch2 is most of what a small test costs to compile, so it is read once: the first test
# program keeps what was read, the others take it from there. Not with clang, whose clang-tidy would
# have to be given that file first.
function(daybook_share_headers program)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  get_property(keeper GLOBAL PROPERTY DAYBOOK_HEADER_KEEPER)
  if(keeper)
    target_precompile_headers(${program} REUSE_FROM ${keeper})
  else()
    target_precompile_headers(
      ${program}
      PRIVATE
      <catch2/catch.hpp>
      <filesystem>
      <fstream>
      <functional>
      <map>
      <optional>
      <set>
      <string>
      <vector>)
    set_property(GLOBAL PROPERTY DAYBOOK_HEADER_KEEPER ${program})
  endif()
  # For ccache, which else cannot tell what a compilation depends on.
  target_compile_options(${program} PRIVATE -fpch-preprocess)
endfunction()

# daybook_test(<name> SOURCES <file>... USES <target>... [RUNS <program target>]
#              [FIXTURE <of CTest>] [LONGEST <seconds>])
#
# One Catch2 program for tests/<name>/, each of its cases one test of CTest, named "<name>: <case>".
# A case may rely on DAYBOOK_SOURCE_DIR, and with RUNS on DAYBOOK_BINARY, the built program's path.
function(daybook_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RUNS;FIXTURE;LONGEST" "SOURCES;USES")
  daybook_sources(sources ${name} ${arg_SOURCES})
  daybook_targets(uses ${arg_USES})

  set(program daybook_${name}_test)
  add_executable(${program} ${sources})
  # What is tested is optimised, the assertions around it are not: that halves the time to compile
  # them, and more under a sanitizer.
  set_target_properties(${program} PROPERTIES DAYBOOK_UNOPTIMISED ON)
  target_compile_options(${program} PRIVATE -O0)
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/src"
                                                "${PROJECT_BINARY_DIR}/generated")
  target_compile_definitions(${program} PRIVATE "DAYBOOK_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
  target_link_libraries(${program} PRIVATE daybook_options daybook_test_main daybook_test_support
                                           ${uses})
  daybook_share_headers(${program})
  if(arg_RUNS)
    target_compile_definitions(${program} PRIVATE "DAYBOOK_BINARY=\"$<TARGET_FILE:${arg_RUNS}>\"")
    add_dependencies(${program} ${arg_RUNS})
  endif()
  # One that hangs. A sanitizer multiplies the time of all of them.
  set(longest 120)
  if(DAYBOOK_SANITIZE)
    set(longest 300)
  endif()
  if(arg_LONGEST)
    set(longest ${arg_LONGEST})
  endif()
  set(fixture "")
  if(arg_FIXTURE)
    set(fixture FIXTURES_REQUIRED ${arg_FIXTURE})
  endif()
  # The inner quotes keep the blank, which cmake -D would strip.
  catch_discover_tests(${program} TEST_PREFIX "'${name}: '" PROPERTIES TIMEOUT ${longest}
                                                                        ${fixture})
endfunction()

# daybook_bench(<name> SOURCES <file>... USES <target>...)
#
# A benchmark program at bench/<name> in the build folder; scripts/bench runs it.
function(daybook_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
  daybook_targets(uses ${arg_USES})
  add_executable(daybook_${name}_bench ${arg_SOURCES})
  set_target_properties(
    daybook_${name}_bench PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY
                                                         "${PROJECT_BINARY_DIR}/bench")
  target_include_directories(
    daybook_${name}_bench PRIVATE "${PROJECT_SOURCE_DIR}/bench" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(daybook_${name}_bench PRIVATE daybook_options ${uses})
endfunction()

# daybook_fuzz(<name> SOURCES <file>... USES <target>...)
#
# A libFuzzer program at targets/<name> in the build folder, with its seeds in fuzz/corpus/<name>/;
# scripts/fuzz runs it.
function(daybook_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
  daybook_targets(uses ${arg_USES})
  add_executable(daybook_${name}_fuzz ${arg_SOURCES})
  set_target_properties(
    daybook_${name}_fuzz PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY
                                                        "${PROJECT_BINARY_DIR}/targets")
  target_include_directories(
    daybook_${name}_fuzz PRIVATE "${PROJECT_SOURCE_DIR}/fuzz" "${PROJECT_SOURCE_DIR}/src"
                                 "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(daybook_${name}_fuzz PRIVATE daybook_options ${uses})
  target_link_options(daybook_${name}_fuzz PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers daybook_${name}_fuzz)
  set_property(GLOBAL APPEND_STRING PROPERTY DAYBOOK_FUZZ_TARGETS "${name}\n")
endfunction()
