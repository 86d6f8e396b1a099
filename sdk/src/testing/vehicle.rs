//! A vehicle of any dynamics class, for tests that apply to all classes.

use std::rc::Rc;

use simhost_abi::{PortDesc, Scope};

use crate::{Columns, Dynamics, Motion, Ports, Step, math};

use super::platform::{self, Driven, WheelPose};
use super::{Lane, Named, mirror};

/// A vehicle of any dynamics class on level ground, with quantities accessed by name. It can be set
/// in motion, driven and mirrored. A list of vehicles can hold different classes.
///
/// ```
/// use simhost_sdk::prelude::*;
/// use simhost_sdk::testing::{self, Vehicle};
/// # /// Torque.
/// # #[derive(Ports)]
/// # pub struct Torque {
/// #     /// On both wheels.
/// #     #[port(unit = "N·m")]
/// #     torque: f64,
/// # }
/// # /// Two wheels.
/// # #[derive(Params)]
/// # pub struct Rover {
/// #     /// Largest torque.
/// #     #[param(default = 5.0, unit = "N·m")]
/// #     max_torque: f64,
/// # }
/// # #[model]
/// # impl Dynamics for Rover {
/// #     type Actuators = Torque;
/// #     type Measurements = ();
/// #     const WHEELS: &'static [WheelPlace] =
/// #         &[WheelPlace::at("l", 0.0, 0.3), WheelPlace::at("r", 0.0, -0.3)];
/// #     const CHASSIS: Chassis =
/// #         Chassis { mass: 9.0, z_min: 0.0, z_max: 1.0, polygon: &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0] };
/// #     fn drive(&self, given: &Torque, wheels: &mut Wheels, _: &Step, _: &mut ()) {
/// #         wheels.set_torque(0, math::limit(given.torque, self.max_torque));
/// #         wheels.set_torque(1, math::limit(given.torque, self.max_torque));
/// #     }
/// #     fn measure(&self, _: &WheelMotion) {}
/// # }
///
/// let mut rover = Vehicle::new::<Rover>(&[("max_torque", "2")]);
/// rover.inputs["torque"] = -7.0;
/// assert_eq!(rover.drive(&testing::step()).wheels, [-2.0, -2.0]);
///
/// // a vehicle without torque gains no energy
/// rover.inputs["torque"] = 0.0;
/// rover.roll(3.0, 0.5);
/// let energy = rover.energy();
/// for _ in 0..100 {
///     rover.go(&testing::step());
///     assert!(rover.energy() <= energy);
/// }
/// ```
pub struct Vehicle {
    /// Actuators, and measurements of the host such as `gravity`. Pose and velocity come from
    /// [`Self::body`].
    pub inputs: Named,
    /// The wheels, where the class places them.
    pub wheels: Vec<WheelPose>,
    /// Inputs of the wheels, in the order of [`Dynamics::WHEEL_INPUTS`], with one value per wheel.
    pub wheel_inputs: Vec<Vec<f64>>,
    /// Pose and velocity of the reference point, which is also the centre of mass.
    pub body: Motion,
    /// Motion that a class with the output [`crate::SpatialMotion`] adds.
    space: Space,
    /// Mass of the whole vehicle, kg.
    pub mass: f64,
    /// Inertia in yaw about the centre of mass, kg·m².
    pub yaw_inertia: f64,
    /// Inertia of each wheel about its axle, kg·m².
    pub wheel_inertia: f64,
    class: Box<dyn Class>,
}

/// Height, m, pitch and roll, rad, and the velocities that [`Motion`] does not contain, m/s and
/// rad/s.
#[derive(Clone, Copy, Default)]
struct Space {
    z: f64,
    pitch: f64,
    roll: f64,
    vz: f64,
    pitch_rate: f64,
    roll_rate: f64,
}

impl Space {
    /// Returns the motion with the name of the measurement that shows it.
    fn measured(self) -> [(&'static str, f64); 6] {
        [
            ("z", self.z),
            ("pitch", self.pitch),
            ("roll", self.roll),
            ("body_velocity_z", self.vz),
            ("body_rate_y", self.pitch_rate),
            ("body_rate_x", self.roll_rate),
        ]
    }
}

impl Vehicle {
    /// Creates a vehicle at rest, from parameters written as in a world file (`group.key` for a
    /// parameter of a group) and the defaults of the others. Its mass is the mass of the default
    /// chassis plus 2 kg per wheel.
    ///
    /// # Panics
    ///
    /// If a parameter is unknown, missing or out of range, or if the class rejects them.
    pub fn new<M: Dynamics>(given: &[(&str, &str)]) -> Self {
        let (model, states) = super::written::<M>(given);
        let wheels = platform::arranged(&model);
        let wheel_inputs = M::WHEEL_INPUTS.iter().map(|port| vec![port.default; wheels.len()]);
        let wheel_inputs = wheel_inputs.collect();
        let mass = M::CHASSIS.mass + 2.0 * wheels.len() as f64;
        let extent = |axis: usize| {
            let along = || M::CHASSIS.polygon.iter().skip(axis).step_by(2).copied();
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        let [length, width] = [0, 1].map(extent);
        let yaw_inertia = mass * (length * length + width * width) / 12.0;
        let mut inputs = Named::of(M::Actuators::PORTS);
        for (name, value) in
            [("gravity", 9.81), ("chassis_mass", M::CHASSIS.mass), ("radius", wheels[0].radius)]
        {
            inputs.set(name, value);
        }
        let (body, space) = (Motion::default(), Space::default());
        let class = Box::new(Running::<M>::new(Rc::new(model), states.into()));
        Self {
            inputs,
            wheels,
            wheel_inputs,
            body,
            space,
            mass,
            yaw_inertia,
            wheel_inertia: 0.04,
            class,
        }
    }

    /// Sets the vehicle in motion with rolling wheels: `vx`, m/s, forwards and `omega`, rad/s.
    pub fn roll(&mut self, vx: f64, omega: f64) {
        (self.body.vx, self.body.vy, self.body.omega) = (vx, 0.0, omega);
        platform::roll(&mut self.wheels, vx, omega);
    }

    /// Sets the velocity of the body. The wheels keep their spins.
    pub fn push(&mut self, vx: f64, vy: f64, omega: f64) {
        (self.body.vx, self.body.vy, self.body.omega) = (vx, vy, omega);
        for wheel in &mut self.wheels {
            wheel.velocity = [vx - omega * wheel.y, vy + omega * wheel.x];
        }
    }

    /// Calls [`Dynamics::drive`]. The vehicle keeps its motion; see [`Self::go`].
    pub fn drive(&mut self, step: &Step) -> Driven<Named> {
        let Motion { x, y, yaw, vx, vy, omega } = self.body;
        let told = [("x", x), ("y", y), ("yaw", yaw), ("vx", vx), ("vy", vy), ("omega", omega)];
        for (name, value) in
            told.into_iter().chain([("mass", self.mass), ("yaw_inertia", self.yaw_inertia)])
        {
            self.inputs.set(name, value);
        }
        for (name, value) in self.space.measured() {
            self.inputs.set(name, value);
        }
        let motion = platform::motion(&self.wheels, &self.wheel_inputs);
        self.class.drive(self.inputs.values(), motion, step)
    }

    /// Calls [`Dynamics::measure_state`]. Measurements with one value per wheel are left out.
    pub fn measure(&mut self) -> Named {
        self.class.measure(&platform::motion(&self.wheels, &self.wheel_inputs))
    }

    /// Drives the vehicle for a step and moves it accordingly. Torques turn the wheels but do not
    /// push the vehicle, because tyre forces belong to friction models.
    pub fn go(&mut self, step: &Step) -> Driven<Named> {
        let driven = self.drive(step);
        let dt = step.dt;
        for (i, wheel) in self.wheels.iter_mut().enumerate() {
            wheel.steer = driven.steer[i];
            if driven.brake.is_empty() {
                wheel.spin = driven.wheels[i];
            } else {
                let free = wheel.spin + dt / self.wheel_inertia * driven.wheels[i];
                wheel.spin = free - math::limit(free, dt / self.wheel_inertia * driven.brake[i]);
            }
        }
        let answer = |name| driven.answer.get(name);
        if let (Some(fx), Some(fy), Some(moment)) =
            (answer("force_x"), answer("force_y"), answer("moment"))
        {
            let Motion { x, y, yaw, vx, vy, omega } = self.body;
            let (vx, vy) = (vx + dt / self.mass * fx, vy + dt / self.mass * fy);
            let omega = omega + dt / self.yaw_inertia * moment;
            let (sin, cos) = math::sin_cos(yaw);
            let (x, y) = (x + dt * (cos * vx - sin * vy), y + dt * (sin * vx + cos * vy));
            // its velocity in space is constant while the vehicle turns
            let (sin, cos) = math::sin_cos(dt * omega);
            let (vx, vy) = (cos * vx + sin * vy, cos * vy - sin * vx);
            self.body = Motion { x, y, yaw: yaw + dt * omega, vx, vy, omega };
        } else if let Some(x) = answer("x") {
            let of = |name| driven.answer[name];
            let (y, yaw) = (of("y"), of("yaw"));
            self.body = Motion { x, y, yaw, vx: of("vx"), vy: of("vy"), omega: of("omega") };
            let of = |name| answer(name).unwrap_or(0.0);
            self.space = Space {
                z: of("z"),
                pitch: of("pitch"),
                roll: of("roll"),
                vz: of("vz"),
                pitch_rate: of("pitch_rate"),
                roll_rate: of("roll_rate"),
            };
        }
        let Motion { vx, vy, omega, .. } = self.body;
        self.push(vx, vy, omega);
        driven
    }

    /// Kinetic energy of body and wheels, J.
    pub fn energy(&self) -> f64 {
        let Motion { vx, vy, omega, .. } = self.body;
        let body = self.mass * (vx * vx + vy * vy) + self.yaw_inertia * omega * omega;
        let wheels = self.wheels.iter().map(|wheel| self.wheel_inertia * wheel.spin * wheel.spin);
        0.5 * (body + wheels.sum::<f64>())
    }

    /// Returns the same vehicle with the state that it has at the start of a run.
    pub fn again(&self) -> Self {
        Self {
            inputs: self.inputs.clone(),
            wheels: self.wheels.clone(),
            wheel_inputs: self.wheel_inputs.clone(),
            class: self.class.anew(),
            ..*self
        }
    }

    /// Returns the mirror image of this vehicle, left and right exchanged, with the state that it
    /// has at the start of a run.
    ///
    /// # Panics
    ///
    /// If the wheels do not stand symmetrically.
    pub fn mirrored(&self) -> Self {
        let partners = self.partners();
        let wheel = |from: &usize| {
            let wheel = self.wheels[*from];
            let [vx, vy] = wheel.velocity;
            WheelPose { y: -wheel.y, velocity: [vx, -vy], steer: -wheel.steer, ..wheel }
        };
        let input = |column: &Vec<f64>| partners.iter().map(|from| column[*from]).collect();
        let Motion { x, y, yaw, vx, vy, omega } = self.body;
        let Space { roll, roll_rate, .. } = self.space;
        Self {
            inputs: mirror::quantities(&self.inputs),
            wheels: partners.iter().map(wheel).collect(),
            wheel_inputs: self.wheel_inputs.iter().map(input).collect(),
            body: Motion { x, y: -y, yaw: -yaw, vx, vy: -vy, omega: -omega },
            space: Space { roll: -roll, roll_rate: -roll_rate, ..self.space },
            class: self.class.anew(),
            ..*self
        }
    }

    /// Returns the result that the mirror image of this vehicle should have where this one has
    /// `driven`.
    ///
    /// # Panics
    ///
    /// As for [`Self::mirrored`].
    pub fn mirror_of(&self, driven: &Driven<Named>) -> Driven<Named> {
        let partners = self.partners();
        let of = |column: &[f64], sign: f64| match column {
            [] => Vec::new(),
            _ => partners.iter().map(|from| sign * column[*from]).collect(),
        };
        Driven {
            answer: mirror::quantities(&driven.answer),
            wheels: of(&driven.wheels, 1.0),
            steer: of(&driven.steer, -1.0),
            brake: of(&driven.brake, 1.0),
            camber: driven.camber.each_ref().map(|column| of(column, -1.0)),
            drive_inertia: of(&driven.drive_inertia, 1.0),
        }
    }

    fn partners(&self) -> Vec<usize> {
        let places: Vec<[f64; 2]> = self.wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
        mirror::wheels(&places).expect("wheels in mirrored places")
    }
}

/// Interface of a vehicle that hides its class.
trait Class {
    fn drive(&mut self, inputs: &[f64], motion: Vec<Vec<f64>>, step: &Step) -> Driven<Named>;
    fn measure(&mut self, motion: &[Vec<f64>]) -> Named;
    /// Returns the same model at the start of a run.
    fn anew(&self) -> Box<dyn Class>;
}

struct Running<M: Dynamics> {
    model: Rc<M>,
    /// States at the start of a run.
    initial: Rc<[f64]>,
    state: Lane<M::State>,
}

impl<M: Dynamics> Running<M> {
    fn new(model: Rc<M>, initial: Rc<[f64]>) -> Self {
        Self { state: Lane::new(model.memory(), initial.to_vec()), initial, model }
    }
}

fn named(ports: &[PortDesc], values: Vec<f64>) -> Named {
    Named::of(ports).with(values)
}

impl<M: Dynamics> Class for Running<M> {
    fn drive(&mut self, inputs: &[f64], motion: Vec<Vec<f64>>, step: &Step) -> Driven<Named> {
        let mut values = inputs.iter();
        let column = |port: &PortDesc| match Scope::from_u32(port.scope) {
            // no sample yet
            Scope::Array => (Vec::new(), f64::INFINITY),
            _ => (values.next().copied().into_iter().collect(), 0.0),
        };
        let (inputs, ages): (Vec<_>, Vec<_>) = M::Actuators::PORTS.iter().map(column).unzip();
        let driven = self.state.drive(&*self.model, inputs, &ages, motion, step);
        let Driven { answer, wheels, steer, brake, camber, drive_inertia } = driven;
        let answer = named(M::Output::PORTS, answer);
        Driven { answer, wheels, steer, brake, camber, drive_inertia }
    }

    fn measure(&mut self, motion: &[Vec<f64>]) -> Named {
        let measured = self.state.measure(&*self.model, motion).into_iter().enumerate();
        let of_vehicle = measured.filter(|(k, _)| M::Measurements::PER_WHEEL >> k & 1 == 0);
        named(M::Measurements::PORTS, of_vehicle.flat_map(|(_, column)| column).collect())
    }

    fn anew(&self) -> Box<dyn Class> {
        Box::new(Self::new(Rc::clone(&self.model), Rc::clone(&self.initial)))
    }
}
