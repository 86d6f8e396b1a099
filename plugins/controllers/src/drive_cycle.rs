//! Drive cycles: speed over time from a CSV file, and the controller that follows it.
//!
//! Between the rows of the file, the speed is linear. The torque of all motors together is
//! T = k (v_c − v) + ∫ k_i (v_c − v) dt + m R a: a PI controller on the error of the speed v, and feed-forward of the torque
//! that the mass m on wheels of the radius R needs for the acceleration of the cycle (K. J. Åström and T. Hägglund, "Advanced
//! PID Control", 2006, chapters 3 and 5; L. Guzzella and A. Sciarretta, "Vehicle Propulsion Systems", 3rd ed. 2013, chapter 2
//! for the force m a and for cycles). The driver knows the cycle ahead: a = (v_c(t + p) − v_c(t))/p is its mean acceleration
//! within the preview time p.
//!
//! The integral is held while the motors are at their limit and the error would increase it (conditional integration, Åström
//! and Hägglund, chapter 3). Where the cycle stands and continues to stand for the preview time, the driver brakes and clears
//! the integral.
//!
//! **Limit:** the inertia of wheels and engine, drag and slopes are not fed forward; the integral takes them up.

use simhost_sdk::TextFile;
use simhost_sdk::prelude::*;
use simhost_suspension::curve_file::{self, CurveColumns};
use simhost_suspension::interpolation::{Curve, Interpolation};

/// Columns of the file.
const COLUMNS: CurveColumns =
    CurveColumns { along: &[("time", 1.0)], value: &[("speed", 1.0), ("speed_kmh", 1.0 / 3.6)] };

/// Memory of a driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct DriverMemory {
    /// Integral part of the torque.
    #[state(unit = "N·m")]
    pub integral: f64,
}

/// What a driver aims at in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpeedTarget {
    /// Speed, m/s.
    pub speed: f64,
    /// Acceleration, m/s².
    pub acceleration: f64,
}

/// Speed over time.
#[derive(Clone, Debug)]
pub struct DriveCycle {
    curve: Curve,
    /// Times of the first and of the last row, s.
    ends: [f64; 2],
}

impl DriveCycle {
    /// Reads a cycle.
    ///
    /// # Errors
    ///
    /// A text without a column `time` (s) and a column `speed` (m/s) or `speed_kmh`, cells that are not finite numbers, times
    /// that do not increase, speeds below 0, and fewer than two rows. The message names path and line.
    pub fn read(file: &TextFile) -> Result<Self, String> {
        let wrong = |what: String| format!("cycle {}: {what}", file.path);
        let points = curve_file::parse_checked(&file.text, &COLUMNS, check)
            .map_err(|error| wrong(error.to_string()))?;
        if points.len() < 2 {
            let count = points.len();
            return Err(wrong(format!("found {count} rows, expected at least two; add rows")));
        }
        let [time, speed] = [0, 1].map(|column| points.iter().map(|point| point[column]).collect());
        let ends = [points[0][0], points[points.len() - 1][0]];
        Ok(Self { curve: Curve::new(time, speed, Interpolation::Linear), ends })
    }

    /// Returns the speed at a time, s, in m/s. Before and after the cycle, it is the speed of the first or of the last row.
    pub(crate) fn speed_at(&self, time: f64) -> f64 {
        self.curve.at(time.clamp(self.ends[0], self.ends[1]))[0]
    }

    /// Returns speed and mean acceleration within a preview time, s.
    pub(crate) fn target(&self, time: f64, preview: f64) -> SpeedTarget {
        let speed = self.speed_at(time);
        let acceleration = (self.speed_at(time + preview) - speed) / preview;
        SpeedTarget { speed, acceleration }
    }
}

/// Checks a row of a file.
fn check(before: Option<[f64; 2]>, [time, speed]: [f64; 2]) -> Result<(), String> {
    if speed < 0.0 {
        return Err(format!("found a speed of {speed} m/s, expected 0 or more; correct the row"));
    }
    match before {
        Some([before, _]) if before >= time => Err(format!(
            "found {time} s after {before} s, expected increasing times; sort the rows"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<DriveCycle, String> {
        DriveCycle::read(&TextFile { path: "cycle.csv".into(), text: text.into() })
    }

    #[test]
    fn speeds_are_linear_between_rows_and_constant_beyond_them() {
        let cycle = read("speed_kmh,time\n\n# launch\n0,10\n36,20\n18,25\n").expect("a cycle");
        for (time, speed) in
            [(0.0, 0.0), (10.0, 0.0), (15.0, 5.0), (20.0, 10.0), (22.5, 7.5), (99.0, 5.0)]
        {
            assert!((cycle.speed_at(time) - speed).abs() < 1e-12, "{time}");
        }
        // half of the preview time before the launch, and the mean over the peak
        for (time, expected) in [(9.0, 0.5), (15.0, 1.0), (19.0, 0.0), (30.0, 0.0)] {
            let found = cycle.target(time, 2.0).acceleration;
            assert!((found - expected).abs() < 1e-12, "{time}: {found}");
        }
    }

    #[test]
    fn wrong_files_are_refused_with_the_line() {
        for (text, parts) in [
            ("time,speed\n0,0\n\n5,-1\n", ["line 4", "-1 m/s"]),
            ("time,speed\n0,0\n# x\n5,1\n5,2\n", ["line 5", "sort the rows"]),
            ("time,speed\n0,0\n5,fast\n", ["line 3, column `speed`", "'fast'"]),
            ("time,speed\n0,0,1\n", ["line 2", "found 3 cells, expected 2"]),
            ("time,speed_mph\n0,0\n", ["line 1: unknown column `speed_mph`", "`speed_kmh`"]),
            ("time,speed\n0,0\n", ["found 1 rows", "at least two"]),
            ("", ["cycle cycle.csv: is empty", "names of the columns"]),
        ] {
            let error = read(text).expect_err(text);
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
    }
}
