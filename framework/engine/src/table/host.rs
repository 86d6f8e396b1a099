//! Columns of the host, generated from the port tables of `simhost-abi`.

use simhost_abi::host_port::{HostPort, MEASUREMENTS, WHEEL_INPUTS, WHEEL_OUTPUTS};

use crate::columns::Column;

/// Returns the index of a port in a table. Evaluated at compile time, so that an unknown name does not
/// compile.
const fn position(ports: &[HostPort], name: &str) -> usize {
    let mut index = 0;
    while index < ports.len() {
        if is_same(ports[index].name.as_bytes(), name.as_bytes()) {
            return index;
        }
        index += 1;
    }
    panic!("the table does not have this port");
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// Declares a struct with the columns of the ports of a table that the host uses itself. Fields have
/// the names of the ports.
macro_rules! port_columns {
    ($(#[$doc:meta])* $name:ident from $table:ident { $($field:ident)* }) => {
        $(#[$doc])*
        pub(crate) struct $name {
            $(#[doc = concat!("Column of the port `", stringify!($field), "`.")] pub $field: Column,)*
        }

        impl $name {
            /// Selects the fields from the columns of the whole table, in its order.
            pub fn new(columns: &[Column]) -> Self {
                Self { $($field: columns[const { position($table, stringify!($field)) }],)* }
            }
        }
    };
}

port_columns! {
    /// Measurements of the vehicles and their wheels.
    Measured from MEASUREMENTS {
        x y z yaw vx vy omega pitch roll slope_ax slope_ay
        spin wheel_steer radius wheel_x wheel_y wheel_vx wheel_vy
    }
}

port_columns! {
    /// Inputs of friction models, one value per wheel.
    Contact from WHEEL_INPUTS {
        vx vy torque normal_force gravity inertia steer slope_fy mu_override c_rr_override
    }
}

port_columns! {
    /// Outputs of friction models, one value per wheel. Without an output that the model does not
    /// have, the column stays zero.
    Forces from WHEEL_OUTPUTS { fx fy spin_torque }
}

/// Columns that the host reads and writes.
pub(crate) struct HostColumns {
    /// Measurements that models can read.
    pub measured: Measured,
    /// Inputs of friction models.
    pub contact: Contact,
    /// Outputs of friction models.
    pub forces: Forces,
    /// Steering angle that the dynamics class returns, rad.
    pub steer: Column,
    /// Motor torque that the dynamics class returns, N·m.
    pub torque: Column,
    /// Total force of all wheels in the last step, vehicle frame, N; one value per vehicle.
    pub wheel_force: [Column; 2],
    /// Sway of bodies on springs along x and along y: angle, rad, and rate, rad/s; one value per
    /// vehicle.
    pub sway: [[Column; 2]; 2],
}
