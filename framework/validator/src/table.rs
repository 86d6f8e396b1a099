//! The table of tests, from which the list, the documentation and the run are derived.

use simhost_abi::Kind;

use crate::case::{Case, Opened};
use crate::subject::Subject;
use crate::tests::{
    contract, controller, descriptor, determinism, dynamics, friction, instances, parameters,
    sensor, state, steps,
};
use crate::verdict::Outcome;

/// A test.
pub struct Test {
    /// Id of the test, which never changes.
    pub id: &'static str,
    /// Kind of models to which the test applies; `None` for all.
    pub kind: Option<Kind>,
    /// Requirement that the test checks.
    pub about: &'static str,
    /// Meaning of a failure, and its remedy.
    pub remedy: &'static str,
    /// Whether the model must not print.
    pub(crate) silent: bool,
    pub(crate) run: Run,
}

/// The function of a test.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    File(fn(&Opened) -> Outcome),
    Model(fn(&Case) -> Outcome),
}

impl Test {
    /// Returns the test with an id.
    pub fn named(id: &str) -> Option<&'static Self> {
        TESTS.iter().find(|test| test.id == id)
    }

    /// Returns whether the test applies to files instead of models.
    pub fn is_of_files(&self) -> bool {
        matches!(self.run, Run::File(_))
    }

    /// Returns whether the test applies to a subject.
    pub fn is_of(&self, subject: &Subject) -> bool {
        match self.run {
            Run::File(_) => !subject.is_model(),
            Run::Model(_) => {
                subject.is_model() && (self.kind.is_none() || self.kind == subject.kind())
            }
        }
    }
}

const fn of_file(
    id: &'static str,
    run: fn(&Opened) -> Outcome,
    about: &'static str,
    remedy: &'static str,
) -> Test {
    Test { id, kind: None, about, remedy, silent: false, run: Run::File(run) }
}

const fn of_model(
    id: &'static str,
    run: fn(&Case) -> Outcome,
    about: &'static str,
    remedy: &'static str,
) -> Test {
    Test { id, kind: None, about, remedy, silent: false, run: Run::Model(run) }
}

const fn of_kind(
    kind: Kind,
    id: &'static str,
    run: fn(&Case) -> Outcome,
    about: &'static str,
    remedy: &'static str,
) -> Test {
    Test { kind: Some(kind), ..of_model(id, run, about, remedy) }
}

/// All tests in the order in which they run.
pub const TESTS: &[Test] = &[
    of_file(
        "abi-magic",
        descriptor::magic,
        "the file loads, and its symbol begins with the magic number",
        "It is no plugin to any host: export one with `export_plugin!` (Rust) or SIMHOST_HEAD (C).",
    ),
    of_file(
        "abi-layout",
        descriptor::layout,
        "epoch, layout and the size of every struct are those of this host",
        "Host and plugin would read different fields: build it with the SDK or header of this host.",
    ),
    of_file(
        "descriptor-complete",
        descriptor::complete,
        "every model, parameter, port and state says what it is and in which unit",
        "Users and tools see gaps: write a doc comment, and a unit (\"1\" for a pure number).",
    ),
    of_file(
        "descriptor-unique-keys",
        descriptor::unique,
        "no key, alias, port, state, phase or command stands twice",
        "A world file could not say which is meant: rename one of them.",
    ),
    of_file(
        "param-default-in-range",
        descriptor::defaults,
        "every default is a value that a world file may give",
        "The model begins with what it forbids: move the default or the bounds.",
    ),
    of_model(
        "param-unknown-rejected",
        parameters::unknown_rejected,
        "`create` refuses a value that was not declared",
        "Values would go to wrong parameters: compare `values.len` with the declaration first.",
    ),
    of_model(
        "param-fuzz-bounds",
        parameters::fuzz_bounds,
        "any parameters within their bounds make a model that steps, or are refused with a text",
        "Bounds promise too much: narrow them, or refuse the combination in `prepare` (`create`).",
    ),
    of_model(
        "create-destroy-1000",
        instances::create_destroy,
        "a thousand instances come and go without a crash or a leak",
        "Long runs of many worlds would end: free in `destroy` all that `create` took.",
    ),
    of_model(
        "two-instances-independent",
        instances::independent,
        "an instance answers the same with another one stepping beside it",
        "They share a variable: keep it in the instance, or in the state if it changes.",
    ),
    of_model(
        "instances-parallel",
        instances::parallel,
        "instances answer the same on several threads at once",
        "There is a data race: remove global variables and what is written behind the handle.",
    ),
    of_model(
        "step-zero-dt",
        steps::zero_dt,
        "a step of length 0 neither crashes nor hangs nor changes later steps",
        "Guard divisions of whole numbers and loops by dt; answer with a fault or any number.",
    ),
    of_model(
        "step-nonfinite-input",
        steps::nonfinite_input,
        "an input that is NaN or infinite neither crashes nor hangs nor changes later steps",
        "Guard loops and indices that come from inputs; a NaN may go through to the outputs.",
    ),
    of_model(
        "step-output-finite",
        steps::output_finite,
        "outputs and states are finite for ordinary inputs",
        "The host would stop the run: guard the division, root or logarithm behind it.",
    ),
    of_model(
        "no-alloc-in-step",
        contract::no_alloc,
        "no phase allocates memory",
        "Steps would take unpredictable time: allocate in `prepare`, or keep it as `Memory`.",
    ),
    Test {
        silent: true,
        ..of_model(
            "no-stdout",
            contract::no_stdout,
            "nothing is printed, on standard output or standard error",
            "It would mix with results: remove it, or answer with a fault that has a text.",
        )
    },
    of_model(
        "state-roundtrip",
        state::roundtrip,
        "bytes that `save` gave are loaded, and saved as the same bytes",
        "A snapshot would not come back as it was: save and load all that is remembered.",
    ),
    of_model(
        "state-truncated",
        state::truncated,
        "saved bytes that are cut are refused, or loaded, without a crash",
        "A damaged snapshot would end the host: check lengths in `load`.",
    ),
    of_model(
        "state-random-bytes",
        state::random_bytes,
        "random bytes are refused, or loaded, without a crash",
        "A damaged snapshot would end the host: believe no length or index in `load`.",
    ),
    of_model(
        "state-resume-bitwise",
        state::resume,
        "an instance that takes over states and memory goes on with the same bits",
        "Snapshots and replays would differ: keep all that is remembered in state or memory.",
    ),
    of_model(
        "determinism-repeat",
        determinism::repeat,
        "the same steps give the same bits again",
        "It reads a clock, an address or a global: use `step.time` and `step.random()`.",
    ),
    of_model(
        "determinism-thread-count",
        determinism::threads,
        "one batch on 1, 2 and 4 threads gives the same bits",
        "Lanes are not independent: keep nothing behind the handle, or say WHOLE_BATCH.",
    ),
    of_model(
        "batch-equals-scalar",
        determinism::batch,
        "a batch gives the same bits as its lanes one by one",
        "A fast path differs from the plain one, or lanes get mixed up: same operations, same order.",
    ),
    of_model(
        "panic-contained",
        contract::panic_contained,
        "a panic comes back as a fault, and the instance still answers",
        "A panic would end the host: build with `panic = \"unwind\"` and the SDK's own adapters.",
    ),
    of_kind(
        Kind::Friction,
        "friction-zero-slip",
        friction::zero_slip,
        "no force at rest; when it rolls, no side force and no more than rolling resistance",
        "Vehicles would creep: let the force go to zero with the slip.",
    ),
    of_kind(
        Kind::Friction,
        "friction-opposes-slip",
        friction::opposes_slip,
        "the force takes energy from the sliding of the contact patch",
        "It drives what it should stop: check the signs of slip and force.",
    ),
    of_kind(
        Kind::Friction,
        "friction-mirror",
        friction::mirror,
        "sliding to the other side gives the mirrored force",
        "Vehicles would pull to one side: use magnitudes for limits and signs for directions.",
    ),
    of_kind(
        Kind::Friction,
        "friction-limit",
        friction::limit,
        "no component is above mu N; without a parameter `mu…`, above 5 N",
        "Wheels would hold what no tyre holds: limit the force by the load.",
    ),
    of_kind(
        Kind::Friction,
        "friction-continuous",
        friction::continuous,
        "the force has no jump of more than a tenth of the load",
        "Wheels would chatter: blend over a small slip instead of switching.",
    ),
    of_kind(
        Kind::Friction,
        "friction-no-nan",
        friction::no_nan,
        "finite force without load, speed, spin, torque or gravity",
        "A wheel in the air or at rest ends the run: guard the division.",
    ),
    of_kind(
        Kind::Dynamics,
        "dynamics-no-energy",
        dynamics::no_energy,
        "without actuators, the vehicle (or its wheels) never gains energy",
        "It speeds up by itself: check signs, and limit forces to what stops the motion in a step.",
    ),
    of_kind(
        Kind::Dynamics,
        "dynamics-mirror",
        dynamics::mirror,
        "the mirrored vehicle with mirrored actuators answers mirrored",
        "It pulls to one side: compare the formulas of left and right.",
    ),
    of_kind(
        Kind::Dynamics,
        "dynamics-halving-dt",
        dynamics::halving_dt,
        "with half and a quarter of the step the motion converges",
        "Results depend on the step: multiply rates by dt once, and forces not at all.",
    ),
    of_kind(
        Kind::Sensor,
        "sensor-rate",
        sensor::rate,
        "every call gives a whole sample, and the number of rays stays",
        "The host calls at the sensor's rate: write every reading in every call, keep no own clock.",
    ),
    of_kind(
        Kind::Sensor,
        "sensor-seed",
        sensor::seed,
        "one seed gives one sample, and noise differs from seed to seed",
        "Runs could not be repeated: draw from the stream that the call hands over.",
    ),
    of_kind(
        Kind::Controller,
        "controller-finite",
        controller::finite,
        "finite outputs for set-points and measurements up to 10⁶",
        "A large error ends the run: limit integrals and outputs.",
    ),
    of_kind(
        Kind::Controller,
        "controller-saturation",
        controller::saturation,
        "outputs stay within the limits that the parameters `max_…` set",
        "Actuators get more than the user allows: clamp as the last thing.",
    ),
];
