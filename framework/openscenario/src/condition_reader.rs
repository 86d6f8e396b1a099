//! Reading triggers and their conditions.

use simhost_xml::{Element, ReadError};

use crate::references::{Known, child, only};
use crate::scenario::{
    ComparisonRule, Condition, ConditionTest, DistanceKind, Edge, ElementState, Property,
    StoryTrigger, ValueComparison,
};
use crate::values::Values;

const RULES: &[(&str, ComparisonRule)] = &[
    ("greaterThan", ComparisonRule::Greater),
    ("greaterOrEqual", ComparisonRule::GreaterOrEqual),
    ("lessThan", ComparisonRule::Less),
    ("lessOrEqual", ComparisonRule::LessOrEqual),
    ("equalTo", ComparisonRule::Equal),
    ("notEqualTo", ComparisonRule::NotEqual),
];

const EDGES: &[(&str, Edge)] = &[
    ("rising", Edge::Rising),
    ("falling", Edge::Falling),
    ("risingOrFalling", Edge::Either),
    ("none", Edge::None),
];

const STATES: &[(&str, ElementState)] = &[
    ("standbyState", ElementState::Standby),
    ("runningState", ElementState::Running),
    ("completeState", ElementState::Complete),
    ("startTransition", ElementState::Start),
    ("endTransition", ElementState::End),
    ("stopTransition", ElementState::Stop),
    ("skipTransition", ElementState::Skip),
];

const DISTANCES: &[(&str, DistanceKind)] = &[
    ("longitudinal", DistanceKind::Longitudinal),
    ("lateral", DistanceKind::Lateral),
    ("cartesianDistance", DistanceKind::Euclidean),
    ("euclidianDistance", DistanceKind::Euclidean),
];

/// Reads conditions and numbers them.
#[derive(Default)]
pub(crate) struct ConditionReader {
    count: usize,
}

impl ConditionReader {
    /// Reads a trigger.
    pub fn trigger(
        &mut self,
        known: &Known<'_>,
        values: &Values,
        trigger: Element<'_>,
    ) -> Result<StoryTrigger, ReadError> {
        let mut groups = Vec::new();
        for group in trigger.all("ConditionGroup") {
            let conditions = group.all("Condition").map(|one| self.condition(known, values, one));
            groups.push(conditions.collect::<Result<_, _>>()?);
        }
        Ok(StoryTrigger(groups))
    }

    fn condition(
        &mut self,
        known: &Known<'_>,
        values: &Values,
        element: Element<'_>,
    ) -> Result<Condition, ReadError> {
        let delay = values.number_or(element, "delay", 0.0)?;
        if delay < 0.0 {
            let text = format!("`delay` of <Condition> is {delay}; expected at least 0");
            return Err(ReadError::new(element.line(), text));
        }
        let kind = only(element)?;
        let test = match kind.name() {
            "ByValueCondition" => value_test(values, only(kind)?)?,
            _ => entity_test(known, values, kind)?,
        };
        self.count += 1;
        Ok(Condition {
            name: values.text(element, "name")?,
            number: self.count - 1,
            delay,
            edge: values.choice(element, "conditionEdge", EDGES)?,
            test,
        })
    }
}

fn comparison(values: &Values, element: Element<'_>) -> Result<ValueComparison, ReadError> {
    let rule = values.choice(element, "rule", RULES)?;
    Ok(ValueComparison { rule, value: values.number(element, "value")? })
}

fn value_test(values: &Values, element: Element<'_>) -> Result<ConditionTest, ReadError> {
    match element.name() {
        "SimulationTimeCondition" => Ok(ConditionTest::Time(comparison(values, element)?)),
        _ => Ok(ConditionTest::State {
            element: values.text(element, "storyboardElementRef")?,
            state: values.choice(element, "state", STATES)?,
        }),
    }
}

fn entity_test(
    known: &Known<'_>,
    values: &Values,
    element: Element<'_>,
) -> Result<ConditionTest, ReadError> {
    let triggering = child(element, "TriggeringEntities")?;
    let entities = triggering.all("EntityRef");
    let entities = entities.map(|one| known.entity(values, one, "entityRef"));
    let rules = [("any", false), ("all", true)];
    Ok(ConditionTest::Entities {
        entities: entities.collect::<Result<_, _>>()?,
        all: values.choice(triggering, "triggeringEntitiesRule", &rules)?,
        property: property(known, values, only(child(element, "EntityCondition")?)?)?,
    })
}

fn property(
    known: &Known<'_>,
    values: &Values,
    element: Element<'_>,
) -> Result<Property, ReadError> {
    Ok(match element.name() {
        "TraveledDistanceCondition" => Property::Traveled(values.number(element, "value")?),
        "SpeedCondition" => Property::Speed(comparison(values, element)?),
        "ReachPositionCondition" => Property::Reach(
            known.position(values, only(child(element, "Position")?)?)?,
            values.number(element, "tolerance")?,
        ),
        "TimeHeadwayCondition" => {
            entity_frame(values, element)?;
            Property::Headway {
                to: known.entity(values, element, "entityRef")?,
                freespace: values.truth(element, "freespace")?,
                limit: comparison(values, element)?,
            }
        }
        _ => {
            entity_frame(values, element)?;
            Property::Distance {
                to: known.entity(values, element, "entityRef")?,
                kind: values.choice(element, "relativeDistanceType", DISTANCES)?,
                freespace: values.truth(element, "freespace")?,
                limit: comparison(values, element)?,
            }
        }
    })
}

/// Checks that distances are in the frame of the entity.
fn entity_frame(values: &Values, element: Element<'_>) -> Result<(), ReadError> {
    match element.attribute("coordinateSystem") {
        Some(_) => values.choice(element, "coordinateSystem", &[("entity", ())]),
        None => Ok(()),
    }
}
