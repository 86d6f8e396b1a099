//! Distributions from which values are drawn.

use simhost_sdk::Random;
use simhost_xml::{Element, ReadError};

use crate::references::{child, limits, not_supported};

/// Draws after which a range counts as empty.
const MOST_DRAWS: usize = 10_000;

/// Greatest mean of Poisson's distribution, beyond which its first probability is too small for a number.
const MOST_MEAN: f64 = 600.0;

/// A distribution of numbers or texts.
enum Draw {
    /// Texts with the sums of their weights up to them.
    Set(Vec<(f64, String)>),
    Normal([f64; 2]),
    LogNormal([f64; 2]),
    Uniform([f64; 2]),
    Poisson(f64),
    /// Ranges with the sums of their weights up to them.
    Histogram(Vec<(f64, [f64; 2])>),
}

/// A distribution of a parameter, with the range that cuts it.
pub(super) struct ParameterDraw {
    line: u32,
    draw: Draw,
    within: Option<[f64; 2]>,
}

impl ParameterDraw {
    pub fn read(element: Element<'_>) -> Result<Self, ReadError> {
        let positive = |name: &str| {
            let value = element.required_number(name)?;
            if value > 0.0 {
                return Ok(value);
            }
            let text = format!("`{name}` of <{}> is {value}; expected above 0", element.name());
            Err(ReadError::new(element.line(), text))
        };
        let draw = match element.name() {
            "ProbabilityDistributionSet" => Draw::Set(weighted(element, "Element", |one| {
                Ok(one.required("value")?.to_owned())
            })?),
            "NormalDistribution" => {
                let variance = positive("variance")?;
                Draw::Normal([element.required_number("expectedValue")?, variance.sqrt()])
            }
            "LogNormalDistribution" => {
                let (mean, variance) = (positive("expectedValue")?, positive("variance")?);
                let spread = libm::log1p(variance / (mean * mean));
                Draw::LogNormal([libm::log(mean) - 0.5 * spread, spread.sqrt()])
            }
            "UniformDistribution" => Draw::Uniform(limits(child(element, "Range")?)?),
            "PoissonDistribution" => {
                let mean = positive("expectedValue")?;
                if mean > MOST_MEAN {
                    let text = format!(
                        "`expectedValue` of <PoissonDistribution> is {mean}; expected at most {MOST_MEAN}"
                    );
                    return Err(ReadError::new(element.line(), text));
                }
                Draw::Poisson(mean)
            }
            "Histogram" => {
                Draw::Histogram(weighted(element, "Bin", |one| limits(child(one, "Range")?))?)
            }
            name => {
                let known = "ProbabilityDistributionSet, NormalDistribution, LogNormalDistribution, \
                             UniformDistribution, PoissonDistribution, Histogram";
                return Err(not_supported(element, name, known));
            }
        };
        let within = match draw {
            Draw::Normal(_) | Draw::LogNormal(_) | Draw::Poisson(_) => {
                element.child("Range").map(limits).transpose()?
            }
            _ => None,
        };
        Ok(Self { line: element.line(), draw, within })
    }

    /// Draws a value.
    pub fn value(&self, random: &mut Random) -> Result<String, ReadError> {
        if let Draw::Set(values) = &self.draw {
            return Ok(pick(values, random).clone());
        }
        for _ in 0..MOST_DRAWS {
            let number = match &self.draw {
                Draw::Set(_) => break,
                Draw::Normal([mean, deviation]) => mean + deviation * random.normal(),
                Draw::LogNormal([mean, deviation]) => libm::exp(mean + deviation * random.normal()),
                Draw::Uniform([low, high]) => low + (high - low) * random.uniform(),
                Draw::Poisson(mean) => poisson(*mean, random),
                Draw::Histogram(bins) => {
                    let [low, high] = *pick(bins, random);
                    low + (high - low) * random.uniform()
                }
            };
            if self.within.is_none_or(|[low, high]| (low..=high).contains(&number)) {
                return Ok(number.to_string());
            }
        }
        let text = format!(
            "none of {MOST_DRAWS} numbers of the distribution is in its <Range>; expected a range with more of them"
        );
        Err(ReadError::new(self.line, text))
    }
}

/// Returns items with the sums of their weights up to them.
fn weighted<T>(
    element: Element<'_>,
    name: &'static str,
    read: impl Fn(Element<'_>) -> Result<T, ReadError>,
) -> Result<Vec<(f64, T)>, ReadError> {
    let (mut sum, mut found) = (0.0, Vec::new());
    for one in element.all(name) {
        let weight = one.required_number("weight")?;
        if weight < 0.0 {
            let text = format!("`weight` of <{name}> is {weight}; expected 0 or more");
            return Err(ReadError::new(one.line(), text));
        }
        sum += weight;
        found.push((sum, read(one)?));
    }
    if sum > 0.0 {
        return Ok(found);
    }
    let text = format!("<{}> has no <{name}> with a weight above 0", element.name());
    Err(ReadError::new(element.line(), text))
}

/// Draws one of at least one item with the sums of their weights up to them.
fn pick<'i, T>(items: &'i [(f64, T)], random: &mut Random) -> &'i T {
    let total = items.last().map_or(0.0, |last| last.0);
    let at = total * random.uniform();
    let number = items.partition_point(|(sum, _)| *sum <= at).min(items.len() - 1);
    &items[number].1
}

fn poisson(mean: f64, random: &mut Random) -> f64 {
    let target = random.uniform();
    let (mut count, mut part) = (0.0, libm::exp(-mean));
    let mut sum = part;
    // the sum may end below the target by rounding
    while sum <= target && part > 0.0 {
        count += 1.0;
        part *= mean / count;
        sum += part;
    }
    count
}
