//! Surroundings that a model can ask about in a test, without a world: every answer follows from the
//! question, the lane and the time, so that it does not depend on the division of a batch.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use simhost_abi::{
    CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService, EARTH_SERVICE,
    EarthPoint, EarthService, NEIGHBOURS_SERVICE, Neighbour, NeighbourQuery, NeighboursService,
    RAYS_SERVICE, Ray, RayHit, RaysService, SURFACE_SERVICE, Services, Str, SurfacePoint,
    SurfaceService, entity_kind,
};
use simhost_sdk::Random;

use crate::draw::key;

/// Number of neighbours beyond the capacity of a crowd.
const BEYOND: usize = 1 << 20;

/// The surroundings of a model in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surroundings {
    /// The host has no services.
    Absent,
    /// The host has services, but not these.
    NotFound,
    /// Nothing is around the vehicle.
    Empty,
    /// More neighbours than any capacity, and rays that all meet something.
    Crowded,
}

/// The questions of one call.
pub(crate) struct Inquiry {
    kind: Surroundings,
    key: u64,
}

/// Whether a model has asked for a service that it has to declare.
static ASKED: AtomicBool = AtomicBool::new(false);

impl Surroundings {
    /// All of them, with words for messages.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Absent, "on a host without services"),
        (Self::NotFound, "on a host without services for the world around a vehicle"),
        (Self::Empty, "with nothing around the vehicle"),
        (Self::Crowded, "with more neighbours than its capacity"),
    ];

    /// Creates the questions of a call at a step of a seed.
    pub fn inquiry(self, seed: u64, step: u64) -> Inquiry {
        Inquiry { kind: self, key: key(seed, &[step, 77]) }
    }
}

/// Returns whether a model has asked about the world around it since the last call of this function.
pub(crate) fn take_asked() -> bool {
    ASKED.swap(false, Ordering::Relaxed)
}

impl Inquiry {
    /// Returns the services, which are valid as long as `self`, or `None` if the host has none.
    pub fn services(&self) -> Option<Services> {
        (self.kind != Surroundings::Absent).then_some(Services {
            size: size_of::<Services>() as u32,
            reserved: 0,
            context: std::ptr::from_ref(self).cast(),
            find,
        })
    }

    /// Returns numbers that follow from the lane and a number of the question.
    fn draws(&self, lane: usize, number: usize) -> Random {
        Random::new(key(self.key, &[lane as u64, number as u64]))
    }

    /// # Safety
    /// The context is that of services handed out, during their call.
    unsafe fn of<'a>(context: *const c_void) -> &'a Self {
        // SAFETY: promised by the caller.
        unsafe { &*context.cast::<Self>() }
    }
}

unsafe extern "C" fn find(context: *const c_void, id: Str) -> *const c_void {
    static RAYS: RaysService =
        RaysService { size: size_of::<RaysService>() as u32, reserved: 0, cast };
    static NEIGHBOURS: NeighboursService = NeighboursService {
        size: size_of::<NeighboursService>() as u32,
        reserved: 0,
        own,
        query: query_neighbours,
    };
    static SURFACE: SurfaceService = SurfaceService {
        size: size_of::<SurfaceService>() as u32,
        reserved: 0,
        query: query_surface,
    };
    static CONTACTS: ContactsService = ContactsService {
        size: size_of::<ContactsService>() as u32,
        reserved: 0,
        query: query_contacts,
    };
    static CLASSES: ClassesService =
        ClassesService { size: size_of::<ClassesService>() as u32, reserved: 0, classify };
    static EARTH: EarthService =
        EarthService { size: size_of::<EarthService>() as u32, reserved: 0, locate };
    // SAFETY: the context is that of these services, and the model keeps the text alive.
    let (inquiry, id) = unsafe { (Inquiry::of(context), id.as_str()) };
    let table: *const c_void = match id {
        // no ability of a model, because the answer does not depend on the world around it
        EARTH_SERVICE => return std::ptr::from_ref(&EARTH).cast(),
        RAYS_SERVICE => std::ptr::from_ref(&RAYS).cast(),
        NEIGHBOURS_SERVICE => std::ptr::from_ref(&NEIGHBOURS).cast(),
        CONTACTS_SERVICE => std::ptr::from_ref(&CONTACTS).cast(),
        CLASSES_SERVICE => std::ptr::from_ref(&CLASSES).cast(),
        SURFACE_SERVICE => std::ptr::from_ref(&SURFACE).cast(),
        _ => return std::ptr::null(),
    };
    ASKED.store(true, Ordering::Relaxed);
    if inquiry.kind == Surroundings::NotFound { std::ptr::null() } else { table }
}

unsafe extern "C" fn cast(
    context: *const c_void,
    lane: usize,
    count: usize,
    rays: *const Ray,
    hits: *mut RayHit,
) {
    // SAFETY: the context is that of these services.
    let inquiry = unsafe { Inquiry::of(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` rays.
        let Ray { origin, direction, max_range, .. } = unsafe { *rays.add(i) };
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        let is_met = inquiry.kind == Surroundings::Crowded && length > 0.0 && length.is_finite();
        let range = max_range.min(10.0) * inquiry.draws(lane, i).uniform();
        let unit = direction.map(|part| part / length);
        let hit = if is_met && range >= 0.0 {
            RayHit {
                range,
                point: [0, 1, 2].map(|axis| origin[axis] + range * unit[axis]),
                normal: unit.map(|part| -part),
                entity: 100_000,
                kind: entity_kind::WALL,
            }
        } else {
            RayHit { point: origin, ..RayHit::NOTHING }
        };
        // SAFETY: the model passes room for `count` hits.
        unsafe { hits.add(i).write(hit) };
    }
}

/// Locates points on a sphere, with the origin of the world at 40° north and 10° east. A host without services
/// for the world around a vehicle does not know them.
unsafe extern "C" fn locate(
    context: *const c_void,
    count: usize,
    points: *const [f64; 3],
    found: *mut EarthPoint,
) {
    // SAFETY: the context is that of these services.
    let is_known = unsafe { Inquiry::of(context) }.kind != Surroundings::NotFound;
    let radius = 6.4e6;
    for i in 0..count {
        // SAFETY: the model passes `count` points.
        let [x, y, z] = unsafe { *points.add(i) };
        let (latitude, longitude) = (0.7 + y / radius, 0.17 + x / radius);
        let known = EarthPoint {
            latitude,
            longitude,
            height: z,
            easting: x,
            northing: y,
            zone: 32,
            band: 84,
            is_covered: 1,
            ..EarthPoint::UNKNOWN
        };
        let point = if is_known { known } else { EarthPoint::UNKNOWN };
        // SAFETY: the model passes room for `count` answers.
        unsafe { found.add(i).write(point) };
    }
}

/// Touches the vehicle everywhere in a crowd.
unsafe extern "C" fn query_contacts(
    context: *const c_void,
    lane: usize,
    capacity: usize,
    found: *mut Contact,
) -> usize {
    // SAFETY: the context is that of these services.
    let inquiry = unsafe { Inquiry::of(context) };
    if inquiry.kind != Surroundings::Crowded {
        return 0;
    }
    for k in 0..capacity {
        let mut random = inquiry.draws(lane, k);
        let (sin, cos) = simhost_sdk::math::sin_cos(6.0 * random.uniform());
        let (point, normal) = ([2.0 * cos, 2.0 * sin], [-cos, -sin]);
        let one = Contact { point, normal, force: 1e3 * random.uniform(), ..Contact::NONE };
        // SAFETY: the model passes room for `capacity` contacts.
        unsafe { found.add(k).write(one) };
    }
    capacity + BEYOND
}

unsafe extern "C" fn classify(_: *const c_void, count: usize, _: *const u32, classes: *mut u32) {
    for i in 0..count {
        // SAFETY: the model passes room for `count` classes.
        unsafe { classes.add(i).write(1) };
    }
}

unsafe extern "C" fn own(_: *const c_void, lane: usize) -> u32 {
    lane as u32
}

unsafe extern "C" fn query_neighbours(
    context: *const c_void,
    lane: usize,
    count: usize,
    queries: *const NeighbourQuery,
    capacity: usize,
    found: *mut Neighbour,
    totals: *mut usize,
) {
    // SAFETY: the context is that of these services.
    let inquiry = unsafe { Inquiry::of(context) };
    let is_crowded = inquiry.kind == Surroundings::Crowded;
    for i in 0..count {
        // SAFETY: the model passes `count` queries.
        let NeighbourQuery { centre, radius, .. } = unsafe { *queries.add(i) };
        let filled = if is_crowded { capacity } else { 0 };
        for k in 0..filled {
            let mut random = inquiry.draws(lane, i * capacity + k);
            let distance = radius.clamp(0.0, 100.0) * (k + 1) as f64 / (capacity + 1) as f64;
            let (sin, cos) = simhost_sdk::math::sin_cos(6.0 * random.uniform());
            let velocity = [random.normal(), random.normal()];
            let one = Neighbour {
                distance,
                position: [centre[0] + distance * cos, centre[1] + distance * sin, 0.0],
                yaw: 6.0 * random.uniform() - 3.0,
                velocity,
                yaw_rate: random.normal(),
                radius: 0.5,
                box_min: [-0.4, -0.3, 0.0],
                box_max: [0.4, 0.3, 1.0],
                entity: 1000 + k as u32,
                kind: entity_kind::VEHICLE,
                ..Neighbour::NONE
            };
            // SAFETY: the model passes room for `capacity` neighbours per query.
            unsafe { found.add(i * capacity + k).write(one) };
        }
        let total = if is_crowded { capacity + BEYOND } else { 0 };
        // SAFETY: the model passes room for `count` totals.
        unsafe { totals.add(i).write(total) };
    }
}

unsafe extern "C" fn query_surface(
    context: *const c_void,
    count: usize,
    points: *const [f64; 3],
    found: *mut SurfacePoint,
) {
    // SAFETY: the context is that of these services.
    let inquiry = unsafe { Inquiry::of(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` points.
        let [_, _, z] = unsafe { *points.add(i) };
        let is_known = inquiry.kind == Surroundings::Crowded && z.is_finite();
        let (height, mu) = if is_known { (z.clamp(-10.0, 10.0), 0.3) } else { (0.0, -1.0) };
        // SAFETY: the model passes room for `count` answers.
        unsafe { found.add(i).write(SurfacePoint { height, mu, ..SurfacePoint::LEVEL }) };
    }
}
