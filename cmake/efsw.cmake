# efsw, the file-event library, which Debian 12 does not package. Three ways in, in this order:
#
#   1. an installed efsw;
#   2. its sources inside an npm package, fetched by name once and then kept in DAYBOOK_DEPS_DIR,
#      where every preset finds them and no later configure needs a network;
#   3. the upstream release, for those who have the internet and no npm.
#
# Whichever way the sources came, they are built here, from our own list: upstream's build wants a
# newer CMake in later releases, and installs things we do not need. What is mended in them on the way
# is in efsw_patches.cmake; an installed efsw is taken as it is.

include(efsw_patches)

set(DAYBOOK_DEPS_DIR "${PROJECT_SOURCE_DIR}/build/deps"
    CACHE PATH "Where fetched third-party sources are kept; all presets share it")

set(DAYBOOK_EFSW_PACKAGE "@pulsar-edit/pathwatcher@9.0.4")
set(DAYBOOK_EFSW_TARBALL "pulsar-edit-pathwatcher-9.0.4.tgz")
# The registry's own integrity value, in hexadecimal, since that is how CMake prints it.
string(CONCAT DAYBOOK_EFSW_SHA512
       "88e1f0b52781eaf768117627cfda55833d22978650dda75284b3666868af02c9"
       "2995dfd142efbb58893e86ada22df2adfd9b77994198413d85729904fcefe33d")
set(DAYBOOK_EFSW_UPSTREAM "https://github.com/SpartanJ/efsw.git")
set(DAYBOOK_EFSW_UPSTREAM_TAG "1.4.1")

# Refuses `tarball` unless it is, to the byte, the one that was reviewed.
function(daybook_efsw_verify tarball)
  file(SHA512 "${tarball}" actual)
  if(NOT actual STREQUAL DAYBOOK_EFSW_SHA512)
    message(FATAL_ERROR "The SHA-512 of ${tarball} is not the pinned one, so the file was not "
                        "used: delete it and configure again.\n"
                        "  pinned: ${DAYBOOK_EFSW_SHA512}\n  actual: ${actual}")
  endif()
endfunction()

# Puts the tarball at `tarball`, whole or not at all. `ok` tells whether npm was there and willing.
function(daybook_efsw_download tarball ok)
  set(${ok} FALSE PARENT_SCOPE)
  find_program(DAYBOOK_NPM npm)
  mark_as_advanced(DAYBOOK_NPM)
  if(NOT DAYBOOK_NPM)
    # Look again next time: npm may be installed between two configures of one build folder.
    unset(DAYBOOK_NPM CACHE)
    return()
  endif()

  string(RANDOM LENGTH 12 token)
  set(partial "${DAYBOOK_DEPS_DIR}/partial-${token}")
  file(MAKE_DIRECTORY "${partial}")
  message(STATUS "Fetching efsw: npm pack ${DAYBOOK_EFSW_PACKAGE}")
  execute_process(
    COMMAND "${DAYBOOK_NPM}" pack --ignore-scripts --silent "${DAYBOOK_EFSW_PACKAGE}"
    WORKING_DIRECTORY "${partial}"
    RESULT_VARIABLE result
    OUTPUT_QUIET
    ERROR_VARIABLE talk
    TIMEOUT 300)
  if(result EQUAL 0 AND EXISTS "${partial}/${DAYBOOK_EFSW_TARBALL}")
    file(RENAME "${partial}/${DAYBOOK_EFSW_TARBALL}" "${tarball}")
    set(${ok} TRUE PARENT_SCOPE)
  else()
    message(STATUS "npm pack failed (${result}) ${talk}")
  endif()
  file(REMOVE_RECURSE "${partial}")
endfunction()

# Unpacks vendor/efsw, and only that, to `destination`; the rename makes it whole or absent.
function(daybook_efsw_unpack tarball destination)
  set(partial "${destination}.partial")
  file(REMOVE_RECURSE "${partial}")
  file(ARCHIVE_EXTRACT INPUT "${tarball}" DESTINATION "${partial}" PATTERNS "package/vendor/efsw/*")
  file(RENAME "${partial}/package/vendor/efsw" "${destination}")
  file(REMOVE_RECURSE "${partial}")
endfunction()

# Sets `folder` to the sources from npm, or to "" when they are neither kept nor to be had.
function(daybook_efsw_from_npm folder)
  string(SUBSTRING "${DAYBOOK_EFSW_SHA512}" 0 12 short)
  set(kept "${DAYBOOK_DEPS_DIR}/efsw-${short}")
  set(tarball "${DAYBOOK_DEPS_DIR}/${DAYBOOK_EFSW_TARBALL}")

  # Two presets may be configured at once, and both would download.
  file(MAKE_DIRECTORY "${DAYBOOK_DEPS_DIR}")
  file(LOCK "${DAYBOOK_DEPS_DIR}/efsw.lock" GUARD FUNCTION TIMEOUT 600)
  if(NOT EXISTS "${kept}")
    if(NOT EXISTS "${tarball}")
      daybook_efsw_download("${tarball}" downloaded)
      if(NOT downloaded)
        set(${folder} "" PARENT_SCOPE)
        return()
      endif()
    endif()
    daybook_efsw_verify("${tarball}")
    daybook_efsw_unpack("${tarball}" "${kept}")
  endif()
  set(${folder} "${kept}" PARENT_SCOPE)
endfunction()

# Sets `folder` to the upstream sources, or stops with the one sentence that helps.
function(daybook_efsw_from_upstream folder)
  # Asked first because FetchContent's own failure is a page that names no remedy.
  set(reached 1)
  find_program(DAYBOOK_GIT git)
  mark_as_advanced(DAYBOOK_GIT)
  if(DAYBOOK_GIT)
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E env GIT_TERMINAL_PROMPT=0 "${DAYBOOK_GIT}" ls-remote --exit-code
              "${DAYBOOK_EFSW_UPSTREAM}" "refs/tags/${DAYBOOK_EFSW_UPSTREAM_TAG}"
      RESULT_VARIABLE reached
      OUTPUT_QUIET ERROR_QUIET
      TIMEOUT 30)
  endif()
  if(NOT reached EQUAL 0)
    message(FATAL_ERROR "efsw was not found and could not be fetched: install the Debian package "
                        "npm (apt-get install npm) and configure again, or install efsw itself.")
  endif()

  include(FetchContent)
  FetchContent_Declare(
    efsw_upstream
    GIT_REPOSITORY "${DAYBOOK_EFSW_UPSTREAM}"
    GIT_TAG "${DAYBOOK_EFSW_UPSTREAM_TAG}"
    GIT_SHALLOW ON)
  FetchContent_GetProperties(efsw_upstream)
  if(NOT efsw_upstream_POPULATED)
    FetchContent_Populate(efsw_upstream)
  endif()
  set(${folder} "${efsw_upstream_SOURCE_DIR}" PARENT_SCOPE)
endfunction()

# Sets `mended` to a copy of the sources in `folder` with our patches, made once for each set of them.
function(daybook_efsw_mended folder mended)
  file(SHA256 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/efsw_patches.cmake" patches)
  string(SUBSTRING "${patches}" 0 8 short)
  set(destination "${DAYBOOK_DEPS_DIR}/efsw-mended-${short}")
  file(MAKE_DIRECTORY "${DAYBOOK_DEPS_DIR}")
  file(LOCK "${DAYBOOK_DEPS_DIR}/efsw.lock" GUARD FUNCTION TIMEOUT 600)
  if(NOT EXISTS "${destination}")
    file(REMOVE_RECURSE "${destination}.partial")
    file(COPY "${folder}/src" "${folder}/include" DESTINATION "${destination}.partial")
    daybook_efsw_patch("${destination}.partial")
    file(RENAME "${destination}.partial" "${destination}")
  endif()
  set(${mended} "${destination}" PARENT_SCOPE)
endfunction()

# vendor::efsw, built from `folder`.
function(daybook_efsw_build folder)
  set(sources
      Debug
      DirectorySnapshot
      DirectorySnapshotDiff
      DirWatcherGeneric
      FileInfo
      FileSystem
      FileWatcher
      FileWatcherGeneric
      FileWatcherImpl
      Log
      Mutex
      String
      System
      Thread
      Watcher
      WatcherGeneric
      platform/posix/FileSystemImpl
      platform/posix/MutexImpl
      platform/posix/SystemImpl
      platform/posix/ThreadImpl)
  if(APPLE)
    list(APPEND sources FileWatcherFSEvents FileWatcherKqueue WatcherFSEvents WatcherKqueue)
  elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    list(APPEND sources FileWatcherInotify WatcherInotify)
  elseif(CMAKE_SYSTEM_NAME MATCHES "BSD")
    list(APPEND sources FileWatcherKqueue WatcherKqueue)
  endif()
  list(TRANSFORM sources PREPEND "${folder}/src/efsw/")
  list(TRANSFORM sources APPEND ".cpp")

  add_library(daybook_efsw STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(daybook_efsw PRIVATE "${folder}/src")
  target_include_directories(daybook_efsw SYSTEM PUBLIC "${folder}/include")
  # Not our code: its warnings are not ours to fix.
  target_compile_options(daybook_efsw PRIVATE -w)
  target_link_libraries(daybook_efsw PUBLIC Threads::Threads)
  target_link_libraries(daybook_efsw PRIVATE daybook_sanitizers daybook_hardening)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_compile_definitions(daybook_efsw PUBLIC DAYBOOK_EFSW_COUNTS_OVERFLOWS)
  endif()
  if(APPLE)
    target_link_libraries(daybook_efsw PUBLIC "-framework CoreFoundation"
                                              "-framework CoreServices")
  endif()
endfunction()

find_package(efsw CONFIG QUIET)
if(TARGET efsw::efsw-static)
  set(efsw_target efsw::efsw-static)
elseif(TARGET efsw::efsw)
  set(efsw_target efsw::efsw)
else()
  daybook_efsw_from_npm(efsw_folder)
  if(NOT efsw_folder)
    daybook_efsw_from_upstream(efsw_folder)
  endif()
  daybook_efsw_mended("${efsw_folder}" efsw_folder)
  daybook_efsw_build("${efsw_folder}")
  set(efsw_target daybook_efsw)
endif()
add_library(vendor::efsw INTERFACE IMPORTED GLOBAL)
target_link_libraries(vendor::efsw INTERFACE ${efsw_target})
