//! Surfaces over rectangular grids: several quantities that depend on two others.
//!
//! Between the points, a surface is cubic along both axes. Along each line of the grid, [`slopes`]
//! determines its slopes, so that it is monotone along the lines where the points are; its mixed derivatives are the differences
//! of these slopes. The surface and its derivatives are continuous, and it continues linearly beyond the grid.

use crate::dual::Dual;
use crate::interpolation::{Interpolation, Weights, slopes};

/// Values and derivatives at a point of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node<const Q: usize> {
    value: [f64; Q],
    by_first: [f64; Q],
    by_second: [f64; Q],
    by_both: [f64; Q],
}

/// `Q` quantities over a rectangular grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface<const Q: usize> {
    first: Vec<f64>,
    second: Vec<f64>,
    /// Nodes, for each position on the first axis one per position on the second.
    nodes: Vec<Node<Q>>,
    is_linear: bool,
}

impl<const Q: usize> Default for Surface<Q> {
    fn default() -> Self {
        Self { first: Vec::new(), second: Vec::new(), nodes: Vec::new(), is_linear: false }
    }
}

/// Points of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct GridPoints<const Q: usize> {
    /// Positions on the first axis, increasing. At least two.
    pub first: Vec<f64>,
    /// Positions on the second axis, increasing. At least one.
    pub second: Vec<f64>,
    /// Values of all quantities, for each position on the first axis one per position on the second.
    pub values: Vec<[f64; Q]>,
    /// Whether the points have each quantity.
    pub present: [bool; Q],
}

impl<const Q: usize> Surface<Q> {
    /// Creates a surface from its points.
    pub fn new(points: GridPoints<Q>, interpolation: Interpolation) -> Self {
        let GridPoints { first, mut second, mut values, .. } = points;
        if let [only] = second[..] {
            // nothing depends on the second axis
            second.push(only + 1.0);
            values = values.iter().flat_map(|values| [*values; 2]).collect();
        }
        let zero = [0.0; Q];
        let node = |value| Node { value, by_first: zero, by_second: zero, by_both: zero };
        let nodes = values.into_iter().map(node).collect();
        let is_linear = interpolation == Interpolation::Linear;
        let mut surface = Self { first, second, nodes, is_linear };
        for quantity in 0..Q {
            surface.set_slopes(quantity, interpolation);
        }
        surface
    }

    /// Sets the derivatives of a quantity at all nodes.
    fn set_slopes(&mut self, quantity: usize, interpolation: Interpolation) {
        let (rows, columns) = (self.first.len(), self.second.len());
        for column in 0..columns {
            let line: Vec<f64> =
                (0..rows).map(|row| self.nodes[row * columns + column].value[quantity]).collect();
            for (row, slope) in slopes(&self.first, &line, interpolation).into_iter().enumerate() {
                self.nodes[row * columns + column].by_first[quantity] = slope;
            }
        }
        for row in 0..rows {
            let nodes = &mut self.nodes[row * columns..(row + 1) * columns];
            let line: Vec<f64> = nodes.iter().map(|node| node.value[quantity]).collect();
            let across: Vec<f64> = nodes.iter().map(|node| node.by_first[quantity]).collect();
            let by_second = slopes(&self.second, &line, interpolation);
            let by_both = slopes(&self.second, &across, Interpolation::Cubic);
            for (node, (second, both)) in nodes.iter_mut().zip(by_second.into_iter().zip(by_both)) {
                (node.by_second[quantity], node.by_both[quantity]) = (second, both);
            }
        }
    }

    /// Returns the first and the last position on each axis.
    pub fn limits(&self) -> [[f64; 2]; 2] {
        [&self.first, &self.second].map(|axis| [axis[0], axis[axis.len() - 1]])
    }

    /// Returns all quantities at a point, with their derivatives by both positions.
    #[inline]
    pub fn at(&self, first: f64, second: f64) -> [Dual; Q] {
        let along = Weights::new(&self.first, first, self.is_linear);
        let across = Weights::new(&self.second, second, self.is_linear);
        let columns = self.second.len();
        let corner = along.interval * columns + across.interval;
        let corners = [corner, corner + columns];
        // along the second axis, at both positions on the first: values, slopes by the first, and their derivatives
        let mut lines = [[0.0; Q]; 4];
        let mut by_second = [[0.0; Q]; 4];
        for (k, corner) in corners.into_iter().enumerate() {
            let [near, far] = [&self.nodes[corner], &self.nodes[corner + 1]];
            let values = [&near.value, &far.value, &near.by_second, &far.by_second];
            let rates = [&near.by_first, &far.by_first, &near.by_both, &far.by_both];
            lines[k] = weighted(values, &across.value);
            lines[k + 2] = weighted(rates, &across.value);
            by_second[k] = weighted(values, &across.slope);
            by_second[k + 2] = weighted(rates, &across.slope);
        }
        let value = weighted(lines.each_ref(), &along.value);
        let by_first = weighted(lines.each_ref(), &along.slope);
        let by_second_at = weighted(by_second.each_ref(), &along.value);
        let mut result = [Dual::default(); Q];
        for k in 0..Q {
            result[k] = Dual { value: value[k], by: [by_first[k], by_second_at[k]] };
        }
        if along.beyond != 0.0 || across.beyond != 0.0 {
            let by_both = weighted(by_second.each_ref(), &along.slope);
            for (dual, both) in result.iter_mut().zip(by_both) {
                *dual = continued(*dual, both, [along.beyond, across.beyond]);
            }
        }
        result
    }
}

/// Continues a quantity with the mixed derivative `both` by distances along both axes.
fn continued(edge: Dual, both: f64, [along, across]: [f64; 2]) -> Dual {
    let [by_first, by_second] = edge.by;
    Dual {
        value: edge.value + by_first * along + by_second * across + both * along * across,
        by: [by_first + both * across, by_second + both * along],
    }
}

/// Returns a weighted sum.
#[inline(always)]
fn weighted<const Q: usize>([a, b, c, d]: [&[f64; Q]; 4], weights: &[f64; 4]) -> [f64; Q] {
    let mut sum = [0.0; Q];
    for k in 0..Q {
        sum[k] = weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k] + weights[3] * d[k];
    }
    sum
}
