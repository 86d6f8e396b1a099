//! Functions that a plugin in a WebAssembly module exports for its host, and the services that it imports.
//!
//! A host calls a function of a model with the addresses of its descriptor and of the arguments in the memory of the module.
//! Only these functions take part in the boundary of a module, so that it needs no option of a linker, and no structure is
//! passed by value. A module has one thread. A host frees an instance of a model together with the module instance, so no
//! function destroys it.
//!
//! `sdk/c/simhost_module.c` has the same functions for models in C.

use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::ptr;

use simhost_abi::{
    CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService, EARTH_SERVICE,
    EarthPoint, EarthService, Fault, GROUND_SERVICE, GroundService, ImageDesc, ImagesTable,
    LaneQuery, MemoryTable, MigrateTable, Model, NEIGHBOURS_SERVICE, Neighbour, NeighbourQuery,
    NeighboursService, Phase, RAYS_SERVICE, ROADS_SERVICE, Ray, RayHit, RaysService, RoadPoint,
    RoadsService, SURFACE_SERVICE, Services, Slice, SpatialTable, Str, SurfacePoint,
    SurfaceService, Value, WarningsTable, WheelGeometry, WheelUse,
};

/// Services of the host. Pointers lead into the memory of the module.
mod host {
    use super::{
        Contact, EarthPoint, ImageDesc, LaneQuery, Neighbour, NeighbourQuery, Ray, RayHit,
        RoadPoint, SurfacePoint,
    };

    #[link(wasm_import_module = "simhost")]
    unsafe extern "C" {
        /// Returns whether the host has the service with this id: 1 or 0.
        pub fn offers(id: *const u8, len: usize) -> u32;
        /// Takes bytes of a memory that is saved, or of a warning.
        pub fn write(data: *const u8, len: usize);
        /// Takes the description of an image of a sensor.
        pub fn image(desc: *const ImageDesc);
        pub fn ground(
            count: usize,
            x: *const f64,
            y: *const f64,
            z: *const f64,
            height: *mut f64,
            slope_x: *mut f64,
            slope_y: *mut f64,
        );
        pub fn earth_locate(count: usize, points: *const [f64; 3], found: *mut EarthPoint);
        pub fn roads_locate(count: usize, poses: *const [f64; 4], found: *mut RoadPoint);
        pub fn roads_ahead(
            from: *const LaneQuery,
            count: usize,
            distances: *const f64,
            found: *mut RoadPoint,
        ) -> usize;
        pub fn roads_route(from: u32, to: u32, capacity: usize, lanes: *mut u32) -> usize;
        pub fn rays_cast(lane: usize, count: usize, rays: *const Ray, hits: *mut RayHit);
        pub fn neighbours_own(lane: usize) -> u32;
        pub fn neighbours_query(
            lane: usize,
            count: usize,
            queries: *const NeighbourQuery,
            capacity: usize,
            found: *mut Neighbour,
            totals: *mut usize,
        );
        pub fn contacts_query(lane: usize, capacity: usize, found: *mut Contact) -> usize;
        pub fn classes_classify(count: usize, entities: *const u32, classes: *mut u32);
        pub fn surface_query(count: usize, points: *const [f64; 3], found: *mut SurfacePoint);
    }
}

/// Declares a function of a service that passes its arguments on to the host without the context.
macro_rules! service_functions {
    ($( fn $name:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)?; )*) => { $(
        unsafe extern "C" fn $name(_: *const c_void, $($argument: $ty),*) $(-> $result)? {
            // SAFETY: the host checks that the addresses are within the memory.
            unsafe { host::$name($($argument),*) }
        }
    )* };
}

service_functions! {
    fn ground(count: usize, x: *const f64, y: *const f64, z: *const f64, height: *mut f64, slope_x: *mut f64, slope_y: *mut f64);
    fn earth_locate(count: usize, points: *const [f64; 3], found: *mut EarthPoint);
    fn roads_locate(count: usize, poses: *const [f64; 4], found: *mut RoadPoint);
    fn roads_ahead(from: *const LaneQuery, count: usize, distances: *const f64, found: *mut RoadPoint) -> usize;
    fn roads_route(from: u32, to: u32, capacity: usize, lanes: *mut u32) -> usize;
    fn rays_cast(lane: usize, count: usize, rays: *const Ray, hits: *mut RayHit);
    fn neighbours_own(lane: usize) -> u32;
    fn neighbours_query(lane: usize, count: usize, queries: *const NeighbourQuery, capacity: usize, found: *mut Neighbour, totals: *mut usize);
    fn contacts_query(lane: usize, capacity: usize, found: *mut Contact) -> usize;
    fn classes_classify(count: usize, entities: *const u32, classes: *mut u32);
    fn surface_query(count: usize, points: *const [f64; 3], found: *mut SurfacePoint);
}

/// Returns the size of a table as it states it.
const fn size<T>() -> u32 {
    size_of::<T>() as u32
}

static GROUND: GroundService =
    GroundService { size: size::<GroundService>(), reserved: 0, query: ground };
static EARTH: EarthService =
    EarthService { size: size::<EarthService>(), reserved: 0, locate: earth_locate };
static ROADS: RoadsService = RoadsService {
    size: size::<RoadsService>(),
    reserved: 0,
    locate: roads_locate,
    ahead: roads_ahead,
    route: roads_route,
};
static RAYS: RaysService =
    RaysService { size: size::<RaysService>(), reserved: 0, cast: rays_cast };
static NEIGHBOURS: NeighboursService = NeighboursService {
    size: size::<NeighboursService>(),
    reserved: 0,
    own: neighbours_own,
    query: neighbours_query,
};
static CONTACTS: ContactsService =
    ContactsService { size: size::<ContactsService>(), reserved: 0, query: contacts_query };
static CLASSES: ClassesService =
    ClassesService { size: size::<ClassesService>(), reserved: 0, classify: classes_classify };
static SURFACE: SurfaceService =
    SurfaceService { size: size::<SurfaceService>(), reserved: 0, query: surface_query };

/// Returns the table of a service, or null if the host does not have it.
unsafe extern "C" fn find(_: *const c_void, id: Str) -> *const c_void {
    // SAFETY: the model keeps the text alive.
    let table: *const c_void = match unsafe { id.as_str() } {
        GROUND_SERVICE => ptr::from_ref(&GROUND).cast(),
        EARTH_SERVICE => ptr::from_ref(&EARTH).cast(),
        ROADS_SERVICE => ptr::from_ref(&ROADS).cast(),
        RAYS_SERVICE => ptr::from_ref(&RAYS).cast(),
        NEIGHBOURS_SERVICE => ptr::from_ref(&NEIGHBOURS).cast(),
        CONTACTS_SERVICE => ptr::from_ref(&CONTACTS).cast(),
        CLASSES_SERVICE => ptr::from_ref(&CLASSES).cast(),
        SURFACE_SERVICE => ptr::from_ref(&SURFACE).cast(),
        _ => return ptr::null(),
    };
    // SAFETY: the text is alive, and the host only reads it.
    if unsafe { host::offers(id.data, id.len) } != 0 { table } else { ptr::null() }
}

/// Data of a module, which has one thread.
struct OfModule<T>(T);

// SAFETY: a module has one thread.
unsafe impl<T> Sync for OfModule<T> {}

static SERVICES: OfModule<Services> =
    OfModule(Services { size: size::<Services>(), reserved: 0, context: ptr::null(), find });

/// Cause of the panic that has ended the last call.
static CAUSE: OfModule<UnsafeCell<Fault>> = OfModule(UnsafeCell::new(Fault::NONE));

/// First lane that the running call has not finished.
static PROGRESS: OfModule<Cell<*const Cell<usize>>> = OfModule(Cell::new(ptr::null()));

/// Sets the counter of lanes of the running call.
pub(crate) fn watch(done: &Cell<usize>) {
    PROGRESS.0.set(done);
}

/// Ends the observation of a counter of lanes.
pub(crate) fn forget_progress() {
    PROGRESS.0.set(ptr::null());
}

/// Keeps the cause of a panic, which ends the call by a trap. `write` gets the lane and a place for the fault.
pub(crate) fn keep_cause(write: impl FnOnce(*mut Fault, u64) + Copy) {
    // SAFETY: the counter of a running call lives.
    let lane = unsafe { PROGRESS.0.get().as_ref() }.map_or(0, |done| done.get() as u64);
    write(CAUSE.0.get(), lane);
}

/// Passes bytes on to the host.
unsafe extern "C" fn pass_on(_: *mut c_void, data: *const u8, len: usize) {
    // SAFETY: the host checks that the bytes are within the memory.
    unsafe { host::write(data, len) };
}

/// Passes the description of an image on to the host.
unsafe extern "C" fn pass_image_on(_: *mut c_void, desc: *const ImageDesc) {
    // SAFETY: the host checks that the description is within the memory.
    unsafe { host::image(desc) };
}

/// Returns the services of the host for calls.
#[unsafe(no_mangle)]
extern "C" fn simhost_services() -> *const Services {
    &raw const SERVICES.0
}

/// Returns the cause of the trap that has ended the last call, with code 0 if it was not a panic, and clears it.
#[unsafe(no_mangle)]
extern "C" fn simhost_cause() -> *const Fault {
    static LAST: OfModule<UnsafeCell<Fault>> = OfModule(UnsafeCell::new(Fault::NONE));
    PROGRESS.0.set(ptr::null());
    // SAFETY: the module has one thread, and nothing else refers to either.
    unsafe { *LAST.0.get() = std::mem::replace(&mut *CAUSE.0.get(), Fault::NONE) };
    LAST.0.get()
}

/// Calls [`Model::create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_create(
    model: &Model,
    values: *const Value,
    count: usize,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes arguments of the function; here and below.
    unsafe { (model.create)(Slice { data: values, len: count }, handle, fault) }
}

/// Calls [`Model::arrange`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_arrange(
    model: &Model,
    handle: *const c_void,
    wheels: *mut WheelGeometry,
    count: usize,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as above.
    model.arrange.map_or(0, |arrange| unsafe { arrange(handle, wheels, count, fault) })
}

/// Calls [`Model::capacity`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_capacity(model: &Model, handle: *const c_void) -> usize {
    // SAFETY: as above.
    model.capacity.map_or(0, |capacity| unsafe { capacity(handle) })
}

/// Calls [`Model::ability`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_ability(model: &Model, id: *const u8, len: usize) -> *const c_void {
    // SAFETY: as above.
    model.ability.map_or(ptr::null(), |ability| unsafe { ability(Str { data: id, len }) })
}

/// Calls [`Phase::call`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_call(
    phase: &Phase,
    handle: *const c_void,
    batch: *const simhost_abi::Batch,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as above.
    unsafe { (phase.call)(handle, batch, fault) }
}

/// Calls [`MemoryTable::create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_memory_create(
    table: &MemoryTable,
    handle: *const c_void,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as above.
    unsafe { (table.create)(handle, memory, fault) }
}

/// Calls [`MemoryTable::destroy`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_memory_destroy(table: &MemoryTable, memory: *mut c_void) {
    // SAFETY: as above.
    unsafe { (table.destroy)(memory) }
}

/// Calls [`MemoryTable::save`] and passes the bytes to the import `write`.
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_memory_save(
    table: &MemoryTable,
    memory: *const c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as above.
    unsafe { (table.save)(memory, ptr::null_mut(), pass_on, fault) }
}

/// Calls [`MemoryTable::load`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_memory_load(
    table: &MemoryTable,
    handle: *const c_void,
    schema: u32,
    bytes: *const u8,
    len: usize,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as above.
    unsafe { (table.load)(handle, schema, Slice { data: bytes, len }, memory, fault) }
}

/// Calls [`MigrateTable::migrate`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_migrate(
    table: &MigrateTable,
    handle: *const c_void,
    schema: u32,
    names: *const Str,
    values: *const f64,
    count: usize,
    slots: *mut f64,
    fault: *mut Fault,
) -> u32 {
    let (names, values) = (Slice { data: names, len: count }, Slice { data: values, len: count });
    // SAFETY: as above.
    unsafe { (table.migrate)(handle, schema, names, values, slots, fault) }
}

/// Calls [`SpatialTable::is_spatial`].
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_is_spatial(table: &SpatialTable, handle: *const c_void) -> u32 {
    // SAFETY: as above.
    unsafe { (table.is_spatial)(handle) }
}

/// Calls [`WarningsTable::write`] and passes the bytes to the import `write`.
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_warnings(
    table: &WarningsTable,
    handle: *const c_void,
    wheels: *const WheelUse,
    count: usize,
) {
    let wheels = Slice { data: wheels, len: count };
    // SAFETY: as above.
    unsafe { (table.write)(handle, wheels, ptr::null_mut(), pass_on) }
}

/// Calls [`ImagesTable::images`] and passes the descriptions to the import `image`.
#[unsafe(no_mangle)]
unsafe extern "C" fn simhost_images(table: &ImagesTable, handle: *const c_void) {
    // SAFETY: as above.
    unsafe { (table.images)(handle, ptr::null_mut(), pass_image_on) }
}
