//! A car whose body rolls, pitches and heaves on four wheels with travel, and moves in the plane as one mass.
//!
//! In the plane, the car is a rigid vehicle: m (u̇ − ω v) = Σ F_x, m (v̇ + ω u) = Σ F_y and
//! J ω̇ = M about the centre of mass of the body, with the masses of the wheels at their places. Roll, pitch,
//! heave and travel follow from [`crate::equations`], without the terms that couple them to the plane.
//!
//! **Limit:** as for [`crate::car_14dof`]; for small angles.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use crate::car_14dof::{CHASSIS, WHEELS, class};
use crate::params::CarParams;
use crate::ports::{Inputs, Kept, Measured};
use crate::vehicle::{FORCES, Model};

class! {
    /// Car that moves in the plane as one mass, with roll, pitch, heave and the travel of four wheels. The
    /// reference point lies on the ground below the centre of mass.
    Car7Dof, true
}
