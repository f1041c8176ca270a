// SPDX-License-Identifier: MIT
#include "daybook/base/sha256.hpp"

#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace daybook::base {
namespace {

struct Vector {
  std::string text;
  std::string hex;
};

/// FIPS 180-4 and NIST's examples.
std::vector<Vector> known_vectors() {
  return {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
       "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
}

const std::string kAbcHex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string finished(Sha256& hasher) { return to_hex(hasher.finish()); }

}  // namespace

TEST_CASE("known messages have their published digests") {
  for (const Vector& known : known_vectors()) {
    CAPTURE(known.text.size());
    CHECK(to_hex(sha256(known.text)) == known.hex);
  }
}

TEST_CASE("one hasher serves message after message") {
  Sha256 hasher;
  for (int round = 0; round < 2; ++round) {
    for (const Vector& known : known_vectors()) {
      hasher.update(known.text);
      CHECK(finished(hasher) == known.hex);
    }
  }
}

TEST_CASE("a message in pieces has the digest of the whole") {
  REQUIRE(rc::check("pieces of any size", [] {
    const auto text = *rc::gen::arbitrary<std::string>();
    Sha256 hasher;
    for (const std::string& piece : support::random_pieces(text)) {
      hasher.update(piece);
    }
    RC_ASSERT(hasher.finish() == sha256(text));
  }));
}

TEST_CASE("a piece without bytes and without an address changes nothing") {
  Sha256 hasher;
  hasher.update(std::string_view());
  hasher.update("abc");
  hasher.update(std::string_view());
  CHECK(finished(hasher) == kAbcHex);
}

TEST_CASE("reset forgets what was fed") {
  Sha256 hasher;
  hasher.update("to be forgotten");
  hasher.reset();
  hasher.update("abc");
  CHECK(finished(hasher) == kAbcHex);
}

TEST_CASE("going back to the mark undoes what was fed since") {
  Sha256 hasher;
  hasher.update("ab");
  hasher.mark();
  hasher.update("to be taken back");
  hasher.return_to_mark();
  hasher.update("c");
  CHECK(finished(hasher) == kAbcHex);
}

TEST_CASE("a mark can be returned to more than once and set anew") {
  Sha256 hasher;
  hasher.update("a");
  hasher.mark();
  hasher.update("xx");
  hasher.return_to_mark();
  hasher.update(std::string(1000, 'y'));
  hasher.return_to_mark();
  hasher.update("b");
  hasher.mark();
  hasher.update("z");
  hasher.return_to_mark();
  hasher.update("c");
  CHECK(finished(hasher) == kAbcHex);
}

TEST_CASE("a mark that is not returned to changes nothing") {
  Sha256 hasher;
  hasher.update("a");
  hasher.mark();
  hasher.update("bc");
  CHECK(finished(hasher) == kAbcHex);
  hasher.update("abc");  // and it does not leak into the next message
  CHECK(finished(hasher) == kAbcHex);
}

TEST_CASE("a mark at the very beginning gives back the empty message") {
  Sha256 hasher;
  hasher.mark();
  hasher.update("abc");
  hasher.return_to_mark();
  CHECK(finished(hasher) == known_vectors().front().hex);
}

TEST_CASE("a hasher moves with its message and its mark") {
  Sha256 first;
  first.update("ab");
  first.mark();
  first.update("x");
  Sha256 second(std::move(first));
  Sha256 third;
  third.update("something else");
  third = std::move(second);
  third.return_to_mark();
  third.update("c");
  CHECK(finished(third) == kAbcHex);
}

TEST_CASE("threads hash at the same time without disturbing each other") {
  constexpr std::size_t kThreads = 4;
  std::array<int, kThreads> wrong{};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&wrong, i] {
      const std::string text(1000 + i, static_cast<char>('a' + i));
      Sha256 own;
      own.update(text);
      const Digest expected = own.finish();
      for (int round = 0; round < 2000; ++round) {
        wrong[i] += sha256(text) == expected ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(wrong == std::array<int, kThreads>{});
}

TEST_CASE("a digest is written as lower-case hexadecimal") {
  Digest digest{};
  digest[0] = 0x01;
  digest[1] = 0xAB;
  digest[31] = 0xF0;
  CHECK(to_hex(digest) == "01ab" + std::string(58, '0') + "f0");
}

TEST_CASE("hexadecimal is read back as the digest it was written from") {
  REQUIRE(rc::check("round trip", [] {
    Digest digest{};
    for (std::uint8_t& byte : digest) {
      byte = *rc::gen::inRange<std::uint8_t>(0, 255);
    }
    const std::string hex = to_hex(digest);
    RC_ASSERT(hex.size() == 64U);
    RC_ASSERT(digest_from_hex(hex) == digest);
  }));
  Digest every{};
  every.fill(0xFF);
  CHECK(digest_from_hex(std::string(64, 'f')) == every);
}

TEST_CASE("only sixty-four lower-case hexadecimal characters are a digest") {
  REQUIRE(digest_from_hex(kAbcHex).has_value());
  const auto with = [](std::size_t at, char c) {
    std::string hex = kAbcHex;
    hex[at] = c;
    return hex;
  };
  CHECK_FALSE(digest_from_hex("").has_value());
  CHECK_FALSE(digest_from_hex(kAbcHex.substr(1)).has_value());
  CHECK_FALSE(digest_from_hex(kAbcHex + "0").has_value());
  CHECK_FALSE(digest_from_hex(kAbcHex + kAbcHex).has_value());
  CHECK_FALSE(digest_from_hex("0x" + kAbcHex.substr(2)).has_value());
  for (const char c : {'A', 'F', 'g', 'G', ' ', '/', ':', '`', '\0', '\xC3'}) {
    CAPTURE(static_cast<int>(c));
    CHECK_FALSE(digest_from_hex(with(0, c)).has_value());
    CHECK_FALSE(digest_from_hex(with(31, c)).has_value());
    CHECK_FALSE(digest_from_hex(with(63, c)).has_value());
  }
}

}  // namespace daybook::base
