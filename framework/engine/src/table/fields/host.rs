//! Quantities that the host computes.

use simhost_abi::Scope;
use simhost_abi::host_port::{HostPort, MEASUREMENTS};

use super::{Field, Fields, Read, Table};
use crate::columns::Column;
use crate::readings::Units;
use crate::table::driving::Driving;
use crate::table::vehicles::Vehicles;

/// Measurements of the host that are part of pose and twist, or are those of the world.
const ELSEWHERE: &[&str] = &["x", "y", "z", "yaw", "pitch", "roll", "vx", "vy", "omega", "gravity"];

/// Measurements of the body of the host, on which no force acts if the class imposes its motion. Such a
/// class publishes its own, or there are none.
pub(super) const BODY: [&str; 5] = ["chassis_mass", "mass", "yaw_inertia", "centre_x", "centre_y"];

/// Quantities of wheels of the same kind.
const LOADS: [&str; 4] = ["torque", "normal_force", "fx", "fy"];

impl Fields {
    fn host(&mut self, of_wheel: bool, name: &str, units: Units, doc: &'static str, read: Read) {
        let (name, source) = (name.to_owned(), "host".to_owned());
        self.add("host", Field { name, units, doc, source, of_wheel, wheel: None, read });
    }

    /// Adds a measurement of the host.
    fn measurement(&mut self, port: &'static HostPort, column: Column) {
        let of_wheel = port.scope == Scope::Wheel;
        let name = port.name.strip_prefix("wheel_").filter(|_| of_wheel).unwrap_or(port.name);
        self.host(of_wheel, name, Units::All(port.unit), port.doc, Read::Column(column));
    }
}

impl Table {
    pub(super) fn add_host_fields(&self, fields: &mut Fields) {
        let host = &self.vehicles.host;
        fields.host(
            false,
            "pose",
            Units::Pose,
            "Reference point: x, y, z; yaw, pitch, roll; world frame.",
            Read::Pose,
        );
        fields.host(
            false,
            "twist",
            Units::Twist,
            "Reference point: forward and leftward velocity, yaw rate; vehicle frame.",
            Read::Twist,
        );
        fields.host(
            false,
            "odometry_pose",
            Units::Pose,
            "Pose as the dynamics class estimates it from the wheels.",
            Read::OdometryPose,
        );
        fields.host(
            false,
            "odometry_twist",
            Units::Twist,
            "Twist as the dynamics class estimates it from the wheels; vehicle frame.",
            Read::OdometryTwist,
        );
        if let Some((place, velocity)) = self.centre_reads() {
            let doc = "Centre of mass of chassis and wheels: x, y, z; world frame.";
            fields.host(false, "centre_of_mass", Units::All("m"), doc, place);
            let doc = "Velocity of the centre of mass along x and y; world frame.";
            fields.host(false, "centre_of_mass_velocity", Units::All("m/s"), doc, velocity);
        }
        let [x, y] = host.wheel_force;
        for (name, column, doc) in [
            ("wheel_force_x", x, "Forward force of all wheels in the last step, vehicle frame."),
            ("wheel_force_y", y, "Leftward force of all wheels in the last step, vehicle frame."),
        ] {
            if !self.imposes_motion() {
                fields.host(false, name, Units::All("N"), doc, Read::Column(column));
            }
        }
        self.add_transfer_fields(fields);
        if let Some(air) = host.air.as_ref().filter(|air| air.blows) {
            for (axis, name) in ["wind_x", "wind_y", "wind_z"].into_iter().enumerate() {
                let doc = "Velocity of the air at the centre of pressure in the last step, world frame; 0 without aerodynamic forces.";
                fields.host(false, name, Units::All("m/s"), doc, Read::Column(air.wind[axis]));
            }
        }
        for port in MEASUREMENTS {
            if port.scope == Scope::Instance
                && !ELSEWHERE.contains(&port.name)
                && let Some(column) = self.body_column(port.name)
            {
                fields.measurement(port, column);
            }
        }
    }

    /// Adds accelerations and the direction of motion, except those that a model has.
    pub(super) fn add_motion_fields(&self, fields: &mut Fields) {
        let centre = self.centre_columns();
        for (name, unit, doc, read) in [
            (
                "longitudinal_acceleration",
                "m/s²",
                "Forward acceleration of the centre of mass in the last step, dv_x/dt − ω v_y, vehicle frame; of the reference point where the centre of mass is unknown.",
                Read::Acceleration(0, centre),
            ),
            (
                "lateral_acceleration",
                "m/s²",
                "Leftward acceleration of the centre of mass in the last step, dv_y/dt + ω v_x, vehicle frame; of the reference point where the centre of mass is unknown.",
                Read::Acceleration(1, centre),
            ),
            (
                "sideslip",
                "rad",
                "Angle from the longitudinal axis to the velocity of the centre of mass, positive to the left, also in reverse; 0 below 0.1 m/s.",
                Read::Sideslip(centre),
            ),
        ] {
            fields.add_unless_known(false, [name, unit], doc, read);
        }
        const DOC: &str = "Angle from the heading of the wheel to its velocity in the last step, positive to the left, \
            also in reverse; 0 below 0.1 m/s.";
        fields.add_unless_known(true, ["slip_angle", "rad"], DOC, Read::SlipAngle);
    }

    /// Adds how near vehicles are to tipping over, and the torque of their steering.
    fn add_transfer_fields(&self, fields: &mut Fields) {
        let has_loads = self.vehicles.environment.dynamic_loads;
        if !matches!(self.driving, Driving::Wheels) || !has_loads {
            return;
        }
        for (axis, name, doc) in [
            (
                0,
                "pitch_transfer_ratio",
                "Load that wheel forces take from the front wheels, as a part of that which lifts them: 1 when the vehicle begins to tip over backwards, −1 forwards.",
            ),
            (
                1,
                "load_transfer_ratio",
                "Load that wheel forces take from the left wheels, as a part of that which lifts them: 1 when the vehicle begins to tip over to the right, −1 to the left.",
            ),
        ] {
            fields.host(false, name, Units::All("1"), doc, Read::LoadTransfer(axis));
        }
        if self.vehicles.lanes.iter().any(|lane| lane.trails.iter().any(|trail| !trail.is_nan())) {
            let doc = "Torque of the ground on all steered wheels about their steering axes, positive counter-clockwise.";
            let read = Read::SteeringTorque;
            fields.host(false, "steering_torque", Units::All("N·m"), doc, read);
        }
    }

    /// Returns whether the dynamics class sets the motion of its vehicles, so that no force acts on them.
    pub(super) fn imposes_motion(&self) -> bool {
        matches!(self.driving, Driving::Motion(_))
    }

    /// Returns the column of a measurement of vehicles. A class that imposes its motion has those of
    /// [`BODY`] that it measures itself.
    pub(in crate::table) fn body_column(&self, name: &str) -> Option<Column> {
        match self.imposes_motion() && BODY.contains(&name) {
            true => self.own_measurement(name),
            false => self.measurements.get(name),
        }
    }

    /// Returns the column of a measurement of the dynamics class.
    fn own_measurement(&self, name: &str) -> Option<Column> {
        let measure = &self.models.measure;
        let place = measure.phase.outputs().iter().position(|port| port.name() == name)?;
        Some(measure.outputs()[place])
    }

    /// Returns the ways to read place and velocity of the centre of mass.
    fn centre_reads(&self) -> Option<(Read, Read)> {
        if !self.imposes_motion() {
            return Some((Read::CentreOfMass, Read::CentreVelocity));
        }
        let own = |name| self.own_measurement(name);
        let [x, y, z] = [own("centre_x")?, own("centre_y")?, own("centre_z")?];
        Some((Read::Point([x, y, z]), Read::PointVelocity([x, y])))
    }

    pub(super) fn add_host_wheel_fields(&self, fields: &mut Fields) {
        let (host, measured) = (&self.vehicles.host, &self.vehicles.host.measured);
        let [fx, fy] = host.own.force;
        let list = [
            ("spin", "rad/s", measured.spin, "Spin, positive when rolling forwards."),
            ("angle", "rad", host.own.angle, "Rotation about the axle, not wrapped."),
            ("steer", "rad", host.steer, "Steering angle, positive counter-clockwise."),
            ("torque", "N·m", host.torque, "Motor torque, positive forwards."),
            (
                "normal_force",
                "N",
                host.contact.normal_force,
                "Normal load, with the weight of the wheel.",
            ),
            (
                "vx",
                "m/s",
                measured.wheel_vx,
                "Forward velocity of the wheel centre in the last step, vehicle frame.",
            ),
            (
                "vy",
                "m/s",
                measured.wheel_vy,
                "Leftward velocity of the wheel centre in the last step, vehicle frame.",
            ),
            ("fx", "N", fx, "Forward force of the ground in the last step, vehicle frame."),
            ("fy", "N", fy, "Leftward force of the ground in the last step, vehicle frame."),
        ];
        let has = |name: &str| !self.imposes_motion() || !LOADS.contains(&name);
        for (name, unit, column, doc) in list.into_iter().filter(|(name, ..)| has(name)) {
            fields.host(true, name, Units::All(unit), doc, Read::Column(column));
        }
        fields.host(
            true,
            "position",
            Units::All("m"),
            "Centre of the wheel: x, y, z; world frame.",
            Read::WheelPosition,
        );
        let known =
            ["spin", "wheel_steer", "wheel_vx", "wheel_vy", "wheel_angle", "wheel_fx", "wheel_fy"];
        for port in MEASUREMENTS {
            if port.scope == Scope::Wheel
                && !known.contains(&port.name)
                && let Some(column) = self.measurements.get(port.name)
            {
                fields.measurement(port, column);
            }
        }
    }
}

/// Smallest speed by which a slip is divided, m/s.
const LEAST_SPEED: f64 = 1e-9;

impl Fields {
    /// Adds the slips and the rolling resistance of the wheels, unless the friction model has its own.
    pub(super) fn add_of_contact(&mut self) {
        const RATIO: &str = "Slip ratio with the velocity at the start of the step and the spin at its end: \
            positive when driving, −1 for a locked wheel.";
        const LATERAL: &str = "Tangent of the slip angle to the right, at the start of the step.";
        const ROLLING: &str = "Torque of rolling resistance and bearings about the axle in the last step, negative \
            when rolling forwards.";
        for (name, unit, doc, read) in [
            ("kappa", "1", RATIO, Read::SlipRatio),
            ("lateral", "1", LATERAL, Read::LateralSlip),
            ("rolling_resistance", "N·m", ROLLING, Read::RollingResistance),
        ] {
            self.add_unless_known(true, [name, unit], doc, read);
        }
    }

    /// Adds a quantity of the vehicle or of its wheels with a name and a unit, unless a model has one of its name.
    fn add_unless_known(
        &mut self,
        of_wheel: bool,
        [name, unit]: [&'static str; 2],
        doc: &'static str,
        read: Read,
    ) {
        let (name, source) = (name.to_owned(), "host".to_owned());
        let units = Units::All(unit);
        let field = Field { name, units, doc, source, of_wheel, wheel: None, read };
        if !self.has(&field) {
            self.found.push(field);
        }
    }
}

impl Vehicles {
    /// Returns the torque of the ground about the steering axes of the steered wheels, N·m: the aligning moment
    /// of the tyres, and their lateral force behind the axis.
    pub(super) fn steering_torque(&self, lane: usize) -> f64 {
        let trails = self.lanes[lane].trails.iter().enumerate();
        let steered = trails.filter(|(_, trail)| !trail.is_nan());
        let torque = steered.map(|(wheel, trail)| {
            let index = wheel * self.lanes.len() + lane;
            let aligning =
                self.host.aligning_moment.map_or(0.0, |column| self.value(column, index));
            aligning - trail * self.value(self.host.forces.fy, index)
        });
        torque.sum()
    }

    /// Returns the torque on a wheel that its longitudinal force does not explain, N·m: that of rolling resistance
    /// and bearings.
    pub(super) fn rolling_resistance(&self, lane: usize, wheel: usize) -> f64 {
        let (host, index) = (&self.host, wheel * self.lanes.len() + lane);
        let [force, torque] = self.values([host.forces.fx, host.forces.spin_torque], index);
        torque + force * self.value(host.measured.radius, index)
    }

    /// Returns the slip of a wheel, of a friction model that does not determine it from a curve: its slip
    /// ratio, and the tangent of its slip angle to the right.
    pub(super) fn slip(&self, lane: usize, wheel: usize) -> [f64; 2] {
        let (host, index) = (&self.host, wheel * self.lanes.len() + lane);
        let [vx, vy] = self.values([host.contact.vx, host.contact.vy], index);
        let [spin, radius] = self.values([host.measured.spin, host.measured.radius], index);
        let speed = vx.abs().max(LEAST_SPEED);
        [(spin * radius - vx) / speed, -vy / speed]
    }
}
