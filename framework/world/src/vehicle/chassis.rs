//! The chassis of a vehicle.

use std::cell::OnceCell;
use std::sync::Arc;

use simhost_abi::Model;
use simhost_model::View;
use simhost_scene::{MassProperties, polygon};

use super::dimensions::Dimensions;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::outline::{SHAPE, check_heights, read_outline};
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::visual::{Shape, Visual, report_placeholder, shape_of};
use crate::vocabulary::{
    Section, Value, attribute, child, non_negative, number, positive, section,
};

/// The body of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Chassis {
    /// Mass without the wheels in kg.
    pub mass: f64,
    /// Lowest point above the ground in m.
    pub z_min: f64,
    /// Highest point above the ground in m.
    pub z_max: f64,
    /// Outline in the vehicle frame in m, in either direction.
    pub polygon: Vec<[f64; 2]>,
    /// Height of the centre of mass above the ground in m, if given.
    pub cg_height: Option<f64>,
    /// Position of the centre of mass in the vehicle frame in m along each axis, if given.
    pub cg: [Option<f64>; 2],
    /// Moment of inertia about the vertical axis through the centre of mass in kg·m², if given.
    pub yaw_inertia: Option<f64>,
    /// Linear damping in 1/s, if given.
    pub linear_damping: Option<f64>,
    /// Angular damping in 1/s, if given.
    pub angular_damping: Option<f64>,
    /// Red, green, blue and opacity, if given, for a vehicle without visuals.
    pub color: Option<[u8; 4]>,
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

/// Reason why damping is an attribute.
const DAMPING_ELEMENT: &str = "MVSim ignores it as an element; write it as an attribute";
/// Default of parameters that the dynamics class provides.
const OF_CLASS: &str = "that of the dynamics class";

pub(super) static CHASSIS: Section = section(
    "chassis",
    "The body of a vehicle.",
    &[
        attribute("mass", positive("kg"), "Mass without the wheels.").or_else(OF_CLASS),
        attribute("zmin", number("m"), "Height of the lowest point.").or_else(OF_CLASS),
        attribute("zmax", number("m"), "Height of the highest point.").or_else(OF_CLASS),
        attribute("cg_height", non_negative("m"), "Height of the centre of mass.")
            .or_else("halfway between zmin and zmax"),
        attribute("cg_x", number("m"), "Position of the centre of mass ahead of the reference point.")
            .or_else("the centroid of the outline"),
        attribute("cg_y", number("m"), "Position of the centre of mass left of the reference point.")
            .or_else("the centroid of the outline"),
        attribute(
            "yaw_inertia",
            positive("kg·m²"),
            "Moment of inertia about the vertical axis through the centre of mass, without the wheels. \
             A larger value makes the vehicle turn in more slowly.",
        )
        .or_else("that of the mass spread evenly over the outline"),
        attribute("linear_damping", non_negative("1/s"), "Damping of the velocity.")
            .or_else("0; 0.1 in mvsim-1.2"),
        attribute("angular_damping", non_negative("1/s"), "Damping of the yaw rate.")
            .or_else("0; 0.1 in mvsim-1.2"),
        attribute("color", Value::Color, "Colour of a vehicle without visuals."),
        child("shape", Value::Element(&SHAPE), "Outline in the vehicle frame.").or_else(OF_CLASS),
        child(
            "shape_from_visual",
            Value::Presence,
            "Derives outline and heights from the visuals.",
        ),
        child("linear_damping", non_negative("1/s"), "Not read as an element.")
            .ignored(DAMPING_ELEMENT),
        child("angular_damping", non_negative("1/s"), "Not read as an element.")
            .ignored(DAMPING_ELEMENT),
    ],
);

/// A chassis whose outline may depend on the visuals of the vehicle.
#[derive(Clone, Debug)]
pub(super) enum ChassisSource {
    Complete(Arc<Chassis>),
    /// The chassis with its default outline, and with that of the visuals once they are known.
    FromVisuals(Chassis, OnceCell<Arc<Chassis>>),
}

/// Reads the chassis of a `<dynamics>` element. Parameters that are not given are those of the
/// dynamics class, with the dimensions of its file if it has one.
pub(super) fn read(
    context: &mut Context<'_>,
    element: Option<&Element>,
    model: &'static View<Model>,
    dimensions: Option<&Dimensions>,
    place: Span,
) -> Option<ChassisSource> {
    let mut default = default_chassis(model);
    if let (Some(chassis), Some(dimensions)) = (&mut default, dimensions) {
        chassis.polygon = dimensions.outline(&chassis.polygon);
        chassis.z_max = dimensions.height().unwrap_or(chassis.z_max);
        chassis.z_min = if chassis.z_min < chassis.z_max { chassis.z_min } else { 0.0 };
    }
    let Some(element) = element else {
        if default.is_none() {
            let error = Diagnostic::error("missing `<chassis>`: the dynamics class has no default")
                .at(place)
                .help("write <chassis mass=\"…\" zmin=\"…\" zmax=\"…\"> with a <shape>");
            context.report.push(error);
        }
        return default.map(|chassis| ChassisSource::Complete(Arc::new(chassis)));
    };
    let mut reader = ElementReader::new(context, element, &CHASSIS);
    let [mass, z_min, z_max] = ["mass", "zmin", "zmax"].map(|name| reader.given_number(name));
    let cg_height = reader.given_number("cg_height");
    let cg = ["cg_x", "cg_y"].map(|name| reader.given_number(name));
    let yaw_inertia = reader.given_number("yaw_inertia");
    let linear_damping = reader.given_number("linear_damping");
    let angular_damping = reader.given_number("angular_damping");
    let color = reader.given_color("color");
    let shape = reader.child("shape");
    let from_visual = reader.is_given("shape_from_visual");
    reader.finish();
    let default = default.as_ref();
    let square = || vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let polygon = shape
        .and_then(|shape| read_outline(context, shape))
        .or_else(|| default.map(|default| default.polygon.clone()))
        .or_else(|| from_visual.then(square));
    let chassis = Chassis {
        mass: require(context, mass.or(default.map(|d| d.mass)), element, "mass")?,
        z_min: require(context, z_min.or(default.map(|d| d.z_min)), element, "zmin")?,
        z_max: require(context, z_max.or(default.map(|d| d.z_max)), element, "zmax")?,
        polygon: require(context, polygon, element, "shape")?,
        cg_height,
        cg,
        yaw_inertia,
        linear_damping,
        angular_damping,
        color,
    };
    check_heights(context, element, chassis.z_min, chassis.z_max);
    Some(match from_visual {
        true => ChassisSource::FromVisuals(chassis, OnceCell::new()),
        false => ChassisSource::Complete(Arc::new(chassis)),
    })
}

fn require<T>(
    context: &mut Context<'_>,
    value: Option<T>,
    element: &Element,
    name: &str,
) -> Option<T> {
    if value.is_none() {
        let message = format!("missing `{name}` in `<{}>`", element.name);
        let label = "the dynamics class has no default";
        context.report.error(element.name_span, message, label);
    }
    value
}

fn default_chassis(model: &'static View<Model>) -> Option<Chassis> {
    let desc = model.chassis()?;
    Some(Chassis {
        mass: desc.mass,
        z_min: desc.z_min,
        z_max: desc.z_max,
        polygon: desc.corners().to_vec(),
        cg_height: None,
        cg: [None; 2],
        yaw_inertia: None,
        linear_damping: None,
        angular_damping: None,
        color: None,
    })
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
