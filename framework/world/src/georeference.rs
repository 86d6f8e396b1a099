//! The position of a world on Earth.

use simhost_scene::Utm;

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, child, number, section};

/// The position of the origin of the world on Earth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Georeference {
    /// WGS 84 latitude in rad.
    pub latitude: f64,
    /// WGS 84 longitude in rad.
    pub longitude: f64,
    /// Height above the ellipsoid in m.
    pub height: f64,
    /// Rotation from the axes of the world to east-north-up in rad.
    pub world_to_enu_rotation: f64,
    /// Whether world coordinates are those of the UTM zone.
    pub world_is_utm: bool,
    /// Whether the world has a position: the file gives a latitude or a longitude.
    pub is_known: bool,
    /// The origin in its UTM zone, or `None` near the poles, which have no zone.
    pub utm: Option<Utm>,
}

impl Georeference {
    /// Returns the rotation from the axes of the world to east-north-up, rad. For a world in UTM
    /// coordinates it is the convergence of the meridians at the given latitude and longitude.
    pub fn rotation_to_enu(&self) -> f64 {
        match self.utm.filter(|_| self.world_is_utm) {
            Some(utm) => -utm.convergence(self.latitude, self.longitude),
            None => self.world_to_enu_rotation,
        }
    }
}

pub(crate) static GEOREFERENCE: Section = section(
    "georeference",
    "The position of the origin of the world on Earth (WGS 84).",
    &[
        child("latitude", number("deg").at_least(-90.0).at_most(90.0), "Latitude, north positive.")
            .or("0"),
        child(
            "longitude",
            number("deg").at_least(-180.0).at_most(180.0),
            "Longitude, east positive.",
        )
        .or("0"),
        child("height", number("m"), "Height above the ellipsoid.").or("0"),
        child(
            "world_to_enu_rotation_deg",
            number("deg"),
            "Rotation from the axes of the world to east-north-up.",
        )
        .or("0"),
        child("world_is_utm", Value::Bool, "World coordinates are those of the UTM zone.")
            .or("false"),
    ],
);

/// Reads a `<georeference>`.
pub(crate) fn read_georeference(context: &mut Context<'_>, element: &Element) -> Georeference {
    let mut reader = ElementReader::new(context, element, &GEOREFERENCE);
    let (latitude, longitude) = (reader.number("latitude"), reader.number("longitude"));
    let given = [reader.given_number("latitude"), reader.given_number("longitude")];
    let place = Georeference {
        is_known: given.iter().any(Option::is_some),
        latitude,
        longitude,
        utm: Utm::of(latitude, longitude),
        height: reader.number("height"),
        world_to_enu_rotation: reader.number("world_to_enu_rotation_deg"),
        world_is_utm: reader.flag("world_is_utm"),
    };
    reader.finish();
    if place.world_is_utm {
        check_utm(context, element, &place, given.iter().all(Option::is_some));
    }
    place
}

/// Reports a world that cannot be in UTM coordinates.
fn check_utm(context: &mut Context<'_>, element: &Element, place: &Georeference, is_given: bool) {
    let expected = match (!is_given, place.world_to_enu_rotation != 0.0, place.utm) {
        (true, ..) => "expected a <latitude> and a <longitude>",
        (_, true, _) => "expected <world_to_enu_rotation_deg> 0",
        (.., None) => "expected a <latitude> from -80 to 84: the poles have no zone",
        _ => return,
    };
    let message = "this world cannot be in UTM coordinates";
    context.report.error(element.name_span, message, expected);
}
