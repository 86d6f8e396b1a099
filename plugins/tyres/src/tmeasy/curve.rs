//! The curve of force over slip.
//!
//! Up to s^M it is a rational function, F = s^M dF⁰ σ/(1 + σ (σ + dF⁰ s^M/F^M − 2)) with σ = s/s^M.
//! Two parabolas follow: the first has the curvature of the rational function at its peak, the
//! second has its vertex at s^S. Beyond s^S the force is the sliding force. If the interval is too
//! short for the second parabola, a cubic replaces both. Source: as for TMeasy; the parabolas
//! follow from equal values and slopes where they meet.

/// Values of one direction at the nominal load and at twice the nominal load, with forces per load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Direction {
    /// Initial slope of the force per load.
    pub stiffness: [f64; 2],
    /// Largest force per load.
    pub peak: [f64; 2],
    /// Sliding force per load.
    pub sliding: [f64; 2],
    /// Slip at the largest force.
    pub at_peak: [f64; 2],
    /// Slip at which sliding begins.
    pub at_sliding: [f64; 2],
}

/// A curve of force over slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Initial slope, N.
    pub stiffness: f64,
    /// Largest force, N.
    pub peak: f64,
    /// Sliding force, N.
    pub sliding: f64,
    /// Slip at the largest force.
    pub at_peak: f64,
    /// Slip at which sliding begins.
    pub at_sliding: f64,
}

/// Returns a force for values per load, in units of the nominal load.
#[inline(always)]
fn parabola([one, two]: [f64; 2], load: f64) -> f64 {
    // the force at twice the load is twice `two`
    load * (2.0 * one - two - (one - two) * load)
}

#[inline(always)]
fn straight([one, two]: [f64; 2], load: f64) -> f64 {
    one + (two - one) * (load - 1.0)
}

impl Direction {
    /// Returns the curve at a load in units of the nominal load `pn`, N.
    #[inline(always)]
    pub fn at(&self, load: f64, pn: f64) -> Curve {
        let force = |values| (pn * parabola(values, load)).max(0.0);
        let at_peak = straight(self.at_peak, load).max(1e-3);
        let peak = force(self.peak);
        Curve {
            stiffness: force(self.stiffness),
            peak,
            sliding: force(self.sliding).min(peak),
            at_peak,
            at_sliding: straight(self.at_sliding, load).max(at_peak),
        }
    }

    /// Checks that the values define a curve.
    ///
    /// # Errors
    ///
    /// The values that do not, with their names in a world file.
    pub(super) fn check(&self, axis: &str) -> Result<(), String> {
        for (place, load) in ["pn", "2 pn"].into_iter().enumerate() {
            let wrong = |what: &str, low: f64, high: f64| {
                Err(format!(
                    "{what} at {load} are {low} and {high}, expected the first to be at most the second"
                ))
            };
            let (peak, sliding) = (self.peak[place], self.sliding[place]);
            if sliding > peak {
                return wrong(&format!("f{axis}s and f{axis}m"), sliding, peak);
            }
            let (at_peak, at_sliding) = (self.at_peak[place], self.at_sliding[place]);
            if at_peak > at_sliding {
                return wrong(&format!("s{axis}m and s{axis}s"), at_peak, at_sliding);
            }
            let (secant, stiffness) = (peak / at_peak, self.stiffness[place]);
            if secant > stiffness {
                return wrong(&format!("f{axis}m/s{axis}m and df{axis}0"), secant, stiffness);
            }
        }
        Ok(())
    }
}

/// Factors ŝ by which the slips of both directions are divided before they are combined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normalisation {
    /// ŝ_x.
    pub along: f64,
    /// ŝ_y.
    pub across: f64,
}

impl Normalisation {
    /// Returns the factors of two directions; 1 for curves without a peak.
    #[inline(always)]
    pub fn new(x: &Curve, y: &Curve) -> Self {
        // the slips at which the initial slopes reach the peaks
        let reach = |curve: &Curve| curve.peak / curve.stiffness.max(1e-12);
        let (reach_x, reach_y) = (reach(x), reach(y));
        let part = |one: f64, other: f64| if one + other > 0.0 { one / (one + other) } else { 0.5 };
        let along = part(x.at_peak, y.at_peak) + part(reach_x, reach_y);
        let along = along.clamp(1e-3, 2.0 - 1e-3);
        Self { along, across: 2.0 - along }
    }

    /// Returns a curve over the slip that is divided by `factor`.
    #[inline(always)]
    pub fn scaled(self, curve: Curve, factor: f64) -> Curve {
        Curve {
            stiffness: curve.stiffness * factor,
            at_peak: curve.at_peak / factor,
            at_sliding: curve.at_sliding / factor,
            ..curve
        }
    }
}

impl Curve {
    /// Returns the curve on ground with `grip` times the friction.
    #[inline(always)]
    pub fn on(self, grip: f64) -> Self {
        Self {
            peak: grip * self.peak,
            sliding: grip * self.sliding,
            at_peak: grip * self.at_peak,
            at_sliding: grip * self.at_sliding,
            ..self
        }
    }

    /// Returns the curve between this direction and the perpendicular one, for a slip along (`cos`,
    /// `sin`).
    #[inline(always)]
    pub fn combined(&self, across: &Self, cos: f64, sin: f64) -> Self {
        let mix = |x: f64, y: f64| ((x * cos) * (x * cos) + (y * sin) * (y * sin)).sqrt();
        Self {
            stiffness: mix(self.stiffness, across.stiffness),
            peak: mix(self.peak, across.peak),
            sliding: mix(self.sliding, across.sliding),
            at_peak: mix(self.at_peak, across.at_peak),
            at_sliding: mix(self.at_sliding, across.at_sliding),
        }
    }

    /// Returns the force at a slip of at least 0, N.
    #[inline(always)]
    pub fn force(&self, slip: f64) -> f64 {
        // every part is computed and one is selected, so that a loop over wheels vectorises
        let (adhering, falling) = (self.adhering(slip), self.falling(slip));
        let beyond = if slip < self.at_sliding { falling } else { self.sliding };
        let force = if slip < self.at_peak { adhering } else { beyond };
        if (self.peak <= 0.0) | (self.at_peak <= 0.0) { 0.0 } else { force }
    }

    #[inline(always)]
    fn adhering(&self, slip: f64) -> f64 {
        let sigma = slip / self.at_peak;
        let rise = self.stiffness * self.at_peak;
        rise * sigma / (1.0 + sigma * (sigma + rise / self.peak - 2.0))
    }

    #[inline(always)]
    fn falling(&self, slip: f64) -> f64 {
        let Self { peak, sliding, at_peak, at_sliding, stiffness } = *self;
        let (fall, width) = (peak - sliding, at_sliding - at_peak);
        let secant = peak / at_peak;
        let curvature = secant * secant / (stiffness * at_peak).max(1e-12);
        let meeting = at_peak + fall / (curvature * width);
        let part = (slip - at_peak) / width;
        let cubic = peak - fall * part * part * (3.0 - 2.0 * part);
        let past = slip - at_peak;
        let first = peak - curvature * past * past;
        let left = at_sliding - slip;
        let second = sliding + fall / ((at_sliding - meeting) * width) * left * left;
        let parabola = if slip < meeting { first } else { second };
        if meeting >= at_sliding { cubic } else { parabola }
    }
}
