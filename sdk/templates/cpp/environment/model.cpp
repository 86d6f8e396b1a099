/* A squall: a gust along the world y axis, and rain that makes the ground slippery. */
#include "simhost_math.h"
#include "simhost_plugin.hpp"

#include <algorithm>

namespace {

using simhost::number;

struct TemplateName {
    double start, speed, duration, wet_mu;

    static constexpr auto params = simhost::params(
        number(&TemplateName::start, "start", "s", "Time at which the squall arrives. A larger value delays it.", 2.0,
               0.0, 1e6),
        number(&TemplateName::speed, "speed", "m/s",
               "Largest speed of the gust. A larger value pushes vehicles further aside.", 20.0, 0.0, 100.0),
        number(&TemplateName::duration, "duration", "s",
               "Duration of the gust. A larger value pushes vehicles for longer.", 2.0, 0.0, 1e6).above_min(),
        number(&TemplateName::wet_mu, "wet_mu", "1",
               "Friction coefficient of wet ground. A smaller value makes vehicles slide more.", 0.4, 0.0, 2.0));

    struct State {
        double wet;
        static constexpr auto slots = simhost::states(simhost::state(
            &State::wet, "wet", "1", "share of the ground that is wet, which grows to 1 within two seconds"));
    };

    void update(const simhost::Step &step, State &weather) const {
        if (step.time >= start) weather.wet = std::min(weather.wet + step.dt / 2.0, 1.0);
    }

    simhost::Wind wind(const simhost::Point &, const simhost::Step &step, const State &) const {
        const double phase = (step.time - start) / duration;
        if (phase < 0.0 || phase >= 1.0) return {};
        /* the 1-cosine gust of aviation rules, CS 25.341(a)(2) */
        return {0.0, 0.5 * speed * (1.0 - simhost_cos(6.283185307179586 * phase)), 0.0};
    }

    simhost::Surface surface(const simhost::Point &, const simhost::Step &, const State &weather) const {
        simhost::Surface ground;
        if (weather.wet > 0.0) ground.mu = 0.8 + weather.wet * (wet_mu - 0.8);
        return ground;
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::environment<TemplateName>("template_name", "A squall: a gust, and rain."));
