use simhost_sdk::prelude::*;

/// A squall: a gust along the world y axis, and rain that makes the ground slippery.
#[derive(Params)]
pub struct TemplateName {
    /// Time at which the squall arrives. A larger value delays it.
    #[param(default = 2.0, range = 0.0..=1e6, unit = "s")]
    start: f64,
    /// Largest speed of the gust. A larger value pushes vehicles further aside.
    #[param(default = 20.0, range = 0.0..=100.0, unit = "m/s")]
    speed: f64,
    /// Duration of the gust. A larger value pushes vehicles for longer.
    #[param(default = 2.0, above = 0.0, unit = "s")]
    duration: f64,
    /// Friction coefficient of wet ground. A smaller value makes vehicles slide more.
    #[param(default = 0.4, range = 0.0..=2.0, unit = "1")]
    wet_mu: f64,
}

/// The weather in the whole world.
#[derive(Debug, State)]
pub struct Weather {
    /// Share of the ground that is wet, which grows to 1 within two seconds.
    #[state(unit = "1", initial = 0.0)]
    pub wet: f64,
}

#[model]
impl Environment for TemplateName {
    fn update(&self, step: &Step, state: &mut Weather) {
        if step.time >= self.start {
            state.wet = (state.wet + step.dt / 2.0).min(1.0);
        }
    }

    fn wind(&self, _: [f64; 3], step: &Step, _: &Weather) -> [f64; 3] {
        let phase = (step.time - self.start) / self.duration;
        if !(0.0..1.0).contains(&phase) {
            return [0.0; 3];
        }
        // the 1-cosine gust of aviation rules, CS 25.341(a)(2)
        let (_, cos) = math::sin_cos(std::f64::consts::TAU * phase);
        [0.0, 0.5 * self.speed * (1.0 - cos), 0.0]
    }

    fn surface(&self, _: [f64; 3], _: &Step, state: &Weather) -> Surface {
        let mu = (state.wet > 0.0).then(|| 0.8 + state.wet * (self.wet_mu - 0.8));
        Surface { mu, ..Surface::default() }
    }
}

export_plugin! { vendor: "template_vendor", environment: { "template_name" => TemplateName } }
