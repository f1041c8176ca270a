# Puts the files of vault-template/ into the program, byte for byte, so that `daybook init` needs no
# file beside the executable. Included, it defines daybook_embed_vault_template(); run as a script,
# it is the generator that this function calls during the build.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(DAYBOOK_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

  # Sets `result` to the path of a generated source that defines src/cli/vault_template.hpp.
  function(daybook_embed_vault_template result)
    set(folder "${PROJECT_SOURCE_DIR}/vault-template")
    set(generated "${PROJECT_BINARY_DIR}/generated/vault_template.cpp")
    set(listing "${PROJECT_BINARY_DIR}/generated/vault_template.txt")

    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*")
    # The listing is an input of its own: a file that is removed changes nothing else.
    list(JOIN files "\n" lines)
    file(GENERATE OUTPUT "${listing}" CONTENT "${lines}\n")
    list(TRANSFORM files PREPEND "${folder}/" OUTPUT_VARIABLE inputs)
    add_custom_command(
      OUTPUT "${generated}"
      COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}" "-DLISTING=${listing}" "-DOUTPUT=${generated}"
              -P "${DAYBOOK_EMBED_SCRIPT}"
      DEPENDS ${inputs} "${listing}" "${DAYBOOK_EMBED_SCRIPT}"
      COMMENT "Embedding vault-template/"
      VERBATIM)
    set(${result} "${generated}" PARENT_SCOPE)
  endfunction()
  return()
endif()

file(STRINGS "${LISTING}" files ENCODING UTF-8)
set(arrays "")
set(entries "")
set(count 0)
foreach(path IN LISTS files)
  file(READ "${FOLDER}/${path}" bytes HEX)
  set(view "{}")
  if(bytes)
    # Characters one by one: a string literal has a maximum length, and its escapes can run on.
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "constexpr char kFile${count}[] = {${bytes}};\n")
    set(view "{kFile${count}, sizeof kFile${count}}")
  endif()
  string(APPEND entries "    EmbeddedFile{R\"path(${path})path\", ${view}},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(
  WRITE "${OUTPUT}"
  "// Generated from vault-template/ by cmake/embed.cmake.
#include \"cli/vault_template.hpp\"

#include <array>

namespace daybook::cli {
namespace {

${arrays}
constexpr std::array<EmbeddedFile, ${count}> kFiles{
${entries}};

}  // namespace

std::span<const EmbeddedFile> vault_template() { return kFiles; }

}  // namespace daybook::cli
")
