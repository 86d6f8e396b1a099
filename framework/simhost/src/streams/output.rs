//! Output streams and their samples.

use std::sync::Arc;

use simhost_engine::{BodySearch, FaultReport, Quantities, Simulation};
use simhost_streams::{Bulk, Sample, Stamp, Stream, Trigger, types};
use simhost_world::FaultAction;

use super::bind;
use super::draft::{Draft, Fill, Gate};

/// A stream with the places from which its samples are read.
pub struct Output {
    /// The stream.
    pub stream: Arc<Stream>,
    pub(super) quantities: Arc<Quantities>,
    /// Index of the quantity of each value; `None` if it is not computed.
    pub(super) values: Vec<Option<usize>>,
    pub(super) fill: Fill,
    pub(super) gate: Gate,
    /// A quantity, and the number above which it is while there are samples.
    pub(super) condition: Option<(usize, f64)>,
}

/// Space for a sample. It keeps its capacity from sample to sample.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    numbers: Vec<f64>,
    /// Numbers of the field of any length.
    rest: Vec<f64>,
    texts: Vec<String>,
    /// Time of the samples.
    stamp: Stamp,
    /// Search for what is near bodies.
    search: BodySearch,
    /// Whether the search has been brought up to the present state.
    is_searched: bool,
}

impl Buffer {
    /// Begins to take samples of another state.
    pub fn begin(&mut self, simulation: &Simulation) {
        let clock = simulation.clock();
        self.stamp = Stamp::of_step(clock.steps, clock.dt);
        self.is_searched = false;
    }
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
        match &self.gate {
            Gate::Open => true,
            Gate::Sensor(sensor) => simulation.samples().is_sampled(*sensor),
            Gate::Count { passed } => simulation.faults().len() > *passed,
            Gate::Memory { vehicle, passed } => {
                *passed != Some(simulation.fault_memories().of(*vehicle).changes())
            }
            Gate::Once { is_passed } => !is_passed,
            Gate::Static { passed } => {
                let now = self.poses(simulation);
                passed.as_ref().is_none_or(|passed| !now.eq(passed.iter().copied()))
            }
        }
    }

    /// Begins a new sequence of samples, with all events since the start.
    pub fn begin_again(&mut self) {
        match &mut self.gate {
            Gate::Count { passed } => *passed = 0,
            Gate::Memory { passed, .. } => *passed = None,
            Gate::Once { is_passed } => *is_passed = false,
            Gate::Static { passed } => *passed = None,
            Gate::Open | Gate::Sensor(_) => {}
        }
    }

    /// Continues the sequence of samples of the same stream of the world before a change.
    pub fn continue_after(&mut self, old: &Self) {
        if let (Fill::Values { rates, .. }, Fill::Values { rates: old, .. }) =
            (&mut self.fill, &old.fill)
        {
            rates.clone_from(old);
        }
        if let (Fill::Collision(touch), Fill::Collision(old)) = (&mut self.fill, &old.fill) {
            touch.continue_after(old);
        }
        match (&mut self.gate, &old.gate) {
            (Gate::Count { passed }, Gate::Count { passed: old }) => *passed = *old,
            (Gate::Memory { passed, .. }, Gate::Memory { passed: old, .. }) => *passed = *old,
            (Gate::Once { is_passed }, Gate::Once { is_passed: old }) => *is_passed = *old,
            (Gate::Static { passed }, Gate::Static { passed: old }) => passed.clone_from(old),
            _ => {}
        }
    }

    /// Returns the poses of frames that do not change once they are known.
    fn poses<'s>(&'s self, simulation: &'s Simulation) -> impl Iterator<Item = [f64; 6]> + 's {
        let frames = match &self.fill {
            Fill::Transforms(transforms) if matches!(self.gate, Gate::Static { .. }) => {
                &*transforms.frames
            }
            _ => &[],
        };
        frames.iter().filter_map(|frame| frame.mounted(simulation))
    }

    /// Returns whether samples depend on what has touched between them.
    pub fn needs_collisions(&self) -> bool {
        matches!(self.fill, Fill::Collision(_))
    }

    /// Returns whether there will be no further sample.
    pub fn is_complete(&self) -> bool {
        matches!(self.gate, Gate::Once { is_passed: true })
    }

    /// Calls a function with a sample of the present state, and marks events that are in it as given.
    pub fn take<T>(
        &mut self,
        simulation: &Simulation,
        space: &mut Buffer,
        with: impl FnOnce(&Sample<'_>) -> T,
    ) -> T {
        let from = match self.gate {
            Gate::Count { passed } => passed,
            _ => 0,
        };
        let found = self.read_from(from, simulation, space, with);
        let poses: Vec<[f64; 6]> = self.poses(simulation).collect();
        match &mut self.gate {
            Gate::Count { passed } => *passed = simulation.faults().len(),
            Gate::Memory { vehicle, passed } => {
                *passed = Some(simulation.fault_memories().of(*vehicle).changes());
            }
            Gate::Once { is_passed } => *is_passed = true,
            Gate::Static { passed } => *passed = Some(poses),
            Gate::Open | Gate::Sensor(_) => {}
        }
        found
    }

    /// Calls a function with a sample of the present state with all events since the start.
    pub fn read<T>(
        &mut self,
        simulation: &Simulation,
        space: &mut Buffer,
        with: impl FnOnce(&Sample<'_>) -> T,
    ) -> T {
        self.read_from(0, simulation, space, with)
    }

    fn read_from<T>(
        &mut self,
        from: usize,
        simulation: &Simulation,
        space: &mut Buffer,
        with: impl FnOnce(&Sample<'_>) -> T,
    ) -> T {
        let Buffer { numbers, rest, texts, stamp, search, is_searched } = space;
        let stamp = *stamp;
        numbers.clear();
        rest.clear();
        texts.clear();
        let quantities = &*self.quantities;
        match &mut self.fill {
            Fill::Values { rates, skipped } => {
                for value in &self.values {
                    match value {
                        Some(index) => quantities.read_one(*index, simulation, numbers),
                        None => numbers.push(f64::NAN),
                    }
                }
                if let Some(rates) = rates {
                    rates.complete(simulation.clock(), numbers);
                }
                for place in skipped.iter().rev() {
                    numbers.remove(*place);
                }
            }
            Fill::Transforms(transforms) => transforms.read(quantities, simulation, numbers),
            Fill::Faults => read_faults(&simulation.faults()[from..], rest, texts),
            Fill::FaultMemory(vehicle) => {
                let name = &simulation.vehicle_names()[*vehicle];
                bind::read_robot_faults(
                    name,
                    simulation.fault_memories().of(*vehicle),
                    rest,
                    texts,
                );
            }
            Fill::Collision(touch) => {
                if !std::mem::replace(is_searched, true) {
                    simulation.touches().update_search(search);
                }
                touch.read(simulation, search, numbers);
            }
            Fill::Fixed(fixed) => return with(&fixed.sample(stamp)),
            Fill::Ranges | Fill::Points { .. } | Fill::Pixels(_) => {
                return self.read_columns(simulation, space, stamp, with);
            }
        }
        with(&Sample { stamp, numbers, texts, bulk: Bulk::Numbers(rest) })
    }

    /// Calls a function with a sample whose bulk is borrowed from the columns of a sensor.
    fn read_columns<T>(
        &self,
        simulation: &Simulation,
        space: &mut Buffer,
        stamp: Stamp,
        with: impl FnOnce(&Sample<'_>) -> T,
    ) -> T {
        let Buffer { numbers, rest, texts, .. } = space;
        let indices = self.values.iter().flatten();
        let borrowed = indices.clone().map(|index| self.quantities.column(*index, simulation));
        let columns: Vec<&[f64]> = match borrowed.collect() {
            Some(columns) => columns,
            // before the first sample there are no columns
            None => {
                let mut ends = vec![0];
                for index in indices {
                    self.quantities.read_one(*index, simulation, rest);
                    ends.push(rest.len());
                }
                ends.windows(2).map(|ends| &rest[ends[0]..ends[1]]).collect()
            }
        };
        let sample = Sample::new(stamp, &[]);
        match &self.fill {
            Fill::Points { has_returns } => {
                let (columns, returns) = match columns.split_last() {
                    Some((returns, columns)) if *has_returns => (columns, Some(*returns)),
                    _ => (&*columns, None),
                };
                with(&Sample { bulk: Bulk::Points { columns, returns }, ..sample })
            }
            Fill::Pixels(form) => {
                let step = form.width * form.kind.pixel_size();
                numbers.extend([form.height, form.width, step].map(|size| size as f64));
                texts.push(form.kind.encoding().to_owned());
                let rays = form.first_ray..form.first_ray + form.pixels();
                let channels = columns.iter().filter_map(|column| column.get(rays.clone()));
                let channels: Vec<&[f64]> = channels.collect();
                let bulk = Bulk::Pixels { form, channels: &channels };
                with(&Sample { numbers, texts, bulk, ..sample })
            }
            _ => {
                let bulk = match *columns {
                    [distances, returns] => Bulk::Ranges { distances, returns },
                    _ => Bulk::None,
                };
                with(&Sample { bulk, ..sample })
            }
        }
    }
}

/// Level of an error in `DiagnosticStatus`.
const ERROR: f64 = 2.0;

/// Returns the stream of faults.
pub(super) fn stream() -> Draft {
    let labels = ["time", "phase", "code", "action", "plugin"].map(str::to_owned).to_vec();
    let stream = Stream {
        labels,
        trigger: Trigger::Event,
        ..Stream::new("faults", types::Diagnostics::TYPE.into())
    };
    Draft { gate: Gate::Count { passed: 0 }, ..Draft::new(stream, Fill::Faults) }
}

/// Appends faults: a level and eight texts each.
fn read_faults(faults: &[FaultReport], numbers: &mut Vec<f64>, texts: &mut Vec<String>) {
    for fault in faults {
        let action = match fault.action {
            FaultAction::Stop => "stop",
            FaultAction::Disable => "disable",
            FaultAction::Fallback => "fallback",
        };
        numbers.push(ERROR);
        texts.extend([
            fault.entity.clone(),
            fault.text.clone(),
            fault.class.clone(),
            fault.time.to_string(),
            fault.phase.clone(),
            fault.code.to_string(),
            action.to_owned(),
            fault.source.clone(),
        ]);
    }
}
