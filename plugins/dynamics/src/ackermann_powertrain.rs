//! Ackermann steering with a complete powertrain: engine and gearbox, or motor and battery, then
//! final drive, differentials that couple the speeds of the wheels, and brakes.
//!
//! Speeds are computed from the wheels up and torques from the source down, the quasi-static method
//! of L. Guzzella and A. Sciarretta, "Vehicle Propulsion Systems", 3rd ed. 2013, ch. 2. Each
//! component names its own source. An electric vehicle has no gearbox: its motor turns with the
//! final drive and recovers energy before the friction brakes act.
//!
//! The inertia J of engine or motor acts on the driven wheels as J i², divided as the differentials divide
//! the torque, with i the ratio of all gears: the equivalent mass of T. D. Gillespie, "Fundamentals of
//! Vehicle Dynamics", 1992, ch. 2. It is not connected in neutral, during a gear change, and while the
//! clutch slips. If wheels without grip would reach the idle speed within a step, that part of J i² acts with
//! which they turn at its end as if it was connected from then on.
//!
//! **Limits:** shafts have no inertia, and wheels that turn at different speeds behind an open
//! differential each carry their share of J i². After a gear change the engine turns at its new speed
//! without exchanging energy with the vehicle, unless it has a `<clutch>` with a capacity. With friction models that stop the sliding of a wheel
//! within one step (`default`, `ward_iagnemma`), J i² has to be less than m r², the mass of the vehicle
//! times the square of the wheel radius, or the wheel forces oscillate. The wheel inertia is a parameter,
//! because a dynamics class reads the spins of its wheels but not their masses; it influences locking
//! differentials, and wheels that spin while the clutch slips.

use simhost_sdk::Columns;
use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::PowertrainControls;
use simhost_sdk::prelude::*;

use crate::ackermann::{self, Axles, FrontAxle};
use crate::powertrain::battery::Battery;
use crate::powertrain::coupling::{self, Clutch, Coupled, Shaft};
use crate::powertrain::differential::{Differential, Shafts};
use crate::powertrain::engine::Engine;
use crate::powertrain::gearbox::{Gearbox, Shift, lossy};
use crate::powertrain::motor::Motor;
use crate::steering::{Steered, Steering};

/// Ackermann steering with engine and gearbox, or motor and battery, and differentials that couple
/// the wheels.
#[derive(Params)]
pub struct AckermannPowertrain {
    /// Position of the front axle ahead of the reference point.
    #[param(default = 1.3, unit = "m", scaling = Scaling::LENGTH)]
    f_wheels_x: f64,
    /// Distance between the front wheels.
    #[param(default = 2.0, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    f_wheels_d: f64,
    /// Largest steering angle of an equivalent wheel in the middle of the axle. A larger value
    /// allows the vehicle to turn in a smaller circle.
    #[param(default = 30.0, above = 0.0, below = 89.4, unit = "deg", scale = math::DEG,
            key = "max_steer_ang_deg")]
    max_steer: f64,
    /// Rate limit and lag of the steering actuator.
    steering: Steering,
    /// Share of the brake torque that acts on the front axle. A larger value makes the front wheels
    /// lock first.
    #[param(default = 0.6, range = 0.0..=1.0)]
    brake_bias: f64,
    /// Torque of all brakes together with the pedal fully pressed.
    #[param(default = 6000.0, range = 0.0.., unit = "N·m", scaling = Scaling::WHEEL_TORQUE)]
    max_brake_torque: f64,
    /// Source of the torque.
    #[param(default = "engine")]
    source: Source,
    /// Driven axles.
    #[param(default = "rear")]
    driven: Axles,
    /// Ratio of the speed of the gearbox output, or of the electric motor, to the speed of the
    /// wheels. A larger value gives more pull and a lower top speed.
    #[param(default = 3.9, above = 0.0, scaling = Scaling::FINAL_DRIVE)]
    final_drive: f64,
    /// Efficiency of final drive and differentials.
    #[param(default = 0.97, above = 0.0, range = ..=1.0)]
    final_drive_efficiency: f64,
    /// Inertia of a wheel with its shaft, used by locking differentials and for the end of the slip of the clutch.
    /// A smaller value makes differentials equalise speeds more slowly; above 4/3 of the true inertia they
    /// oscillate.
    #[param(default = 0.04, above = 0.0, unit = "kg·m²", scaling = Scaling::INERTIA)]
    wheel_inertia: f64,
    /// The combustion engine.
    engine: Engine,
    /// The gearbox after the engine.
    gearbox: Gearbox,
    /// The clutch between engine and gearbox.
    clutch: Clutch,
    /// The shafts between the final drive and the driven wheels.
    shaft: Shaft,
    /// The electric motor.
    motor: Motor,
    /// The battery of the electric motor.
    battery: Battery,
    /// Differential between the axles of an all-wheel drive.
    center_differential: Differential,
    /// Differential between the front wheels.
    front_differential: Differential,
    /// Differential between the rear wheels.
    rear_differential: Differential,
}

/// Source of the torque.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Source {
    #[param(key = "engine")]
    Engine,
    #[param(key = "electric")]
    Electric,
}

/// Revolutions per minute of 1 rad/s.
const RPM: f64 = 30.0 / std::f64::consts::PI;

/// Measurements of the vehicle.
#[derive(Ports)]
pub struct Measured {
    /// Measurements of every Ackermann vehicle.
    #[port(flatten)]
    vehicle: ackermann::Measured,
    /// Speed of the engine, or of the electric motor.
    #[port(unit = "rad/s")]
    engine_speed: f64,
    /// The same speed as drivers read it.
    #[port(unit = "rpm")]
    engine_speed_rpm: f64,
    /// Gear that is engaged or being engaged: −1 reverse, 0 neutral, 1 and above forward.
    #[port(unit = "1")]
    gear: f64,
    /// State of charge of the battery, 0 to 1; 0 for a vehicle with an engine.
    #[port(unit = "1")]
    state_of_charge: f64,
}

/// State of a powertrain.
#[derive(State)]
pub struct Running {
    /// Steering angle of an equivalent wheel in the middle of the axle.
    #[state(unit = "rad")]
    steer: f64,
    /// Gear that is engaged or being engaged.
    #[state(discrete)]
    gear: f64,
    /// Remaining time of a gear change.
    #[state(unit = "s")]
    shift: f64,
    /// Share of the battery capacity drawn since the start.
    used: f64,
    /// Speed difference that the centre differential expects.
    #[state(unit = "rad/s")]
    apart_center: f64,
    /// Speed difference that the front differential expects.
    #[state(unit = "rad/s")]
    apart_front: f64,
    /// Speed difference that the rear differential expects.
    #[state(unit = "rad/s")]
    apart_rear: f64,
    /// Speed of engine or motor behind a clutch or elastic shafts.
    #[state(unit = "rad/s")]
    engine: f64,
    /// Twist of the shafts.
    #[state(unit = "rad")]
    twist: f64,
    /// 1 while the clutch is locked, 0 while it slips.
    #[state(discrete)]
    locked: f64,
}

/// Torque on the final drive and torque of all brakes together, N·m.
struct Torques {
    shaft: f64,
    brake: f64,
}

impl AckermannPowertrain {
    const fn axle(&self) -> FrontAxle {
        let Self { f_wheels_x, f_wheels_d, max_steer, .. } = *self;
        FrontAxle { f_wheels_x, f_wheels_d, max_steer }
    }

    /// Returns the speed of the shaft before the final drive, rad/s, for the spins rear left, rear
    /// right, front left, front right.
    #[inline(always)]
    fn shaft_speed(&self, [rl, rr, fl, fr]: [f64; 4]) -> f64 {
        let front = self.front_differential.input_speed([fl, fr]);
        let rear = self.rear_differential.input_speed([rl, rr]);
        let both = self.center_differential.input_speed([front, rear]);
        self.final_drive
            * match self.driven {
                Axles::Front => front,
                Axles::Rear => rear,
                Axles::All => both,
            }
    }

    /// Returns the shaft speed, rad/s, that would result if all driven wheels rolled without slip at the
    /// forward speed of the slowest one.
    #[inline(always)]
    fn rolling(&self, wheels: &WheelMotion) -> f64 {
        let roll = |wheel| wheels.velocity(wheel)[0] / wheels.radius(wheel);
        let [rl, rr, fl, fr] = [0, 1, 2, 3].map(roll);
        let (front, rear) = (fl.min(fr), rl.min(rr));
        self.final_drive
            * match self.driven {
                Axles::Front => front,
                Axles::Rear => rear,
                Axles::All => front.min(rear),
            }
    }

    /// Returns the torques with engine and gearbox, for the shaft speeds that follow from the spins of the
    /// wheels and from [`Self::rolling`].
    #[inline(always)]
    fn burn(
        &self,
        driver: &PowertrainControls,
        speeds: [f64; 2],
        brake: f64,
        dt: f64,
        state: &mut Running,
    ) -> Torques {
        let shift = Shift { gear: state.gear as i32, rest: state.shift };
        let shift = self.gearbox.follow(shift, driver.gear, speeds, dt);
        (state.gear, state.shift) = (f64::from(shift.gear), shift.rest);
        let input = self.gearbox.ratio(shift.gear) * speeds[0];
        let torque = self.engine.torque(driver.throttle, input, dt);
        Torques { shaft: self.gearbox.torque(shift, torque, input), brake }
    }

    /// Returns the torques with motor and battery. The motor brakes within its limits, and the
    /// friction brakes provide the rest.
    #[inline(always)]
    fn draw(
        &self,
        driver: &PowertrainControls,
        shaft: f64,
        brake: f64,
        dt: f64,
        state: &mut Running,
    ) -> Torques {
        state.gear = driver.gear.round().clamp(-1.0, 1.0);
        let (most_out, most_in) =
            (self.battery.most_out(state.used, dt), self.battery.most_in(state.used, dt));
        let losses = self.final_drive_efficiency;
        let wanted = brake * losses / self.final_drive;
        let (torque, brake) = if brake > 0.0 {
            let held = self.motor.regenerate(wanted, shaft, most_in);
            (-held * shaft.signum(), (brake - held * self.final_drive / losses).max(0.0))
        } else if state.gear == 0.0 {
            (0.0, 0.0)
        } else {
            (self.motor.drive(driver.throttle, shaft, state.gear > 0.0, most_out, dt), 0.0)
        };
        state.used = self.battery.draw(state.used, self.motor.power(torque, shaft), dt);
        Torques { shaft: torque, brake }
    }

    /// Returns the moment of inertia of engine or motor at the speed of the final drive's output, kg·m²,
    /// for a shaft before the final drive that turns at `shaft` rad/s, and the torque after it.
    #[inline(always)]
    fn reflected_inertia(&self, shaft: f64, torque: f64, dt: f64, state: &Running) -> f64 {
        let (inertia, ratio) = match self.source {
            Source::Engine if state.shift > 0.0 => return 0.0,
            Source::Engine => (self.engine.inertia, self.gearbox.ratio(state.gear as i32)),
            Source::Electric => (self.motor.inertia, 1.0),
        };
        let total = self.final_drive * ratio;
        let inertia = inertia * total * total;
        let slip = self.engine.idle_speed() - ratio * shaft;
        if self.source == Source::Electric || slip <= 0.0 {
            return inertia;
        }
        // wheels without grip turn freely up to the idle speed, and with the engine from then on
        let driven = if self.driven == Axles::All { 4.0 } else { 2.0 };
        let (alone, torque) = (driven * self.wheel_inertia, torque.abs());
        let free = slip / total.abs().max(1e-12);
        let rest = torque * dt - alone * free;
        if rest <= 0.0 { 0.0 } else { torque * dt / (free + rest / (alone + inertia)) - alone }
    }

    /// Returns whether engine or motor have a separate speed.
    #[inline(always)]
    fn is_coupled(&self) -> bool {
        self.shaft.is_elastic() || self.clutch.is_present() && self.source == Source::Engine
    }

    /// Returns torque and moment of inertia after the final drive, N·m and kg·m², with a clutch or
    /// elastic shafts. `torque` is the torque of the motor.
    #[inline(always)]
    fn couple(
        &self,
        driver: &PowertrainControls,
        torque: f64,
        shaft: f64,
        dt: f64,
        state: &mut Running,
    ) -> [f64; 2] {
        let wheels = shaft / self.final_drive;
        let losses = |torque: f64, efficiency: f64| {
            if torque >= 0.0 { efficiency } else { 1.0 / efficiency }
        };
        let (source, idle) = match self.source {
            Source::Engine => {
                let idle = self.engine.idle_speed();
                let speed = state.engine.max(idle);
                let shifting = state.shift > 0.0;
                let throttle = if shifting { 0.0 } else { driver.throttle };
                let gear = if shifting { 0.0 } else { self.gearbox.ratio(state.gear as i32) };
                let torque = self.engine.torque(throttle, speed, dt);
                let efficiency = self.gearbox.efficiency * self.final_drive_efficiency;
                let source = coupling::Source {
                    torque,
                    inertia: self.engine.inertia,
                    ratio: self.final_drive * gear,
                    efficiency: losses(torque, efficiency),
                    capacity: self.clutch.capacity(speed.max(gear * shaft), idle),
                };
                (source, idle)
            }
            Source::Electric => {
                let source = coupling::Source {
                    torque,
                    inertia: self.motor.inertia,
                    ratio: self.final_drive,
                    efficiency: losses(torque * shaft, self.final_drive_efficiency),
                    capacity: f64::INFINITY,
                };
                (source, f64::NEG_INFINITY)
            }
        };
        let (engine, locked) = (state.engine.max(idle), state.locked > 0.0);
        let mut coupled = Coupled { engine, twist: state.twist, locked };
        let output = coupling::transmit(&self.shaft, &source, wheels, idle, dt, &mut coupled);
        (state.engine, state.twist) = (coupled.engine, coupled.twist);
        state.locked = f64::from(coupled.locked);
        output
    }

    /// Returns the share of the torque after the final drive that goes to each wheel without locking.
    #[inline(always)]
    fn shares(&self) -> [f64; 4] {
        let [front, rear] = match self.driven {
            Axles::Front => [1.0, 0.0],
            Axles::Rear => [0.0, 1.0],
            Axles::All => self.center_differential.shares(),
        };
        let [fl, fr] = self.front_differential.shares().map(|share| front * share);
        let [rl, rr] = self.rear_differential.shares().map(|share| rear * share);
        [rl, rr, fl, fr]
    }

    /// Returns the wheel torques for `torque` after the final drive. `added` is the inertia of the
    /// powertrain on each wheel, kg·m².
    #[inline(always)]
    fn divide(
        &self,
        torque: f64,
        spin: [f64; 4],
        added: [f64; 4],
        dt: f64,
        state: &mut Running,
    ) -> [f64; 4] {
        let [rl, rr, fl, fr] = spin;
        let axles = [
            self.front_differential.input_speed([fl, fr]),
            self.rear_differential.input_speed([rl, rr]),
        ];
        let [front, rear] = match self.driven {
            Axles::Front => [Some(torque), None],
            Axles::Rear => [None, Some(torque)],
            Axles::All => {
                let added = (added[0] + added[1]).min(added[2] + added[3]);
                let shafts = Shafts { spin: axles, inertia: 2.0 * self.wheel_inertia + added };
                let center = &self.center_differential;
                center.divide(torque, shafts, dt, &mut state.apart_center).map(Some)
            }
        };
        let axle = |differential: &Differential, torque: Option<f64>, shafts, apart: &mut f64| {
            // an axle that is not driven has no differential
            let Some(torque) = torque else { return [0.0; 2] };
            differential.divide(torque, shafts, dt, apart)
        };
        let shafts = |spin, added: [f64; 2]| Shafts {
            spin,
            inertia: self.wheel_inertia + added[0].min(added[1]),
        };
        let at_front = shafts([fl, fr], [added[2], added[3]]);
        let at_rear = shafts([rl, rr], [added[0], added[1]]);
        let [fl, fr] = axle(&self.front_differential, front, at_front, &mut state.apart_front);
        let [rl, rr] = axle(&self.rear_differential, rear, at_rear, &mut state.apart_rear);
        [rl, rr, fl, fr]
    }
}

#[model]
impl Dynamics for AckermannPowertrain {
    const TIME_INVARIANT: bool = true;
    const WHEELS: &'static [WheelPlace] = ackermann::WHEELS;
    const CHASSIS: Chassis = ackermann::CHASSIS;
    const SETS_DRIVE_INERTIA: bool = true;

    fn prepare(&mut self) -> Result<(), String> {
        self.engine.prepare()?;
        self.clutch.prepare(self.engine.idle_speed())?;
        let (name, inertia) = match self.source {
            Source::Engine => ("engine", self.engine.inertia),
            Source::Electric => ("motor", self.motor.inertia),
        };
        if self.is_coupled() && inertia <= 0.0 {
            let text = format!(
                "<inertia> of <{name}> is 0, expected more with <clutch> or <shaft>: they act between it \
                 and the wheels"
            );
            return Err(text);
        }
        self.gearbox.prepare()
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        self.axle().arrange(wheels)
    }

    fn drive(
        &self,
        driver: &PowertrainControls,
        wheels: &mut Wheels,
        step: &Step,
        state: &mut Running,
    ) {
        let mut steered = Steered { steer: state.steer };
        let angle = self.steering.follow(driver.steer, self.max_steer, step, &mut steered);
        state.steer = steered.steer;
        self.axle().steer(wheels, angle);

        let spin = std::array::from_fn(|wheel| wheels.spin(wheel));
        let shaft = self.shaft_speed(spin);
        let pedal = driver.brake.clamp(0.0, 1.0) * self.max_brake_torque;
        let torques = match self.source {
            Source::Engine => {
                self.burn(driver, [shaft, self.rolling(wheels)], pedal, step.dt, state)
            }
            Source::Electric => self.draw(driver, shaft, pedal, step.dt, state),
        };
        ackermann::brake(wheels, torques.brake, self.brake_bias);
        let [torque, inertia] = if self.is_coupled() {
            self.couple(driver, torques.shaft, shaft, step.dt, state)
        } else {
            let output = lossy(torques.shaft, shaft, self.final_drive_efficiency);
            let torque = self.final_drive * output;
            [torque, self.reflected_inertia(shaft, torque, step.dt, state)]
        };
        let added = self.shares().map(|share| share * inertia);
        let torques = self.divide(torque, spin, added, step.dt, state);
        for wheel in 0..4 {
            wheels.set_torque(wheel, torques[wheel]);
            wheels.set_drive_inertia(wheel, added[wheel]);
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        self.measure_state(wheels, &Running::load(|_| 0.0))
    }

    fn measure_state(&self, wheels: &WheelMotion, state: &Running) -> Measured {
        let vehicle = self.axle().measured(wheels);
        let shaft = self.shaft_speed(std::array::from_fn(|wheel| wheels.spin(wheel)));
        let (engine_speed, state_of_charge) = match self.source {
            Source::Engine => {
                (self.engine.speed(self.gearbox.ratio(state.gear as i32) * shaft), 0.0)
            }
            Source::Electric => (shaft, self.battery.charge(state.used)),
        };
        let idle = self.engine.idle_speed();
        let engine_speed = match self.source {
            _ if !self.is_coupled() => engine_speed,
            Source::Engine => state.engine.max(idle),
            Source::Electric => state.engine,
        };
        let engine_speed_rpm = engine_speed * RPM;
        Measured { vehicle, engine_speed, engine_speed_rpm, gear: state.gear, state_of_charge }
    }
}

#[cfg(test)]
mod tests;
