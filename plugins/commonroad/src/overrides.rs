//! Parameter sets by name, and values of a world file that override them.

use simhost_sdk::prelude::*;

use crate::parameters::{
    BMW_320I, FORD_ESCORT, GRAVITY, TRUCK_TRAILER, VW_VANAGON, VehicleParameters,
};

/// A vehicle of CommonRoad.
#[derive(Choice, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Set {
    #[param(key = "ford_escort")]
    FordEscort,
    #[param(key = "bmw_320i")]
    Bmw320i,
    #[param(key = "vw_vanagon")]
    VwVanagon,
    #[param(key = "truck_trailer")]
    TruckTrailer,
}

/// A car of CommonRoad. The truck is missing because its set has no masses.
#[derive(Choice, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CarSet {
    #[param(key = "ford_escort")]
    FordEscort,
    #[param(key = "bmw_320i")]
    Bmw320i,
    #[param(key = "vw_vanagon")]
    VwVanagon,
}

impl Set {
    /// Returns the parameters of the vehicle.
    pub fn vehicle(self) -> VehicleParameters {
        match self {
            Self::FordEscort => FORD_ESCORT,
            Self::Bmw320i => BMW_320I,
            Self::VwVanagon => VW_VANAGON,
            Self::TruckTrailer => TRUCK_TRAILER,
        }
    }
}

impl CarSet {
    /// Returns the parameters of the vehicle.
    pub fn vehicle(self) -> VehicleParameters {
        match self {
            Self::FordEscort => FORD_ESCORT,
            Self::Bmw320i => BMW_320I,
            Self::VwVanagon => VW_VANAGON,
        }
    }
}

impl Default for VehicleParameters {
    fn default() -> Self {
        BMW_320I
    }
}

/// Limits of steering and speed, which override the parameter set.
#[derive(Params)]
pub struct Limits {
    /// Largest steering angle to either side. A larger value allows the vehicle to turn in a
    /// smaller circle.
    #[param(above = 0.0, below = 80.0, unit = "deg", scale = math::DEG, key = "max_steer_ang_deg")]
    max_steer: Option<f64>,
    /// Largest steering rate. A smaller value makes the vehicle respond later.
    #[param(above = 0.0, below = 1000.0, unit = "deg/s", scale = math::DEG, key = "max_steer_rate_deg")]
    max_steer_rate: Option<f64>,
    /// Largest forward speed.
    #[param(above = 0.0, range = ..=150.0, unit = "m/s")]
    max_speed: Option<f64>,
    /// Largest reverse speed.
    #[param(range = 0.0..=150.0, unit = "m/s")]
    max_reverse_speed: Option<f64>,
    /// Speed above which the engine power limits the acceleration. A larger value gives more
    /// acceleration at high speed.
    #[param(range = 0.1..=150.0, unit = "m/s")]
    switch_speed: Option<f64>,
    /// Largest acceleration and deceleration. A larger value shortens the stopping distance.
    #[param(above = 0.0, range = ..=20.0, unit = "m/s²")]
    max_acceleration: Option<f64>,
}

fn put(slot: &mut f64, given: Option<f64>) {
    *slot = given.unwrap_or(*slot);
}

impl Limits {
    /// Overrides the values of the parameter set.
    pub fn put(&self, vehicle: &mut VehicleParameters) {
        let (steering, speed) = (&mut vehicle.steering, &mut vehicle.longitudinal);
        put(&mut steering.max, self.max_steer);
        put(&mut steering.min, self.max_steer.map(|angle| -angle));
        put(&mut steering.rate_max, self.max_steer_rate);
        put(&mut steering.rate_min, self.max_steer_rate.map(|rate| -rate));
        put(&mut speed.v_max, self.max_speed);
        put(&mut speed.v_min, self.max_reverse_speed.map(|speed| -speed));
        put(&mut speed.v_switch, self.switch_speed);
        put(&mut speed.a_max, self.max_acceleration);
    }
}

/// The body of a car, whose values override the parameter set.
#[derive(Params)]
pub struct Body {
    /// Total mass. A larger value raises all normal loads in proportion.
    #[param(range = 400.0..=5000.0, unit = "kg")]
    mass: Option<f64>,
    /// Moment of inertia in yaw about the centre of gravity. A larger value makes the vehicle turn
    /// in more slowly.
    #[param(range = 300.0..=20000.0, unit = "kg·m²")]
    yaw_inertia: Option<f64>,
    /// Distance from the centre of gravity to the front axle. A larger value moves load to the rear
    /// axle and lengthens the wheelbase.
    #[param(range = 0.5..=4.0, unit = "m")]
    front_axle: Option<f64>,
    /// Distance from the centre of gravity to the rear axle. A larger value moves load to the front
    /// axle and lengthens the wheelbase.
    #[param(range = 0.5..=4.0, unit = "m")]
    rear_axle: Option<f64>,
    /// Height of the centre of gravity. A larger value increases load transfer.
    #[param(range = 0.0..=1.5, unit = "m")]
    centre_height: Option<f64>,
}

impl Body {
    /// Overrides the values of the parameter set. Additional mass is sprung.
    pub fn put(&self, vehicle: &mut VehicleParameters) -> Result<(), String> {
        if let Some(mass) = self.mass {
            (vehicle.m, vehicle.m_s) = (mass, mass - vehicle.m_uf - vehicle.m_ur);
        }
        put(&mut vehicle.i_z, self.yaw_inertia);
        put(&mut vehicle.a, self.front_axle);
        put(&mut vehicle.b, self.rear_axle);
        put(&mut vehicle.h_cg, self.centre_height);
        // at the largest acceleration both axles have to stay on the ground
        let moved = vehicle.longitudinal.a_max * vehicle.h_cg;
        let least = GRAVITY * vehicle.a.min(vehicle.b);
        if moved >= least {
            return Err(format!(
                "an axle would leave the ground: the largest acceleration {} m/s² times the height \
                 of the centre of gravity {} m, expected less than 9.81 m/s² times {} m, its \
                 distance from the nearer axle; lower max_acceleration or centre_height",
                vehicle.longitudinal.a_max,
                vehicle.h_cg,
                vehicle.a.min(vehicle.b)
            ));
        }
        Ok(())
    }
}

/// Wheels and torque distribution, whose values override the parameter set.
#[derive(Params)]
pub struct WheelSet {
    /// Rolling radius in the model. The wheels of the world file are only displayed, and turn with
    /// the same rolling speed.
    #[param(range = 0.15..=0.8, unit = "m")]
    radius: Option<f64>,
    /// Moment of inertia of a wheel about its axle, or of both wheels of an axle for STD. A larger
    /// value makes wheels lock and spin more slowly.
    #[param(range = 0.3..=20.0, unit = "kg·m²")]
    inertia: Option<f64>,
    /// Share of the brake torque on the front axle. A larger value makes the front wheels lock
    /// first.
    #[param(range = 0.0..=1.0)]
    front_brake: Option<f64>,
    /// Share of the engine torque on the front axle, from 0 (rear-wheel drive) to 1 (front-wheel
    /// drive).
    #[param(range = 0.0..=1.0)]
    front_engine: Option<f64>,
    /// Whether tyres are asymmetric, as in the reference, by plysteer and the shifts of combined
    /// slip. Such a vehicle does not run straight; a symmetric vehicle turns identically to both
    /// sides.
    #[param(default = false)]
    tyre_shifts: bool,
}

impl WheelSet {
    /// Overrides the values of the parameter set.
    pub fn put(&self, vehicle: &mut VehicleParameters) {
        put(&mut vehicle.r_w, self.radius);
        put(&mut vehicle.i_y_w, self.inertia);
        put(&mut vehicle.t_sb, self.front_brake);
        put(&mut vehicle.t_se, self.front_engine);
        if !self.tyre_shifts {
            vehicle.tyre = vehicle.tyre.without_shifts();
        }
    }
}

/// Springs and dampers, whose values override the parameter set.
#[derive(Params)]
pub struct Suspension {
    /// Spring rate of a front wheel. A larger value makes the front roll and pitch less.
    #[param(range = 5000.0..=200000.0, unit = "N/m")]
    front_spring: Option<f64>,
    /// Spring rate of a rear wheel. A larger value makes the rear roll and pitch less.
    #[param(range = 5000.0..=200000.0, unit = "N/m")]
    rear_spring: Option<f64>,
    /// Damping of a front wheel. A larger value makes oscillations decay faster.
    #[param(range = 500.0..=10000.0, unit = "N·s/m")]
    front_damper: Option<f64>,
    /// Damping of a rear wheel. A larger value makes oscillations decay faster.
    #[param(range = 500.0..=10000.0, unit = "N·s/m")]
    rear_damper: Option<f64>,
    /// Distance between the front wheels.
    #[param(range = 0.8..=2.5, unit = "m")]
    front_track: Option<f64>,
    /// Distance between the rear wheels.
    #[param(range = 0.8..=2.5, unit = "m")]
    rear_track: Option<f64>,
    /// Height of the centre of gravity of the sprung mass.
    #[param(range = 0.3..=1.2, unit = "m")]
    sprung_height: Option<f64>,
}

impl Suspension {
    /// Overrides the values of the parameter set.
    pub fn put(&self, vehicle: &mut VehicleParameters) {
        put(&mut vehicle.k_sf, self.front_spring);
        put(&mut vehicle.k_sr, self.rear_spring);
        put(&mut vehicle.k_sdf, self.front_damper);
        put(&mut vehicle.k_sdr, self.rear_damper);
        put(&mut vehicle.t_f, self.front_track);
        put(&mut vehicle.t_r, self.rear_track);
        put(&mut vehicle.h_s, self.sprung_height);
    }
}
