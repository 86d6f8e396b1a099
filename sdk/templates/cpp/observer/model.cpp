/* Ends the run when a vehicle has driven a distance, and writes the distance and the time to a file. */
#include "simhost_plugin.hpp"

#include <cmath>
#include <cstdio>

namespace {

struct TemplateName {
    std::string vehicle;
    double distance;

    static constexpr auto params = simhost::params(
        simhost::text(&TemplateName::vehicle, "vehicle", "Name of the vehicle.", "robot"),
        simhost::number(&TemplateName::distance, "distance", "m",
                        "Distance to drive. A larger value makes the run longer.", 10.0, 0.0, 1e6).above_min());
    static constexpr auto flags = SIMHOST_MODEL_FLAG_STOPS;

    /* The trip during one run. */
    struct Run {
        std::string file;
        std::size_t pose;
        std::optional<std::array<double, 2>> last;
        double distance;
    };

    void select(simhost::Selection &quantities) const { quantities.add(vehicle + "/pose"); }

    Run start(const simhost::Start &run) const {
        return {run.name + ".csv", run.find(vehicle + "/pose"), {}, 0.0};
    }

    std::optional<std::string> step(Run &trip, const simhost::Sample &sample) const {
        const std::array<double, 2> now = {sample[trip.pose], sample[trip.pose + 1]}, last = trip.last.value_or(now);
        const double x = now[0] - last[0], y = now[1] - last[1];
        trip.distance += std::sqrt(x * x + y * y);
        trip.last = now;
        if (trip.distance < distance) return {};
        char reason[200];
        std::snprintf(reason, sizeof reason, "%.100s has driven %g m", vehicle.c_str(), distance);
        return reason;
    }

    void end(Run &trip, simhost::End &end) const {
        char text[100];
        std::snprintf(text, sizeof text, "distance_m,time_s\n%.17g,%.17g\n", trip.distance, end.last.time);
        end.write(trip.file, text);
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::observer<TemplateName>("template_name", "Ends the run after a distance."));
