//! Objects along roads as a file gives them.

use simhost_xml::{Element, ReadError};

/// Types of objects that lie on the surface, where nothing stops a vehicle.
const FLAT: &[&str] = &["crosswalk", "parkingSpace", "patch", "roadMark", "roadSurface"];

/// An object of a road.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadObject {
    /// Name of the object in the file.
    pub id: String,
    /// Type, such as `barrier` or `tree`.
    pub kind: String,
    /// Place of the origin along and across the reference line, m.
    pub at: [f64; 2],
    /// Yaw relative to the reference line, rad.
    pub heading: f64,
    /// Size at the origin.
    pub size: ObjectSize,
    /// Outlines, which replace the size.
    pub outlines: Vec<ObjectOutline>,
    /// Copies along the road, which replace the object at its origin.
    pub repeats: Vec<ObjectRepeat>,
}

/// Size of an object, and its height above the reference line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObjectSize {
    /// Length along the heading, m; 0 if it is not given.
    pub length: f64,
    /// Width across the heading, m; 0 if it is not given.
    pub width: f64,
    /// Radius of a round object, m; 0 for others.
    pub radius: f64,
    /// Height of the upper side above the lower one, m.
    pub height: f64,
    /// Height of the lower side above the reference line, m.
    pub rise: f64,
}

/// Outline of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectOutline {
    /// Corners.
    pub corners: Vec<ObjectCorner>,
    /// Whether the outline surrounds an area. Otherwise it is a line, such as a fence.
    pub is_closed: bool,
}

/// A corner of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectCorner {
    /// Whether `at` is along the heading of the object and to its left, from its origin. Otherwise, it is s and t of the road.
    pub is_local: bool,
    /// Place, m.
    pub at: [f64; 2],
    /// Height of the lower side above the origin of the object, or above the reference line, m.
    pub rise: f64,
    /// Height of the upper side above the lower one, m.
    pub height: f64,
}

/// Copies of an object along a road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectRepeat {
    /// Place of the first copy along the reference line, m.
    pub start: f64,
    /// Length of the part of the road with copies, m.
    pub length: f64,
    /// Distance between copies, m; 0 for one object along the whole part.
    pub distance: f64,
    /// Lateral place at the first and at the last copy, m.
    pub lateral: [f64; 2],
    /// Size of the first and of the last copy.
    pub sizes: [ObjectSize; 2],
}

/// Returns a number that is 0 or more, or its default.
fn size(element: Element<'_>, name: &str, default: f64) -> Result<f64, ReadError> {
    match element.number_in(name)? {
        None => Ok(default),
        Some(value) if value >= 0.0 => Ok(value),
        Some(value) => {
            let text = format!("`{name}` is {value}; expected 0 or more");
            Err(ReadError::new(element.line(), text))
        }
    }
}

impl RoadObject {
    /// Reads `<object>`.
    pub(crate) fn read(element: Element<'_>) -> Result<Self, ReadError> {
        let size = ObjectSize {
            length: size(element, "length", 0.0)?,
            width: size(element, "width", 0.0)?,
            radius: size(element, "radius", 0.0)?,
            height: size(element, "height", 0.0)?,
            rise: element.number_in("zOffset")?.unwrap_or(0.0),
        };
        let at = [element.required_number("s")?, element.required_number("t")?];
        // version 1.4 has one outline without <outlines>
        let outlines = element.all("outlines").flat_map(|all| all.all("outline"));
        let outlines = outlines.chain(element.all("outline")).map(ObjectOutline::read);
        let repeats = element.all("repeat").map(|one| ObjectRepeat::read(one, at[1], size));
        Ok(Self {
            id: element.attribute("id").unwrap_or_default().to_owned(),
            kind: element.attribute("type").unwrap_or("none").to_owned(),
            at,
            heading: element.number_in("hdg")?.unwrap_or(0.0),
            size,
            outlines: outlines.collect::<Result<_, _>>()?,
            repeats: repeats.collect::<Result<_, _>>()?,
        })
    }

    /// Returns whether a vehicle collides with the object: it has a height, and its type is not a mark on the surface.
    pub fn is_obstacle(&self) -> bool {
        let corners = self.outlines.iter().flat_map(|one| &one.corners);
        let repeats = self.repeats.iter().flat_map(|one| one.sizes);
        let mut heights = corners.map(|one| one.height).chain(repeats.map(|one| one.height));
        let is_high = self.size.height > 0.0 || heights.any(|height| height > 0.0);
        is_high && !self.is_flat()
    }

    /// Returns whether the type is a mark on the surface.
    pub(crate) fn is_flat(&self) -> bool {
        FLAT.contains(&self.kind.as_str())
    }
}

impl ObjectOutline {
    fn read(element: Element<'_>) -> Result<Self, ReadError> {
        let mut corners = Vec::new();
        for one in element.elements() {
            let (is_local, names) = match one.name() {
                "cornerLocal" => (true, ["u", "v", "z"]),
                "cornerRoad" => (false, ["s", "t", "dz"]),
                _ => continue,
            };
            let at = [one.required_number(names[0])?, one.required_number(names[1])?];
            let rise = one.number_in(names[2])?.unwrap_or(0.0);
            corners.push(ObjectCorner { is_local, at, rise, height: size(one, "height", 0.0)? });
        }
        Ok(Self { corners, is_closed: element.attribute("closed") != Some("false") })
    }
}

impl ObjectRepeat {
    /// Reads `<repeat>` of an object with a lateral place and a size, which count where it gives none.
    fn read(element: Element<'_>, lateral: f64, of: ObjectSize) -> Result<Self, ReadError> {
        let at = |end: &str| {
            let any = |name: &str, default| {
                let number = element.number_in(&format!("{name}{end}"))?;
                Ok::<_, ReadError>(number.unwrap_or(default))
            };
            let positive = |name: &str, default| size(element, &format!("{name}{end}"), default);
            let size = ObjectSize {
                length: positive("length", of.length)?,
                width: positive("width", of.width)?,
                radius: positive("radius", of.radius)?,
                height: positive("height", of.height)?,
                rise: any("zOffset", of.rise)?,
            };
            Ok::<_, ReadError>((any("t", lateral)?, size))
        };
        let [first, last] = [at("Start")?, at("End")?];
        Ok(Self {
            start: element.required_number("s")?,
            length: size(element, "length", 0.0)?,
            distance: size(element, "distance", 0.0)?,
            lateral: [first.0, last.0],
            sizes: [first.1, last.1],
        })
    }

    /// Returns the lateral place and the size at a part of the length from 0 to 1.
    pub(crate) fn at(&self, part: f64) -> (f64, ObjectSize) {
        let between = |[from, to]: [f64; 2]| from + part * (to - from);
        let of = |value: fn(&ObjectSize) -> f64| between(self.sizes.each_ref().map(value));
        let size = ObjectSize {
            length: of(|one| one.length),
            width: of(|one| one.width),
            radius: of(|one| one.radius),
            height: of(|one| one.height),
            rise: of(|one| one.rise),
        };
        (between(self.lateral), size)
    }
}
