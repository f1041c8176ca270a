// SPDX-License-Identifier: MIT
#include "redact/prefix_tokens.hpp"

#include "redact/wrapping.hpp"

#include <algorithm>

namespace daybook::redact {
namespace {

constexpr CharClass kUpperDigit = kUpper | kDigit;
constexpr std::size_t kLook = 256;  // of a body, to decide
constexpr std::size_t kLookJwt = 1024;
constexpr std::size_t kLeastPiece = 8;   // of a body that the line's end cuts off
constexpr std::size_t kLeastSolid = 16;  // letters and digits without a hyphen, in a bare `sk-`

constexpr PrefixToken kTokens[] = {
    // The longer beginning first, where one is part of another.
    {"sk-ant-", "anthropic-key", kToken, 20, 0, Body::any},
    {"sk-proj-", "openai-key", kToken, 20, 0, Body::any},
    {"sk-svcacct-", "openai-key", kToken, 20, 0, Body::any},
    {"sk-admin-", "openai-key", kToken, 20, 0, Body::random},
    {"sk-or-v1-", "openrouter-key", kToken, 32, 0, Body::any},
    {"sk-lf-", "langfuse-key", kToken, 32, 0, Body::random},
    {"sk-", "openai-key", kToken, 20, 0, Body::random},
    {"ghp_", "github-token", kAlnum, 30, 0, Body::any},
    {"gho_", "github-token", kAlnum, 30, 0, Body::any},
    {"ghu_", "github-token", kAlnum, 30, 0, Body::any},
    {"ghs_", "github-token", kWord | kDot | kHyphen, 30, 0, Body::any},
    {"ghr_", "github-token", kAlnum, 30, 0, Body::any},
    {"github_pat_", "github-token", kWord, 22, 0, Body::any},
    {"glpat-", "gitlab-token", kTokenDot, 20, 0, Body::any},
    {"gldt-", "gitlab-token", kToken, 20, 0, Body::any},
    {"glrt-", "gitlab-token", kTokenDot, 20, 0, Body::any},
    {"glrtr-", "gitlab-token", kTokenDot, 20, 0, Body::any},
    {"glcbt-", "gitlab-token", kToken, 20, 0, Body::any},
    {"glptt-", "gitlab-token", kToken, 20, 0, Body::any},
    {"glft-", "gitlab-token", kToken, 20, 0, Body::any},
    {"glimt-", "gitlab-token", kToken, 20, 0, Body::any},
    {"glagent-", "gitlab-token", kToken, 20, 0, Body::any},
    {"gloas-", "gitlab-token", kToken, 20, 0, Body::any},
    {"glsoat-", "gitlab-token", kToken, 20, 0, Body::any},
    {"glffct-", "gitlab-token", kToken, 20, 0, Body::any},
    {"xoxb-", "slack-token", kToken, 16, 0, Body::any},
    {"xoxp-", "slack-token", kToken, 16, 0, Body::any},
    {"xoxa-", "slack-token", kToken, 16, 0, Body::any},
    {"xoxr-", "slack-token", kToken, 16, 0, Body::any},
    {"xoxs-", "slack-token", kToken, 16, 0, Body::any},
    {"xoxo-", "slack-token", kToken, 16, 0, Body::random},
    {"xoxc-", "slack-token", kToken, 16, 0, Body::any},
    {"xoxd-", "slack-token", kSecretRun, 16, 0, Body::any},
    {"xoxe-", "slack-token", kToken, 16, 0, Body::any},
    {"xoxe.", "slack-token", kTokenDot, 16, 0, Body::any},
    {"xapp-", "slack-token", kToken, 16, 0, Body::any},
    {"xwfp-", "slack-token", kToken, 16, 0, Body::any},
    {"hooks.slack.com/services/", "slack-webhook", kWord | kBase64Sign, 12, 0, Body::any},
    {"hooks.slack.com/workflows/", "slack-webhook", kWord | kBase64Sign, 12, 0, Body::any},
    {"hooks.slack.com/triggers/", "slack-webhook", kWord | kBase64Sign, 12, 0, Body::any},
    {"discord.com/api/webhooks/", "discord-webhook", kToken | kBase64Sign, 20, 0, Body::any},
    {"discordapp.com/api/webhooks/", "discord-webhook", kToken | kBase64Sign, 20, 0, Body::any},
    // The same in a string that escapes slashes.
    {"hooks.slack.com\\/services\\/", "slack-webhook", kWord | kBase64Sign, 12, 0, Body::any},
    {"hooks.slack.com\\/workflows\\/", "slack-webhook", kWord | kBase64Sign, 12, 0, Body::any},
    {"hooks.slack.com\\/triggers\\/", "slack-webhook", kWord | kBase64Sign, 12, 0, Body::any},
    {"discord.com\\/api\\/webhooks\\/", "discord-webhook", kToken, 20, 0, Body::any},
    {"discordapp.com\\/api\\/webhooks\\/", "discord-webhook", kToken, 20, 0, Body::any},
    {"AKIA", "aws-access-key-id", kUpperDigit, 16, 16, Body::any},
    {"ASIA", "aws-access-key-id", kUpperDigit, 16, 16, Body::any},
    {"ABIA", "aws-access-key-id", kUpperDigit, 16, 16, Body::random},
    {"ACCA", "aws-access-key-id", kUpperDigit, 16, 16, Body::random},
    {"AIza", "google-api-key", kToken, 35, 0, Body::any},
    {"ya29.", "google-oauth-token", kTokenDot, 20, 0, Body::any},
    {"GOCSPX-", "google-client-secret", kToken, 20, 0, Body::any},
    {"1//0", "google-refresh-token", kToken, 36, 0, Body::random},
    {"sk_live_", "stripe-key", kWord, 16, 0, Body::any},
    {"sk_test_", "stripe-key", kWord, 16, 0, Body::any},
    {"rk_live_", "stripe-key", kWord, 16, 0, Body::any},
    {"rk_test_", "stripe-key", kWord, 16, 0, Body::any},
    {"whsec_", "webhook-secret", kWord | kBase64Sign, 24, 0, Body::any},
    {"npm_", "npm-token", kAlnum, 30, 0, Body::random},
    {"pypi-", "pypi-token", kToken, 50, 0, Body::any},
    {"hf_", "hugging-face-token", kAlnum, 30, 0, Body::any},
    {"api_org_", "hugging-face-token", kAlnum, 30, 0, Body::any},
    {"SK", "twilio-key", kDigit | kHexLetter, 32, 32, Body::hex},
    {"dop_v1_", "digitalocean-token", kAlnum, 32, 0, Body::any},
    {"doo_v1_", "digitalocean-token", kAlnum, 32, 0, Body::any},
    {"dor_v1_", "digitalocean-token", kAlnum, 32, 0, Body::any},
    {"dckr_pat_", "docker-token", kToken, 20, 0, Body::any},
    {"dckr_oat_", "docker-token", kToken, 20, 0, Body::any},
    {"hvs.", "vault-token", kToken, 20, 0, Body::random},
    {"hvb.", "vault-token", kToken, 20, 0, Body::random},
    {"hvr.", "vault-token", kToken, 20, 0, Body::random},
    {"AGE-SECRET-KEY-1", "age-secret-key", kUpperDigit, 30, 0, Body::any},
    {"AGE-SECRET-KEY-PQ-1", "age-secret-key", kUpperDigit, 30, 0, Body::any},
    {"gsk_", "groq-key", kAlnum, 30, 0, Body::any},
    {"pplx-", "perplexity-key", kAlnum, 30, 0, Body::any},
    {"xai-", "xai-key", kAlnum, 40, 0, Body::any},
    {"r8_", "replicate-token", kAlnum, 30, 0, Body::any},
    {"sbp_", "supabase-token", kWord, 32, 0, Body::random},
    {"sb_secret_", "supabase-token", kToken, 20, 0, Body::any},
    {"dapi", "databricks-token", kDigit | kHexLetter | kHyphen, 32, 36, Body::hex},
    {"shpat_", "shopify-token", kAlnum, 32, 0, Body::any},
    {"shpca_", "shopify-token", kAlnum, 32, 0, Body::any},
    {"shppa_", "shopify-token", kAlnum, 32, 0, Body::any},
    {"shpss_", "shopify-token", kAlnum, 32, 0, Body::any},
    {"lin_api_", "linear-key", kAlnum, 30, 0, Body::any},
    {"ntn_", "notion-token", kAlnum, 30, 0, Body::random},
    {"secret_", "notion-token", kAlnum, 40, 0, Body::random},
    {"figd_", "figma-token", kToken, 30, 0, Body::random},
    {"PMAK-", "postman-key", kToken, 30, 0, Body::any},
    {"NRAK-", "new-relic-key", kUpperDigit, 20, 0, Body::any},
    {"sq0atp-", "square-token", kToken, 20, 0, Body::any},
    {"sq0csp-", "square-token", kToken, 20, 0, Body::any},
    {"glsa_", "grafana-token", kWord, 32, 0, Body::any},
    {"glc_", "grafana-token", kBase64, 40, 0, Body::random},
    {"sntrys_", "sentry-token", kWord | kBase64Sign, 32, 0, Body::any},
    {"sntryu_", "sentry-token", kWord, 32, 0, Body::any},
    {"pscale_tkn_", "planetscale-token", kTokenDot, 30, 0, Body::any},
    {"pscale_pw_", "planetscale-token", kTokenDot, 30, 0, Body::any},
    {"dp.pt.", "doppler-token", kAlnum, 30, 0, Body::any},
    {"pul-", "pulumi-token", kAlnum, 40, 0, Body::hex},
    {"ATATT3", "atlassian-token", kToken | kBase64Sign, 60, 0, Body::any},
    {"EAAA", "square-token", kToken, 60, 60, Body::random},
    // "-----BEGIN … PRIVATE KEY" in base64, as Kubernetes keeps keys: plain, of RSA, EC, DSA,
    // OpenSSH, encrypted, PGP.
    {"LS0tLS1CRUdJTiBQUklWQVRF", "private-key", kBase64, 40, 0, Body::any},
    {"LS0tLS1CRUdJTiBSU0EgUFJJVkFUR", "private-key", kBase64, 40, 0, Body::any},
    {"LS0tLS1CRUdJTiBFQyBQUklWQVRF", "private-key", kBase64, 40, 0, Body::any},
    {"LS0tLS1CRUdJTiBEU0EgUFJJVkFUR", "private-key", kBase64, 40, 0, Body::any},
    {"LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVE", "private-key", kBase64, 40, 0, Body::any},
    {"LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFUR", "private-key", kBase64, 40, 0, Body::any},
    {"LS0tLS1CRUdJTiBQR1AgUFJJVkFUR", "private-key", kBase64, 40, 0, Body::any},
};

bool is_hex(char c) { return is(c, kDigit | kHexLetter); }

/// A bare `sk-` also begins names such as sk-learn-contrib-2024: one part must be long and random.
bool has_solid_part(std::string_view body) {
  std::size_t at = 0;
  while (at < body.size()) {
    const char* const end = run_end(body.data() + at, body.data() + body.size(), kAlnum);
    const std::string_view part = between(body.data() + at, end);
    if (part.size() >= kLeastSolid && looks_random(part)) {
      return true;
    }
    at += part.size() + 1;
  }
  return false;
}

bool body_fits(std::string_view body, const PrefixToken& token) {
  switch (token.look) {
    case Body::any:
      return true;
    case Body::random:
      return token.prefix == "sk-" ? has_solid_part(body) : looks_random(body);
    case Body::hex:
      return std::all_of(body.begin(), body.end(), [](char c) { return is_hex(c) || c == '-'; });
    case Body::digit_first:
      return !body.empty() && is(body.front(), kDigit);
  }
  return false;
}

Hit secret(std::size_t size, std::string_view shape, const char* token_end, const Cursor& cursor) {
  Hit hit;
  const char* const last = end_of_pieces(token_end, cursor.end);
  cursor.looked_at(last - token_end);
  hit.consume = size + static_cast<std::size_t>(last - token_end);
  hit.marker = kMarker;
  hit.shape = shape;
  hit.wraps = wraps_here(last, cursor.end);
  return hit;
}

/// The end of a token's body. If the prefix has escaped slashes, the body may have them, too.
const char* body_end_of(const PrefixToken& token,
                        const char* at,
                        const char* end,
                        std::size_t most) {
  const char* const last = static_cast<std::size_t>(end - at) > most ? at + most : end;
  const char* p = run_end(at, last, token.body);
  while (token.prefix.ends_with("\\/") && between(p, last).starts_with("\\/")) {
    p = run_end(p + 2, last, token.body);
  }
  return p;
}

/// The body is too short: does it go on behind a joint of this line?
bool goes_on(const char* piece_end, const Cursor& cursor) {
  return end_of_piece(piece_end, cursor.end) != piece_end;
}

}  // namespace

std::span<const PrefixToken> prefix_tokens() { return kTokens; }

Hit match_prefix_token(const Cursor& cursor, const PrefixToken& token) {
  if (!cursor.starts_with(token.prefix) || !token_may_begin(cursor)) {
    return {};
  }
  const char* const body = cursor.at + token.prefix.size();
  const char* const looked = body_end_of(token, body, cursor.end, kLook);
  const std::string_view shown = between(body, looked);
  cursor.looked_at(looked - cursor.at);
  const bool too_long =
      token.most > 0 && (shown.size() > token.most || is(cursor.peek_at(looked), kAlnum));
  if (too_long) {
    return {};
  }
  const bool whole = shown.size() >= token.least && body_fits(shown, token);
  const bool telling = token.look == Body::any && (token.prefix.size() >= 6 || token.most > 0);
  const bool piece = shown.size() >= kLeastPiece && (telling || looks_random(shown));
  const bool cut =
      !whole && shown.size() < token.least &&
      ((piece && wraps_here(looked, cursor.end)) || (!shown.empty() && goes_on(looked, cursor)));
  if (!whole && !cut) {
    return {};
  }
  const char* const body_end = body_end_of(token, looked, cursor.end, cursor.rest().size());
  Hit hit = secret(static_cast<std::size_t>(body_end - cursor.at), token.shape, body_end, cursor);
  return hit;
}

bool breaks_off(const Cursor& cursor, const PrefixToken& token) {
  if (!cursor.starts_with(token.prefix) || !token_may_begin(cursor)) {
    return false;
  }
  const char* const body = cursor.at + token.prefix.size();
  const char* const body_end = run_end(body, cursor.end, token.body, token.least);
  const std::string_view shown = between(body, body_end);
  // `secret_key` ends a line of code: a word, not the first characters of something random.
  const bool word = token.look == Body::random && shown.size() >= 3 &&
                    std::all_of(shown.begin(), shown.end(), [](char c) { return is(c, kLower); });
  return shown.size() < token.least && !word && wraps_here(body_end, cursor.end);
}

Hit match_jwt(const Cursor& cursor) {
  if (!cursor.starts_with("eyJ") || !token_may_begin(cursor)) {
    return {};
  }
  constexpr std::size_t kLeastPart = 8;
  const char* const head_end = run_end(cursor.at, cursor.end, kToken, kLookJwt);
  const auto head = between(cursor.at, head_end);
  const char* const looked = run_end(cursor.at, cursor.end, kTokenDot, kLookJwt);
  cursor.looked_at(looked - cursor.at);
  const bool dotted = cursor.peek_at(head_end) == '.' &&
                      static_cast<std::size_t>(looked - head_end) > kLeastPart &&
                      head.size() > kLeastPart;
  // A head that the line's end or a joint cuts off must say that it is one: {"alg", {"typ", {"kid".
  constexpr std::string_view kHeads[] = {
      "eyJhbGc", "eyJ0eXA", "eyJraWQ", "eyJlbmM", "eyJqa3", "eyJ4NX", "eyJjdH"};
  const bool is_head =
      std::any_of(std::begin(kHeads), std::end(kHeads), [&head](std::string_view known) {
        return head.starts_with(known);
      });
  const bool cut = is_head && (wraps_here(looked, cursor.end) || goes_on(looked, cursor));
  if (!dotted && !cut) {
    return {};
  }
  const char* token_end = run_end(looked, cursor.end, kTokenDot);
  while (token_end > cursor.at && token_end[-1] == '.' && !wraps_here(token_end, cursor.end)) {
    --token_end;  // the full stop of a sentence
  }
  return secret(static_cast<std::size_t>(token_end - cursor.at), "jwt", token_end, cursor);
}

Hit match_discord(const Cursor& cursor) {
  if (!token_may_begin(cursor)) {
    return {};
  }
  const char* const id = run_end(cursor.at, cursor.end, kToken, 40);
  const auto id_size = static_cast<std::size_t>(id - cursor.at);
  if (id_size < 23 || id_size > 28 || cursor.peek_at(id) != '.') {
    return {};
  }
  const char* const time = run_end(id + 1, cursor.end, kToken, 12);
  if (time - id - 1 != 6 || cursor.peek_at(time) != '.') {
    return {};
  }
  const char* const seal = run_end(time + 1, cursor.end, kToken);
  if (seal - time - 1 < 27 && !(seal - time - 1 >= 4 && wraps_here(seal, cursor.end))) {
    return {};
  }
  return secret(static_cast<std::size_t>(seal - cursor.at), "discord-token", seal, cursor);
}

Hit match_sendgrid(const Cursor& cursor) {
  if (!cursor.starts_with("SG.") || !token_may_begin(cursor)) {
    return {};
  }
  const char* const id = run_end(cursor.at + 3, cursor.end, kToken, 64);
  const char* const looked = run_end(cursor.at + 3, cursor.end, kTokenDot, kLook);
  const bool whole = id - cursor.at - 3 >= 16 && cursor.peek_at(id) == '.' && looked - id - 1 >= 16;
  const bool cut = id - cursor.at - 3 >= 8 && looks_random(between(cursor.at + 3, looked)) &&
                   (wraps_here(looked, cursor.end) || goes_on(looked, cursor));
  if (!whole && !cut) {
    return {};
  }
  const char* const token_end = run_end(looked, cursor.end, kToken);
  return secret(static_cast<std::size_t>(token_end - cursor.at), "sendgrid-key", token_end, cursor);
}

Hit match_azure_client_secret(const Cursor& cursor) {
  constexpr CharClass kBody = kTokenDot | kTilde;
  constexpr std::size_t kBefore = 4;
  constexpr std::size_t kLeastBehind = 31;
  const std::string_view left = cursor.left(kBefore + 16);
  if (!cursor.starts_with("Q~") || left.size() < kBefore || !is(left.back(), kDigit) ||
      !std::all_of(left.end() - kBefore, left.end(), [](char c) { return is(c, kBody); }) ||
      !token_may_follow(left.substr(0, left.size() - kBefore))) {
    return {};
  }
  const char* const looked = run_end(cursor.at + 2, cursor.end, kBody, kLook);
  const auto behind = static_cast<std::size_t>(looked - cursor.at) - 2;
  cursor.looked_at(looked - cursor.at);
  if (behind > 40) {
    return {};
  }
  const bool cut =
      behind >= kLeastPiece && (wraps_here(looked, cursor.end) || goes_on(looked, cursor));
  if (behind < kLeastBehind && !cut) {
    return {};
  }
  Hit hit = secret(behind + 2, "azure-client-secret", looked, cursor);
  hit.erase = kBefore;
  return hit;
}

Hit match_storage_key(const Cursor& cursor) {
  constexpr std::size_t kSize = 86;
  const std::string_view left = cursor.left(kSize + 16);
  if (left.size() < kSize || is(cursor.peek(2), kBase64) || !is(left.back(), kBase64)) {
    return {};
  }
  const std::string_view key = left.substr(left.size() - kSize);
  const std::string_view before = left.substr(0, left.size() - kSize);
  // Integrity hashes of packages have this length, too: `sha512-…==`.
  const bool diff = before == "+" || before.ends_with("\n+");
  const bool begins = before.empty() || diff || before.back() == '=' ||
                      (is(before.back(), kAlnum) ? token_may_follow(before)
                                                 : !is(before.back(), kBase64 | kHyphen));
  const bool fits =
      std::all_of(key.begin(), key.end(), [](char c) { return is(c, kBase64) && c != '='; });
  if (!begins || !fits || !looks_random(key) || before.find("sha512") != std::string_view::npos) {
    return {};
  }
  Hit hit;
  hit.erase = kSize;
  hit.consume = 2;
  hit.marker = kMarker;
  hit.shape = "azure-storage-key";
  return hit;
}

Hit match_telegram(const Cursor& cursor) {
  constexpr std::size_t kLeastBehind = 34;
  const std::string_view left = cursor.left(32);
  std::size_t digits = 0;
  while (digits < left.size() && is(left[left.size() - 1 - digits], kDigit)) {
    ++digits;
  }
  if (digits < 8 || digits > 10) {
    return {};
  }
  const std::string_view before = left.substr(0, left.size() - digits);
  // In an address the number stands behind "bot".
  if (!token_may_follow(before) && !before.ends_with("bot")) {
    return {};
  }
  const char* const looked = run_end(cursor.at + 1, cursor.end, kToken, 64);
  const auto behind = static_cast<std::size_t>(looked - cursor.at) - 1;
  const bool random = looks_random(between(cursor.at + 1, looked));
  const bool whole = behind >= kLeastBehind && behind <= 36;
  const bool cut = behind >= kLeastPiece && behind < kLeastBehind &&
                   (wraps_here(looked, cursor.end) || goes_on(looked, cursor));
  if (!random || (!whole && !cut)) {
    return {};
  }
  Hit hit = secret(behind + 1, "telegram-token", looked, cursor);
  hit.erase = digits;
  return hit;
}

Hit match_bearer(const Cursor& cursor) {
  constexpr std::string_view kBearer = "bearer";
  constexpr std::ptrdiff_t kMostBetween = 8;
  if (!equals_folded(cursor.rest().substr(0, kBearer.size()), kBearer) ||
      !token_may_begin(cursor)) {
    return {};
  }
  const char* const behind = cursor.at + kBearer.size();
  const char* token = behind;
  bool parted = false;
  while (token - behind < kMostBetween) {
    const bool escaped = between(token, cursor.end).starts_with("%20");
    if (!escaped && !is(cursor.peek_at(token), kBlank | kQuote) && cursor.peek_at(token) != '\\') {
      break;
    }
    parted = parted || escaped || is(*token, kBlank);
    token += escaped ? 3 : 1;
  }
  if (!parted) {
    return {};
  }
  const auto keep = static_cast<std::size_t>(token - cursor.at);
  const char* const looked = run_end(token, cursor.end, kSecretRun, kLook);
  const std::string_view shown = between(token, looked);
  cursor.looked_at(looked - cursor.at);
  const bool has_digit =
      std::any_of(shown.begin(), shown.end(), [](char c) { return is(c, kDigit); });
  if (shown.size() < 12 || (!looks_random(shown) && !(has_digit && shown.size() >= 16))) {
    return {};
  }
  const char* const token_end = run_end(looked, cursor.end, kSecretRun);
  Hit hit = secret(static_cast<std::size_t>(token_end - token), "bearer-token", token_end, cursor);
  hit.keep = keep;
  return hit;
}

}  // namespace daybook::redact
