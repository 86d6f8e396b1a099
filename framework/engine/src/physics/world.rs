//! The set of all bodies and its step.

use std::collections::HashMap;
use std::ops::Range;

use rapier2d_f64::prelude::*;
use simhost_scene::{MassProperties as Mass, polygon};

use super::body::{
    Body, BodyInfo, BodyMotion, BodyState, Circle, PLASTIC, RigidBody, Searched, Surface,
    rotate_heading,
};
use super::counterpart::{Counterparts, Original, empty_world};
use super::crowd::Crowd;
use super::groups::{Connections, Separation};
use super::height_filter::HeightFilter;
use super::min_distance::MinDistance;
use super::neighbours::Neighbours;
use super::shape::{convex_hull, width};
use super::sliding::SlidingBlock;

/// Constant properties of a body.
pub(crate) struct BodySpec<'a> {
    /// Name of the body as messages show it.
    pub name: String,
    /// Mass, centre of mass and moment of inertia.
    pub mass: Mass,
    /// Outline in the body frame, m. Its convex hull is the collision shape.
    pub outline: &'a [[f64; 2]],
    /// Lowest and highest point above the body's origin, m.
    pub span: [f64; 2],
    /// Material of the outline.
    pub surface: Surface,
}

/// The collision shape of an outline.
pub(super) struct LastShape {
    outline: Vec<[f64; 2]>,
    centre: [f64; 2],
    shape: SharedShape,
    /// Radius of the outline about `centre`, m.
    radius: f64,
    /// Width of the outline at its thinnest, m.
    width: f64,
}

/// All bodies, obstacles and joints of a world.
pub(crate) struct Physics {
    /// Length of a step, s.
    pub(super) dt: f64,
    /// Length of the last part of a step that rapier has made, s.
    pub(super) part_dt: f64,
    /// rapier's world, empty before rapier has to move a body.
    pub(super) world: PhysicsWorld,
    pub(super) counterparts: Counterparts,
    pub(super) bodies: Vec<RigidBody>,
    /// Constants of the bodies, in the same order.
    pub(super) infos: Vec<BodyInfo>,
    /// Width of the thinnest body, m.
    pub(super) thinnest: f64,
    /// Shape of the body that was added last.
    pub(super) last_shape: Option<LastShape>,
    pub(super) sliding: Vec<SlidingBlock>,
    pub(super) min_distances: Vec<MinDistance>,
    pub(super) neighbours: Neighbours,
    pub(super) heights: HeightFilter,
    /// Numbers of the bodies that rapier moves at present, ascending.
    pub(super) solved: Vec<usize>,
    /// States of those bodies before rapier moved them.
    pub(super) before: Vec<BodyState>,
    /// Bodies with prescribed velocities that contacts limit, and their states.
    pub(super) yielded: Vec<(usize, BodyState)>,
    pub(super) connections: Connections,
    pub(super) separation: Separation,
    /// Whether the impacts of something are not plastic.
    pub(super) elastic: bool,
    /// Whether contacts have needed more parts of the last step than there can be.
    pub(super) is_stuck: bool,
    /// The crowd that has kept rapier from making the last step.
    pub crowd: Option<Crowd>,
}

impl Physics {
    /// Creates an empty world with steps of `dt` seconds. If `filter_heights` is false, bodies that
    /// overlap in the plane touch at any height.
    pub fn new(dt: f64, filter_heights: bool) -> Self {
        Self {
            dt,
            part_dt: dt,
            world: empty_world(dt),
            counterparts: Counterparts::default(),
            thinnest: f64::INFINITY,
            last_shape: None,
            bodies: Vec::new(),
            infos: Vec::new(),
            sliding: Vec::new(),
            min_distances: Vec::new(),
            neighbours: Neighbours::default(),
            heights: HeightFilter::new(filter_heights),
            solved: Vec::new(),
            before: Vec::new(),
            yielded: Vec::new(),
            connections: Connections::default(),
            separation: Separation::default(),
            elastic: false,
            is_stuck: false,
            crowd: None,
        }
    }

    /// Reserves memory for `more` bodies.
    pub fn reserve(&mut self, more: usize) {
        self.bodies.reserve_exact(more);
        self.infos.reserve_exact(more);
        self.solved.reserve_exact(more);
    }

    /// Adds a body that is moved by forces, with its origin at height `z`, m. Returns `None` if its
    /// outline has no area.
    pub fn add_body(&mut self, spec: BodySpec<'_>, state: &BodyState, z: f64) -> Option<Body> {
        self.add_moving(spec, state, z, BodyMotion::Vehicle)
    }

    /// Adds a body that follows a plan and that contacts do not deflect, with its origin at height
    /// `z`, m. Returns `None` if its outline has no area.
    pub fn add_kinematic(&mut self, spec: BodySpec<'_>, state: &BodyState, z: f64) -> Option<Body> {
        self.add_moving(spec, state, z, BodyMotion::Kinematic)
    }

    /// Adds a body that moves. Returns `None` if its outline has no area.
    pub(super) fn add_moving(
        &mut self,
        spec: BodySpec<'_>,
        state: &BodyState,
        z: f64,
        motion: BodyMotion,
    ) -> Option<Body> {
        let Mass { mass, centre, .. } = spec.mass;
        let inertia = spec.mass.inertia_about_centre();
        let (shape, radius, width) = self.shared_shape(spec.outline, centre)?;
        self.thinnest = self.thinnest.min(width);
        let span = self.heights.add(spec.span, z);
        self.elastic |= spec.surface.restitution > PLASTIC;
        let number = self.bodies.len();
        self.solved.push(number);
        self.bodies.push(RigidBody {
            state: *state,
            centre,
            searched: Searched::NONE,
            wide: Circle::NONE,
            has_company: false,
            solved: true,
            placed: false,
        });
        self.infos.push(BodyInfo {
            name: spec.name,
            handle: RigidBodyHandle::invalid(),
            collider: ColliderHandle::invalid(),
            shape,
            surface: spec.surface,
            span,
            radius,
            lever: radius,
            width,
            mass: [mass, inertia],
            motion,
            always_solved: motion != BodyMotion::Vehicle,
            is_prescribed: false,
        });
        self.add_counterpart(Original::Body(number));
        Some(Body(number))
    }

    /// Returns the collision shape of an outline, which bodies with equal outlines share, and its
    /// radius about `centre` and width, m. Returns `None` if it has no area.
    fn shared_shape(
        &mut self,
        outline: &[[f64; 2]],
        centre: [f64; 2],
    ) -> Option<(SharedShape, f64, f64)> {
        if let Some(last) = &mut self.last_shape
            && last.outline == outline
        {
            if last.centre != centre {
                last.centre = centre;
                last.radius = polygon::bounding_radius(outline, centre);
            }
            return Some((last.shape.clone(), last.radius, last.width));
        }
        let shape = convex_hull(outline)?;
        let radius = polygon::bounding_radius(outline, centre);
        let width = width(shape.as_ref());
        let outline = outline.to_vec();
        self.last_shape = Some(LastShape { outline, centre, shape: shape.clone(), radius, width });
        Some((shape, radius, width))
    }

    /// Returns whether a body follows a plan.
    #[cfg(test)]
    pub fn follows_plan(&self, body: Body) -> bool {
        self.infos[body.0].is_kinematic()
    }

    /// Returns whether a body follows a plan or a prescribed velocity.
    #[cfg(test)]
    pub fn is_driven(&self, body: Body) -> bool {
        self.infos[body.0].is_kinematic() || self.infos[body.0].is_prescribed
    }

    /// Returns the name of a body as messages show it.
    #[cfg(test)]
    pub fn name(&self, body: Body) -> &str {
        &self.infos[body.0].name
    }

    /// Marks a body whose outline is a circle about its centre of mass, so that it moves nothing when it
    /// turns.
    pub fn set_round(&mut self, body: Body) {
        self.infos[body.0].lever = 0.0;
    }

    /// Returns the pose and velocity of a body.
    pub fn state(&self, body: Body) -> &BodyState {
        &self.bodies[body.0].state
    }

    /// Returns the velocity of a body's reference point, m/s, world frame.
    pub fn reference_velocity(&self, body: Body) -> [f64; 2] {
        self.bodies[body.0].reference_velocity()
    }

    /// Sets the velocity of a body's centre of mass, m/s, world frame, and its yaw rate, rad/s.
    pub fn set_velocity(&mut self, body: Body, velocity: [f64; 2], omega: f64) {
        let state = &mut self.bodies[body.0].state;
        state.velocity = velocity;
        state.omega = omega;
    }

    /// Sets the state of a body, in rapier too if rapier moves it.
    pub fn place(&mut self, body: Body, state: BodyState) {
        let number = body.0;
        self.bodies[number].state = state;
        if self.bodies[number].solved {
            self.infos[number].set_solved(&state, &mut self.world.bodies, true);
        }
    }

    /// Returns whether no body can touch anything and no joint acts, since the last neighbour search.
    pub fn is_free(&self) -> bool {
        self.solved.is_empty()
    }

    /// Returns the number of steps of `dt` seconds in which no body needs a neighbour search at its present velocity.
    pub fn steps_to_search(&self, dt: f64) -> f64 {
        let steps = self.bodies.iter().map(|body| body.steps_to_search(dt));
        steps.fold(f64::INFINITY, f64::min)
    }

    /// Returns whether rapier moves a body in every step, or a rope or the ground acts on one.
    pub fn always_solves(&self) -> bool {
        let always = self.infos.iter().any(|info| info.always_solved);
        always || !self.sliding.is_empty() || !self.min_distances.is_empty()
    }

    /// Returns whether rapier has moved a body.
    pub fn has_solved(&self) -> bool {
        self.counterparts.exist
    }

    /// Sets all bodies, none of which rapier has moved yet.
    pub fn load_free(&mut self, bodies: impl Iterator<Item = RigidBody>) {
        self.bodies.iter_mut().zip(bodies).for_each(|(own, body)| *own = body);
        if self.counterparts.exist {
            self.remove_counterparts();
        }
        self.update_solved();
        self.before.clear();
    }

    /// Searches neighbours of all bodies for the step of `dt` seconds that they are about to take, as
    /// [`Self::step_solved`] does. Returns whether there is none, and no body has to be solved. `bodies` are then
    /// those after the search.
    pub fn search_free(&mut self, bodies: &mut [RigidBody], dt: f64) -> bool {
        let near = self.neighbours.update(bodies, &self.infos, dt);
        let is_free = !near.contains(&true);
        self.neighbours.reused = near;
        if is_free {
            bodies.iter_mut().for_each(|body| body.solved = false);
        }
        is_free
    }

    /// Returns the number of bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Returns bodies that were added one after the other.
    pub fn bodies(&self, numbers: &Range<usize>) -> &[RigidBody] {
        &self.bodies[numbers.clone()]
    }

    /// Returns bodies that were added one after the other.
    pub fn bodies_mut(&mut self, numbers: &Range<usize>) -> &mut [RigidBody] {
        &mut self.bodies[numbers.clone()]
    }

    /// Informs rapier of the states that [`RigidBody::place`] has set.
    pub fn settle_placed(&mut self) {
        for &number in &self.solved {
            let body = &mut self.bodies[number];
            if std::mem::take(&mut body.placed) {
                self.infos[number].set_solved(&body.state, &mut self.world.bodies, true);
            }
        }
    }

    /// Gives all bodies the states and heights of the bodies of `old`.
    ///
    /// # Errors
    /// Describes the difference if `old` does not have the same bodies.
    pub fn copy_states(&mut self, old: &Self) -> Result<(), String> {
        let names = |physics: &Self| -> Vec<String> {
            physics.infos.iter().map(|info| info.name.clone()).collect()
        };
        if names(self) != names(old) {
            return Err("the bodies differ".to_owned());
        }
        for index in 0..old.bodies.len() {
            self.place(Body(index), old.bodies[index].state);
            self.heights.copy(&old.heights, self.infos[index].span, old.infos[index].span);
        }
        for (block, old) in self.sliding.iter_mut().zip(&old.sliding) {
            (block.falling, block.is_lifted) = (old.falling, old.is_lifted);
        }
        Ok(())
    }

    /// Gives all bodies that `old` has, too, their states and heights there. Bodies are matched by name,
    /// several of one name in their order.
    pub fn copy_known_states(&mut self, old: &Self) {
        let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, info) in old.infos.iter().enumerate().rev() {
            numbers.entry(&info.name).or_default().push(number);
        }
        let sliding = |physics: &Self, body: usize| {
            physics.sliding.iter().position(|block| block.body.0 == body)
        };
        for number in 0..self.bodies.len() {
            let known = numbers.get_mut(self.infos[number].name.as_str());
            let Some(from) = known.and_then(Vec::pop) else { continue };
            self.place(Body(number), old.bodies[from].state);
            self.heights.copy(&old.heights, self.infos[number].span, old.infos[from].span);
            if let (Some(to), Some(from)) = (sliding(self, number), sliding(old, from)) {
                let SlidingBlock { falling, is_lifted, .. } = old.sliding[from];
                (self.sliding[to].falling, self.sliding[to].is_lifted) = (falling, is_lifted);
            }
        }
    }

    /// Returns whether a body follows a plan that nothing changes.
    pub fn is_planned(&self, body: Body) -> bool {
        self.infos[body.0].is_kinematic()
    }

    /// Moves a body to another pose, at rest. Its neighbours are looked up before it moves.
    pub fn put(&mut self, body: Body, position: [f64; 2], heading: [f64; 2]) {
        let state = BodyState { position, heading, ..BodyState::default() };
        self.place(body, state);
        let RigidBody { searched, wide, .. } = &mut self.bodies[body.0];
        (*searched, *wide) = (Searched::NONE, Circle::NONE);
        for block in self.sliding.iter_mut().filter(|block| block.body == body) {
            (block.falling, block.is_lifted) = (0.0, false);
        }
    }

    /// Sets the velocity of a body as [`BodyState::set_motion`] does.
    pub fn launch(&mut self, body: Body, motion: [f64; 3], centre: [f64; 2], in_world: bool) {
        let mut state = self.bodies[body.0].state;
        state.set_motion(motion, centre, in_world);
        self.place(body, state);
    }

    /// Sets the pose that a kinematic body reaches at the end of the step.
    pub fn move_kinematic(&mut self, body: Body, position: [f64; 2], heading: [f64; 2]) {
        let dt = self.dt;
        let state = &mut self.bodies[body.0].state;
        let [dx, dy] = [position[0] - state.position[0], position[1] - state.position[1]];
        let turn = simhost_sdk::math::atan2(
            heading[1] * state.heading[0] - heading[0] * state.heading[1],
            heading[0] * state.heading[0] + heading[1] * state.heading[1],
        );
        *state = BodyState { position, heading, velocity: [dx / dt, dy / dt], omega: turn / dt };
    }

    /// Sets the state that a kinematic body has at the end of the step without having moved there: what
    /// it meets only feels its velocity.
    pub fn place_kinematic(&mut self, body: Body, state: BodyState) {
        let (number, dt) = (body.0, self.dt);
        let [vx, vy] = state.velocity;
        let (sin, cos) = simhost_sdk::math::sin_cos(-state.omega * dt);
        let start = BodyState {
            position: [state.position[0] - vx * dt, state.position[1] - vy * dt],
            heading: rotate_heading(state.heading, [cos, sin]),
            ..state
        };
        if self.bodies[number].solved && self.counterparts.exist {
            self.infos[number].set_solved(&start, &mut self.world.bodies, true);
        }
        self.bodies[number].state = state;
    }

    /// Sets the height of a body's origin, m, world frame.
    pub fn set_height(&mut self, body: Body, z: f64) {
        self.heights.place(self.infos[body.0].span, z);
    }

    /// Returns the height of a body's origin, m, world frame.
    pub fn origin_height(&self, body: Body) -> f64 {
        self.heights.origin(self.infos[body.0].span)
    }

    /// Returns the heights of the lowest and the highest point of a body, m, world frame.
    pub fn heights(&self, body: Body) -> [f64; 2] {
        self.heights.now(self.infos[body.0].span)
    }

    /// Advances all bodies by one step.
    #[cfg(test)]
    pub fn step(&mut self) {
        self.step_solved(None);
        let dt = self.dt;
        for body in self.bodies.iter_mut().filter(|body| !body.solved) {
            body.advance(dt);
        }
    }

    /// Returns name and state of the first of `count` bodies whose state is not finite, or whose speed
    /// reaches `speed`, m/s, or whose yaw rate reaches `yaw_rate`, rad/s.
    pub fn first_out_of_range(
        &self,
        count: usize,
        speed: f64,
        yaw_rate: f64,
    ) -> Option<(&str, &BodyState)> {
        let mut bodies = self.bodies[..count].iter();
        let number = bodies.position(|body| !body.state.is_within(speed, yaw_rate))?;
        Some((&self.infos[number].name, &self.bodies[number].state))
    }
}
