//! Tables of kinematics (K&C) as a model of the kind `suspension`.
//!
//! Columns are described in [`kinematics_table::file`](crate::kinematics_table::file). Without `wheel_x`, the wheel centre moves like the contact point; without
//! `spring_length`, the spring is compressed by the travel times `motion_ratio`; without `rc_height`, the height of
//! the roll centre follows from the change of track.

use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::alignment::Alignment;
use crate::dual::Dual;
use crate::guide::virtual_work;
use crate::interpolation::Interpolation;
use crate::kinematics_table::{KinematicsTable, QUANTITIES, Quantity, file};

/// Example: rates of a medium car.
const EXAMPLE: &str = "travel,camber_deg,toe_in_deg,half_track_change\n\
    -0.08,0.8,0.1,-0.008\n0,-0.5,0.1,0\n0.08,-2.6,0,0.003\n";

/// Wheels that follow measured or computed tables over wheel travel and rack travel.
#[derive(Params)]
pub struct Tables {
    /// CSV file with a column `travel`, optionally `rack`, and quantities such as `toe_in_deg`. Without it, the
    /// table is an example.
    table: Option<TextFile>,
    /// Curve between the points of the table.
    #[param(default = "monotone")]
    interpolation: Interpolation,
    /// Compression of the spring per travel, if the table has no column `spring_length`. A smaller value makes the
    /// suspension softer.
    #[param(default = 1.0, above = 0.0, range = ..=3.0, unit = "1")]
    motion_ratio: f64,
    /// Table.
    #[param(skip)]
    read: KinematicsTable,
    /// Values at rest.
    #[param(skip)]
    rest: [f64; QUANTITIES],
}

/// A wheel of a table.
struct TableWheel {
    alignment: Alignment,
    caster: f64,
    roll_centre: f64,
}

impl Tables {
    /// Returns a quantity relative to its value at rest.
    #[inline(always)]
    fn change(&self, values: &[Dual; QUANTITIES], quantity: Quantity) -> Dual {
        let dual = values[quantity as usize];
        Dual { value: dual.value - self.rest[quantity as usize], ..dual }
    }

    #[inline(always)]
    fn wheel(&self, corner: &CornerMotion, half_track: f64) -> TableWheel {
        let values = self.read.at(corner.travel, corner.rack);
        let track = self.change(&values, Quantity::HalfTrackChange);
        let forward = self.change(&values, Quantity::ContactX);
        let centre = match self.read.has(Quantity::WheelX) {
            true => self.change(&values, Quantity::WheelX),
            false => forward,
        };
        let spring = match self.read.has(Quantity::SpringLength) {
            true => self.change(&values, Quantity::SpringLength),
            false => {
                Dual { value: -self.motion_ratio * corner.travel, by: [-self.motion_ratio, 0.0] }
            }
        };
        let distance = half_track + track.value;
        let roll_centre = match self.read.has(Quantity::RollCentre) {
            true => values[Quantity::RollCentre as usize].value,
            false => distance * track.by[0],
        };
        let up = Dual { value: corner.travel, by: [1.0, 0.0] };
        let path = Vec3::new(forward.by[0], roll_centre / distance, 1.0);
        let alignment = Alignment {
            camber: values[Quantity::Camber as usize],
            toe: values[Quantity::Toe as usize],
            centre: [centre, track, up],
            contact: [forward, track, up],
            contact_path: [path, Vec3::ZERO],
            spring_length: spring,
            shock_length: spring,
        };
        TableWheel { alignment, caster: values[Quantity::Caster as usize].value, roll_centre }
    }
}

#[model]
impl Suspension for Tables {
    fn prepare(&mut self) -> Result<(), String> {
        let points = match &self.table {
            Some(TextFile { path, text }) => {
                file::parse(text).map_err(|error| format!("table {path}: {error}"))?
            }
            None => file::parse(EXAMPLE).map_err(|error| error.to_string())?,
        };
        self.read = KinematicsTable::new(points, self.interpolation);
        self.rest = self.read.at(0.0, 0.0).map(|dual| dual.value);
        Ok(())
    }

    fn kinematics(&self, axle: &AxleMotion, _: &Step, _: &mut ()) -> AxleKinematics {
        let corners = axle.corners();
        let wheels = [0, 1].map(|side| self.wheel(&corners[side], axle.half_track));
        let outputs = |side: usize| {
            let (corner, TableWheel { alignment, caster, .. }) = (&corners[side], &wheels[side]);
            CornerKinematics {
                camber: alignment.camber.value,
                toe: alignment.toe.value,
                track: alignment.contact[1].value,
                longitudinal: alignment.centre[0].value,
                caster: *caster,
                spring: -alignment.spring_length.value,
                motion_ratio: alignment.spring_motion_ratio(),
                jacking: corner.force[2] - virtual_work(corner, alignment, 0, axle.wheel_radius),
            }
        };
        let roll_centre = 0.5 * (wheels[0].roll_centre + wheels[1].roll_centre);
        AxleKinematics::new([outputs(0), outputs(1)], [roll_centre; 2])
    }
}
