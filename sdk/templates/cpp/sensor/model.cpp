/* A row of ultrasonic rangers at the front, and the speed over ground. */
#include "simhost_plugin.hpp"

#include <algorithm>
#include <cmath>

namespace {

using simhost::number, simhost::port;

struct TemplateName {
    long rangers;
    double spread, max_range, noise;

    static constexpr auto params = simhost::params(
        simhost::integer(&TemplateName::rangers, "rangers", "Number of rangers.", 5, 2, 32),
        simhost::degrees(&TemplateName::spread, "spread", "Angle between the outermost rangers.", 90.0, 1.0, 360.0),
        number(&TemplateName::max_range, "max_range", "m", "Largest range. Objects beyond it give no echo.",
               4.0, 0.1, 100.0),
        number(&TemplateName::noise, "noise", "m", "Standard deviation of the ranges, m, and of the speed, m/s.",
               0.02, 0.0, 10.0));

    std::size_t rays() const { return std::size_t(rangers); }

    struct Nothing {
        static constexpr auto ports = simhost::ports();
    };

    struct Fan {
        double x, y, z, yaw, reach, see_bodies;
        simhost::RayOutput angle;
        static constexpr auto ports = simhost::ports(
            port(&Fan::x, "origin_x", "m", "origin of the fan ahead of the reference point"),
            port(&Fan::y, "origin_y", "m", "origin of the fan left of the reference point"),
            port(&Fan::z, "origin_z", "m", "origin of the fan above the ground"),
            port(&Fan::yaw, "origin_yaw", "rad", "heading of the fan in the vehicle frame"),
            port(&Fan::reach, "max_range", "m", "reach"),
            port(&Fan::see_bodies, "see_bodies", "1", "1 when vehicles and movable blocks are seen"),
            port(&Fan::angle, "angle", "rad", "angle from the heading of the fan"));
    };

    void aim(const Nothing &, Fan &out, const simhost::Step &) const {
        out.x = 0.5;
        out.y = 0.0;
        out.z = 0.3;
        out.yaw = 0.0;
        out.reach = max_range;
        out.see_bodies = 1.0;
        for (std::size_t ray = 0; ray < out.angle.size(); ray++)
            out.angle[ray] = spread * (double(ray) / (double(rangers) - 1.0) - 0.5);
    }

    struct Seen {
        double vx, vy;
        simhost::RayInput range;
        static constexpr auto ports = simhost::ports(port(&Seen::vx, "vx", "m/s", "forward velocity"),
            port(&Seen::vy, "vy", "m/s", "leftward velocity"),
            port(&Seen::range, "range", "m", "distance to the first contour, infinite for none"));
    };

    struct Readings {
        double ground_speed, nearest;
        simhost::RayOutput echo;
        static constexpr auto ports = simhost::ports(
            port(&Readings::ground_speed, "ground_speed", "m/s", "speed over ground"),
            port(&Readings::nearest, "nearest", "m", "nearest echo, or max_range without an echo"),
            port(&Readings::echo, "echo", "m", "distance, or max_range without an echo"));
    };

    void read(const Seen &in, Readings &out, const simhost::Step &step) const {
        simhost::Random random = step.random();
        out.nearest = max_range;
        for (std::size_t ray = 0; ray < in.range.size(); ray++) {
            /* one random number per ranger, so that a missing echo does not change the other readings */
            const double noisy = in.range[ray] + noise * random.normal();
            out.echo[ray] = std::clamp(noisy, 0.0, max_range);
            out.nearest = std::min(out.nearest, out.echo[ray]);
        }
        out.ground_speed = std::sqrt(in.vx * in.vx + in.vy * in.vy) + noise * random.normal();
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::sensor<TemplateName>("template_name", "Ultrasonic rangers at the front."));
