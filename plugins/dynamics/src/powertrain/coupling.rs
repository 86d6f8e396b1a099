//! The coupling between an engine or motor and the wheels: a friction clutch that slips, and the torsion of
//! the shafts.
//!
//! **Clutch.** A slipping clutch transmits its capacity, in the direction of the slip, J dω/dt = T − T_c. It
//! locks when both sides have the same speed, and slips again when it would have to transmit more than its
//! capacity. Source: D. Karnopp, "Computer simulation of stick-slip friction in mechanical dynamic
//! systems", 1985; U. Kiencke and L. Nielsen, "Automotive Control Systems", 2nd ed. 2005, sec. 5.3.
//!
//! **Shaft.** All shafts together are one spring with a damper between the final drive and the driven
//! wheels: T = k θ + c θ̇ with the twist θ, and J i² dω/dt = i T_engine − T for the inertia J that turns with
//! it. Source: Kiencke and Nielsen, sec. 6.2 (drive shaft flexibility). The step is backward Euler, with
//! constant speeds of the wheels.
//!
//! **Limits:** the gearbox has no inertia, so that the shaft follows a slipping clutch at once. Spring and
//! damper act on the wheels of the step before: the step dt has to fulfil k dt² + c dt < I, with the inertia I
//! of all driven wheels.

use simhost_sdk::prelude::*;

use super::RPM;

/// A friction clutch behind an engine.
#[derive(Params)]
pub struct Clutch {
    /// Largest torque that the clutch transmits; 0 for a clutch that never slips above the idle
    /// speed. A smaller value makes it slip longer.
    #[param(default = 0.0, range = 0.0.., unit = "N·m", scaling = Scaling::ENGINE_TORQUE)]
    torque: f64,
    /// Engine speed from which on the clutch transmits its largest torque; at the idle speed it is open. A
    /// larger value makes the vehicle pull away at a higher engine speed.
    #[param(default = 1800.0, above = 0.0, unit = "rpm", scale = RPM,
            scaling = Scaling::INVARIANT)]
    engaged_speed: f64,
}

/// The shafts between the final drive and the wheels.
#[derive(Params)]
pub struct Shaft {
    /// Torque per twist of all shafts together; 0 for rigid shafts. A smaller value makes the vehicle
    /// jerk more slowly after a change of the throttle.
    #[param(default = 0.0, range = 0.0.., unit = "N·m/rad", scaling = Scaling::new(5.0, 2.0))]
    stiffness: f64,
    /// Torque per speed of the twist. A larger value lets vibrations of the shafts decay sooner.
    #[param(default = 0.0, range = 0.0.., unit = "N·m·s/rad", scaling = Scaling::WHEEL_DAMPING)]
    damping: f64,
}

/// State of a coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupled {
    /// Speed of engine or motor, rad/s.
    pub engine: f64,
    /// Twist of the shafts, rad.
    pub twist: f64,
    /// Whether the clutch is locked.
    pub locked: bool,
}

/// Torque, inertia and ratio of the engine or motor in a step, and the capacity of the clutch.
#[derive(Clone, Copy)]
pub struct Source {
    /// Torque of engine or motor, N·m.
    pub torque: f64,
    /// Its moment of inertia, kg·m², greater than 0.
    pub inertia: f64,
    /// Ratio of its speed to the speed of the wheels; 0 if no gear is engaged.
    pub ratio: f64,
    /// Output torque divided by torque of the source times ratio: the losses of the gears.
    pub efficiency: f64,
    /// Largest torque of the clutch in this step, N·m; infinite without one.
    pub capacity: f64,
}

#[cfg(test)]
impl Clutch {
    /// Returns a clutch with this capacity, N·m, and engine speed, rad/s.
    pub(crate) fn with(torque: f64, engaged_speed: f64) -> Self {
        Self { torque, engaged_speed }
    }
}

#[cfg(test)]
impl Shaft {
    /// Returns shafts with this stiffness, N·m/rad, and damping, N·m·s/rad.
    pub(crate) fn with(stiffness: f64, damping: f64) -> Self {
        Self { stiffness, damping }
    }
}

impl Clutch {
    /// Returns whether there is a clutch with a capacity.
    #[inline(always)]
    pub fn is_present(&self) -> bool {
        self.torque > 0.0
    }

    /// Returns the capacity, N·m, for the faster side of the clutch, rad/s.
    #[inline(always)]
    pub fn capacity(&self, speed: f64, idle: f64) -> f64 {
        if !self.is_present() {
            return f64::INFINITY;
        }
        self.torque * ((speed - idle) / (self.engaged_speed - idle)).clamp(0.0, 1.0)
    }

    /// Checks the parameters.
    ///
    /// # Errors
    ///
    /// A message for the user when the clutch cannot engage.
    pub fn prepare(&self, idle: f64) -> Result<(), String> {
        if self.is_present() && self.engaged_speed <= idle {
            let (engaged, idle) = (self.engaged_speed / RPM, idle / RPM);
            let text = format!(
                "<engaged_speed> of <clutch> is {engaged:.0} rpm, expected more than <idle_speed>, \
                 {idle:.0} rpm"
            );
            return Err(text);
        }
        Ok(())
    }
}

impl Shaft {
    /// Returns whether the shafts are elastic.
    #[inline(always)]
    pub fn is_elastic(&self) -> bool {
        self.stiffness > 0.0
    }

    /// Returns the output torque, N·m, of a source without inertia, and lets the twist follow it.
    #[inline(always)]
    fn follow(&self, torque: f64, dt: f64, state: &mut Coupled) -> f64 {
        if self.is_elastic() {
            state.twist =
                (torque * dt + self.damping * state.twist) / (self.stiffness * dt + self.damping);
        }
        torque
    }

    /// Returns the output torque, N·m, of a source that turns with the shafts, and advances it and the
    /// twist. `wheels` is the speed of the wheels, rad/s.
    #[inline(always)]
    fn twist(&self, source: &Source, wheels: f64, dt: f64, state: &mut Coupled) -> f64 {
        let ratio = source.ratio;
        let inertia = source.inertia * ratio * ratio;
        let speed = state.engine / ratio;
        let torque = source.torque * ratio * source.efficiency;
        // backward Euler for speed and twist together
        let stiff = self.stiffness * dt + self.damping;
        let speed = (inertia * speed / dt + torque - self.stiffness * state.twist + stiff * wheels)
            / (inertia / dt + stiff);
        state.twist += dt * (speed - wheels);
        state.engine = speed * ratio;
        self.stiffness * state.twist + self.damping * (speed - wheels)
    }
}

/// Returns the output torque, N·m, and the moment of inertia that turns with the wheels, kg·m², and advances
/// the state by `dt` s. `wheels` is the speed of the wheels, rad/s, and `idle` the speed below which an
/// engine does not turn.
#[inline(always)]
pub fn transmit(
    shaft: &Shaft,
    source: &Source,
    wheels: f64,
    idle: f64,
    dt: f64,
    state: &mut Coupled,
) -> [f64; 2] {
    let input = source.ratio * wheels;
    let free = state.engine + dt * source.torque / source.inertia;
    if source.ratio == 0.0 || source.capacity <= 0.0 {
        state.engine = free.max(idle);
        state.locked = false;
        return [shaft.follow(0.0, dt, state), 0.0];
    }
    if !state.locked && source.capacity.is_infinite() && input < idle {
        // a clutch without a capacity of its own keeps the engine at idle speed
        state.engine = idle;
        return [shaft.follow(source.torque * source.ratio * source.efficiency, dt, state), 0.0];
    }
    if !state.locked {
        // the torque with which both sides have the same speed at the end of the step
        let wanted = source.torque - source.inertia * (input - state.engine) / dt;
        let given = wanted.clamp(-source.capacity, source.capacity);
        if wanted != given || input < idle {
            state.engine = (state.engine + dt * (source.torque - given) / source.inertia).max(idle);
            let torque = given * source.ratio * source.efficiency;
            return [shaft.follow(torque, dt, state), 0.0];
        }
        (state.locked, state.engine) = (true, input);
    }
    let before = state.engine;
    let output = if shaft.is_elastic() {
        shaft.twist(source, wheels, dt, state)
    } else {
        state.engine = input;
        source.torque * source.ratio * source.efficiency
    };
    let carried = source.torque - source.inertia * (state.engine - before) / dt;
    // it slips from the next step on
    state.locked = carried.abs() <= source.capacity && state.engine >= idle;
    let added = if shaft.is_elastic() { 0.0 } else { source.inertia * source.ratio * source.ratio };
    [output, added]
}

#[cfg(test)]
mod tests;
