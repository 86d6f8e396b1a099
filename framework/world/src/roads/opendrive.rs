//! Reading of networks in OpenDRIVE.

use std::sync::Arc;

use simhost_opendrive::{DrivenRoads, RoadObstacle};
use simhost_scene::{Pose3, RoadMap, Utm};

use super::RoadNetwork;
use crate::block::{Block, default_block};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::files;
use crate::georeference::Georeference;
use crate::outline::usable;
use crate::sources::Span;
use crate::tree::Text;

/// Memory for each patch of a network, bytes.
const PATCH_BYTES: usize = 400;
/// Memory for each corner of a surface, bytes.
const CORNER_BYTES: usize = 60;
/// Largest number of obstacles of a network.
const MOST_OBSTACLES: usize = 100_000;
/// Memory for each obstacle, bytes.
const OBSTACLE_BYTES: usize = 1000;

/// Colours of obstacles by their types in OpenDRIVE.
const COLOURS: &[([u8; 4], &[&str])] = &[
    ([0x5f, 0x7f, 0x4b, 0xff], &["tree", "vegetation"]),
    ([0xb8, 0xa8, 0x90, 0xff], &["building"]),
    ([0x9a, 0x9d, 0xa1, 0xff], &["barrier", "railing", "wall", "soundBarrier", "trafficIsland"]),
    ([0x55, 0x5a, 0x60, 0xff], &["pole", "gantry", "streetLamp"]),
];

/// Reads the network of a file, without its semantic class.
pub(super) fn load(
    context: &mut Context<'_>,
    file: &Text,
    with_obstacles: bool,
) -> Option<RoadNetwork> {
    let path = files::local_path(context, file)?;
    let text = files::read_text(context, file.span, &path, context.assets.limits.max_file_bytes)?;
    let network = match simhost_opendrive::read(&text) {
        Ok(network) => network,
        Err(error) => {
            let line = error.line.map_or(String::new(), |line| format!(":{line}"));
            let problem = format!("{}{line}: {}", path.display(), error.problem);
            let help = error.help.as_deref().unwrap_or("check the file, or export it again");
            files::report_problem(context, file.span, &path, problem, help);
            return None;
        }
    };
    let surface = match network.surface() {
        Ok(surface) => surface,
        Err(error) => {
            let problem = format!("{}: {error}", path.display());
            let help = "check the coordinates of the network";
            files::report_problem(context, file.span, &path, problem, help);
            return None;
        }
    };
    let georeference = georeference(context, file.span, network.geo_reference.as_deref());
    let obstacles = match with_obstacles {
        true => network.obstacles(MOST_OBSTACLES),
        false => Some(Vec::new()),
    };
    let Some(obstacles) = obstacles else {
        let problem = format!("{}: more than {MOST_OBSTACLES} obstacles", path.display());
        let help = "write obstacles=\"false\", or remove objects from the network";
        files::report_problem(context, file.span, &path, problem, help);
        return None;
    };
    let block = default_block(context, file.span)?;
    let obstacles: Vec<_> = obstacles.into_iter().map(|one| obstacle(one, &block)).collect();
    let roads = DrivenRoads::new(network);
    if !roads.has_driven_lanes() {
        let problem = format!("{}: the network has no lane that is driven on", path.display());
        let help = "give a lane the type `driving`";
        files::report_problem(context, file.span, &path, problem, help);
        return None;
    }
    let bytes = roads.patches().len() * PATCH_BYTES
        + surface.vertices().len() * CORNER_BYTES
        + obstacles.len() * OBSTACLE_BYTES;
    let fits = files::reserve(context, bytes, file.span);
    fits.then(|| RoadNetwork {
        map: Arc::new(roads),
        surface: Arc::new(surface),
        georeference,
        obstacles,
        semantic: None,
        span: file.span,
    })
}

/// Returns an object as a static block, which is like `block` in everything else. Its first corner is its origin.
fn obstacle(obstacle: RoadObstacle<'_>, block: &Block) -> Block {
    let RoadObstacle { object, outline, heights: [low, high] } = obstacle;
    let outline = usable(outline);
    let [x, y] = outline.first().copied().unwrap_or_default();
    let kind = object.kind.as_str();
    let colour = COLOURS.iter().find(|(_, kinds)| kinds.contains(&kind)).map(|(colour, _)| *colour);
    Block {
        name: format!("road_object_{}", object.id),
        pose: Pose3 { x, y, z: low, ..Pose3::default() },
        skip_elevation_adjust: true,
        is_static: true,
        polygon: outline.iter().map(|corner| [corner[0] - x, corner[1] - y]).collect(),
        z_min: 0.0,
        z_max: high - low,
        color: colour.unwrap_or(block.color),
        semantic: Some(kind.into()),
        ..block.clone()
    }
}

/// Returns the value of a parameter of a projection, as in `+lat_0=48.1`.
fn parameter<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut parts = text.split_whitespace().filter_map(|part| part.strip_prefix('+'));
    parts.find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

/// Returns the position on Earth of a network by its projection: a zone of UTM, or a transverse Mercator projection whose
/// origin is the origin of the world. The scale of the latter counts as 1. Warns of others.
fn georeference(
    context: &mut Context<'_>,
    span: Span,
    projection: Option<&str>,
) -> Option<Georeference> {
    let text = projection?.trim();
    let number = |name: &str| parameter(text, name).and_then(|value| value.parse::<f64>().ok());
    let zero = |name: &str| number(name).unwrap_or(0.0) == 0.0;
    let found = match parameter(text, "proj") {
        Some("utm") => number("zone").and_then(|zone| {
            let south = text.split_whitespace().any(|part| part == "+south");
            of_utm(zone, if south { 'M' } else { 'N' })
        }),
        Some("tmerc") if zero("x_0") && zero("y_0") => {
            let [latitude, longitude] = ["lat_0", "lon_0"].map(|name| number(name).unwrap_or(0.0));
            Some(at(latitude.to_radians(), longitude.to_radians(), false))
        }
        _ => None,
    };
    if found.is_none() && !text.is_empty() {
        let warning = Diagnostic::warning(format!("the projection `{text}` is not supported"));
        let help = "write <georeference> with the <latitude> and <longitude> of the origin";
        let label = "expected +proj=utm, or +proj=tmerc without +x_0 and +y_0";
        context.report.push(warning.at(span).label(label).help(help));
    }
    found
}

/// Returns the position of a world in the coordinates of a zone, at the false origin of its central meridian.
fn of_utm(zone: f64, band: char) -> Option<Georeference> {
    let zone = (1.0..=60.0).contains(&zone).then_some(zone as u8)?;
    let northing = if band < 'N' { 10_000_000.0 } else { 0.0 };
    let utm = Utm { zone, band, easting: 500_000.0, northing };
    let [latitude, longitude] = utm.geographic();
    Some(Georeference { utm: Some(utm), ..at(latitude, longitude, true) })
}

/// Returns a position, rad.
fn at(latitude: f64, longitude: f64, world_is_utm: bool) -> Georeference {
    Georeference {
        latitude,
        longitude,
        height: 0.0,
        world_to_enu_rotation: 0.0,
        world_is_utm,
        is_known: true,
        utm: Utm::of(latitude, longitude),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_has_its_central_meridian() {
        let zone = of_utm(32.0, 'N').expect("a zone");
        assert!(zone.world_is_utm && zone.is_known);
        assert!((zone.longitude.to_degrees() - 9.0).abs() < 1e-12 && zone.latitude.abs() < 1e-12);
        assert_eq!(zone.utm.expect("a place").zone, 32);
        assert!(of_utm(61.0, 'N').is_none());
    }

    #[test]
    fn parameters_are_found_by_their_whole_names() {
        let text = "+proj=tmerc +lat_0=48.1 +lon_0=11.5 +x_0=0";
        assert_eq!(parameter(text, "lat_0"), Some("48.1"));
        assert_eq!(parameter(text, "lat"), None);
    }
}
