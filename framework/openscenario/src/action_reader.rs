//! Reading the actions of events.

use simhost_xml::{Element, ReadError};

use crate::references::{Known, child, only};
use crate::scenario::{
    LaneTarget, ScenarioAction, ScenarioTrajectory, SpeedTarget, TrajectoryPath, Transition,
    TransitionDimension, TransitionShape,
};
use crate::values::Values;

const SHAPES: &[(&str, TransitionShape)] = &[
    ("linear", TransitionShape::Linear),
    ("cubic", TransitionShape::Cubic),
    ("sinusoidal", TransitionShape::Sinusoidal),
    ("step", TransitionShape::Step),
];

const DIMENSIONS: &[(&str, TransitionDimension)] = &[
    ("time", TransitionDimension::Time),
    ("distance", TransitionDimension::Distance),
    ("rate", TransitionDimension::Rate),
];

/// Reads the actions of an event.
pub(crate) fn actions_of(
    known: &Known<'_>,
    values: &Values,
    event: Element<'_>,
) -> Result<Vec<(String, ScenarioAction)>, ReadError> {
    let mut actions = Vec::new();
    for one in event.all("Action") {
        let action = ActionReader { known, values }.action(only(only(one)?)?)?;
        actions.push((values.text(one, "name")?, action));
    }
    Ok(actions)
}

struct ActionReader<'r> {
    known: &'r Known<'r>,
    values: &'r Values,
}

impl ActionReader<'_> {
    fn action(&self, element: Element<'_>) -> Result<ScenarioAction, ReadError> {
        match element.name() {
            "TeleportAction" => {
                let position = only(child(element, "Position")?)?;
                Ok(ScenarioAction::Teleport(self.known.position(self.values, position)?))
            }
            "LongitudinalAction" => self.speed(only(element)?),
            "LateralAction" => match only(element)? {
                lane if lane.name() == "LaneChangeAction" => self.lane_change(lane),
                offset => self.lane_offset(offset),
            },
            "RoutingAction" => self.follow(only(element)?),
            _ => self.synchronize(element),
        }
    }

    fn transition(&self, element: Element<'_>) -> Result<Transition, ReadError> {
        let shape = self.values.choice(element, "dynamicsShape", SHAPES)?;
        let dimension = self.values.choice(element, "dynamicsDimension", DIMENSIONS)?;
        let value = self.values.number(element, "value")?;
        if value < 0.0 || value == 0.0 && dimension == TransitionDimension::Rate {
            let text = format!("`value` of <{}> is {value}; expected more than 0", element.name());
            return Err(ReadError::new(element.line(), text));
        }
        Ok(Transition { shape, dimension, value })
    }

    fn speed(&self, element: Element<'_>) -> Result<ScenarioAction, ReadError> {
        let target = only(child(element, "SpeedActionTarget")?)?;
        let value = self.values.number(target, "value")?;
        let target = if target.name() == "AbsoluteTargetSpeed" {
            SpeedTarget::Absolute(value)
        } else {
            self.values.choice(target, "continuous", &[("false", ())])?;
            let entity = self.known.entity(self.values, target, "entityRef")?;
            let kinds = [("delta", true), ("factor", false)];
            match self.values.choice(target, "speedTargetValueType", &kinds)? {
                true => SpeedTarget::Delta(entity, value),
                false => SpeedTarget::Factor(entity, value),
            }
        };
        let transition = self.transition(child(element, "SpeedActionDynamics")?)?;
        Ok(ScenarioAction::Speed(transition, target))
    }

    fn lane_change(&self, element: Element<'_>) -> Result<ScenarioAction, ReadError> {
        let target = only(child(element, "LaneChangeTarget")?)?;
        let value = self.values.integer(target, "value")?;
        let target = match target.name() {
            "AbsoluteTargetLane" => LaneTarget::Absolute(value),
            _ => LaneTarget::Relative(self.known.entity(self.values, target, "entityRef")?, value),
        };
        let transition = self.transition(child(element, "LaneChangeActionDynamics")?)?;
        let offset = self.values.number_or(element, "targetLaneOffset", 0.0)?;
        Ok(ScenarioAction::LaneChange(transition, target, offset))
    }

    fn lane_offset(&self, element: Element<'_>) -> Result<ScenarioAction, ReadError> {
        let dynamics = child(element, "LaneOffsetActionDynamics")?;
        let shapes = &SHAPES[1..];
        let shape = self.values.choice(dynamics, "dynamicsShape", shapes)?;
        let most_acceleration = match shape {
            TransitionShape::Step => None,
            _ => {
                let text = self.values.text(dynamics, "maxLateralAcc")?;
                Some(dynamics.length(&text, "maxLateralAcc")?)
            }
        };
        let target = only(child(element, "LaneOffsetTarget")?)?;
        let relative_to = match target.name() {
            "RelativeTargetLaneOffset" => {
                Some(self.known.entity(self.values, target, "entityRef")?)
            }
            _ => None,
        };
        Ok(ScenarioAction::LaneOffset {
            relative_to,
            shape,
            most_acceleration,
            offset: self.values.number(target, "value")?,
            is_continuous: self.values.truth(element, "continuous")?,
        })
    }

    fn synchronize(&self, element: Element<'_>) -> Result<ScenarioAction, ReadError> {
        let position =
            |name: &'static str| self.known.position(self.values, only(child(element, name)?)?);
        let speed = element.path(&["FinalSpeed", "AbsoluteSpeed"]);
        Ok(ScenarioAction::Synchronize {
            master: self.known.entity(self.values, element, "masterEntityRef")?,
            at: position("TargetPositionMaster")?,
            to: position("TargetPosition")?,
            speed: speed.map(|speed| self.values.number(speed, "value")).transpose()?,
        })
    }

    fn follow(&self, element: Element<'_>) -> Result<ScenarioAction, ReadError> {
        if let Some(mode) = element.child("TrajectoryFollowingMode") {
            self.values.choice(mode, "followingMode", &[("position", ())])?;
        }
        let trajectory = match element.child("TrajectoryRef") {
            Some(reference) => child(reference, "Trajectory")?,
            None => child(element, "Trajectory")?,
        };
        if trajectory.attribute("closed").is_some() {
            self.values.choice(trajectory, "closed", &[("false", ()), ("0", ())])?;
        }
        let shape = only(child(trajectory, "Shape")?)?;
        let timing = element.path(&["TimeReference", "Timing"]);
        let (path, mut times) = match shape.name() {
            "Clothoid" => self.clothoid(shape, timing.is_some())?,
            _ => self.polyline(shape, timing.is_some())?,
        };
        let mut is_absolute = false;
        if let Some(timing) = timing {
            let domains = [("absolute", true), ("relative", false)];
            is_absolute = self.values.choice(timing, "domainAbsoluteRelative", &domains)?;
            let scale = self.values.number(timing, "scale")?;
            let offset = self.values.number(timing, "offset")?;
            times.iter_mut().for_each(|time| *time = *time * scale + offset);
            if !times.is_sorted_by(|one, other| one < other) {
                let text = "the times of the trajectory do not increase";
                return Err(ReadError::new(shape.line(), text));
            }
        }
        Ok(ScenarioAction::Follow(ScenarioTrajectory { path, times, is_absolute }))
    }

    fn polyline(
        &self,
        shape: Element<'_>,
        is_timed: bool,
    ) -> Result<(TrajectoryPath, Vec<f64>), ReadError> {
        let (mut points, mut times) = (Vec::new(), Vec::new());
        for vertex in shape.all("Vertex") {
            let position = only(child(vertex, "Position")?)?;
            points.push(self.known.position(self.values, position)?);
            if is_timed {
                times.push(self.values.number(vertex, "time")?);
            }
        }
        if points.len() < 2 {
            let text = format!("<Polyline> has {} <Vertex>; expected at least 2", points.len());
            return Err(ReadError::new(shape.line(), text));
        }
        Ok((TrajectoryPath::Polyline(points), times))
    }

    fn clothoid(
        &self,
        shape: Element<'_>,
        is_timed: bool,
    ) -> Result<(TrajectoryPath, Vec<f64>), ReadError> {
        let number = |name: &str| self.values.number(shape, name);
        let rate = match shape.attribute("curvaturePrime") {
            Some(_) => number("curvaturePrime")?,
            None => number("curvatureDot")?,
        };
        let length = shape.length(&self.values.text(shape, "length")?, "length")?;
        let times = if is_timed { vec![number("startTime")?, number("stopTime")?] } else { vec![] };
        let position = self.known.position(self.values, only(child(shape, "Position")?)?)?;
        Ok((TrajectoryPath::Clothoid(position, [number("curvature")?, rate, length]), times))
    }
}
