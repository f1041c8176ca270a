// SPDX-License-Identifier: MIT
//
// Values behind keys: where they end, what refers to a secret without being one, what is code.
#include "daybook/redact/sanitizer.hpp"
#include "redact/sensitive_keys.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace daybook::test {
namespace {

std::string sanitized(const std::string& text) { return redact::sanitize(text, redact::Policy{}); }

/// A line, in which SECRET goes and everything else stays.
void only_goes(const std::string& line, const std::string& secret) {
  std::string raw = line;
  std::string clean = line;
  raw.replace(raw.find("SECRET"), 6, secret);
  clean.replace(clean.find("SECRET"), 6, "<redacted>");
  INFO(raw);
  CHECK(sanitized(raw) == clean + "\n");
  CHECK(sanitized(clean) == clean + "\n");
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

}  // namespace

TEST_CASE("KEY=value at the beginning of a line goes up to a blank, whatever is in it") {
  for (const std::string secret : {"p@ss,w0rdTail",
                                   "p@ss;w0rdTail",
                                   "p@ss)w0rdTail",
                                   "p@ss}w0rdTail",
                                   "p@ss>w0rdTail",
                                   "p@ss'w0rdTail",
                                   "p@ss\"w0rdTail",
                                   "p@ss]w0rdTail",
                                   "p,ssw0rd",
                                   ";a)bcdefgh"}) {
    only_goes("DB_PASSWORD=SECRET next", secret);
    only_goes("export DB_PASSWORD=SECRET", secret);
    only_goes("+DB_PASSWORD=SECRET", secret);
    only_goes("     2→DB_PASSWORD=SECRET", secret);
    only_goes("password=SECRET", secret);
  }
  only_goes("{\"text\": \"a\\nDB_PASSWORD=SECRET\\nB=1\", \"n\": 1}", "p@ss,w0rdTail");
  only_goes("- \"DB_PASSWORD=SECRET\"", "p@ss,w0rdTail");
  only_goes("login(user, password=SECRET, 3)", "hunter2");
}

TEST_CASE("A header goes to the end of its line or string, however long it is") {
  for (const std::string& secret : {std::string("a=\"b\"; session=X1"),
                                    std::string("a=b; c='d'; e=`f`; session=X1"),
                                    repeated("a1=b2; ", 3000) + "c=d"}) {
    only_goes("Cookie: SECRET", secret);
    only_goes("> Cookie: SECRET", secret);
    only_goes("10:00 INFO sent Set-Cookie: SECRET", secret);
  }
  only_goes("curl -H 'Cookie: SECRET' https://example.com", "a=\"b\"; session=X1");
  only_goes("curl -H \"Cookie: SECRET\" https://example.com", "a='b'; session=X1");
  only_goes("{\"h\": \"Cookie: SECRET\", \"n\": 1}", "a=\\\"b\\\"; session=X1");
  only_goes("{\"h\": \"x\\nCookie: SECRET\\ny\", \"n\": 1}", "a=\\\"b\\\"; session=X1");
  only_goes("{\"cookie\": \"SECRET\", \"n\": 1}", repeated("a1=b2; ", 3000));
  only_goes("{\"token\": \"SECRET\", \"n\": 1}", repeated("aB3dE6gH9 ", 600) + "x");
  only_goes("Authorization: SECRET", "MAC id=\"h480djs93hd8\", nonce=\"264095:dj83hs9s\"");
  only_goes("Authorization: SECRET", "OAuth realm=\"Photos\", oauth_token=\"kkk9d7dh3k39sjv7\"");
}

TEST_CASE("Addresses are understood with the escapes of strings, and with odd passwords") {
  only_goes("https://a.example/x?a=1\\u0026token=SECRET\\u0026b=2", "S3cretValue");
  only_goes("https://a.example/x?a=1\\u0026sig=SECRET", "S3cretValue");
  only_goes("https://a.example/x\\u003FX-Amz-Signature=SECRET", "0f1e2d3c4b5a");
  only_goes("\"postgres:\\/\\/app:SECRET@db\\/x\"", "pw12");
  only_goes("\"https:\\/\\/SECRET\"",
            "hooks.slack.com\\/services\\/T0AB1CD2E\\/B0AB1CD2E\\/aB3dE6gH9jK2");
  CHECK(sanitized("AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI\\/K7MDENG\\/bPxRfiCYEXAMPLEKEY") ==
        "<redacted> <redacted>\n");
  for (const char odd : std::string("#?[({,|'")) {
    only_goes("postgres://app:SECRET@db/x", std::string("p") + odd + "w0rdX");
  }
}

TEST_CASE("An id that another rule takes still tells of the secret beside it") {
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [id, secret] :
       {Pair{"AC0f1e2d3c4b5a69788796a5b4c3d2e1f0", "882622123283258a31e4085e5a30fa61"},
        Pair{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}}) {
    REQUIRE(sanitized("by " + id + " and " + secret).find(secret) == std::string::npos);
    for (const std::string& before : {"password=" + id,
                                      // Taken for the rest of the token that broke off.
                                      "a ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6\n> " + id}) {
      for (const char* const between : {" ", " and ", "\n"}) {
        INFO(before << between);
        CHECK(sanitized(before + between + secret).find(secret) == std::string::npos);
      }
    }
  }
}

TEST_CASE("A key may stand far before its separator, as in a table") {
  only_goes("password" + std::string(40, ' ') + "= SECRET", "hunter2X");
  only_goes("\"password\"" + std::string(12, '\t') + ": \"SECRET\"", "hunter2X");
}

TEST_CASE("In quotes a password may begin as a reference does") {
  for (const std::string secret : {"[abc12",
                                   "{abc12",
                                   "|abc12",
                                   "&abc12",
                                   "<abc12",
                                   "$ecret12",
                                   "%sabc12",
                                   "${abc12",
                                   "{{ab12"}) {
    only_goes("password: \"SECRET\"", secret);
    only_goes("password = 'SECRET';", secret);
  }
  only_goes("password=\"\"\"SECRET\"\"\"", "hunter2X");
  only_goes("password = '''SECRET'''", "hunter2X");
  only_goes("{\"t\": \"password=\\\"\\\"\\\"SECRET\\\"\\\"\\\"\"}", "hunter2X");
}

TEST_CASE("Keys that are written as one word are keys") {
  for (const std::string key : {"userpassword",
                                "mypassword",
                                "MYSQLPASSWORD",
                                "dbpasswd",
                                "dbpass",
                                "apitoken",
                                "idtoken",
                                "oauthtoken",
                                "bearertoken",
                                "sessiontoken",
                                "appsecret",
                                "apisecret",
                                "consumersecret",
                                "subscriptionkey",
                                "secretaccesskey",
                                "authkey",
                                "privkey",
                                "passwords"}) {
    only_goes(key + "=SECRET", "a1b2c3d4e5");
    only_goes("\"" + key + "\": \"SECRET\",", "a1b2c3d4e5");
  }
  only_goes("pass: 'SECRET'", "hunter2X");
  only_goes("{\"user\": \"bob\", \"pass\": \"SECRET\"}", "hunter2X");
  only_goes("pw = \"SECRET\"", "hunter2X");
}

TEST_CASE("A token behind Bearer goes, however the two are parted") {
  const std::string token = "a8FkQ2zX9vB3nM5pL7tR1w";
  for (const std::string between : {"  ", "\t", " \"", " \\\"", "%20"}) {
    only_goes("with Bearer" + between + "SECRET", token);
    only_goes("with BEARER" + between + "SECRET", token);
  }
}

TEST_CASE("Secrets that code and SQL hand over without a separator go") {
  only_goes("ALTER USER bob WITH PASSWORD 'SECRET';", "xyz");
  only_goes("alter user bob with password 'SECRET';", "hunter2");
  only_goes("CREATE USER bob IDENTIFIED BY 'SECRET';", "xyz");
  only_goes("identified with mysql_native_password by 'SECRET'", "xyz");
  only_goes("#define DB_PASSWORD \"SECRET\"", "xyz");
  only_goes("#define API_KEY \"SECRET\"", "a1b2c3d4e5");
  only_goes("user.setPassword(\"SECRET\");", "xyz");
  only_goes("client.with_token('SECRET')", "a1b2c3d4e5");
  only_goes("form.append('password', 'SECRET')", "hunter2");
  only_goes("curl -ubob:SECRET https://example.com", "hunter2");
  only_goes("curl -u admin:SECRET https://example.com", "admin");
  only_goes("STRIPE_KEY=SECRET", "0123456789abcdef0123456789abcdef");
  only_goes("GITHUB_PAT=SECRET", "0123456789abcdef0123456789abcdef01234567");
}

TEST_CASE("An address goes without the text beside it, and with the password behind it") {
  CHECK(sanitized("alice@example.com:hunter2") == "<redacted:email>\n");
  CHECK(sanitized("邮箱alice@example.com是") == "邮箱<redacted:email>是\n");
  CHECK(sanitized("m\xC3\xBCller@example.de") == "<redacted:email>\n");
  CHECK(sanitized("用户@例子.广告") == "<redacted:email>\n");
  CHECK(sanitized("bob@163.com") == "<redacted:email>\n");
  CHECK(sanitized("\"\\u003calice@example.com\\u003e\"") == "\"\\u003c<redacted:email>\\u003e\"\n");
}

TEST_CASE("A name at the end of a line does not make the next one the rest of a token") {
  const std::string text = "return secret_key\n550e8400-e29b-41d4-a716-446655440000\n";
  CHECK(sanitized(text) == text);
}

TEST_CASE("What looks like code or a path only at first sight goes") {
  only_goes("password: SECRET,", "hunter2");
  only_goes("self.password = SECRET", "hunter2");
  only_goes("if password == SECRET", "hunter2");
  only_goes("password: SECRET", "Hunter<1>");
  only_goes("spring.datasource.password = SECRET", "correcthorse");
  only_goes("secret=SECRET", "/aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF");
  only_goes("api_key: \"SECRET\"", "/aB3dE6gH9jK2/mN5pQ8sT1vW4/yZ7bC0eF");
  only_goes("DB_PASSWORD=SECRET", "/run/hunter2");
}

TEST_CASE("What stands on another line keeps no secret") {
  // `hu<p … >` on one line is a type with an argument.
  CHECK(sanitized("passwd: hu<p\n\">\"\n") == "passwd: <redacted>\n\">\"\n");
  CHECK(sanitized("passwd: hu<p\n") == "passwd: <redacted>\n");
}

TEST_CASE("A key is read without what stands before the text") {
  const std::string text = "xpass12";
  const redact::Key key = redact::key_before(text.data() + 1, text.data() + text.size());
  CHECK(key.kind == redact::KeyKind::password);
  CHECK(!key.hump);
}

}  // namespace daybook::test
