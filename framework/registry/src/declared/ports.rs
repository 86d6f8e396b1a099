//! Quantities of the host that a phase reads and sets.

use simhost_abi::Scope;
use simhost_abi::host_port::{
    ACTUATORS, AIM_OUTPUTS, AXLE_INPUTS, AXLE_OUTPUTS, CONTACT_INPUTS, DRIVE_OUTPUTS, FLEET_INPUTS,
    GRAVITY_OUTPUTS, HostPort, MEASUREMENTS, MOTION_OUTPUTS, ODOMETRY, POINT_INPUTS, RAY_RESULTS,
    SENSOR_CONSTANTS, SPACE_AIM_OUTPUTS, SPACE_RAY_RESULTS, SURFACE_OUTPUTS, WHEEL_INPUTS,
    WHEEL_OUTPUTS, WIND_OUTPUTS, WRENCH_OUTPUTS,
};

/// Name, unit, description, default and scope of a quantity.
pub type PortRow = (&'static str, &'static str, &'static str, f64, u32);

/// The quantities of the host for a phase.
#[derive(Clone, Debug)]
pub struct DeclaredPorts {
    /// Quantities that it can read.
    pub inputs: Vec<PortRow>,
    /// Number of the first inputs that every model has.
    pub needed_inputs: usize,
    /// Quantities that the host takes from it.
    pub outputs: Vec<PortRow>,
    /// Number of the first outputs that every model has.
    pub needed_outputs: usize,
}

impl DeclaredPorts {
    /// Returns the quantities for a phase; none for an unknown one.
    pub fn of(phase: &str) -> Self {
        let (inputs, needed_inputs, outputs, needed): (&[&[HostPort]], _, &[&[HostPort]], _) =
            match phase {
                "force" => {
                    let all: &[&[HostPort]] = &[WHEEL_INPUTS, CONTACT_INPUTS];
                    (all, WHEEL_INPUTS.len(), &[WHEEL_OUTPUTS], WHEEL_OUTPUTS.len())
                }
                "drive" => (&[MEASUREMENTS], 0, &[DRIVE_OUTPUTS], 2),
                "wrench" => (&[MEASUREMENTS], 0, &[WRENCH_OUTPUTS], 5),
                "motion" => (&[MEASUREMENTS], 0, &[MOTION_OUTPUTS], 8),
                "measure" => (&[MEASUREMENTS], 0, &[ODOMETRY], 0),
                "control" => (&[MEASUREMENTS], 0, &[ACTUATORS], 0),
                "actuate" => (&[MEASUREMENTS], 0, &[], 0),
                "aim" => (&[MEASUREMENTS], 0, &[AIM_OUTPUTS, SPACE_AIM_OUTPUTS], 0),
                "read" => {
                    let all: &[&[HostPort]] =
                        &[MEASUREMENTS, RAY_RESULTS, SENSOR_CONSTANTS, SPACE_RAY_RESULTS];
                    (all, 0, &[], 0)
                }
                "kinematics" => {
                    let all: &[&[HostPort]] = &[AXLE_INPUTS, MEASUREMENTS];
                    (all, AXLE_INPUTS.len(), &[AXLE_OUTPUTS], AXLE_OUTPUTS.len())
                }
                "command" => (&[MEASUREMENTS, FLEET_INPUTS], 0, &[], 0),
                "wind" => (&[POINT_INPUTS], 3, &[WIND_OUTPUTS], WIND_OUTPUTS.len()),
                "surface" => (&[POINT_INPUTS], 3, &[SURFACE_OUTPUTS], SURFACE_OUTPUTS.len()),
                "gravity" => (&[], 0, &[GRAVITY_OUTPUTS], GRAVITY_OUTPUTS.len()),
                _ => (&[], 0, &[], 0),
            };
        let described = |lists: &[&'static [HostPort]]| {
            let ports = lists.iter().flat_map(|list| list.iter());
            ports
                .filter(|port| {
                    !["command", "kinematics"].contains(&phase) || port.scope == Scope::Instance
                })
                .map(|port| (port.name, port.unit, port.doc, port.default, port.scope as u32))
                .collect()
        };
        Self {
            inputs: described(inputs),
            needed_inputs,
            outputs: described(outputs),
            needed_outputs: needed,
        }
    }
}
