//! A scenario as a world and a hook that moves its actors.

use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use simhost::{Command, Context, Hook, HookError, Input};

use crate::director::{Director, StoryChange};
use crate::scenario::{Scenario, ScenarioEntity};

/// A vehicle that an entity is: the name of the entity, and the file with its `<vehicle:class>` and the name of the class.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnVehicle {
    /// Name of the entity.
    pub entity: String,
    /// An `<include>` of the file, as a piece of a world file.
    pub include: String,
    /// Name of the class.
    pub class: String,
}

/// Moves the actors of a scenario before each step, and stops the run at its end.
pub struct ScenarioHook {
    director: Director,
    names: Vec<String>,
    is_own: Vec<bool>,
    changes: Arc<Mutex<Vec<StoryChange>>>,
}

/// The changes of the storyboard so far, shared with a [`ScenarioHook`].
#[derive(Clone, Default)]
pub struct StoryLog(Arc<Mutex<Vec<StoryChange>>>);

impl StoryLog {
    /// Returns the changes so far.
    pub fn changes(&self) -> Vec<StoryChange> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Returns a text for an attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('$', "&#36;")
}

/// Returns the world of a scenario that is in a folder, with steps of `step` and a largest duration, s.
pub fn world_of(
    scenario: &Scenario,
    starts: &Director,
    own: &[OwnVehicle],
    folder: &Path,
    [step, duration]: [f64; 2],
) -> String {
    let mut text = format!(
        "<mvsim_world version=\"1.0\" xmlns:vehicle=\"urn:simhost:vehicle\">\n  <duration>{duration}</duration>\n  \
         <simul_timestep>{step}</simul_timestep>\n"
    );
    if let Some(file) = &scenario.network_file {
        let path = folder.join(file);
        let file = attribute(&path.to_string_lossy());
        let _ = writeln!(text, "  <element class=\"road_network\" file=\"{file}\"/>");
    }
    let mut includes: Vec<&str> = Vec::new();
    for one in own.iter().filter(|one| !one.include.is_empty()) {
        if !includes.contains(&one.include.as_str()) {
            includes.push(&one.include);
            let _ = writeln!(text, "  {}", one.include);
        }
    }
    for (number, entity) in scenario.entities.iter().enumerate() {
        let ([x, y, heading], speed) = starts.pose(number);
        let degrees = heading.to_degrees();
        let name = attribute(&entity.name);
        let start = format!(
            "<init_pose>{x} {y} {degrees}</init_pose>\n    <init_vel>{speed} 0 0</init_vel>"
        );
        match own.iter().find(|one| one.entity == entity.name) {
            Some(one) => {
                let class = attribute(&one.class);
                let _ = writeln!(
                    text,
                    "  <vehicle name=\"{name}\" class=\"{class}\">\n    {start}\n  </vehicle>"
                );
            }
            None => {
                let body = body(entity);
                let _ =
                    writeln!(text, "  <vehicle name=\"{name}\">\n    {start}\n{body}  </vehicle>");
            }
        }
    }
    text += "</mvsim_world>\n";
    text
}

/// Returns the dynamics of an actor, with the bounding box as its chassis.
fn body(entity: &ScenarioEntity) -> String {
    let ([cx, cy, cz], [length, width, height]) = (entity.centre, entity.size);
    let [front, track, diameter] = entity.axle;
    let (left, right) = (cy + 0.5 * width, cy - 0.5 * width);
    let (back, ahead) = (cx - 0.5 * length, cx + 0.5 * length);
    let bottom = (cz - 0.5 * height).max(0.0);
    let top = bottom + height;
    let half = 0.5 * track;
    let mut wheels = String::new();
    for (tag, x, y) in
        [("rl", 0.0, half), ("rr", 0.0, -half), ("fl", front, half), ("fr", front, -half)]
    {
        let _ = writeln!(
            wheels,
            "      <{tag}_wheel pos=\"{x} {y}\" mass=\"15\" width=\"0.2\" diameter=\"{diameter}\"/>"
        );
    }
    format!(
        "    <dynamics class=\"scripted\">\n{wheels}      <chassis mass=\"1400\" zmin=\"{bottom}\" zmax=\"{top}\"> <shape> \
         <pt>{back} {right}</pt> <pt>{ahead} {right}</pt> <pt>{ahead} {left}</pt> <pt>{back} {left}</pt> </shape> \
         </chassis>\n      <controller class=\"scripted_control\"/>\n    </dynamics>\n    <friction class=\"default\"/>\n"
    )
}

impl ScenarioHook {
    /// Returns the hook of a scenario whose entities have these names, with the log of its changes.
    pub fn new(director: Director, names: Vec<String>, own: &[OwnVehicle]) -> (Self, StoryLog) {
        let is_own = names.iter().map(|name| own.iter().any(|one| one.entity == *name)).collect();
        let log = StoryLog::default();
        (Self { director, names, is_own, changes: Arc::clone(&log.0) }, log)
    }
}

impl Hook for ScenarioHook {
    fn before_step(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        let simulation = context.simulation();
        for vehicle in simulation.vehicles() {
            let Some(number) = self.names.iter().position(|name| name == vehicle.name) else {
                continue;
            };
            if self.is_own[number] {
                let [x, y, _, yaw, ..] = vehicle.pose;
                self.director.observe(number, [x, y, yaw], vehicle.twist[0]);
            }
        }
        let clock = simulation.clock();
        self.director.advance(clock.time(), clock.dt)?;
        for (number, name) in
            self.names.iter().enumerate().filter(|(number, _)| !self.is_own[*number])
        {
            let ([x, y, heading], speed) = self.director.pose(number);
            let values = vec![x, y, heading, speed, 1.0];
            context.vehicle(name)?.command(Command { kind: "scripted".to_owned(), values })?;
        }
        let changes = self.director.take_changes();
        self.changes.lock().unwrap_or_else(PoisonError::into_inner).extend(changes);
        if self.director.is_over() {
            context.inputs().send(Input::Stop)?;
        }
        Ok(())
    }
}
