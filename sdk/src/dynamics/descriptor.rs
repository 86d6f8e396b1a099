//! The descriptor of a dynamics class and its functions.

use std::ffi::c_void;

use simhost_abi::{
    ChassisDesc, Fault, Kind, Model, Phase, Slice, Str, WheelDesc, WheelGeometry, fault_code,
    model_flag,
};

use super::answer::{self, sealed::Answer};
use super::energies::Energy;
use super::phases::{Advance, Drive, DynamicsRates, Measure};
use super::wheels::MOTION;
use super::{Dynamics, Energies, WheelPlace};
use crate::batch;
use crate::columns::{PortList, static_ports};
use crate::descriptor::{self, phase};
use crate::lanes;
use crate::{Columns, Ports, State, fault};

/// Largest number of wheels of a class.
const MAX_WHEELS: usize = 32;

/// Builds the descriptor of a dynamics class.
#[doc(hidden)]
pub struct DynamicsModel<M>(std::marker::PhantomData<M>);

impl<M: Dynamics> DynamicsModel<M> {
    const MOTION: PortList = PortList::join(&MOTION, M::WHEEL_INPUTS);
    const INPUTS: PortList = {
        assert!(M::Actuators::PER_WHEEL == 0, "declare inputs per wheel in `WHEEL_INPUTS`");
        lanes::check(M::PARAMS, M::PER_LANE, false);
        let ports = PortList::join(M::Actuators::PORTS, Self::MOTION.as_slice());
        PortList::inputs(ports.as_slice(), M::PARAMS)
    };
    const WHEELS_AND_PARAMETERS: PortList = PortList::inputs(Self::MOTION.as_slice(), M::PARAMS);
    const OUTPUTS: PortList =
        answer::outputs::<M::Output>(M::SETS_CAMBER, M::SETS_DRIVE_INERTIA, M::ADVANCES);
    const MEASURED: PortList = {
        assert!(M::Measurements::READINGS == 0, "an output cannot be a `Reading`");
        PortList::published(<M::Measurements as Ports>::PORTS)
    };
    const ADVANCED: PortList = answer::advanced();
    const ENERGIES: PortList = PortList::join(<Energies as Ports>::PORTS, &[]);
    const RATES: PortList = PortList::rates(<M::State as State>::STATES);
    const CHASSIS: &'static ChassisDesc = &ChassisDesc {
        size: size_of::<ChassisDesc>() as u32,
        reserved: 0,
        mass: M::CHASSIS.mass,
        z_min: M::CHASSIS.z_min,
        z_max: M::CHASSIS.z_max,
        polygon: Slice::new(M::CHASSIS.polygon),
    };
    const WHEELS: [WheelDesc; MAX_WHEELS] = {
        let empty = WheelDesc {
            size: size_of::<WheelDesc>() as u32,
            flags: 0,
            tag: Str::new(""),
            x: 0.0,
            y: 0.0,
        };
        let mut wheels = [empty; MAX_WHEELS];
        assert!(M::WHEELS.len() <= MAX_WHEELS, "more than 32 wheels");
        let mut i = 0;
        while i < M::WHEELS.len() {
            let WheelPlace { tag, x, y, flags } = M::WHEELS[i];
            wheels[i] = WheelDesc { flags, tag: Str::new(tag), x, y, ..empty };
            i += 1;
        }
        wheels
    };
    const DRIVE: Phase = phase(
        M::Output::PHASE,
        static_ports!(Self::INPUTS),
        static_ports!(Self::OUTPUTS),
        batch::phase::<Drive<M>>,
    );
    const MEASURE: Phase = phase(
        "measure",
        static_ports!(Self::WHEELS_AND_PARAMETERS),
        static_ports!(Self::MEASURED),
        batch::phase::<Measure<M>>,
    );
    pub(crate) const PHASES: &'static [Phase; 3] = &[
        Self::DRIVE,
        Self::MEASURE,
        phase(
            "rates",
            static_ports!(Self::INPUTS),
            static_ports!(Self::RATES),
            batch::phase::<DynamicsRates<M>>,
        ),
    ];

    const ADVANCING: &'static [Phase; 4] = &[
        Self::DRIVE,
        Self::MEASURE,
        phase(
            "advance",
            static_ports!(Self::INPUTS),
            static_ports!(Self::ADVANCED),
            batch::phase::<Advance<M>>,
        ),
        phase(
            "energy",
            static_ports!(Self::INPUTS),
            static_ports!(Self::ENERGIES),
            batch::phase::<Energy<M>>,
        ),
    ];

    /// Returns the phases that the class has.
    const fn phases() -> &'static [Phase] {
        assert!(
            !(M::ADVANCES && M::CONTINUOUS),
            "the host integrates the states of a class that ADVANCES itself"
        );
        assert!(M::ADVANCES || !M::HAS_ENERGIES, "only a class that ADVANCES has energies");
        match M::ADVANCES {
            true => Self::ADVANCING.split_at(3 + M::HAS_ENERGIES as usize).0,
            false => Self::PHASES.split_at(2 + M::CONTINUOUS as usize).0,
        }
    }

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        let holonomic = if M::HOLONOMIC { model_flag::HOLONOMIC } else { 0 };
        Model {
            flags: holonomic | descriptor::flags::<M>(false),
            wheels: Slice::new(const { Self::WHEELS.split_at(M::WHEELS.len()).0 }),
            chassis: Self::CHASSIS,
            phases: Slice::new(const { Self::phases() }),
            arrange: Some(Self::arrange),
            ..descriptor::model::<M>(Kind::Dynamics, id, version)
        }
    }

    unsafe extern "C" fn arrange(
        model: *const c_void,
        wheels: *mut WheelGeometry,
        count: usize,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type.
        let model = unsafe { &*model.cast::<M>() };
        // SAFETY: the host hands over `count` wheels that it does not touch during the call.
        let wheels = unsafe { std::slice::from_raw_parts_mut(wheels, count) };
        match fault::contain(|| model.arrange(wheels)) {
            Ok(Ok(())) => fault_code::NONE,
            Ok(Err(text)) => fault::report(fault, fault_code::REFUSED, 0, &text),
            Err(caught) => caught.report(fault, 0),
        }
    }
}
