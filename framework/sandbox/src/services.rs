//! Services of the host for modules: the functions that a module imports.
//!
//! Questions are copied out of the memory of the module, and answers back. Addresses, counts and lanes are checked, because
//! a module is not trusted.

use std::ffi::c_void;
use std::ptr;

use simhost_abi::{
    CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService, EARTH_SERVICE,
    EarthPoint, EarthService, GROUND_SERVICE, GroundService, ImageDesc, LaneQuery,
    NEIGHBOURS_SERVICE, Neighbour, NeighbourQuery, NeighboursService, RAYS_SERVICE, ROADS_SERVICE,
    Ray, RayHit, RaysService, RoadPoint, RoadsService, SURFACE_SERVICE, Str, SurfacePoint,
    SurfaceService,
};

use crate::engine::{
    CallContext, GuestMemory, GuestSink, OutOfBounds, Plain, bytes_of, functions, read_items,
};
use crate::shapes::shapes;

/// Largest number of questions or answers of a call.
const MOST: usize = 1 << 20;
/// Longest id of a service, bytes.
const MAX_ID: usize = 64;
/// Largest distance of a place on a way over lanes, m.
const MAX_AHEAD: f64 = 1e6;
/// Longest name of an image, bytes.
const MAX_NAME: usize = 256;

functions! {
    /// A function that a module can import from the module [`Import::MODULE`].
    pub enum Import;
    /// Whether the host has a service: text of its id and its length.
    Offers = "offers", 2 -> 1;
    /// Takes bytes of a memory or a warning.
    Write = "write", 2 -> 0;
    /// Takes the description of an image.
    Image = "image", 1 -> 0;
    /// [`GroundService::query`]; so for the others.
    Ground = "ground", 7 -> 0;
    /// [`EarthService::locate`].
    EarthLocate = "earth_locate", 3 -> 0;
    /// [`RoadsService::locate`].
    RoadsLocate = "roads_locate", 3 -> 0;
    /// [`RoadsService::ahead`].
    RoadsAhead = "roads_ahead", 4 -> 1;
    /// [`RoadsService::route`].
    RoadsRoute = "roads_route", 4 -> 1;
    /// [`RaysService::cast`].
    RaysCast = "rays_cast", 4 -> 0;
    /// [`NeighboursService::own`].
    NeighboursOwn = "neighbours_own", 1 -> 1;
    /// [`NeighboursService::query`].
    NeighboursQuery = "neighbours_query", 6 -> 0;
    /// [`ContactsService::query`].
    ContactsQuery = "contacts_query", 3 -> 1;
    /// [`ClassesService::classify`].
    ClassesClassify = "classes_classify", 3 -> 0;
    /// [`SurfaceService::query`].
    SurfaceQuery = "surface_query", 3 -> 0;
}

impl Import {
    /// Name of the module of all imports.
    pub const MODULE: &'static str = "simhost";
}

// SAFETY: numbers without padding, here and below.
unsafe impl Plain for EarthPoint {}
// SAFETY: as above.
unsafe impl Plain for RoadPoint {}
// SAFETY: as above.
unsafe impl Plain for Ray {}
// SAFETY: as above.
unsafe impl Plain for RayHit {}
// SAFETY: as above.
unsafe impl Plain for NeighbourQuery {}
// SAFETY: as above.
unsafe impl Plain for Neighbour {}
// SAFETY: as above.
unsafe impl Plain for Contact {}
// SAFETY: as above.
unsafe impl Plain for SurfacePoint {}

/// Answers a call of an import by a module, with the memory of its instance.
///
/// # Errors
/// The reason why the call must trap: an address is outside of the memory, or an argument is invalid.
pub fn serve(
    import: Import,
    arguments: &[u32],
    context: &CallContext,
    memory: &mut dyn GuestMemory,
) -> Result<u32, String> {
    let question = Question { name: import.name(), arguments, context };
    // SAFETY: tables of the host are valid during the call, and have the type of their id.
    let outcome = unsafe {
        match import {
            Import::Offers => question.offers(memory),
            Import::Write => question.write(memory),
            Import::Image => question.image(memory),
            Import::Ground => question.ground(memory),
            Import::EarthLocate => question.each::<[f64; 3], EarthPoint>(
                memory,
                EARTH_SERVICE,
                EarthPoint::UNKNOWN,
                |table, context, count, from, to| {
                    ((*table.cast::<EarthService>()).locate)(context, count, from, to);
                },
            ),
            Import::RoadsLocate => question.each::<[f64; 4], RoadPoint>(
                memory,
                ROADS_SERVICE,
                RoadPoint::NONE,
                |table, context, count, from, to| {
                    ((*table.cast::<RoadsService>()).locate)(context, count, from, to);
                },
            ),
            Import::ClassesClassify => question.each::<u32, u32>(
                memory,
                CLASSES_SERVICE,
                0,
                |table, context, count, from, to| {
                    ((*table.cast::<ClassesService>()).classify)(context, count, from, to);
                },
            ),
            Import::SurfaceQuery => question.each::<[f64; 3], SurfacePoint>(
                memory,
                SURFACE_SERVICE,
                SurfacePoint::LEVEL,
                |table, context, count, from, to| {
                    ((*table.cast::<SurfaceService>()).query)(context, count, from, to);
                },
            ),
            Import::RoadsAhead => question.roads_ahead(memory),
            Import::RoadsRoute => question.roads_route(memory),
            Import::RaysCast => question.rays_cast(memory),
            Import::NeighboursOwn => question.neighbours_own(),
            Import::NeighboursQuery => question.neighbours_query(memory),
            Import::ContactsQuery => question.contacts_query(memory),
        }
    };
    outcome.map_err(|error| format!("`{}`: {error}", import.name()))
}

/// A call of an import.
struct Question<'q> {
    name: &'static str,
    arguments: &'q [u32],
    context: &'q CallContext,
}

type Outcome = Result<u32, String>;

/// The function of a service that answers questions one by one: table, context, their number, questions and answers.
type Each<Q, A> = unsafe fn(*const c_void, *const c_void, usize, *const Q, *mut A);

impl Question<'_> {
    /// Returns the argument with an index.
    fn argument(&self, index: usize) -> u32 {
        self.arguments.get(index).copied().unwrap_or(0)
    }

    /// Returns a number of questions or answers.
    fn count(&self, index: usize) -> Result<usize, String> {
        let count = self.argument(index) as usize;
        if count <= MOST {
            return Ok(count);
        }
        Err(format!("{count} questions, expected at most {MOST}"))
    }

    /// Returns a lane of the batch of the host.
    fn lane(&self) -> Result<usize, String> {
        let lane = self.argument(0) as usize;
        let CallContext { first, count, .. } = *self.context;
        if lane < count {
            return Ok(first + lane);
        }
        Err(format!("lane {lane} of a call with {count} lanes"))
    }

    /// Returns the table of a service and the context of its functions.
    ///
    /// # Safety
    /// The services of the context live during the call.
    unsafe fn table(&self, id: &str) -> Result<(*const c_void, *const c_void), String> {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.find(id) };
        if table.is_null() {
            return Err(format!("the host does not offer `{id}` in this call"));
        }
        Ok((table, context))
    }

    /// # Safety
    /// As for [`Self::table`].
    unsafe fn find(&self, id: &str) -> (*const c_void, *const c_void) {
        // SAFETY: promised by the caller; the text lives.
        unsafe {
            self.context.services.as_ref().map_or((ptr::null(), ptr::null()), |services| {
                ((services.find)(services.context, Str::borrowed(id)), services.context)
            })
        }
    }

    /// # Safety
    /// As for [`Self::table`]; so for all functions below.
    unsafe fn offers(&self, memory: &mut dyn GuestMemory) -> Outcome {
        let len = (self.argument(1) as usize).min(MAX_ID);
        let id: Vec<u8> = read_items(memory, self.argument(0), len)?;
        let id = String::from_utf8_lossy(&id);
        // SAFETY: promised by the caller.
        Ok(u32::from(!unsafe { self.find(&id) }.0.is_null()))
    }

    unsafe fn write(&self, memory: &mut dyn GuestMemory) -> Outcome {
        let Some(GuestSink::Bytes(sink, write)) = self.context.sink else {
            return Err(format!("`{}` is for memories and warnings only", self.name));
        };
        let bytes: Vec<u8> = read_items(memory, self.argument(0), self.argument(1) as usize)?;
        // SAFETY: the sink belongs to the function.
        unsafe { write(sink, bytes.as_ptr(), bytes.len()) };
        Ok(0)
    }

    unsafe fn image(&self, memory: &mut dyn GuestMemory) -> Outcome {
        let Some(GuestSink::Images(sink, write)) = self.context.sink else {
            return Err(format!("`{}` is for descriptions of images only", self.name));
        };
        let shape = shapes().get("ImageDesc");
        let mut bytes = vec![0; shape.size];
        memory.read(self.argument(0), &mut bytes)?;
        if shape.u32(&bytes, "size") as usize != shape.size {
            return Err(format!("an image has another `size` than {} bytes", shape.size));
        }
        let at = shape.field("name").offset;
        let [text, len] = [at, at + 4]
            .map(|at| bytes[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four)));
        let name: Vec<u8> = read_items(memory, text, (len as usize).min(MAX_NAME))?;
        let [fx, fy, cx, cy] =
            ["fx", "fy", "cx", "cy"].map(|name| shape.f64s::<1>(&bytes, name)[0]);
        let desc = ImageDesc {
            size: size_of::<ImageDesc>() as u32,
            kind: shape.u32(&bytes, "kind"),
            name: Str { data: name.as_ptr(), len: name.len() },
            width: shape.u32(&bytes, "width"),
            height: shape.u32(&bytes, "height"),
            first_ray: shape.u32(&bytes, "first_ray") as usize,
            fx,
            fy,
            cx,
            cy,
            distortion: shape.u32(&bytes, "distortion"),
            reserved: 0,
            coefficients: shape.f64s(&bytes, "coefficients"),
            pose: shape.f64s(&bytes, "pose"),
        };
        // SAFETY: the sink belongs to the function, and the description lives during the call.
        unsafe { write(sink, &raw const desc) };
        Ok(0)
    }

    /// Answers questions of one type one by one: number, questions, answers.
    unsafe fn each<Q: Plain, A: Plain>(
        &self,
        memory: &mut dyn GuestMemory,
        id: &str,
        blank: A,
        answer: Each<Q, A>,
    ) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(id)? };
        let count = self.count(0)?;
        let questions: Vec<Q> = read_items(memory, self.argument(1), count)?;
        let mut answers = vec![blank; count];
        // SAFETY: the table is of this id; as many answers as questions.
        unsafe { answer(table, context, count, questions.as_ptr(), answers.as_mut_ptr()) };
        memory.write(self.argument(2), bytes_of(&answers))?;
        Ok(0)
    }

    unsafe fn ground(&self, memory: &mut dyn GuestMemory) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(GROUND_SERVICE)? };
        let count = self.count(0)?;
        let mut points = Vec::new();
        for index in 1..4 {
            points.push(read_items::<f64>(memory, self.argument(index), count)?);
        }
        let mut found = [vec![0.0; count], vec![0.0; count], vec![0.0; count]];
        let [x, y, z] = [0, 1, 2].map(|index| points[index].as_ptr());
        let [height, slope_x, slope_y] = found.each_mut().map(|column| column.as_mut_ptr());
        // SAFETY: columns of this length.
        unsafe {
            let ground = &*table.cast::<GroundService>();
            (ground.query)(context, count, x, y, z, height, slope_x, slope_y);
        }
        for (column, index) in found.iter().zip(4..) {
            if self.argument(index) != 0 {
                memory.write(self.argument(index), bytes_of(column))?;
            }
        }
        Ok(0)
    }

    unsafe fn roads_ahead(&self, memory: &mut dyn GuestMemory) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(ROADS_SERVICE)? };
        // a query in a module: index, reserved, s, turns, address of the route and its length
        let [head]: [[u32; 8]; 1] = items(memory, self.argument(0))?;
        let [index, _, s0, s1, turns0, turns1, at, len] = head;
        let wide = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        let len = if at == 0 { 0 } else { len as usize };
        if len > MOST {
            return Err(format!("a route of {len} lanes, expected at most {MOST}"));
        }
        let route: Vec<u32> = read_items(memory, at, len)?;
        let from = LaneQuery {
            index,
            reserved: 0,
            s: f64::from_bits(wide(s0, s1)),
            turns: wide(turns0, turns1),
            route: route.as_ptr(),
            route_len: route.len(),
        };
        let count = self.count(1)?;
        let distances: Vec<f64> = read_items(memory, self.argument(2), count)?;
        // a way over lanes can lead around for ever
        if let Some(far) =
            distances.iter().find(|distance| distance.is_nan() || distance.abs() > MAX_AHEAD)
        {
            return Err(format!("{far} m ahead, expected at most {MAX_AHEAD} m"));
        }
        let mut found = vec![RoadPoint::NONE; count];
        // SAFETY: the query and the distances live, and there is room for as many places.
        let known = unsafe {
            let roads = &*table.cast::<RoadsService>();
            (roads.ahead)(context, &raw const from, count, distances.as_ptr(), found.as_mut_ptr())
        };
        let known = known.min(count);
        memory.write(self.argument(3), bytes_of(&found[..known]))?;
        Ok(known as u32)
    }

    unsafe fn roads_route(&self, memory: &mut dyn GuestMemory) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(ROADS_SERVICE)? };
        let capacity = self.count(2)?;
        let mut lanes = vec![0_u32; capacity];
        // SAFETY: there is room for this number of lanes.
        let all = unsafe {
            let roads = &*table.cast::<RoadsService>();
            (roads.route)(context, self.argument(0), self.argument(1), capacity, lanes.as_mut_ptr())
        };
        memory.write(self.argument(3), bytes_of(&lanes[..all.min(capacity)]))?;
        Ok(all as u32)
    }

    unsafe fn rays_cast(&self, memory: &mut dyn GuestMemory) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(RAYS_SERVICE)? };
        let (lane, count) = (self.lane()?, self.count(1)?);
        let rays: Vec<Ray> = read_items(memory, self.argument(2), count)?;
        let mut hits = vec![RayHit::NOTHING; count];
        // SAFETY: as many hits as rays.
        unsafe {
            let service = &*table.cast::<RaysService>();
            (service.cast)(context, lane, count, rays.as_ptr(), hits.as_mut_ptr());
        }
        memory.write(self.argument(3), bytes_of(&hits))?;
        Ok(0)
    }

    unsafe fn neighbours_own(&self) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(NEIGHBOURS_SERVICE)? };
        let lane = self.lane()?;
        // SAFETY: the lane is one of the call.
        Ok(unsafe { ((*table.cast::<NeighboursService>()).own)(context, lane) })
    }

    unsafe fn neighbours_query(&self, memory: &mut dyn GuestMemory) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(NEIGHBOURS_SERVICE)? };
        let (lane, count, capacity) = (self.lane()?, self.count(1)?, self.count(3)?);
        let answers = count.checked_mul(capacity).filter(|answers| *answers <= MOST);
        let answers = answers.ok_or_else(|| format!("more than {MOST} answers"))?;
        let queries: Vec<NeighbourQuery> = read_items(memory, self.argument(2), count)?;
        let mut found = vec![Neighbour::NONE; answers];
        let mut totals = vec![0_usize; count];
        // SAFETY: there is room for `capacity` answers and a total for each question.
        unsafe {
            let service = &*table.cast::<NeighboursService>();
            let (found, totals) = (found.as_mut_ptr(), totals.as_mut_ptr());
            (service.query)(context, lane, count, queries.as_ptr(), capacity, found, totals);
        }
        let totals: Vec<u32> = totals.into_iter().map(|total| total as u32).collect();
        memory.write(self.argument(4), bytes_of(&found))?;
        memory.write(self.argument(5), bytes_of(&totals))?;
        Ok(0)
    }

    unsafe fn contacts_query(&self, memory: &mut dyn GuestMemory) -> Outcome {
        // SAFETY: promised by the caller.
        let (table, context) = unsafe { self.table(CONTACTS_SERVICE)? };
        let (lane, capacity) = (self.lane()?, self.count(1)?);
        let mut found = vec![Contact::NONE; capacity];
        // SAFETY: there is room for this number of contacts.
        let all = unsafe {
            let service = &*table.cast::<ContactsService>();
            (service.query)(context, lane, capacity, found.as_mut_ptr())
        };
        memory.write(self.argument(2), bytes_of(&found[..all.min(capacity)]))?;
        Ok(all as u32)
    }
}

/// Reads a fixed number of items.
fn items<T: Plain, const N: usize>(
    memory: &mut dyn GuestMemory,
    at: u32,
) -> Result<[T; N], OutOfBounds> {
    let items: Vec<T> = read_items(memory, at, N)?;
    items.try_into().map_err(|_| OutOfBounds)
}
