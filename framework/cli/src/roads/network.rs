//! Facts, places and pictures of a road network.

use std::collections::BTreeMap;
use std::fmt::Write;

use simhost_opendrive::{Lane, Network, RoadPlace, read};

use super::ShowRoads;
use crate::process::{Code, Failure};
use crate::{run_reader, terminal};

/// Distance between two points of an edge in a picture, m.
const STEP: f64 = 2.0;
/// Length of the longer side of a picture, px.
const SIDE: f64 = 1200.0;

pub fn show(arguments: &ShowRoads) -> Result<Code, Failure> {
    let file = arguments.file.display();
    if let Some(out) = &arguments.out {
        run_reader::extension(out, &["svg"])?;
        run_reader::output(Some(out), out, "", arguments.force)?;
    }
    let places = arguments.at.iter().map(|text| point(text)).collect::<Result<Vec<_>, _>>()?;
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::new(Code::BadInput, format!("{file}: {error}")))?;
    let network =
        read(&text).map_err(|error| Failure::new(Code::BadInput, error.in_file(&file)))?;
    terminal::result(&facts(&network))?;
    for (place, heading) in places {
        terminal::result(&place_of(&network, place, heading))?;
    }
    let notes = network.notes.iter().map(|note| format!("\n  {file}:{}: {}", note.line, note.text));
    if !network.notes.is_empty() {
        terminal::remark(&format!("not read:{}", notes.collect::<String>()));
    }
    if let Some(out) = &arguments.out {
        run_reader::write(out, picture(&network).as_bytes())?;
    }
    Ok(Code::Done)
}

/// Reads `X,Y` or `X,Y,HEADING`, m and °.
fn point(text: &str) -> Result<([f64; 2], Option<f64>), Failure> {
    let numbers: Vec<f64> = text.split(',').filter_map(|one| one.trim().parse().ok()).collect();
    match (numbers.as_slice(), text.split(',').count()) {
        ([x, y], 2) => Ok(([*x, *y], None)),
        ([x, y, heading], 3) => Ok(([*x, *y], Some(heading.to_radians()))),
        _ => {
            let text = format!("--at {text}: expected X,Y or X,Y,HEADING, such as 12.5,-3,90");
            Err(Failure::new(Code::Usage, text))
        }
    }
}

fn facts(network: &Network) -> String {
    let [major, minor] = network.version;
    let mut kinds: BTreeMap<&str, f64> = BTreeMap::new();
    for road in &network.roads {
        for (number, section) in road.sections.iter().enumerate() {
            let end = road.sections.get(number + 1).map_or(road.length, |next| next.start);
            for lane in section.left.iter().chain(&section.right) {
                *kinds.entry(&lane.kind).or_default() += (end - section.start).max(0.0);
            }
        }
    }
    let objects = network.roads.iter().flat_map(|road| &road.objects);
    let mut text = format!(
        "OpenDRIVE {major}.{minor}: {} roads of {:.1} m, {} junctions, {} obstacles",
        network.roads.len(),
        network.length(),
        network.junctions.len(),
        objects.filter(|object| object.is_obstacle()).count()
    );
    for (kind, length) in kinds {
        let _ = write!(text, "\n  {kind:<12} {length:>10.1} m");
    }
    text
}

fn is_driving(lane: &Lane) -> bool {
    lane.kind == "driving"
}

fn place_of(network: &Network, point: [f64; 2], heading: Option<f64>) -> String {
    let [x, y] = point;
    let Some(found) = network.nearest(point, None, heading, is_driving) else {
        return format!("{x} {y}: the network has no driving lane");
    };
    let road = &network.roads[found.on.road];
    let mut text = format!(
        "{x} {y}: road {}, lane {}, s {:.3} m, offset {:.3} m",
        road.id, found.lane, found.on.s, found.offset
    );
    if found.away > 0.0 {
        let _ = write!(text, ", {:.3} m away", found.away);
    }
    if let Some(pose) = network.lane_pose(found.on.road, found.on.s, found.lane, found.offset) {
        let _ = write!(
            text,
            "\n  height {:.3} m, heading {:.2}°, curvature {:.5} 1/m, grade {:.4}, width {:.2} m",
            pose.place[2],
            pose.heading.to_degrees(),
            pose.curvature,
            pose.grade,
            pose.width
        );
        if let Some(limit) = pose.speed_limit {
            let _ = write!(text, ", limit {:.2} m/s", limit);
        }
    }
    text
}

/// Returns the colour of a type of lanes.
fn colour(kind: &str) -> &'static str {
    match kind {
        "driving" | "entry" | "exit" | "onRamp" | "offRamp" | "connectingRamp" => "#8b9096",
        "sidewalk" | "walking" | "curb" => "#d2c9b8",
        "biking" => "#c98a7d",
        "parking" => "#a9b4c4",
        "border" | "shoulder" | "stop" => "#b8bcbf",
        _ => "#cfdcc0",
    }
}

/// Draws the lanes from above, y upwards.
fn picture(network: &Network) -> String {
    let mut shapes = String::new();
    let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for (number, road) in network.roads.iter().enumerate() {
        for (place, section) in road.sections.iter().enumerate() {
            let end = road.sections.get(place + 1).map_or(road.length, |next| next.start);
            for lane in section.left.iter().chain(&section.right) {
                let edges = lane_edges(network, number, [section.start, end], lane.id);
                for [x, y] in &edges {
                    bounds = [
                        bounds[0].min(*x),
                        bounds[1].min(*y),
                        bounds[2].max(*x),
                        bounds[3].max(*y),
                    ];
                }
                let points: Vec<String> =
                    edges.iter().map(|[x, y]| format!("{x:.2},{:.2}", -y)).collect();
                let _ = writeln!(
                    shapes,
                    "<polygon points=\"{}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"0.12\"/>",
                    points.join(" "),
                    colour(&lane.kind)
                );
            }
        }
    }
    let [x, y, right, top] = bounds;
    let (width, height) = ((right - x).max(1.0) + 10.0, (top - y).max(1.0) + 10.0);
    let scale = SIDE / width.max(height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"{:.2} {:.2} {width:.2} \
         {height:.2}\">\n<rect x=\"{:.2}\" y=\"{:.2}\" width=\"100%\" height=\"100%\" fill=\"#f4f6f0\"/>\n{shapes}</svg>\n",
        width * scale,
        height * scale,
        x - 5.0,
        -top - 5.0,
        x - 5.0,
        -top - 5.0
    )
}

/// Returns the outline of a lane in a section: the inner edge forwards, the outer one backwards.
fn lane_edges(network: &Network, road: usize, [from, to]: [f64; 2], lane: i32) -> Vec<[f64; 2]> {
    let count = ((to - from) / STEP).ceil().clamp(1.0, 10_000.0) as usize;
    let of = &network.roads[road];
    let mut sides = [Vec::new(), Vec::new()];
    for part in 0..=count {
        // the section beyond begins at the very end
        let s = from + ((to - from) * part as f64 / count as f64).min((to - from - 1e-6).max(0.0));
        let Some(edges) = of.edges(s, lane) else { continue };
        for (side, t) in sides.iter_mut().zip([edges.inner, edges.outer]) {
            let [x, y, _] = network.pose(RoadPlace { road, s, t }).place;
            side.push([x, y]);
        }
    }
    let [mut inner, outer] = sides;
    inner.extend(outer.into_iter().rev());
    inner
}
