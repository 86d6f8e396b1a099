//! Latin hypercubes: one value in each of n equal intervals, in a random order (M. D. McKay, R. J. Beckman, W. J.
//! Conover, "A Comparison of Three Methods for Selecting Values of Input Variables in the Analysis of Output from a
//! Computer Code", Technometrics 21(2), 1979).

use simhost_engine::stream_key;
use simhost_sdk::Random;

/// One coordinate of a Latin hypercube.
#[derive(Clone, Debug)]
pub struct Hypercube {
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
pub fn index(bits: u64, count: usize) -> usize {
    ((u128::from(bits) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::Hypercube;

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
