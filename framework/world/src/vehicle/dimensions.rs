//! The dimensions of a vehicle from a file of Autoware.

use std::path::Path;

use simhost_abi::ParamKind;
use simhost_assets::ros_parameters::RosParameter;
use simhost_model::ParamValue;

use super::wheel::WheelSpec;
use crate::context::Context;
use crate::models::{ModelUse, read_ros_file};
use crate::tree::Element;

/// Parameter of a dynamics class whose file has the dimensions of the vehicle.
const DIMENSIONS: &str = "vehicle_info";

/// Dimensions of a vehicle.
pub(super) struct Dimensions(Vec<RosParameter>);

impl Dimensions {
    /// Reads the file that a dynamics class names in its parameter `vehicle_info`.
    pub(super) fn read(context: &mut Context<'_>, model: &ModelUse) -> Option<Self> {
        let mut params = model.model.model.params().iter();
        params.find(|one| one.key() == DIMENSIONS && one.kind() == Some(ParamKind::File))?;
        let Some(ParamValue::Text(path)) = model.value(DIMENSIONS) else { return None };
        read_ros_file(context, model.span, Path::new(path)).map(Self)
    }

    fn get(&self, key: &str) -> Option<f64> {
        let value = self.0.iter().find(|one| one.key == key)?.value.parse::<f64>().ok();
        value.filter(|value| value.is_finite() && *value >= 0.0)
    }

    /// Returns the outline of the vehicle. Sides without numbers are taken from the outline of the
    /// class.
    pub(super) fn outline(&self, of_class: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
            of_class.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or_default()
        };
        let half = self.get("wheel_tread").map(|tread| 0.5 * tread);
        let beyond = |from: Option<f64>, key: &str| Some(from? + self.get(key)?);
        let front = beyond(self.get("wheel_base"), "front_overhang").unwrap_or(bound(0, f64::max));
        let rear = self.get("rear_overhang").map_or(bound(0, f64::min), |length| -length);
        let left = beyond(half, "left_overhang").unwrap_or(bound(1, f64::max));
        let right = beyond(half, "right_overhang").map_or(bound(1, f64::min), |width| -width);
        vec![[rear, right], [front, right], [front, left], [rear, left]]
    }

    /// Returns the height of the vehicle, m.
    pub(super) fn height(&self) -> Option<f64> {
        self.get("vehicle_height")
    }

    /// Gives wheels their diameter and width where the `<dynamics>` element has none.
    pub(super) fn size(&self, wheels: &mut [WheelSpec], element: &Element) {
        for wheel in wheels {
            let given = element.children.iter().rfind(|child| child.name == wheel.tag);
            let open = |name: &str| given.is_none_or(|given| given.attribute(name).is_none());
            if let Some(radius) = self.get("wheel_radius").filter(|_| open("diameter")) {
                wheel.diameter = 2.0 * radius;
            }
            if let Some(width) = self.get("wheel_width").filter(|_| open("width")) {
                wheel.width = width;
            }
        }
    }
}
