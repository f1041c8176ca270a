# How our own code is compiled: warnings, hardening, sanitizers. All of it hangs on three INTERFACE
# targets, so third-party code never sees our warnings.
#
#   daybook_sanitizers  what every object of a sanitized build needs, efsw's included
#   daybook_hardening   what makes a bug an abort instead of a hole, efsw's included
#   daybook_options     what our own code gets on top

option(DAYBOOK_WERROR "Treat warnings as errors" OFF)
option(DAYBOOK_LLD "Link with lld when the compiler is clang and lld is there" ON)
set(DAYBOOK_SANITIZE "" CACHE STRING "Sanitizers: \"address,undefined\", \"thread\", or none")
set_property(CACHE DAYBOOK_SANITIZE PROPERTY STRINGS "" "address,undefined" "thread")

if(DAYBOOK_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "Fuzzing needs clang's libFuzzer: configure with `cmake --preset fuzz`.")
endif()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

# --- sanitizers -----------------------------------------------------------------------------------
add_library(daybook_sanitizers INTERFACE)

if(DAYBOOK_SANITIZE)
  set(sanitize -fsanitize=${DAYBOOK_SANITIZE})
  # The first report ends the program: a test that only prints its undefined behaviour still passes.
  target_compile_options(daybook_sanitizers INTERFACE ${sanitize} -fno-sanitize-recover=all
                                                      -fno-omit-frame-pointer)
  if(DAYBOOK_SANITIZE MATCHES "undefined")
    # Of the tests themselves only memory is checked: undefined behaviour is looked for in what they
    # test, and in their thousands of assertions it would cost half of the time to compile them. (A
    # function of a header that is compiled in both may be taken from either.)
    target_compile_options(
      daybook_sanitizers
      INTERFACE $<$<BOOL:$<TARGET_PROPERTY:DAYBOOK_UNOPTIMISED>>:-fno-sanitize=undefined>)
  endif()
  target_link_options(daybook_sanitizers INTERFACE ${sanitize})
endif()
if(DAYBOOK_FUZZ)
  # Coverage for every library; only a fuzz target links libFuzzer's main (daybook_fuzz).
  target_compile_options(daybook_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()

# --- warnings -------------------------------------------------------------------------------------
add_library(daybook_options INTERFACE)
target_link_libraries(daybook_options INTERFACE daybook_sanitizers)

target_compile_options(
  daybook_options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wold-style-cast
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wthread-safety>
            $<$<BOOL:${DAYBOOK_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc 12 sees an overlap in every `"text" + std::string` that it inlines: gcc's bug 105651.
  target_compile_options(daybook_options INTERFACE -Wno-restrict)
  # With -O3 it loses track of strings that it has inlined twice, and calls them uninitialised or not
  # allocated. The dev preset, which optimises less, keeps both warnings, as errors.
  target_compile_options(
    daybook_options INTERFACE $<$<CONFIG:Release>:-Wno-maybe-uninitialized;-Wno-free-nonheap-object>)
endif()
if(DAYBOOK_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The checks that gcc inserts mislead its own analysis; the dev preset has these warnings anyway.
  target_compile_options(daybook_options INTERFACE -Wno-maybe-uninitialized -Wno-conversion
                                                   -Wno-sign-conversion)
endif()

# --- hardening ------------------------------------------------------------------------------------
# Of everything that is compiled here, efsw's sources included: a bug is a bug, whoever wrote it.
# tests/house/hardening_test.cpp reads in the built program whether it has arrived there.
add_library(daybook_hardening INTERFACE)
target_compile_definitions(daybook_hardening INTERFACE _GLIBCXX_ASSERTIONS)
target_compile_options(daybook_hardening INTERFACE -fstack-protector-strong)
if(NOT DAYBOOK_SANITIZE)
  # Fortified calls need an optimiser, and would hide the very calls that a sanitizer intercepts.
  # -U first: some distributions define it already, with another value.
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
  set(optimised $<AND:${optimised},$<NOT:$<BOOL:$<TARGET_PROPERTY:DAYBOOK_UNOPTIMISED>>>>)
  target_compile_options(daybook_hardening INTERFACE $<${optimised}:-U_FORTIFY_SOURCE>
                                                     $<${optimised}:-D_FORTIFY_SOURCE=2>)
  # Not every machine has them. Jump targets are marked only where all libraries are, too.
  include(CheckCXXCompilerFlag)
  foreach(flag IN ITEMS -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "DAYBOOK_HAS${flag}" known)
    check_cxx_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(daybook_hardening INTERFACE ${flag})
    endif()
  endforeach()
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(daybook_hardening INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
endif()
target_link_libraries(daybook_options INTERFACE daybook_hardening)

# A released program must not carry the builder's folders in its messages.
target_compile_options(
  daybook_options INTERFACE "$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>")

# --- linker ---------------------------------------------------------------------------------------
# Only with clang: gcc with lld is the less travelled road, and buys little at this size.
if(DAYBOOK_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(DAYBOOK_LD_LLD ld.lld)
  mark_as_advanced(DAYBOOK_LD_LLD)
  if(DAYBOOK_LD_LLD)
    target_link_options(daybook_options INTERFACE -fuse-ld=lld)
  endif()
endif()
