//! Questions of a model about the world around its vehicle.

use simhost_abi::{
    NEIGHBOURS_SERVICE, NO_ENTITY, Neighbour, NeighbourQuery, NeighboursService, RAYS_SERVICE, Ray,
    RayHit, RaysService, SURFACE_SERVICE, SurfacePoint, SurfaceService,
};

use crate::Step;

/// The entities in a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbours<'b> {
    /// The nearest entities, up to the length of the buffer, sorted by distance and then by number.
    pub nearest: &'b [Neighbour],
    /// The number of all entities in the circle. If it is greater than the length of `nearest`, the
    /// buffer is too small for all of them.
    pub total: usize,
}

/// Questions about the world around the vehicle, for models with `const PERCEIVES: bool = true`.
///
/// The answers describe the world at the start of the phase. Without such a constant, and in a test or
/// a replay of a fault that has no world, nothing is around the vehicle. None of the methods allocates.
impl Step {
    /// Returns what a ray meets first: blocks, walls, maps, terrain, vehicles and actors. The own vehicle
    /// is left out, unless the mask of the ray has [`OWN`](crate::entity::OWN).
    ///
    /// Outlines are upright prisms between their lowest and highest point. A ray that starts inside one
    /// meets it from inside. A ray that starts in an occupied cell of a map has the range 0, and unknown
    /// cells of a map end what it shows.
    ///
    /// ```
    /// use simhost_sdk::prelude::*;
    ///
    /// /// Drives on until something is in the way.
    /// #[derive(Params)]
    /// pub struct Bumper {
    ///     /// Distance at which the vehicle stops. A larger value makes it stop earlier.
    ///     #[param(default = 1.0, above = 0.0, unit = "m")]
    ///     distance: f64,
    /// }
    ///
    /// /// Pose of the vehicle.
    /// #[derive(Ports)]
    /// pub struct Pose {
    ///     /// Position, world frame.
    ///     #[port(unit = "m")]
    ///     x: f64,
    ///     /// Position, world frame.
    ///     #[port(unit = "m")]
    ///     y: f64,
    ///     /// Heading, world frame.
    ///     #[port(unit = "rad")]
    ///     yaw: f64,
    /// }
    ///
    /// /// Imposed velocity.
    /// #[derive(Debug, PartialEq, Ports)]
    /// pub struct Twist {
    ///     /// Forward velocity.
    ///     #[port(unit = "m/s")]
    ///     twist_vx: f64,
    /// }
    ///
    /// #[model]
    /// impl Controller for Bumper {
    ///     const PERCEIVES: bool = true;
    ///
    ///     fn control(&self, at: &Pose, step: &Step, _: &mut ()) -> Twist {
    ///         let (sin, cos) = math::sin_cos(at.yaw);
    ///         let ahead = Ray::new([at.x, at.y, 0.3], [cos, sin, 0.0]).up_to(self.distance);
    ///         Twist { twist_vx: if step.ray(&ahead).is_hit() { 0.0 } else { 1.0 } }
    ///     }
    /// }
    ///
    /// # fn main() {
    /// // nothing is in the way where there is no world
    /// let at = Pose { x: 0.0, y: 0.0, yaw: 0.0 };
    /// let twist = Bumper { distance: 1.0 }.control(&at, &Step::new(0.0, 0.01), &mut ());
    /// assert_eq!(twist, Twist { twist_vx: 1.0 });
    /// # }
    /// ```
    pub fn ray(&self, ray: &Ray) -> RayHit {
        let mut hit = RayHit::NOTHING;
        self.rays(std::slice::from_ref(ray), std::slice::from_mut(&mut hit));
        hit
    }

    /// Casts several rays at once, like [`Self::ray`], which is faster than one after the other.
    ///
    /// # Panics
    ///
    /// If `rays` and `hits` differ in length.
    pub fn rays(&self, rays: &[Ray], hits: &mut [RayHit]) {
        assert_eq!(rays.len(), hits.len(), "one hit for each ray");
        // SAFETY: under this id a host answers with this table or null.
        let Some((table, context)) = (unsafe { self.service::<RaysService>(RAYS_SERVICE) }) else {
            for (hit, ray) in hits.iter_mut().zip(rays) {
                *hit = RayHit { point: ray.origin, ..RayHit::NOTHING };
            }
            return;
        };
        // SAFETY: the slices have this length, and the lane is one of the call's.
        unsafe {
            (table.cast)(context, self.lane(), rays.len(), rays.as_ptr(), hits.as_mut_ptr());
        }
    }

    /// Returns the vehicles, blocks and actors in a circle: pose, velocity and size of each. The own
    /// vehicle is left out, unless the mask of the query has [`OWN`](crate::entity::OWN).
    ///
    /// ```
    /// use simhost_sdk::prelude::*;
    ///
    /// /// Returns the distance to the nearest vehicle or actor within 10 m of a point, m.
    /// fn nearest(step: &Step, at: [f64; 2]) -> Option<f64> {
    ///     let query = NeighbourQuery::new(at, 10.0).of(entity::VEHICLE | entity::ACTOR);
    ///     let mut buffer = [Neighbour::NONE; 1];
    ///     let found = step.neighbours(&query, &mut buffer);
    ///     found.nearest.first().map(|nearest| nearest.distance)
    /// }
    ///
    /// # fn main() {
    /// assert_eq!(nearest(&Step::new(0.0, 0.01), [0.0, 0.0]), None);
    /// # }
    /// ```
    pub fn neighbours<'b>(
        &self,
        query: &NeighbourQuery,
        buffer: &'b mut [Neighbour],
    ) -> Neighbours<'b> {
        let mut total = 0;
        if let Some((table, context)) = self.neighbours_service() {
            let (capacity, found) = (buffer.len(), buffer.as_mut_ptr());
            // SAFETY: one query, a buffer of this capacity, and the lane is one of the call's.
            unsafe {
                let lane = self.lane();
                (table.query)(context, lane, 1, query, capacity, found, &raw mut total);
            }
        }
        let count = total.min(buffer.len());
        Neighbours { nearest: &buffer[..count], total }
    }

    /// Returns the number of the vehicle that carries the model, as [`Neighbour::entity`] and
    /// [`RayHit::entity`] show it to others, or `None` without a vehicle or a world.
    pub fn own_entity(&self) -> Option<u32> {
        let (table, context) = self.neighbours_service()?;
        // SAFETY: the lane is one of the call's.
        let own = unsafe { (table.own)(context, self.lane()) };
        (own != NO_ENTITY).then_some(own)
    }

    /// Returns height, normal and properties of the ground at or below a point, m, world frame, or
    /// `None` without a world.
    ///
    /// ```
    /// use simhost_sdk::prelude::*;
    ///
    /// /// Returns whether the ground at a point is more slippery than `mu`.
    /// fn is_slippery(step: &Step, point: [f64; 3], mu: f64) -> bool {
    ///     step.surface(point).is_some_and(|ground| (0.0..mu).contains(&ground.mu))
    /// }
    ///
    /// # fn main() {
    /// assert!(!is_slippery(&Step::new(0.0, 0.01), [0.0; 3], 0.5));
    /// # }
    /// ```
    pub fn surface(&self, point: [f64; 3]) -> Option<SurfacePoint> {
        // SAFETY: under this id a host answers with this table or null.
        let (table, context) = unsafe { self.service::<SurfaceService>(SURFACE_SERVICE) }?;
        let mut found = SurfacePoint::LEVEL;
        // SAFETY: one point in, one out.
        unsafe { (table.query)(context, 1, &raw const point, &raw mut found) };
        Some(found)
    }

    fn neighbours_service(&self) -> Option<(&NeighboursService, *const std::ffi::c_void)> {
        // SAFETY: under this id a host answers with this table or null.
        unsafe { self.service(NEIGHBOURS_SERVICE) }
    }
}
