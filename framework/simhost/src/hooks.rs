//! User code that is called during a run.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use simhost_engine::Simulation;
use simhost_streams::InputError;

use crate::bus::Bus;
use crate::error::HookError;
use crate::inputs::{Inputs, vehicle_number};
use crate::vehicle::Vehicle;

/// User code that is called before and after the steps of a session, on the thread that runs it.
///
/// In each step, the methods are called in the order in which they are declared here; where there are
/// several hooks, each method is called for all of them in the order of their addition. Commands that a
/// hook sends before a step act in that step; a pause and a stop act after it. As long as a session has
/// hooks, it takes one step at a time.
pub trait Hook: Send {
    /// Called once before the first step in which the hook takes part, and again after a reset.
    ///
    /// # Errors
    /// An error ends the run.
    fn start(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        let _ = context;
        Ok(())
    }

    /// Called before each step.
    ///
    /// # Errors
    /// An error ends the run.
    fn before_step(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        let _ = context;
        Ok(())
    }

    /// Called before each step for each entity in the order of the world: vehicles by their names, then
    /// blocks and actors that can move as `block/NAME` and `actor/NAME`.
    ///
    /// # Errors
    /// An error ends the run.
    fn before_entity(&mut self, context: &Context<'_>, entity: &str) -> Result<(), HookError> {
        let _ = (context, entity);
        Ok(())
    }

    /// Called after each step for each entity, as [`Self::before_entity`].
    ///
    /// # Errors
    /// An error ends the run.
    fn after_entity(&mut self, context: &Context<'_>, entity: &str) -> Result<(), HookError> {
        let _ = (context, entity);
        Ok(())
    }

    /// Called after each step.
    ///
    /// # Errors
    /// An error ends the run.
    fn after_step(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        let _ = context;
        Ok(())
    }

    /// Called once when the session ends, not when a run pauses or stops and can be continued.
    fn end(&mut self, context: &Context<'_>) {
        let _ = context;
    }
}

/// The session, as hooks see it.
pub struct Context<'s> {
    pub(crate) simulation: &'s Simulation,
    pub(crate) inputs: &'s Inputs,
    pub(crate) bus: &'s Bus,
    pub(crate) hooks: &'s Hooks,
}

impl Context<'_> {
    /// Returns the simulation, to read its state.
    pub fn simulation(&self) -> &Simulation {
        self.simulation
    }

    /// Returns the simulated time: at the start of the step before it, at its end after it.
    pub fn time(&self) -> Time {
        Time(self.simulation.clock().time())
    }

    /// Returns the number of completed steps.
    pub fn steps(&self) -> u64 {
        self.simulation.clock().steps
    }

    /// Returns the sender of inputs.
    pub fn inputs(&self) -> &Inputs {
        self.inputs
    }

    /// Returns a vehicle, to command it.
    ///
    /// # Errors
    /// [`InputError`] with the nearest name if there is no such vehicle.
    pub fn vehicle(&self, name: &str) -> Result<Vehicle, InputError> {
        vehicle_number(self.simulation.vehicle_names(), name)?;
        Ok(Vehicle { name: name.to_owned(), inputs: self.inputs.clone() })
    }

    /// Returns the messages between user code.
    pub fn bus(&self) -> &Bus {
        self.bus
    }

    /// Returns the hooks of the session, to add and remove some.
    pub fn hooks(&self) -> &Hooks {
        self.hooks
    }
}

/// Identification of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HookId(u64);

/// The hooks of a session. They can be added and removed at any time, from any thread, also by a hook.
/// Clones refer to the same session.
#[derive(Clone, Default)]
pub struct Hooks {
    shared: Arc<SharedHook>,
}

#[derive(Default)]
struct SharedHook {
    list: Mutex<List>,
    /// Whether there may be hooks, so that a step without hooks takes no lock.
    any: AtomicBool,
}

#[derive(Default)]
struct List {
    count: u64,
    /// Hooks that take part from the next step on.
    added: Vec<(HookId, Box<dyn Hook>)>,
    /// Hooks that have not been removed.
    alive: BTreeSet<HookId>,
}

impl Hooks {
    /// Adds a hook, which takes part from the next step on that begins.
    pub fn add(&self, hook: impl Hook + 'static) -> HookId {
        let mut list = self.lock();
        list.count += 1;
        let id = HookId(list.count);
        list.added.push((id, Box::new(hook)));
        list.alive.insert(id);
        self.shared.any.store(true, Ordering::Release);
        id
    }

    /// Adds a function that is called before each step, from the next one on that begins.
    pub fn each_step(
        &self,
        act: impl FnMut(&Context<'_>) -> Result<(), HookError> + Send + 'static,
    ) -> HookId {
        self.add(EachStep(act))
    }

    /// Removes a hook, which is not called any more, not even for the rest of the present step. Returns
    /// whether the session had it.
    pub fn remove(&self, id: HookId) -> bool {
        self.lock().alive.remove(&id)
    }

    /// Returns the number of hooks.
    pub fn len(&self) -> usize {
        self.lock().alive.len()
    }

    /// Returns whether there are no hooks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn has_any(&self) -> bool {
        self.shared.any.load(Ordering::Acquire)
    }

    fn is_alive(&self, id: HookId) -> bool {
        self.lock().alive.contains(&id)
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.shared.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A function as a hook.
struct EachStep<F>(F);

impl<F: FnMut(&Context<'_>) -> Result<(), HookError> + Send> Hook for EachStep<F> {
    fn before_step(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        (self.0)(context)
    }
}

/// The hooks that take part in the present step.
#[derive(Default)]
pub struct Active {
    hooks: Vec<Entry>,
}

struct Entry {
    id: HookId,
    hook: Box<dyn Hook>,
    is_started: bool,
}

impl Active {
    /// Lets hooks that have been added take part, and those no longer that have been removed.
    pub fn update(&mut self, hooks: &Hooks) {
        let mut list = hooks.lock();
        let added = list.added.drain(..);
        self.hooks.extend(added.map(|(id, hook)| Entry { id, hook, is_started: false }));
        self.hooks.retain(|entry| list.alive.contains(&entry.id));
        if self.hooks.is_empty() {
            hooks.shared.any.store(false, Ordering::Release);
        }
    }

    /// Lets all hooks start again.
    pub fn reset(&mut self) {
        self.hooks.iter_mut().for_each(|entry| entry.is_started = false);
    }

    /// Calls the methods of the start and before a step.
    pub fn before(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        for entry in &mut self.hooks {
            if !entry.is_started && context.hooks.is_alive(entry.id) {
                entry.is_started = true;
                entry.hook.start(context)?;
            }
        }
        self.for_each(context, |hook| hook.before_step(context))?;
        for entity in entities(context.simulation) {
            self.for_each(context, |hook| hook.before_entity(context, entity))?;
        }
        Ok(())
    }

    /// Calls the methods after a step.
    pub fn after(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        for entity in entities(context.simulation) {
            self.for_each(context, |hook| hook.after_entity(context, entity))?;
        }
        self.for_each(context, |hook| hook.after_step(context))
    }

    /// Calls the method at the end of the session.
    pub fn end(&mut self, context: &Context<'_>) {
        for mut entry in self.hooks.drain(..) {
            if entry.is_started && context.hooks.is_alive(entry.id) {
                entry.hook.end(context);
            }
        }
    }

    fn for_each(
        &mut self,
        context: &Context<'_>,
        mut call: impl FnMut(&mut dyn Hook) -> Result<(), HookError>,
    ) -> Result<(), HookError> {
        for entry in &mut self.hooks {
            if entry.is_started && context.hooks.is_alive(entry.id) {
                call(entry.hook.as_mut())?;
            }
        }
        Ok(())
    }
}

/// Returns the names of all entities in the order of the world.
fn entities(simulation: &Simulation) -> impl Iterator<Item = &str> {
    let vehicles = simulation.vehicle_names().iter().map(String::as_str);
    vehicles.chain(simulation.movers().map(|(name, _)| name))
}

/// Simulated time since the start of the world, s.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Time(pub f64);

/// Returns a time in seconds.
pub const fn seconds(value: f64) -> Time {
    Time(value)
}
