//! Distributions of the parameters of a scenario: a file whose root has a `<ParameterValueDistribution>`, and names the
//! scenario.
//!
//! * **Deterministic**: all combinations of the values of `<DistributionSet>` and `<DistributionRange>`, and the sets of
//!   `<ValueSetDistribution>`. The first distribution changes slowest.
//! * **Stochastic**: `numberOfTestRuns` sets. Run k draws from a stream of the project's generator
//!   ([`Random`]), whose key is made of `randomSeed`, the number of the distribution and k, so that the values of a run do not
//!   depend on the other runs. Normal numbers are drawn by Box and Muller's transform; the numbers of a log-normal distribution with mean m and variance v are exp of
//!   normal numbers with the variance ln(1 + v/m²) and the mean ln m less half of it; Poisson's distribution is inverted by
//!   summation (L. Devroye, *Non-Uniform Random Variate Generation*, 1986, section X.3.3). A `<Range>` cuts a
//!   distribution: numbers outside of it are drawn again.
//!
//! Source: ASAM OpenSCENARIO XML 1.2, section 9.

mod draws;

use simhost_sdk::Random;
use simhost_xml::{Element, Lines, ReadError, parse};

use crate::coverage::expect;
use crate::references::{child, limits, not_supported, only};
use draws::ParameterDraw;

/// Largest number of bytes of a file, and of runs.
const MOST_BYTES: usize = 16 << 20;
const MOST_RUNS: usize = 1_000_000;
/// Part of a step by which the last value of a range may exceed its limit, because of rounding.
const ROUNDING: f64 = 1e-9;

/// The runs of a distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioRuns {
    /// File of the scenario, relative to the folder of the distribution.
    pub scenario: String,
    /// Names of the parameters, in the order of the file.
    pub names: Vec<String>,
    /// Values of the parameters, in the order of the names, for each run.
    pub runs: Vec<Vec<String>>,
}

impl ScenarioRuns {
    /// Reads a file. Returns `None` for a scenario without a distribution.
    ///
    /// # Errors
    /// [`ReadError`] with its line for an unknown element, a missing or invalid value, a parameter with two distributions, and
    /// more than a million runs.
    pub fn read(text: &str) -> Result<Option<Self>, ReadError> {
        let document = parse(text, MOST_BYTES)?;
        let lines = Lines::of(text);
        let root = Element::root(&document, &lines);
        let Some(distribution) = root.child("ParameterValueDistribution") else { return Ok(None) };
        expect(root, &["FileHeader", "ParameterValueDistribution"])?;
        expect(distribution, &["ScenarioFile", "Deterministic", "Stochastic"])?;
        let scenario = child(distribution, "ScenarioFile")?.required("filepath")?.to_owned();
        let kinds = ["Deterministic", "Stochastic"].map(|name| distribution.child(name));
        let (names, runs) = match kinds {
            [Some(sets), None] => deterministic(sets)?,
            [None, Some(draws)] => stochastic(draws)?,
            _ => {
                let text = "expected either <Deterministic> or <Stochastic>";
                return Err(ReadError::new(distribution.line(), text));
            }
        };
        Ok(Some(Self { scenario, names, runs }))
    }
}

/// Adds the name of a parameter.
fn add_name(names: &mut Vec<String>, element: Element<'_>, name: &str) -> Result<(), ReadError> {
    let name = name.trim_start_matches('$');
    if names.iter().any(|other| other == name) {
        let text = format!("the parameter `{name}` has two distributions");
        return Err(ReadError::new(element.line(), text));
    }
    names.push(name.to_owned());
    Ok(())
}

/// Names of parameters, and their values for each run.
type NamedRuns = (Vec<String>, Vec<Vec<String>>);

fn deterministic(sets: Element<'_>) -> Result<NamedRuns, ReadError> {
    let (mut names, mut runs) = (Vec::new(), vec![Vec::new()]);
    expect(
        sets,
        &["DeterministicSingleParameterDistribution", "DeterministicMultiParameterDistribution"],
    )?;
    for one in sets.elements() {
        let values = match one.name() {
            "DeterministicSingleParameterDistribution" => {
                add_name(&mut names, one, one.required("parameterName")?)?;
                single(only(one)?)?.into_iter().map(|value| vec![value]).collect()
            }
            _ => value_sets(child(one, "ValueSetDistribution")?, &mut names)?,
        };
        if values.is_empty() || runs.len().saturating_mul(values.len()) > MOST_RUNS {
            let found = runs.len().saturating_mul(values.len());
            let text =
                format!("found {found} runs up to <{}>; expected 1 to {MOST_RUNS}", one.name());
            return Err(ReadError::new(one.line(), text));
        }
        let with = |run: &Vec<String>| {
            let run = run.clone();
            values.iter().map(move |own: &Vec<String>| [run.clone(), own.clone()].concat())
        };
        runs = runs.iter().flat_map(with).collect();
    }
    Ok((names, runs))
}

/// Returns the values of a parameter.
fn single(values: Element<'_>) -> Result<Vec<String>, ReadError> {
    match values.name() {
        "DistributionSet" => {
            expect(values, &["Element"])?;
            values.all("Element").map(|one| Ok(one.required("value")?.to_owned())).collect()
        }
        "DistributionRange" => {
            let step = values.required_number("stepWidth")?;
            let [low, high] = limits(child(values, "Range")?)?;
            let count = (high - low) / step + ROUNDING;
            if step <= 0.0 || count >= MOST_RUNS as f64 {
                let text = format!(
                    "`stepWidth` of <DistributionRange> is {step}; expected a step above 0 with at most {MOST_RUNS} values"
                );
                return Err(ReadError::new(values.line(), text));
            }
            Ok((0..=count as u64).map(|k| (low + k as f64 * step).to_string()).collect())
        }
        name => Err(not_supported(values, name, "DistributionSet, DistributionRange")),
    }
}

/// Returns the sets of values of several parameters, whose names it adds.
fn value_sets(sets: Element<'_>, names: &mut Vec<String>) -> Result<Vec<Vec<String>>, ReadError> {
    let first = names.len();
    let mut found = Vec::new();
    for (number, set) in sets.all("ParameterValueSet").enumerate() {
        let mut values = Vec::new();
        for (place, one) in set.all("ParameterAssignment").enumerate() {
            let name = one.required("parameterRef")?.trim_start_matches('$');
            if number == 0 {
                add_name(names, one, name)?;
            } else if names.get(first + place).is_none_or(|other| other != name) {
                let text =
                    format!("found the parameter `{name}`; expected the order of the first set");
                return Err(ReadError::new(one.line(), text));
            }
            values.push(one.required("value")?.to_owned());
        }
        if values.len() != names.len() - first {
            let expected = names.len() - first;
            let text =
                format!("found {} values; expected {expected}, as in the first set", values.len());
            return Err(ReadError::new(set.line(), text));
        }
        found.push(values);
    }
    Ok(found)
}

fn stochastic(draws: Element<'_>) -> Result<NamedRuns, ReadError> {
    expect(draws, &["StochasticDistribution"])?;
    let count = draws.required_number("numberOfTestRuns")?;
    if count.fract() != 0.0 || !(1.0..=MOST_RUNS as f64).contains(&count) {
        let text =
            format!("`numberOfTestRuns` is {count}; expected a whole number from 1 to {MOST_RUNS}");
        return Err(ReadError::new(draws.line(), text));
    }
    let seed = draws.number_in("randomSeed")?.unwrap_or(0.0);
    let mut names = Vec::new();
    let mut all = Vec::new();
    for one in draws.all("StochasticDistribution") {
        add_name(&mut names, one, one.required("parameterName")?)?;
        all.push(ParameterDraw::read(only(one)?)?);
    }
    let run = |run: u64| {
        let value = |(number, one): (usize, &ParameterDraw)| {
            let mut key = Random::new(seed.to_bits());
            let mut own = Random::new(key.bits() ^ (number as u64) << 40 ^ run);
            one.value(&mut Random::new(own.bits()))
        };
        all.iter().enumerate().map(value).collect::<Result<Vec<_>, _>>()
    };
    Ok((names, (0..count as u64).map(run).collect::<Result<_, _>>()?))
}
