//! The elements that are read. Everything else is an error with its line.

use simhost_xml::{Element, ReadError};

use crate::hints::one_of;

/// Elements that are read, with the elements in them that are read or have no effect.
///
/// The reader refuses what this table does not name, and the table in the documentation is printed from it.
pub const SCENARIO_COVERAGE: &[(&str, &[&str])] = &[
    (
        "OpenSCENARIO",
        &[
            "FileHeader",
            "ParameterDeclarations",
            "CatalogLocations",
            "RoadNetwork",
            "Entities",
            "Storyboard",
        ],
    ),
    ("ParameterDeclarations", &["ParameterDeclaration"]),
    ("ParameterDeclaration", &[]),
    ("CatalogLocations", &[]),
    ("RoadNetwork", &["LogicFile", "SceneGraphFile"]),
    ("LogicFile", &[]),
    ("Entities", &["ScenarioObject"]),
    ("ScenarioObject", &["Vehicle"]),
    ("Vehicle", &["BoundingBox", "Performance", "Axles", "Properties", "ParameterDeclarations"]),
    ("BoundingBox", &["Center", "Dimensions"]),
    ("Center", &[]),
    ("Dimensions", &[]),
    ("Axles", &["FrontAxle", "RearAxle"]),
    ("FrontAxle", &[]),
    ("RearAxle", &[]),
    ("Storyboard", &["Init", "Story", "StopTrigger"]),
    ("Init", &["Actions"]),
    ("Actions", &["Private"]),
    ("Private", &["PrivateAction"]),
    ("Story", &["ParameterDeclarations", "Act"]),
    ("Act", &["ManeuverGroup", "StartTrigger", "StopTrigger"]),
    ("ManeuverGroup", &["Actors", "Maneuver"]),
    ("Actors", &["EntityRef"]),
    ("EntityRef", &[]),
    ("Maneuver", &["ParameterDeclarations", "Event"]),
    ("Event", &["Action", "StartTrigger"]),
    ("Action", &["PrivateAction"]),
    (
        "PrivateAction",
        &[
            "TeleportAction",
            "LongitudinalAction",
            "LateralAction",
            "RoutingAction",
            "SynchronizeAction",
        ],
    ),
    ("TeleportAction", &["Position"]),
    ("LongitudinalAction", &["SpeedAction"]),
    ("SpeedAction", &["SpeedActionDynamics", "SpeedActionTarget"]),
    ("SpeedActionDynamics", &[]),
    ("SpeedActionTarget", &["AbsoluteTargetSpeed", "RelativeTargetSpeed"]),
    ("AbsoluteTargetSpeed", &[]),
    ("RelativeTargetSpeed", &[]),
    ("LateralAction", &["LaneChangeAction", "LaneOffsetAction"]),
    ("LaneChangeAction", &["LaneChangeActionDynamics", "LaneChangeTarget"]),
    ("LaneChangeActionDynamics", &[]),
    ("LaneChangeTarget", &["AbsoluteTargetLane", "RelativeTargetLane"]),
    ("AbsoluteTargetLane", &[]),
    ("RelativeTargetLane", &[]),
    ("LaneOffsetAction", &["LaneOffsetActionDynamics", "LaneOffsetTarget"]),
    ("LaneOffsetActionDynamics", &[]),
    ("LaneOffsetTarget", &["AbsoluteTargetLaneOffset", "RelativeTargetLaneOffset"]),
    ("AbsoluteTargetLaneOffset", &[]),
    ("RelativeTargetLaneOffset", &[]),
    ("RoutingAction", &["FollowTrajectoryAction"]),
    (
        "FollowTrajectoryAction",
        &["Trajectory", "TrajectoryRef", "TimeReference", "TrajectoryFollowingMode"],
    ),
    ("TrajectoryRef", &["Trajectory"]),
    ("Trajectory", &["Shape"]),
    ("Shape", &["Polyline", "Clothoid"]),
    ("Polyline", &["Vertex"]),
    ("Vertex", &["Position"]),
    ("Clothoid", &["Position"]),
    ("TimeReference", &["None", "Timing"]),
    ("None", &[]),
    ("Timing", &[]),
    ("TrajectoryFollowingMode", &[]),
    ("SynchronizeAction", &["TargetPositionMaster", "TargetPosition", "FinalSpeed"]),
    ("FinalSpeed", &["AbsoluteSpeed"]),
    ("AbsoluteSpeed", &[]),
    ("StartTrigger", &["ConditionGroup"]),
    ("StopTrigger", &["ConditionGroup"]),
    ("ConditionGroup", &["Condition"]),
    ("Condition", &["ByEntityCondition", "ByValueCondition"]),
    ("ByEntityCondition", &["TriggeringEntities", "EntityCondition"]),
    ("TriggeringEntities", &["EntityRef"]),
    (
        "EntityCondition",
        &[
            "TraveledDistanceCondition",
            "ReachPositionCondition",
            "RelativeDistanceCondition",
            "TimeHeadwayCondition",
            "SpeedCondition",
        ],
    ),
    ("TraveledDistanceCondition", &[]),
    ("ReachPositionCondition", &["Position"]),
    ("RelativeDistanceCondition", &[]),
    ("TimeHeadwayCondition", &[]),
    ("SpeedCondition", &[]),
    ("ByValueCondition", &["SimulationTimeCondition", "StoryboardElementStateCondition"]),
    ("SimulationTimeCondition", &[]),
    ("StoryboardElementStateCondition", &[]),
    ("Position", POSITIONS),
    ("TargetPositionMaster", POSITIONS),
    ("TargetPosition", POSITIONS),
    ("WorldPosition", &[]),
    ("LanePosition", &["Orientation"]),
    ("RelativeLanePosition", &["Orientation"]),
    ("RelativeObjectPosition", &["Orientation"]),
    ("Orientation", &[]),
];

const POSITIONS: &[&str] =
    &["WorldPosition", "LanePosition", "RelativeLanePosition", "RelativeObjectPosition"];

/// Elements without an effect on a run, with the reason. Their content is not read.
pub const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("FileHeader", "describes the file"),
    ("Performance", "actors follow the scenario exactly, whatever their vehicle could do"),
    ("Properties", "are properties of other tools"),
    ("SceneGraphFile", "the surface of the road network is drawn"),
];

/// Checks an element and everything in it against the table.
///
/// # Errors
/// [`ReadError`] with the line of the first element that is not read.
pub(crate) fn check(element: Element<'_>) -> Result<(), ReadError> {
    let known = SCENARIO_COVERAGE.iter().find(|(name, _)| *name == element.name());
    let known = known.map_or(&[][..], |(_, known)| known);
    expect(element, known)?;
    for child in element.elements() {
        if !WITHOUT_EFFECT.iter().any(|(name, _)| *name == child.name()) {
            check(child)?;
        }
    }
    Ok(())
}

/// Checks that an element has only children of these names.
///
/// # Errors
/// [`ReadError`] with the line of the first other one.
pub(crate) fn expect(element: Element<'_>, known: &[&str]) -> Result<(), ReadError> {
    let Some(other) = element.elements().find(|one| !known.contains(&one.name())) else {
        return Ok(());
    };
    let text = format!("<{}> in <{}> is not supported", other.name(), element.name());
    Err(ReadError::new(other.line(), text).help(one_of(other.name(), known.iter().copied())))
}

/// Returns the table of the documentation in Markdown.
pub fn coverage_table() -> String {
    let mut text = "| Element | Elements in it that are read |\n|---|---|\n".to_owned();
    for (name, known) in SCENARIO_COVERAGE.iter().filter(|(_, known)| !known.is_empty()) {
        let is_read = |one: &&&str| !WITHOUT_EFFECT.iter().any(|(name, _)| name == *one);
        let read: Vec<String> =
            known.iter().filter(is_read).map(|one| format!("`{one}`")).collect();
        text += &format!("| `{name}` | {} |\n", read.join(", "));
    }
    text
}
