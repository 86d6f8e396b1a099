//! Services of a host, as answers to single questions.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use crate::{
    CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService, EARTH_SERVICE,
    EarthPoint, EarthService, GROUND_SERVICE, GroundService, LaneQuery, NEIGHBOURS_SERVICE,
    NO_ENTITY, Neighbour, NeighbourQuery, NeighboursService, RAYS_SERVICE, ROADS_SERVICE, Ray,
    RayHit, RaysService, RoadPoint, RoadsService, SURFACE_SERVICE, Services, Str, SurfacePoint,
    SurfaceService,
};

/// AnswerBuffer of a host to a model during a call. By default, nothing is around a vehicle, and the ground is
/// level at height 0.
///
/// Called on the thread of the call. No method may allocate or block.
pub trait ServiceHost {
    /// Returns whether the host has the service with this id, which is one of the boundary.
    fn offers(&self, id: &str) -> bool;

    /// Returns the height of the ground at or below a point, m, and its slopes along x and y.
    fn ground(&self, _point: [f64; 3]) -> (f64, [f64; 2]) {
        (0.0, [0.0; 2])
    }

    /// Returns the position of a point on Earth.
    fn locate(&self, _point: [f64; 3]) -> EarthPoint {
        EarthPoint::UNKNOWN
    }

    /// Returns the nearest place in a lane, given x, y and z, m, and a heading, rad, which can be NaN.
    fn lane_at(&self, _pose: [f64; 4]) -> RoadPoint {
        RoadPoint::NONE
    }

    /// Adds the places at level distances ahead, m, ascending, until the network ends. `route` are lanes that are taken
    /// before others.
    fn lanes_ahead(
        &self,
        _from: &LaneQuery,
        _route: &[u32],
        _distances: &[f64],
        _found: &mut AnswerBuffer<'_, RoadPoint>,
    ) {
    }

    /// Adds the lanes of the shortest way from a lane to another one, and returns the number of all of them. May
    /// allocate.
    fn lane_route(&self, _from: u32, _to: u32, _found: &mut AnswerBuffer<'_, u32>) -> usize {
        0
    }

    /// Returns what ray number `number` of a question of a lane meets first.
    fn cast(&self, _lane: usize, _number: usize, ray: &Ray) -> RayHit {
        RayHit { point: ray.origin, ..RayHit::NOTHING }
    }

    /// Returns the number of the vehicle of a lane, or [`NO_ENTITY`].
    fn own(&self, _lane: usize) -> u32 {
        NO_ENTITY
    }

    /// Adds the nearest entities of query number `number` of a question of a lane to `found`, and returns the
    /// number of all of them.
    fn neighbours(
        &self,
        _lane: usize,
        _number: usize,
        _query: &NeighbourQuery,
        _found: &mut AnswerBuffer<'_, Neighbour>,
    ) -> usize {
        0
    }

    /// Adds the contacts of the vehicle of a lane to `found`, and returns the number of all of them.
    fn contacts(&self, _lane: usize, _found: &mut AnswerBuffer<'_, Contact>) -> usize {
        0
    }

    /// Returns the number of the semantic class of an entity, 0 for one that has none.
    fn class_of(&self, _entity: u32) -> u32 {
        0
    }

    /// Returns the surface of the ground at or below a point.
    fn surface(&self, _point: [f64; 3]) -> SurfacePoint {
        SurfacePoint::LEVEL
    }
}

/// A buffer of a model that a host fills with answers.
pub struct AnswerBuffer<'b, T> {
    buffer: *mut T,
    capacity: usize,
    len: usize,
    lives: PhantomData<&'b mut T>,
}

impl<'b, T: Copy> AnswerBuffer<'b, T> {
    /// Wraps a buffer.
    ///
    /// # Safety
    /// The buffer can be written `capacity` times, and nothing else accesses it during `'b`.
    const unsafe fn new(buffer: *mut T, capacity: usize) -> Self {
        Self { buffer, capacity, len: 0, lives: PhantomData }
    }

    /// Returns an empty buffer that writes over these values.
    pub const fn over(values: &'b mut [T]) -> Self {
        // SAFETY: the slice is borrowed exclusively.
        unsafe { Self::new(values.as_mut_ptr(), values.len()) }
    }

    /// Returns the largest number of answers.
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns whether the buffer is full.
    pub const fn is_full(&self) -> bool {
        self.len == self.capacity
    }

    /// Adds an answer, unless the buffer is full.
    #[inline]
    pub fn push(&mut self, answer: T) {
        if self.len < self.capacity {
            // SAFETY: the place is within the buffer.
            unsafe { self.buffer.add(self.len).write(answer) };
            self.len += 1;
        }
    }

    /// Returns the answers.
    #[inline]
    pub const fn filled(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: so many answers have been written.
        unsafe { std::slice::from_raw_parts_mut(self.buffer, self.len) }
    }
}

/// Returns the services of a host, which are valid as long as the host is borrowed.
pub fn services<H: ServiceHost>(host: &H) -> Services {
    Services {
        size: size_of::<Services>() as u32,
        reserved: 0,
        context: ptr::from_ref(host).cast(),
        find: find::<H>,
    }
}

/// Returns the service with this id, or null.
unsafe extern "C" fn find<H: ServiceHost>(context: *const c_void, id: Str) -> *const c_void {
    // SAFETY: the context belongs to these services, and the model keeps the text alive.
    let (host, id) = unsafe { (host::<H>(context), id.as_str()) };
    let table: *const c_void = match id {
        GROUND_SERVICE => ptr::from_ref(Tables::<H>::GROUND).cast(),
        EARTH_SERVICE => ptr::from_ref(Tables::<H>::EARTH).cast(),
        ROADS_SERVICE => ptr::from_ref(Tables::<H>::ROADS).cast(),
        RAYS_SERVICE => ptr::from_ref(Tables::<H>::RAYS).cast(),
        NEIGHBOURS_SERVICE => ptr::from_ref(Tables::<H>::NEIGHBOURS).cast(),
        CONTACTS_SERVICE => ptr::from_ref(Tables::<H>::CONTACTS).cast(),
        CLASSES_SERVICE => ptr::from_ref(Tables::<H>::CLASSES).cast(),
        SURFACE_SERVICE => ptr::from_ref(Tables::<H>::SURFACE).cast(),
        _ => return ptr::null(),
    };
    if host.offers(id) { table } else { ptr::null() }
}

/// # Safety
/// The context belongs to the services of a host of this type, during their call.
#[inline(always)]
unsafe fn host<'h, H: ServiceHost>(context: *const c_void) -> &'h H {
    // SAFETY: promised by the caller.
    unsafe { &*context.cast::<H>() }
}

/// The tables of the services of a host.
struct Tables<H>(PhantomData<H>);

impl<H: ServiceHost> Tables<H> {
    const GROUND: &'static GroundService =
        &GroundService { size: size_of::<GroundService>() as u32, reserved: 0, query: ground::<H> };
    const EARTH: &'static EarthService =
        &EarthService { size: size_of::<EarthService>() as u32, reserved: 0, locate: locate::<H> };
    const ROADS: &'static RoadsService = &RoadsService {
        size: size_of::<RoadsService>() as u32,
        reserved: 0,
        locate: lane_at::<H>,
        ahead: lanes_ahead::<H>,
        route: lane_route::<H>,
    };
    const RAYS: &'static RaysService =
        &RaysService { size: size_of::<RaysService>() as u32, reserved: 0, cast: cast::<H> };
    const NEIGHBOURS: &'static NeighboursService = &NeighboursService {
        size: size_of::<NeighboursService>() as u32,
        reserved: 0,
        own: own::<H>,
        query: neighbours::<H>,
    };
    const CONTACTS: &'static ContactsService = &ContactsService {
        size: size_of::<ContactsService>() as u32,
        reserved: 0,
        query: contacts::<H>,
    };
    const CLASSES: &'static ClassesService = &ClassesService {
        size: size_of::<ClassesService>() as u32,
        reserved: 0,
        classify: classify::<H>,
    };
    const SURFACE: &'static SurfaceService = &SurfaceService {
        size: size_of::<SurfaceService>() as u32,
        reserved: 0,
        query: surface::<H>,
    };
}

unsafe extern "C" fn ground<H: ServiceHost>(
    context: *const c_void,
    count: usize,
    x: *const f64,
    y: *const f64,
    z: *const f64,
    height: *mut f64,
    slope_x: *mut f64,
    slope_y: *mut f64,
) {
    // SAFETY: the context belongs to these services.
    let host = unsafe { host::<H>(context) };
    for i in 0..count {
        // SAFETY: the model passes columns of `count` values.
        let point = [x, y, z].map(|column| unsafe { *column.add(i) });
        let (at, slopes) = host.ground(point);
        for (column, value) in
            [height, slope_x, slope_y].into_iter().zip([at, slopes[0], slopes[1]])
        {
            if !column.is_null() {
                // SAFETY: columns of outputs that are not null have space for `count` values.
                unsafe { *column.add(i) = value };
            }
        }
    }
}

unsafe extern "C" fn locate<H: ServiceHost>(
    context: *const c_void,
    count: usize,
    points: *const [f64; 3],
    found: *mut EarthPoint,
) {
    // SAFETY: the context belongs to these services.
    let host = unsafe { host::<H>(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` points and a buffer for `count` answers.
        unsafe { found.add(i).write(host.locate(*points.add(i))) };
    }
}

unsafe extern "C" fn lane_at<H: ServiceHost>(
    context: *const c_void,
    count: usize,
    poses: *const [f64; 4],
    found: *mut RoadPoint,
) {
    // SAFETY: the context belongs to these services.
    let host = unsafe { host::<H>(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` poses and a buffer for `count` places.
        unsafe { found.add(i).write(host.lane_at(*poses.add(i))) };
    }
}

unsafe extern "C" fn lanes_ahead<H: ServiceHost>(
    context: *const c_void,
    from: *const LaneQuery,
    count: usize,
    distances: *const f64,
    found: *mut RoadPoint,
) -> usize {
    // SAFETY: the context belongs to these services, and the model passes a query.
    let (host, from) = unsafe { (host::<H>(context), &*from) };
    // SAFETY: the model passes `count` distances, a buffer for `count` places, and the lanes of its query.
    let (distances, route, mut found) = unsafe {
        (
            slice(distances, count),
            slice(from.route, from.route_len),
            AnswerBuffer::new(found, count),
        )
    };
    host.lanes_ahead(from, route, distances, &mut found);
    found.len
}

unsafe extern "C" fn lane_route<H: ServiceHost>(
    context: *const c_void,
    from: u32,
    to: u32,
    capacity: usize,
    lanes: *mut u32,
) -> usize {
    // SAFETY: the context belongs to these services, and the model passes a buffer for `capacity` lanes.
    unsafe { host::<H>(context).lane_route(from, to, &mut AnswerBuffer::new(lanes, capacity)) }
}

/// Returns a slice of a model, which is empty for a null pointer.
///
/// # Safety
/// The pointer is null or can be read `len` times during the call.
unsafe fn slice<'c, T>(start: *const T, len: usize) -> &'c [T] {
    if start.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: promised by the caller.
    unsafe { std::slice::from_raw_parts(start, len) }
}

unsafe extern "C" fn cast<H: ServiceHost>(
    context: *const c_void,
    lane: usize,
    count: usize,
    rays: *const Ray,
    hits: *mut RayHit,
) {
    // SAFETY: the context belongs to these services.
    let host = unsafe { host::<H>(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` rays and a buffer for `count` hits.
        unsafe { hits.add(i).write(host.cast(lane, i, &*rays.add(i))) };
    }
}

unsafe extern "C" fn own<H: ServiceHost>(context: *const c_void, lane: usize) -> u32 {
    // SAFETY: the context belongs to these services.
    unsafe { host::<H>(context) }.own(lane)
}

unsafe extern "C" fn neighbours<H: ServiceHost>(
    context: *const c_void,
    lane: usize,
    count: usize,
    queries: *const NeighbourQuery,
    capacity: usize,
    found: *mut Neighbour,
    totals: *mut usize,
) {
    // SAFETY: the context belongs to these services.
    let host = unsafe { host::<H>(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` queries, a buffer for `capacity` entities for each of
        // them, and a buffer for `count` totals.
        unsafe {
            let first = if capacity == 0 { found } else { found.add(i * capacity) };
            let mut answers = AnswerBuffer::new(first, capacity);
            let total = host.neighbours(lane, i, &*queries.add(i), &mut answers);
            totals.add(i).write(total);
        }
    }
}

unsafe extern "C" fn contacts<H: ServiceHost>(
    context: *const c_void,
    lane: usize,
    capacity: usize,
    found: *mut Contact,
) -> usize {
    // SAFETY: the context belongs to these services, and the model passes a buffer for `capacity`
    // contacts.
    unsafe { host::<H>(context).contacts(lane, &mut AnswerBuffer::new(found, capacity)) }
}

unsafe extern "C" fn classify<H: ServiceHost>(
    context: *const c_void,
    count: usize,
    entities: *const u32,
    classes: *mut u32,
) {
    // SAFETY: the context belongs to these services.
    let host = unsafe { host::<H>(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` entities and a buffer for `count` classes.
        unsafe { classes.add(i).write(host.class_of(*entities.add(i))) };
    }
}

unsafe extern "C" fn surface<H: ServiceHost>(
    context: *const c_void,
    count: usize,
    points: *const [f64; 3],
    found: *mut SurfacePoint,
) {
    // SAFETY: the context belongs to these services.
    let host = unsafe { host::<H>(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` points and a buffer for `count` answers.
        unsafe { found.add(i).write(host.surface(*points.add(i))) };
    }
}
