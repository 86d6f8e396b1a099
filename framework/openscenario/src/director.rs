//! The storyboard during a run.

use simhost_xml::ReadError;

use crate::actor::Cast;
use crate::conditions::ConditionMemory;
use crate::scenario::{
    Act, Condition, ElementState, Priority, Scenario, ScenarioAction, ScenarioEvent, StoryTrigger,
};

/// A change of state of an element of the storyboard.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryChange {
    /// Time, s.
    pub time: f64,
    /// Names of the element from the outermost to the innermost, separated by `::`.
    pub element: String,
    /// The change.
    pub change: ElementState,
}

/// An element of the storyboard during a run.
struct Element {
    path: String,
    state: ElementState,
    /// Changes since conditions were evaluated.
    changes: Vec<ElementState>,
}

/// An act during a run.
struct ActRun {
    element: usize,
    start: Option<StoryTrigger>,
    stop: Option<StoryTrigger>,
    /// Elements of its groups and manoeuvres.
    inner: Vec<usize>,
}

/// An event during a run.
struct EventRun {
    act: usize,
    /// Elements of its group and its manoeuvre.
    outer: [usize; 2],
    element: usize,
    actors: Vec<usize>,
    event: ScenarioEvent,
    /// Elements of its actions, and how many actors carry each of them out.
    actions: Vec<(usize, usize)>,
    runs: u32,
}

/// Plays a storyboard: starts events, moves actors, and ends the run.
pub struct Director {
    cast: Cast,
    acts: Vec<ActRun>,
    events: Vec<EventRun>,
    elements: Vec<Element>,
    stop: Option<StoryTrigger>,
    memories: Vec<ConditionMemory>,
    is_driven: Vec<bool>,
    changes: Vec<StoryChange>,
    is_over: bool,
}

impl Director {
    /// Prepares a scenario, in which the entities `own` move by themselves.
    ///
    /// # Errors
    /// [`ReadError`] with the line of an entity without a position, or of an event with an action of an entity that moves by
    /// itself.
    pub fn new(scenario: Scenario, own: &[String]) -> Result<Self, ReadError> {
        let is_driven: Vec<bool> =
            scenario.entities.iter().map(|one| own.contains(&one.name)).collect();
        let mut count = 0;
        let triggers = scenario.acts.iter().flat_map(triggers_of).chain(&scenario.stop);
        for condition in triggers.flat_map(|trigger| trigger.0.iter().flatten()) {
            count = count.max(condition.number + 1);
        }
        let names: Vec<String> = scenario.entities.iter().map(|one| one.name.clone()).collect();
        let mut director = Self {
            cast: Cast::new(&scenario.entities, scenario.network)?,
            acts: Vec::new(),
            events: Vec::new(),
            elements: Vec::new(),
            stop: scenario.stop,
            memories: vec![ConditionMemory::default(); count],
            is_driven,
            changes: Vec::new(),
            is_over: false,
        };
        scenario.acts.into_iter().for_each(|act| director.add(act));
        for event in &director.events {
            let driven = event.actors.iter().find(|actor| director.is_driven[**actor]);
            if let (Some(actor), Some((action, _))) = (driven, event.event.actions.first()) {
                let text = format!(
                    "action `{action}` is for entity `{}`, which its own vehicle file drives",
                    names[*actor]
                );
                let help = "give the entity no --vehicle, or remove the action";
                return Err(ReadError::new(event.event.line, text).help(help));
            }
        }
        Ok(director)
    }

    fn element(&mut self, path: String) -> usize {
        let state = ElementState::Standby;
        self.elements.push(Element { path, state, changes: Vec::new() });
        self.elements.len() - 1
    }

    fn add(&mut self, act: Act) {
        let element = self.element(act.name.clone());
        let mut inner = Vec::new();
        for group in act.groups {
            let group_path = format!("{}::{}", act.name, group.name);
            let group_element = self.element(group_path.clone());
            inner.push(group_element);
            for maneuver in group.maneuvers {
                let path = format!("{group_path}::{}", maneuver.name);
                let maneuver_element = self.element(path.clone());
                inner.push(maneuver_element);
                for event in maneuver.events {
                    let path = format!("{path}::{}", event.name);
                    let element = self.element(path.clone());
                    let actions = event.actions.iter();
                    let actions = actions
                        .map(|(name, _)| (self.element(format!("{path}::{name}")), 0))
                        .collect();
                    self.events.push(EventRun {
                        act: self.acts.len(),
                        outer: [group_element, maneuver_element],
                        element,
                        actors: group.actors.clone(),
                        event,
                        actions,
                        runs: 0,
                    });
                }
            }
        }
        self.acts.push(ActRun { element, start: act.start, stop: act.stop, inner });
    }

    /// Returns x, y, m, heading, rad, and speed, m/s, of an entity.
    pub fn pose(&self, entity: usize) -> ([f64; 3], f64) {
        (self.cast.actors[entity].pose, self.cast.actors[entity].speed)
    }

    /// Takes on the pose and the speed of an entity that moves by itself.
    pub fn observe(&mut self, entity: usize, pose: [f64; 3], speed: f64) {
        self.cast.actors[entity].observe(pose, speed);
    }

    /// Returns whether the run is over: its stop trigger has held, or all acts are complete.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the changes of the storyboard since the last call.
    pub fn take_changes(&mut self) -> Vec<StoryChange> {
        std::mem::take(&mut self.changes)
    }

    fn change(&mut self, element: usize, time: f64, state: ElementState, change: ElementState) {
        let one = &mut self.elements[element];
        one.state = state;
        one.changes.push(change);
        self.changes.push(StoryChange { time, element: one.path.clone(), change });
    }

    /// Evaluates all conditions. Returns the result of each.
    fn evaluate(&mut self, time: f64) -> Result<Vec<bool>, String> {
        let mut results = vec![false; self.memories.len()];
        let acts = self.acts.iter().flat_map(|act| act.start.iter().chain(&act.stop));
        let events = self.events.iter().flat_map(|event| &event.event.start);
        let triggers = acts.chain(events).chain(&self.stop);
        let state_of = |name: &str, state: ElementState| {
            let ending = format!("::{name}");
            let mut named = self
                .elements
                .iter()
                .filter(|element| element.path == name || element.path.ends_with(&ending));
            named.any(|element| element.state == state || element.changes.contains(&state))
        };
        for condition in triggers.flat_map(|trigger| trigger.0.iter().flatten()) {
            let memory = &mut self.memories[condition.number];
            let wrong = |problem| format!("condition `{}`: {problem}", condition.name);
            results[condition.number] =
                memory.holds(condition, &self.cast, time, &state_of).map_err(wrong)?;
        }
        self.elements.iter_mut().for_each(|element| element.changes.clear());
        Ok(results)
    }

    /// Makes a step of `dt` that begins at a time, s.
    ///
    /// # Errors
    /// An action or a condition that is not possible, such as a change to a lane that the road does not have.
    pub fn advance(&mut self, time: f64, dt: f64) -> Result<(), String> {
        let results = self.evaluate(time)?;
        let holds = |trigger: &StoryTrigger| {
            let all = |group: &Vec<Condition>| group.iter().all(|one| results[one.number]);
            trigger.0.iter().any(all)
        };
        if self.stop.as_ref().is_some_and(holds) {
            self.is_over = true;
        }
        for act in 0..self.acts.len() {
            let ActRun { element, start, stop, .. } = &self.acts[act];
            let (element, state) = (*element, self.elements[*element].state);
            let starts = start.as_ref().is_none_or(holds);
            let stops = stop.as_ref().is_some_and(holds);
            if state == ElementState::Standby && starts {
                let inner = self.acts[act].inner.clone();
                for one in std::iter::once(element).chain(inner) {
                    self.change(one, time, ElementState::Running, ElementState::Start);
                }
            } else if state == ElementState::Running && stops {
                self.stop_act(act, time);
            }
        }
        for event in 0..self.events.len() {
            let EventRun { act, element, event: what, .. } = &self.events[event];
            let is_ready = self.elements[self.acts[*act].element].state == ElementState::Running
                && self.elements[*element].state == ElementState::Standby;
            if is_ready && what.start.as_ref().is_none_or(holds) {
                self.start_event(event, time)?;
            }
        }
        for actor in 0..self.cast.actors.len() {
            if self.is_driven[actor] {
                continue;
            }
            let done = self.cast.advance(actor, time, dt)?;
            done.into_iter().for_each(|action| self.end_action(action));
        }
        self.end_events(time + dt);
        Ok(())
    }

    fn stop_act(&mut self, act: usize, time: f64) {
        let complete = ElementState::Complete;
        for event in (0..self.events.len())
            .filter(|event| self.events[*event].act == act)
            .collect::<Vec<_>>()
        {
            self.stop_event(event, time);
            let element = self.events[event].element;
            self.elements[element].state = complete;
        }
        let inner = self.acts[act].inner.clone();
        for element in inner.into_iter().chain([self.acts[act].element]) {
            if self.elements[element].state == ElementState::Running {
                self.change(element, time, complete, ElementState::Stop);
            }
        }
    }

    fn stop_event(&mut self, event: usize, time: f64) {
        let element = self.events[event].element;
        if self.elements[element].state != ElementState::Running {
            return;
        }
        for at in 0..self.events[event].actions.len() {
            let (action, open) = &mut self.events[event].actions[at];
            let action = *action;
            if std::mem::take(open) > 0 {
                self.cast.actors.iter_mut().for_each(|actor| actor.stop(action));
                self.change(action, time, ElementState::Complete, ElementState::Stop);
            }
        }
        self.change(element, time, ElementState::Complete, ElementState::Stop);
    }

    fn start_event(&mut self, event: usize, time: f64) -> Result<(), String> {
        let maneuver = self.events[event].outer[1];
        let is_running = |other: &usize| {
            let one = &self.events[*other];
            *other != event
                && one.outer[1] == maneuver
                && self.elements[one.element].state == ElementState::Running
        };
        let running: Vec<usize> = (0..self.events.len()).filter(is_running).collect();
        let element = self.events[event].element;
        self.events[event].runs += 1;
        match self.events[event].event.priority {
            Priority::Skip if !running.is_empty() => {
                let EventRun { runs, event: what, .. } = &self.events[event];
                let is_last = *runs >= what.most;
                let state = if is_last { ElementState::Complete } else { ElementState::Standby };
                self.change(element, time, state, ElementState::Skip);
                return Ok(());
            }
            Priority::Override => {
                running.into_iter().for_each(|other| self.stop_event(other, time))
            }
            _ => {}
        }
        self.change(element, time, ElementState::Running, ElementState::Start);
        let (actors, actions) =
            (self.events[event].actors.clone(), self.events[event].event.actions.clone());
        for (at, (name, what)) in actions.iter().enumerate() {
            let action = self.events[event].actions[at].0;
            self.change(action, time, ElementState::Running, ElementState::Start);
            self.events[event].actions[at].1 = 0;
            for actor in &actors {
                self.begin(event, at, *actor, name, what, time)?;
            }
        }
        Ok(())
    }

    /// Begins an action of an actor.
    fn begin(
        &mut self,
        event: usize,
        at: usize,
        actor: usize,
        name: &str,
        what: &ScenarioAction,
        time: f64,
    ) -> Result<(), String> {
        let action = self.events[event].actions[at].0;
        let begun = self.cast.begin(actor, action, what, time);
        let (lasts, ended) =
            begun.map_err(|problem| format!("action `{name}` at {time} s: {problem}"))?;
        if lasts {
            self.events[event].actions[at].1 += 1;
        }
        ended.into_iter().for_each(|other| self.end_action(other));
        Ok(())
    }

    /// Counts an action as done by one of its actors.
    fn end_action(&mut self, action: usize) {
        let actions = self.events.iter_mut().flat_map(|event| &mut event.actions);
        for (_, open) in actions.filter(|(element, _)| *element == action) {
            *open = open.saturating_sub(1);
        }
    }

    /// Ends the actions and events that are done, and the manoeuvres, groups and acts whose events are complete.
    fn end_events(&mut self, time: f64) {
        let running = ElementState::Running;
        for event in 0..self.events.len() {
            let element = self.events[event].element;
            if self.elements[element].state != running {
                continue;
            }
            let done = self.events[event].actions.iter().filter(|(_, open)| *open == 0);
            let done: Vec<usize> = done.map(|(action, _)| *action).collect();
            let are_all = done.len() == self.events[event].actions.len();
            for action in done {
                if self.elements[action].state == running {
                    self.change(action, time, ElementState::Complete, ElementState::End);
                }
            }
            if are_all {
                let is_last = self.events[event].runs >= self.events[event].event.most;
                let state = if is_last { ElementState::Complete } else { ElementState::Standby };
                self.change(element, time, state, ElementState::End);
            }
        }
        let is_open = |director: &Self, wanted: &dyn Fn(&EventRun) -> bool| {
            let mut events = director.events.iter().filter(|event| wanted(event));
            events.any(|event| director.elements[event.element].state != ElementState::Complete)
        };
        for act in 0..self.acts.len() {
            let ends_with = |outer: usize| {
                move |event: &EventRun| event.act == act && event.outer.contains(&outer)
            };
            for outer in self.acts[act].inner.clone() {
                if self.elements[outer].state == running && !is_open(self, &ends_with(outer)) {
                    self.change(outer, time, ElementState::Complete, ElementState::End);
                }
            }
            let element = self.acts[act].element;
            if self.elements[element].state == running && !is_open(self, &|event| event.act == act)
            {
                self.change(element, time, ElementState::Complete, ElementState::End);
            }
        }
        let is_complete = |act: &ActRun| self.elements[act.element].state == ElementState::Complete;
        if self.stop.is_none() && !self.acts.is_empty() && self.acts.iter().all(is_complete) {
            self.is_over = true;
        }
    }
}

/// Returns all triggers of an act and its events.
fn triggers_of(act: &Act) -> impl Iterator<Item = &StoryTrigger> {
    let maneuvers = act.groups.iter().flat_map(|group| &group.maneuvers);
    let events = maneuvers.flat_map(|maneuver| &maneuver.events);
    act.start.iter().chain(&act.stop).chain(events.flat_map(|event| &event.start))
}
