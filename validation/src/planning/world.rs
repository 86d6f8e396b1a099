//! The world of a case.

use std::fmt::Write;
use std::path::Path;

use quick_xml::escape::escape;
use simhost_engine::{Options, Quantities, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, load_text};

use super::RESULTS;
use super::cases::{CaseError, PlanningCase, Reason};

/// Results of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// Results in the order of [`RESULTS`].
    pub results: [f64; RESULTS.len()],
}

/// Quantities of the vehicle that are the results.
const QUANTITIES: [&str; 3] = ["odometry_vx", "longitudinal_acceleration", "steer_angle"];

/// Runs a case of a file. Paths among its parameters are relative to that file.
///
/// # Errors
///
/// [`Reason::World`] when the world cannot be built, which includes an unknown model or parameter, or
/// when a step fails.
pub fn run(file: &Path, case: &PlanningCase, catalogue: &Catalogue) -> Result<Ended, CaseError> {
    let failed = |text: String| CaseError { line: case.line, reason: Reason::World(text) };
    let text = world_of(case);
    let loaded = load_text(file, text.as_bytes(), &LoadOptions::default(), catalogue)
        .map_err(|error| failed(error.to_string()))?;
    let mut simulation = Simulation::new(&loaded.world, Options { seed: 0, threads: 1 })
        .map_err(|error| failed(error.to_string()))?;
    let quantities = Quantities::new(&loaded.world, &simulation, |name| {
        QUANTITIES.iter().any(|wanted| name.ends_with(&format!("/{wanted}")))
    });
    simulation.start().map_err(|error| failed(error.to_string()))?;
    for _ in 0..case.steps {
        simulation.step().map_err(|error| failed(error.to_string()))?;
    }
    let pose = simulation.vehicles().next().map(|vehicle| vehicle.pose);
    let [x, y, _, yaw, ..] = pose.ok_or_else(|| failed("the world has no vehicle".to_owned()))?;
    let value = |wanted: &str| {
        let infos = quantities.infos().iter();
        let place = infos.clone().position(|info| info.name.ends_with(&format!("/{wanted}")));
        let mut values = Vec::new();
        if let Some(place) = place {
            quantities.read_one(place, &simulation, &mut values);
        }
        values.first().copied().ok_or_else(|| {
            let model = &case.model;
            failed(format!("{model} has no measurement {wanted}; expected a planning model"))
        })
    };
    let [vx, ax, steer] = QUANTITIES.map(value);
    Ok(Ended { results: [x, y, yaw, vx?, ax?, steer?] })
}

/// Returns the names of the inputs of a model, in its order, without gear and slope.
fn inputs_of(model: &str) -> &'static [&'static str] {
    let model = model.to_ascii_lowercase();
    if model.contains("actuation") {
        &["accel_command", "brake_command", "steer_command"]
    } else if model.ends_with("_vel") {
        &["velocity_command", "steer_command"]
    } else {
        &["acceleration_command", "steer_command"]
    }
}

fn world_of(case: &PlanningCase) -> String {
    let PlanningCase { model, dt, gear, speed, slope, .. } = case;
    let mut params = String::new();
    if case.compat {
        params += "<compat>autoware-1.0</compat>";
    }
    for (name, value) in &case.params {
        // formatting into a text never fails
        let _ = write!(params, "<{name}>{}</{name}>", escape(value));
    }
    let mut inputs = format!("<gear>{gear}</gear><slope_acceleration>{slope}</slope_acceleration>");
    for (name, value) in inputs_of(model).iter().zip(case.inputs) {
        let _ = write!(inputs, "<{name}>{value}</{name}>");
    }
    format!(
        "<mvsim_world version=\"1.0\"><simul_timestep>{dt}</simul_timestep>\n\
         <vehicle name=\"car\"><init_pose>0 0 0</init_pose><init_vel>{speed} 0 0</init_vel>\n\
         <dynamics class=\"{}\">{params}\n\
         <controller class=\"planning_raw\">{inputs}</controller></dynamics></vehicle></mvsim_world>\n",
        escape(model)
    )
}
