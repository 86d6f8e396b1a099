//! Contacts of a vehicle and semantic classes of entities, as services of the host.
//!
//! They are found only during the calls of a model with
//! [`model_flag::PERCEIVES`](crate::model_flag::PERCEIVES).

use std::ffi::c_void;

/// Id of [`ContactsService`], asked of [`Services::find`](crate::Services::find).
pub const CONTACTS_SERVICE: &str = "simhost.contacts/1";
/// Id of [`ClassesService`], asked of [`Services::find`](crate::Services::find).
pub const CLASSES_SERVICE: &str = "simhost.classes/1";

/// A point at which a vehicle touches something, for [`ContactsService::query`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Point of the outline of the vehicle, x and y, world frame, m.
    pub point: [f64; 2],
    /// Unit vector in which the other object pushes the vehicle, x and y, world frame.
    pub normal: [f64; 2],
    /// Normal force, N: the impulse of the contact divided by the time over which it has acted. 0 for a
    /// contact without load, and for a vehicle whose velocity is imposed.
    pub force: f64,
    /// Number of the vehicle, actor or movable block that is touched;
    /// [`NO_ENTITY`](crate::NO_ENTITY) for anything that never moves.
    pub entity: u32,
    /// Zero.
    pub reserved: u32,
}

/// The contacts of a vehicle, as a service of the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ContactsService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Writes up to `capacity` contacts of the vehicle of a lane in the last step, and returns the number
    /// of all of them, which can be greater.
    pub query: unsafe extern "C" fn(
        context: *const c_void,
        lane: usize,
        capacity: usize,
        found: *mut Contact,
    ) -> usize,
}

/// The semantic classes of entities, as a service of the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ClassesService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Writes the number of the semantic class of each of `count` vehicles, blocks and actors, as
    /// `classes.csv` lists them; 0 for other entities.
    pub classify: unsafe extern "C" fn(
        context: *const c_void,
        count: usize,
        entities: *const u32,
        classes: *mut u32,
    ),
}

impl Contact {
    /// A contact with all numbers zero and the number of no entity, to fill a buffer with.
    pub const NONE: Self = Self {
        point: [0.0; 2],
        normal: [0.0; 2],
        force: 0.0,
        entity: crate::NO_ENTITY,
        reserved: 0,
    };
}
