//! The data that an observer receives at the start of a run, for each sample and at the end.

use std::ops::Index;

use simhost_abi::{self as abi, end_reason};

use super::folder::OutputFolder;

/// The start of a run.
#[derive(Debug)]
pub struct RunStart<'a> {
    /// Name of the observer in the world, unique: a good name for its file.
    pub name: &'a str,
    /// The quantities that the patterns have selected: quantities of the world first, then of
    /// vehicles, blocks, actors, joints and planes, each in the order of the world file.
    pub quantities: Vec<Quantity>,
    /// Time at the start, s: 0, or the time of the snapshot from which the run is resumed.
    pub time: f64,
    /// Length of a step, s.
    pub dt: f64,
    /// Time between two samples, s; `None` if there is one after each step.
    pub period: Option<f64>,
    /// Seed of the run.
    pub seed: u64,
    /// The folder for output files.
    pub folder: &'a OutputFolder,
}

/// A quantity that an observer has selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Full name, such as `car/wheel/fl/spin`.
    pub name: String,
    /// One unit per value of the quantity; "1" for a pure number.
    pub units: Vec<String>,
    /// Place of its values in a sample.
    pub place: Place,
}

/// The place of a quantity in a [`Sample`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub(crate) first: usize,
    pub(crate) len: usize,
}

impl RunStart<'_> {
    /// Returns the place of a quantity by its full name.
    ///
    /// # Errors
    ///
    /// A message for the user if the patterns have not selected it.
    pub fn find(&self, name: &str) -> Result<Place, String> {
        let found = self.quantities.iter().find(|quantity| quantity.name == name);
        found.map(|quantity| quantity.place).ok_or_else(|| {
            let names: Vec<&str> =
                self.quantities.iter().map(|quantity| quantity.name.as_str()).collect();
            match names.as_slice() {
                [] => format!("missing quantity `{name}`; the patterns select none"),
                _ => format!("missing quantity `{name}`; expected one of {}", names.join(", ")),
            }
        })
    }
}

impl Quantity {
    /// Returns the name and the unit of each value: `car/speed`, or `car/pose[0]` if there are several
    /// values.
    pub fn values(&self) -> impl Iterator<Item = (String, String)> {
        let is_single = self.units.len() == 1;
        self.units.iter().enumerate().map(move |(index, unit)| match is_single {
            true => (self.name.clone(), unit.clone()),
            false => (format!("{}[{index}]", self.name), unit.clone()),
        })
    }

    /// Returns the name of each value with its unit, as columns of `quantities.csv` have them:
    /// `car/speed [m/s]`, or `car/pose[0] [m]` if there are several values.
    pub fn columns(&self) -> impl Iterator<Item = String> {
        self.values().map(|(name, unit)| format!("{name} [{unit}]"))
    }
}

/// The values of all selected quantities at one instant. `sample[place]` contains the values of one
/// quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// Number of completed steps.
    pub step: u64,
    /// Time after these steps, s.
    pub time: f64,
    /// The values of all quantities in their order. A reading is NaN before the first sample of its
    /// sensor.
    pub values: &'a [f64],
}

impl Index<Place> for Sample<'_> {
    type Output = [f64];

    fn index(&self, place: Place) -> &[f64] {
        &self.values[place.first..place.first + place.len]
    }
}

/// The end of a run.
#[derive(Debug)]
pub struct RunEnd<'a> {
    /// Reason why the run ends.
    pub reason: EndReason,
    /// The reason in words; empty at the end of the duration.
    pub text: &'a str,
    /// The last state of the run, also if no sample was due then; after a fault, the last sample.
    pub last: Sample<'a>,
    /// The folder for output files.
    pub folder: &'a OutputFolder,
}

/// Reason why a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndReason {
    /// The duration is over.
    Duration,
    /// An observer has asked for it.
    Stop,
    /// A model has faulted, or a state has diverged.
    Fault,
    /// The user has interrupted the run.
    Interrupt,
    /// A rebuilt plugin replaces the observer, and the run continues.
    Replaced,
}

impl EndReason {
    /// Returns the reason as one word: `duration`, `stop`, `fault`, `interrupt` or `replaced`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Stop => "stop",
            Self::Fault => "fault",
            Self::Interrupt => "interrupt",
            Self::Replaced => "replaced",
        }
    }

    /// Returns the reason with a number of [`end_reason`].
    pub(super) const fn from_u32(reason: u32) -> Self {
        match reason {
            end_reason::STOP => Self::Stop,
            end_reason::FAULT => Self::Fault,
            end_reason::INTERRUPT => Self::Interrupt,
            end_reason::REPLACED => Self::Replaced,
            _ => Self::Duration,
        }
    }
}

impl<'a> Sample<'a> {
    /// Borrows a sample of the boundary.
    ///
    /// # Safety
    ///
    /// Its values are valid and unchanged for `'a`.
    pub(super) const unsafe fn of(sample: &abi::Sample) -> Self {
        // SAFETY: promised by the caller.
        let values = unsafe { sample.values.as_slice() };
        Self { step: sample.step, time: sample.time, values }
    }
}

/// Copies the quantities of the boundary.
///
/// # Safety
///
/// The host keeps texts and lists alive during the call.
pub(super) unsafe fn quantities(list: abi::Slice<abi::Observed>) -> Vec<Quantity> {
    // SAFETY: promised by the caller, here and below.
    let list = unsafe { list.as_slice() };
    let quantity = |observed: &abi::Observed| {
        // SAFETY: as above.
        let (name, units) = unsafe { (observed.name.as_str(), observed.units.as_slice()) };
        // SAFETY: as above.
        let units = units.iter().map(|unit| unsafe { unit.as_str() }.to_owned());
        let units: Vec<String> = units.collect();
        let place = Place { first: observed.first, len: units.len() };
        Quantity { name: name.to_owned(), units, place }
    };
    list.iter().map(quantity).collect()
}
