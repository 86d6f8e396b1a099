//! The table of tests, from which the list, the documentation and the run are derived.

use simhost_abi::Kind;

use crate::case::{Case, Opened};
use crate::instance::{Failure, Outcome};
use crate::subject::Subject;
use crate::tests::{
    actuator, columns, contract, controller, descriptor, determinism, dynamics, environment, fleet,
    friction, instances, lanes, observer, parameters, perception, readings, sensor, state, steps,
};

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
    /// Whether a crash or a hang is what the test looks for.
    crashes: bool,
    /// Whether the traces of two processes are compared.
    pub(crate) in_two_processes: bool,
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

    /// Returns the remedy of a failure. Advice on what the test checks does not help if the model has
    /// ended the process for another reason.
    pub fn remedy_of(&self, failure: &Failure) -> &'static str {
        match failure {
            Failure { lacks: true, .. } => LACKS,
            Failure { ended: true, .. } if !self.crashes => ENDED,
            _ => self.remedy,
        }
    }

    /// Returns whether the test examines the parameters of a model, and so reports those that are missing.
    pub(crate) fn examines_parameters(&self) -> bool {
        self.id == "param-fuzz-bounds"
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

/// Remedy of a model that ends the process in a test that does not look for that.
const ENDED: &str = "The model did this before the test could judge it. Correct the failures above first; \
    `valgrind --trace-children=yes` or a debugger show the line.";

/// Remedy of a required parameter that is missing.
const LACKS: &str =
    "Give it with `--param NAME=VALUE`, or in the file simhost.toml of the project.";

/// Returns a test for which a crash or a hang is the finding.
const fn finds_crashes(test: Test) -> Test {
    Test { crashes: true, ..test }
}

/// Returns a test whose trace is compared with the trace of another process.
const fn in_two_processes(test: Test) -> Test {
    Test { in_two_processes: true, ..test }
}

/// Returns a test of every kind of subject, from its id, what it checks, and the remedy.
const fn plain([id, about, remedy]: [&'static str; 3], run: Run) -> Test {
    let (silent, crashes, in_two_processes) = (false, false, false);
    Test { id, kind: None, about, remedy, silent, crashes, in_two_processes, run }
}

const fn of_file(
    id: &'static str,
    run: fn(&Opened) -> Outcome,
    about: &'static str,
    remedy: &'static str,
) -> Test {
    plain([id, about, remedy], Run::File(run))
}

const fn of_model(
    id: &'static str,
    run: fn(&Case) -> Outcome,
    about: &'static str,
    remedy: &'static str,
) -> Test {
    plain([id, about, remedy], Run::Model(run))
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
        "the file loads, and its symbol starts with the magic number",
        "No host accepts it as a plugin: export one with `export_plugin!` (Rust) or SIMHOST_HEAD (C).",
    ),
    of_file(
        "abi-layout",
        descriptor::layout,
        "epoch, layout and struct sizes match this host",
        "Host and plugin would read different fields: build it with the SDK or header of this host.",
    ),
    of_file(
        "abi-walk",
        descriptor::walk,
        "abi_stable finds no difference between the types of plugin and host, if both have the feature `stable-abi`",
        "Host and plugin would read different fields: build it with the SDK of this host.",
    ),
    of_file(
        "descriptor-complete",
        descriptor::complete,
        "every model, parameter, port and state has a description and a unit",
        "Users and tools need both: write a doc comment, and a unit (\"1\" for a pure number).",
    ),
    of_file(
        "descriptor-unique-keys",
        descriptor::unique,
        "keys, aliases, ports, states, phases and commands are unique",
        "A world file could not distinguish them: rename one.",
    ),
    of_file(
        "param-default-in-range",
        descriptor::defaults,
        "every default is within its own bounds",
        "The model starts with a value that it forbids: change the default or the bounds.",
    ),
    of_file(
        "descriptor-ports",
        descriptor::ports_fit,
        "ports that the kind of a model fixes have the names, units and scopes of the host",
        "Worlds with the model would not load: correct the port as the message says.",
    ),
    of_model(
        "param-unknown-rejected",
        parameters::unknown_rejected,
        "`create` rejects a value that was not declared",
        "Values could reach the wrong parameters: compare `values.len` with the declaration first.",
    ),
    finds_crashes(of_model(
        "column-bounds",
        columns::column_bounds,
        "a call accesses no value before the first or after the last one of a column",
        "In a run, it would access another quantity or crash: check the loop over lanes and the index of each scope.",
    )),
    of_model(
        "lanes-of-the-call",
        columns::lanes_of_the_call,
        "a call reads and writes only the lanes `first .. first + count`",
        "Other lanes belong to other vehicles and threads: check the loop over lanes and the index of each scope.",
    ),
    of_model(
        "outputs-written",
        columns::outputs_written,
        "every call writes all outputs of all its lanes",
        "The host would use the result of an earlier step: write every output, also where it is 0.",
    ),
    of_model(
        "inputs-unchanged",
        columns::inputs_unchanged,
        "a call does not write its inputs",
        "Other models read the same columns: copy a value before you change it, and check the index of each column.",
    ),
    of_model(
        "float-control",
        contract::keeps_float_control,
        "rounding, flush to zero and traps stay as they are",
        "The host restores them and warns in every run: build without -ffast-math, and do not call fesetround.",
    ),
    finds_crashes(of_model(
        "param-fuzz-bounds",
        parameters::fuzz_bounds,
        "parameters within their bounds create a model that works on a vehicle with or without wheels that steer, or are rejected with a message",
        "The bounds are too wide: narrow them, or reject the combination in `prepare` (`create`).",
    )),
    of_model(
        "create-destroy-1000",
        instances::create_destroy,
        "a thousand instances are created and destroyed without a crash or a leak",
        "Long series of runs would fail: free everything in `destroy` that `create` allocated.",
    ),
    of_model(
        "two-instances-independent",
        instances::independent,
        "an instance returns the same results while another one is called",
        "They share a variable: move it into the instance, or into the state if it changes.",
    ),
    of_model(
        "instances-parallel",
        instances::parallel,
        "instances return the same results on several threads",
        "There is a data race: remove global variables and writes through the handle.",
    ),
    finds_crashes(of_model(
        "step-zero-dt",
        steps::zero_dt,
        "a step of length 0 does not crash, hang or change later steps",
        "Guard integer divisions and loops that depend on dt; return a fault or any number.",
    )),
    finds_crashes(of_model(
        "step-nonfinite-input",
        steps::nonfinite_input,
        "a NaN or infinite input does not crash, hang or change later steps",
        "Guard loops and indices that depend on inputs; outputs can be NaN.",
    )),
    of_model(
        "step-output-finite",
        steps::output_finite,
        "outputs and states are finite for ordinary inputs",
        "The host would stop the run: guard the division, root or logarithm that causes it.",
    ),
    finds_crashes(of_model(
        "reading-empty",
        readings::empty,
        "before the first sample of a sensor, outputs and states are finite",
        "The host would stop the run: handle a reading without values, whose age is infinite.",
    )),
    of_model(
        "reading-count",
        readings::count,
        "results do not depend on values of a reading beyond its count",
        "They are left over from an earlier reading: use the count of the lane, not the capacity.",
    ),
    of_model(
        "perception-declared",
        perception::declared,
        "a model that asks about the world around it declares that it perceives",
        "The host would not answer: set `const PERCEIVES: bool = true` (SIMHOST_MODEL_FLAG_PERCEIVES).",
    ),
    finds_crashes(of_model(
        "perception-answers",
        perception::answers,
        "outputs and states are finite without services, with nothing around, and with more neighbours than the capacity",
        "The host would stop the run: check for null, and use no more neighbours than the buffer holds.",
    )),
    of_model(
        "perception-lanes",
        perception::lanes,
        "what a vehicle perceives does not depend on the division of the batch",
        "It asks for another vehicle: pass the lane of the column, not its place in the call.",
    ),
    of_model(
        "no-alloc-in-step",
        contract::no_alloc,
        "no phase allocates memory",
        "The time of a step would be unpredictable: allocate in `prepare`, or use a `Memory`.",
    ),
    Test {
        silent: true,
        ..of_model(
            "no-stdout",
            contract::no_stdout,
            "nothing is printed to standard output or standard error",
            "Output would mix with results: remove it, or return a fault with a message.",
        )
    },
    of_model(
        "state-roundtrip",
        state::roundtrip,
        "loading saved bytes and saving again gives the same bytes",
        "A snapshot would not be restored exactly: save and load the whole memory.",
    ),
    finds_crashes(of_model(
        "state-truncated",
        state::truncated,
        "truncated bytes are rejected or loaded without a crash",
        "A damaged snapshot would crash the host: check lengths in `load`.",
    )),
    finds_crashes(of_model(
        "state-random-bytes",
        state::random_bytes,
        "random bytes are rejected or loaded without a crash",
        "A damaged snapshot would crash the host: validate every length and index in `load`.",
    )),
    of_model(
        "state-resume-bitwise",
        state::resume,
        "an instance with restored states and memory continues with the same bits",
        "Snapshots and replays would differ: keep all state in state slots or memory.",
    ),
    of_model(
        "determinism-repeat",
        determinism::repeat,
        "repeated steps give the same bits",
        "It reads a clock, an address or a global: use `step.time` and `step.random()`.",
    ),
    of_model(
        "time-invariant",
        determinism::at_any_time,
        "a model that declares TIME_INVARIANT gives the same bits at any time",
        "The host gives it no time: remove the flag, or use nothing of the step but its length.",
    ),
    in_two_processes(of_model(
        "determinism-process",
        determinism::processes,
        "a process with another environment, another address layout and another time gives the same bits",
        "It reads a clock, an address, a variable of the environment or a file: make it a parameter.",
    )),
    of_model(
        "determinism-thread-count",
        determinism::threads,
        "a batch gives the same bits on 1, 2 and 4 threads",
        "Lanes are not independent: do not write through the handle, or declare WHOLE_BATCH.",
    ),
    of_model(
        "batch-equals-scalar",
        determinism::batch,
        "a batch gives the same bits as its lanes one by one",
        "A fast path differs from the plain one, or lanes are mixed up: use the same operations in the same order.",
    ),
    of_model(
        "parameters-per-lane",
        lanes::per_lane,
        "lanes with separate parameters give the same bits as instances that were created with them",
        "The lanes would behave like another vehicle: compute values that depend on a per-lane parameter in each phase instead of `prepare` (`create`), and read its column.",
    ),
    finds_crashes(of_model(
        "panic-contained",
        contract::panic_contained,
        "a panic is returned as a fault, and the instance still works",
        "A panic would end the host: build with `panic = \"unwind\"` and the adapters of the SDK.",
    )),
    of_kind(
        Kind::Friction,
        "friction-zero-slip",
        friction::zero_slip,
        "there is no force at rest, and only rolling resistance when rolling without slip",
        "Vehicles would creep: let the force go to zero with the slip.",
    ),
    of_kind(
        Kind::Friction,
        "friction-opposes-slip",
        friction::opposes_slip,
        "the force takes energy from the sliding of the contact patch, and with `spin_torque` from wheel and vehicle",
        "The force drives the sliding or the spin: check the signs of slip, force and torque.",
    ),
    of_kind(
        Kind::Friction,
        "friction-mirror",
        friction::mirror,
        "mirrored sliding gives the mirrored force",
        "Vehicles would pull to one side: use magnitudes for limits and signs for directions.",
    ),
    of_kind(
        Kind::Friction,
        "friction-limit",
        friction::limit,
        "no component exceeds mu times the normal load (5 times without a parameter `mu…`) plus a declared viscous resistance",
        "Wheels would have unlimited grip: limit the force by the normal load, and declare the coefficient of a viscous term with its unit, such as N·s/m.",
    ),
    of_kind(
        Kind::Friction,
        "friction-continuous",
        friction::continuous,
        "the force has no jump of more than a tenth of the normal load",
        "Wheels would chatter: blend over a small slip instead of switching.",
    ),
    of_kind(
        Kind::Friction,
        "friction-no-nan",
        friction::no_nan,
        "the force is finite without load, speed, spin, torque or gravity, also with a parameter at its bound",
        "A wheel in the air or at rest would end the run: guard the division.",
    ),
    of_kind(
        Kind::Friction,
        "friction-halving-dt",
        friction::halving_dt,
        "the force of a sliding wheel does not depend on the step",
        "Results depend on the step: multiply rates by dt once, and forces not at all.",
    ),
    of_kind(
        Kind::Dynamics,
        "dynamics-no-energy",
        dynamics::no_energy,
        "without actuators, the vehicle (or its wheels) never gains energy",
        "It accelerates by itself: check signs, and limit forces to those that stop the motion in a step.",
    ),
    of_kind(
        Kind::Dynamics,
        "dynamics-mirror",
        dynamics::mirror,
        "a mirrored vehicle with mirrored actuators gives mirrored results",
        "It pulls to one side: compare the formulas of left and right.",
    ),
    of_kind(
        Kind::Dynamics,
        "dynamics-halving-dt",
        dynamics::halving_dt,
        "the motion converges with a half and a quarter of the step",
        "Results depend on the step: multiply rates by dt once, and forces not at all.",
    ),
    of_kind(
        Kind::Sensor,
        "sensor-rate",
        sensor::rate,
        "every call gives a complete sample, and the number of rays is constant, and not 0 where readings have one value per ray",
        "The host calls at the rate of the sensor: write every reading in every call, without a clock of your own.",
    ),
    of_kind(
        Kind::Sensor,
        "sensor-seed",
        sensor::seed,
        "a seed determines the sample, and noise differs between seeds",
        "Runs could not be repeated: draw from the stream of the call.",
    ),
    of_kind(
        Kind::Environment,
        "environment-state",
        environment::state,
        "only `update` changes the state of the world",
        "The order of vehicles and wheels would matter: advance the state in `update`, and only read it elsewhere.",
    ),
    of_kind(
        Kind::Environment,
        "environment-range",
        environment::range,
        "the wind is slower than sound, mu is at most 5, c_rr at most 1 and gravity at most 1000 m/s²",
        "Vehicles would be thrown away or stop at once: check the units, and limit the values.",
    ),
    of_kind(
        Kind::Environment,
        "environment-halving-dt",
        environment::halving_dt,
        "continuous states converge with a half and a quarter of the step",
        "The weather depends on the step: multiply rates by dt.",
    ),
    of_kind(
        Kind::Controller,
        "controller-finite",
        controller::finite,
        "outputs are finite for setpoints and measurements up to 10⁶, and at rest at the goal",
        "A large error would end the run: limit integrals and outputs.",
    ),
    of_kind(
        Kind::Controller,
        "controller-saturation",
        controller::saturation,
        "outputs stay within the limits of the parameters `max_…`: those with its unit and name, as `torque_left` for `max_torque`",
        "Actuators receive more than the user allows: clamp the output last.",
    ),
    of_kind(
        Kind::Controller,
        "controller-halving-dt",
        controller::halving_dt,
        "outputs with constant inputs do not depend on the step",
        "Results depend on the step: multiply by dt what adds to a state, and divide differences by dt.",
    ),
    of_kind(
        Kind::Actuator,
        "actuator-finite",
        actuator::finite,
        "outputs and states are finite for commands up to 10⁶",
        "A large command would end the run: limit integrals and divisors.",
    ),
    of_kind(
        Kind::Actuator,
        "actuator-stable",
        actuator::stable,
        "the output does not grow without bound while the command is bounded",
        "The vehicle would receive ever larger values: check signs and factors of the states.",
    ),
    of_kind(
        Kind::Actuator,
        "actuator-halving-dt",
        actuator::halving_dt,
        "the output converges with a half and a quarter of the step",
        "Results depend on the step: use `step.dt` for every change of a state, as in 1 − exp(−dt/τ).",
    ),
    of_kind(
        Kind::Fleet,
        "fleet-finite",
        fleet::finite,
        "outputs are finite for one vehicle, for vehicles in one place or far apart, and with vehicles that are not enabled",
        "The run would end: guard divisions by distances and by numbers of vehicles, and limit gains.",
    ),
    of_kind(
        Kind::Fleet,
        "fleet-saturation",
        fleet::saturation,
        "commands stay within the limits of the parameters `max_…` of their unit",
        "Vehicles receive more than the user allows: clamp the output last.",
    ),
    of_kind(
        Kind::Fleet,
        "fleet-halving-dt",
        fleet::halving_dt,
        "commands with constant inputs do not depend on the step",
        "Results depend on the step: multiply by dt what adds to a state, and divide differences by dt.",
    ),
    of_kind(
        Kind::Observer,
        "observer-select",
        observer::select,
        "the observer selects the same patterns each time, and none is empty",
        "It would watch other quantities than a user expects: derive the patterns from the parameters alone.",
    ),
    finds_crashes(of_kind(
        Kind::Observer,
        "observer-values",
        observer::values,
        "a sample is not changed, and nothing outside of its values is accessed",
        "In a run, it would read other memory or crash: check the index of each quantity.",
    )),
    of_kind(
        Kind::Observer,
        "observer-repeat",
        observer::repeat,
        "the same samples give the same decisions and files",
        "Runs could not be repeated: it reads a clock, an address or a global; use `sample.time`.",
    ),
    of_kind(
        Kind::Observer,
        "observer-runs-independent",
        observer::runs_independent,
        "a run gives the same decisions and files while another one of the same observer is watched",
        "They share a variable: keep everything that changes in the memory that `start` returns.",
    ),
    of_kind(
        Kind::Observer,
        "observer-stops",
        observer::stops,
        "a run is ended only with a reason, and only by an observer with the flag STOPS",
        "Users would not know why the run ends: return a reason, and set `const STOPS: bool = true`.",
    ),
    finds_crashes(of_kind(
        Kind::Observer,
        "observer-short-runs",
        observer::short_runs,
        "a run can end before the first sample, for any reason, and start without quantities or reject that",
        "A run that fails early would crash: guard values that only a sample sets.",
    )),
    finds_crashes(of_kind(
        Kind::Observer,
        "observer-nonfinite",
        observer::nonfinite,
        "samples that are not finite do not crash, hang or fault",
        "A reading is NaN before the first sample of its sensor: guard loops, indices and comparisons.",
    )),
    of_kind(
        Kind::Observer,
        "observer-memory",
        observer::memory,
        "a thousand runs do not leak memory",
        "Long series of runs would fail: free everything in `destroy` that `start` allocated.",
    ),
    of_kind(
        Kind::Observer,
        "observer-files",
        observer::files,
        "files are written to the output folder only, and `end` names all of them",
        "Files would be scattered or overlooked: create them with `run.folder.create` or `end.folder.write`.",
    ),
];
