//! All bodies: their states, their heights and their constants.

use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;

use rapier2d_f64::prelude::*;
use simhost_scene::{MassProperties as Mass, polygon};

use super::body::{Body, BodyInfo, BodyMotion, BodyState, Circle, RigidBody, Searched, Surface};
use super::height_filter::HeightFilter;

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

/// Bodies, in the order in which they were added to the world.
///
/// Copies share the constants, and have separate states and heights.
#[derive(Clone)]
pub(crate) struct Bodies {
    /// States, which each step changes.
    pub states: Vec<RigidBody>,
    /// Constants of the bodies, in the same order.
    pub(super) infos: Arc<Vec<BodyInfo>>,
    /// Heights of bodies and obstacles.
    pub(super) heights: HeightFilter,
    /// Width of the thinnest body, m.
    pub(super) thinnest: f64,
}

impl Index<usize> for Bodies {
    type Output = RigidBody;

    fn index(&self, number: usize) -> &RigidBody {
        &self.states[number]
    }
}

impl IndexMut<usize> for Bodies {
    fn index_mut(&mut self, number: usize) -> &mut RigidBody {
        &mut self.states[number]
    }
}

impl Bodies {
    /// Returns no bodies. If `filter_heights` is false, bodies that overlap in the plane touch at any height.
    pub(super) fn new(filter_heights: bool) -> Self {
        Self {
            states: Vec::new(),
            infos: Arc::default(),
            heights: HeightFilter::new(filter_heights),
            thinnest: f64::INFINITY,
        }
    }

    /// Reserves memory for `more` bodies.
    pub(super) fn reserve(&mut self, more: usize) {
        self.states.reserve_exact(more);
        Arc::make_mut(&mut self.infos).reserve_exact(more);
    }

    /// Adds a body with a collision shape and its origin at height `z`, m. Returns its number.
    pub(super) fn add(
        &mut self,
        spec: BodySpec<'_>,
        hull: Hull,
        state: &BodyState,
        z: f64,
        motion: BodyMotion,
    ) -> usize {
        let Mass { mass, centre, .. } = spec.mass;
        let inertia = spec.mass.inertia_about_centre();
        let Hull { shape, radius, width } = hull;
        self.thinnest = self.thinnest.min(width);
        let span = self.heights.add(spec.span, z);
        self.states.push(RigidBody {
            state: *state,
            centre,
            searched: Searched::NONE,
            wide: Circle::NONE,
            has_company: false,
            solved: true,
            placed: false,
        });
        Arc::make_mut(&mut self.infos).push(BodyInfo {
            name: spec.name,
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
        self.states.len() - 1
    }

    /// Returns the constants of a body to change them while the world is built.
    pub(super) fn info_mut(&mut self, body: Body) -> &mut BodyInfo {
        &mut Arc::make_mut(&mut self.infos)[body.0]
    }

    /// Marks a body whose outline is a circle about its centre of mass, so that it moves nothing when it
    /// turns.
    pub fn set_round(&mut self, body: Body) {
        self.info_mut(body).lever = 0.0;
    }

    /// Marks a body whose velocity is prescribed in every step.
    pub fn set_prescribed(&mut self, body: Body) {
        self.info_mut(body).is_prescribed = true;
    }

    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns bodies that were added one after the other.
    pub fn range(&self, numbers: &Range<usize>) -> &[RigidBody] {
        &self.states[numbers.clone()]
    }

    /// Returns bodies that were added one after the other.
    pub fn range_mut(&mut self, numbers: &Range<usize>) -> &mut [RigidBody] {
        &mut self.states[numbers.clone()]
    }

    /// Returns the pose and velocity of a body.
    pub fn state(&self, body: Body) -> &BodyState {
        &self[body.0].state
    }

    /// Returns the velocity of a body's reference point, m/s, world frame.
    pub fn reference_velocity(&self, body: Body) -> [f64; 2] {
        self[body.0].reference_velocity()
    }

    /// Sets the velocity of a body's centre of mass, m/s, world frame, and its yaw rate, rad/s.
    pub fn set_velocity(&mut self, body: Body, velocity: [f64; 2], omega: f64) {
        self[body.0].set_velocity(velocity, omega);
    }

    /// Returns whether a body follows a plan that nothing changes.
    pub fn is_planned(&self, body: Body) -> bool {
        self.infos[body.0].is_kinematic()
    }

    /// Returns whether a body follows a plan or a prescribed velocity.
    #[cfg(test)]
    pub fn is_driven(&self, body: Body) -> bool {
        self.is_planned(body) || self.infos[body.0].is_prescribed
    }

    /// Returns the name of a body as messages show it.
    #[cfg(test)]
    pub fn name(&self, body: Body) -> &str {
        &self.infos[body.0].name
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

    /// Returns the number of steps of `dt` seconds in which no body needs a neighbour search at its present velocity.
    pub fn steps_to_search(&self, dt: f64) -> f64 {
        let steps = self.states.iter().map(|body| body.steps_to_search(dt));
        steps.fold(f64::INFINITY, f64::min)
    }

    /// Returns name and state of the first of `count` bodies whose state is not finite, or whose speed
    /// reaches `speed`, m/s, or whose yaw rate reaches `yaw_rate`, rad/s.
    pub fn first_out_of_range(
        &self,
        count: usize,
        speed: f64,
        yaw_rate: f64,
    ) -> Option<(&str, &BodyState)> {
        let mut bodies = self.states[..count].iter();
        let number = bodies.position(|body| !body.state.is_within(speed, yaw_rate))?;
        Some((&self.infos[number].name, &self[number].state))
    }
}

/// The collision shape of an outline.
pub(crate) struct Hull {
    pub shape: SharedShape,
    /// Radius of the outline about the centre of mass, m.
    pub radius: f64,
    /// Width of the outline at its thinnest, m.
    pub width: f64,
}

/// Shape of the body that was added last. The next body shares it if their outlines are equal.
#[derive(Default)]
pub(super) struct LastHull {
    /// Outline, shape and width, m.
    last: Option<(Vec<[f64; 2]>, SharedShape, f64)>,
}

impl LastHull {
    /// Returns the collision shape of an outline with a centre of mass. Returns `None` if it has no area.
    pub fn hull(&mut self, outline: &[[f64; 2]], centre: [f64; 2]) -> Option<Hull> {
        if self.last.as_ref().is_none_or(|(known, ..)| known != outline) {
            let shape = convex_hull(outline)?;
            let width = width(shape.as_ref());
            self.last = Some((outline.to_vec(), shape, width));
        }
        let (_, shape, width) = self.last.as_ref()?;
        let radius = polygon::bounding_radius(outline, centre);
        Some(Hull { shape: shape.clone(), radius, width: *width })
    }
}

/// Returns the convex hull of an outline as a shape, or `None` if it has no area.
pub(super) fn convex_hull(outline: &[[f64; 2]]) -> Option<SharedShape> {
    let corners: Vec<Vector> =
        polygon::convex_hull(outline).iter().map(|[x, y]| Vector::new(*x, *y)).collect();
    SharedShape::convex_polyline(corners)
}

/// Returns the width of a shape at its thinnest, m.
pub(super) fn width(shape: &dyn Shape) -> f64 {
    if let Some(polygon) = shape.as_convex_polygon() {
        let extent = |normal: &Vector| {
            let along = polygon.points().iter().map(|point| point.dot(*normal));
            along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
        };
        return polygon.normals().iter().map(extent).fold(f64::INFINITY, f64::min);
    }
    shape
        .as_voxels()
        .map_or(2.0 * shape.ccd_thickness(), |voxels| voxels.voxel_size().min_element())
}
