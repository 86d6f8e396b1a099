/* Measured curve of an actuator: its output is a function of the command, from a file. */
#include "simhost_plugin.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using simhost::port;

struct TemplateName {
    simhost::TextFile curve;
    std::vector<std::pair<double, double>> points;

    static constexpr auto params = simhost::params(simhost::file(&TemplateName::curve, "curve",
        "Curve: lines with a command and a value, separated by a comma, with rising commands."));

    /* The host has read the file; an exception is shown at its element in the world file. */
    void prepare() {
        std::istringstream lines(curve.text);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream text(line);
            double x = 0.0, y = 0.0;
            char comma = 0;
            if (!(text >> x >> comma >> y) || comma != ',')
                throw std::invalid_argument(curve.path + ": expected two numbers in `" + line + "`");
            if (!points.empty() && x <= points.back().first)
                throw std::invalid_argument(curve.path + ": expected rising commands");
            points.emplace_back(x, y);
        }
        if (points.empty()) throw std::invalid_argument(curve.path + ": expected lines with two numbers");
    }

    /* the unit "1" fits a port of any unit */
    struct In {
        double command;
        static constexpr auto ports =
            simhost::ports(port(&In::command, "command", "1", "value before the actuator"));
    };
    struct Out {
        double value;
        static constexpr auto ports =
            simhost::ports(port(&Out::value, "value", "1", "value after the actuator"));
    };

    /* Linear between the points, and level beyond them. */
    void actuate(const In &in, Out &out, const simhost::Step &) const {
        const auto is_below = [](const auto &point, double x) { return point.first < x; };
        const auto after = std::lower_bound(points.begin(), points.end(), in.command, is_below);
        if (after == points.begin()) {
            out.value = points.front().second;
        } else if (after == points.end()) {
            out.value = points.back().second;
        } else {
            const auto [x0, y0] = *(after - 1);
            const auto [x1, y1] = *after;
            out.value = y0 + (y1 - y0) * (in.command - x0) / (x1 - x0);
        }
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::actuator<TemplateName>("template_name", "Measured curve of an actuator."));
