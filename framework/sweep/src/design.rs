//! The values of each run of a study, from its number.

use std::sync::{PoisonError, RwLock};

use simhost::{Distribution, Draws, Variation, VariedValue};

use crate::error::StudyError;
use crate::study::{Objective, PlanValue, Study};

/// Largest number of runs of a study.
const MAX_RUNS: u64 = 100_000_000;

/// The values of each run. The number of a run is `((sample × blocks + block) × grid + point) × repeat + repetition`, so that
/// more samples add runs and move none.
#[derive(Debug)]
pub struct Design {
    axes: Vec<Axis>,
    /// Number of points of the grid.
    grid: u64,
    /// Number of runs per sample of Saltelli's design; 1 in others.
    blocks: u64,
    repeat: u64,
    runs: u64,
    /// Values of the variations at the points of an optimisation, if known.
    points: Option<RwLock<Vec<Vec<f64>>>>,
}

/// What varies, and how its value follows from the number of a run.
#[derive(Clone, Debug)]
struct Axis {
    draws: Draws,
    /// Values of the matrix B, and the index of the column, in Saltelli's design.
    other: Option<(Draws, u64)>,
    /// Number of points of the grid after which the value changes, and number of values; none of what is drawn.
    of_grid: Option<(u64, u64)>,
}

impl Design {
    /// Arranges the runs of a study. `seed` is the key of all draws.
    ///
    /// # Errors
    /// [`StudyError::Plan`] if there are too many runs, samples of nothing, or a design cannot have what varies.
    pub fn new(study: &Study, seed: u64) -> Result<Self, StudyError> {
        let drawn: Vec<&PlanValue<Variation>> =
            study.vary.iter().filter(|one| count_of(&one.value.values).is_none()).collect();
        let samples = match (&study.samples, drawn.first()) {
            (Some(samples), None) => {
                return Err(samples.wrong(
                    "`samples` is given, and everything that varies is a list or a range; expected a distribution to \
                     draw from",
                ));
            }
            (None, Some(first)) if study.objective.is_none() => {
                let name = &first.value.name;
                return Err(first.wrong(format!(
                    "'{name}' is drawn, and `samples` is not given; expected the number of samples"
                )));
            }
            (samples, _) => samples.as_ref().map_or(1, |samples| samples.value),
        };
        if let Some(objective) = &study.objective {
            return Self::of_optimisation(study, objective, &drawn, seed);
        }
        let blocks = if study.saltelli { saltelli(&drawn)? } else { 1 };
        let counts = study.vary.iter().map(|one| count_of(&one.value.values));
        let counts: Vec<Option<u64>> = counts.collect();
        let mut grid = counts.iter().flatten().fold(1_u128, |all, count| all * u128::from(*count));
        let runs = grid
            .saturating_mul(samples.into())
            .saturating_mul(blocks.into())
            .saturating_mul(study.repeat.value.into());
        if runs > MAX_RUNS.into() {
            let problem = format!("the plan has {runs} runs; expected at most {MAX_RUNS}");
            return Err(study
                .vary
                .first()
                .map_or_else(|| StudyError::plan(&problem), |one| one.wrong(&problem)));
        }
        let (mut axes, mut dimension) = (Vec::new(), 0);
        let mut stride = grid as u64;
        for (placed, count) in study.vary.iter().zip(counts) {
            let of_grid = count.map(|count| {
                stride /= count.max(1);
                (stride, count)
            });
            let count = count.unwrap_or(samples) as usize;
            let draws = |dimension| Draws::new(placed.value.clone(), count, seed, dimension);
            let other = (study.saltelli && of_grid.is_none())
                .then(|| (draws(dimension + drawn.len()), dimension as u64));
            axes.push(Axis { draws: draws(dimension), other, of_grid });
            if matches!(placed.value.values, Distribution::Sobol { .. }) {
                dimension += 1;
                if dimension > Draws::DIMENSIONS {
                    let most = Draws::DIMENSIONS;
                    let problem =
                        format!("it is the Sobol dimension {dimension}; expected at most {most}");
                    return Err(placed.wrong(problem));
                }
            }
        }
        grid = grid.max(1);
        let (grid, runs, repeat) = (grid as u64, runs as u64, study.repeat.value);
        Ok(Self { axes, grid, blocks, repeat, runs, points: None })
    }

    /// Arranges the runs of an optimisation, generation after generation.
    fn of_optimisation(
        study: &Study,
        objective: &Objective,
        drawn: &[&PlanValue<Variation>],
        seed: u64,
    ) -> Result<Self, StudyError> {
        check_optimisation(study, objective)?;
        let repeat = study.repeat.value;
        let runs = objective.population_for(drawn.len()) as u64;
        let runs = runs.saturating_mul(objective.generations).saturating_mul(repeat);
        if runs > MAX_RUNS {
            let problem = format!("the optimisation has {runs} runs; expected at most {MAX_RUNS}");
            return Err(objective.goals[0].expression.wrong(problem));
        }
        let axis = |one: &&PlanValue<Variation>| Axis {
            draws: Draws::new(one.value.clone(), 1, seed, 0),
            other: None,
            of_grid: None,
        };
        let axes = drawn.iter().map(axis).collect();
        let points = Some(RwLock::default());
        Ok(Self { axes, grid: 1, blocks: 1, repeat, runs, points })
    }

    /// Sets the points of an optimisation, from the first one on.
    pub fn set_points(&self, points: Vec<Vec<f64>>) {
        if let Some(known) = &self.points {
            *known.write().unwrap_or_else(PoisonError::into_inner) = points;
        }
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the number of repetitions of a point before this run.
    pub fn repetition(&self, run: u64) -> u64 {
        run % self.repeat
    }

    /// Returns the number of runs per sample of Saltelli's design; 1 in others.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Returns the number of runs of one block of a sample.
    pub fn runs_per_block(&self) -> u64 {
        self.grid * self.repeat
    }

    /// Returns the values of a run, in the order of what varies.
    pub fn values(&self, run: u64) -> Vec<VariedValue> {
        (0..self.axes.len()).map(|axis| self.value(run, axis)).collect()
    }

    /// Returns one value of a run.
    pub fn value(&self, run: u64, axis: usize) -> VariedValue {
        let point = run / self.repeat;
        if let Some(points) = &self.points {
            let points = points.read().unwrap_or_else(PoisonError::into_inner);
            let known = points.get(point as usize).map(|point| point[axis]);
            return VariedValue::Number(known.unwrap_or(f64::NAN));
        }
        let (sample, at) = (point / self.grid, point % self.grid);
        let (sample, block) = (sample / self.blocks, sample % self.blocks);
        let Axis { draws, other, of_grid } = &self.axes[axis];
        match (of_grid, other) {
            (Some((stride, count)), _) => draws.value((at / stride % count) as usize),
            // blocks: A, B, and A with one column of B each
            (None, Some((other, column))) if block == 1 || block == column + 2 => {
                other.value(sample as usize)
            }
            (None, _) => draws.value(sample as usize),
        }
    }
}

/// Checks that everything that varies in an optimisation has bounds.
fn check_optimisation(study: &Study, objective: &Objective) -> Result<(), StudyError> {
    if let Some(samples) = &study.samples {
        return Err(
            samples.wrong("`samples` is given in an optimisation; expected [objective] alone")
        );
    }
    if let Some(one) = study.vary.iter().find(|one| bounds(&one.value.values).is_none()) {
        let Variation { name, values } = &one.value;
        let problem = format!("'{name}' is {values} in an optimisation; expected uniform:LOW:HIGH");
        return Err(one.wrong(problem));
    }
    if study.vary.is_empty() {
        let problem = "nothing varies in the optimisation; expected uniform:LOW:HIGH";
        return Err(objective.goals[0].expression.wrong(problem));
    }
    Ok(())
}

/// Returns the number of values of a list; `None` for what is drawn.
pub fn count_of(values: &Distribution) -> Option<u64> {
    match values {
        Distribution::Constant(_) => Some(1),
        Distribution::List(values) | Distribution::Column(values) => Some(values.len() as u64),
        Distribution::Range { count, .. } => Some(*count),
        _ => None,
    }
}

/// Returns the ends between which an optimisation varies a value.
pub fn bounds(values: &Distribution) -> Option<[f64; 2]> {
    match *values {
        Distribution::Uniform { low, high } => Some([low, high]),
        _ => None,
    }
}

/// Returns the number of runs per sample of Saltelli's design.
fn saltelli(drawn: &[&PlanValue<Variation>]) -> Result<u64, StudyError> {
    for one in drawn {
        if !matches!(one.value.values, Distribution::Sobol { .. }) {
            let (name, kind) = (&one.value.name, one.value.values.kind());
            return Err(one.wrong(format!(
                "'{name}' is drawn with '{kind}' in the design 'saltelli'; expected sobol:LOW:HIGH"
            )));
        }
    }
    let most = Draws::DIMENSIONS / 2;
    match drawn.len() {
        0 => Err(StudyError::plan(
            "the design 'saltelli' has nothing that is drawn; expected sobol:LOW:HIGH",
        )),
        count if count > most => Err(drawn[most]
            .wrong(format!("the design 'saltelli' draws {count} values; expected at most {most}"))),
        count => Ok(count as u64 + 2),
    }
}

#[cfg(test)]
mod tests;
