//! NSGA-II, the genetic algorithm for several goals, in the unit cube.
//!
//! Selection: K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
//! Transactions on Evolutionary Computation 6, 2002, with its rule for constraints. New points: simulated binary crossover
//! of K. Deb, R. B. Agrawal, Complex Systems 9, 1995, and polynomial mutation. All draws follow from a seed.

use std::cmp::Ordering;

use simhost_sdk::{Random, math};

use super::rank::Rank;

/// Probability with which two points are crossed.
const CROSSOVER: f64 = 0.9;
/// Distribution indices of crossover and mutation: a larger value keeps new points closer to the old ones.
const INDEX: f64 = 20.0;

/// The algorithm.
pub struct Nsga {
    population: usize,
    dimensions: usize,
    /// The points from which the next ones come.
    parents: Vec<Parent>,
    random: Random,
}

#[derive(Clone, Debug)]
struct Parent {
    point: Vec<f64>,
    rank: Rank,
    /// Number of the front: 0 for points that none dominates.
    front: usize,
    /// Distance of its neighbours in its front.
    crowding: f64,
}

impl Nsga {
    /// Starts with random points in the unit cube.
    pub fn new(dimensions: usize, population: usize, seed: u64) -> Self {
        Self { population, dimensions, parents: Vec::new(), random: Random::new(seed) }
    }

    /// Returns the points of the next generation.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        let mut points = Vec::with_capacity(self.population + 1);
        while points.len() < self.population {
            if self.parents.is_empty() {
                points.push((0..self.dimensions).map(|_| self.random.uniform()).collect());
                continue;
            }
            let (one, other) = (self.winner(), self.winner());
            points.extend(self.crossed(&one, &other).map(|point| self.mutated(point)));
        }
        points.truncate(self.population);
        points
    }

    /// Takes note of what points have given, and keeps the best of them and of their parents.
    pub fn tell(&mut self, points: Vec<Vec<f64>>, ranks: &[Rank]) {
        let new = points.into_iter().zip(ranks).map(|(point, rank)| {
            let rank = rank.clone();
            Parent { point, rank, front: 0, crowding: 0.0 }
        });
        self.parents.extend(new);
        sort_into_fronts(&mut self.parents);
        self.parents.sort_by(compare);
        self.parents.truncate(self.population);
    }

    /// Returns the better one of two random parents.
    fn winner(&mut self) -> Vec<f64> {
        let mut draw = || &self.parents[(self.random.bits() % self.parents.len() as u64) as usize];
        let (one, other) = (draw(), draw());
        let winner = if compare(one, other).is_le() { one } else { other };
        winner.point.clone()
    }

    fn crossed(&mut self, one: &[f64], other: &[f64]) -> [Vec<f64>; 2] {
        let mut pair = [one.to_vec(), other.to_vec()];
        if self.random.uniform() > CROSSOVER {
            return pair;
        }
        for k in 0..self.dimensions {
            let (is_crossed, part) = (self.random.uniform() < 0.5, self.random.uniform());
            if is_crossed {
                let spread = spread(part);
                let (mean, half) = (0.5 * (one[k] + other[k]), 0.5 * spread * (one[k] - other[k]));
                pair[0][k] = (mean + half).clamp(0.0, 1.0);
                pair[1][k] = (mean - half).clamp(0.0, 1.0);
            }
        }
        pair
    }

    /// Moves about one coordinate of a point.
    fn mutated(&mut self, mut point: Vec<f64>) -> Vec<f64> {
        for x in &mut point {
            let (is_moved, part) = (self.random.uniform(), self.random.uniform());
            if is_moved * self.dimensions as f64 <= 1.0 {
                let power = 1.0 / (INDEX + 1.0);
                *x += match part < 0.5 {
                    true => math::pow(2.0 * part, power) - 1.0,
                    false => 1.0 - math::pow(2.0 * (1.0 - part), power),
                };
                *x = x.clamp(0.0, 1.0);
            }
        }
        point
    }
}

/// Returns how far two crossed points are from each other, as a part of the distance of those before.
fn spread(part: f64) -> f64 {
    let power = 1.0 / (INDEX + 1.0);
    match part < 0.5 {
        true => math::pow(2.0 * part, power),
        false => math::pow(0.5 / (1.0 - part), power),
    }
}

/// Orders points by their fronts, and points of one front by their distance from others.
fn compare(one: &Parent, other: &Parent) -> Ordering {
    one.front.cmp(&other.front).then(other.crowding.total_cmp(&one.crowding))
}

/// Finds the front of each point, and its distance from the others in it.
fn sort_into_fronts(all: &mut [Parent]) {
    let mut left: Vec<usize> = (0..all.len()).collect();
    let mut number = 0;
    while !left.is_empty() {
        let is_dominated =
            |at: &usize| left.iter().any(|other| all[*other].rank.dominates(&all[*at].rank));
        let (rest, front): (Vec<usize>, Vec<usize>) = left.iter().partition(|at| is_dominated(at));
        for at in &front {
            (all[*at].front, all[*at].crowding) = (number, 0.0);
        }
        let goals = front.first().map_or(0, |at| all[*at].rank.values.len());
        (0..goals).for_each(|goal| add_crowding(all, front.clone(), goal));
        (left, number) = (rest, number + 1);
    }
}

/// Adds the distance of the neighbours of each point of a front along one goal. Those at the ends are kept.
fn add_crowding(all: &mut [Parent], mut front: Vec<usize>, goal: usize) {
    front.sort_by(|one, other| {
        all[*one].rank.values[goal].total_cmp(&all[*other].rank.values[goal])
    });
    let value = |all: &[Parent], at: usize| all[front[at]].rank.values[goal];
    let last = front.len() - 1;
    let extent = value(all, last) - value(all, 0);
    for at in 0..=last {
        let distance = match at == 0 || at == last {
            true => f64::INFINITY,
            false if extent > 0.0 => (value(all, at + 1) - value(all, at - 1)) / extent,
            false => 0.0,
        };
        all[front[at]].crowding += distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Problem ZDT1 of E. Zitzler, K. Deb, L. Thiele, Evolutionary Computation 8, 2000: the front is f2 = 1 − √f1.
    #[test]
    fn the_front_of_zdt1_is_found() {
        let mut algorithm = Nsga::new(6, 40, 3);
        for _ in 0..150 {
            let points = algorithm.ask();
            let rank = |point: &Vec<f64>| {
                let g = 1.0 + 9.0 * point[1..].iter().sum::<f64>() / 5.0;
                Rank::of_values(vec![point[0], g * (1.0 - (point[0] / g).sqrt())])
            };
            let ranks: Vec<Rank> = points.iter().map(rank).collect();
            algorithm.tell(points, &ranks);
        }
        let mut first: Vec<f64> = Vec::new();
        for Parent { rank, .. } in &algorithm.parents {
            let miss = rank.values[1] - (1.0 - rank.values[0].sqrt());
            assert!(miss < 0.05, "{:?}", rank.values);
            first.push(rank.values[0]);
        }
        first.sort_by(f64::total_cmp);
        // all along the front
        assert!(first[0] < 0.02 && first[39] > 0.9, "{first:?}");
        let widest = first.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        assert!(widest < 0.15, "{first:?}");
    }

    #[test]
    fn points_that_meet_the_conditions_come_first() {
        let mut algorithm = Nsga::new(1, 4, 1);
        let rank = |violation: f64, values: [f64; 2]| Rank {
            violation,
            ..Rank::of_values(values.to_vec())
        };
        let ranks = [
            rank(0.5, [0.0, 0.0]),
            rank(0.0, [1.0, 3.0]),
            rank(0.0, [3.0, 1.0]),
            rank(0.2, [0.0, 0.0]),
            rank(0.0, [3.0, 3.0]),
        ];
        algorithm.tell(vec![vec![0.0]; 5], &ranks);
        let kept: Vec<(usize, f64)> =
            algorithm.parents.iter().map(|one| (one.front, one.rank.violation)).collect();
        assert_eq!(kept, [(0, 0.0), (0, 0.0), (1, 0.0), (2, 0.2)]);
    }
}
