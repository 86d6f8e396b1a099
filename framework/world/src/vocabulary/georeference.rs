//! Where on Earth a world lies.

use super::{Section, Value, child, number, section};

pub(crate) static GEOREFERENCE: Section = section(
    "georeference",
    "Where on Earth the origin of the world lies (WGS84).",
    &[
        child("latitude", number("deg").at_least(-90.0).at_most(90.0), "Positive in the north.")
            .or("0"),
        child("longitude", number("deg").at_least(-180.0).at_most(180.0), "Positive in the east.")
            .or("0"),
        child("height", number("m"), "Above the ellipsoid.").or("0"),
        child("world_to_enu_rotation_deg", number("deg"), "Turns world axes to east-north-up.")
            .or("0"),
        child("world_is_utm", Value::Bool, "World coordinates are those of the UTM zone.")
            .or("false"),
    ],
);
