//! Vehicle parameters, named by the symbols of Althoff and Würsching, *CommonRoad: Vehicle Models*,
//! 2020.

mod sets;

pub use sets::{BMW_320I, FORD_ESCORT, TRUCK_TRAILER, TYRE, VW_VANAGON};

/// Marks a value that a parameter set does not define.
pub const MISSING: f64 = f64::NAN;

/// Limits of the steering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// Angle at the right stop, rad.
    pub min: f64,
    /// Angle at the left stop, rad.
    pub max: f64,
    /// Largest rate to the right, rad/s, negative.
    pub rate_min: f64,
    /// Largest rate to the left, rad/s.
    pub rate_max: f64,
}

/// Limits of speed and acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Longitudinal {
    /// Largest reverse speed, m/s, negative.
    pub v_min: f64,
    /// Largest forward speed, m/s.
    pub v_max: f64,
    /// Speed above which the engine power is the limit and the acceleration falls as 1/v, m/s.
    pub v_switch: f64,
    /// Largest acceleration and deceleration, m/s².
    pub a_max: f64,
}

/// A semi-trailer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trailer {
    /// Length, m.
    pub length: f64,
    /// Width, m.
    pub width: f64,
    /// Length of the hitch, m.
    pub hitch: f64,
    /// Distance from the hitch to the trailer axle, m.
    pub wheelbase: f64,
}

/// Coefficients of the Magic Formula, named as in Pacejka, *Tire and Vehicle Dynamics*, §4.3.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Tyre {
    pub p_cx1: f64,
    pub p_dx1: f64,
    pub p_dx3: f64,
    pub p_ex1: f64,
    pub p_kx1: f64,
    pub p_hx1: f64,
    pub p_vx1: f64,
    pub r_bx1: f64,
    pub r_bx2: f64,
    pub r_cx1: f64,
    pub r_ex1: f64,
    pub r_hx1: f64,
    pub p_cy1: f64,
    pub p_dy1: f64,
    pub p_dy3: f64,
    pub p_ey1: f64,
    pub p_ky1: f64,
    pub p_hy1: f64,
    pub p_hy3: f64,
    pub p_vy1: f64,
    pub p_vy3: f64,
    pub r_by1: f64,
    pub r_by2: f64,
    pub r_by3: f64,
    pub r_cy1: f64,
    pub r_ey1: f64,
    pub r_hy1: f64,
    pub r_vy1: f64,
    pub r_vy3: f64,
    pub r_vy4: f64,
    pub r_vy5: f64,
    pub r_vy6: f64,
}

impl Tyre {
    /// Returns the same tyre without asymmetry: plysteer and the shifts of combined slip.
    pub const fn without_shifts(self) -> Self {
        Self { r_hx1: 0.0, r_by3: 0.0, r_vy1: 0.0, ..self }
    }
}

/// Parameters of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleParameters {
    /// Length, m.
    pub length: f64,
    /// Width, m.
    pub width: f64,
    /// Limits of the steering.
    pub steering: Steering,
    /// Limits of speed and acceleration.
    pub longitudinal: Longitudinal,
    /// Mass, kg.
    pub m: f64,
    /// Sprung mass, kg.
    pub m_s: f64,
    /// Unsprung mass of the front axle, kg.
    pub m_uf: f64,
    /// Unsprung mass of the rear axle, kg.
    pub m_ur: f64,
    /// Distance from the centre of gravity to the front axle, m.
    pub a: f64,
    /// Distance from the centre of gravity to the rear axle, m.
    pub b: f64,
    /// Inertia of the sprung mass in roll, kg·m².
    pub i_phi_s: f64,
    /// Inertia of the sprung mass in pitch, kg·m².
    pub i_y_s: f64,
    /// Inertia in yaw, kg·m².
    pub i_z: f64,
    /// Product of inertia of roll and yaw, kg·m².
    pub i_xz_s: f64,
    /// Spring of a front wheel, N/m.
    pub k_sf: f64,
    /// Damper of a front wheel, N·s/m.
    pub k_sdf: f64,
    /// Spring of a rear wheel, N/m.
    pub k_sr: f64,
    /// Damper of a rear wheel, N·s/m.
    pub k_sdr: f64,
    /// Track width of the front axle, m.
    pub t_f: f64,
    /// Track width of the rear axle, m.
    pub t_r: f64,
    /// Lateral spring of the pin between body and axle, N/m.
    pub k_ras: f64,
    /// Auxiliary roll stiffness of the front axle, N·m/rad.
    pub k_tsf: f64,
    /// Auxiliary roll stiffness of the rear axle, N·m/rad.
    pub k_tsr: f64,
    /// Lateral damper of the pin between body and axle, N·s/m.
    pub k_rad: f64,
    /// Vertical spring of a tyre, N/m.
    pub k_zt: f64,
    /// Height of the centre of gravity of the whole vehicle, m.
    pub h_cg: f64,
    /// Height of the roll axis at the front axle, m.
    pub h_raf: f64,
    /// Height of the roll axis at the rear axle, m.
    pub h_rar: f64,
    /// Height of the centre of gravity of the sprung mass, m.
    pub h_s: f64,
    /// Inertia of the front axle in roll, kg·m².
    pub i_uf: f64,
    /// Inertia of the rear axle in roll, kg·m².
    pub i_ur: f64,
    /// Inertia of a wheel about its axle, kg·m².
    pub i_y_w: f64,
    /// Lateral compliance of a tyre, m/N.
    pub k_lt: f64,
    /// Rolling radius, m.
    pub r_w: f64,
    /// Share of the brake torque on the front axle. A larger value makes the front wheels lock
    /// first.
    pub t_sb: f64,
    /// Share of the engine torque on the front axle.
    pub t_se: f64,
    /// Camber per spring travel at the front axle, rad/m.
    pub d_f: f64,
    /// Camber per spring travel at the rear axle, rad/m.
    pub d_r: f64,
    /// Camber per squared spring travel at the front axle, rad/m².
    pub e_f: f64,
    /// Camber per squared spring travel at the rear axle, rad/m².
    pub e_r: f64,
    /// The trailer, if the set has one.
    pub trailer: Trailer,
    /// The tyre of all wheels.
    pub tyre: Tyre,
}

/// Acceleration of gravity, m/s².
pub const GRAVITY: f64 = 9.81;

impl VehicleParameters {
    /// Returns the wheelbase, m.
    #[inline(always)]
    pub fn wheelbase(&self) -> f64 {
        self.a + self.b
    }

    /// Returns the parameter set of one of the four vehicles by its number in CommonRoad.
    pub fn of_vehicle(number: u64) -> Option<Self> {
        let sets = [FORD_ESCORT, BMW_320I, VW_VANAGON, TRUCK_TRAILER];
        sets.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
    }
}
