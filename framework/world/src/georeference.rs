//! The position of a world on Earth.

use simhost_scene::Utm;

use crate::reader::{ElementReader, declare};
use crate::vocabulary::field::child;
use crate::vocabulary::{Value, element, number};

declare! {
    /// The position of the origin of the world on Earth (WGS 84).
    section = element("georeference") => check_utm;

    /// The position of the origin of the world on Earth.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Georeference {
        /// Latitude, north positive.
        pub latitude: f64 = child(number("deg").at_least(-90.0).at_most(90.0)).or("0");
        /// Longitude, east positive.
        pub longitude: f64 = child(number("deg").at_least(-180.0).at_most(180.0)).or("0");
        /// Height above the ellipsoid.
        pub height: f64 = child(number("m")).or("0");
        /// Rotation from the axes of the world to east-north-up.
        pub world_to_enu_rotation: f64 = child(number("deg")).named("world_to_enu_rotation_deg").or("0");
        /// World coordinates are coordinates of the UTM zone.
        pub world_is_utm: bool = child(Value::Bool).or("false");
        /// Whether the world has a position: the file gives a latitude or a longitude.
        pub is_known: bool => |reader| reader.is_given("latitude") || reader.is_given("longitude");
        /// The origin in its UTM zone, or `None` near the poles, which have no zone.
        pub utm: Option<Utm> => |_| None;
    }
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

/// Finds the zone of the origin. Reports a world that cannot be in UTM coordinates.
fn check_utm(place: Georeference, reader: &mut ElementReader<'_, '_, '_>) -> Option<Georeference> {
    let place = Georeference { utm: Utm::of(place.latitude, place.longitude), ..place };
    if !place.world_is_utm {
        return Some(place);
    }
    let is_given = reader.is_given("latitude") && reader.is_given("longitude");
    let expected = match (!is_given, place.world_to_enu_rotation != 0.0, place.utm) {
        (true, ..) => "expected a <latitude> and a <longitude>",
        (_, true, _) => "expected <world_to_enu_rotation_deg> 0",
        (.., None) => "expected a <latitude> from -80 to 84: the poles have no zone",
        _ => return Some(place),
    };
    let message = "this world cannot be in UTM coordinates";
    reader.context.report.error(reader.element.name_span, message, expected);
    Some(place)
}
