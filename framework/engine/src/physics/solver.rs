//! Solves contacts and joints: selects the bodies that rapier moves, lets it move them, and corrects the result.

use super::bodies::Bodies;
use super::body::BodyState;
use super::counterparts::Counterparts;
use super::neighbours::Obstacles;
use crate::encoding::SnapshotError;

/// Everything that changes when rapier moves bodies, apart from the states of the bodies.
///
/// Its methods correct the result of rapier, each in a file: [`bounds`](super::bounds), [`impact`](super::impact),
/// [`prescribed`](super::prescribed), [`separation`](super::separation), [`sweep`](super::sweep).
pub(super) struct Solver {
    /// rapier's world.
    pub counterparts: Counterparts,
    /// Numbers of the bodies that rapier moves at present, ascending.
    pub solved: Vec<usize>,
    /// States of those bodies before rapier moved them.
    pub before: Vec<BodyState>,
    /// Bodies with prescribed velocities that contacts limit, and their states.
    pub yielded: Vec<(usize, BodyState)>,
    pub connections: Connections,
    pub separation: Separation,
    /// Whether the impacts of something are not plastic. Constant after the build.
    pub elastic: bool,
    /// Length of the last part of a step that rapier has made, s.
    pub part_dt: f64,
}

impl Solver {
    /// Returns a solver without bodies, for steps of `dt` seconds.
    pub fn new(dt: f64) -> Self {
        Self::with(Counterparts::new(dt), dt)
    }

    /// Returns a solver of bodies with these counterparts, for steps of `dt` seconds.
    fn with(counterparts: Counterparts, dt: f64) -> Self {
        Self {
            counterparts,
            solved: Vec::new(),
            before: Vec::new(),
            yielded: Vec::new(),
            connections: Connections::default(),
            separation: Separation::default(),
            elastic: false,
            part_dt: dt,
        }
    }

    /// Returns a solver in the same state between two steps of `dt` seconds.
    ///
    /// # Errors
    /// [`SnapshotError`] if a joint cannot be encoded.
    pub fn duplicate(&self, bodies: &Bodies, dt: f64) -> Result<Self, SnapshotError> {
        let mut copy = Self {
            solved: self.solved.clone(),
            elastic: self.elastic,
            part_dt: self.part_dt,
            ..Self::with(self.counterparts.duplicate(dt)?, dt)
        };
        if copy.counterparts.exist {
            copy.reserve(bodies.len());
        }
        Ok(copy)
    }

    /// Makes room for `count` bodies, so that steps do not allocate.
    pub fn reserve(&mut self, count: usize) {
        self.solved.reserve(count);
        self.before.reserve(count);
        self.yielded.reserve(count);
        self.connections.reserve(count);
    }

    /// Adds the counterparts of all bodies and of some obstacles.
    pub fn add_counterparts(
        &mut self,
        bodies: &Bodies,
        obstacles: &Obstacles,
        is_reached: impl Fn(usize) -> bool,
    ) {
        self.reserve(bodies.len());
        self.counterparts.insert_bodies_and(bodies, obstacles, is_reached);
    }

    /// Enables in rapier the bodies that are `near` something, and disables the others.
    pub fn enable_near(&mut self, bodies: &mut Bodies, near: &[bool]) {
        let pairs = bodies.states.iter_mut().zip(&*bodies.infos).zip(near);
        for (number, ((body, info), near)) in pairs.enumerate() {
            let solved = *near || info.always_solved;
            if solved != body.solved {
                body.solved = solved;
                self.counterparts.set_enabled(number, &body.state, solved);
            }
        }
        self.update_solved(bodies);
    }

    /// Collects the numbers of the bodies that rapier moves.
    pub fn update_solved(&mut self, bodies: &Bodies) {
        self.solved.clear();
        let numbers = bodies.states.iter().enumerate().filter(|(_, body)| body.solved);
        self.solved.extend(numbers.map(|(number, _)| number));
    }

    /// Sets the state of a body that rapier moves, in rapier too.
    pub fn place(&mut self, bodies: &mut Bodies, number: usize, state: BodyState) {
        bodies[number].state = state;
        self.counterparts.place(number, &state);
    }

    /// Lets rapier make a part of a step, of `dt` seconds, which is a `share` of what is left of the step. `is_fast` is
    /// whether the step had to be divided.
    pub fn solve_part(&mut self, bodies: &mut Bodies, dt: f64, share: f64, is_fast: bool) {
        let Self { counterparts, solved, before, part_dt, .. } = self;
        *part_dt = dt;
        counterparts.world.integration_parameters.dt = dt;
        before.clear();
        for &number in &*solved {
            let (state, info) = (&bodies[number].state, &bodies.infos[number]);
            counterparts.write(number, info, state);
            counterparts.lead(number, info, state, share);
            before.push(*state);
        }
        counterparts.world.step_with_events(&bodies.heights, &());
        for &number in &*solved {
            counterparts.read(number, &bodies.infos[number], &mut bodies.states[number].state);
        }
        self.separate(bodies, dt, is_fast);
        self.bounce(bodies, dt);
        self.bound_motion(bodies, dt);
    }
}

/// Search for bodies that are connected by contacts and joints.
#[derive(Default)]
pub(super) struct Connections {
    /// Numbers of the bodies of the present group.
    pub members: Vec<usize>,
    /// Number of the group to which each body belongs; of an earlier step if it is less than `oldest`.
    pub group_of: Vec<u64>,
    /// Number of the first group of this step.
    pub oldest: u64,
    /// Groups of this step.
    pub groups: Vec<ContactGroup>,
}

/// Connected bodies.
#[derive(Clone, Copy, Default)]
pub(super) struct ContactGroup {
    /// Greatest w before the step, or speed of the fastest point of a driven body, m/s.
    pub speed: f64,
    /// Number of the body with that value, and the greatest value of the others, m/s.
    pub fastest: usize,
    pub next_speed: f64,
    /// Greatest coefficient of restitution.
    pub restitution: f64,
    /// Whether a spring acts.
    pub has_spring: bool,
    /// Whether a joint acts.
    pub has_joint: bool,
    /// Whether a body follows a plan or a prescribed velocity.
    pub is_driven: bool,
    /// Whether the bodies, although none is driven, have more energy than before the step.
    pub adds_energy: bool,
    /// Whether there is a contact or a joint.
    pub is_connected: bool,
}

impl Connections {
    /// Makes room for `count` bodies, so that searches do not allocate.
    pub fn reserve(&mut self, count: usize) {
        self.members.reserve(count);
        self.groups.reserve(count);
        self.group_of.resize(count, 0);
        self.oldest = self.oldest.max(1);
    }

    /// Forgets the groups of the last step.
    pub fn start(&mut self) {
        self.oldest += self.groups.len() as u64;
        self.groups.clear();
    }

    pub fn known(&self, number: usize) -> Option<ContactGroup> {
        let index = self.group_of[number].checked_sub(self.oldest)?;
        self.groups.get(index as usize).copied()
    }

    pub fn add(&mut self, number: usize) {
        let group = self.oldest + self.groups.len() as u64;
        if std::mem::replace(&mut self.group_of[number], group) != group {
            self.members.push(number);
        }
    }
}

/// A contact of two bodies, or of a body and an obstacle.
pub(super) struct Contact {
    /// Numbers of the bodies.
    pub bodies: [Option<usize>; 2],
    /// Order in which contacts are relaxed.
    pub rank: u8,
    /// Direction from the first to the second.
    pub normal: [f64; 2],
    /// Smallest displacement of the second relative to the first along the normal, m.
    pub least: f64,
}

/// Memory of a separation.
#[derive(Default)]
pub(super) struct Separation {
    pub contacts: Vec<Contact>,
    /// Displacements of all bodies, m.
    pub displacements: Vec<[f64; 2]>,
}
