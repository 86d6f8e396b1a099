//! The services through which models ask, as tables of the boundary.

use std::ffi::c_void;

use simhost_abi::{
    CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService, EARTH_SERVICE,
    EarthPoint, EarthService, GROUND_SERVICE, GroundService, NEIGHBOURS_SERVICE, Neighbour,
    NeighbourQuery, NeighboursService, RAYS_SERVICE, Ray, RayHit, RaysService, SURFACE_SERVICE,
    Services, Str, SurfacePoint, SurfaceService,
};
use simhost_model::Entities;

use super::{Surroundings, own};
use crate::ground::{self, Ground};

/// The questions of one call.
pub(crate) struct Inquiry<'c> {
    surroundings: &'c Surroundings,
    ground: &'c Ground,
    /// Vehicles of the lanes.
    entities: &'c Entities,
}

impl<'c> Inquiry<'c> {
    /// Creates the questions of a call with these lanes.
    pub fn new(surroundings: &'c Surroundings, ground: &'c Ground, entities: &'c Entities) -> Self {
        Self { surroundings, ground, entities }
    }

    /// Returns the services, which are valid as long as `self`.
    pub fn services(&self) -> Services {
        Services {
            size: size_of::<Services>() as u32,
            reserved: 0,
            context: std::ptr::from_ref(self).cast(),
            find,
        }
    }

    /// # Safety
    /// The context is that of services handed out, during their call.
    unsafe fn of<'a>(context: *const c_void) -> &'a Self {
        // SAFETY: promised by the caller.
        unsafe { &*context.cast::<Self>() }
    }
}

/// Returns the service with this id, or null.
unsafe extern "C" fn find(_: *const c_void, id: Str) -> *const c_void {
    static GROUND: GroundService =
        GroundService { size: size_of::<GroundService>() as u32, reserved: 0, query: query_ground };
    static EARTH: EarthService =
        EarthService { size: size_of::<EarthService>() as u32, reserved: 0, locate };
    static RAYS: RaysService =
        RaysService { size: size_of::<RaysService>() as u32, reserved: 0, cast };
    static NEIGHBOURS: NeighboursService = NeighboursService {
        size: size_of::<NeighboursService>() as u32,
        reserved: 0,
        own: own_entity,
        query: query_neighbours,
    };
    static CONTACTS: ContactsService = ContactsService {
        size: size_of::<ContactsService>() as u32,
        reserved: 0,
        query: query_contacts,
    };
    static CLASSES: ClassesService =
        ClassesService { size: size_of::<ClassesService>() as u32, reserved: 0, classify };
    static SURFACE: SurfaceService =
        SurfaceService { size: size_of::<SurfaceService>() as u32, reserved: 0, query };
    // SAFETY: the model keeps the text alive during the call.
    match unsafe { id.as_str() } {
        GROUND_SERVICE => std::ptr::from_ref(&GROUND).cast(),
        EARTH_SERVICE => std::ptr::from_ref(&EARTH).cast(),
        RAYS_SERVICE => std::ptr::from_ref(&RAYS).cast(),
        NEIGHBOURS_SERVICE => std::ptr::from_ref(&NEIGHBOURS).cast(),
        CONTACTS_SERVICE => std::ptr::from_ref(&CONTACTS).cast(),
        CLASSES_SERVICE => std::ptr::from_ref(&CLASSES).cast(),
        SURFACE_SERVICE => std::ptr::from_ref(&SURFACE).cast(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn query_ground(
    context: *const c_void,
    count: usize,
    x: *const f64,
    y: *const f64,
    z: *const f64,
    height: *mut f64,
    slope_x: *mut f64,
    slope_y: *mut f64,
) {
    // SAFETY: the context is that of these services.
    let inquiry = unsafe { Inquiry::of(context) };
    // SAFETY: the columns are those of the model.
    unsafe { ground::query(inquiry.ground, count, [x, y, z], [height, slope_x, slope_y]) }
}

unsafe extern "C" fn locate(
    context: *const c_void,
    count: usize,
    points: *const [f64; 3],
    found: *mut EarthPoint,
) {
    // SAFETY: the context is that of these services.
    let inquiry = unsafe { Inquiry::of(context) };
    // SAFETY: the model passes `count` points and room for as many answers.
    unsafe { ground::locate_all(inquiry.ground, count, points, found) }
}

unsafe extern "C" fn cast(
    context: *const c_void,
    lane: usize,
    count: usize,
    rays: *const Ray,
    hits: *mut RayHit,
) {
    // SAFETY: the context is that of these services.
    let Inquiry { surroundings, entities, .. } = unsafe { Inquiry::of(context) };
    let own = own(entities.vehicle(lane));
    for i in 0..count {
        // SAFETY: the model passes `count` rays and room for as many hits.
        unsafe { hits.add(i).write(surroundings.cast(own, &*rays.add(i))) };
    }
}

unsafe extern "C" fn own_entity(context: *const c_void, lane: usize) -> u32 {
    // SAFETY: the context is that of these services.
    own(unsafe { Inquiry::of(context) }.entities.vehicle(lane))
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
    let Inquiry { surroundings, entities, .. } = unsafe { Inquiry::of(context) };
    let own = own(entities.vehicle(lane));
    for i in 0..count {
        // SAFETY: the model passes `count` queries, room for `capacity` entities for each of them, and
        // room for as many totals.
        unsafe {
            let found = if capacity == 0 { found } else { found.add(i * capacity) };
            let total = surroundings.query(own, &*queries.add(i), capacity, found);
            totals.add(i).write(total);
        }
    }
}

unsafe extern "C" fn query_contacts(
    context: *const c_void,
    lane: usize,
    capacity: usize,
    found: *mut Contact,
) -> usize {
    // SAFETY: the context is that of these services.
    let Inquiry { surroundings, entities, .. } = unsafe { Inquiry::of(context) };
    let contacts = surroundings.contacts_of(own(entities.vehicle(lane)));
    for (k, (_, contact)) in contacts.iter().take(capacity).enumerate() {
        // SAFETY: the model passes room for `capacity` contacts.
        unsafe { found.add(k).write(*contact) };
    }
    contacts.len()
}

unsafe extern "C" fn classify(
    context: *const c_void,
    count: usize,
    entities: *const u32,
    classes: *mut u32,
) {
    // SAFETY: the context is that of these services.
    let Inquiry { surroundings, .. } = unsafe { Inquiry::of(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` entities and room for as many classes.
        unsafe { classes.add(i).write(surroundings.class_of(*entities.add(i))) };
    }
}

unsafe extern "C" fn query(
    context: *const c_void,
    count: usize,
    points: *const [f64; 3],
    found: *mut SurfacePoint,
) {
    // SAFETY: the context is that of these services.
    let Inquiry { surroundings, ground, .. } = unsafe { Inquiry::of(context) };
    for i in 0..count {
        // SAFETY: the model passes `count` points and room for as many answers.
        unsafe { found.add(i).write(surroundings.surface(ground, *points.add(i))) };
    }
}
