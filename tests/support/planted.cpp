// SPDX-License-Identifier: MIT
#include "support/planted.hpp"

namespace daybook::support {
namespace {

const std::string kDigits = "0123456789";
const std::string kHex = "0123456789abcdef";
const std::string kUpperDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const std::string kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : state_(seed) {}

  std::string operator()(std::size_t size, const std::string& from = kLetters) {
    std::string text;
    while (text.size() < size) {
      state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
      text.push_back(from[(state_ >> 33U) % from.size()]);
    }
    return text;
  }

 private:
  std::uint64_t state_;
};

class List {
 public:
  explicit List(std::uint64_t seed) : draw(seed) {}

  /// A beginning that is always the same, and something random.
  void token(const std::string& name,
             const std::string& prefix,
             std::size_t size,
             const std::string& from = kLetters) {
    const std::string random = draw(size, from);
    items.push_back({name, "", prefix + random, random, "", Splits::anywhere});
  }

  /// Behind a key.
  void value(const std::string& name,
             const std::string& before,
             std::size_t size,
             const std::string& after = "",
             Splits splits = Splits::anywhere) {
    const std::string random = draw(size);
    items.push_back({name, before, random, random, after, splits});
  }

  void whole(const std::string& name, const std::string& text) {
    items.push_back({name, "", text, text, "", Splits::never});
  }

  Drawn draw;
  std::vector<Planted> items;
};

void add_tokens(List& list) {
  list.token("openai", "sk-", 48);
  list.token("openai project", "sk-proj-", 74);
  list.token("openai service account", "sk-svcacct-", 74);
  list.token("anthropic", "sk-ant-" + std::string("api03-"), 93);
  list.token("openrouter", "sk-or-v1-", 64, kHex);
  list.token("github personal", "ghp_", 36);
  list.token("github oauth", "gho_", 36);
  list.token("github user", "ghu_", 36);
  list.token("github server", "ghs_", 36);
  list.token("github refresh", "ghr_", 36);
  list.token("github fine-grained", "github_pat_", 82);
  list.token("gitlab personal", "glpat-", 20);
  list.token("gitlab deploy", "gldt-", 20);
  list.token("gitlab runner", "glrt-", 20);
  list.token("slack bot", "xoxb-", 40);
  list.token("slack user", "xoxp-", 50);
  list.token("slack app", "xapp-" + std::string("1-"), 50);
  list.token("slack session", "xoxs-", 40);
  list.token("google key", "AIza", 35);
  list.token("google oauth", "ya29.", 60);
  list.token("google client secret", "GOCSPX-", 28);
  list.token("stripe live", "sk_live_", 24);
  list.token("stripe test", "sk_test_", 24);
  list.token("stripe restricted", "rk_live_", 24);
  list.token("stripe webhook", "whsec_", 32);
  list.token("npm", "npm_", 36);
  list.token("pypi", "pypi-", 120);
  list.token("hugging face", "hf_", 34);
  list.token("digitalocean", "dop_v1_", 64, kHex);
  list.token("docker", "dckr_pat_", 27);
  list.token("vault", "hvs.", 60);
  list.token("age", "AGE-SECRET-KEY-1", 58, kUpperDigits);
  list.token("twilio key", "SK", 32, kHex);
  list.token("groq", "gsk_", 52);
  list.token("databricks", "dapi", 32, kHex);
  list.token("shopify", "shpat_", 32, kHex);
  list.token("linear", "lin_api_", 40);
  list.token("slack webhook", "https://hooks.slack.com/services/T", 40);
  list.token("discord webhook", "https://discord.com/api/webhooks/", 60);
  list.token("aws id", "AKIA", 16, kUpperDigits);
  list.token("aws temporary id", "ASIA", 16, kUpperDigits);
}

void add_composed(List& list) {
  const std::string head = list.draw(30);
  const std::string body = list.draw(60);
  list.items.push_back({"jwt",
                        "",
                        "eyJ" + std::string("hbGciOi") + head + "." + body + "." + list.draw(43),
                        head + body,
                        ""});
  const std::string id = list.draw(22);
  const std::string seal = list.draw(43);
  list.items.push_back({"sendgrid", "", "SG." + id + "." + seal, id + seal, ""});
  const std::string bot = list.draw(33);
  list.items.push_back({"telegram", "", list.draw(9, "123456789") + ":AA" + bot, bot, ""});
  const std::string discord = list.draw(22);
  list.items.push_back({"discord bot",
                        "",
                        "MT" + discord + "." + list.draw(6) + "." + list.draw(38),
                        discord,
                        "",
                        Splits::never});
  const std::string azure = list.draw(34);
  list.items.push_back({"azure client secret", "", list.draw(3) + "8Q~" + azure, azure, ""});
  const std::string storage = list.draw(86);
  list.items.push_back({"azure storage key",
                        "AccountKey=",
                        storage + "==",
                        storage,
                        ";EndpointSuffix=core.windows.net"});
  const std::string bare = list.draw(86);
  list.items.push_back({"azure bare storage key", "", bare + "==", bare, "", Splits::never});
  const std::string aws = list.draw(40);
  list.items.push_back({"aws secret beside its id",
                        "AKIA" + list.draw(16, kUpperDigits) + " ",
                        aws,
                        aws,
                        "",
                        Splits::never});
  const std::string twilio = list.draw(32, kHex);
  list.items.push_back({"twilio token beside its id",
                        "AC" + list.draw(32, kHex) + " ",
                        twilio,
                        twilio,
                        "",
                        Splits::never});
}

void add_hashes(List& list) {
  const auto hash = [&list](const std::string& name, const std::string& before, std::size_t size) {
    const std::string random = list.draw(size);
    list.items.push_back({name, "root:", before + random, random, ":19000:0:", Splits::never});
  };
  hash("sha512 hash", "$6$" + list.draw(16) + "$", 86);
  hash("sha512 hash with rounds", "$6$rounds=5000$" + list.draw(8) + "$", 86);
  hash("sha256 hash", "$5$" + list.draw(16) + "$", 43);
  hash("yescrypt hash", "$y$j9T$" + list.draw(22) + "$", 43);
  hash("bcrypt hash", "$2b$12$", 53);
  hash("apache hash", "$apr1$" + list.draw(8) + "$", 22);
  hash("argon2 hash", "$argon2id$v=19$m=65536,t=3,p=4$" + list.draw(22) + "$", 43);
}

void add_values(List& list) {
  list.value("bearer", "Bearer ", 40);
  list.value("authorization", "Authorization: Basic ", 32);
  list.value("cookie", "Cookie: session=", 32);
  list.value("password", "password: ", 14);
  list.value("environment", "export DB_PASSWORD=", 16);
  list.value("api key", "api_key = ", 32);
  list.value("camel case", "clientSecret: ", 32);
  list.value("header", "X-Api-Key: ", 32);
  list.value("option", "deploy --token ", 32);
  list.value("database address", "postgres://app:", 16, "@db.example.com:5432/app", Splits::never);
  list.value("any address with a password", "https://bob:", 16, "@example.com/x", Splits::never);
  list.value("redis address", "redis://:", 20, "@cache:6379/0", Splits::never);
  list.value("query", "https://example.com/cb?access_token=", 32, "&x=1", Splits::never);
  list.value(
      "signature", "https://acc.blob.core.windows.net/c?sv=2024-01-01&sig=", 44, "", Splits::never);
  list.value("element", "<password>", 16, "</password>", Splits::never);
  list.value("curl", "curl -u bob:", 16);
  list.value("postgres variable", "PGPASSWORD=", 12);
  list.value("mysql variable", "MYSQL_PWD=", 12);
  list.value("jwt secret", "JWTSECRET=", 24);
  list.value("rails", "SECRET_KEY_BASE=", 64);
  list.value("short for password", "ADMIN_PW=", 12);
  list.value("redis variable", "REDISCLI_AUTH=", 12);
  list.value("npm variable", "NPM_AUTH=", 24);
  list.value("wifi", "psk=", 16);
  list.value("curl with the long option", "curl --user bob:", 16);
  list.value("curl with an equals sign", "curl --user=bob:", 16);
  list.value("npm variable in an object", "\"NPM_AUTH\": \"", 12, "\",", Splits::never);
  list.value("docker login", "docker login -u bob -p ", 32);
  list.value("sshpass", "sshpass -p ", 14, " ssh -p 2222 bob@host", Splits::never);
  list.value("mysql", "mysql -u root -p", 14, " shop", Splits::never);
  list.value("mysqldump", "/usr/bin/mysqldump -p", 14, " shop", Splits::never);
  list.value("netrc", "machine example.com login bob password ", 16);
  list.value("dockerfile", "ENV DB_PASSWORD ", 16);
  const std::string project = list.draw(16, "0123") + list.draw(16, "abcdef");
  list.items.push_back(
      {"sentry", "https://", project, project, "@o12345.ingest.sentry.io/67890", Splits::never});
  list.value("user's pass", "const userPass = \"", 16, "\";", Splits::never);
  list.value("pass in snake case", "db_pass = ", 32);
  list.value("assignment in code", "password = ", 16, ";", Splits::never);
  list.items.push_back({"letters in code",
                        "password = ",
                        "QwErTyUiOpAsDfGh",
                        "QwErTyUiOpAsDfGh",
                        ";",
                        Splits::never});
  list.value("connection string", "Server=db;Password=", 16, ";", Splits::never);
  list.value("working folder that is none", "PWD=", 16);
  list.value("path behind another key", "DB_PWD=/", 16, "", Splits::never);
  list.value("npmrc", "//registry.example.com/:_authToken=", 36);
}

void add_personal(List& list) {
  list.whole("card", "4111111111111111");
  list.whole("card with blanks", "5500 0000 0000 0004");
  list.whole("card with hyphens", "3782-822463-10005");
  list.whole("ssn", "123-45-6789");
  const auto before =
      [&list](const std::string& name, const std::string& number, const std::string& after) {
        list.items.push_back({name, "", number, number, after, Splits::never});
      };
  before("card before its date", "4111111111111111", " 12/29 123");
  before("card with blanks before its code", "4111 1111 1111 1111", " 123");
  before("card before many numbers", "4111111111111111", " 1 2 3 4 5 6 7 8 9 10 11 12 13 14");
  before("card in a table", "4111111111111111", ",123,12/29");
  before("card before a slash", "4111111111111111", "/1229");
  before("card before a colon", "4111111111111111", ":123");
  before("ssn before a date", "123-45-6789", " 1990-01-01");
  before("ssn in a table", "123-45-6789", ",John");
  before("phone before a number", "415-555-2671", " 2");
  before("e164 phone before a number", "+14155552671", " 3");
  list.items.push_back(
      {"e-mail", "", "jane.doe+x@mail.example.com", "jane.doe+x@mail", "", Splits::never});
  list.whole("phone", "(555) 123-4567");
  list.whole("phone with hyphens", "555-123-4567");
  list.whole("phone with dots", "415.555.2671");
  list.whole("phone with one", "1-800-555-0199");
  list.whole("international phone", "+33 6 12 34 56 78");
  list.whole("e164 phone", "+14155552671");
  list.whole("british phone", "+44 20 7946 0958");
}

/// Drawn last, so that what the others draw stays the same.
void add_encoded(List& list) {
  for (const std::string kind : {"BQUklWQVRFIEtFWS0tLS0t",
                                 "BSU0EgUFJJVkFURSBLRVktLS0tLQ",
                                 "BFQyBQUklWQVRFIEtFWS0tLS0t",
                                 "BPUEVOU1NIIFBSSVZBVEUgS0VZLS0tLS0"}) {
    list.token("encoded private key " + kind, "LS0tLS1CRUdJTi" + kind, 120);
  }
}

}  // namespace

std::vector<Planted> planted(std::uint64_t seed) {
  List list(seed);
  add_tokens(list);
  add_composed(list);
  add_hashes(list);
  add_values(list);
  add_personal(list);
  add_encoded(list);
  return list.items;
}

std::string left_over(const std::string& text, const std::string& random) {
  constexpr std::size_t kTelling = 8;
  for (std::size_t at = 0; at + kTelling <= random.size(); ++at) {
    if (text.find(random.substr(at, kTelling)) != std::string::npos) {
      return random.substr(at, kTelling);
    }
  }
  return {};
}

}  // namespace daybook::support
