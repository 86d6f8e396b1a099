//! Sensors: from the scene and the vehicle to readings.
//!
//! A sample has two phases. In `aim` a sensor chooses its rays, and the host casts the rays of all
//! sensors together. In `read` the sensor turns exact ranges into readings. A sensor without rays,
//! such as an inertial measurement unit, implements `read` alone.

mod images;
mod space;

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use simhost_abi::{
    Batch, Fault, IMAGES_ABILITY, Kind, Model, Phase, PortDesc, SPATIAL_ABILITY, Scope, Slice, Str,
};

use crate::batch::{Own, are_varied};
use crate::columns::{PortList, port, ports_of, state_of, static_ports, store_wheels};
use crate::descriptor::{self, phase};
use crate::lanes;
use crate::{Columns, ModelCore, Ports, Random, Step, abilities, fault, per_wheel};

pub use simhost_abi::SensorImage as Image;
pub use space::RayResult;

/// A sensor on a vehicle. The implementing struct holds the parameters. All methods except
/// [`prepare`](ModelCore::prepare) take `&self`, and several threads can call them at the same time.
///
#[doc = include_str!("sensor/examples/read.md")]
///
#[doc = include_str!("sensor/examples/space.md")]
///
#[doc = include_str!("sensor/examples/images.md")]
pub trait Sensor: ModelCore {
    /// Measurements of the host or of the dynamics class that the sensor reads, and
    /// [`Reading`](crate::Reading)s of other sensors of its vehicle; `()` for none.
    type Inputs: Ports;
    /// Readings of one number each, or of one per wheel as `[f64; N]`; `()` for none.
    type Readings: Ports;
    /// Readings of one number per ray: an enum that derives [`RayPorts`]; `()` for none.
    type PerRay: RayPorts;
    /// Whether rays can leave the plane, so that [`Aim`] has the fields for that. [A lidar](#in-space) is
    /// an example.
    const SPATIAL: bool = false;
    /// Whether rays start at different points, so that [`Aim`] has offsets. Needs [`Self::SPATIAL`].
    const OFFSETS: bool = false;
    /// Results of rays in space that [`Self::read`] needs in addition to the range. The host computes no others.
    const RAY_RESULTS: &'static [RayResult] = &[];

    /// Returns the number of rays per sample, which is the same for all samples.
    ///
    /// Called once per instance, on the thread that loads the world. [`Sensor`](#example) has an example.
    fn rays(&self) -> usize {
        0
    }

    /// Returns whether the rays of this sensor are cast in space, with [`Self::SPATIAL`], or else in the
    /// plane. The answer cannot depend on parameters with `per_lane`.
    ///
    /// Called once per instance, on the thread that loads the world.
    fn is_spatial(&self) -> bool {
        Self::SPATIAL
    }

    /// Returns the images whose pixels are rays of this sensor, with [`Self::SPATIAL`]. They cannot depend
    /// on parameters with `per_lane`. The host writes images of these kinds to files and streams.
    ///
    /// Called once per instance, on the thread that loads the world. It can allocate.
    fn images(&self) -> Vec<Image> {
        Vec::new()
    }

    /// Chooses the rays of a sample: their origin, m, and directions, rad, in the vehicle frame, and their
    /// largest range, m. [`Sensor`](#example) has an example.
    ///
    /// Called once per sample, on any thread. It must not allocate. `random` is a different stream
    /// than in [`Self::read`].
    fn aim(&self, _aim: &mut Aim, _random: &mut Random) {}

    /// Returns the readings of a sample, each in the unit of its port, and sets the readings of the
    /// rays. [`Sensor`](#example) has an example.
    ///
    /// Called once per sample after the rays are cast, on any thread. It must not allocate, print,
    /// or keep anything outside `state`.
    fn read(
        &self,
        inputs: &Self::Inputs,
        rays: &mut RayReadings<'_, Self::PerRay>,
        random: &mut Random,
        step: &Step,
        state: &mut Self::State,
    ) -> Self::Readings;
}

/// Readings of one number per ray. Derive it for an enum whose variants are the readings.
pub trait RayPorts: Copy + 'static {
    /// All readings.
    const ALL: &'static [Self];
    /// Declarations of the readings, in the same order.
    const PORTS: &'static [PortDesc];
    /// Returns the place of a reading among [`Self::PORTS`].
    fn place(self) -> usize;
}

impl RayPorts for () {
    const ALL: &'static [Self] = &[];
    const PORTS: &'static [PortDesc] = &[];
    fn place(self) -> usize {
        0
    }
}

/// The rays of a sample in the vehicle frame: a planar fan, or rays in space.
///
/// The host keeps the directions of rays in space as long as the angles stay the same from sample to
/// sample.
pub struct Aim<'a> {
    /// Origin ahead of the reference point of the vehicle, m.
    pub x: f64,
    /// Origin left of the reference point, m.
    pub y: f64,
    /// Origin above the ground, m.
    pub z: f64,
    /// Heading of the fan in the vehicle frame, rad.
    pub yaw: f64,
    /// Largest range, m. In space, 0 casts no rays: for a sensor whose readings are a list of
    /// [`Sensor::rays`] places.
    pub max_range: f64,
    /// Whether the rays meet vehicles and movable blocks (true), or walls and static blocks alone.
    pub see_bodies: bool,
    /// Angle of each ray from the heading of the fan, rad. Ascending angles are fastest. In space, the
    /// angle about the z axis of the sensor.
    pub angles: &'a mut [f64],
    /// Pitch of the sensor in the vehicle frame, rad, positive nose down. For rays in space.
    pub pitch: f64,
    /// Roll of the sensor in the vehicle frame, rad, positive left side up. For rays in space.
    pub roll: f64,
    /// Whether the rays meet the vehicle of the sensor. With [`Sensor::SPATIAL`].
    pub see_own: bool,
    /// Angle of each ray above the x-y plane of the sensor, rad; 0 at first. Empty without
    /// [`Sensor::SPATIAL`].
    pub elevations: &'a mut [f64],
    /// Time at which each ray is cast, s, relative to the sample; 0 at first. The host moves the
    /// sensor with the velocity of the vehicle. Rays with equal times should follow each other.
    /// Empty without [`Sensor::SPATIAL`].
    pub times: &'a mut [f64],
    /// Distance from its origin at which each ray begins, m; what is nearer is not seen. For rays in
    /// space.
    pub min_range: f64,
    /// Origin of each ray in the frame of the sensor: x, y and z, m; 0 at first. Rays with equal offsets
    /// should follow each other. Empty without [`Sensor::OFFSETS`].
    pub offsets: [&'a mut [f64]; 3],
}

/// The ranges of the rays of a sample, and the readings per ray.
pub struct RayReadings<'a, R = ()> {
    /// Distance to the nearest contour along each ray, m; infinite where nothing is in range.
    pub ranges: &'a [f64],
    declared: &'static [RayResult],
    results: *const *const f64,
    outputs: *const *mut f64,
    lane: usize,
    rays: usize,
    readings: PhantomData<R>,
}

impl<'a, R: RayPorts> RayReadings<'a, R> {
    /// Returns a result of all rays.
    ///
    /// # Panics
    /// If [`Sensor::RAY_RESULTS`] does not contain it.
    #[inline(always)]
    pub fn result(&self, result: RayResult) -> &'a [f64] {
        let place = self.declared.iter().position(|one| *one == result);
        let Some(place) = place else { panic!("RAY_RESULTS does not contain {result:?}") };
        // SAFETY: the phase has an input for each declared result, a column of scope ray holds every ray
        // of a lane, and inputs never alias outputs.
        unsafe {
            let column = *self.results.add(place);
            std::slice::from_raw_parts(column.add(self.lane * self.rays), self.rays)
        }
    }

    /// Returns a reading of all rays.
    #[inline(always)]
    pub fn column(&mut self, reading: R) -> &mut [f64] {
        let place = reading.place();
        per_wheel::check_range("reading", place, R::PORTS.len());
        // SAFETY: the index is in range, a column of scope ray holds every ray of a lane, and the borrow
        // of `self` keeps this slice the only one.
        unsafe {
            let column = *self.outputs.add(place);
            std::slice::from_raw_parts_mut(column.add(self.lane * self.rays), self.rays)
        }
    }

    /// Sets a reading of a ray.
    #[inline(always)]
    pub fn set(&mut self, reading: R, ray: usize, value: f64) {
        let place = reading.place();
        per_wheel::check_range("ray", ray, self.rays);
        per_wheel::check_range("reading", place, R::PORTS.len());
        // SAFETY: both indices are in range, and a column of scope ray holds every ray of a lane.
        unsafe { *(*self.outputs.add(place)).add(self.lane * self.rays + ray) = value };
    }

    /// Sets several readings of a ray.
    #[inline(always)]
    pub fn set_all<const N: usize>(&mut self, ray: usize, readings: [(R, f64); N]) {
        readings.into_iter().for_each(|(reading, value)| self.set(reading, ray, value));
    }
}

const AIM_OUTPUTS: [PortDesc; 7] = [
    port("origin_x", "m", Scope::Instance, "origin of the fan ahead of the reference point"),
    port("origin_y", "m", Scope::Instance, "origin of the fan left of the reference point"),
    port("origin_z", "m", Scope::Instance, "origin of the fan above the ground"),
    port("origin_yaw", "rad", Scope::Instance, "heading of the fan in the vehicle frame"),
    port("max_range", "m", Scope::Instance, "reach"),
    port("see_bodies", "1", Scope::Instance, "1 when vehicles and movable blocks are seen"),
    port("angle", "rad", Scope::Ray, "angle from the heading of the fan"),
];

const RANGE: [PortDesc; 1] =
    [port("range", "m", Scope::Ray, "distance to the first contour, infinite for none")];

/// Turns the key of a sample's stream in `read` into the key of its stream in `aim`.
const AIM_STREAM: u64 = 0xA1A1_5EED_0000_0001;

/// Builds the descriptor of a sensor.
#[doc(hidden)]
pub struct SensorModel<M>(PhantomData<M>);

impl<M: Sensor> SensorModel<M> {
    const AIM_INPUTS: PortList = {
        lanes::check(M::PARAMS, M::PER_LANE, false);
        PortList::inputs(&[], M::PARAMS)
    };
    const AIM_OUTPUTS: PortList = space::aim_outputs(M::SPATIAL, M::OFFSETS);
    const INPUTS: PortList = {
        assert!(M::SPATIAL || M::RAY_RESULTS.is_empty(), "RAY_RESULTS needs `SPATIAL = true`");
        assert!(M::SPATIAL || !M::OFFSETS, "OFFSETS needs `SPATIAL = true`");
        let ports = PortList::join(<M::Inputs as Ports>::PORTS, &RANGE);
        let ports = space::read_inputs(ports.as_slice(), M::RAY_RESULTS);
        PortList::inputs(ports.as_slice(), M::PARAMS)
    };
    const READINGS: PortList = PortList::join(<M::Readings as Ports>::PORTS, M::PerRay::PORTS);
    const OUTPUTS: PortList = {
        assert!(M::Readings::READINGS == 0, "an output cannot be a `Reading`");
        PortList::published(Self::READINGS.as_slice())
    };
    pub(crate) const PHASES: &'static [Phase] = &[
        phase("aim", static_ports!(Self::AIM_INPUTS), static_ports!(Self::AIM_OUTPUTS), Self::aim),
        phase("read", static_ports!(Self::INPUTS), static_ports!(Self::OUTPUTS), Self::read),
    ];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            phases: Slice::new(Self::PHASES),
            capacity: Some(Self::capacity),
            ability: Some(Self::find),
            ..descriptor::model::<M>(Kind::Sensor, id, version)
        }
    }

    unsafe extern "C" fn find(id: Str) -> *const c_void {
        // SAFETY: the host keeps the text alive during the call.
        match unsafe { id.as_str() } {
            SPATIAL_ABILITY if M::SPATIAL => ptr::from_ref(&space::Choice::<M>::TABLE).cast(),
            IMAGES_ABILITY if M::SPATIAL => ptr::from_ref(&images::Images::<M>::TABLE).cast(),
            // SAFETY: as above.
            _ => unsafe { abilities::find::<M>(id) },
        }
    }

    unsafe extern "C" fn capacity(model: *const c_void) -> usize {
        // SAFETY: `model` came from `create` of this type.
        let model = unsafe { &*model.cast::<M>() };
        fault::contain(|| model.rays()).unwrap_or(0)
    }

    /// Calls `run` for each lane with the model that has its parameters, whose columns begin at number
    /// `parameters` of the inputs.
    ///
    /// # Safety
    /// `model` came from `create` of this type; the host promises a valid batch with the columns of the
    /// phase.
    #[inline(always)]
    unsafe fn each_lane(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
        parameters: usize,
        run: impl Fn(&M, &Batch, usize),
    ) -> u32 {
        // SAFETY: promised by the caller, here and below.
        let (model, batch) = unsafe { (&*model.cast::<M>(), &*batch) };
        fault::guard(batch, fault, &|batch, done| {
            // SAFETY: as above.
            let varied = unsafe { are_varied::<M>(batch, parameters) };
            let mut own = Own::new();
            own.copy(model, varied);
            for lane in batch.first..batch.first + batch.count {
                // SAFETY: as above, and the lane is one of the call's.
                let model = unsafe { own.of_lane(model, varied, batch, parameters, lane) };
                run(model, batch, lane);
                done.set(lane + 1);
            }
        })
    }

    unsafe extern "C" fn aim(model: *const c_void, batch: *const Batch, fault: *mut Fault) -> u32 {
        let parameters = const { 0 };
        // SAFETY: as in `each_lane`.
        unsafe {
            Self::each_lane(model, batch, fault, parameters, |model, batch, lane| {
                Self::aim_lane(model, batch, lane)
            })
        }
    }

    /// # Safety
    /// The columns of `batch` belong to the phase, and `lane` is a lane of the call.
    unsafe fn aim_lane(model: &M, batch: &Batch, lane: usize) {
        let rays = batch.rays;
        // SAFETY: promised by the caller; a column of scope ray holds every ray of a lane, and the columns
        // of different outputs do not overlap.
        let per_ray = |output: usize| unsafe {
            let column = *batch.outputs.add(output);
            std::slice::from_raw_parts_mut(column.add(lane * rays), rays)
        };
        // SAFETY: as above.
        let mut random = unsafe { Random::new(*batch.streams.add(lane) ^ AIM_STREAM) };
        let planar = AIM_OUTPUTS.len();
        let (x, y, z, yaw, max_range) = (0.0, 0.0, 0.0, 0.0, f64::INFINITY);
        let (pitch, roll, see_own) = (0.0, 0.0, false);
        let [elevations, times]: [&mut [f64]; 2] = match M::SPATIAL {
            true => space::PER_RAY.map(|k| per_ray(planar + k)),
            false => [&mut [], &mut []],
        };
        elevations.fill(0.0);
        times.fill(0.0);
        let mut offsets: [&mut [f64]; 3] = match M::OFFSETS {
            true => space::OFFSETS.map(|k| per_ray(planar + k)),
            false => [&mut [], &mut [], &mut []],
        };
        offsets.iter_mut().for_each(|part| part.fill(0.0));
        let angles = per_ray(planar - 1);
        let mut aim = Aim {
            x,
            y,
            z,
            yaw,
            max_range,
            see_bodies: true,
            angles,
            pitch,
            roll,
            see_own,
            elevations,
            times,
            min_range: 0.0,
            offsets,
        };
        model.aim(&mut aim, &mut random);
        // SAFETY: as above.
        let set = |output: usize, value: f64| unsafe {
            *(*batch.outputs.add(output)).add(lane) = value;
        };
        let flag = |is_set: bool| f64::from(u8::from(is_set));
        let fan = [aim.x, aim.y, aim.z, aim.yaw, aim.max_range, flag(aim.see_bodies)];
        fan.into_iter().enumerate().for_each(|(k, value)| set(k, value));
        if M::SPATIAL {
            let singles = [aim.pitch, aim.roll, flag(aim.see_own), aim.min_range];
            let places = space::SINGLES.into_iter();
            places.zip(singles).for_each(|(k, value)| set(planar + k, value));
        }
    }

    unsafe extern "C" fn read(model: *const c_void, batch: *const Batch, fault: *mut Fault) -> u32 {
        let parameters = const { M::Inputs::COUNT + RANGE.len() + M::RAY_RESULTS.len() };
        // SAFETY: as in `each_lane`.
        unsafe {
            Self::each_lane(model, batch, fault, parameters, |model, batch, lane| {
                Self::read_lane(model, batch, lane)
            })
        }
    }

    /// # Safety
    /// The columns of `batch` belong to the phase, and `lane` is a lane of the call.
    unsafe fn read_lane(model: &M, batch: &Batch, lane: usize) {
        let rays = batch.rays;
        let step = Step::of(batch).of_lane(lane);
        // SAFETY: promised by the caller, here and in the blocks below.
        let inputs = unsafe { ports_of::<M::Inputs>(batch, batch.inputs, lane) };
        // SAFETY: as above.
        let mut state = unsafe { state_of::<M::State>(batch, lane) };
        // SAFETY: as above.
        let (mut random, mut readings) = unsafe {
            let column = *batch.inputs.add(M::Inputs::COUNT);
            let ranges: &[f64] = if rays == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(column.add(lane * rays), rays)
            };
            let outputs = batch.outputs.add(M::Readings::COUNT);
            let results = batch.inputs.add(M::Inputs::COUNT + RANGE.len());
            let (declared, readings) = (M::RAY_RESULTS, PhantomData);
            let readings = RayReadings { ranges, declared, results, outputs, lane, rays, readings };
            (Random::new(*batch.streams.add(lane)), readings)
        };
        let made = model.read(&inputs, &mut readings, &mut random, &step, &mut state);
        // SAFETY: as above.
        made.store(|k, value| unsafe { *(*batch.outputs.add(k)).add(lane) = value });
        // SAFETY: as above; the readings are the first outputs.
        unsafe { store_wheels(&made, batch, 0, lane) };
        // SAFETY: as above.
        state.store(|k, value| unsafe { *(*batch.states.add(k)).add(lane) = value });
    }
}
