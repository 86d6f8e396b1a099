//! A gearbox: ratios, losses, and manual or automatic gear changes.
//!
//! T_out = η^±1 i T_in and ω_in = i ω_out; the losses reduce the power of whichever side drives.
//! Source: L. Guzzella and A. Sciarretta, "Vehicle Propulsion Systems", 3rd ed. 2013, sec. 3.3. An
//! automatic gearbox shifts up above one engine speed and down below a lower one. During a gear
//! change no torque is transmitted. Spinning or locked wheels do not cause repeated shifts: it shifts up only if
//! the wheels, rolling without slip, are fast enough for the next gear, and down only if they are too slow for
//! the present one, and keeps each gear for a while.

use simhost_sdk::prelude::*;

use super::RPM;

/// A gearbox.
#[derive(Params)]
pub struct Gearbox {
    /// Ratios of the forward gears from first gear on, engine to gearbox output. A larger ratio
    /// gives more pull and a lower top speed in that gear.
    #[param(default = [3.6, 2.1, 1.4, 1.05, 0.82])]
    ratios: Vec<f64>,
    /// Ratio of the reverse gear, as a positive number.
    #[param(default = 3.4, above = 0.0)]
    reverse: f64,
    /// Efficiency: output power over input power.
    #[param(default = 0.96, above = 0.0, range = ..=1.0)]
    pub(crate) efficiency: f64,
    /// Whether the gearbox shifts automatically while a forward gear is requested.
    #[param(default = true)]
    automatic: bool,
    /// Engine speed above which an automatic gearbox shifts up.
    #[param(default = 5500.0, above = 0.0, unit = "rpm", scale = RPM, scaling = Scaling::INVARIANT)]
    upshift_speed: f64,
    /// Engine speed below which an automatic gearbox shifts down.
    #[param(default = 2000.0, range = 0.0.., unit = "rpm", scale = RPM,
            scaling = Scaling::INVARIANT)]
    downshift_speed: f64,
    /// Duration of a gear change, during which no torque is transmitted.
    #[param(default = 0.3, range = 0.0.., unit = "s")]
    shift_time: f64,
    /// Time for which an automatic gearbox keeps a gear at least. A larger value makes it shift less often.
    #[param(default = 0.5, range = 0.0.., unit = "s")]
    hold_time: f64,
}

/// Smallest ratio of the engine speed after an upshift to the downshift speed.
const MARGIN: f64 = 1.1;

/// State of a gearbox: the gear, which is engaged once the gear change ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// −1 reverse, 0 neutral, n forward.
    pub gear: i32,
    /// Remaining time of the gear change, s; down to −`hold_time` after it.
    pub rest: f64,
}

impl Gearbox {
    /// Checks the ratios.
    ///
    /// # Errors
    ///
    /// A message for the user when the ratios do not fall, or when the gearbox would shift back
    /// immediately.
    pub fn prepare(&mut self) -> Result<(), String> {
        if self.ratios.is_empty() || self.ratios.iter().any(|ratio| *ratio <= 0.0) {
            return Err("<ratios> expects at least one ratio above 0, like 3.6 2.1 1.4".into());
        }
        for (index, pair) in self.ratios.windows(2).enumerate() {
            let (gear, [from, to]) = (index + 1, [pair[0], pair[1]]);
            if to >= from {
                let next = gear + 1;
                let text = format!(
                    "<ratios>: gear {next} has {to}, expected less than {from} of gear {gear}"
                );
                return Err(text);
            }
            let after = self.upshift_speed * to / from / RPM;
            if self.automatic && after <= MARGIN * self.downshift_speed / RPM {
                let text = format!(
                    "the gearbox would hunt: after a shift up from gear {gear} the engine turns at \
                     {after:.0} rpm; expected a <downshift_speed> below {:.0} rpm, not {:.0} rpm",
                    after / MARGIN,
                    self.downshift_speed / RPM
                );
                return Err(text);
            }
        }
        Ok(())
    }

    /// Returns the ratio of the input speed to the output speed, negative in reverse and 0 in
    /// neutral.
    #[inline(always)]
    pub fn ratio(&self, gear: i32) -> f64 {
        match gear {
            ..0 => -self.reverse,
            0 => 0.0,
            _ => self.ratios.get(gear as usize - 1).copied().unwrap_or(0.0),
        }
    }

    /// Returns the gear after a step of `dt` s. `wanted` is the requested gear, `output` the speed
    /// of the output, rad/s, and `rolling` the output speed if all wheels rolled without slip at the speed of
    /// the slowest one.
    #[inline(always)]
    pub fn follow(
        &self,
        mut shift: Shift,
        wanted: f64,
        [output, rolling]: [f64; 2],
        dt: f64,
    ) -> Shift {
        shift.rest = (shift.rest - dt).max(-self.hold_time);
        let wanted = (wanted.round() as i32).clamp(-1, self.ratios.len() as i32);
        let target = if wanted >= 1 && self.automatic {
            self.by_speed(shift, output, rolling)
        } else {
            wanted
        };
        if target != shift.gear {
            // from neutral there is no gear to disengage
            let rest = if shift.gear == 0 || target == 0 { 0.0 } else { self.shift_time };
            return Shift { gear: target, rest };
        }
        shift
    }

    #[inline(always)]
    fn by_speed(&self, shift: Shift, output: f64, rolling: f64) -> i32 {
        let last = self.ratios.len() as i32;
        if shift.gear < 1 {
            // the lowest gear that the engine can drive at this speed
            let fits = |gear: &i32| self.ratio(*gear) * rolling <= self.upshift_speed;
            return (1..last).find(fits).unwrap_or(last);
        }
        let ratio = self.ratio(shift.gear);
        let speed = ratio * output;
        let ready = self.ratio(shift.gear + 1) * rolling > MARGIN * self.downshift_speed;
        if shift.rest > -self.hold_time {
            shift.gear
        } else if speed > self.upshift_speed && shift.gear < last && ready {
            shift.gear + 1
        } else if speed.max(ratio * rolling) < self.downshift_speed && shift.gear > 1 {
            shift.gear - 1
        } else {
            shift.gear
        }
    }

    /// Returns the torque at the output, N·m, for `torque` at the input whose shaft turns at
    /// `input` rad/s.
    #[inline(always)]
    pub fn torque(&self, shift: Shift, torque: f64, input: f64) -> f64 {
        if shift.rest > 0.0 {
            return 0.0;
        }
        self.ratio(shift.gear) * lossy(torque, input, self.efficiency)
    }
}

/// Returns the torque after a lossy gear. The side that drives loses power, in either direction.
#[inline(always)]
pub(crate) fn lossy(torque: f64, speed: f64, efficiency: f64) -> f64 {
    if torque * speed >= 0.0 { torque * efficiency } else { torque / efficiency }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gearbox() -> Gearbox {
        Gearbox {
            ratios: vec![4.0, 2.0, 1.0],
            reverse: 3.0,
            efficiency: 0.9,
            automatic: true,
            upshift_speed: 500.0,
            downshift_speed: 200.0,
            shift_time: 0.3,
            hold_time: 0.2,
        }
    }

    const FIRST: Shift = Shift { gear: 1, rest: -0.2 };

    #[test]
    fn ratio_and_losses_keep_the_books_of_power() {
        let gearbox = gearbox();
        // 100 N·m at 80 rad/s go in, 7200 W come out at 20 rad/s
        assert!((gearbox.torque(FIRST, 100.0, 80.0) * 20.0 - 7200.0).abs() < 1e-9);
        // dragged, 7200 W at the engine are 8000 W at the wheels
        assert!((gearbox.torque(FIRST, -90.0, 80.0) * 20.0 + 8000.0).abs() < 1e-9);
        let reverse = Shift { gear: -1, rest: 0.0 };
        assert!((gearbox.torque(reverse, 100.0, 30.0) + 270.0).abs() < 1e-9);
        assert_eq!(gearbox.torque(Shift { gear: 0, rest: 0.0 }, 100.0, 30.0), 0.0);
    }

    #[test]
    fn it_shifts_up_and_down_with_hysteresis_and_without_torque_meanwhile() {
        let gearbox = gearbox();
        let next = |shift, output| gearbox.follow(shift, 1.0, [output; 2], 0.1);
        assert_eq!(next(FIRST, 124.0), FIRST);
        let mut shift = next(FIRST, 126.0);
        assert_eq!(shift, Shift { gear: 2, rest: 0.3 });
        assert_eq!(gearbox.torque(shift, 100.0, 250.0), 0.0);
        for _ in 0..3 {
            shift = next(shift, 126.0);
            // it keeps the gear
            assert_eq!(next(shift, 99.0).gear, 2);
        }
        for _ in 0..3 {
            shift = next(shift, 126.0);
        }
        // 252 rad/s in second gear: neither up nor down
        assert_eq!(shift, Shift { gear: 2, rest: -0.2 });
        assert_eq!(next(shift, 99.0).gear, 1);
        assert_eq!(next(Shift { gear: 3, rest: -0.2 }, 1e4).gear, 3);
    }

    #[test]
    fn spinning_wheels_do_not_make_it_shift() {
        let gearbox = gearbox();
        // 220 rad/s are wanted in second gear
        assert_eq!(gearbox.follow(FIRST, 1.0, [150.0, 109.0], 0.1).gear, 1);
        assert_eq!(gearbox.follow(FIRST, 1.0, [150.0, 111.0], 0.1).gear, 2);
        // locked wheels of a vehicle that rolls at 120 rad/s
        let second = Shift { gear: 2, rest: -0.2 };
        assert_eq!(gearbox.follow(second, 1.0, [0.0, 120.0], 0.1).gear, 2);
        assert_eq!(gearbox.follow(second, 1.0, [0.0, 90.0], 0.1).gear, 1);
    }

    #[test]
    fn it_starts_in_the_gear_that_fits_the_speed() {
        let gearbox = gearbox();
        let neutral = Shift { gear: 0, rest: 0.0 };
        for (rolling, gear) in
            [(-10.0, 1), (0.0, 1), (120.0, 1), (130.0, 2), (300.0, 3), (900.0, 3)]
        {
            assert_eq!(gearbox.follow(neutral, 1.0, [rolling; 2], 0.1).gear, gear, "{rolling}");
        }
    }

    #[test]
    fn the_driver_has_the_word_by_hand_and_beside_the_forward_gears() {
        let gearbox = Gearbox { automatic: false, ..gearbox() };
        assert_eq!(gearbox.follow(FIRST, 2.0, [0.0; 2], 0.1), Shift { gear: 2, rest: 0.3 });
        assert_eq!(gearbox.follow(FIRST, 9.0, [0.0; 2], 0.1).gear, 3);
        assert_eq!(gearbox.follow(FIRST, 0.0, [0.0; 2], 0.1), Shift { gear: 0, rest: 0.0 });
        let automatic = Gearbox { automatic: true, ..gearbox };
        assert_eq!(automatic.follow(FIRST, -1.0, [0.0; 2], 0.1).gear, -1);
        assert_eq!(automatic.follow(Shift { gear: -1, rest: 0.0 }, 1.0, [0.0; 2], 0.1).gear, 1);
    }

    #[test]
    fn a_box_that_would_hunt_is_refused() {
        let told = |gearbox: Gearbox| {
            let mut gearbox = gearbox;
            gearbox.prepare().err().unwrap_or_default()
        };
        assert_eq!(told(gearbox()), "");
        assert!(told(Gearbox { downshift_speed: 260.0, ..gearbox() }).contains("hunt"));
        assert!(told(Gearbox { ratios: vec![2.0, 2.0], ..gearbox() }).contains("gear 2 has 2"));
        assert!(told(Gearbox { ratios: vec![], ..gearbox() }).contains("at least one"));
    }
}
