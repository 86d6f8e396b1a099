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
    /// Minimum time for which an automatic gearbox keeps a gear. A larger value makes it shift less
    /// often.
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
mod tests;
