//! Switches of logs.

use super::declare::stream_type;

stream_type! {
    /// Switch of the log of a vehicle.
    Recording<'a> as "simhost_msgs/msg/Recording" {
        /// Name of the vehicle; empty for all vehicles.
        vehicle: &'a str, "";
        /// `on`, `off`, `new` for a log in new files, or `clear` for tables without the rows so far.
        action: &'a str, "";
    }
}
