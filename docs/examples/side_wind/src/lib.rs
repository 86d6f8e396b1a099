use simhost_sdk::prelude::*;

/// Wind across a bridge: the valley lets it through, and the gusts in it come and go.
#[derive(Params)]
pub struct Valley {
    /// Begin of the bridge along the world x axis.
    #[param(default = 50.0, unit = "m", range = -1e6..=1e6)]
    begin: f64,
    /// Length of the bridge. A larger value exposes vehicles for longer.
    #[param(default = 80.0, above = 0.0, unit = "m")]
    length: f64,
    /// Speed of the wind in the middle of the valley. A larger value pushes vehicles further aside.
    #[param(default = 15.0, range = 0.0..=100.0, unit = "m/s")]
    speed: f64,
    /// Standard deviation of the gusts. A larger value makes the wind rougher.
    #[param(default = 2.0, range = 0.0..=50.0, unit = "m/s")]
    gusts: f64,
    /// Time within which a gust fades to 37 %. A larger value makes gusts longer.
    #[param(default = 0.5, above = 0.0, unit = "s")]
    fading: f64,
}

/// The gust of the moment.
#[derive(State)]
pub struct Gust {
    /// Speed of the air beyond that of the wind.
    #[state(unit = "m/s", initial = 0.0, discrete)]
    speed: f64,
}

#[model]
impl Environment for Valley {
    const RANDOM: bool = true;

    fn update(&self, step: &Step, gust: &mut Gust) {
        // an Ornstein-Uhlenbeck process, exact for a step of any length
        let kept = math::exp(-step.dt / self.fading);
        let noise = step.random().normal();
        gust.speed = kept * gust.speed + self.gusts * (1.0 - kept * kept).sqrt() * noise;
    }

    fn wind(&self, [x, _, _]: [f64; 3], _: &Step, gust: &Gust) -> [f64; 3] {
        let along = (x - self.begin) / self.length;
        if !(0.0..1.0).contains(&along) {
            return [0.0; 3];
        }
        // calm at both ends, and full in the middle
        let (_, cos) = math::sin_cos(std::f64::consts::TAU * along);
        [0.0, 0.5 * (1.0 - cos) * (self.speed + gust.speed), 0.0]
    }
}

export_plugin! { vendor: "example", environment: { "valley" => Valley } }
