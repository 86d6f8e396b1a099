//! Where the samples of streams come from.
//!
//! The sources of a type define its owners, and the values that fill its samples. Names refer to
//! quantities, readings and parameters; the owner of the simulation looks them up.

use std::borrow::Cow;

/// Class of the sensor that reports the states of planning models.
pub const REPORTS: &str = "simhost/planning_reports";
/// Classes of the controllers that report to Autoware.
pub const INTERFACES: &[&str] = &["simhost/planning_interface", "simhost/command_converter"];
/// Value of these controllers: whether the vehicle has its first pose, before which nothing but the mode is
/// reported.
pub(crate) const INITIALIZED: &str = "initialized";

/// Streams of a type: one for each owner of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Owner of a stream.
    pub owner: Owner,
    /// Stream name, appended to the owner's name.
    pub name: &'static str,
    /// Frame of its values.
    pub frame: Frame,
    /// Frame that moves relative to `frame`.
    pub child_frame: Frame,
    /// Labels of a stream.
    pub labels: Labels,
    /// What the samples are, where the description of the type leaves it open; otherwise empty.
    pub doc: &'static str,
    /// Values that fill the fields in their order.
    pub values: &'static [&'static str],
    /// Value of the controller of the vehicle that replaces another one where the controller has it: the name
    /// of the other value, and its own.
    pub replaced: Option<(&'static str, &'static str)>,
    /// Rates that follow the values.
    pub rates: Rates,
    /// Value of the controller, and the number above which it is while there are samples.
    pub condition: Option<(&'static str, f64)>,
    /// Constants of a stream.
    pub constants: fn(&Settings<'_>) -> Constants,
}

/// Constants of a stream by name.
pub type Constants = Vec<(Cow<'static, str>, f64)>;

/// Owner of a stream, whose values fill its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A vehicle.
    Vehicle,
    /// All wheels of a vehicle: each value exists once per wheel.
    Wheels,
    /// The controller of a vehicle, if it has one of these classes.
    Controller(&'static [&'static str]),
    /// The dynamics of a vehicle, if its class starts with `class` and the controller has one of these.
    Dynamics {
        /// Start of the name of the class.
        class: &'static str,
        /// Classes of the controller.
        controllers: &'static [&'static str],
    },
    /// A sensor of a class. A stream whose bulk it fills takes two values: the bulk, and for each of its
    /// elements 0 if it is not a return.
    Sensor(&'static str),
}

/// Frame of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// None.
    None,
    /// The world.
    Map,
    /// The odometry of the vehicle.
    Odometry,
    /// The vehicle.
    Vehicle,
    /// The sensor.
    Sensor,
    /// The text of a parameter of the owner.
    Parameter(&'static str),
}

/// Labels of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// None.
    None,
    /// The names of the wheels.
    Wheels,
    /// The joints of the wheels: joints of spin, then joints of steering.
    Joints,
    /// The child frame, whose parent is the frame of the stream.
    ChildFrame,
}

/// Rates that fill the fields behind the values, one per wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rates {
    /// None.
    None,
    /// Mean rate of a value since the sample before.
    Mean(&'static str),
}

/// Settings of the owner of a stream.
pub struct Settings<'a> {
    /// Returns a parameter that is a number, in the unit of the model.
    pub number: &'a dyn Fn(&str) -> Option<f64>,
    /// Number of rays of a sensor.
    pub rays: usize,
    /// Simulated time between samples of a sensor, s.
    pub period: f64,
}

impl Source {
    const fn new(owner: Owner, name: &'static str, values: &'static [&'static str]) -> Self {
        Self {
            owner,
            name,
            frame: Frame::None,
            child_frame: Frame::None,
            labels: Labels::None,
            doc: "",
            values,
            replaced: None,
            rates: Rates::None,
            condition: None,
            constants: |_| Vec::new(),
        }
    }

    /// Declares a stream per vehicle.
    pub(crate) const fn vehicle(name: &'static str, values: &'static [&'static str]) -> Self {
        Self::new(Owner::Vehicle, name, values)
    }

    /// Declares a stream per vehicle with wheels, in the frame of the vehicle.
    pub(crate) const fn wheels(name: &'static str, values: &'static [&'static str]) -> Self {
        Self::new(Owner::Wheels, name, values).frame(Frame::Vehicle)
    }

    /// Declares a stream per vehicle whose controller has one of these classes.
    pub(crate) const fn controller(
        classes: &'static [&'static str],
        name: &'static str,
        values: &'static [&'static str],
    ) -> Self {
        Self::new(Owner::Controller(classes), name, values)
    }

    /// Declares a stream per vehicle with dynamics of a class, in the frame of the vehicle.
    pub(crate) const fn dynamics(
        class: &'static str,
        controllers: &'static [&'static str],
        name: &'static str,
        values: &'static [&'static str],
    ) -> Self {
        let owner = Owner::Dynamics { class, controllers };
        Self::new(owner, name, values).frame(Frame::Vehicle)
    }

    /// Declares a stream per sensor of a class, in the frame of the sensor.
    pub(crate) const fn sensor(
        class: &'static str,
        name: &'static str,
        values: &'static [&'static str],
    ) -> Self {
        Self::new(Owner::Sensor(class), name, values).frame(Frame::Sensor)
    }

    /// Describes the samples.
    pub(crate) const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// Sets the frame.
    pub(crate) const fn frame(self, frame: Frame) -> Self {
        Self { frame, ..self }
    }

    /// Sets the frame that moves.
    pub(crate) const fn child_frame(self, child_frame: Frame) -> Self {
        Self { child_frame, ..self }
    }

    /// Sets the labels.
    pub(crate) const fn labels(self, labels: Labels) -> Self {
        Self { labels, ..self }
    }

    /// Replaces a value by one of the controller.
    pub(crate) const fn replaced(self, value: &'static str, own: &'static str) -> Self {
        Self { replaced: Some((value, own)), ..self }
    }

    /// Sets the rates.
    pub(crate) const fn rates(self, rates: Rates) -> Self {
        Self { rates, ..self }
    }

    /// Sets the condition.
    pub(crate) const fn while_above(self, value: &'static str, number: f64) -> Self {
        Self { condition: Some((value, number)), ..self }
    }

    /// Sets the constants.
    pub(crate) const fn constants(self, constants: fn(&Settings<'_>) -> Constants) -> Self {
        Self { constants, ..self }
    }
}
