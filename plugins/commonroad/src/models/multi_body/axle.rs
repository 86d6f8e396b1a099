//! An axle of the multi-body model: springs, tyres, and the pin that holds it to the body.

use simhost_sdk::math;

use super::body::{Body, STATES, place};
use crate::defects::Defects;
use crate::parameters::{GRAVITY, VehicleParameters};
use crate::tyre::{self, Contact};
use crate::wheel;

/// Sides of an axle: at y = −T/2 and at y = T/2.
const SIDES: [f64; 2] = [1.0, -1.0];

/// An axle and its states.
pub(super) struct Axle {
    /// Index of its first state.
    pub first: usize,
    pub shift_place: usize,
    /// Position ahead of the centre of gravity, m.
    pub x: f64,
    track: f64,
    mass: f64,
    inertia: f64,
    spring: f64,
    damper: f64,
    roll_stiffness: f64,
    roll_axis: f64,
    camber: [f64; 2],
    /// Force of each spring at rest, N.
    static_load: f64,
    steers: bool,
    roll: f64,
    roll_rate: f64,
    vy: f64,
    z: f64,
    vz: f64,
    shift: f64,
    spins: [f64; 2],
}

/// Forces on an axle, N. Values per side start with y = −T/2.
pub(super) struct Forces {
    /// Forces of the tyres along and across the wheel, weighted by [`Body::weight`].
    pub tyres: [[f64; 2]; 2],
    /// Normal loads of the tyres.
    loads: [f64; 2],
    /// Forces of springs and dampers.
    springs: [f64; 2],
    /// Force of the pin.
    pub joint: f64,
    /// Forward and sideways force of both tyres, vehicle frame.
    pub along: f64,
    across: f64,
    /// Moment of the tyres about the middle of the axle, N·m.
    turning: f64,
}

impl Forces {
    /// Returns the force of both springs, N.
    pub fn springs(&self) -> f64 {
        self.springs[0] + self.springs[1]
    }
}

impl Axle {
    #[inline(always)]
    pub fn front(vehicle: &VehicleParameters, state: &[f64; STATES]) -> Self {
        let v = vehicle;
        Self {
            first: place::FRONT,
            shift_place: place::SHIFT,
            x: v.a,
            track: v.t_f,
            mass: v.m_uf,
            inertia: v.i_uf,
            spring: v.k_sf,
            damper: v.k_sdf,
            roll_stiffness: v.k_tsf,
            roll_axis: v.h_raf,
            camber: [v.d_f, v.e_f],
            static_load: v.m_s * GRAVITY * v.b / (2.0 * v.wheelbase()),
            steers: true,
            roll: state[13],
            roll_rate: state[14],
            vy: state[15],
            z: state[16],
            vz: state[17],
            shift: state[27],
            spins: [state[23], state[24]],
        }
    }

    #[inline(always)]
    pub fn rear(vehicle: &VehicleParameters, state: &[f64; STATES]) -> Self {
        let v = vehicle;
        Self {
            first: place::REAR,
            shift_place: place::SHIFT + 1,
            x: -v.b,
            track: v.t_r,
            mass: v.m_ur,
            inertia: v.i_ur,
            spring: v.k_sr,
            damper: v.k_sdr,
            roll_stiffness: v.k_tsr,
            roll_axis: v.h_rar,
            camber: [v.d_r, v.e_r],
            static_load: v.m_s * GRAVITY * v.a / (2.0 * v.wheelbase()),
            steers: false,
            roll: state[18],
            roll_rate: state[19],
            vy: state[20],
            z: state[21],
            vz: state[22],
            shift: state[28],
            spins: [state[25], state[26]],
        }
    }

    /// Returns all forces on the axle.
    #[inline(always)]
    pub fn forces(&self, vehicle: &VehicleParameters, body: &Body, defects: Defects) -> Forces {
        let steer = if self.steers { body.steer } else { 0.0 };
        let travels = SIDES.map(|side| self.travel(vehicle, body, side));
        let loads = SIDES.map(|side| self.load(vehicle, side, defects));
        let tyres: [[f64; 2]; 2] = std::array::from_fn(|i| {
            let side = SIDES[i];
            let [d, e] = self.camber;
            let contact = Contact {
                kappa: self.slip(vehicle, body, i, steer, defects),
                alpha: self.slip_angle(vehicle, body, side, steer, defects),
                gamma: body.roll + side * (d * travels[i] + e * travels[i] * travels[i]),
                f_z: loads[i],
            };
            tyre::combined(&vehicle.tyre, &contact, defects).map(|force| body.weight * force)
        });
        let springs = std::array::from_fn(|i| self.spring_force(body, SIDES[i], travels[i]));
        let [[f_xl, f_yl], [f_xr, f_yr]] = tyres;
        let (sin, cos) = math::sin_cos(steer);
        Forces {
            tyres,
            loads,
            springs,
            joint: self.joint_force(vehicle, body),
            along: (f_xl + f_xr) * cos - (f_yl + f_yr) * sin,
            across: (f_yl + f_yr) * cos + (f_xl + f_xr) * sin,
            turning: 0.5 * self.track * ((f_yr - f_yl) * sin + (f_xl - f_xr) * cos),
        }
    }

    /// Returns the normal load of a tyre, which is 0 for a wheel that has lifted off.
    #[inline(always)]
    fn load(&self, vehicle: &VehicleParameters, side: f64, defects: Defects) -> f64 {
        let (sin, cos) = math::sin_cos(self.roll);
        let pressed = self.z + vehicle.r_w * (cos - 1.0) - side * 0.5 * self.track * sin;
        let load = pressed * vehicle.k_zt;
        if defects.pulling_tyres { load } else { load.max(0.0) }
    }

    /// Returns the travel of a spring, m.
    #[inline(always)]
    fn travel(&self, vehicle: &VehicleParameters, body: &Body, side: f64) -> f64 {
        let height = vehicle.h_s - vehicle.r_w;
        (height + self.z - body.z) / math::cos(body.roll) - height
            + self.x * body.pitch
            + side * 0.5 * (body.roll - self.roll) * self.track
    }

    #[inline(always)]
    fn spring_force(&self, body: &Body, side: f64, travel: f64) -> f64 {
        let rate = self.vz - body.vz
            + self.x * body.pitch_rate
            + side * 0.5 * (body.roll_rate - self.roll_rate) * self.track;
        self.static_load - travel * self.spring - rate * self.damper
            + side * (body.roll - self.roll) * self.roll_stiffness / self.track
    }

    /// Returns the forward velocity of a wheel, vehicle frame, m/s.
    #[inline(always)]
    fn forwards(&self, body: &Body, side: f64) -> f64 {
        body.vx + side * 0.5 * self.track * body.yaw_rate
    }

    #[inline(always)]
    fn slip(
        &self,
        vehicle: &VehicleParameters,
        body: &Body,
        wheel: usize,
        steer: f64,
        defects: Defects,
    ) -> f64 {
        if !body.slips {
            return 0.0;
        }
        let (sin, cos) = math::sin_cos(steer);
        let sideways = if self.steers { body.vy + self.x * body.yaw_rate } else { 0.0 };
        let mut speed = self.forwards(body, SIDES[wheel]) * cos + sideways * sin;
        if defects.forwards_only {
            speed = speed.max(0.0);
        }
        let least = if defects.slip_by_zero { 0.0 } else { wheel::LEAST_SPEED };
        wheel::slip(speed, vehicle.r_w * self.spins[wheel], least, defects)
    }

    #[inline(always)]
    fn slip_angle(
        &self,
        vehicle: &VehicleParameters,
        body: &Body,
        side: f64,
        steer: f64,
        defects: Defects,
    ) -> f64 {
        if !body.slips {
            return 0.0;
        }
        let left = body.vy + self.x * body.yaw_rate - self.roll_rate * (vehicle.r_w - self.z);
        wheel::slip_angle(self.forwards(body, side), left, steer, defects)
    }

    /// Returns the lateral force of the pin between body and axle, a spring with a damper.
    #[inline(always)]
    fn joint_force(&self, vehicle: &VehicleParameters, body: &Body) -> f64 {
        let (sin, cos) = math::sin_cos(body.roll);
        let height = vehicle.h_s - vehicle.r_w + self.z - body.z;
        let arm = self.roll_axis - vehicle.r_w;
        let (sin_apart, cos_apart) = math::sin_cos(body.roll - self.roll);
        let apart = height * sin - self.shift * cos - arm * sin_apart;
        let rate = (height * cos + self.shift * sin) * body.roll_rate + (self.vz - body.vz) * sin
            - self.shift_rate(body) * cos
            - arm * cos_apart * (body.roll_rate - self.roll_rate);
        apart * vehicle.k_ras + rate * vehicle.k_rad
    }

    /// Returns the sideways velocity of the axle relative to the body, m/s.
    #[inline(always)]
    pub fn shift_rate(&self, body: &Body) -> f64 {
        body.vy + self.x * body.yaw_rate - self.vy
    }

    /// Returns the moment of the tyres about the centre of gravity, N·m.
    #[inline(always)]
    pub fn yaw_moment(&self, forces: &Forces) -> f64 {
        self.x * forces.across + forces.turning
    }

    /// Returns the moment of springs and pin on the body, N·m.
    #[inline(always)]
    pub fn roll_moment(&self, vehicle: &VehicleParameters, body: &Body, forces: &Forces) -> f64 {
        let arm = vehicle.h_s - body.z - vehicle.r_w + self.z
            - (self.roll_axis - vehicle.r_w) * math::cos(self.roll);
        0.5 * self.track * (forces.springs[0] - forces.springs[1])
            - forces.joint / math::cos(body.roll) * arm
    }

    /// Returns the rates of roll, roll rate, sideways velocity, height and its rate.
    #[inline(always)]
    pub fn rates(&self, vehicle: &VehicleParameters, body: &Body, forces: &Forces) -> [f64; 5] {
        let VehicleParameters { r_w, k_lt, .. } = *vehicle;
        let (sin, cos) = math::sin_cos(self.roll);
        let lift: [f64; 2] = std::array::from_fn(|i| {
            let arm = r_w * sin + SIDES[i] * 0.5 * self.track * cos;
            forces.loads[i] * (arm - k_lt * forces.tyres[i][1])
        });
        let roll = 0.5 * self.track * (forces.springs[1] - forces.springs[0])
            - forces.joint * (self.roll_axis - r_w)
            + (lift[0] + lift[1])
            - forces.across * (r_w - self.z);
        let (sin_roll, cos_roll) = math::sin_cos(body.roll);
        let down = forces.loads[0] + forces.loads[1] + forces.joint * sin_roll
            - forces.springs() * cos_roll;
        let aside = forces.across - forces.joint * cos_roll - forces.springs() * sin_roll;
        [
            self.roll_rate,
            roll / self.inertia,
            aside / self.mass - body.yaw_rate * body.vx,
            self.vz,
            GRAVITY - down / self.mass,
        ]
    }
}
