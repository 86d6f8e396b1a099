//! What one difference is about, and the columns that it comes from.

use super::column::{DrawStream, Drawn, ValueColumn};
use super::target::{MotionPart, Target, TextEntry, motion_of};
use super::value::VariedValue;
use crate::session::Session;

/// One difference of each member.
#[derive(Clone, Debug)]
pub struct Step {
    pub what: What,
    /// Numbers that do not vary; none of a parameter.
    pub base: Vec<f64>,
    /// Column of the whole value.
    pub whole: Option<usize>,
    /// Columns of single numbers, with their indices.
    pub parts: Vec<(usize, usize)>,
}

/// What a difference is about.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Parameter {
        column: usize,
    },
    /// A parameter that is a text, in which single values vary.
    Text {
        parameter: String,
        text: String,
    },
    Fault {
        column: usize,
        vehicle: usize,
        fault: usize,
    },
    Pose {
        entity: String,
    },
    Velocity {
        entity: String,
    },
    Command {
        vehicle: String,
        kind: String,
    },
}

impl What {
    /// Returns the kind of a target, with the constant numbers and the index of the number that
    /// varies, if it is one of several. `column` is the column of its values.
    pub fn of(target: Target, column: usize, session: &Session) -> (Self, Vec<f64>, Option<usize>) {
        let motion = |entity: &str, which: usize| motion_of(session, entity)[which].to_vec();
        match target {
            Target::Seed | Target::Parameter => (Self::Parameter { column }, Vec::new(), None),
            Target::Entry(TextEntry { parameter, text, .. }) => {
                (Self::Text { parameter, text }, Vec::new(), Some(0))
            }
            Target::Fault { vehicle, fault } => {
                (Self::Fault { column, vehicle, fault }, Vec::new(), None)
            }
            Target::Pose(MotionPart { entity, part }) => {
                let base = motion(&entity, 0);
                (Self::Pose { entity }, base, part)
            }
            Target::Velocity(MotionPart { entity, part }) => {
                let base = motion(&entity, 1);
                (Self::Velocity { entity }, base, part)
            }
            Target::Command { vehicle, kind, width, part } => {
                (Self::Command { vehicle, kind }, vec![0.0; width], part)
            }
        }
    }

    /// Returns the place in the order in which differences are made.
    pub fn order(&self) -> u8 {
        match self {
            Self::Parameter { .. } | Self::Text { .. } => 0,
            Self::Fault { .. } => 1,
            Self::Pose { .. } => 2,
            Self::Velocity { .. } => 3,
            Self::Command { .. } => 4,
        }
    }
}

/// A variation with its values.
#[derive(Clone, Debug)]
pub struct NamedColumn {
    pub name: String,
    pub values: ValueColumn,
    /// Numbers of the values of a list, as many for each value as the target has.
    pub numbers: Vec<f64>,
}

impl NamedColumn {
    /// Returns the value of a member.
    pub fn value(&self, member: usize, stream: DrawStream) -> VariedValue {
        match self.values.draw(member, stream) {
            Drawn::Number(number) => VariedValue::Number(number),
            Drawn::Item(item) => self.values.distribution().items()[item].clone(),
        }
    }

    /// Writes the numbers of a member.
    pub fn fill(&self, member: usize, stream: DrawStream, to: &mut [f64]) {
        match self.values.draw(member, stream) {
            Drawn::Number(number) => to.fill(number),
            Drawn::Item(item) => to.copy_from_slice(&self.numbers[item * to.len()..][..to.len()]),
        }
    }
}
