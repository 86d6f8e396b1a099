//! References of a scenario: entities, roads and lanes by their names.

use simhost_opendrive::Network;
use simhost_xml::{Element, ReadError};

use crate::hints::one_of;
use crate::scenario::ScenarioPosition;
use crate::values::Values;

/// Entities and roads that references in a scenario can name.
pub(crate) struct Known<'n> {
    pub entities: Vec<String>,
    pub network: Option<&'n Network>,
}

/// Returns a child that has to be there.
pub(crate) fn child<'d>(
    element: Element<'d>,
    name: &'static str,
) -> Result<Element<'d>, ReadError> {
    element.child(name).ok_or_else(|| {
        let text = format!("<{}> has no <{name}>", element.name());
        ReadError::new(element.line(), text)
    })
}

/// Returns the only element in another one.
pub(crate) fn only<'d>(element: Element<'d>) -> Result<Element<'d>, ReadError> {
    element
        .elements()
        .next()
        .ok_or_else(|| ReadError::new(element.line(), format!("<{}> is empty", element.name())))
}

/// Returns the error for an element that is not supported in a place of others.
pub(crate) fn not_supported(element: Element<'_>, name: &str, known: &str) -> ReadError {
    let text = format!("<{name}> is not supported");
    ReadError::new(element.line(), text).help(format!("use one of: {known}"))
}

/// Returns the limits of a `<Range>`.
pub(crate) fn limits(element: Element<'_>) -> Result<[f64; 2], ReadError> {
    let [low, high] =
        [element.required_number("lowerLimit")?, element.required_number("upperLimit")?];
    if low <= high {
        return Ok([low, high]);
    }
    let text = format!("`upperLimit` of <Range> is {high}; expected at least {low}");
    Err(ReadError::new(element.line(), text))
}

impl Known<'_> {
    /// Returns the number of the entity that an attribute names.
    pub fn entity(
        &self,
        values: &Values,
        element: Element<'_>,
        attribute: &str,
    ) -> Result<usize, ReadError> {
        let name = values.text(element, attribute)?;
        self.entities.iter().position(|one| *one == name).ok_or_else(|| {
            let text = format!("`{attribute}` of <{}>: unknown entity `{name}`", element.name());
            let help = one_of(&name, self.entities.iter().map(String::as_str));
            ReadError::new(element.line(), text).help(help)
        })
    }

    /// Reads a position.
    pub fn position(
        &self,
        values: &Values,
        element: Element<'_>,
    ) -> Result<ScenarioPosition, ReadError> {
        let number = |name: &str| values.number(element, name);
        let or = |name: &str, default| values.number_or(element, name, default);
        let turn = match element.child("Orientation") {
            Some(orientation) => values.number_or(orientation, "h", 0.0)?,
            None => 0.0,
        };
        match element.name() {
            "WorldPosition" => {
                Ok(ScenarioPosition::World([number("x")?, number("y")?, or("h", 0.0)?]))
            }
            "LanePosition" => {
                let (s, offset) = (number("s")?, or("offset", 0.0)?);
                let lane = values.integer(element, "laneId")?;
                let road = self.road(values, element, s, lane)?;
                Ok(ScenarioPosition::Lane { road, lane, s, offset, turn })
            }
            "RelativeLanePosition" => Ok(ScenarioPosition::RelativeLane {
                entity: self.entity(values, element, "entityRef")?,
                lanes: values.integer(element, "dLane")?,
                ds: or("ds", 0.0)?,
                offset: or("offset", 0.0)?,
            }),
            _ => Ok(ScenarioPosition::RelativeObject {
                entity: self.entity(values, element, "entityRef")?,
                by: [number("dx")?, number("dy")?],
                turn,
            }),
        }
    }

    /// Returns the index of a road that has a lane at a place.
    fn road(
        &self,
        values: &Values,
        element: Element<'_>,
        s: f64,
        lane: i32,
    ) -> Result<usize, ReadError> {
        let wrong = |text: String| Err(ReadError::new(element.line(), text));
        let Some(network) = self.network else {
            return wrong("<LanePosition> in a scenario without a <RoadNetwork>".to_owned());
        };
        let id = values.text(element, "roadId")?;
        let Some(road) = network.road(&id) else {
            return wrong(format!("`roadId` of <LanePosition>: the network has no road `{id}`"));
        };
        let length = network.roads[road].length;
        if !(0.0..=length).contains(&s) {
            return wrong(format!("`s` of <LanePosition> is {s}; expected 0 to {length}"));
        }
        match network.lane_pose(road, s, lane, 0.0) {
            Some(_) if lane != 0 => Ok(road),
            _ => wrong(format!("road `{id}` has no lane {lane} at s = {s}")),
        }
    }
}
