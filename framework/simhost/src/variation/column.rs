//! The values of one variation for the members of an ensemble.

use simhost_engine::stream_key;
use simhost_sdk::{Random, math};

use super::distribution::Distribution;
use super::normal;
use super::sobol::Sobol;

/// The values of one variation for the members of an ensemble.
#[derive(Clone, Debug)]
pub struct ValueColumn {
    distribution: Distribution,
    key: u64,
    design: Design,
}

/// Values that the members of a design share.
#[derive(Clone, Debug)]
enum Design {
    None,
    Hypercube(Hypercube),
    Sobol(Box<Sobol>),
}

/// Value of a member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drawn {
    /// A number.
    Number(f64),
    /// Index of one of the values of the distribution.
    Item(usize),
}

/// Random numbers that a member draws at a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawStream {
    /// Number of the stream, for all starts.
    pub number: u64,
    /// Number of resets before the start.
    pub resets: u64,
}

impl DrawStream {
    /// Returns the stream of a member that has not been given another one, after a number of resets.
    pub fn of(member: usize, resets: u64) -> Self {
        Self { number: member as u64, resets }
    }
}

impl ValueColumn {
    /// Prepares the values of `members` members for a seed. `dimension` is the dimension of the
    /// points of a Sobol sequence.
    pub fn new(
        name: &str,
        distribution: Distribution,
        members: usize,
        seed: u64,
        dimension: usize,
    ) -> Self {
        let key = stream_key(seed, [hash(name)]);
        let design = match distribution {
            Distribution::LatinHypercube { .. } => Design::Hypercube(Hypercube::new(key, members)),
            Distribution::Sobol { .. } => Design::Sobol(Box::new(Sobol::new(dimension))),
            _ => Design::None,
        };
        Self { distribution, key, design }
    }

    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// Returns the first value of a member as a number; NaN for another text.
    pub fn number(&self, member: usize) -> f64 {
        match self.draw(member, DrawStream::of(member, 0)) {
            Drawn::Number(number) => number,
            Drawn::Item(item) => {
                let numbers = self.distribution.items()[item].numbers();
                numbers.and_then(|all| all.first().copied()).unwrap_or(f64::NAN)
            }
        }
    }

    /// Returns the value of a member with a stream.
    pub fn draw(&self, member: usize, stream: DrawStream) -> Drawn {
        let DrawStream { number, resets } = stream;
        let stream = || Random::new(stream_key(self.key, [number, resets]));
        // inside of 0 and 1
        let part = || ((stream().bits() >> 12) as f64 + 0.5) * (1.0 / (1_u64 << 52) as f64);
        let between = |low: f64, high: f64, part: f64| low + (high - low) * part;
        Drawn::Number(match self.distribution {
            Distribution::Constant(_) => return Drawn::Item(0),
            Distribution::List(ref values) | Distribution::Column(ref values) => {
                return Drawn::Item(member % values.len());
            }
            Distribution::Choice(ref values) => {
                return Drawn::Item(index(stream().bits(), values.len()));
            }
            Distribution::Range { first, last, count } => {
                let number = (member as u64) % count;
                match count {
                    1 => first,
                    // exact at both ends
                    _ if number + 1 == count => last,
                    _ => between(first, last, number as f64 / (count - 1) as f64),
                }
            }
            Distribution::Uniform { low, high } => between(low, high, stream().uniform()),
            Distribution::LogUniform { low, high } => {
                let [from, to] = [low, high].map(math::ln);
                math::exp(between(from, to, stream().uniform())).clamp(low, high)
            }
            Distribution::Normal { mean, deviation } => mean + deviation * normal::quantile(part()),
            Distribution::Truncated { mean, deviation, low, high } => {
                let ends = [low, high].map(|end| (end - mean) / deviation);
                (mean + deviation * normal::truncated(ends, part())).clamp(low, high)
            }
            Distribution::LatinHypercube { low, high } | Distribution::Sobol { low, high } => {
                let part = match &self.design {
                    Design::Hypercube(cube) => cube.value(member),
                    Design::Sobol(points) => points.value(member as u32),
                    Design::None => 0.0,
                };
                between(low, high, part)
            }
        })
    }
}

/// Returns the FNV-1a hash, 64 bits, of a text as UTF-8.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// One coordinate of a Latin hypercube.
///
/// D. McKay, R. J. Beckman, W. J. Conover, "A Comparison of Three Methods for Selecting Values
/// of Input Variables in the Analysis of Output from a Computer Code", Technometrics 21(2),
/// 1979).
#[derive(Clone, Debug)]
struct Hypercube {
    /// Interval of each member.
    order: Vec<u32>,
    key: u64,
}

impl Hypercube {
    /// Draws the intervals of `members` members, at most 2³², for a key.
    pub fn new(key: u64, members: usize) -> Self {
        let key = stream_key(key, [members as u64]);
        let mut random = Random::new(key);
        let mut order: Vec<u32> = (0..members as u64).map(|number| number as u32).collect();
        // Fisher and Yates, as in R. Durstenfeld, "Algorithm 235", Communications of the ACM 7(7), 1964
        for last in (1..members).rev() {
            order.swap(last, index(random.bits(), last + 1));
        }
        Self { order, key }
    }

    /// Returns the value of a member, from 0 to 1.
    pub fn value(&self, member: usize) -> f64 {
        let within = Random::new(stream_key(self.key, [member as u64])).uniform();
        (f64::from(self.order[member]) + within) / self.order.len() as f64
    }
}

/// Returns a number below `count` for random bits, all with the same probability up to `count`·2⁻⁶⁴ (D. Lemire, "Fast
/// Random Integer Generation in an Interval", ACM Transactions on Modeling and Computer Simulation 29(1), 2019).
fn index(bits: u64, count: usize) -> usize {
    ((u128::from(bits) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::{Hypercube, ValueColumn, hash};
    use crate::variation::distribution::Distribution;

    fn draws(text: &str, members: usize) -> Vec<f64> {
        let distribution: Distribution = text.parse().unwrap();
        let column = ValueColumn::new("mu", distribution, members, 3, 0);
        (0..members).map(|member| column.number(member)).collect()
    }

    /// Mean and variance of the distributions, from their textbook formulas.
    #[test]
    fn draws_have_the_moments_and_bounds_of_their_distributions() {
        let ln = std::f64::consts::LN_10;
        for (text, mean, variance, [low, high]) in [
            ("uniform:2:4", 3.0, 1.0 / 3.0, [2.0, 4.0]),
            // (b − a)/ln(b/a), and (b² − a²)/(2 ln(b/a)) − mean²
            ("loguniform:1:10", 9.0 / ln, 49.5 / ln - (9.0 / ln).powi(2), [1.0, 10.0]),
            ("normal:1:2", 1.0, 4.0, [-9.0, 11.0]),
            // half of a normal distribution: √(2/π), 1 − 2/π
            ("truncated:1:1:1:20", 1.797_884_560_8, 0.363_380_227_6, [1.0, 20.0]),
            ("choice:0,1,5", 2.0, 14.0 / 3.0, [0.0, 5.0]),
            ("lhs:2:4", 3.0, 1.0 / 3.0, [2.0, 4.0]),
            ("sobol:2:4", 3.0, 1.0 / 3.0, [2.0, 4.0]),
            ("range:0:1:11", 0.5, 0.1, [0.0, 1.0]),
        ] {
            let count = 11 * 4096;
            let all = draws(text, count);
            let found = all.iter().sum::<f64>() / count as f64;
            let spread = all.iter().map(|x| (x - found).powi(2)).sum::<f64>() / count as f64;
            // five standard errors of the mean
            let most = 5.0 * (variance / count as f64).sqrt();
            assert!((found - mean).abs() < most, "{text}: {found} {mean}");
            assert!((spread - variance).abs() < 0.03 * variance, "{text}: {spread} {variance}");
            assert!(all.iter().all(|x| (low..=high).contains(x)), "{text}");
        }
    }

    #[test]
    fn grids_are_exact_and_repeat() {
        assert_eq!(draws("range:0:1:11", 12)[3], 0.3);
        assert_eq!(
            draws("range:0.6:1.5:4", 5),
            [0.6, 0.6 + 0.9 / 3.0, 0.6 + 0.9 * (2.0 / 3.0), 1.5, 0.6]
        );
        assert_eq!(draws("range:3:9:1", 2), [3.0; 2]);
        assert_eq!(draws("list:1,2", 5), [1.0, 2.0, 1.0, 2.0, 1.0]);
        assert_eq!(draws("-1.5", 2), [-1.5; 2]);
    }

    /// Test vectors of Fowler, Noll and Vo.
    #[test]
    fn names_are_hashed_by_fnv_1a() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn each_interval_has_one_value_and_sizes_differ_in_all() {
        for members in [1, 2, 7, 1000] {
            let cube = Hypercube::new(9, members);
            let mut hit = vec![0; members];
            for member in 0..members {
                hit[(cube.value(member) * members as f64) as usize] += 1;
            }
            assert_eq!(hit, vec![1; members]);
        }
        let sorted = Hypercube::new(9, 1000);
        assert!((0..999).any(|member| sorted.value(member) > sorted.value(member + 1)));
        let [seven, eight] = [7, 8].map(|members| Hypercube::new(9, members));
        assert!((0..7).any(|member| seven.order[member] != eight.order[member]));
        assert_ne!(seven.order, Hypercube::new(10, 7).order);
    }
}
