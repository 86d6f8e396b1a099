//! Entities during a run, and how actors move.

use std::sync::Arc;

use simhost_opendrive::{LaneKey, Network, wrapped};
use simhost_xml::ReadError;

use crate::course::{Course, Following, Path, arrival};
use crate::motion::{OnLane, sense};
use crate::scenario::{
    LaneTarget, ScenarioAction, ScenarioEntity, ScenarioPosition, ScenarioTrajectory, SpeedTarget,
    TrajectoryPath, Transition, TransitionDimension, TransitionShape,
};

/// Distance at which a synchronized actor has arrived, m.
const ARRIVED: f64 = 1e-6;

/// An entity during a run.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    /// x, y, m, and heading, rad.
    pub pose: [f64; 3],
    /// Speed, m/s.
    pub speed: f64,
    /// Distance since the start, m.
    pub travelled: f64,
    /// Centre and size of the bounding box along and across, m.
    pub bounds: [[f64; 2]; 2],
    lane: Option<OnLane>,
    /// Heading against the direction of the way, rad.
    turn: f64,
    longitudinal: Option<Longitudinal>,
    lateral: Option<Lateral>,
    following: Option<(usize, Following, f64)>,
}

/// A change of speed, with the number of its action.
#[derive(Clone, Debug)]
enum Longitudinal {
    Speed(usize, Course),
    Synchronize {
        action: usize,
        master: usize,
        at: ScenarioPosition,
        to: [f64; 3],
        last: Option<f64>,
    },
}

/// A lateral movement, with the number of its action.
#[derive(Clone, Debug)]
struct Lateral {
    action: usize,
    course: Course,
    is_continuous: bool,
}

/// All entities on the network.
pub(crate) struct Cast {
    pub actors: Vec<Actor>,
    pub network: Option<Arc<Network>>,
}

impl Actor {
    fn new(entity: &ScenarioEntity) -> Self {
        let [length, width, _] = entity.size;
        Self {
            pose: [0.0; 3],
            speed: entity.speed,
            travelled: 0.0,
            bounds: [[entity.centre[0], entity.centre[1]], [length, width]],
            lane: None,
            turn: 0.0,
            longitudinal: None,
            lateral: None,
            following: None,
        }
    }

    /// Takes on the pose and speed of a vehicle that moves by itself.
    pub fn observe(&mut self, pose: [f64; 3], speed: f64) {
        let [dx, dy] = [pose[0] - self.pose[0], pose[1] - self.pose[1]];
        self.travelled += libm::hypot(dx, dy);
        (self.pose, self.speed, self.lane) = (pose, speed, None);
    }

    /// Returns the numbers of the actions that a new one of a kind replaces, and ends them.
    fn replace(&mut self, action: &ScenarioAction) -> Vec<usize> {
        let mut ended = Vec::new();
        let moves_along =
            matches!(action, ScenarioAction::Speed(..) | ScenarioAction::Synchronize { .. });
        let is_path = matches!(action, ScenarioAction::Follow(_) | ScenarioAction::Teleport(_));
        if moves_along {
            ended.extend(self.longitudinal.take().map(|one| one.action()));
        } else {
            ended.extend(self.lateral.take().map(|one| one.action));
            ended.extend(self.following.take().map(|one| one.0));
        }
        if is_path && matches!(action, ScenarioAction::Follow(one) if !one.times.is_empty()) {
            ended.extend(self.longitudinal.take().map(|one| one.action()));
        }
        ended
    }

    /// Ends an action before its time.
    pub fn stop(&mut self, action: usize) {
        self.longitudinal.take_if(|one| one.action() == action);
        self.lateral.take_if(|one| one.action == action);
        self.following.take_if(|one| one.0 == action);
    }
}

impl Longitudinal {
    fn action(&self) -> usize {
        match self {
            Self::Speed(action, _) | Self::Synchronize { action, .. } => *action,
        }
    }
}

impl Cast {
    /// Places all entities at their starts.
    ///
    /// # Errors
    /// The entity without a position, or with one that does not exist.
    pub fn new(
        entities: &[ScenarioEntity],
        network: Option<Arc<Network>>,
    ) -> Result<Self, ReadError> {
        let mut cast = Self { actors: entities.iter().map(Actor::new).collect(), network };
        for (number, entity) in entities.iter().enumerate() {
            let Some(start) = &entity.start else {
                let text = format!("entity `{}` has no <TeleportAction> in <Init>", entity.name);
                return Err(ReadError::new(entity.line, text));
            };
            cast.teleport(number, start).map_err(|text| ReadError::new(entity.line, text))?;
        }
        Ok(cast)
    }

    /// Returns the place of an entity in a lane.
    fn lane_of(&self, entity: usize) -> Option<OnLane> {
        let actor = &self.actors[entity];
        actor.lane.or_else(|| OnLane::locate(self.network.as_deref()?, actor.pose))
    }

    /// Returns the place in a lane that a position names, and the turn against the lane.
    fn lane_at(&self, position: &ScenarioPosition) -> Option<(OnLane, f64)> {
        let network = self.network.as_deref()?;
        match *position {
            ScenarioPosition::Lane { road, lane, s, offset, turn } => {
                let key = network.key(road, s, lane);
                Some((OnLane { key, s, left: sense(network, key) * offset }, turn))
            }
            ScenarioPosition::RelativeLane { entity, lanes, ds, offset } => {
                let mut on = self.lane_of(entity)?;
                on.left = 0.0;
                on.travel(network, ds);
                let lane = on.lane_to_the_left(network, lanes);
                let key = LaneKey { lane, ..on.key };
                Some((OnLane { key, left: sense(network, key) * offset, ..on }, 0.0))
            }
            _ => None,
        }
    }

    /// Returns x, y, m, and heading, rad, of a position.
    ///
    /// # Errors
    /// A position relative to a lane in which the entity is not, or to one that does not exist.
    pub fn pose_of(&self, position: &ScenarioPosition) -> Result<[f64; 3], String> {
        match position {
            ScenarioPosition::World(pose) => Ok(*pose),
            ScenarioPosition::RelativeObject { entity, by: [ahead, left], turn } => {
                let [x, y, heading] = self.actors[*entity].pose;
                let (sin, cos) = libm::sincos(heading);
                Ok([x + cos * ahead - sin * left, y + sin * ahead + cos * left, heading + turn])
            }
            _ => {
                let found = self.lane_at(position).zip(self.network.as_deref());
                let pose = found.and_then(|((on, turn), network)| Some((on.pose(network)?, turn)));
                let ([x, y, heading], turn) = pose.ok_or("a position is not in a lane")?;
                Ok([x, y, wrapped(heading + turn)])
            }
        }
    }

    fn teleport(&mut self, number: usize, position: &ScenarioPosition) -> Result<(), String> {
        let pose = self.pose_of(position)?;
        let found = self.lane_at(position);
        let network = self.network.as_deref();
        let located = || {
            let on = OnLane::locate(network?, pose)?;
            let way = on.pose(network?)?[2];
            Some((on, wrapped(pose[2] - way)))
        };
        let found = found.or_else(located);
        let actor = &mut self.actors[number];
        actor.pose = pose;
        (actor.lane, actor.turn) = match found {
            Some((on, turn)) => (Some(on), turn),
            None => (None, 0.0),
        };
        Ok(())
    }

    /// Begins an action of an actor at a time, s. Returns whether it lasts, and the numbers of the actions that it ends.
    ///
    /// # Errors
    /// The reason why the actor cannot do it.
    pub fn begin(
        &mut self,
        number: usize,
        action: usize,
        what: &ScenarioAction,
        time: f64,
    ) -> Result<(bool, Vec<usize>), String> {
        let ended = self.actors[number].replace(what);
        match what {
            ScenarioAction::Teleport(position) => {
                self.teleport(number, position)?;
                return Ok((false, ended));
            }
            ScenarioAction::Speed(transition, target) => {
                let to = match *target {
                    SpeedTarget::Absolute(speed) => speed,
                    SpeedTarget::Delta(entity, delta) => self.actors[entity].speed + delta,
                    SpeedTarget::Factor(entity, factor) => self.actors[entity].speed * factor,
                };
                let actor = &mut self.actors[number];
                let course = Course::new(actor.speed, to, *transition);
                actor.longitudinal = Some(Longitudinal::Speed(action, course));
            }
            ScenarioAction::LaneChange(transition, target, offset) => {
                self.change_lane(number, action, *transition, *target, *offset)?;
            }
            ScenarioAction::LaneOffset {
                shape,
                most_acceleration,
                offset,
                relative_to,
                is_continuous,
            } => {
                let (on, network) = self.in_lane(number)?;
                let other = relative_to.map(|entity| self.in_lane(entity)).transpose()?;
                let from = other.map_or(0.0, |(other, _)| sense(network, other.key) * other.left);
                let to = sense(network, on.key) * (offset + from);
                let most = most_acceleration.unwrap_or(f64::INFINITY);
                let value = shape.duration(to - on.left, most);
                let dimension = TransitionDimension::Time;
                let course =
                    Course::new(on.left, to, Transition { shape: *shape, dimension, value });
                let actor = &mut self.actors[number];
                actor.lane = Some(on);
                actor.lateral = Some(Lateral { action, course, is_continuous: *is_continuous });
            }
            ScenarioAction::Follow(trajectory) => {
                let following = self.following(trajectory)?;
                let start = if trajectory.is_absolute { 0.0 } else { time };
                let actor = &mut self.actors[number];
                actor.pose = following.path.at(0.0);
                actor.following = Some((action, following, start));
            }
            ScenarioAction::Synchronize { master, at, to, speed } => {
                let to = self.pose_of(to)?;
                let (master, at, last) = (*master, at.clone(), *speed);
                let synchronize = Longitudinal::Synchronize { action, master, at, to, last };
                self.actors[number].longitudinal = Some(synchronize);
            }
        }
        Ok((true, ended))
    }

    fn in_lane(&self, number: usize) -> Result<(OnLane, &Network), String> {
        let found = self.lane_of(number).zip(self.network.as_deref());
        found.ok_or_else(|| "it is not in a lane".to_owned())
    }

    fn change_lane(
        &mut self,
        number: usize,
        action: usize,
        transition: Transition,
        target: LaneTarget,
        offset: f64,
    ) -> Result<(), String> {
        let (on, network) = self.in_lane(number)?;
        let lane = match target {
            LaneTarget::Absolute(lane) => lane,
            LaneTarget::Relative(entity, lanes) => {
                self.in_lane(entity)?.0.lane_to_the_left(network, lanes)
            }
        };
        let on = on
            .seen_from(network, lane)
            .ok_or_else(|| format!("its road has no lane {lane} there"))?;
        let course = Course::new(on.left, sense(network, on.key) * offset, transition);
        let actor = &mut self.actors[number];
        actor.lane = Some(on);
        actor.lateral = Some(Lateral { action, course, is_continuous: false });
        Ok(())
    }

    fn following(&self, trajectory: &ScenarioTrajectory) -> Result<Following, String> {
        let path = match &trajectory.path {
            TrajectoryPath::Polyline(positions) => {
                let points = positions.iter().map(|one| self.pose_of(one));
                let points: Vec<[f64; 3]> = points.collect::<Result<_, String>>()?;
                Path::through(&points.iter().map(|[x, y, _]| [*x, *y]).collect::<Vec<_>>())
            }
            TrajectoryPath::Clothoid(start, shape) => Path::spiral(self.pose_of(start)?, *shape),
        };
        Ok(Following { path, times: trajectory.times.clone(), distance: 0.0 })
    }

    /// Returns the distance of an entity to a pose along the lanes, m, or straight if no lanes lead there.
    fn distance(&self, entity: usize, to: [f64; 3]) -> f64 {
        let straight = || {
            let [x, y, _] = self.actors[entity].pose;
            libm::hypot(to[0] - x, to[1] - y)
        };
        let along = || {
            let network = self.network.as_deref()?;
            let target = OnLane::locate(network, to)?;
            self.lane_of(entity)?.distance_to(network, &target)
        };
        along().unwrap_or_else(straight)
    }

    /// Moves an actor by a step that begins at a time, s. Returns the numbers of the actions that are complete.
    ///
    /// # Errors
    /// A position that does not exist.
    pub fn advance(&mut self, number: usize, time: f64, dt: f64) -> Result<Vec<usize>, String> {
        let mut done = Vec::new();
        let before = self.actors[number].speed;
        let speed = self.next_speed(number, dt, &mut done)?;
        let distance = 0.5 * (before + speed) * dt;
        let network = self.network.as_deref();
        let actor = &mut self.actors[number];
        actor.speed = speed;
        if let Some((action, following, start)) = &mut actor.following {
            let old = following.distance;
            following.distance = match following.times.is_empty() {
                true => old + distance,
                false => following.scheduled(time + dt - *start),
            };
            let end = following.path.length();
            let moved = following.distance.min(end) - old;
            let last = following.times.last().map(|last| last + *start);
            let is_over = last.map_or(following.distance >= end, |last| time + dt >= last - 1e-9);
            actor.pose = following.path.at(following.distance.min(end));
            actor.travelled += moved;
            if !following.times.is_empty() && moved > 0.0 {
                actor.speed = moved / dt;
            }
            if is_over {
                done.push(*action);
                actor.following = None;
                actor.turn = 0.0;
                actor.lane = network.and_then(|network| OnLane::locate(network, actor.pose));
            } else {
                actor.lane = None;
            }
            return Ok(done);
        }
        actor.move_on(network, distance, dt, &mut done);
        Ok(done)
    }

    /// Returns the speed of an actor after a step.
    fn next_speed(&mut self, number: usize, dt: f64, done: &mut Vec<usize>) -> Result<f64, String> {
        let speed = self.actors[number].speed;
        let Some(mut longitudinal) = self.actors[number].longitudinal.take() else {
            return Ok(speed);
        };
        let (next, is_over) = match &mut longitudinal {
            Longitudinal::Speed(_, course) => (course.advance(dt, speed * dt), course.is_over()),
            Longitudinal::Synchronize { master, at, to, last, .. } => {
                let master_to = self.pose_of(at)?;
                let rest = self.distance(*master, master_to);
                let master_speed = self.actors[*master].speed;
                let time = rest / master_speed.max(1e-9);
                let distance = self.distance(number, *to);
                let is_over = time <= dt || distance <= ARRIVED || rest <= ARRIVED;
                let change = if is_over { 0.0 } else { dt * arrival(speed, distance, time, *last) };
                let next = if is_over { last.unwrap_or(speed) } else { (speed + change).max(0.0) };
                (next, is_over)
            }
        };
        match is_over {
            true => done.push(longitudinal.action()),
            false => self.actors[number].longitudinal = Some(longitudinal),
        }
        Ok(next)
    }
}

impl Actor {
    /// Moves along the lane, or straight on outside of all lanes.
    fn move_on(
        &mut self,
        network: Option<&Network>,
        distance: f64,
        dt: f64,
        done: &mut Vec<usize>,
    ) {
        let (Some(on), Some(network)) = (&mut self.lane, network) else {
            let (sin, cos) = libm::sincos(self.pose[2]);
            self.pose[0] += cos * distance;
            self.pose[1] += sin * distance;
            self.travelled += distance;
            return;
        };
        let moved = on.travel(network, distance);
        self.travelled += moved.abs();
        if moved < distance - 1e-9 {
            // the network ends
            self.speed = 0.0;
        }
        let mut drift = 0.0;
        if let Some(lateral) = &mut self.lateral {
            let left = lateral.course.advance(dt, moved);
            let is_step = lateral.course.transition.shape == TransitionShape::Step;
            if moved > 1e-9 && !is_step {
                drift = libm::atan2(left - on.left, moved);
            }
            on.left = left;
            if lateral.course.is_over() && !lateral.is_continuous {
                done.push(lateral.action);
                self.lateral = None;
            }
        }
        if let Some([x, y, heading]) = on.pose(network) {
            self.pose = [x, y, wrapped(heading + drift + self.turn)];
        }
    }
}
