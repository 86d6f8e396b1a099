//! A scenario as it was read: entities, their start, and the storyboard.

use std::sync::Arc;

use simhost_opendrive::Network;

/// A scenario.
#[derive(Clone)]
pub struct Scenario {
    /// Road network, if the scenario names one.
    pub network: Option<Arc<Network>>,
    /// File of the road network, as the scenario names it.
    pub network_file: Option<String>,
    /// Entities in the order of the file.
    pub entities: Vec<ScenarioEntity>,
    /// Acts of all stories.
    pub acts: Vec<Act>,
    /// Condition that ends the run.
    pub stop: Option<StoryTrigger>,
}

/// An entity.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioEntity {
    /// Name in references.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// Centre of the bounding box in the frame of the entity, m. Its origin is below the middle of the rear axle.
    pub centre: [f64; 3],
    /// Length, width and height of the bounding box, m.
    pub size: [f64; 3],
    /// Position of the front axle, m, distance of its wheels, m, and their diameter, m.
    pub axle: [f64; 3],
    /// Position at the start.
    pub start: Option<ScenarioPosition>,
    /// Speed at the start, m/s.
    pub speed: f64,
}

/// A position in the world, in a lane or relative to an entity.
#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioPosition {
    /// x, y, m, and heading, rad, in the world frame.
    World([f64; 3]),
    /// A place in a lane.
    Lane {
        /// Index of the road.
        road: usize,
        /// Number of the lane.
        lane: i32,
        /// Distance along the reference line, m.
        s: f64,
        /// Distance from the middle of the lane, m, positive to the left of the reference line.
        offset: f64,
        /// Heading relative to the driving direction of the lane, rad.
        turn: f64,
    },
    /// A place in a lane relative to an entity.
    RelativeLane {
        /// Number of the entity.
        entity: usize,
        /// Number of lanes to the left in the driving direction.
        lanes: i32,
        /// Distance along the lane in the driving direction, m.
        ds: f64,
        /// Distance from the middle of the lane, m, positive to the left of the reference line.
        offset: f64,
    },
    /// Distances forwards and to the left of an entity, m, and a turn against its heading, rad.
    RelativeObject {
        /// Number of the entity.
        entity: usize,
        /// Distances, m.
        by: [f64; 2],
        /// Turn, rad.
        turn: f64,
    },
}

/// An act.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// Name.
    pub name: String,
    /// Condition of the start; an act without one starts at once.
    pub start: Option<StoryTrigger>,
    /// Condition of the end.
    pub stop: Option<StoryTrigger>,
    /// Groups of manoeuvres.
    pub groups: Vec<ManeuverGroup>,
}

/// Manoeuvres of some actors.
#[derive(Clone, Debug, PartialEq)]
pub struct ManeuverGroup {
    /// Name.
    pub name: String,
    /// Numbers of the actors.
    pub actors: Vec<usize>,
    /// Manoeuvres.
    pub maneuvers: Vec<Maneuver>,
}

/// Events in an order that their triggers decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Maneuver {
    /// Name.
    pub name: String,
    /// Events.
    pub events: Vec<ScenarioEvent>,
}

/// Actions that begin together.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioEvent {
    /// Name.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// Effect of the start on the other events of the manoeuvre.
    pub priority: Priority,
    /// How often the event can start.
    pub most: u32,
    /// Condition of the start; an event without one starts with its act.
    pub start: Option<StoryTrigger>,
    /// Actions with their names.
    pub actions: Vec<(String, ScenarioAction)>,
}

/// Effect of the start of an event on the running events of its manoeuvre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// They are stopped.
    Override,
    /// The event does not start while one of them is running.
    Skip,
    /// They continue.
    Parallel,
}

/// An action of an actor.
#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioAction {
    /// Moves the actor at once.
    Teleport(ScenarioPosition),
    /// Changes its speed.
    Speed(Transition, SpeedTarget),
    /// Changes its lane, to an offset from the middle of the new one, m.
    LaneChange(Transition, LaneTarget, f64),
    /// Changes the offset from the middle of its lane.
    LaneOffset {
        /// Shape of the transition.
        shape: TransitionShape,
        /// Largest lateral acceleration, m/s²; `None` with a step.
        most_acceleration: Option<f64>,
        /// Offset, m, positive to the left of the reference line.
        offset: f64,
        /// Entity to whose offset at the start of the action `offset` is added; the middle of the lane without one.
        relative_to: Option<usize>,
        /// Whether the action lasts until another lateral action replaces it.
        is_continuous: bool,
    },
    /// Leads it along a trajectory.
    Follow(ScenarioTrajectory),
    /// Lets it arrive together with another entity.
    Synchronize {
        /// Number of the other entity.
        master: usize,
        /// Where the other entity arrives.
        at: ScenarioPosition,
        /// Where the actor arrives.
        to: ScenarioPosition,
        /// Its speed there, m/s.
        speed: Option<f64>,
    },
}

/// Target of a change of speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedTarget {
    /// A speed, m/s.
    Absolute(f64),
    /// The speed of an entity at the start of the action, plus a difference, m/s.
    Delta(usize, f64),
    /// The speed of an entity at the start of the action, times a factor.
    Factor(usize, f64),
}

/// Target of a change of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneTarget {
    /// Number of a lane on the road.
    Absolute(i32),
    /// A number of lanes to the left of the lane of an entity, in its driving direction.
    Relative(usize, i32),
}

/// Course of a quantity between two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Shape over the progress.
    pub shape: TransitionShape,
    /// What `value` is.
    pub dimension: TransitionDimension,
    /// Duration, s, distance, m, or largest rate, in the unit of the quantity per s.
    pub value: f64,
}

/// Shape of a transition over its progress u from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionShape {
    /// u.
    Linear,
    /// 3 u² − 2 u³.
    Cubic,
    /// (1 − cos π u)/2.
    Sinusoidal,
    /// 1 at once.
    Step,
}

/// Quantity that the value of a transition gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionDimension {
    /// The duration.
    Time,
    /// The distance that the actor travels.
    Distance,
    /// The largest rate of change.
    Rate,
}

/// A path, with times if they matter.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioTrajectory {
    /// Shape.
    pub path: TrajectoryPath,
    /// Times of the points, s, after the start of the action, or of the run if `is_absolute`. Empty if the actor keeps its
    /// speed.
    pub times: Vec<f64>,
    /// Whether the times count from the start of the run.
    pub is_absolute: bool,
}

/// Shape of a trajectory.
#[derive(Clone, Debug, PartialEq)]
pub enum TrajectoryPath {
    /// Straight lines between positions.
    Polyline(Vec<ScenarioPosition>),
    /// A clothoid from a position, with the curvature at its start, 1/m, the derivative of the curvature, 1/m², and its
    /// length, m.
    Clothoid(ScenarioPosition, [f64; 3]),
}

/// Conditions: the trigger holds if all conditions of one of its groups hold.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryTrigger(pub Vec<Vec<Condition>>);

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Name.
    pub name: String,
    /// Number among all conditions of the scenario.
    pub number: usize,
    /// Time by which the condition lags, s.
    pub delay: f64,
    /// Change that counts.
    pub edge: Edge,
    /// Comparison.
    pub test: ConditionTest,
}

/// Change of a condition that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// It begins to hold.
    Rising,
    /// It ceases to hold.
    Falling,
    /// Both.
    Either,
    /// None: it holds.
    None,
}

/// Comparison of a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionTest {
    /// The simulated time, s.
    Time(ValueComparison),
    /// The state of an element of the storyboard.
    State {
        /// Name of the element, or its names from the outermost to the innermost, separated by `::`.
        element: String,
        /// The state.
        state: ElementState,
    },
    /// A property of entities.
    Entities {
        /// Numbers of the entities.
        entities: Vec<usize>,
        /// Whether all of them have to meet it.
        all: bool,
        /// The property.
        property: Property,
    },
}

/// A property of an entity.
#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    /// It has travelled at least a distance, m.
    Traveled(f64),
    /// It is within a distance of a position, m.
    Reach(ScenarioPosition, f64),
    /// Its distance from another entity, m.
    Distance {
        /// Number of the other entity.
        to: usize,
        /// Kind of distance.
        kind: DistanceKind,
        /// Whether the distance of the bounding boxes counts, not of the origins.
        freespace: bool,
        /// Limit.
        limit: ValueComparison,
    },
    /// Its distance behind another entity over its speed, s.
    Headway {
        /// Number of the other entity.
        to: usize,
        /// Whether the distance of the bounding boxes counts.
        freespace: bool,
        /// Limit.
        limit: ValueComparison,
    },
    /// Its speed, m/s.
    Speed(ValueComparison),
}

/// Kind of distance between entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceKind {
    /// Along the heading of the triggering entity.
    Longitudinal,
    /// Across it.
    Lateral,
    /// Straight.
    Euclidean,
}

/// A comparison with a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueComparison {
    /// Rule.
    pub rule: ComparisonRule,
    /// Value.
    pub value: f64,
}

/// Rule of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonRule {
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterOrEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessOrEqual,
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
}

impl ValueComparison {
    /// Returns whether a number meets the comparison.
    pub fn holds(&self, number: f64) -> bool {
        match self.rule {
            ComparisonRule::Greater => number > self.value,
            ComparisonRule::GreaterOrEqual => number >= self.value,
            ComparisonRule::Less => number < self.value,
            ComparisonRule::LessOrEqual => number <= self.value,
            ComparisonRule::Equal => number == self.value,
            ComparisonRule::NotEqual => number != self.value,
        }
    }
}

/// State, or change of state in the present step, of an element of the storyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementState {
    /// It has not started.
    Standby,
    /// It is running.
    Running,
    /// It has ended.
    Complete,
    /// It has started in this step.
    Start,
    /// It has ended in this step.
    End,
    /// It has been stopped in this step.
    Stop,
    /// It has been skipped in this step.
    Skip,
}

impl ElementState {
    /// Returns a short name, such as `start`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standby => "standby",
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Start => "start",
            Self::End => "end",
            Self::Stop => "stop",
            Self::Skip => "skip",
        }
    }
}
