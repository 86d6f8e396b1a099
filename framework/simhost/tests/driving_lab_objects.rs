//! Threads, hooks and messages between user code, as the manual of the "Autonomous Driving Lab"
//! simulator describes them. Tests have the numbers of its checklist.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use simhost::{
    Bus, Clock, Context, Ended, Error, Hook, HookError, Input, InputError, Odometry, Options,
    Session, Twist, seconds,
};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");

fn open() -> Session {
    Session::open(DEMO, Options::default()).unwrap()
}

type Calls = Arc<Mutex<Vec<String>>>;

/// Notes the calls that it gets.
struct Recorder {
    name: &'static str,
    calls: Calls,
}

impl Recorder {
    fn note(&self, what: &str, context: &Context<'_>) -> Result<(), HookError> {
        let text = format!("{} {what} {}", self.name, context.steps());
        self.calls.lock().unwrap().push(text);
        Ok(())
    }
}

impl Hook for Recorder {
    fn start(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        self.note("start", context)
    }
    fn before_step(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        self.note("before", context)
    }
    fn before_entity(&mut self, context: &Context<'_>, entity: &str) -> Result<(), HookError> {
        self.note(&format!("before {entity}"), context)
    }
    fn after_entity(&mut self, context: &Context<'_>, entity: &str) -> Result<(), HookError> {
        self.note(&format!("after {entity}"), context)
    }
    fn after_step(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        self.note("after", context)
    }
    fn end(&mut self, context: &Context<'_>) {
        self.note("end", context).unwrap();
    }
}

fn count(calls: &Calls, what: &str) -> usize {
    calls.lock().unwrap().iter().filter(|call| call.contains(what)).count()
}

/// A run blocks its caller, or takes place on a separate thread; the results are the same.
#[test]
fn j1_5_a_run_blocks_or_has_a_thread_of_its_own() {
    let mut blocking = open();
    assert_eq!(blocking.run_until(seconds(1.0)).unwrap(), Ended::Reached);
    assert_eq!(blocking.time(), seconds(1.0));
    let mut threaded = open();
    threaded.control().stop_after(seconds(1.0)).unwrap();
    let (threaded, ended) = threaded.spawn().unwrap().join();
    assert_eq!(ended.unwrap(), Ended::Reached);
    let hash = |sim: &Session| sim.simulation().state_hash().unwrap();
    assert_eq!(hash(&threaded), hash(&blocking));
}

/// The end is reported once, after the last of several stops.
#[test]
fn j1_8_the_end_is_reported_only_after_the_last_stop() {
    let calls = Calls::default();
    let mut sim = open();
    sim.hooks().add(Recorder { name: "a", calls: calls.clone() });
    sim.control().stop_after(seconds(0.1)).unwrap();
    sim.run().unwrap();
    sim.control().extend(seconds(0.1)).unwrap();
    sim.inputs().send(Input::Pause).unwrap();
    assert_eq!(sim.run().unwrap(), Ended::Paused);
    sim.inputs().send(Input::Resume).unwrap();
    sim.run().unwrap();
    assert_eq!((sim.time(), count(&calls, "a end")), (seconds(0.2), 0));
    sim.finish().unwrap();
    assert_eq!(count(&calls, "a end"), 1);
    drop(sim);
    assert_eq!((count(&calls, "a end"), count(&calls, "a start")), (1, 1));
}

/// Other threads wait for a time, and for the end.
#[test]
fn j1_9_other_threads_wait_for_a_time_and_for_the_end() {
    let mut sim = open();
    sim.control().stop_after(seconds(3.0)).unwrap();
    let running = sim.spawn().unwrap();
    std::thread::scope(|scope| {
        let waiters: Vec<_> = (1..=4)
            .map(|half| {
                let running = &running;
                scope.spawn(move || {
                    let time = seconds(0.5 * f64::from(half));
                    (running.wait_for(time), running.time() >= time)
                })
            })
            .collect();
        for waiter in waiters {
            assert_eq!(waiter.join().unwrap(), (true, true));
        }
    });
    assert!(!running.wait_for(seconds(99.0)), "the run ends before");
    running.wait();
    assert!(running.is_ended());
    let refused = running.latest::<Odometry>("robot/odometry").unwrap_err();
    assert!(matches!(refused, Error::Input(InputError::Ended)), "{refused}");
    let (sim, ended) = running.join();
    assert_eq!((sim.time(), ended.unwrap()), (seconds(3.0), Ended::Reached));
}

/// Commands, samples, pauses and steps from another thread.
#[test]
fn a_running_session_is_driven_from_another_thread() {
    let sim = open();
    let robot = sim.vehicle("robot").unwrap();
    sim.inputs().send(Input::Pause).unwrap();
    let running = sim.spawn().unwrap();
    robot.command(Twist { vx: 1.0, vy: 0.0, omega: 0.0 }).unwrap();
    running.send(Input::Step { steps: 100 }).unwrap();
    assert!(running.wait_for(seconds(0.5)));
    let clock: Clock = running.latest("clock").unwrap();
    assert_eq!(clock.time, 0.5);
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(running.time(), seconds(0.5), "it is paused");
    let odometry: Odometry = running.latest("robot/odometry").unwrap();
    assert!(odometry.twist[0] > 0.1, "{odometry:?}");
    let steps = running.with(|sim| sim.steps()).unwrap();
    assert_eq!(steps, 100);
    let (sim, ended) = running.stop();
    assert_eq!((sim.steps(), ended.unwrap()), (100, Ended::Stopped));
    let inputs = sim.inputs();
    drop(sim);
    assert_eq!(inputs.send(Input::Pause), Err(InputError::Ended));
}

/// Hooks are added and removed at any time, also by a hook, are called once per step, and never again
/// after they have been removed.
#[test]
fn j2_1_hooks_are_added_and_removed_at_any_time() {
    let mut sim = open();
    let hooks = sim.hooks();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let own = hooks.each_step(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    let added = Calls::default();
    let (to_add, ids) = (added.clone(), Arc::new(Mutex::new(None)));
    hooks.each_step(move |context| {
        match context.steps() {
            3 => {
                let recorder = Recorder { name: "late", calls: to_add.clone() };
                *ids.lock().unwrap() = Some(context.hooks().add(recorder));
            }
            6 => {
                context.hooks().remove(ids.lock().unwrap().take().unwrap());
                context.hooks().remove(own);
            }
            _ => {}
        }
        Ok(())
    });
    sim.run_steps(10).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 7, "steps 0 to 6, of which it begins the last");
    // from the step after its addition for itself and four entities, and removed before its turn in step 6
    assert_eq!((count(&added, "late before 4"), count(&added, "late before 5")), (1, 1));
    assert_eq!((count(&added, "late before"), count(&added, "late after")), (10, 10));
    assert_eq!(hooks.len(), 1);
}

/// Will, did and loop counts are equal; entities come in the order of the world, and between the calls of
/// the step.
#[test]
fn j2_2_hooks_are_called_in_order() {
    let calls = Calls::default();
    let mut sim = open();
    for name in ["a", "b"] {
        sim.hooks().add(Recorder { name, calls: calls.clone() });
    }
    sim.run_steps(2).unwrap();
    let all = calls.lock().unwrap().clone();
    let entities = ["robot", "car", "rover", "block/crate"];
    let mut expected = vec!["a start 0".to_owned(), "b start 0".to_owned()];
    for step in 0..2 {
        let mut both = |what: &str, step: usize| {
            expected.extend(["a", "b"].map(|name| format!("{name} {what} {step}")));
        };
        both("before", step);
        entities.iter().for_each(|entity| both(&format!("before {entity}"), step));
        entities.iter().for_each(|entity| both(&format!("after {entity}"), step + 1));
        both("after", step + 1);
    }
    assert_eq!(all, expected);
}

/// A command that a hook sends before a step acts in that step, and an error of a hook ends the run.
#[test]
fn hooks_command_the_step_that_begins_and_can_fail() {
    let hash = |sim: &Session| sim.simulation().state_hash().unwrap();
    let command = Twist { vx: 1.0, vy: 0.0, omega: 0.0 };
    let mut plain = open();
    plain.run_steps(5).unwrap();
    plain.vehicle("robot").unwrap().command(command).unwrap();
    plain.run_steps(5).unwrap();
    let mut hooked = open();
    hooked.hooks().each_step(move |context| {
        if context.steps() == 5 {
            context.vehicle("robot")?.command(command)?;
        }
        if context.steps() == 10 { Err("enough".into()) } else { Ok(()) }
    });
    hooked.run_steps(10).unwrap();
    assert_eq!(hash(&hooked), hash(&plain));
    let error = hooked.run_steps(1).unwrap_err();
    assert_eq!((error.to_string().as_str(), hooked.steps()), ("a hook failed: enough", 10));
}

/// What a model does wrong is in a list that remains, until the session is reset.
#[test]
fn j2_3_faults_stay_until_a_reset() {
    let mut sim = open();
    sim.run_steps(2).unwrap();
    assert!(sim.simulation().faults().is_empty());
    sim.vehicle("robot")
        .unwrap()
        .add_fault("oil", simhost_world::FaultSeverity::Critical, 3, "")
        .unwrap();
    sim.run_steps(20).unwrap();
    assert_eq!(sim.world().fault_memory("robot").unwrap().len(), 1);
    sim.edit().reset(1).unwrap();
    assert!(
        sim.world().fault_memory("robot").unwrap().is_empty()
            && sim.simulation().faults().is_empty()
    );
}

/// Messages reach the subscribers of a title in the order of subscription, and none after its end.
#[test]
fn j2_4_messages_are_published_and_received_in_order() {
    let bus = Bus::default();
    let seen = Calls::default();
    let note = |name: &'static str| {
        let seen = seen.clone();
        move |message: &u32| seen.lock().unwrap().push(format!("{name} {message}"))
    };
    let first = bus.subscribe("count", note("first"));
    let (again, forward) = (bus.clone(), note("second"));
    bus.subscribe("count", move |message: &u32| {
        forward(message);
        if *message < 2 {
            again.publish("count", message + 1);
        }
    });
    bus.subscribe("count", |_: &f64| panic!("another type"));
    bus.subscribe("other", |_: &u32| panic!("another channel"));
    bus.publish("count", 1_u32);
    assert!(bus.unsubscribe(first) && !bus.unsubscribe(first));
    bus.publish("count", 7_u32);
    let expected = ["first 1", "second 1", "first 2", "second 2", "second 7"];
    assert_eq!(*seen.lock().unwrap(), expected);

    // hooks and the program share the channels of a session
    let mut sim = open();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let to = heard.clone();
    sim.bus().subscribe("step", move |step: &u64| to.lock().unwrap().push(*step));
    sim.hooks().each_step(|context| {
        context.bus().publish("step", context.steps());
        Ok(())
    });
    sim.run_steps(3).unwrap();
    assert_eq!(*heard.lock().unwrap(), [0, 1, 2]);
}

/// Information is offered and requested by a title; an unknown or withdrawn title is not answered.
#[test]
fn j2_5_information_is_offered_and_asked_for_by_name() {
    let bus = Bus::default();
    assert_eq!(bus.ask::<f64>("temperature"), None);
    bus.offer("temperature", || 20.0_f64);
    assert_eq!((bus.ask::<f64>("temperature"), bus.ask::<u8>("temperature")), (Some(20.0), None));
    bus.offer("temperature", || 21.0_f64);
    assert_eq!(bus.ask::<f64>("temperature"), Some(21.0));
    assert!(bus.withdraw("temperature") && !bus.withdraw("temperature"));
    assert_eq!(bus.ask::<f64>("temperature"), None);
    let asks_itself = bus.clone();
    bus.offer("loop", move || asks_itself.ask::<bool>("loop").is_none());
    assert_eq!(bus.ask::<bool>("loop"), Some(true));
}

/// Sessions on several threads share one catalogue and do not disturb each other.
#[test]
fn eight_sessions_run_on_eight_threads() {
    let first = open();
    let catalogue = first.world().catalogue().clone();
    let hashes: Vec<u128> = std::thread::scope(|scope| {
        let run = |_| {
            let options = Options { catalogue: Some(catalogue.clone()), ..Options::default() };
            scope.spawn(move || {
                let mut sim = Session::open(DEMO, options).unwrap();
                let twist = Twist { vx: 0.8, vy: 0.0, omega: 0.2 };
                sim.vehicle("robot").unwrap().command(twist).unwrap();
                sim.run_until(seconds(1.0)).unwrap();
                sim.simulation().state_hash().unwrap()
            })
        };
        let threads: Vec<_> = (0..8).map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}
