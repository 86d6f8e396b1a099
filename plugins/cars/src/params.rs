//! The parameters of the classes, and the car that they describe.

use simhost_sdk::prelude::*;
use simhost_tyres::tmeasy::load_index::Kind;

use crate::aero::AeroTable;
use crate::car::{Car, Spring};
use crate::spring_params::SpringParams;
use crate::steering_axis::SteeringAxis;
use crate::tmeasy::TMeasyTyre;

/// Geometry, masses and springs of a car.
#[derive(Clone, Debug, Params)]
pub struct CarParams {
    /// Mass of the body without the wheels. A larger value makes the car slower.
    #[param(default = 1340.0, above = 0.0, unit = "kg", scaling = Scaling::MASS)]
    mass: f64,
    /// Height of the centre of mass of the body above level ground at rest. A larger value makes the car
    /// roll and pitch more.
    #[param(default = 0.55, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    centre_height: f64,
    /// Moment of inertia of the body about its x axis. A larger value makes the car roll more slowly.
    #[param(default = 500.0, above = 0.0, unit = "kg·m²", scaling = Scaling::INERTIA)]
    roll_inertia: f64,
    /// Moment of inertia of the body about its y axis. A larger value makes the car pitch more slowly.
    #[param(default = 2200.0, above = 0.0, unit = "kg·m²", scaling = Scaling::INERTIA)]
    pitch_inertia: f64,
    /// Moment of inertia of the body about its z axis. A larger value makes the car yaw more slowly.
    #[param(default = 2400.0, above = 0.0, unit = "kg·m²", scaling = Scaling::INERTIA)]
    yaw_inertia: f64,
    /// Distance of the front axle from the centre of mass. A larger value makes the car understeer less.
    #[param(default = 1.2, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    front_axle: f64,
    /// Distance of the rear axle from the centre of mass. A larger value makes the car understeer more.
    #[param(default = 1.5, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    rear_axle: f64,
    /// Distance between the front wheels. A larger value makes the car roll less.
    #[param(default = 1.55, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    front_track: f64,
    /// Distance between the rear wheels. A larger value makes the car roll less.
    #[param(default = 1.55, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    rear_track: f64,
    /// Mass that moves with each front wheel. A larger value makes the wheels hop more slowly.
    #[param(default = 40.0, above = 0.0, unit = "kg", scaling = Scaling::MASS)]
    front_unsprung_mass: f64,
    /// Mass that moves with each rear wheel. A larger value makes the wheels hop more slowly.
    #[param(default = 40.0, above = 0.0, unit = "kg", scaling = Scaling::MASS)]
    rear_unsprung_mass: f64,
    /// Height of the front roll centre above the ground, for an axle without a suspension class. A larger
    /// value makes the body roll less and transfers load past the springs.
    #[param(default = 0.05, unit = "m", scaling = Scaling::LENGTH)]
    front_roll_centre: f64,
    /// Height of the rear roll centre above the ground, for an axle without a suspension class. A larger
    /// value makes the body roll less and transfers load past the springs.
    #[param(default = 0.1, unit = "m", scaling = Scaling::LENGTH)]
    rear_roll_centre: f64,
    /// Stiffness of each front spring, at the wheel if no suspension class has another motion ratio. A larger
    /// value makes the car roll and pitch less.
    #[param(default = 25000.0, above = 0.0, unit = "N/m", scaling = Scaling::STIFFNESS)]
    front_stiffness: f64,
    /// Stiffness of each rear spring, as at the front.
    #[param(default = 25000.0, above = 0.0, unit = "N/m", scaling = Scaling::STIFFNESS)]
    rear_stiffness: f64,
    /// Damping of each front damper, at the wheel if no suspension class has another motion ratio. A larger
    /// value makes oscillations fade sooner.
    #[param(default = 2500.0, range = 0.0.., unit = "N·s/m", scaling = Scaling::DAMPING)]
    front_damping: f64,
    /// Damping of each rear damper, as at the front.
    #[param(default = 2500.0, range = 0.0.., unit = "N·s/m", scaling = Scaling::DAMPING)]
    rear_damping: f64,
    /// Springs and dampers by curve, stops and preloads.
    #[param(flatten)]
    springs: SpringParams,
    /// Stiffness of the front anti-roll bar: force at each wheel per difference of the travels. A larger
    /// value makes the car understeer more.
    #[param(default = 0.0, range = 0.0.., unit = "N/m", scaling = Scaling::STIFFNESS)]
    front_anti_roll_bar: f64,
    /// Stiffness of the rear anti-roll bar: force at each wheel per difference of the travels. A larger
    /// value makes the car understeer less.
    #[param(default = 0.0, range = 0.0.., unit = "N/m", scaling = Scaling::STIFFNESS)]
    rear_anti_roll_bar: f64,
    /// Free radius of the wheels. A larger value makes the car faster at the same spin.
    #[param(default = 0.32, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    wheel_radius: f64,
    /// Vertical stiffness of each tyre. A larger value makes the wheels hop faster.
    #[param(default = 250000.0, above = 0.0, unit = "N/m", scaling = Scaling::STIFFNESS)]
    tyre_stiffness: f64,
    /// Vertical damping of each tyre. A larger value makes the wheels hop less.
    #[param(default = 0.0, range = 0.0.., unit = "N·s/m", scaling = Scaling::DAMPING)]
    tyre_damping: f64,
    /// Drag coefficient times frontal area. A larger value makes the car slow down more at speed.
    #[param(default = 0.0, range = 0.0.., unit = "m²", scaling = Scaling::DRAG_AREA)]
    drag_area: f64,
    /// CSV file with the forces of the air: columns `yaw_deg` or `yaw` (rad), optionally `ride_height` (m, from rest) or
    /// `ride_height_mm`, and `drag`, `side`, `lift_front`, `lift_rear` (m², force per dynamic pressure) and `yaw_moment`
    /// (m³). The drag of `drag_area` acts in addition.
    aero_table: Option<TextFile>,
    /// Share of the drive torque on the front axle; each wheel of an axle takes half. A larger value makes
    /// the car pull itself around a curve.
    #[param(default = 0.5, range = 0.0..=1.0)]
    front_drive: f64,
    /// Share of the brake torque on the front axle. A larger value makes the front wheels lock first.
    #[param(default = 0.6, range = 0.0..=1.0)]
    brake_bias: f64,
    /// Steering angle limit of an equivalent wheel in the middle of the front axle. A larger value allows
    /// the car to turn in a smaller circle.
    #[param(default = 35.0, above = 0.0, below = 89.4, unit = "deg", scale = math::DEG,
            key = "max_steer_ang_deg")]
    max_steer: f64,
    /// Steering angles of the front wheels: `ackermann`, or `parallel` for the same angle of both.
    #[param(default = "ackermann")]
    steering: SteeringLaw,
    /// Travel of the steering rack per steering angle. With a value other than 0, a suspension class of the
    /// front axle turns the wheels by the toe that follows from the rack.
    #[param(default = 0.0, unit = "m/rad", scaling = Scaling::LENGTH)]
    rack_ratio: f64,
    /// Axes about which the front wheels are steered, for `kingpin_moment`.
    kingpin: SteeringAxis,
    /// Equations of motion: `rigid_body`, or `shim_ghike` for the equations of the paper, which leave out
    /// gyroscopic moments and turn the horizontal velocity by the yaw alone.
    #[param(default = "rigid_body")]
    equations: EquationsChoice,
    /// Forces of the tyres: `friction` for the friction class, or `tmeasy` for the tyres of the group
    /// `tmeasy`, which are evaluated within each step of the integration. The friction class then has no
    /// effect.
    #[param(default = "friction")]
    tyres: TyreChoice,
    /// Tyres within the equations.
    tmeasy: TMeasyParams,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.00001..=0.005, unit = "s")]
    integration_step: f64,
}

/// Steering angles of the front wheels.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteeringLaw {
    /// The axes of all wheels meet in one point.
    #[param(key = "ackermann")]
    Ackermann,
    /// Both wheels have the same angle.
    #[param(key = "parallel")]
    Parallel,
}

/// Equations of motion.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EquationsChoice {
    /// With gyroscopic moments and the whole attitude.
    #[param(key = "rigid_body")]
    RigidBody,
    /// As in the paper.
    #[param(key = "shim_ghike")]
    ShimGhike,
}

/// Source of the forces of the tyres.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TyreChoice {
    /// The friction class.
    #[param(key = "friction")]
    Friction,
    /// Tyres within the equations.
    #[param(key = "tmeasy")]
    TMeasy,
}

/// TMeasy tyres within the equations.
#[derive(Clone, Debug, Params)]
pub struct TMeasyParams {
    /// Pattern, which determines the slip curves: `passenger` or `truck`.
    #[param(default = "passenger")]
    pattern: Pattern,
    /// Nominal load. A larger value describes a larger tyre.
    #[param(default = 3016.575, above = 0.0, unit = "N", scaling = Scaling::FORCE)]
    pn: f64,
    /// Factor on the friction of the curves. A larger value gives more grip.
    #[param(default = 1.0, above = 0.0, range = ..=3.0, unit = "1")]
    mu: f64,
    /// Rolling resistance coefficient. A larger value makes the car slow down more.
    #[param(default = 0.012, range = 0.0..=1.0, unit = "1")]
    c_rr: f64,
    /// Weight of the free radius in the effective radius, at pn and 2 pn.
    #[param(default = [0.375, 0.75], range = 0.0..=1.0, unit = "1")]
    rdynco: [f64; 2],
    /// Moment of inertia of each wheel about its axle. A larger value makes the wheels spin up more slowly.
    #[param(default = 1.0, above = 0.0, unit = "kg·m²", scaling = Scaling::INERTIA)]
    wheel_inertia: f64,
    /// Sliding velocity at which the force near standstill is almost complete. A larger value makes it softer.
    #[param(default = 1.0, above = 0.0, unit = "m/s")]
    v_coulomb: f64,
    /// Speed below which the force near standstill acts alone.
    #[param(default = 1.0, range = 0.0.., unit = "m/s")]
    blend_begin: f64,
    /// Speed above which the force of slip acts alone.
    #[param(default = 3.0, above = 0.0, unit = "m/s")]
    blend_end: f64,
}

/// Pattern of a tyre.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Passenger car.
    #[param(key = "passenger")]
    Passenger,
    /// Truck.
    #[param(key = "truck")]
    Truck,
}

impl TMeasyParams {
    fn tyre(&self, radius: f64) -> TMeasyTyre {
        let pattern = match self.pattern {
            Pattern::Passenger => Kind::Passenger,
            Pattern::Truck => Kind::Truck,
        };
        TMeasyTyre {
            nominal: self.pn,
            directions: pattern.directions().unwrap_or_default(),
            grip: self.mu,
            free_weight: self.rdynco,
            rolling: self.c_rr,
            coulomb_speed: self.v_coulomb,
            blend: [self.blend_begin, self.blend_end],
            radius,
            inertia: self.wheel_inertia,
        }
    }
}

impl CarParams {
    /// Returns the car.
    ///
    /// # Errors
    ///
    /// Files of springs and dampers that are wrong.
    pub(crate) fn car(&self, planar: bool) -> Result<Car, String> {
        let (front, rear) = (0.5 * self.front_track, 0.5 * self.rear_track);
        let both = |rear: f64, front: f64| [rear, rear, front, front];
        let mut car = Car {
            mass: self.mass,
            height: self.centre_height,
            inertia: [self.roll_inertia, self.pitch_inertia, self.yaw_inertia],
            x: both(-self.rear_axle, self.front_axle),
            y: [rear, -rear, front, -front],
            unsprung: both(self.rear_unsprung_mass, self.front_unsprung_mass),
            roll_arm: both(self.rear_roll_centre, self.front_roll_centre)
                .map(|height| self.centre_height - height),
            bar: both(self.rear_anti_roll_bar, self.front_anti_roll_bar),
            radius: [self.wheel_radius; 4],
            tyre_stiffness: [self.tyre_stiffness; 4],
            tyre_damping: [self.tyre_damping; 4],
            spin_inertia: [self.tmeasy.wheel_inertia; 4],
            gravity: 9.81,
            simplified: self.equations == EquationsChoice::ShimGhike,
            planar,
            ..Car::default()
        };
        let load = car.body_load();
        let stiffness = both(self.rear_stiffness, self.front_stiffness);
        let damping = both(self.rear_damping, self.front_damping);
        let linear = [0, 2].map(|wheel: usize| [stiffness[wheel], damping[wheel]]);
        car.curves = self.springs.axles(linear)?;
        let curves = &car.curves;
        let carried =
            |wheel: usize| curves[wheel / 2].as_ref().is_some_and(|axle| axle.carries_weight);
        car.springs = std::array::from_fn(|wheel| Spring {
            stiffness: stiffness[wheel],
            damping: damping[wheel],
            preload: if carried(wheel) { 0.0 } else { load[wheel] },
        });
        Ok(car)
    }

    /// Returns the tyres within the equations, if they act.
    pub(crate) fn tyres(&self) -> Option<TMeasyTyre> {
        (self.tyres == TyreChoice::TMeasy).then(|| self.tmeasy.tyre(self.wheel_radius))
    }

    #[inline(always)]
    pub(crate) fn integration_step(&self) -> f64 {
        self.integration_step
    }

    #[inline(always)]
    pub(crate) fn drag_area(&self) -> f64 {
        self.drag_area
    }

    #[inline(always)]
    pub(crate) fn max_steer(&self) -> f64 {
        self.max_steer
    }

    #[inline(always)]
    pub(crate) fn wheel_radius(&self) -> f64 {
        self.wheel_radius
    }

    /// Returns the forces of the air, if there is a table.
    ///
    /// # Errors
    ///
    /// A file that is not a table.
    pub(crate) fn aero(&self) -> Result<Option<AeroTable>, String> {
        self.aero_table.as_ref().map(AeroTable::read).transpose()
    }

    /// Returns the axes about which the front wheels are steered.
    #[inline(always)]
    pub(crate) const fn kingpin(&self) -> &SteeringAxis {
        &self.kingpin
    }

    /// Returns the travel of the rack for a steering angle, m.
    #[inline(always)]
    pub(crate) fn rack(&self, steer: f64) -> f64 {
        self.rack_ratio * steer
    }

    /// Returns whether a rack turns the front wheels.
    #[inline(always)]
    pub(crate) fn has_rack(&self) -> bool {
        self.rack_ratio != 0.0
    }

    /// Returns the steering angles of the front wheels, rad.
    #[inline(always)]
    pub(crate) fn steer(&self, angle: f64) -> [f64; 2] {
        let angle = math::limit(angle, self.max_steer);
        match self.steering {
            SteeringLaw::Parallel => [angle; 2],
            SteeringLaw::Ackermann => {
                let wheelbase = self.front_axle + self.rear_axle;
                let (left, right) = simhost_sdk::kinematics::ackermann_angles(
                    angle,
                    wheelbase,
                    self.front_track,
                    self.max_steer,
                );
                [left, right]
            }
        }
    }

    /// Returns the shares of a drive torque and of a brake torque on each wheel.
    #[inline(always)]
    pub(crate) fn shares(&self) -> [[f64; 4]; 2] {
        let share = |front: f64| {
            let (rear, front) = (0.5 * (1.0 - front), 0.5 * front);
            [rear, rear, front, front]
        };
        [share(self.front_drive), share(self.brake_bias)]
    }

    /// Checks that springs and bars hold the body upright.
    pub(crate) fn check(&self, car: &Car) -> Result<(), String> {
        let restoring: f64 =
            (0..4).map(|i| (car.stiffness(i) + 2.0 * car.bar[i]) * car.y[i] * car.y[i]).sum();
        let arm = car.roll_arm.iter().sum::<f64>() / 4.0;
        let toppling = car.mass * car.gravity * arm;
        if restoring <= toppling {
            return Err(format!(
                "the springs resist a roll of the body with {restoring} N·m/rad, its weight topples it with \
                 {toppling} N·m/rad; expected stiffer springs or bars, or a lower centre_height"
            ));
        }
        self.check_weight(car)?;
        let lowest = car.rest().deflection.into_iter().fold(0.0, f64::max);
        if lowest >= self.wheel_radius {
            return Err(format!(
                "the weight presses the tyres in by {lowest} m, expected less than wheel_radius \
                 ({} m): use a larger tyre_stiffness",
                self.wheel_radius
            ));
        }
        if self.tmeasy.blend_begin >= self.tmeasy.blend_end {
            return Err("blend_begin of tmeasy is not less than blend_end".into());
        }
        Ok(())
    }

    /// Checks that springs with a preload carry the body before it reaches the ground.
    fn check_weight(&self, car: &Car) -> Result<(), String> {
        let load = car.body_load();
        for (name, wheel) in [("rear", 0), ("front", 2)] {
            let carrying = car.curves[wheel / 2].as_ref().filter(|axle| axle.carries_weight);
            let Some(axle) = carrying else { continue };
            let most = axle.spring.at(self.centre_height)[0];
            if most < load[wheel] {
                return Err(format!(
                    "the {name} springs carry {most} N each when they are compressed by centre_height, the body \
                     weighs {} N on each; use a larger {name}_preload, stiffer springs or a {name}_bump_stop",
                    load[wheel]
                ));
            }
        }
        Ok(())
    }
}
