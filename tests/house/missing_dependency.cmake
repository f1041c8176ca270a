# Configures the project as on a machine that lacks something, and expects it to stop with the
# sentence that says what to install. CASE is what is lacking:
#
#   yaml-cpp             found by find_package
#   cmark-gfm            found by pkg-config
#   npm                  efsw is not installed, and neither npm nor git can fetch it
#   the pinned tarball   the one that is there has another hash

file(REMOVE_RECURSE "${BINARY_DIR}")
set(deps "${BINARY_DIR}/deps")
file(MAKE_DIRECTORY "${BINARY_DIR}/nothing" "${deps}")

set(environment "")
set(settings "")
if(CASE STREQUAL "yaml-cpp")
  set(settings -DCMAKE_DISABLE_FIND_PACKAGE_yaml-cpp=ON)
  set(sentence "yaml-cpp was not found: install the Debian package libyaml-cpp-dev")
elseif(CASE STREQUAL "cmark-gfm")
  set(environment "PKG_CONFIG_LIBDIR=${BINARY_DIR}/nothing" --unset=PKG_CONFIG_PATH)
  set(sentence "cmark-gfm was not found: install the Debian package libcmark-gfm-dev")
elseif(CASE STREQUAL "npm")
  find_program(refuses false REQUIRED)
  set(settings -DCMAKE_DISABLE_FIND_PACKAGE_efsw=ON "-DDAYBOOK_NPM=${refuses}"
               "-DDAYBOOK_GIT=${refuses}")
  set(sentence "install the Debian package npm")
elseif(CASE STREQUAL "the pinned tarball")
  file(WRITE "${deps}/pulsar-edit-pathwatcher-9.0.4.tgz" "not what was reviewed")
  set(settings -DCMAKE_DISABLE_FIND_PACKAGE_efsw=ON)
  set(sentence "pulsar-edit-pathwatcher-9.0.4.tgz is not the pinned one")
else()
  message(FATAL_ERROR "no such case: '${CASE}'")
endif()

execute_process(
  COMMAND
    "${CMAKE_COMMAND}" -E env ${environment} "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B
    "${BINARY_DIR}/build" -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DDAYBOOK_DEPS_DIR=${deps}" -DBUILD_TESTING=OFF
    ${settings}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE error)

# CMake wraps its messages at a width of its own.
string(REGEX REPLACE "[ \n]+" " " flat "${error}")
string(FIND "${flat}" "${sentence}" at)
if(result EQUAL 0)
  message(FATAL_ERROR "configuring without ${CASE} went through")
elseif(at EQUAL -1)
  message(FATAL_ERROR "configuring without ${CASE} did not say\n  ${sentence}\nbut\n${error}")
endif()
string(REGEX MATCHALL "CMake Error" errors "${flat}")
list(LENGTH errors count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "one sentence was expected, not ${count}:\n${error}")
endif()
file(REMOVE_RECURSE "${BINARY_DIR}")
