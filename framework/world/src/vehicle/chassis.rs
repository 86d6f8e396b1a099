//! The chassis of a vehicle.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use simhost_abi::{Model, ParamKind};
use simhost_assets::ros_parameters::RosParameter;
use simhost_model::{ParamValue, View};
use simhost_scene::{MassProperties, polygon};

use super::wheel::WheelSpec;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{ModelUse, read_ros_file};
use crate::outline::{SHAPE, check_heights};
use crate::reader::{ClassValues, ElementReader, Fields, declare};
use crate::sources::Span;
use crate::tree::Element;
use crate::visual::{Shape, Visual, report_placeholder, shape_of};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Value, element, non_negative, number, positive};

/// Reason why damping is an attribute.
const DAMPING_ELEMENT: &str = "MVSim ignores it as an element; write it as an attribute";

declare! {
    /// The body of a vehicle.
    section = element("chassis");

    /// The body of a vehicle.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Chassis {
        /// Mass without the wheels.
        pub mass: f64 = attribute(positive("kg")).of_model();
        /// Height of the lowest point.
        pub z_min: f64 = attribute(number("m")).named("zmin").of_model();
        /// Height of the highest point.
        pub z_max: f64 = attribute(number("m")).named("zmax").of_model();
        /// Height of the centre of mass.
        pub cg_height: Option<f64> = attribute(non_negative("m")).or_else("halfway between zmin and zmax");
        /// Position of the centre of mass in the vehicle frame along each axis, if given.
        pub cg: [Option<f64>; 2] =
            attribute(number("m")).named("cg_x").doc("Position of the centre of mass ahead of the reference point.")
                .or_else("the centroid of the outline"),
            attribute(number("m")).named("cg_y").doc("Position of the centre of mass left of the reference point.")
                .or_else("the centroid of the outline");
        /// Moment of inertia about the vertical axis through the centre of mass, without the wheels.
        /// A larger value makes the vehicle turn in more slowly.
        pub yaw_inertia: Option<f64> =
            attribute(positive("kg·m²")).or_else("inertia of the mass spread evenly over the outline");
        /// Damping of the velocity.
        pub linear_damping: Option<f64> = attribute(non_negative("1/s")).or_else("0; 0.1 in mvsim-1.2");
        /// Damping of the yaw rate.
        pub angular_damping: Option<f64> = attribute(non_negative("1/s")).or_else("0; 0.1 in mvsim-1.2");
        /// Colour of a vehicle without visuals.
        pub color: Option<[u8; 4]> = attribute(Value::Color);
        /// Outline in the vehicle frame.
        pub polygon: Vec<[f64; 2]> = child(Value::Element(&SHAPE)).named("shape").of_model();
        /// Derives outline and heights from the visuals.
        pub(super) shape_from_visual: bool =
            child(Value::Presence),
            child(non_negative("1/s")).named("linear_damping").doc("Not read as an element.")
                .ignored(DAMPING_ELEMENT),
            child(non_negative("1/s")).named("angular_damping").doc("Not read as an element.")
                .ignored(DAMPING_ELEMENT);
    }
}

impl Chassis {
    /// Returns the height of the centre of mass above the ground in m. The default is halfway
    /// between the lowest and the highest point.
    pub fn centre_height(&self) -> f64 {
        self.cg_height.unwrap_or(0.5 * (self.z_min + self.z_max))
    }

    /// Returns whether a point of the vehicle frame, m, is inside.
    pub fn contains(&self, [x, y, z]: [f64; 3]) -> bool {
        let sides = self.polygon.iter().zip(self.polygon.iter().cycle().skip(1));
        let crossed = sides.filter(|([ax, ay], [bx, by])| {
            (*ay > y) != (*by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
        });
        (self.z_min..self.z_max).contains(&z) && crossed.count() % 2 == 1
    }

    /// Returns the mass properties in the vehicle frame. By default the mass is spread evenly over the
    /// convex hull of the outline; a given centre of mass moves it without turning it.
    pub fn mass_properties(&self) -> MassProperties {
        let even = MassProperties::polygon(self.mass, &polygon::convex_hull(&self.polygon));
        let centre = [0, 1].map(|axis| self.cg[axis].unwrap_or(even.centre[axis]));
        if centre == even.centre && self.yaw_inertia.is_none() {
            return even;
        }
        let own = self.yaw_inertia.unwrap_or_else(|| even.inertia_about_centre());
        let [x, y] = centre;
        let inertia_about_origin = own + self.mass * (x * x + y * y);
        MassProperties { centre, inertia_about_origin, ..even }
    }
}

/// A chassis whose outline may depend on the visuals of the vehicle.
#[derive(Clone, Debug)]
pub(super) enum ChassisSource {
    Complete(Arc<Chassis>),
    /// The chassis with its default outline, and with the outline of the visuals once they are
    /// known.
    FromVisuals(Chassis, OnceCell<Arc<Chassis>>),
}

/// Reads the chassis of a `<dynamics>` element. Missing parameters are taken from the dynamics
/// class, with the dimensions of its file if it has one.
pub(super) fn read(
    context: &mut Context<'_>,
    element: Option<&Element>,
    model: &'static View<Model>,
    dimensions: Option<&Dimensions>,
    place: Span,
) -> Option<ChassisSource> {
    if element.is_none() && model.chassis().is_none() {
        let error = Diagnostic::error("missing `<chassis>`: the dynamics class has no default")
            .at(place)
            .help("write <chassis mass=\"…\" zmin=\"…\" zmax=\"…\"> with a <shape>");
        context.report.push(error);
        return None;
    }
    let empty = Element::new(Chassis::SECTION.name.into(), place);
    let given = element.unwrap_or(&empty);
    let is_derived = given.children.iter().any(|child| child.name == "shape_from_visual");
    let values = values_of_class(model, dimensions, is_derived);
    let mut reader = ElementReader::new(context, given, Chassis::SECTION).of(Some(&values));
    let chassis = Chassis::read(&mut reader, 0);
    reader.finish();
    let chassis = chassis?;
    if element.is_some() {
        check_heights(context, given, chassis.z_min, chassis.z_max);
    }
    Some(match chassis.shape_from_visual {
        true => ChassisSource::FromVisuals(chassis, OnceCell::new()),
        false => ChassisSource::Complete(Arc::new(chassis)),
    })
}

/// Returns the chassis of a dynamics class. An outline that is derived is a square until then.
fn values_of_class(
    model: &'static View<Model>,
    dimensions: Option<&Dimensions>,
    is_derived: bool,
) -> ClassValues {
    let mut values = ClassValues::default();
    let Some(desc) = model.chassis() else {
        if is_derived {
            let square = vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
            values.insert(Chassis::SECTION.index("shape"), square);
        }
        return values;
    };
    let (mut polygon, mut z_min, mut z_max) = (desc.corners().to_vec(), desc.z_min, desc.z_max);
    if let Some(dimensions) = dimensions {
        polygon = dimensions.outline(&polygon);
        z_max = dimensions.height().unwrap_or(z_max);
        z_min = if z_min < z_max { z_min } else { 0.0 };
    }
    for (name, value) in [("mass", desc.mass), ("zmin", z_min), ("zmax", z_max)] {
        values.insert(Chassis::SECTION.index(name), value);
    }
    values.insert(Chassis::SECTION.index("shape"), polygon);
    values
}

/// Returns the chassis of a vehicle, with the outline of its visuals if it is derived from them.
pub(super) fn resolve(
    context: &mut Context<'_>,
    source: &ChassisSource,
    visuals: &[Visual],
    place: &Element,
) -> Option<Arc<Chassis>> {
    let (chassis, shaped) = match source {
        ChassisSource::Complete(chassis) => return Some(Arc::clone(chassis)),
        ChassisSource::FromVisuals(chassis, shaped) => (chassis, shaped),
    };
    if let Some(known) = shaped.get() {
        return Some(Arc::clone(known));
    }
    let mut chassis = chassis.clone();
    match shape_of(context, place, visuals, None, [f64::NEG_INFINITY, f64::INFINITY]) {
        Shape::Known(section) => {
            chassis.polygon = section.polygon;
            (chassis.z_min, chassis.z_max) = (section.z_min, section.z_max);
        }
        Shape::Missing => {
            let heights = [chassis.z_min, chassis.z_max];
            report_placeholder(context, place, "the outline of its chassis or class", heights);
        }
        Shape::Failed => return None,
    }
    Some(Arc::clone(shaped.get_or_init(|| Arc::new(chassis))))
}

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
