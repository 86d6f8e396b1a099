//! A combustion engine given by its map: torque at full load over speed, and drag with the throttle
//! closed.
//!
//! T = T_drag + θ (T_full(n) − T_drag) for the throttle θ. Source: L. Guzzella and A. Sciarretta,
//! "Vehicle Propulsion Systems", 3rd ed. 2013, ch. 3 (quasi-static engine model); U. Kiencke and L.
//! Nielsen, "Automotive Control Systems", 2nd ed. 2005, ch. 5.
//!
//! Below idle speed the clutch slips: the engine turns at idle speed and transmits its torque.
//! The limiter cuts the torque with which the engine, whatever the grip of the tyres, would exceed its largest
//! speed at the end of the step: T ≤ J (n_max − n)/dt.
//! **Limit:** the speed of the engine follows the wheels immediately. Without inertia, the limiter acts one step
//! late.

use simhost_sdk::prelude::*;

use super::{RPM, below, limited};

/// A combustion engine given by its map.
#[derive(Params)]
pub struct Engine {
    /// Torque at full load: rows "rpm N·m" with rising speeds, separated by semicolons and
    /// interpolated linearly. A larger torque makes the vehicle accelerate harder.
    #[param(default = "1000 110; 2000 160; 3500 190; 5000 185; 6000 160; 6500 140")]
    torque_map: String,
    /// Drag torque of the engine with the throttle closed. A larger value makes it brake harder.
    #[param(default = 25.0, range = 0.0.., unit = "N·m", scaling = Scaling::ENGINE_TORQUE)]
    drag_torque: f64,
    /// Speed below which the clutch slips.
    #[param(default = 850.0, above = 0.0, unit = "rpm", scale = RPM, scaling = Scaling::INVARIANT)]
    idle_speed: f64,
    /// Speed at which the fuel is cut off.
    #[param(default = 6500.0, above = 0.0, unit = "rpm", scale = RPM, scaling = Scaling::INVARIANT)]
    max_speed: f64,
    /// Moment of inertia of the engine with its flywheel. A larger value makes the vehicle accelerate
    /// less, above all in low gears, and makes the limiter act earlier.
    #[param(default = 0.08, range = 0.0.., unit = "kg·m²", scaling = Scaling::ENGINE_INERTIA)]
    pub(crate) inertia: f64,
    /// Factor on all torques of the map. A larger value makes the vehicle accelerate harder.
    #[param(default = 1.0, range = 0.0.., scaling = Scaling::ENGINE_TORQUE)]
    torque_factor: f64,
    #[param(skip)]
    map: Vec<[f64; 2]>,
}

/// Parses the rows of a map: rising speeds in rad/s, and torques in N·m.
fn rows(text: &str) -> Result<Vec<[f64; 2]>, String> {
    let mut rows: Vec<[f64; 2]> = Vec::new();
    for (number, row) in text.split(';').map(str::trim).enumerate() {
        if row.is_empty() {
            continue;
        }
        let wrong = |why: &str| {
            let number = number + 1;
            format!(
                "<torque_map> row {number}, \"{row}\": {why}; write it like \"1000 110; 2000 160\""
            )
        };
        let numbers: Result<Vec<f64>, _> = row.split_whitespace().map(str::parse).collect();
        let Ok(&[rpm, torque]) = numbers.as_deref() else {
            return Err(wrong("expected two numbers, rpm and N·m"));
        };
        if !(rpm.is_finite() && torque.is_finite() && rpm >= 0.0 && torque >= 0.0) {
            return Err(wrong("expected numbers of at least 0"));
        }
        if rows.last().is_some_and(|last| last[0] >= rpm * RPM) {
            return Err(wrong("expected a speed above the speed of the previous row"));
        }
        rows.push([rpm * RPM, torque]);
    }
    if rows.len() < 2 {
        let text = format!(
            "<torque_map> has {} rows, expected at least two, like \"1000 110; 2000 160\"",
            rows.len()
        );
        return Err(text);
    }
    Ok(rows)
}

/// Interpolates linearly between the rows next to `x`, and returns the first or last value outside
/// them.
#[inline(always)]
fn between(rows: &[[f64; 2]], x: f64) -> f64 {
    let after = rows.iter().position(|row| row[0] > x).unwrap_or(rows.len());
    let (Some(&to), Some(&from)) = (rows.get(after), rows.get(after.wrapping_sub(1))) else {
        let end = if after == 0 { rows.first() } else { rows.last() };
        return end.map_or(0.0, |row| row[1]);
    };
    from[1] + (to[1] - from[1]) * (x - from[0]) / (to[0] - from[0])
}

impl Engine {
    /// Parses the map.
    ///
    /// # Errors
    ///
    /// A message for the user when the map is invalid, or when the idle speed is not below the
    /// maximum speed.
    pub fn prepare(&mut self) -> Result<(), String> {
        self.map = rows(&self.torque_map)?;
        if self.idle_speed >= self.max_speed {
            let (idle, most) = (self.idle_speed / RPM, self.max_speed / RPM);
            let text = format!(
                "<idle_speed> is {idle:.0} rpm, expected less than <max_speed>, {most:.0} rpm"
            );
            return Err(text);
        }
        Ok(())
    }

    /// Returns the speed below which the clutch slips, rad/s.
    #[inline(always)]
    pub fn idle_speed(&self) -> f64 {
        self.idle_speed
    }

    /// Returns the speed of the engine, rad/s, for a speed of the shaft behind the clutch.
    #[inline(always)]
    pub fn speed(&self, shaft: f64) -> f64 {
        shaft.max(self.idle_speed)
    }

    /// Returns the torque on the shaft behind the clutch, N·m, that turns at `shaft` rad/s, for a
    /// throttle from 0 to 1 and a step of `dt` s.
    #[inline(always)]
    pub fn torque(&self, throttle: f64, shaft: f64, dt: f64) -> f64 {
        let speed = self.speed(shaft);
        let throttle = throttle.clamp(0.0, 1.0) * below(speed, self.max_speed);
        // at idle the governor balances the drag, so that the engine keeps running
        let coasting = ((shaft - self.idle_speed) / (0.2 * self.idle_speed)).clamp(0.0, 1.0);
        let drag = -self.drag_torque * coasting;
        let torque = drag + throttle * (self.torque_factor * between(&self.map, speed) - drag);
        torque.min(limited(self.inertia, self.max_speed - speed, dt).max(drag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(map: &str) -> Result<Engine, String> {
        let mut engine = Engine {
            torque_map: map.to_string(),
            drag_torque: 20.0,
            idle_speed: 800.0 * RPM,
            max_speed: 6000.0 * RPM,
            inertia: 0.0,
            torque_factor: 1.0,
            map: Vec::new(),
        };
        engine.prepare().map(|()| engine)
    }

    #[test]
    fn torque_lies_on_straight_lines_between_drag_and_full_load() {
        let engine = engine("1000 100; 3000 200; 6000 140").expect("a map");
        let at = |throttle, rpm: f64| engine.torque(throttle, rpm * RPM, 0.01);
        assert!((at(1.0, 2000.0) - 150.0).abs() < 1e-9);
        assert!((at(1.0, 4500.0) - 170.0).abs() < 1e-9);
        assert!((at(0.0, 4500.0) + 20.0).abs() < 1e-9);
        assert!((at(0.5, 4500.0) - 75.0).abs() < 1e-9);
        assert_eq!(at(7.0, 4500.0), at(1.0, 4500.0));
    }

    #[test]
    fn it_idles_below_idle_speed_and_drags_above_the_maximum() {
        let engine = engine("1000 100; 3000 200; 6000 140").expect("a map");
        assert_eq!(engine.torque(0.0, 0.0, 0.01), 0.0);
        assert_eq!(engine.torque(0.0, -50.0, 0.01), 0.0);
        assert_eq!(engine.torque(0.5, 0.0, 0.01), 50.0);
        assert_eq!(engine.speed(-50.0), 800.0 * RPM);
        assert!((engine.torque(1.0, 6100.0 * RPM, 0.01) + 20.0).abs() < 1e-9);
    }

    #[test]
    fn the_limiter_holds_within_the_step() {
        let engine = Engine { inertia: 0.1, ..engine("1000 20000; 6000 20000").expect("a map") };
        for (rpm, dt) in [(800.0, 0.005), (3000.0, 0.02), (5990.0, 0.001), (6010.0, 0.01)] {
            let torque = engine.torque(1.0, rpm * RPM, dt);
            let after = rpm * RPM + torque * dt / engine.inertia;
            assert!(after <= 6060.0 * RPM && torque >= -20.0, "{rpm} rpm: {torque} N·m");
        }
    }

    #[test]
    fn a_wrong_map_is_told_by_its_row() {
        let told = |map: &str| engine(map).err().unwrap_or_default();
        assert!(told("1000 100; 2000").contains("row 2, \"2000\": expected two numbers"));
        assert!(told("1000 100; 2000 x").contains("row 2"));
        assert!(told("1000 100; 900 120").contains("above the speed of the previous row"));
        assert!(told("1000 -3; 2000 120").contains("at least 0"));
        assert!(told("1000 100").contains("has 1 rows, expected at least two"));
        assert_eq!(told("1000 100; 2000 120;"), "");
    }
}
