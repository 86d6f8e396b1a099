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
mod tests {
    use super::*;

    fn design(study: Study) -> Result<Design, String> {
        Design::new(&study, 3).map_err(|error| error.to_string())
    }

    fn study(texts: &[&str]) -> Study {
        texts.iter().fold(Study::new("w.xml"), |study, text| study.vary(text).unwrap())
    }

    fn texts(design: &Design, run: u64) -> String {
        let texts: Vec<String> = design.values(run).iter().map(ToString::to_string).collect();
        texts.join(" ")
    }

    #[test]
    fn lists_form_a_grid_of_which_the_first_is_the_slowest() {
        let mut study = study(&["a/x=range:0:1:3", "a/y=7", "a/z=list:p,q"]);
        study.repeat = 2.into();
        let design = design(study).unwrap();
        let all: Vec<String> = (0..design.runs()).map(|run| texts(&design, run)).collect();
        let expected = ["0 7 p", "0 7 q", "0.5 7 p", "0.5 7 q", "1 7 p", "1 7 q"];
        assert_eq!(all, expected.iter().flat_map(|one| [*one; 2]).collect::<Vec<_>>());
    }

    /// More samples add runs and change none.
    #[test]
    fn samples_are_the_slowest() {
        let with = |samples: u64| {
            let mut study = study(&["a/x=uniform:0:1", "a/y=list:1,2", "a/z=sobol:0:1"]);
            study.samples = Some(samples.into());
            design(study).unwrap()
        };
        let (few, many) = (with(3), with(50));
        assert_eq!([few.runs(), many.runs()], [6, 100]);
        for run in 0..6 {
            assert_eq!(few.values(run), many.values(run));
        }
        assert_eq!(few.values(2)[0], few.values(3)[0]);
        assert_ne!(few.values(1)[0], few.values(2)[0]);
    }

    /// A. Saltelli et al., Computer Physics Communications 181, 2010: the matrices A, B, and A with columns of B.
    #[test]
    fn the_design_of_saltelli_exchanges_columns() {
        let mut study = study(&["a/x=sobol:0:1", "a/y=sobol:0:2", "a/z=9"]);
        (study.samples, study.saltelli) = (Some(8.into()), true);
        let design = design(study).unwrap();
        assert_eq!((design.runs(), design.blocks()), (32, 4));
        for sample in 0..8 {
            let [a, b, x, y] = [0, 1, 2, 3].map(|block| design.values(sample * 4 + block));
            assert_eq!([&x[0], &x[1]], [&b[0], &a[1]]);
            assert_eq!([&y[0], &y[1]], [&a[0], &b[1]]);
        }
    }

    #[test]
    fn plans_that_contradict_themselves_are_refused() {
        let samples = |texts: &[&str]| {
            let mut study = study(texts);
            study.samples = Some(4.into());
            study
        };
        let saltelli = |texts: &[&str]| Study { saltelli: true, ..samples(texts) };
        for (study, part) in [
            (study(&["a/x=uniform:0:1"]), "'a/x' is drawn, and `samples` is not given"),
            (samples(&["a/x=list:1,2"]), "everything that varies is a list or a range"),
            (study(&["a/x=range:0:1:1000000", "a/y=range:0:1:1000000"]), "1000000000000 runs"),
            (saltelli(&["a/x=uniform:0:1"]), "expected sobol:LOW:HIGH"),
        ] {
            let problem = design(study).unwrap_err();
            assert!(problem.contains(part), "{problem}");
        }
    }

    /// Returns the centred L2 discrepancy: F. J. Hickernell, Mathematics of Computation 67, 1998.
    fn discrepancy(points: &[Vec<f64>]) -> f64 {
        let (n, dimensions) = (points.len() as f64, points[0].len() as i32);
        let far = |x: f64| (x - 0.5).abs();
        let of_one = |x: &f64| 1.0 + 0.5 * far(*x) - 0.5 * far(*x) * far(*x);
        let of_two =
            |(x, y): (&f64, &f64)| 1.0 + 0.5 * far(*x) + 0.5 * far(*y) - 0.5 * (x - y).abs();
        let one: f64 = points.iter().map(|x| x.iter().map(of_one).product::<f64>()).sum();
        let pair = |x: &Vec<f64>, y: &Vec<f64>| x.iter().zip(y).map(of_two).product::<f64>();
        let two: f64 = points.iter().map(|x| points.iter().map(|y| pair(x, y)).sum::<f64>()).sum();
        (13.0_f64 / 12.0).powi(dimensions) - 2.0 / n * one + two / (n * n)
    }

    /// Points of `scipy.stats.qmc.LatinHypercube` of SciPy 1.17.1 and these have different random
    /// numbers. They have in common the strata, one point in each of every dimension, and the
    /// distribution within and between them, measured by the mean centred discrepancy: points that are
    /// centred in their strata have 0.00741 instead, and independent points 0.0430.
    #[test]
    fn latin_hypercubes_are_distributed_as_those_of_scipy() {
        // LatinHypercube(2, scramble=False, rng=0).random(8), and qmc.discrepancy of it
        let x = [0.6875, 0.4375, 0.0625, 0.1875, 0.3125, 0.5625, 0.9375, 0.8125];
        let y = [0.3125, 0.0625, 0.8125, 0.1875, 0.5625, 0.9375, 0.6875, 0.4375];
        let centred: Vec<Vec<f64>> = x.iter().zip(y).map(|(x, y)| vec![*x, y]).collect();
        assert!((discrepancy(&centred) - 0.004963344997829688).abs() < 1e-15);
        let points = |names: &[&str], samples: u64, seed: u64| -> Vec<Vec<f64>> {
            let names: Vec<String> = names.iter().map(|name| format!("a/{name}=lhs:0:1")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let study = Study { samples: Some(samples.into()), ..study(&names) };
            let design = Design::new(&study, seed).unwrap();
            let number = |value: &VariedValue| value.to_string().parse().unwrap();
            (0..samples).map(|run| design.values(run).iter().map(number).collect()).collect()
        };
        for (axis, strata) in [x, y].into_iter().enumerate() {
            let found = points(&["x", "y"], 8, 3);
            let mut found: Vec<f64> =
                found.iter().map(|point| ((point[axis] * 8.0).floor() + 0.5) / 8.0).collect();
            let mut strata = strata.to_vec();
            found.sort_by(f64::total_cmp);
            strata.sort_by(f64::total_cmp);
            assert_eq!(found, strata);
        }
        // the mean of qmc.discrepancy(LatinHypercube(3, rng=seed).random(16)) over 4000 seeds
        let all = (0..400).map(|seed| discrepancy(&points(&["x", "y", "z"], 16, seed)));
        let mean = all.sum::<f64>() / 400.0;
        assert!((mean / 0.00854670 - 1.0).abs() < 0.04, "{mean}");
    }
}
