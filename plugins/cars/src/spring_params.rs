//! Springs and dampers by curve, stops and preloads, as parameters.
//!
//! An axle with none of them has the linear spring and damper of [`crate::params`].

use simhost_sdk::prelude::*;
use simhost_suspension::force_file::{self, CurveAxis};
use simhost_suspension::springs::{DamperForce, SpringForce, Stop};

use crate::car::AxleForces;

/// Forces of springs, dampers and stops that are not proportional to travel and speed.
#[derive(Clone, Debug, Params)]
pub struct SpringParams {
    /// CSV file with the force of each front spring over its compression from the design position: columns
    /// `compression` (m) or `compression_mm`, and `force` (N) or `force_kn`. It replaces `front_stiffness`.
    front_spring: Option<TextFile>,
    /// CSV file with the force of each rear spring, as at the front. It replaces `rear_stiffness`.
    rear_spring: Option<TextFile>,
    /// CSV file with the force of each front damper over its speed, positive in compression: columns `speed` (m/s) or
    /// `speed_mm_s`, and `force` (N) or `force_kn`. It replaces `front_damping`.
    front_damper: Option<TextFile>,
    /// CSV file with the force of each rear damper, as at the front. It replaces `rear_damping`.
    rear_damper: Option<TextFile>,
    /// Force that each front spring has in the design position in addition to its curve. Without it, the springs hold
    /// the body at the design position. A smaller value lowers the front.
    #[param(unit = "N", scaling = Scaling::FORCE)]
    front_preload: Option<f64>,
    /// Force that each rear spring has in the design position, as at the front. A smaller value lowers the rear.
    #[param(unit = "N", scaling = Scaling::FORCE)]
    rear_preload: Option<f64>,
    /// Stop of each front spring in compression.
    front_bump_stop: StopParams,
    /// Stop of each rear spring in compression.
    rear_bump_stop: StopParams,
    /// Stop of each front spring in extension.
    front_rebound_stop: StopParams,
    /// Stop of each rear spring in extension.
    rear_rebound_stop: StopParams,
}

/// A stop: F = k x + ½ k′ x² with the penetration x.
#[derive(Clone, Debug, Params)]
pub struct StopParams {
    /// Travel of the spring from the design position until the stop is touched. A smaller value limits the motion of
    /// the body sooner.
    #[param(default = 0.08, range = 0.0.., unit = "m", scaling = Scaling::LENGTH)]
    gap: f64,
    /// Stiffness when the stop is touched. With stiffness and progression 0, there is no stop. A larger value ends the
    /// travel more abruptly.
    #[param(default = 0.0, range = 0.0.., unit = "N/m", scaling = Scaling::STIFFNESS)]
    stiffness: f64,
    /// Increase of the stiffness per penetration. A larger value begins gently and ends hard.
    #[param(default = 0.0, range = 0.0.., unit = "N/m²")]
    progression: f64,
}

impl StopParams {
    fn stop(&self) -> Stop {
        Stop { clearance: self.gap, stiffness: self.stiffness, progression: self.progression }
    }

    fn acts(&self) -> bool {
        self.stiffness > 0.0 || self.progression > 0.0
    }
}

/// The parameters of one axle.
struct AxleParams<'a> {
    /// First part of their names.
    name: &'static str,
    spring: &'a Option<TextFile>,
    damper: &'a Option<TextFile>,
    preload: Option<f64>,
    stops: [&'a StopParams; 2],
    stiffness: f64,
    damping: f64,
}

impl SpringParams {
    /// Returns the forces of the rear and of the front axle, each with the linear stiffness, N/m, and damping, N·s/m,
    /// or `None` for an axle whose springs and dampers are linear.
    ///
    /// # Errors
    ///
    /// A file that does not describe a spring or a damper, with its name and a remedy.
    pub(crate) fn axles(&self, linear: [[f64; 2]; 2]) -> Result<[Option<AxleForces>; 2], String> {
        let [[rear_stiffness, rear_damping], [stiffness, damping]] = linear;
        let rear = AxleParams {
            name: "rear",
            spring: &self.rear_spring,
            damper: &self.rear_damper,
            preload: self.rear_preload,
            stops: [&self.rear_bump_stop, &self.rear_rebound_stop],
            stiffness: rear_stiffness,
            damping: rear_damping,
        };
        let front = AxleParams {
            name: "front",
            spring: &self.front_spring,
            damper: &self.front_damper,
            preload: self.front_preload,
            stops: [&self.front_bump_stop, &self.front_rebound_stop],
            stiffness,
            damping,
        };
        Ok([rear.forces()?, front.forces()?])
    }
}

impl AxleParams<'_> {
    fn forces(&self) -> Result<Option<AxleForces>, String> {
        let is_linear = self.spring.is_none() && self.damper.is_none() && self.preload.is_none();
        if is_linear && !self.stops.iter().any(|stop| stop.acts()) {
            return Ok(None);
        }
        let spring = self.spring()?;
        let spring = match self.preload {
            Some(preload) => spring.preloaded(preload),
            // the weight at the wheel is added to the force of the spring
            None => spring.at_ride_height(0.0),
        };
        let damper = self.damper()?;
        Ok(Some(AxleForces { spring, damper, carries_weight: self.preload.is_some() }))
    }

    fn spring(&self) -> Result<SpringForce, String> {
        let stops = self.stops.map(StopParams::stop);
        let Some(file) = self.spring else {
            let place = |error| format!("{}_stiffness: {error}", self.name);
            return SpringForce::linear(self.stiffness, stops).map_err(place);
        };
        let points = self.points(file, "spring", CurveAxis::Compression)?;
        SpringForce::new(&points, stops).map_err(|error| self.wrong(file, "spring", &error))
    }

    fn damper(&self) -> Result<DamperForce, String> {
        let Some(file) = self.damper else {
            let place = |error| format!("{}_damping: {error}", self.name);
            return DamperForce::new(&[[1.0, self.damping]]).map_err(place);
        };
        let points = self.points(file, "damper", CurveAxis::Speed)?;
        DamperForce::new(&points).map_err(|error| self.wrong(file, "damper", &error))
    }

    fn points(
        &self,
        file: &TextFile,
        part: &str,
        axis: CurveAxis,
    ) -> Result<Vec<[f64; 2]>, String> {
        force_file::parse(&file.text, axis).map_err(|error| self.wrong(file, part, &error))
    }

    fn wrong(&self, file: &TextFile, part: &str, error: &dyn std::fmt::Display) -> String {
        format!("{}_{part} {}: {error}", self.name, file.path)
    }
}
