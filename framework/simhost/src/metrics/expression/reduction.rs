//! Reductions of samples to one number.

/// How samples are reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReductionKind {
    Min,
    Max,
    Mean,
    Rms,
    First,
    Final,
    Integral,
    TimeWhen,
    Overshoot,
    RiseTime,
    Percentile(f64),
}

impl ReductionKind {
    /// Returns the unit of the result for a unit of the samples.
    pub fn unit(self, of_samples: String) -> String {
        match self {
            Self::TimeWhen | Self::RiseTime => "s".to_owned(),
            Self::Overshoot => "%".to_owned(),
            Self::Integral if !of_samples.is_empty() => {
                of_samples.strip_suffix("/s").map_or(format!("{of_samples} s"), str::to_owned)
            }
            _ => of_samples,
        }
    }
}

/// A reduction with the samples so far.
#[derive(Clone, Debug)]
pub struct Reducing {
    kind: ReductionKind,
    /// Number of samples that are numbers.
    count: u64,
    value: f64,
    /// Time and value of the last sample that is a number.
    last: (f64, f64),
    /// All samples, of those kinds that need them.
    samples: Vec<(f64, f64)>,
}

/// Parts of a step between which it rises.
const RISE: [f64; 2] = [0.1, 0.9];

impl Reducing {
    /// Begins without samples.
    pub fn new(kind: ReductionKind) -> Self {
        let (value, last) = (f64::NAN, (f64::NAN, f64::NAN));
        Self { kind, count: 0, value, last, samples: Vec::new() }
    }

    /// Adds a sample.
    pub fn add(&mut self, time: f64, sample: f64) {
        if sample.is_nan() {
            if self.kind == ReductionKind::Final {
                self.value = sample;
            }
            return;
        }
        self.count += 1;
        let is_first = self.count == 1;
        match self.kind {
            ReductionKind::Min => self.value = self.value.min(sample),
            ReductionKind::Max => self.value = self.value.max(sample),
            ReductionKind::Final => self.value = sample,
            ReductionKind::First | ReductionKind::Mean if is_first => self.value = sample,
            ReductionKind::First => {}
            ReductionKind::Mean => self.value += (sample - self.value) / self.count as f64,
            ReductionKind::Rms if is_first => self.value = sample * sample,
            ReductionKind::Rms => {
                self.value += (sample * sample - self.value) / self.count as f64;
            }
            ReductionKind::Integral if is_first => self.value = 0.0,
            ReductionKind::Integral => {
                let (before, earlier) = self.last;
                self.value += 0.5 * (earlier + sample) * (time - before);
            }
            ReductionKind::TimeWhen => {
                if self.value.is_nan() && sample != 0.0 {
                    self.value = time;
                }
            }
            ReductionKind::Overshoot | ReductionKind::RiseTime | ReductionKind::Percentile(_) => {
                self.samples.push((time, sample));
            }
        }
        self.last = (time, sample);
    }

    /// Returns the result.
    pub fn result(&self) -> f64 {
        match self.kind {
            ReductionKind::Rms => self.value.sqrt(),
            ReductionKind::Percentile(part) => self.percentile(part),
            ReductionKind::Overshoot => {
                let farthest = self.parts().map(|(_, part)| part).fold(f64::NAN, f64::max);
                100.0 * (farthest - 1.0).max(0.0)
            }
            ReductionKind::RiseTime => {
                let [from, to] = RISE.map(|part| self.time_of(part));
                to - from
            }
            _ => self.value,
        }
    }

    /// Returns the samples as parts of the step from the first one to the last one.
    fn parts(&self) -> impl Iterator<Item = (f64, f64)> {
        let first = self.samples.first().map_or(f64::NAN, |sample| sample.1);
        let step = self.last.1 - first;
        self.samples.iter().map(move |(time, sample)| (*time, (sample - first) / step))
    }

    /// Returns the time at which a part of the step is reached first.
    fn time_of(&self, wanted: f64) -> f64 {
        let mut before = (f64::NAN, f64::NAN);
        for (time, part) in self.parts() {
            if part >= wanted {
                let (earlier, from) = before;
                return earlier + (time - earlier) * (wanted - from) / (part - from);
            }
            before = (time, part);
        }
        f64::NAN
    }

    fn percentile(&self, part: f64) -> f64 {
        let mut sorted: Vec<f64> = self.samples.iter().map(|sample| sample.1).collect();
        sorted.sort_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
        let place = part / 100.0 * last as f64;
        let below = sorted[(place.floor() as usize).min(last)];
        let above = sorted[(place.ceil() as usize).min(last)];
        below + (above - below) * place.fract()
    }
}
