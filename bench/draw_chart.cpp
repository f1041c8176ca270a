// SPDX-License-Identifier: MIT
// draw_chart SCALE.json: prints an SVG chart of time against vault size, both by powers of ten, one
// line a command, with the spread of its runs. SCALE.json is what scripts/bench --full leaves. The
// colours hold on a light and on a dark page. One thread; exit code 1 if the file cannot be used.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

struct Point {
  double sessions = 0;
  double seconds = 0;
  double least = 0;
  double most = 0;
};

struct Line {
  std::string what;    // in the file
  std::string label;   // on the chart
  const char* colour;  // readable on white and on nearly black
  std::vector<Point> points;
};

// In the order of the legend: the slowest first.
const std::vector<Line> kLines{
    {"cold reindex", "cold reindex, with full text", "#d1495b", {}},
    {"check", "check", "#c77d0a", {}},
    {"reindex, one change", "reindex, one change", "#2a9d6f", {}},
    {"reindex, nothing changed", "reindex, nothing changed", "#1f8fb8", {}},
    {"render", "render", "#8a63d2", {}},
    {"search", "search", "#7f7f7f", {}},
    {"watch, change to MEMORY.md", "watch, one change*", "#d15fa8", {}}};

constexpr double kWidth = 860;
constexpr double kHeight = 496;
constexpr double kLeft = 78;
constexpr double kRight = 610;
constexpr double kTop = 52;
constexpr double kBottom = 410;
constexpr double kLegendStep = 24;

std::vector<Line> read_lines(const json& scale) {
  std::vector<Line> lines;
  for (Line line : kLines) {
    for (const json& point : scale.at("points")) {
      if (point.at("what") == line.what) {
        line.points.push_back(
            {point.at("sessions"), point.at("seconds"), point.at("least"), point.at("most")});
      }
    }
    if (!line.points.empty()) {
      lines.push_back(std::move(line));
    }
  }
  if (lines.empty()) {
    throw std::runtime_error("there is no point in it");
  }
  return lines;
}

/// From powers of ten to places on the page.
class Axes {
 public:
  explicit Axes(const std::vector<Line>& lines) {
    double fewest = 1e9;
    double most = 1;
    double quickest = 1e9;
    double slowest = 1e-9;
    for (const Line& line : lines) {
      for (const Point& point : line.points) {
        fewest = std::min(fewest, point.sessions);
        most = std::max(most, point.sessions);
        quickest = std::min(quickest, point.least);
        slowest = std::max(slowest, point.most);
      }
    }
    first_x_ = std::log10(fewest);
    last_x_ = std::max(std::log10(most), first_x_ + 1);
    first_y_ = std::floor(std::log10(std::max(quickest, 1e-4)));
    last_y_ = std::ceil(std::log10(slowest));
  }

  double x(double sessions) const {
    return kLeft + (std::log10(sessions) - first_x_) / (last_x_ - first_x_) * (kRight - kLeft);
  }
  double y(double seconds) const {
    const double share = (std::log10(std::max(seconds, 1e-4)) - first_y_) / (last_y_ - first_y_);
    return kBottom - share * (kBottom - kTop);
  }
  double most_seconds() const { return std::pow(10, last_y_); }
  int first_power() const { return static_cast<int>(first_y_); }
  int last_power() const { return static_cast<int>(last_y_); }

 private:
  double first_x_ = 0;
  double last_x_ = 1;
  double first_y_ = 0;
  double last_y_ = 1;
};

std::string of_seconds(int power) {
  static const std::map<int, std::string> kNames{{-4, "0.1 ms"},
                                                 {-3, "1 ms"},
                                                 {-2, "10 ms"},
                                                 {-1, "0.1 s"},
                                                 {0, "1 s"},
                                                 {1, "10 s"},
                                                 {2, "100 s"},
                                                 {3, "1,000 s"}};
  const auto name = kNames.find(power);
  return name != kNames.end() ? name->second : "1e" + std::to_string(power) + " s";
}

std::string with_commas(double number) {
  std::string text = std::to_string(static_cast<long long>(number));
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

/// Quotes and brackets of a machine's name must not end the text.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

void text(double x, double y, const char* style, const std::string& words) {
  std::printf(
      "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, escaped(words).c_str());
}

void draw_head() {
  std::printf(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
      "aria-label=\"Time of each command against the size of the vault\">\n",
      kWidth,
      kHeight);
  // A page of its own colour behind it: a picture does not know on which one it is shown.
  std::fputs(
      "<style>\n"
      "  .page { fill: #ffffff } .grid { stroke: #00000022 } .axis { stroke: #00000088 }\n"
      "  text { font: 13px system-ui, sans-serif; fill: #222222 }\n"
      "  .title { font-size: 16px; font-weight: 600 } .small { font-size: 11px; fill: #666666 }\n"
      "  .middle { text-anchor: middle } .end { text-anchor: end }\n"
      "  .line { fill: none; stroke-width: 2.2; stroke-linejoin: round }\n"
      "  .slope { fill: none; stroke: #88888888; stroke-dasharray: 5 5 }\n"
      "  @media (prefers-color-scheme: dark) {\n"
      "    .page { fill: #16191d } .grid { stroke: #ffffff22 } .axis { stroke: #ffffff88 }\n"
      "    text { fill: #e6e6e6 } .small { fill: #a0a0a0 }\n"
      "  }\n"
      "</style>\n",
      stdout);
  std::printf("<rect class=\"page\" width=\"%.0f\" height=\"%.0f\" rx=\"8\"/>\n", kWidth, kHeight);
}

void draw_axes(const Axes& axes, const json& scale) {
  for (int power = axes.first_power(); power <= axes.last_power(); ++power) {
    const double y = axes.y(std::pow(10, power));
    std::printf("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                kLeft,
                kRight,
                y,
                y);
    text(kLeft - 10, y + 4, "end", of_seconds(power));
  }
  for (const json& size : scale.at("sizes")) {
    const double sessions = size.at("sessions");
    const double x = axes.x(sessions);
    std::printf("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                x,
                x,
                kTop,
                kBottom);
    text(x, kBottom + 20, "middle", with_commas(sessions));
  }
  std::printf("<path class=\"axis\" fill=\"none\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n",
              kLeft,
              kTop,
              kBottom,
              kRight);
  text(kLeft - 10, kTop - 16, "end", "time");
  text((kLeft + kRight) / 2,
       kBottom + 42,
       "middle",
       "sessions in the vault (about three files each)");
}

/// What costs ten times as much for ten times the sessions runs parallel to this.
void draw_linear(const Axes& axes, const Line& beside) {
  const Point& first = beside.points.front();
  const Point& last = beside.points.back();
  // Above the line, unless that leads out of the picture.
  const double growth = last.sessions / first.sessions;
  const double from = std::min(first.seconds * 2.2, axes.most_seconds() / growth);
  std::printf("<path class=\"slope\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
              axes.x(first.sessions),
              axes.y(from),
              axes.x(last.sessions),
              axes.y(from * growth));
}

void draw_line(const Axes& axes, const Line& line) {
  std::printf("<path class=\"line\" stroke=\"%s\" d=\"", line.colour);
  const char* step = "M";
  for (const Point& point : line.points) {
    std::printf("%s%.1f %.1f", step, axes.x(point.sessions), axes.y(point.seconds));
    step = "L";
  }
  std::puts("\"/>");
  for (const Point& point : line.points) {
    const double x = axes.x(point.sessions);
    std::printf("<path stroke=\"%s\" stroke-width=\"1.4\" d=\"M%.1f %.1fV%.1f\"/>\n",
                line.colour,
                x,
                axes.y(point.least),
                axes.y(point.most));
    std::printf("<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.4\"/>\n",
                line.colour,
                x,
                axes.y(point.seconds));
  }
}

std::string seconds_text(double seconds) {
  char out[32];
  std::snprintf(out,
                sizeof out,
                seconds < 0.1 ? "%.1f ms" : "%.2f s",
                seconds < 0.1 ? seconds * 1000 : seconds);
  return out;
}

void draw_legend(const std::vector<Line>& lines) {
  double y = kTop + 8;
  for (const Line& line : lines) {
    std::printf("<path class=\"line\" stroke=\"%s\" d=\"M%.1f %.1fh22\"/>\n",
                line.colour,
                kRight + 26,
                y - 4);
    text(kRight + 56, y, "", line.label);
    text(kRight + 56,
         y + 14,
         "small",
         seconds_text(line.points.back().seconds) + " at " +
             with_commas(line.points.back().sessions));
    y += kLegendStep + 14;
  }
  std::printf("<path class=\"slope\" d=\"M%.1f %.1fh22\"/>\n", kRight + 26, y - 4);
  text(kRight + 56, y, "", "ten times for ten times");
  text(kRight + 26, kBottom + 4, "small", "* beyond the settle time");
}

void draw(const json& scale) {
  const std::vector<Line> lines = read_lines(scale);
  const Axes axes(lines);
  draw_head();
  text(kLeft, 28, "title", "Time against the size of the vault");
  draw_axes(axes, scale);
  draw_linear(axes, lines.front());
  for (const Line& line : lines) {
    draw_line(axes, line);
  }
  draw_legend(lines);
  const int runs = scale.at("runs");
  text(kLeft,
       kHeight - 26,
       "small",
       scale.at("day").get<std::string>() +
           (runs > 1 ? ", medians and spread of " + std::to_string(runs) + " runs" : ", one run"));
  text(kLeft, kHeight - 11, "small", scale.at("machine").get<std::string>());
  std::puts("</svg>");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: draw_chart SCALE.json\n", stderr);
    return 2;
  }
  try {
    std::ifstream file(arguments[1]);
    draw(json::parse(file));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "draw_chart: %s: %s\n", arguments[1], error.what());
    return 1;
  }
  return 0;
}
