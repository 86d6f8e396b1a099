//! Reading a file.

use std::collections::BTreeMap;

use simhost_xml::{Element, Lines, Note, ReadError, parse};

use crate::cubic::{Cubic, RoadProfile};
use crate::index::RoadIndex;
use crate::math::{hypot, sin_cos};
use crate::network::{Connection, Junction, Network};
use crate::object::RoadObject;
use crate::plan::{PlanPiece, PlanShape};
use crate::road::{
    CrossSection, Crossfall, Lane, LaneEdge, LaneSection, NetworkRoad, RoadLink, RoadMark,
};

/// Largest number of bytes of a file.
const MOST_BYTES: usize = 512 << 20;
/// Largest gap between pieces of a reference line that is not noted, m.
const GAP: f64 = 0.01;

/// Elements that are read, with the elements in them that are read or have no effect on positions.
///
/// The coverage of the reader is this table: what it does not name is noted once, with the first line.
pub const COVERAGE: &[(&str, &[&str])] = &[
    ("OpenDRIVE", &["header", "road", "junction"]),
    ("header", &["geoReference", "offset"]),
    (
        "road",
        &["link", "type", "planView", "elevationProfile", "lateralProfile", "lanes", "objects"],
    ),
    ("type", &["speed"]),
    ("planView", &["geometry"]),
    ("geometry", &["line", "arc", "spiral", "poly3", "paramPoly3"]),
    ("elevationProfile", &["elevation"]),
    ("lateralProfile", &["superelevation", "crossfall", "shape"]),
    ("lanes", &["laneOffset", "laneSection"]),
    ("laneSection", &["left", "center", "right"]),
    ("lane", &["link", "width", "border", "height", "speed", "material", "roadMark"]),
    ("objects", &["bridge", "tunnel", "object"]),
    ("object", &["outlines", "outline", "repeat"]),
    ("outlines", &["outline"]),
    ("outline", &["cornerRoad", "cornerLocal"]),
    ("junction", &["connection"]),
    ("connection", &["laneLink"]),
];

/// What has been found, and what not.
struct Context<'d> {
    roads: BTreeMap<&'d str, usize>,
    junctions: BTreeMap<&'d str, usize>,
    unknown: BTreeMap<(String, String), (u32, usize)>,
    notes: Vec<Note>,
    offset: [f64; 4],
    /// The first line of an object that stands on the road, but has no height, and the number of these objects.
    without_height: Option<(u32, usize)>,
}

impl<'d> Context<'d> {
    /// Counts the elements that are not read.
    fn cover(&mut self, element: Element<'d>) {
        let known = COVERAGE.iter().find(|(name, _)| *name == element.name());
        let known = known.map_or(&[][..], |(_, known)| known);
        for child in element.elements().filter(|child| !known.contains(&child.name())) {
            let key = (element.name().to_owned(), child.name().to_owned());
            let found = self.unknown.entry(key).or_insert((child.line(), 0));
            found.1 += 1;
        }
    }
}

/// Reads a network.
///
/// # Errors
/// [`ReadError`] with its line for a file that is not OpenDRIVE, has numbers that are not finite, roads without reference
/// line or lanes, or links to roads that it does not have.
pub fn read(text: &str) -> Result<Network, ReadError> {
    let document = parse(text, MOST_BYTES)?;
    let lines = Lines::of(text);
    let root = Element::root(&document, &lines);
    if root.name() != "OpenDRIVE" {
        let text = format!("the root is <{}>; expected <OpenDRIVE>", root.name());
        return Err(ReadError::new(root.line(), text));
    }
    let mut context = Context {
        roads: named(root, "road")?,
        junctions: named(root, "junction")?,
        unknown: BTreeMap::new(),
        notes: Vec::new(),
        offset: [0.0; 4],
        without_height: None,
    };
    context.cover(root);
    let header = root.child("header");
    let mut version = [1, 4];
    let mut geo_reference = None;
    if let Some(header) = header {
        context.cover(header);
        for (part, name) in version.iter_mut().zip(["revMajor", "revMinor"]) {
            *part = header.number_in(name)?.map_or(*part, |number| number.max(0.0) as u32);
        }
        geo_reference = header.text_of("geoReference").map(str::to_owned);
        if let Some(offset) = header.child("offset") {
            for (part, name) in context.offset.iter_mut().zip(["x", "y", "z", "hdg"]) {
                *part = offset.number_in(name)?.unwrap_or(0.0);
            }
        }
    }
    let roads = root
        .all("road")
        .map(|element| road(&mut context, element))
        .collect::<Result<Vec<_>, _>>()?;
    if roads.is_empty() {
        return Err(ReadError::new(root.line(), "the network has no <road>"));
    }
    let junctions = root
        .all("junction")
        .map(|element| junction(&mut context, element))
        .collect::<Result<_, _>>()?;
    let times = |count| if count == 1 { String::new() } else { format!(", {count} times") };
    let mut notes = context.notes;
    notes.extend(context.unknown.into_iter().map(|((parent, child), (line, count))| Note {
        line,
        text: format!("<{child}> in <{parent}> is not read{}", times(count)),
    }));
    notes.extend(context.without_height.map(|(line, count)| {
        let text = format!("<object> without a height stops no vehicle{}", times(count));
        Note { line, text }
    }));
    notes.sort_by_key(|note| note.line);
    let index = RoadIndex::new(&roads);
    Ok(Network { version, geo_reference, roads, junctions, notes, index })
}

/// Returns the elements with a name by their `id`.
fn named<'d>(root: Element<'d>, name: &'static str) -> Result<BTreeMap<&'d str, usize>, ReadError> {
    let mut found = BTreeMap::new();
    for (number, element) in root.all(name).enumerate() {
        if found.insert(element.required("id")?, number).is_some() {
            let text = format!("two elements <{name}> have the id {:?}", element.required("id")?);
            return Err(ReadError::new(element.line(), text));
        }
    }
    Ok(found)
}

/// Reads a polynomial with its start.
fn cubic(element: Element<'_>, start: &str) -> Result<Cubic, ReadError> {
    let part = |name: &str| element.number_in(name).map(|one| one.unwrap_or(0.0));
    Ok(Cubic {
        start: element.required_number(start)?,
        coefficients: [part("a")?, part("b")?, part("c")?, part("d")?],
    })
}

/// Reads polynomials.
fn profile<'d>(
    elements: impl Iterator<Item = Element<'d>>,
    start: &str,
) -> Result<RoadProfile, ReadError> {
    elements.map(|one| cubic(one, start)).collect::<Result<_, _>>().map(RoadProfile::new)
}

/// Returns a speed limit, m/s; `None` for none.
fn speed(element: Element<'_>) -> Result<Option<f64>, ReadError> {
    let max = element.required("max")?;
    if matches!(max, "no limit" | "undefined") {
        return Ok(None);
    }
    let factor = match element.attribute("unit").unwrap_or("m/s") {
        "m/s" => 1.0,
        "km/h" => 1.0 / 3.6,
        "mph" => 0.447_04,
        other => {
            let text = format!("a speed has the unit {other:?}");
            return Err(ReadError::new(element.line(), text).help("units are m/s, km/h and mph"));
        }
    };
    Ok(Some(factor * element.number(max, "max")?))
}

fn road<'d>(context: &mut Context<'d>, element: Element<'d>) -> Result<NetworkRoad, ReadError> {
    context.cover(element);
    let length = element.length(element.required("length")?, "length")?;
    let junction = match element.attribute("junction") {
        None | Some("-1" | "") => None,
        Some(id) => Some(linked(&context.junctions, "junction", id, element.line())?),
    };
    let plan = plan(context, element, length)?;
    let children = |names: &[&'static str]| {
        let parent = element.child(names[0]);
        parent.into_iter().flat_map(move |one| one.elements()).collect::<Vec<_>>()
    };
    for name in ["elevationProfile", "lateralProfile", "type"] {
        element.all(name).for_each(|one| context.cover(one));
    }
    let of = |parent: &'static str, name: &'static str| {
        children(&[parent]).into_iter().filter(move |one| one.name() == name)
    };
    let mut speeds = Vec::new();
    for kind in element.all("type") {
        if let Some(limit) = kind.child("speed") {
            speeds.extend(
                speed(limit)?
                    .map(|limit| (kind.number_in("s").ok().flatten().unwrap_or(0.0), limit)),
            );
        }
    }
    speeds.sort_by(|one: &(f64, f64), other| one.0.total_cmp(&other.0));
    let lanes = element.child("lanes");
    let lanes = lanes.ok_or_else(|| ReadError::new(element.line(), "<road> has no <lanes>"))?;
    context.cover(lanes);
    let link = element.child("link");
    let end = |name: &'static str| match link.and_then(|link| link.child(name)) {
        Some(one) => road_link(context, one).map(Some),
        None => Ok(None),
    };
    let links = [end("predecessor")?, end("successor")?];
    let mut elevation: Vec<Cubic> =
        of("elevationProfile", "elevation").map(|one| cubic(one, "s")).collect::<Result<_, _>>()?;
    for one in &mut elevation {
        one.coefficients[0] += context.offset[2];
    }
    if elevation.is_empty() && context.offset[2] != 0.0 {
        elevation.push(Cubic { start: 0.0, coefficients: [context.offset[2], 0.0, 0.0, 0.0] });
    }
    Ok(NetworkRoad {
        id: element.required("id")?.to_owned(),
        name: element.attribute("name").unwrap_or_default().to_owned(),
        length,
        junction,
        is_left_hand: element.attribute("rule") == Some("LHT"),
        plan,
        elevation: RoadProfile::new(elevation),
        superelevation: profile(of("lateralProfile", "superelevation"), "s")?,
        crossfall: crossfall(of("lateralProfile", "crossfall"))?,
        shapes: shapes(of("lateralProfile", "shape"))?,
        lane_offset: profile(lanes.all("laneOffset"), "s")?,
        sections: sections(context, lanes)?,
        speeds,
        links,
        structures: structures(context, element)?,
        objects: objects(context, element)?,
    })
}

/// Returns the index of an element that a link names.
fn linked(
    names: &BTreeMap<&str, usize>,
    what: &str,
    id: &str,
    line: u32,
) -> Result<usize, ReadError> {
    names.get(id).copied().ok_or_else(|| {
        let error = ReadError::new(line, format!("there is no {what} with the id {id:?}"));
        match simhost_model::nearest(id, names.keys().copied()) {
            Some(near) => error.help(format!("did you mean {near:?}?")),
            None => error,
        }
    })
}

fn road_link(context: &Context<'_>, element: Element<'_>) -> Result<RoadLink, ReadError> {
    let id = element.required("elementId")?;
    Ok(match element.attribute("elementType") {
        Some("junction") => {
            RoadLink::Junction(linked(&context.junctions, "junction", id, element.line())?)
        }
        _ => RoadLink::Road {
            road: linked(&context.roads, "road", id, element.line())?,
            at_end: element.attribute("contactPoint") == Some("end"),
        },
    })
}

/// Reads the reference line.
fn plan<'d>(
    context: &mut Context<'d>,
    road: Element<'d>,
    length: f64,
) -> Result<Vec<PlanPiece>, ReadError> {
    let view = road.child("planView");
    let view = view.ok_or_else(|| ReadError::new(road.line(), "<road> has no <planView>"))?;
    context.cover(view);
    let mut pieces = Vec::new();
    for element in view.all("geometry") {
        context.cover(element);
        // a piece without length holds nothing
        if element.required_number("length")? > 0.0 {
            pieces.push(geometry(context.offset, element)?);
        }
    }
    if pieces.is_empty() {
        return Err(ReadError::new(view.line(), "<planView> has no <geometry> with a length"));
    }
    pieces.sort_by(|one, other| one.start.total_cmp(&other.start));
    for pair in pieces.windows(2) {
        let (end, next) = (pair[0].at(pair[1].start - pair[0].start), pair[1].pose);
        let gap = hypot(end.place[0] - next.place[0], end.place[1] - next.place[1]);
        if gap > GAP {
            let text =
                format!("the reference line has a gap of {gap:.3} m at s = {:.3} m", pair[1].start);
            context.notes.push(Note { line: view.line(), text });
        }
    }
    let last = &pieces[pieces.len() - 1];
    let end = last.start + last.length;
    if (end - length).abs() > GAP {
        let text = format!("the reference line is {end:.3} m long, and the road {length:.3} m");
        context.notes.push(Note { line: view.line(), text });
    }
    Ok(pieces)
}

fn geometry([dx, dy, _, turn]: [f64; 4], element: Element<'_>) -> Result<PlanPiece, ReadError> {
    let (start, length) = (element.required_number("s")?, element.required_number("length")?);
    let (sin, cos) = sin_cos(turn);
    let [x, y] = [element.required_number("x")?, element.required_number("y")?];
    let place = [dx + cos * x - sin * y, dy + sin * x + cos * y];
    let heading = element.required_number("hdg")? + turn;
    let Some(one) = element.elements().find(|one| COVERAGE[5].1.contains(&one.name())) else {
        let text = "<geometry> has none of line, arc, spiral, poly3 and paramPoly3";
        return Err(ReadError::new(element.line(), text));
    };
    let parts = |names: [&str; 4]| -> Result<[f64; 4], ReadError> {
        let mut values = [0.0; 4];
        for (value, name) in values.iter_mut().zip(names) {
            *value = one.number_in(name)?.unwrap_or(0.0);
        }
        Ok(values)
    };
    let shape = match one.name() {
        "line" => PlanShape::Line,
        "arc" => PlanShape::Arc(one.required_number("curvature")?),
        "spiral" => {
            PlanShape::Spiral([one.required_number("curvStart")?, one.required_number("curvEnd")?])
        }
        "poly3" => {
            let v = parts(["a", "b", "c", "d"])?;
            return Ok(PlanPiece::of_poly3(start, length, place, heading, v));
        }
        _ => {
            let (u, v) = (parts(["aU", "bU", "cU", "dU"])?, parts(["aV", "bV", "cV", "dV"])?);
            let is_whole = one.attribute("pRange") == Some("arcLength");
            let end = if is_whole { length } else { 1.0 };
            if u[1..].iter().chain(&v[1..]).all(|part| *part == 0.0) {
                return Err(ReadError::new(one.line(), "a <paramPoly3> that stays at one point"));
            }
            PlanShape::Polynomial { u, v, end }
        }
    };
    Ok(PlanPiece::new(start, length, place, heading, shape))
}

fn crossfall<'d>(elements: impl Iterator<Item = Element<'d>>) -> Result<Vec<Crossfall>, ReadError> {
    let mut sides: [Vec<Cubic>; 2] = Default::default();
    for element in elements {
        let one = cubic(element, "s")?;
        let side = element.attribute("side").unwrap_or("both");
        for (place, name) in ["left", "right"].into_iter().enumerate() {
            if side == name || side == "both" {
                sides[place].push(one);
            }
        }
    }
    let [left, right] = sides.map(RoadProfile::new);
    let all = [([true, false], left), ([false, true], right)];
    let all = all.into_iter().filter(|(_, angle)| !angle.is_zero());
    Ok(all.map(|(sides, angle)| Crossfall { sides, angle }).collect())
}

fn shapes<'d>(elements: impl Iterator<Item = Element<'d>>) -> Result<Vec<CrossSection>, ReadError> {
    let mut places: Vec<(f64, Vec<Cubic>)> = Vec::new();
    for element in elements {
        let s = element.required_number("s")?;
        let one = cubic(element, "t")?;
        match places.iter_mut().find(|(place, _)| *place == s) {
            Some((_, cubics)) => cubics.push(one),
            None => places.push((s, vec![one])),
        }
    }
    places.sort_by(|one, other| one.0.total_cmp(&other.0));
    let section = |(s, cubics)| CrossSection { s, height: RoadProfile::new(cubics) };
    Ok(places.into_iter().map(section).collect())
}

fn sections<'d>(
    context: &mut Context<'d>,
    lanes: Element<'d>,
) -> Result<Vec<LaneSection>, ReadError> {
    let mut sections = Vec::new();
    for element in lanes.all("laneSection") {
        context.cover(element);
        let mut side = |name: &'static str| {
            let mut found = Vec::new();
            for one in element.all(name).flat_map(|side| side.all("lane")) {
                found.push(lane(context, one)?);
            }
            found.sort_by_key(|lane: &Lane| lane.id.abs());
            Ok::<_, ReadError>(found)
        };
        let (left, right) = (side("left")?, side("right")?);
        check_numbers(element, &left, 1)?;
        check_numbers(element, &right, -1)?;
        let centre = element.child("center").and_then(|centre| centre.child("lane"));
        let centre_marks = centre.map(marks).transpose()?.unwrap_or_default();
        sections.push(LaneSection {
            start: element.required_number("s")?,
            centre_marks,
            left,
            right,
        });
    }
    if sections.is_empty() {
        return Err(ReadError::new(lanes.line(), "<lanes> has no <laneSection>"));
    }
    sections.sort_by(|one, other| one.start.total_cmp(&other.start));
    Ok(sections)
}

/// Checks that lanes are numbered from the inside to the outside.
fn check_numbers(section: Element<'_>, lanes: &[Lane], sign: i32) -> Result<(), ReadError> {
    let mut numbers = lanes.iter().zip(1..).map(|(lane, place)| (lane.id, sign * place));
    match numbers.find(|(found, expected)| found != expected) {
        None => Ok(()),
        Some((found, expected)) => {
            let text = format!("found the lane {found}; expected {expected}");
            let help = "lanes are numbered from 1 to the left and from -1 to the right";
            Err(ReadError::new(section.line(), text).help(help))
        }
    }
}

fn lane<'d>(context: &mut Context<'d>, element: Element<'d>) -> Result<Lane, ReadError> {
    context.cover(element);
    let id = element.required_number("id")?;
    let list = |name: &'static str,
                value: &dyn Fn(Element<'d>) -> Result<Option<f64>, ReadError>| {
        let mut found: Vec<(f64, f64)> = Vec::new();
        for one in element.all(name) {
            found.extend(
                value(one)?
                    .map(|value| (one.number_in("sOffset").ok().flatten().unwrap_or(0.0), value)),
            );
        }
        found.sort_by(|one, other| one.0.total_cmp(&other.0));
        Ok::<_, ReadError>(found)
    };
    let mut heights = Vec::new();
    for one in element.all("height") {
        let value = |name: &str| one.number_in(name).map(|value| value.unwrap_or(0.0));
        heights.push((value("sOffset")?, [value("inner")?, value("outer")?]));
    }
    heights.sort_by(|one: &(f64, [f64; 2]), other| one.0.total_cmp(&other.0));
    let edge = match element.child("width") {
        None if element.child("border").is_some() => {
            LaneEdge::Border(profile(element.all("border"), "sOffset")?)
        }
        _ => LaneEdge::Width(profile(element.all("width"), "sOffset")?),
    };
    let link = element.child("link");
    let end = |name: &'static str| {
        let number = link.and_then(|link| link.child(name)).map(|one| one.required_number("id"));
        number.transpose().map(|number| number.map(|number| number as i32))
    };
    Ok(Lane {
        id: id as i32,
        kind: element.attribute("type").unwrap_or("none").to_owned(),
        edge,
        heights,
        speeds: list("speed", &|one| speed(one))?,
        frictions: list("material", &|one| one.number_in("friction"))?,
        marks: marks(element)?,
        is_level: element.attribute("level") == Some("true"),
        links: [end("predecessor")?, end("successor")?],
    })
}

/// Returns where the bridges and tunnels of a road begin and end, m.
fn structures<'d>(
    context: &mut Context<'d>,
    road: Element<'d>,
) -> Result<Vec<[f64; 2]>, ReadError> {
    let mut found = Vec::new();
    for objects in road.all("objects") {
        context.cover(objects);
        for one in objects.all("bridge").chain(objects.all("tunnel")) {
            let start = one.required_number("s")?;
            found.push([start, start + one.required_number("length")?]);
        }
    }
    Ok(found)
}

/// Reads the objects of a road.
fn objects<'d>(context: &mut Context<'d>, road: Element<'d>) -> Result<Vec<RoadObject>, ReadError> {
    let mut found = Vec::new();
    for element in road.all("objects").flat_map(|objects| objects.all("object")) {
        context.cover(element);
        for outlines in element.all("outlines") {
            context.cover(outlines);
            outlines.all("outline").for_each(|outline| context.cover(outline));
        }
        element.all("outline").for_each(|outline| context.cover(outline));
        let object = RoadObject::read(element)?;
        if !object.is_flat() && !object.is_obstacle() {
            let first = context.without_height.map_or(element.line(), |(line, _)| line);
            let count = context.without_height.map_or(1, |(_, count)| count + 1);
            context.without_height = Some((first, count));
        }
        found.push(object);
    }
    Ok(found)
}

/// Reads the marks of the outer edge of a lane, or of the centre lane.
fn marks(lane: Element<'_>) -> Result<Vec<RoadMark>, ReadError> {
    let mark = |one: Element<'_>| {
        let text = |name: &str, default: &str| one.attribute(name).unwrap_or(default).to_owned();
        Ok(RoadMark {
            start: one.number_in("sOffset")?.unwrap_or(0.0),
            kind: text("type", "none"),
            colour: text("color", "standard"),
            width: one.number_in("width")?,
        })
    };
    let mut marks = lane.all("roadMark").map(mark).collect::<Result<Vec<_>, ReadError>>()?;
    marks.sort_by(|one, other| one.start.total_cmp(&other.start));
    Ok(marks)
}

fn junction<'d>(context: &mut Context<'d>, element: Element<'d>) -> Result<Junction, ReadError> {
    context.cover(element);
    let mut connections = Vec::new();
    for one in element.all("connection") {
        context.cover(one);
        // a virtual connection has no road
        let (Some(incoming), Some(connecting)) =
            (one.attribute("incomingRoad"), one.attribute("connectingRoad"))
        else {
            continue;
        };
        let mut lanes = Vec::new();
        for link in one.all("laneLink") {
            lanes.push((link.required_number("from")? as i32, link.required_number("to")? as i32));
        }
        connections.push(Connection {
            incoming: linked(&context.roads, "road", incoming, one.line())?,
            connecting: linked(&context.roads, "road", connecting, one.line())?,
            at_end: one.attribute("contactPoint") == Some("end"),
            lanes,
        });
    }
    Ok(Junction { id: element.required("id")?.to_owned(), connections })
}
