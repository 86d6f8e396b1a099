//! Output streams and their samples.

use std::sync::Arc;

use simhost_engine::{Quantities, Simulation};
use simhost_streams::image::ImageForm;
use simhost_streams::{Sample, Stamp, Stream};

use super::steering::Steering;
use super::transforms::Transforms;
use super::{faults, robot_faults};

/// A stream with the places from which its samples are read.
pub struct Output {
    /// The stream.
    pub stream: Arc<Stream>,
    pub(super) quantities: Arc<Quantities>,
    pub(super) reader: Reader,
    pub(super) gate: Gate,
    /// A quantity, and the number above which it is while there are samples.
    pub(super) condition: Option<(usize, f64)>,
}

/// Space for a sample. It keeps its capacity from sample to sample.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    /// The numbers.
    pub numbers: Vec<f64>,
    /// The texts.
    pub texts: Vec<String>,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Numbers before they are put in order.
    space: Vec<f64>,
}

/// The places from which a sample is read.
pub(super) enum Reader {
    /// Quantities and constants, one after the other.
    Items(Vec<Item>),
    /// Quantities of joints, completed by the rates of steering.
    Joints { items: Vec<Item>, steering: Steering },
    /// Ranges of a planar laser, and whether each of them is a return.
    Scan { range: usize, valid: usize },
    /// Outputs with one value per ray that together are points, and whether each ray is a return.
    Cloud { fields: Vec<usize>, valid: Option<usize> },
    /// An image of a sensor, and the outputs that are its channels.
    Image { form: ImageForm, channels: Vec<usize> },
    /// Transforms between frames.
    Transforms(Transforms),
    /// Faults of models.
    Faults,
    /// Fault memory of a vehicle, by its number.
    FaultMemory(usize),
    /// A sample that does not change.
    Fixed { numbers: Vec<f64>, texts: Vec<String>, bytes: Vec<u8> },
}

/// A part of a sample.
pub(super) enum Item {
    /// All values of a quantity.
    Quantity(usize),
    /// A constant.
    Constant(f64),
}

/// Condition for a sample.
pub(super) enum Gate {
    /// There is one whenever one is asked for.
    Open,
    /// There is one after each step in which a sensor has been sampled.
    Sensor(usize),
    /// There is one for each change of a count, such as that of faults.
    Count { passed: usize },
    /// There is one at the start, and one for each change of the fault memory of a vehicle.
    Memory { vehicle: usize, passed: Option<u64> },
    /// There is one at the start.
    Once { is_passed: bool },
}

impl Output {
    /// Returns whether there is a sample at the present time that [`Self::take`] has not given yet. That is
    /// always so for states, and for sensors after a step in which they were sampled.
    pub fn is_ready(&self, simulation: &Simulation) -> bool {
        if let Some((quantity, above)) = self.condition {
            let mut found = Vec::with_capacity(1);
            self.quantities.read_one(quantity, simulation, &mut found);
            if found.iter().any(|value| *value <= above) {
                return false;
            }
        }
        match self.gate {
            Gate::Open => true,
            Gate::Sensor(sensor) => simulation.is_sampled(sensor),
            Gate::Count { passed } => simulation.faults().len() > passed,
            Gate::Memory { vehicle, passed } => {
                passed != Some(simulation.fault_memory(vehicle).changes())
            }
            Gate::Once { is_passed } => !is_passed,
        }
    }

    /// Begins a new sequence of samples, with all events since the start.
    pub fn begin_again(&mut self) {
        match &mut self.gate {
            Gate::Count { passed } => *passed = 0,
            Gate::Memory { passed, .. } => *passed = None,
            Gate::Once { is_passed } => *is_passed = false,
            Gate::Open | Gate::Sensor(_) => {}
        }
    }

    /// Continues the sequence of samples of the same stream of the world before a change.
    pub fn continue_after(&mut self, old: &Self) {
        if let (Reader::Joints { steering, .. }, Reader::Joints { steering: old, .. }) =
            (&mut self.reader, &old.reader)
        {
            steering.clone_from(old);
        }
        match (&mut self.gate, &old.gate) {
            (Gate::Count { passed }, Gate::Count { passed: old }) => *passed = *old,
            (Gate::Memory { passed, .. }, Gate::Memory { passed: old, .. }) => *passed = *old,
            (Gate::Once { is_passed }, Gate::Once { is_passed: old }) => *is_passed = *old,
            _ => {}
        }
    }

    /// Returns whether there will be no further sample.
    pub fn is_complete(&self) -> bool {
        matches!(self.gate, Gate::Once { is_passed: true })
    }

    /// Reads a sample of the present state, and marks events that are in it as given.
    pub fn take(&mut self, simulation: &Simulation, to: &mut Buffer) {
        let from = match self.gate {
            Gate::Count { passed } => passed,
            _ => 0,
        };
        self.read_from(from, simulation, to);
        match &mut self.gate {
            Gate::Count { passed } => *passed = simulation.faults().len(),
            Gate::Memory { vehicle, passed } => {
                *passed = Some(simulation.fault_memory(*vehicle).changes());
            }
            Gate::Once { is_passed } => *is_passed = true,
            Gate::Open | Gate::Sensor(_) => {}
        }
    }

    /// Reads a sample of the present state with all events since the start.
    pub fn read(&mut self, simulation: &Simulation, to: &mut Buffer) {
        self.read_from(0, simulation, to);
    }

    fn read_from(&mut self, from: usize, simulation: &Simulation, to: &mut Buffer) {
        let Buffer { numbers, texts, bytes, space } = to;
        numbers.clear();
        texts.clear();
        bytes.clear();
        let quantities = &self.quantities;
        let read = |item: &Item, numbers: &mut Vec<f64>| match item {
            Item::Quantity(index) => quantities.read_one(*index, simulation, numbers),
            Item::Constant(value) => numbers.push(*value),
        };
        match &mut self.reader {
            Reader::Items(items) => items.iter().for_each(|item| read(item, numbers)),
            Reader::Joints { items, steering } => {
                items.iter().for_each(|item| read(item, numbers));
                steering.complete(simulation.clock(), numbers);
            }
            Reader::Scan { range, valid } => {
                quantities.read_one(*range, simulation, numbers);
                let count = numbers.len();
                quantities.read_one(*valid, simulation, numbers);
                let (ranges, returns) = numbers.split_at_mut(count);
                for (range, is_return) in ranges.iter_mut().zip(returns) {
                    if *is_return == 0.0 {
                        *range = f64::INFINITY;
                    }
                }
                numbers.truncate(count);
            }
            Reader::Cloud { fields, valid } => {
                space.clear();
                for field in fields.iter().chain(&*valid) {
                    quantities.read_one(*field, simulation, space);
                }
                write_points(space, fields.len(), valid.is_some(), numbers);
            }
            Reader::Transforms(transforms) => {
                transforms.read(quantities, simulation, numbers);
            }
            Reader::Faults => faults::read(&simulation.faults()[from..], numbers, texts),
            Reader::FaultMemory(vehicle) => {
                let name = &simulation.vehicle_names()[*vehicle];
                robot_faults::read(name, simulation.fault_memory(*vehicle), numbers, texts);
            }
            Reader::Image { form, channels } => {
                space.clear();
                let mut ends = vec![0];
                for channel in &*channels {
                    quantities.read_one(*channel, simulation, space);
                    ends.push(space.len());
                }
                write_image(form, space, &ends, numbers, bytes);
                texts.push(form.kind.encoding().to_owned());
            }
            Reader::Fixed { numbers: own, texts: words, bytes: data } => {
                numbers.extend_from_slice(own);
                texts.extend_from_slice(words);
                bytes.extend_from_slice(data);
            }
        }
    }
}

/// Appends the points that are returns, each with its values. `columns` holds a value per ray for each of
/// `count` fields, and then, with `has_valid`, whether each ray is a return.
fn write_points(columns: &[f64], count: usize, has_valid: bool, to: &mut Vec<f64>) {
    let rays = columns.len() / (count + usize::from(has_valid)).max(1);
    for ray in 0..rays {
        // neither 0 nor, before the first sample, not a number
        if !has_valid || columns[count * rays + ray] == 1.0 {
            to.extend((0..count).map(|field| columns[field * rays + ray]));
        }
    }
}

/// Appends the size and the pixels of an image. `values` holds the values of its channels one after the other,
/// and `ends` where they begin and end.
fn write_image(
    form: &ImageForm,
    values: &[f64],
    ends: &[usize],
    numbers: &mut Vec<f64>,
    bytes: &mut Vec<u8>,
) {
    let step = form.width * form.kind.pixel_size();
    numbers.extend([form.height, form.width, step].map(|size| size as f64));
    let rays = form.first_ray..form.first_ray + form.pixels();
    let channels = ends.windows(2).filter_map(|ends| values[ends[0]..ends[1]].get(rays.clone()));
    form.write_message(&channels.collect::<Vec<_>>(), bytes);
}

impl Buffer {
    /// Returns the sample in the buffer.
    pub fn sample(&self, stamp: Stamp) -> Sample<'_> {
        Sample { stamp, numbers: &self.numbers, texts: &self.texts, bytes: &self.bytes }
    }
}
