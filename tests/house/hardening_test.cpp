// SPDX-License-Identifier: MIT
//
// The built program as the loader sees it: what the compiler and the linker were told to do against
// bugs of ours has arrived in it. Reads ELF by hand, for 64 bits.
#include "support/child.hpp"
#include "support/program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace daybook {
namespace {

/// One record of the file, which may stand at any place in it.
template <typename Record>
Record record_at(const std::string& bytes, std::size_t offset) {
  Record record{};
  REQUIRE(offset <= bytes.size());
  REQUIRE(bytes.size() - offset >= sizeof record);
  std::memcpy(&record, bytes.data() + offset, sizeof record);
  return record;
}

class Elf {
 public:
  explicit Elf(const std::string& path) {
    bytes_.resize(std::filesystem::file_size(path));
    REQUIRE(std::ifstream(path, std::ios::binary)
                .read(bytes_.data(), static_cast<std::streamsize>(bytes_.size())));
    header = record_at<Elf64_Ehdr>(bytes_, 0);
    REQUIRE(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0);
    REQUIRE(header.e_ident[EI_CLASS] == ELFCLASS64);
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
      segments.push_back(record_at<Elf64_Phdr>(bytes_, header.e_phoff + i * sizeof(Elf64_Phdr)));
    }
  }

  [[nodiscard]] const Elf64_Phdr* segment(Elf64_Word type) const {
    const auto found = std::find_if(
        segments.begin(), segments.end(), [type](const auto& one) { return one.p_type == type; });
    return found == segments.end() ? nullptr : &*found;
  }

  /// The value of an entry of the dynamic section; 0: there is none.
  [[nodiscard]] std::uint64_t dynamic(Elf64_Sxword tag) const {
    const Elf64_Phdr* place = segment(PT_DYNAMIC);
    REQUIRE(place != nullptr);
    for (std::size_t at = 0; at < place->p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = record_at<Elf64_Dyn>(bytes_, place->p_offset + at);
      if (entry.d_tag == tag) {
        return entry.d_un.d_val;
      }
    }
    return 0;
  }

  /// The names of all functions that it takes from libraries.
  [[nodiscard]] std::set<std::string> imports() const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
      const auto section = record_at<Elf64_Shdr>(bytes_, header.e_shoff + i * sizeof(Elf64_Shdr));
      if (section.sh_type != SHT_DYNSYM) {
        continue;
      }
      const auto strings =
          record_at<Elf64_Shdr>(bytes_, header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
      for (std::size_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = record_at<Elf64_Sym>(bytes_, section.sh_offset + at);
        if (symbol.st_shndx == SHN_UNDEF) {
          names.insert(bytes_.data() + strings.sh_offset + symbol.st_name);
        }
      }
    }
    return names;
  }

  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;

 private:
  std::string bytes_;
};

bool is_fortified(const std::string& name) {
  return name.starts_with("__") && name.ends_with("_chk");
}

}  // namespace

TEST_CASE("the program may be loaded anywhere") {
  const Elf program(DAYBOOK_BINARY);
  CHECK(program.header.e_type == ET_DYN);
  CHECK((program.dynamic(DT_FLAGS_1) & DF_1_PIE) != 0);
  CHECK(program.dynamic(DT_TEXTREL) == 0);
}

TEST_CASE("what the loader fills in is read-only before the program begins") {
  const Elf program(DAYBOOK_BINARY);
  CHECK(program.segment(PT_GNU_RELRO) != nullptr);
  CHECK(((program.dynamic(DT_FLAGS) & DF_BIND_NOW) != 0 ||
         (program.dynamic(DT_FLAGS_1) & DF_1_NOW) != 0));
}

TEST_CASE("no memory is both written and run, the stack least of all") {
  const Elf program(DAYBOOK_BINARY);
  const Elf64_Phdr* stack = program.segment(PT_GNU_STACK);
  REQUIRE(stack != nullptr);
  CHECK((stack->p_flags & PF_X) == 0);
  for (const Elf64_Phdr& segment : program.segments) {
    CHECK((segment.p_flags & (PF_W | PF_X)) != (PF_W | PF_X));
  }
}

TEST_CASE("no library is taken from a folder that the builder has named") {
  const Elf program(DAYBOOK_BINARY);
  CHECK(program.dynamic(DT_RPATH) == 0);
  CHECK(program.dynamic(DT_RUNPATH) == 0);
}

TEST_CASE("stack protector, fortified calls and the library's assertions are compiled in") {
  const auto imports = Elf(DAYBOOK_BINARY).imports();
  CHECK(imports.contains("__stack_chk_fail"));
  const bool asserts = std::any_of(imports.begin(), imports.end(), [](const std::string& name) {
    return name.find("__glibcxx_assert_fail") != std::string::npos;
  });
  CHECK(asserts);
  if (!support::is_sanitized()) {  // which intercepts the plain calls
    CHECK(std::any_of(imports.begin(), imports.end(), is_fortified));
  }
}

TEST_CASE("the sources of efsw are compiled with the same protection") {
  const std::string commands = [] {
    std::ifstream file(DAYBOOK_BUILD_DIR "/compile_commands.json");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  const std::size_t at = commands.find("FileWatcherInotify.cpp.o");
  if (at == std::string::npos) {
    WARN("efsw was not built here");
    return;
  }
  const std::size_t begin = commands.rfind("\"command\"", at);
  const std::string command = commands.substr(begin, commands.find('\n', at) - begin);
  INFO(command);
  CHECK(command.find("-D_GLIBCXX_ASSERTIONS") != std::string::npos);
  CHECK(command.find("-fstack-protector-strong") != std::string::npos);
  if (!support::is_sanitized()) {
    CHECK(command.find("-D_FORTIFY_SOURCE=2") != std::string::npos);
  }
}

TEST_CASE("an index outside of a vector ends the program instead of reading on") {
  // In this test program, which is compiled with the same options.
  const std::vector<int> three{1, 2, 3};
  volatile std::size_t outside = 3;
  const auto outcome = support::run_in_child([&]() -> std::string {
    return std::to_string(three[outside]);  // never returns
  });
  CHECK(outcome.signal == SIGABRT);
  CHECK(outcome.errors.find("__n < this->size()") != std::string::npos);
}

}  // namespace daybook
