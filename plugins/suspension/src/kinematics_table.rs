//! Tables of measured or computed kinematics (K&C): camber, toe and so on over wheel travel and rack travel.
//!
//! Between the points, a surface is cubic along both axes. Along each line of the grid, [`slopes`]
//! determines its slopes, so that it is monotone along the lines where the points are; its mixed derivatives are the differences
//! of these slopes. The surface and its derivatives are continuous, and it continues linearly beyond the grid.

pub mod file;

use crate::dual::Dual;
use crate::interpolation::{Interpolation, Weights, slopes};

/// Number of quantities.
pub const QUANTITIES: usize = 8;

/// A quantity of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Camber, rad.
    Camber,
    /// Toe, rad.
    Toe,
    /// Lateral displacement of the contact point outboard, m.
    HalfTrackChange,
    /// Longitudinal position of the contact point, m.
    ContactX,
    /// Longitudinal position of the wheel centre, m.
    WheelX,
    /// Caster angle, rad.
    Caster,
    /// Length of the spring, m.
    SpringLength,
    /// Height of the kinematic roll centre above the ground, m.
    RollCentre,
}

/// Values of all quantities at a point.
type Values = [f64; QUANTITIES];

/// Values and derivatives at a point of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Node {
    value: Values,
    by_travel: Values,
    by_rack: Values,
    by_both: Values,
}

/// A table over a rectangular grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KinematicsTable {
    travels: Vec<f64>,
    racks: Vec<f64>,
    /// Nodes, for each travel one per rack position.
    nodes: Vec<Node>,
    is_linear: bool,
    /// Whether the table has each quantity.
    present: [bool; QUANTITIES],
}

/// Points of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridPoints {
    /// Wheel travels, increasing, m. At least two.
    pub travels: Vec<f64>,
    /// Rack travels, increasing, m. At least one.
    pub racks: Vec<f64>,
    /// Values of all quantities, for each travel one per rack travel.
    pub values: Vec<Values>,
    /// Whether the table has each quantity.
    pub present: [bool; QUANTITIES],
}

impl KinematicsTable {
    /// Creates a table from its points.
    pub fn new(mut points: GridPoints, interpolation: Interpolation) -> Self {
        if let [rack] = points.racks[..] {
            // nothing depends on the rack
            points.racks.push(rack + 1.0);
            points.values = points.values.iter().flat_map(|values| [*values; 2]).collect();
        }
        let GridPoints { travels, racks, values, present } = points;
        let nodes = values.into_iter().map(|value| Node { value, ..Node::default() }).collect();
        let is_linear = interpolation == Interpolation::Linear;
        let mut table = Self { travels, racks, nodes, is_linear, present };
        for quantity in 0..QUANTITIES {
            table.set_slopes(quantity, interpolation);
        }
        table
    }

    /// Sets the derivatives of a quantity at all nodes.
    fn set_slopes(&mut self, quantity: usize, interpolation: Interpolation) {
        let (rows, columns) = (self.travels.len(), self.racks.len());
        for column in 0..columns {
            let line: Vec<f64> =
                (0..rows).map(|row| self.nodes[row * columns + column].value[quantity]).collect();
            for (row, slope) in slopes(&self.travels, &line, interpolation).into_iter().enumerate()
            {
                self.nodes[row * columns + column].by_travel[quantity] = slope;
            }
        }
        for row in 0..rows {
            let nodes = &mut self.nodes[row * columns..(row + 1) * columns];
            let line: Vec<f64> = nodes.iter().map(|node| node.value[quantity]).collect();
            let across: Vec<f64> = nodes.iter().map(|node| node.by_travel[quantity]).collect();
            let by_rack = slopes(&self.racks, &line, interpolation);
            let by_both = slopes(&self.racks, &across, Interpolation::Cubic);
            for (node, (rack, both)) in nodes.iter_mut().zip(by_rack.into_iter().zip(by_both)) {
                (node.by_rack[quantity], node.by_both[quantity]) = (rack, both);
            }
        }
    }

    /// Returns whether the table has a quantity. The values of others are 0.
    pub fn has(&self, quantity: Quantity) -> bool {
        self.present[quantity as usize]
    }

    /// Returns all quantities at a wheel travel and a rack travel, m, in the order of [`Quantity`].
    #[inline]
    pub fn at(&self, travel: f64, rack: f64) -> [Dual; QUANTITIES] {
        let along = Weights::new(&self.travels, travel, self.is_linear);
        let across = Weights::new(&self.racks, rack, self.is_linear);
        let columns = self.racks.len();
        let first = along.interval * columns + across.interval;
        let corners = [first, first + columns];
        // along the rack, at both travels: values, slopes by the travel, and their derivatives by the rack
        let mut lines = [[0.0; QUANTITIES]; 4];
        let mut by_rack = [[0.0; QUANTITIES]; 4];
        for (k, corner) in corners.into_iter().enumerate() {
            let [near, far] = [&self.nodes[corner], &self.nodes[corner + 1]];
            let values = [&near.value, &far.value, &near.by_rack, &far.by_rack];
            let rates = [&near.by_travel, &far.by_travel, &near.by_both, &far.by_both];
            lines[k] = weighted(values, &across.value);
            lines[k + 2] = weighted(rates, &across.value);
            by_rack[k] = weighted(values, &across.slope);
            by_rack[k + 2] = weighted(rates, &across.slope);
        }
        let value = weighted(lines.each_ref(), &along.value);
        let by_travel = weighted(lines.each_ref(), &along.slope);
        let by_rack_at = weighted(by_rack.each_ref(), &along.value);
        let mut result = [Dual::default(); QUANTITIES];
        for k in 0..QUANTITIES {
            result[k] = Dual { value: value[k], by: [by_travel[k], by_rack_at[k]] };
        }
        if along.beyond != 0.0 || across.beyond != 0.0 {
            let by_both = weighted(by_rack.each_ref(), &along.slope);
            for (dual, both) in result.iter_mut().zip(by_both) {
                *dual = continued(*dual, both, [along.beyond, across.beyond]);
            }
        }
        result
    }
}

/// Continues a quantity with the mixed derivative `both` by distances along both axes.
fn continued(edge: Dual, both: f64, [along, across]: [f64; 2]) -> Dual {
    let [by_travel, by_rack] = edge.by;
    Dual {
        value: edge.value + by_travel * along + by_rack * across + both * along * across,
        by: [by_travel + both * across, by_rack + both * along],
    }
}

/// Returns a weighted sum.
#[inline(always)]
fn weighted([a, b, c, d]: [&Values; 4], weights: &[f64; 4]) -> Values {
    let mut sum = [0.0; QUANTITIES];
    for k in 0..QUANTITIES {
        sum[k] = weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k] + weights[3] * d[k];
    }
    sum
}
