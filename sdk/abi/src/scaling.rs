//! How the parameters of a model follow the size of a vehicle.
//!
//! Like the tables in `ability.rs`, these structs are not part of the fingerprint and never change under
//! their id.

use crate::values::Slice;

/// Id of [`ScalingTable`], asked of [`Model::ability`](crate::Model::ability).
pub const SCALING_ABILITY: &str = "simhost.scaling/1";

/// Exponents of one quantity: a vehicle of `s` times the size has `s` to this power times the value.
///
/// Both laws keep the velocity over time v(t) for the same pedals. Lengths, accelerations and speeds of
/// the engine therefore have the same exponents under both, 1, 0 and 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// Exponent for constant density: the mass has 3. NaN for both exponents means the exponents of
    /// the port on which an actuator acts.
    pub constant_density: f64,
    /// Exponent for constant mass: the mass has 0.
    pub constant_mass: f64,
}

/// The exponents of one parameter.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ParamScaling {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// One item for all numbers of the parameter, or one per item of a list; none if the exponents are
    /// not declared.
    pub exponents: Slice<Scaling>,
    /// Exponents of the parameters of a group, in their order.
    pub children: Slice<ParamScaling>,
}

/// The exponents of all parameters of a model. Without this table, no exponents are declared.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScalingTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// One item per parameter of the model, in their order.
    pub params: Slice<ParamScaling>,
}

impl Scaling {
    /// A quantity that does not follow the size: times, angles, speeds and accelerations of the vehicle,
    /// speeds of the engine, voltages.
    pub const INVARIANT: Self = Self::new(0.0, 0.0);
    /// A length.
    pub const LENGTH: Self = Self::new(1.0, 1.0);
    /// A ratio between the speeds of engine and wheels, which keeps the speed of the engine.
    pub const FINAL_DRIVE: Self = Self::LENGTH;
    /// The inverse of a length.
    pub const PER_LENGTH: Self = Self::new(-1.0, -1.0);
    /// A speed of wheels, and a yaw rate of the vehicle.
    pub const WHEEL_SPEED: Self = Self::PER_LENGTH;
    /// A mass.
    pub const MASS: Self = Self::new(3.0, 0.0);
    /// A force.
    pub const FORCE: Self = Self::MASS;
    /// A torque of wheels.
    pub const WHEEL_TORQUE: Self = Self::new(4.0, 1.0);
    /// A torque per speed of wheels, such as a damping.
    pub const WHEEL_DAMPING: Self = Self::new(5.0, 2.0);
    /// A moment of inertia of wheels or of the vehicle.
    pub const INERTIA: Self = Self::new(5.0, 2.0);
    /// A torque of an engine or motor, before the final drive.
    pub const ENGINE_TORQUE: Self = Self::MASS;
    /// A moment of inertia of an engine or motor.
    pub const ENGINE_INERTIA: Self = Self::MASS;
    /// A power or an energy.
    pub const POWER: Self = Self::MASS;
    /// A drag coefficient times an area, which keeps the deceleration by drag.
    pub const DRAG_AREA: Self = Self::MASS;
    /// A spring rate, which keeps pitch and roll at equal acceleration.
    pub const STIFFNESS: Self = Self::new(2.0, -1.0);
    /// A damping rate of a suspension, which keeps the damping ratio.
    pub const DAMPING: Self = Self::new(2.5, -0.5);
    /// A pose in the plane: two lengths and an angle.
    pub const POSE: [Self; 3] = [Self::LENGTH, Self::LENGTH, Self::INVARIANT];
    /// A pose in space: three lengths and three angles.
    pub const POSE_3D: [Self; 6] = {
        let [length, angle] = [Self::LENGTH, Self::INVARIANT];
        [length, length, length, angle, angle, angle]
    };
    /// For actuators: the exponents of the port on which the actuator acts.
    pub const PORT: Self = Self::new(f64::NAN, f64::NAN);

    /// Returns the exponents under constant density and under constant mass.
    pub const fn new(constant_density: f64, constant_mass: f64) -> Self {
        Self { constant_density, constant_mass }
    }
}

impl ParamScaling {
    /// Exponents that are not declared.
    pub const NONE: Self = Self::new(&[], &[]);

    /// Returns the exponents of a parameter and of the parameters of a group.
    pub const fn new(exponents: &'static [Scaling], children: &'static [Self]) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            reserved: 0,
            exponents: Slice::new(exponents),
            children: Slice::new(children),
        }
    }
}
