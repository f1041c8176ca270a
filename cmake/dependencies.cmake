# Every third-party look-up, and nothing else. Each vendor becomes one target, vendor::<name>, the
# name that HIDES takes in src/CMakeLists.txt. They are IMPORTED, so their headers are system
# headers and our warnings stay off them.

# daybook_vendor(<name> APT <debian package>
#                (PACKAGE <find_package name> [VERSION <v>] | PKG_CONFIG <module>)
#                [TARGETS <target>...])
#
# TARGETS are the names under which the package exports itself; names change between releases, so
# the first that exists is taken.
function(daybook_vendor name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "APT;PACKAGE;VERSION;PKG_CONFIG" "TARGETS")

  if(arg_PKG_CONFIG)
    set(prefix "daybook_pc_${name}")
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET "${arg_PKG_CONFIG}")
    set(arg_TARGETS "PkgConfig::${prefix}")
  else()
    find_package(${arg_PACKAGE} ${arg_VERSION} QUIET)
  endif()

  foreach(target IN LISTS arg_TARGETS)
    if(TARGET ${target})
      add_library(vendor::${name} INTERFACE IMPORTED GLOBAL)
      target_link_libraries(vendor::${name} INTERFACE ${target})
      return()
    endif()
  endforeach()
  daybook_missing(${name} ${arg_APT})
endfunction()

# One sentence, the same for every vendor: what is missing and the command that gets it.
function(daybook_missing name package)
  message(FATAL_ERROR "${name} was not found: install the Debian package ${package} "
                      "(apt-get install ${package}), or run ./scripts/build, which does so.")
endfunction()

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
  daybook_missing(pkg-config pkg-config)
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# markdown. The extensions come in a package of their own, which pkg-config does not know about.
daybook_vendor(cmark-gfm APT libcmark-gfm-dev PKG_CONFIG libcmark-gfm)
find_path(CMARK_GFM_EXTENSIONS_DIR cmark-gfm-core-extensions.h)
find_library(CMARK_GFM_EXTENSIONS cmark-gfm-extensions)
mark_as_advanced(CMARK_GFM_EXTENSIONS_DIR CMARK_GFM_EXTENSIONS)
if(NOT CMARK_GFM_EXTENSIONS_DIR OR NOT CMARK_GFM_EXTENSIONS)
  daybook_missing("cmark-gfm's extensions library" libcmark-gfm-extensions-dev)
endif()
target_include_directories(vendor::cmark-gfm INTERFACE "${CMARK_GFM_EXTENSIONS_DIR}")
target_link_libraries(vendor::cmark-gfm INTERFACE "${CMARK_GFM_EXTENSIONS}")

# YAML
daybook_vendor(yaml-cpp APT libyaml-cpp-dev PACKAGE yaml-cpp TARGETS yaml-cpp::yaml-cpp yaml-cpp)

# index
daybook_vendor(sqlite3 APT libsqlite3-dev PACKAGE SQLite3 TARGETS SQLite::SQLite3)
daybook_vendor(sqlitecpp APT libsqlitecpp-dev PACKAGE SQLiteCpp TARGETS SQLiteCpp)

# hashes
daybook_vendor(openssl APT libssl-dev PACKAGE OpenSSL VERSION 3.0 TARGETS OpenSSL::Crypto)

# command line, JSON
daybook_vendor(cli11 APT libcli11-dev PACKAGE CLI11 TARGETS CLI11::CLI11)
daybook_vendor(nlohmann_json APT nlohmann-json3-dev PACKAGE nlohmann_json
               TARGETS nlohmann_json::nlohmann_json)

# regular expressions on untrusted text
daybook_vendor(re2 APT libre2-dev PKG_CONFIG re2)

# formatting, logs
daybook_vendor(fmt APT libfmt-dev PACKAGE fmt TARGETS fmt::fmt)
daybook_vendor(spdlog APT libspdlog-dev PACKAGE spdlog TARGETS spdlog::spdlog)

# HTTP client and server. Its header reaches into OpenSSL's, and so do its inline functions.
daybook_vendor(httplib APT libcpp-httplib-dev PKG_CONFIG cpp-httplib)
target_link_libraries(vendor::httplib INTERFACE OpenSSL::SSL OpenSSL::Crypto Threads::Threads)

# Unicode NFC
daybook_vendor(utf8proc APT libutf8proc-dev PKG_CONFIG libutf8proc)

# tests
if(BUILD_TESTING)
  daybook_vendor(catch2 APT catch2 PACKAGE Catch2 VERSION 2.13 TARGETS Catch2::Catch2)
  daybook_vendor(rapidcheck APT librapidcheck-dev PACKAGE rapidcheck TARGETS rapidcheck_catch)
endif()

# file events: last, because it alone may have to be fetched
include(efsw)
