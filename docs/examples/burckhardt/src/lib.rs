use simhost_sdk::prelude::*;

/// Burckhardt's friction curve mu(s) = c1 (1 - exp(-c2 s)) - c3 s (Fahrwerktechnik, 1993).
#[derive(Params)]
pub struct Burckhardt {
    /// Height of the curve. A larger value gives the tyre more grip.
    #[param(default = 1.2801, range = 0.0..=2.0)]
    c1: f64,
    /// Steepness at small slip. A larger value moves the peak to smaller slip.
    #[param(default = 23.99, above = 0.0)]
    c2: f64,
    /// Decrease beyond the peak. A larger value gives a sliding tyre less grip.
    #[param(default = 0.52, range = 0.0..=2.0)]
    c3: f64,
}

#[model]
impl Friction for Burckhardt {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        let slip = wheel.slip();
        let mu = self.c1 * (1.0 - math::exp(-self.c2 * slip)) - self.c3 * slip;
        wheel.oppose_sliding(mu, step)
    }
}

export_plugin! { vendor: "example", friction: { "burckhardt_slip" => Burckhardt } }
