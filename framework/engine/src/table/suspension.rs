//! The suspensions of a table: links that guide the wheels of an axle.
//!
//! A suspension is called before the dynamics class, once per axle with all vehicles. Its inputs are
//! measurements of the class with one value per wheel; a call reads the columns of its two wheels in
//! place. Measurements of an axle have its name: `front_rack`. The class reads the outputs by the name of the axle and of the output: `front_camber_left`.

use simhost_abi::host_port::AXLE_INPUTS;

use crate::columns::{Column, Columns, Layout};
use crate::model::{Call, ModelError, ModelLanes, PortMap, UnboundCall};

/// The suspension of an axle of all vehicles of a table.
#[derive(Clone)]
pub(super) struct GuidedAxle {
    /// Name of the axle.
    pub axle: String,
    /// Its phase `kinematics`.
    pub call: Call,
}

/// A suspension with the columns of its states.
pub(super) struct GuidedAxleLanes {
    pub lanes: ModelLanes,
    /// Name of the axle.
    pub axle: String,
    /// Indices of the left and the right wheel.
    pub wheels: [usize; 2],
}

/// A suspension with its columns, before the columns are laid out in memory.
pub(super) struct UnboundGuidedAxle {
    axle: String,
    call: UnboundCall,
}

impl UnboundGuidedAxle {
    /// Binds the suspension to the columns in memory.
    pub fn bind(self, columns: &Columns) -> GuidedAxle {
        GuidedAxle { axle: self.axle, call: self.call.bind(columns) }
    }
}

/// Measurement of a dynamics class that an input of a suspension reads, and the index of the side.
fn source(input: &str) -> (String, Option<usize>) {
    let sides = [("_left", 0), ("_right", 1)];
    let found = sides.into_iter().find_map(|(end, side)| Some((input.strip_suffix(end)?, side)));
    match found {
        // forces and moments of wheels have other frames
        Some((base, side)) if ["fx", "fy", "fz", "mx", "mz"].contains(&base) => {
            (format!("ground_{base}"), Some(side))
        }
        Some((base, side)) => (base.to_owned(), Some(side)),
        None => (input.to_owned(), None),
    }
}

/// Returns the inputs of a suspension for `count` vehicles.
fn inputs(
    suspension: &GuidedAxleLanes,
    measured: &PortMap,
    geometry: &PortMap,
    count: usize,
) -> PortMap {
    let GuidedAxleLanes { axle, wheels, .. } = suspension;
    let mut found = PortMap::default();
    for input in AXLE_INPUTS {
        let (name, side) = source(input.name);
        let own = |column: Column| match side {
            Some(side) => (column.len() >= count * (wheels[side] + 1))
                .then(|| column.part(count * wheels[side], count)),
            None => Some(column),
        };
        let of_axle = || measured.get(&format!("{axle}_{name}"));
        let known = geometry.get(input.name).or_else(of_axle).or_else(|| measured.get(&name));
        if let Some(column) = known.and_then(own) {
            found.extend(PortMap::one(input.name, column));
        }
    }
    found
}

/// Wires the suspensions of the axles. `measured` are the measurements of the dynamics class, and the
/// outputs are added to `driven` with the name of the axle.
///
/// # Errors
/// [`ModelError::Incomplete`] if a suspension lacks its phase.
pub(super) fn wire(
    suspensions: &[GuidedAxleLanes],
    [measured, by_host]: [&PortMap; 2],
    constants: &dyn Fn([usize; 2]) -> [Vec<f64>; 2],
    driven: &mut PortMap,
    layout: &mut Layout,
) -> Result<Vec<UnboundGuidedAxle>, ModelError> {
    let mut wired = Vec::new();
    for suspension in suspensions {
        let GuidedAxleLanes { lanes, axle, wheels } = suspension;
        let phase = lanes.phase(&["kinematics"])?;
        let [half_track, radius] = constants(*wheels);
        let count = half_track.len();
        let mut geometry = PortMap::one("half_track", layout.add_constant(half_track));
        geometry.extend(PortMap::one("wheel_radius", layout.add_constant(radius)));
        let own = inputs(suspension, measured, &geometry, count);
        let mut outputs = PortMap::default();
        let mut undriven = PortMap::default();
        let call = lanes.wire(phase, &[&own, by_host], &mut undriven, &mut outputs, layout);
        for (name, column) in outputs.iter() {
            driven.extend(PortMap::one(&format!("{axle}_{name}"), column));
        }
        wired.push(UnboundGuidedAxle { axle: axle.clone(), call });
    }
    Ok(wired)
}
