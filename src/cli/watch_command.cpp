// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/hook_drainer.hpp"
#include "cli/pass.hpp"
#include "cli/service_health.hpp"
#include "cli/service_place.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/base/log.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/daemon/watch_service.hpp"
#include "daybook/host/answer_socket.hpp"
#include "daybook/host/detached.hpp"
#include "daybook/host/notify_socket.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/state/service_lock.hpp"
#include "daybook/watch/efsw_source.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <utility>

namespace daybook::cli {
namespace {

constexpr const char* kCommand = "daybook watch";
constexpr std::chrono::seconds kDetachedStart{120};
/// A pass stops at its next file; what cannot stop by then is as safe as a crash.
constexpr std::chrono::milliseconds kLongestStop{900};

struct Options {
  bool once = false;
  bool detach = false;
};

sigset_t service_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
    sigaddset(&signals, signal);
  }
  return signals;
}

/// The news for whoever started the service, from two threads.
class News {
 public:
  template <typename Say>
  void tell(const Say& say) {
    const std::lock_guard lock(mutex_);
    say(notifier_);
  }
  std::optional<std::chrono::milliseconds> watchdog_period() const { return period_; }

 private:
  std::mutex mutex_;
  host::Notifier notifier_ = host::Notifier::from_environment();  // guarded by mutex_
  std::optional<std::chrono::milliseconds> period_ = notifier_.watchdog_period();
};

/// Signals -> wishes, and the watchdog: alive is said only while the service moves.
class SignalThread {
 public:
  SignalThread(daemon::WatchService& service, News& news)
      : service_(service), news_(news), thread_([this] { run(); }) {}
  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;
  ~SignalThread() {
    ended_ = true;
    ::pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
  }

 private:
  void run() {
    const sigset_t signals = service_signals();
    const auto period = news_.watchdog_period().value_or(std::chrono::hours(1));
    const timespec patience{period.count() / 1000, (period.count() % 1000) * 1'000'000};
    while (!ended_) {
      switch (::sigtimedwait(&signals, nullptr, &patience)) {
        case SIGTERM:
        case SIGINT:
          stop();
          return;
        case SIGHUP:
          service_.reload();
          break;
        default:
          say_alive();
          break;
      }
    }
  }

  void stop() {
    news_.tell([](host::Notifier& notifier) { notifier.stopping(); });
    service_.stop();
    const sigset_t signals = service_signals();
    const timespec patience{0, std::chrono::nanoseconds(kLongestStop).count()};
    while (!ended_) {
      if (::sigtimedwait(&signals, nullptr, &patience) < 0 && errno == EAGAIN && !ended_) {
        base::log(base::LogLevel::warning,
                  {"watch", "ended in the middle of a pass; the next start goes on", {}, -1});
        ::_exit(kDone);
      }
    }
  }

  void say_alive() {
    const std::uint64_t pulse = service_.pulse();
    if (std::exchange(pulse_, pulse) != pulse) {
      news_.tell([](host::Notifier& notifier) { notifier.alive(); });
    }
  }

  daemon::WatchService& service_;
  News& news_;
  std::uint64_t pulse_ = 0;  // the thread's own
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

std::string summary(const daemon::Health& health) {
  std::string text = counted(health.folders, "folder") + ", " + health.backend;
  return health.degraded.empty() ? text : text + ", degraded: " + health.degraded.front();
}

Error nothing_to_watch(const Vault& vault) {
  return {ErrorKind::no_workspace,
          "there is no workspace here: the folder has no memory/",
          vault.workspace,
          "Make one with 'daybook init', or name yours with --workspace DIR."};
}

/// A vault that is known may be away for a while; one that never was there is a mistake.
bool is_worth_waiting_for(const Vault& vault) {
  std::error_code trouble;
  return std::filesystem::exists(
             std::filesystem::path(vault.workspace) / std::string(scan::kMemoryFolder), trouble) ||
         std::filesystem::exists(vault.state.file(index::kIndexFile), trouble);
}

int serve(const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::if_missing);
  if (!vault) {
    return fail(vault.error(), settings);
  }
  if (!is_worth_waiting_for(*vault)) {
    return fail(nothing_to_watch(*vault), settings);
  }
  const auto lock = state::ServiceLock::acquire(vault->state, kCommand, vault->now());
  if (!lock) {
    return fail(lock.error(), settings);
  }
  const sigset_t signals = service_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any thread: all of them inherit it
  if (settings.loudness == Loudness::normal) {
    base::set_log_level(base::LogLevel::info);
  }
  News news;
  HookDrainer hooks(vault->state, settings);
  watch::EfswSource source;
  std::unique_ptr<daemon::WatchService> service;
  const auto tell_ready = [&] {
    const std::string text = summary(service->health());
    news.tell([&text](host::Notifier& notifier) { notifier.ready("Watching: " + text); });
    base::log(base::LogLevel::info, {"watch", "watching: " + text, vault->workspace, -1});
  };
  service = std::make_unique<daemon::WatchService>(
      base::real_disk(),
      vault->state,
      *vault->clock,
      source,
      daemon::Listener{tell_ready,
                       [&news] { news.tell([](auto& notifier) { notifier.reloading(); }); },
                       tell_ready,
                       [&hooks](watch::Moment now) { hooks.look(now); }});
  const auto socket = host::AnswerSocket::open(
      socket_path(vault->state), [&service] { return health_text(service->health()); });
  if (!socket) {
    return fail(socket.error(), settings);
  }
  const SignalThread signal_thread(*service, news);
  const auto ran = service->run();
  hooks.stop();
  return ran ? kDone : fail(ran.error(), settings);
}

int run_once(const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::if_missing);
  if (!vault) {
    return fail(vault.error(), settings);
  }
  service::PassRequest request;
  request.command = "daybook watch --once";
  const auto pass = run_pass(*vault, request, settings);
  if (!pass) {
    return fail(pass.error(), settings);
  }
  if (pass->interrupted) {
    return kInterrupted;
  }
  const service::PassReport& report = pass->report;
  Json published = Json::array();
  std::string text;
  for (const service::PublishedProjection& projection : report.projections) {
    text += describe(projection, palette_for(stdout, settings.color));
    if (projection.written) {
      published.push_back(projection.path);
    }
  }
  if (settings.json) {
    print_json(Json::object({{"scanned", report.scanned},
                             {"added", report.added},
                             {"changed", report.changed},
                             {"removed", report.removed},
                             {"generation", report.generation},
                             {"published", published}}));
  } else {
    print(stdout, text);
  }
  return was_withheld(report) ? kProblemsFound : kDone;
}

/// What the same vault takes in another command, for people to copy.
std::string options_of(const Settings& settings) {
  std::string text;
  if (!settings.workspace.empty()) {
    text.append(" --workspace ").append(base::printable(settings.workspace));
  }
  if (!settings.state_dir.empty()) {
    text.append(" --state-dir ").append(base::printable(settings.state_dir));
  }
  return text;
}

int detach(const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::if_missing);
  if (!vault) {
    return fail(vault.error(), settings);
  }
  if (const auto holder = state::service_holder(vault->state)) {
    return fail({ErrorKind::busy,
                 "this workspace is watched already, by " + holder->note,
                 vault->workspace,
                 "'daybook status' asks it; 'daybook service stop' ends it."},
                settings);
  }
  const std::string log = vault->state.file(kWatchLog);
  std::vector<std::string> words{
      "watch", "--workspace", vault->workspace, "--state-dir", vault->state.path()};
  if (settings.now) {
    words.insert(words.end(), {"--now", lineage::to_string(*settings.now)});
  }
  if (settings.loudness == Loudness::verbose) {
    words.emplace_back("--verbose");
  }
  const auto pid = host::start_detached(words, log, kDetachedStart);
  if (!pid) {
    return fail(pid.error(), settings);
  }
  settings.json
      ? print_json(Json::object({{"pid", *pid}, {"workspace", vault->workspace}, {"log", log}}))
      : print(stdout,
              "Watching " + base::printable(vault->workspace) + " in the background (pid " +
                  std::to_string(*pid) + ").\nLog: " + base::printable(log) +
                  "\nStop it with 'daybook service stop" + options_of(settings) + "'.\n");
  return kDone;
}

}  // namespace

void add_watch(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("watch",
                  "Keep the index and MEMORY.md up to date while files change",
                  ".\nRuns until Ctrl-C or SIGTERM; SIGHUP reads daybook.yaml again. One a "
                  "workspace.");
  const Flag once = command.flag("--once", options->once, "One look at every file, then the end");
  command.flag("--detach", options->detach, "In the background, with a log in the state folder")
      .excludes(once);
  command.when_given([&run, options] {
    run = [options](const Settings& settings) {
      return options->once     ? run_once(settings)
             : options->detach ? detach(settings)
                               : serve(settings);
    };
  });
}

}  // namespace daybook::cli
