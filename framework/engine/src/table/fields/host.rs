//! Quantities that the host computes.

use simhost_abi::Scope;
use simhost_abi::host_port::{HostPort, MEASUREMENTS};

use super::{Field, Fields, Read, Table};
use crate::columns::Column;
use crate::readings::Units;
use crate::table::driving::Driving;
use crate::table::models::Models;

/// Measurements of the host that are part of pose and twist, or are those of the world.
const ELSEWHERE: &[&str] = &["x", "y", "z", "yaw", "pitch", "roll", "vx", "vy", "omega", "gravity"];

/// Measurements of the body of the host, on which no force acts if the class imposes its motion. Such a
/// class publishes its own, or there are none.
pub(super) const BODY: [&str; 5] = ["chassis_mass", "mass", "yaw_inertia", "centre_x", "centre_y"];

/// Quantities of wheels of the same kind.
const LOADS: [&str; 4] = ["torque", "normal_force", "fx", "fy"];

impl Models {
    /// Returns the column of a measurement of the dynamics class.
    pub(in crate::table) fn own_measurement(&self, name: &str) -> Option<Column> {
        let measure = &self.measure;
        let place = measure.phase.outputs().iter().position(|port| port.name() == name)?;
        Some(measure.outputs()[place])
    }
}

impl Fields {
    pub(super) fn host(
        &mut self,
        of_wheel: bool,
        name: &str,
        units: Units,
        doc: &'static str,
        read: Read,
    ) {
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

impl Fields {
    pub(super) fn add_host(&mut self, table: &Table) {
        let host = &table.vehicles.host;
        self.host(
            false,
            "pose",
            Units::Pose,
            "Reference point: x, y, z; yaw, pitch, roll; world frame.",
            Read::Pose,
        );
        self.host(
            false,
            "twist",
            Units::Twist,
            "Reference point: forward and leftward velocity, yaw rate; vehicle frame.",
            Read::Twist,
        );
        self.host(
            false,
            "odometry_pose",
            Units::Pose,
            "Pose as the dynamics class estimates it from the wheels.",
            Read::OdometryPose,
        );
        self.host(
            false,
            "odometry_twist",
            Units::Twist,
            "Twist as the dynamics class estimates it from the wheels; vehicle frame.",
            Read::OdometryTwist,
        );
        if let Some((place, velocity)) = table.centre_reads() {
            let doc = "Centre of mass of chassis and wheels: x, y, z; world frame.";
            self.host(false, "centre_of_mass", Units::All("m"), doc, place);
            let doc = "Velocity of the centre of mass along x and y; world frame.";
            self.host(false, "centre_of_mass_velocity", Units::All("m/s"), doc, velocity);
        }
        let [x, y] = host.wheel_force;
        for (name, column, doc) in [
            ("wheel_force_x", x, "Forward force of all wheels in the last step, vehicle frame."),
            ("wheel_force_y", y, "Leftward force of all wheels in the last step, vehicle frame."),
        ] {
            if !table.blueprint.imposes_motion() {
                self.host(false, name, Units::All("N"), doc, Read::Column(column));
            }
        }
        self.add_transfer(table);
        if let Some(air) = host.air.as_ref().filter(|air| air.blows) {
            for (axis, name) in ["wind_x", "wind_y", "wind_z"].into_iter().enumerate() {
                let doc = "Velocity of the air at the centre of pressure in the last step, world frame; 0 without aerodynamic forces.";
                self.host(false, name, Units::All("m/s"), doc, Read::Column(air.wind[axis]));
            }
        }
        for port in MEASUREMENTS {
            if port.scope == Scope::Instance
                && !ELSEWHERE.contains(&port.name)
                && let Some(column) = table.body_column(port.name)
            {
                self.measurement(port, column);
            }
        }
    }

    /// Adds accelerations and the direction of motion, except those that a model has.
    pub(super) fn add_motion(&mut self, table: &Table) {
        let centre = table.centre_columns();
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
            self.add_unless_known(false, [name, unit], doc, read);
        }
        const DOC: &str = "Angle from the heading of the wheel to its velocity in the last step, positive to the left, \
            also in reverse; 0 below 0.1 m/s.";
        self.add_unless_known(true, ["slip_angle", "rad"], DOC, Read::SlipAngle);
    }

    /// Adds how near vehicles are to tipping over, and the torque of their steering.
    fn add_transfer(&mut self, table: &Table) {
        let has_loads = table.vehicles.environment.dynamic_loads;
        if !matches!(table.blueprint.driving, Driving::Wheels) || !has_loads {
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
            self.host(false, name, Units::All("1"), doc, Read::LoadTransfer(axis));
        }
        if table
            .vehicles
            .lanes
            .iter()
            .any(|lane| lane.fixed.trails.iter().any(|trail| !trail.is_nan()))
        {
            let doc = "Torque of the ground on all steered wheels about their steering axes, positive counter-clockwise.";
            let read = Read::SteeringTorque;
            self.host(false, "steering_torque", Units::All("N·m"), doc, read);
        }
    }

    pub(super) fn add_host_wheels(&mut self, table: &Table) {
        let (host, measured) = (&table.vehicles.host, &table.vehicles.host.measured);
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
        let has = |name: &str| !table.blueprint.imposes_motion() || !LOADS.contains(&name);
        for (name, unit, column, doc) in list.into_iter().filter(|(name, ..)| has(name)) {
            self.host(true, name, Units::All(unit), doc, Read::Column(column));
        }
        self.host(
            true,
            "position",
            Units::All("m"),
            "Centre of the wheel: x, y, z; world frame.",
            Read::WheelPosition,
        );
        // the last one is a quantity of the friction model
        let known = [
            "spin",
            "wheel_steer",
            "wheel_vx",
            "wheel_vy",
            "wheel_angle",
            "wheel_fx",
            "wheel_fy",
            "wheel_aligning_moment",
        ];
        for port in MEASUREMENTS {
            if port.scope == Scope::Wheel
                && !known.contains(&port.name)
                && let Some(column) = table.blueprint.measurements.get(port.name)
            {
                self.measurement(port, column);
            }
        }
    }
}

impl Table {
    /// Returns the column of a measurement of vehicles. A class that imposes its motion has those of
    /// [`BODY`] that it measures itself.
    pub(in crate::table) fn body_column(&self, name: &str) -> Option<Column> {
        match self.blueprint.driving.sets_pose() && BODY.contains(&name) {
            true => self.models.own_measurement(name),
            false => self.blueprint.measurements.get(name),
        }
    }

    /// Returns the ways to read place and velocity of the centre of mass.
    fn centre_reads(&self) -> Option<(Read, Read)> {
        if !self.blueprint.driving.sets_pose() {
            return Some((Read::CentreOfMass, Read::CentreVelocity));
        }
        let own = |name| self.models.own_measurement(name);
        let [x, y, z] = [own("centre_x")?, own("centre_y")?, own("centre_z")?];
        Some((Read::Point([x, y, z]), Read::PointVelocity([x, y])))
    }
}

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
