// SPDX-License-Identifier: MIT
#include "daybook/model/model.hpp"
#include "support/model_server.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <httplib.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

namespace daybook::model {
namespace {

using namespace std::chrono_literals;

/// A key and a certificate for 127.0.0.1 that it has signed itself, valid for a day.
struct Identity {
  Identity() {
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86'400);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name,
                               "CN",
                               MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("daybook test"),
                               -1,
                               -1,
                               0);
    X509_set_issuer_name(certificate.get(), name);
    X509_EXTENSION* names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
    X509_add_ext(certificate.get(), names, -1);
    X509_EXTENSION_free(names);
    X509_sign(certificate.get(), key.get(), EVP_sha256());
  }

  void save_certificate(const std::string& path) const {
    std::FILE* file = std::fopen(path.c_str(), "w");
    PEM_write_X509(file, certificate.get());
    std::fclose(file);
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{EVP_EC_gen("P-256"), EVP_PKEY_free};
  std::unique_ptr<X509, decltype(&X509_free)> certificate{X509_new(), X509_free};
};

class TlsServer {
 public:
  explicit TlsServer(const Identity& identity)
      : server_(identity.certificate.get(), identity.key.get()) {
    server_.Post("/v1/chat/completions", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(support::completion("Did it."), "application/json");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
  }
  ~TlsServer() {
    server_.stop();
    thread_.join();
  }
  std::string base_url() const { return "https://127.0.0.1:" + std::to_string(port_) + "/v1"; }

 private:
  httplib::SSLServer server_;
  int port_ = 0;
  std::thread thread_;
};

Result<std::string> ask(const std::string& base_url) {
  return endpoint_model({base_url, "small", "", 60s, 0})->answer({"a", "b"});
}

}  // namespace

TEST_CASE("a certificate that nobody vouches for is refused, and one of a known authority taken") {
  const Identity identity;
  const support::TempFolder folder;
  identity.save_certificate(folder.at("authority.pem"));
  const TlsServer server(identity);

  const auto refused = ask(server.base_url());
  REQUIRE_FALSE(refused.ok());
  CHECK_THAT(refused.error().message, Catch::Contains("no certificate that this machine trusts"));

  ::setenv("SSL_CERT_FILE", folder.at("authority.pem").c_str(), 1);
  const auto taken = ask(server.base_url());
  const std::string local = "https://localhost" + server.base_url().substr(17);
  const auto other_name = ask(local);
  ::unsetenv("SSL_CERT_FILE");
  REQUIRE(taken.ok());
  CHECK(*taken == "Did it.");
  CHECK_FALSE(other_name.ok());  // the certificate is for the address, not for that name
}

TEST_CASE("a server that never says hello is left at the deadline") {
  const support::ModelServer server({[](const support::ModelServer::Peer& peer) { peer.hang(); }});
  const auto answer = endpoint_model({"https" + server.origin().substr(4), "small", "", 400ms, 0})
                          ->answer({"a", "b"});
  REQUIRE_FALSE(answer.ok());
  CHECK_THAT(answer.error().message, Catch::Contains("did not answer within 400 ms"));
}

TEST_CASE("a server without TLS is no https endpoint") {
  const support::ModelServer server(
      {[](const support::ModelServer::Peer& peer) { peer.send("HTTP/1.1 400 Bad\r\n\r\n"); }});
  CHECK_FALSE(ask("https" + server.origin().substr(4)).ok());
}

}  // namespace daybook::model
