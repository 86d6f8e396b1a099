//! The world: bodies, obstacles, joints, and the solver that moves bodies with contacts.

use std::collections::HashMap;
use std::sync::Arc;

use super::bodies::{Bodies, BodySpec, LastHull};
use super::body::{
    Body, BodyInfo, BodyMotion, BodyState, Circle, PLASTIC, RigidBody, Searched, rotate_heading,
};
use super::counterparts::Original;
use super::ejection::Ejection;
use super::min_distance::MinDistance;
use super::neighbours::{Neighbours, Obstacles};
use super::prescribed::Touching;
use super::solver::Solver;
use super::{Crowd, MovableBlocks};
use crate::encoding::SnapshotError;

/// All bodies, obstacles and joints of a world. Copies share the obstacles and the constants of bodies.
pub(crate) struct Physics {
    /// Length of a step, s.
    pub(super) dt: f64,
    pub bodies: Bodies,
    /// Blocks that are moved by contacts.
    pub blocks: MovableBlocks,
    pub(super) obstacles: Arc<Obstacles>,
    /// Minimum lengths of ropes. Constant after the build.
    pub(super) min_distances: Arc<Vec<MinDistance>>,
    pub(super) neighbours: Neighbours,
    pub(super) solver: Solver,
    /// Shape of the body that was added last.
    pub(super) last_hull: LastHull,
    /// Whether contacts have needed more parts of the last step than there can be.
    pub(super) is_stuck: bool,
    /// The crowd that has kept rapier from making the last step.
    pub crowd: Option<Crowd>,
}

impl Physics {
    /// Creates an empty world with steps of `dt` seconds. If `filter_heights` is false, bodies that
    /// overlap in the plane touch at any height.
    pub fn new(dt: f64, filter_heights: bool) -> Self {
        Self::assemble(dt, Bodies::new(filter_heights), Solver::new(dt))
    }

    /// Returns a world of bodies and their solver, without obstacles, joints and blocks.
    pub(super) fn assemble(dt: f64, bodies: Bodies, solver: Solver) -> Self {
        Self {
            dt,
            bodies,
            blocks: MovableBlocks::default(),
            obstacles: Arc::default(),
            min_distances: Arc::default(),
            neighbours: Neighbours::default(),
            solver,
            last_hull: LastHull::default(),
            is_stuck: false,
            crowd: None,
        }
    }

    /// Reserves memory for `more` bodies.
    pub fn reserve(&mut self, more: usize) {
        self.bodies.reserve(more);
        self.solver.solved.reserve_exact(more);
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
        let hull = self.last_hull.hull(spec.outline, spec.mass.centre)?;
        self.solver.elastic |= spec.surface.restitution > PLASTIC;
        let number = self.bodies.add(spec, hull, state, z, motion);
        self.solver.solved.push(number);
        self.add_counterpart(Original::Body(number));
        Some(Body(number))
    }

    /// Adds the counterpart of a body or an obstacle now or later.
    pub(super) fn add_counterpart(&mut self, original: Original) {
        self.solver.counterparts.add(original, &self.bodies, &self.obstacles);
    }

    /// Returns whether no body can touch anything and no joint acts, since the last neighbour search.
    pub fn is_free(&self) -> bool {
        self.solver.solved.is_empty()
    }

    /// Returns whether rapier has moved a body.
    pub fn has_solved(&self) -> bool {
        self.solver.counterparts.exist
    }

    /// Returns whether rapier moves a body in every step, or a rope or the ground acts on one.
    pub fn always_solves(&self) -> bool {
        let always = self.bodies.infos.iter().any(|info| info.always_solved);
        always || self.blocks.len() > 0 || !self.min_distances.is_empty()
    }

    /// Passes every point at which a body touches something to `take`; a point between two bodies twice,
    /// once for each.
    pub fn for_each_touch(&self, take: impl FnMut(&Touching)) {
        self.solver.for_each_touch(&self.bodies, take);
    }

    /// Returns the first body that contacts of the last step have accelerated by more than `gain`
    /// times the speed of its group plus `margin`, m/s.
    pub fn ejection(&self, gain: f64, margin: f64) -> Option<Ejection> {
        self.solver.ejection(&self.bodies, gain, margin)
    }

    /// Takes away from prescribed velocities what contacts of the last step prevent, for a step of
    /// `dt` seconds.
    pub fn limit_prescribed(&mut self, dt: f64) {
        self.solver.limit_prescribed(&mut self.bodies, dt);
    }

    /// Sets the state of a body, in rapier too if rapier moves it.
    pub fn place(&mut self, body: Body, state: BodyState) {
        if self.bodies[body.0].solved {
            self.solver.place(&mut self.bodies, body.0, state);
        } else {
            self.bodies[body.0].state = state;
        }
    }

    /// Informs rapier of the states that [`RigidBody::place`] has set.
    pub fn settle_placed(&mut self) {
        let Solver { counterparts, solved, .. } = &mut self.solver;
        for &number in &*solved {
            let body = &mut self.bodies.states[number];
            if std::mem::take(&mut body.placed) {
                counterparts.place(number, &body.state);
            }
        }
    }

    /// Sets all bodies. rapier has not moved any of them yet.
    pub fn load_free(&mut self, bodies: impl Iterator<Item = RigidBody>) {
        self.bodies.states.iter_mut().zip(bodies).for_each(|(own, body)| *own = body);
        if self.solver.counterparts.exist {
            self.solver.counterparts.remove(self.dt);
        }
        self.solver.update_solved(&self.bodies);
        self.solver.before.clear();
    }

    /// Moves a body to another pose, at rest. Its neighbours are looked up before it moves.
    pub fn put(&mut self, body: Body, position: [f64; 2], heading: [f64; 2]) {
        let state = BodyState { position, heading, ..BodyState::default() };
        self.place(body, state);
        let RigidBody { searched, wide, .. } = &mut self.bodies[body.0];
        (*searched, *wide) = (Searched::NONE, Circle::NONE);
        self.blocks.stop(body);
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
        if self.bodies[number].solved && self.has_solved() {
            self.solver.counterparts.place(number, &start);
        }
        self.bodies[number].state = state;
    }

    /// Returns the same bodies in the same state. The two share obstacles and constants.
    ///
    /// # Errors
    /// [`SnapshotError`] if a joint cannot be encoded.
    pub fn duplicate(&self) -> Result<Self, SnapshotError> {
        let solver = self.solver.duplicate(&self.bodies, self.dt)?;
        Ok(Self {
            blocks: self.blocks.clone(),
            obstacles: Arc::clone(&self.obstacles),
            min_distances: Arc::clone(&self.min_distances),
            ..Self::assemble(self.dt, self.bodies.clone(), solver)
        })
    }

    /// Gives all bodies the states and heights of the bodies of `old`.
    ///
    /// # Errors
    /// Describes the difference if `old` does not have the same bodies.
    pub fn copy_states(&mut self, old: &Self) -> Result<(), String> {
        let [own, others] = [&*self, old].map(|of| of.bodies.infos.iter().map(|info| &info.name));
        if !own.eq(others) {
            return Err("the bodies differ".to_owned());
        }
        (0..old.bodies.len()).for_each(|number| self.copy_state(number, old, number));
        Ok(())
    }

    /// Gives all bodies that `old` has, too, their states and heights there. Bodies are matched by name,
    /// several of one name in their order.
    pub fn copy_known_states(&mut self, old: &Self) {
        let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, info) in old.bodies.infos.iter().enumerate().rev() {
            numbers.entry(&info.name).or_default().push(number);
        }
        for number in 0..self.bodies.len() {
            let known = numbers.get_mut(self.bodies.infos[number].name.as_str());
            if let Some(from) = known.and_then(Vec::pop) {
                self.copy_state(number, old, from);
            }
        }
    }

    /// Gives a body the state and the height of a body of `old`.
    fn copy_state(&mut self, number: usize, old: &Self, from: usize) {
        self.place(Body(number), old.bodies[from].state);
        let spans = [&*self, old].map(|of| &of.bodies.infos);
        let (span, old_span) = (spans[0][number].span, spans[1][from].span);
        self.bodies.heights.copy(&old.bodies.heights, span, old_span);
        self.blocks.copy(Body(number), &old.blocks, Body(from));
    }
}

/// Largest number of bodies that are built again at each encounter.
const MOST_FORGOTTEN: usize = 256;

impl Physics {
    /// Searches neighbours of all bodies for a step of `dt` seconds, and returns for each body whether it has one. The list
    /// can be given back to the search as `reused`.
    pub(super) fn find_near(&mut self, dt: f64) -> Vec<bool> {
        self.neighbours.update(&mut self.bodies.states, &self.bodies.infos, &self.obstacles, dt)
    }

    /// Searches neighbours of all bodies for the step of `dt` seconds that they are about to take, as
    /// [`Self::step_solved`] does. Returns whether there is none, and no body has to be solved. `bodies` are then
    /// those after the search.
    pub fn search_free(&mut self, bodies: &mut [RigidBody], dt: f64) -> bool {
        let near = self.neighbours.update(bodies, &self.bodies.infos, &self.obstacles, dt);
        let is_free = !near.contains(&true);
        self.neighbours.reused = near;
        if is_free {
            bodies.iter_mut().for_each(|body| body.solved = false);
        }
        is_free
    }

    /// Enables and disables bodies in rapier as [`Self::set_solved`] does, unless there are more pairs than it can solve.
    pub(super) fn set_solved_unless_crowded(&mut self, near: Vec<bool>) {
        self.crowd = Crowd::among(&self.bodies, &self.obstacles, &near);
        if self.crowd.is_none() {
            self.set_solved(&near);
        }
        self.neighbours.reused = near;
    }

    /// Enables in rapier the bodies that have a neighbour, and disables the others.
    pub(super) fn set_solved(&mut self, near: &[bool]) {
        let is_solved = |(info, near): (&BodyInfo, &bool)| *near || info.always_solved;
        let is_free = !self.bodies.infos.iter().zip(near).any(is_solved);
        if is_free && (!self.has_solved() || self.forgets()) {
            if self.has_solved() {
                self.solver.counterparts.remove(self.dt);
            }
            self.bodies.states.iter_mut().for_each(|body| body.solved = false);
            return self.solver.solved.clear();
        }
        self.add_counterparts_near(near);
        self.solver.enable_near(&mut self.bodies, near);
    }

    /// Returns whether rapier forgets an encounter when nothing is near any more. Then the next one does not depend on
    /// it. Worlds keep what takes long to build again.
    fn forgets(&self) -> bool {
        self.bodies.len() <= MOST_FORGOTTEN && !self.always_solves()
    }

    /// Adds the counterparts of all bodies and obstacles, unless they exist.
    pub(super) fn add_counterparts(&mut self) {
        if !self.has_solved() {
            self.solver.add_counterparts(&self.bodies, &self.obstacles, |_| true);
        }
    }

    /// Adds the counterparts that rapier needs to move the bodies that are `near` something, unless they exist.
    fn add_counterparts_near(&mut self, near: &[bool]) {
        if self.always_solves() {
            return self.add_counterparts();
        }
        let Self { neighbours, bodies, obstacles, solver, dt, .. } = self;
        let is_new = |number: usize| !solver.counterparts.has_obstacle(number);
        let reached = neighbours.reached_obstacles(bodies, obstacles, is_new, near, *dt);
        if solver.counterparts.exist {
            for &number in &reached {
                solver.counterparts.insert(Original::Obstacle(number), bodies, obstacles);
            }
        } else {
            let is_reached = |number: usize| reached.binary_search(&number).is_ok();
            solver.add_counterparts(bodies, obstacles, is_reached);
        }
        neighbours.reached = reached;
    }
}
