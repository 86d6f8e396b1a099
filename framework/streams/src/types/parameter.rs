//! Values of parameters of models.

use super::declare::stream_type;

stream_type! {
    /// Value of a parameter of a model.
    Parameter<'a> as "simhost_msgs/msg/Parameter" {
        /// Name: `VEHICLE/ROLE/KEY`, such as `robot/controller/KP`.
        name: &'a str, "";
        /// Value as in a world file.
        value: &'a str, "";
    }
}
