//! Inputs of models that read the sensors of their vehicles, and of sensors that read actuators.
//!
//! A sample is copied to the columns of the table, or of the group of sensors, when the sensor is sampled, at
//! the end of a step, and stays there until the next one. It is part of the state. The age is computed at the
//! start of each step, and for sensors when they are sampled.

use simhost_abi::Kind;
use simhost_world::{ActuatorReading, ReadingUse};

use crate::columns::{Column, Columns, Layout};
use crate::model::{ArrayColumns, PortMap};
use crate::result_hash::Items;

/// A model of a vehicle: its kind, and the number of an actuator or 0.
pub(crate) type ReadingModel = (Kind, usize);

/// All inputs of a table, or of a group of sensors, that read sensors or actuators.
#[derive(Clone, Default)]
pub(crate) struct SensorInputs {
    inputs: Vec<SensorInput>,
}

/// An input that reads a sensor of each vehicle.
#[derive(Clone)]
struct SensorInput {
    reader: ReadingModel,
    name: &'static str,
    target: SensorTarget,
}

/// Columns to which samples are copied.
#[derive(Clone, Copy)]
pub(crate) enum SensorTarget {
    /// One value per vehicle.
    Number(Column),
    /// Several values per vehicle.
    Array {
        /// Values, counts and ages.
        columns: ArrayColumns,
        /// Time of the sample of each vehicle, s; −∞ before the first.
        taken: Column,
    },
}

impl SensorTarget {
    /// Adds the columns of an input with this default: a number, or an array with a capacity.
    pub fn new(lanes: usize, capacity: Option<usize>, default: f64, layout: &mut Layout) -> Self {
        match capacity {
            None => Self::Number(layout.fill_passing(lanes, default)),
            Some(capacity) => Self::Array {
                columns: ArrayColumns::new(lanes, capacity, layout),
                taken: layout.fill_passing(lanes, f64::NEG_INFINITY),
            },
        }
    }

    /// Adds the columns to a map under a name.
    pub fn add_to(self, name: &str, ports: &mut PortMap) {
        match self {
            Self::Number(column) => ports.extend(PortMap::one(name, column)),
            Self::Array { columns, .. } => ports.insert_array(name, columns),
        }
    }

    /// Copies a sample that was taken at `time`, s, to a lane.
    pub fn put(self, to: &mut Columns, lane: usize, sample: &[f64], time: f64) {
        match self {
            Self::Number(column) => {
                if let Some(value) = sample.first() {
                    to.get_mut(column)[lane] = *value;
                }
            }
            Self::Array { columns, taken } => {
                let count = sample.len().min(columns.capacity);
                let values = &mut to.get_mut(columns.values)[lane * columns.capacity..];
                values[..count].copy_from_slice(&sample[..count]);
                to.get_mut(columns.counts)[lane] = count as f64;
                to.get_mut(taken)[lane] = time;
            }
        }
    }

    /// Copies the present reading of a lane to a lane of an input of the same scope in another store, with
    /// its age at `time`, s.
    pub fn copy(
        self,
        from: &Columns,
        lane: usize,
        target: Self,
        to: &mut Columns,
        target_lane: usize,
        time: f64,
    ) {
        let (sample, taken) = self.of_lane(from, lane);
        target.put(to, target_lane, sample, taken.unwrap_or_default());
        if let (Self::Array { columns, .. }, Some(taken)) = (target, taken) {
            to.get_mut(columns.ages)[target_lane] = time - taken;
        }
    }

    /// Returns the values of a lane, and the time of the sample for an array.
    fn of_lane(self, from: &Columns, lane: usize) -> (&[f64], Option<f64>) {
        match self {
            Self::Number(column) => (std::slice::from_ref(&from.get(column)[lane]), None),
            Self::Array { columns, taken } => {
                (columns.of_lane(from, lane), Some(from.get(taken)[lane]))
            }
        }
    }
}

impl SensorInputs {
    /// Adds the columns of the inputs that read sensors, which all lanes have.
    pub fn new<'w>(
        readings: impl IntoIterator<Item = &'w ReadingUse>,
        lanes: usize,
        layout: &mut Layout,
    ) -> Self {
        let input = |reading: &ReadingUse| SensorInput {
            reader: (reading.reader, reading.number),
            name: reading.input,
            target: SensorTarget::new(lanes, reading.capacity, reading.default, layout),
        };
        Self { inputs: readings.into_iter().map(input).collect() }
    }

    /// Adds the columns of an input of sensors that reads actuators.
    pub fn add_published(&mut self, one: &ActuatorReading, lanes: usize, layout: &mut Layout) {
        let target = SensorTarget::new(lanes, one.capacity, one.default, layout);
        self.inputs.push(SensorInput { reader: (Kind::Sensor, 0), name: one.input, target });
    }

    /// Returns the columns of the inputs of a model by their names.
    pub fn ports(&self, reader: ReadingModel) -> PortMap {
        let mut ports = PortMap::default();
        for input in self.inputs.iter().filter(|input| input.reader == reader) {
            input.target.add_to(input.name, &mut ports);
        }
        ports
    }

    /// Returns the columns of an input.
    pub fn target(&self, reader: ReadingModel, name: &str) -> Option<SensorTarget> {
        let mut inputs = self.inputs.iter();
        inputs.find(|one| one.reader == reader && one.name == name).map(|one| one.target)
    }

    /// Returns the columns that hold readings, without their ages.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        self.inputs.iter().flat_map(|input| {
            let (first, more) = match input.target {
                SensorTarget::Number(column) => (column, None),
                SensorTarget::Array { columns, taken } => {
                    (columns.values, Some([columns.counts, taken]))
                }
            };
            std::iter::once(first).chain(more.into_iter().flatten())
        })
    }

    /// Sets the ages of all readings at `time`, s: the start of a step, or the time of a sample.
    #[inline]
    pub fn update_ages(&self, columns: &mut Columns, time: f64) {
        for input in &self.inputs {
            if let SensorTarget::Array { columns: array, taken } = input.target {
                let (taken, ages) = columns.read_and_write(taken, array.ages);
                for (age, taken) in ages.iter_mut().zip(taken) {
                    *age = time - taken;
                }
            }
        }
    }

    /// Copies the readings of a lane of other inputs for those that both models have.
    pub fn copy_lane(
        &self,
        to: &mut Columns,
        lane: usize,
        old: &Self,
        from: &Columns,
        old_lane: usize,
    ) {
        for input in &self.inputs {
            let Some(source) = old.target(input.reader, input.name) else { continue };
            let (sample, taken) = source.of_lane(from, old_lane);
            if taken != Some(f64::NEG_INFINITY) {
                input.target.put(to, lane, sample, taken.unwrap_or_default());
            }
        }
    }

    /// Adds the readings of a lane to the items of a result hash. `model` returns the label of a model.
    pub fn add_results(
        &self,
        columns: &Columns,
        lane: usize,
        model: impl Fn(ReadingModel) -> String,
        items: &mut Items,
    ) {
        for input in &self.inputs {
            let (sample, taken) = input.target.of_lane(columns, lane);
            let label = format!("{}/reads/{}", model(input.reader), input.name);
            if let Some(taken) = taken {
                items.add(format!("{label}/time"), &[taken]);
            }
            items.add(label, sample);
        }
    }
}

#[cfg(test)]
impl super::step::Table {
    /// Returns all numbers that a vehicle has read from its sensors, and the times of its samples.
    pub fn readings(&self, lane: usize) -> Vec<f64> {
        let inputs = self.blueprint.sensor_inputs.inputs.iter();
        let values = inputs.map(|input| input.target.of_lane(&self.vehicles.columns, lane));
        values.flat_map(|(values, taken)| values.iter().copied().chain(taken)).collect()
    }

    /// Changes a number of the first reading of the first vehicle.
    pub fn disturb_reading(&mut self) {
        let first = self.blueprint.sensor_inputs.inputs.first().map(|input| input.target);
        if let Some(SensorTarget::Array { columns, .. }) = first {
            self.vehicles.columns.get_mut(columns.values)[0] += 1.0;
        }
    }
}
