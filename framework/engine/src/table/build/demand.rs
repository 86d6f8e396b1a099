//! Quantities that the host computes only where a model reads them.

use simhost_abi::Model;
use simhost_abi::host_port::{MOTION, ON_DEMAND, SPATIAL_OUTPUTS};
use simhost_model::{View, lanes};

use super::group::Group;
use super::instances::Instances;
use crate::columns::Layout;
use crate::model::PortMap;
use crate::table::host::{MotionColumns, OnDemand};

impl OnDemand {
    /// Adds the columns of the quantities that a model of the group or a sensor on its vehicles reads,
    /// and the others of the same vector.
    pub(super) fn new(group: &Group<'_>, instances: &Instances, layout: &mut Layout) -> Self {
        let models = models(group, instances);
        let reads = |name: &str| models.iter().any(|model| reads(model, name));
        let any = |names: &[&str]| names.iter().any(|name| reads(name));
        let wheels = instances.by_wheel.lanes;
        let spatial = sets_motion_in_space(instances.dynamics.instance().model());
        let reads_motion = spatial || MOTION.iter().any(|port| reads(port.name));
        let vehicles = instances.by_vehicle.lanes;
        Self {
            spatial,
            motion: reads_motion.then(|| MotionColumns::new(vehicles, layout)),
            angle: reads("wheel_angle").then(|| layout.fill(wheels, 0.0)),
            force: any(&["wheel_fx", "wheel_fy"])
                .then(|| [0.0; 2].map(|zero| layout.fill(wheels, zero))),
            aligning_moment: reads("wheel_aligning_moment").then(|| layout.fill(wheels, 0.0)),
            camber: any(&["camber", "camber_rate"])
                .then(|| [0.0; 2].map(|zero| layout.fill(wheels, zero))),
            normal: any(&["contact_normal_x", "contact_normal_y", "contact_normal_z"])
                .then(|| [0.0, 0.0, 1.0].map(|value| layout.fill_passing(wheels, value))),
            surface: reads("surface").then(|| layout.fill_passing(wheels, 0.0)),
        }
    }

    /// Returns the columns by the names of their ports.
    pub fn ports(&self) -> PortMap {
        let Self { spatial: _, motion, angle, force, aligning_moment, camber, normal, surface } =
            self;
        let mut columns = vec![*angle];
        columns.extend(force.map_or([None; 2], |force| force.map(Some)));
        columns.push(*aligning_moment);
        columns.extend(camber.map_or([None; 2], |camber| camber.map(Some)));
        columns.extend(normal.map_or([None; 3], |normal| normal.map(Some)));
        columns.push(*surface);
        let mut ports = PortMap::default();
        if let Some(motion) = motion {
            ports.extend(PortMap::of_host(MOTION, &motion.measured()));
        }
        for (port, column) in ON_DEMAND.iter().zip(columns) {
            if let Some(column) = column {
                ports.extend(PortMap::one(port.name, column));
            }
        }
        ports
    }
}

/// Returns whether a dynamics class sets all six degrees of freedom.
fn sets_motion_in_space(dynamics: &'static View<Model>) -> bool {
    let phases = [dynamics.phase("motion"), dynamics.phase("advance")];
    let mut outputs = phases.into_iter().flatten().flat_map(|phase| phase.outputs());
    outputs.any(|port| port.name() == SPATIAL_OUTPUTS[0].name)
}

/// Returns the models of a table and of the sensors on its vehicles, each once.
fn models(group: &Group<'_>, instances: &Instances) -> Vec<&'static View<Model>> {
    let Instances { dynamics, friction, controller, fallback, actuators, suspensions, .. } =
        instances;
    let of_wheels = instances.wheel_friction.iter().map(|(_, model)| model);
    let own = [dynamics, friction, controller].into_iter().chain(of_wheels).chain(fallback);
    let own = own.chain(actuators.iter().map(|actuator| &actuator.lanes));
    let own = own.chain(suspensions.iter().map(|suspension| &suspension.lanes));
    let mut models: Vec<_> = own.map(|lanes| lanes.instance().model()).collect();
    for sensor in group.vehicles.iter().flat_map(|(_, vehicle)| vehicle.sensors.iter()) {
        let model = sensor.model.model.model;
        if !models.iter().any(|known| std::ptr::eq(*known, model)) {
            models.push(model);
        }
    }
    models
}

/// Returns whether a phase of a model has an input of this name.
pub(super) fn reads(model: &'static View<Model>, name: &str) -> bool {
    let mut inputs = model.phases().iter().flat_map(|phase| phase.inputs());
    inputs.any(|port| port.name() == name && !lanes::is_parameter(port))
}

/// Returns whether a phase of a model has an output of this name.
pub(super) fn sets(model: &'static View<Model>, name: &str) -> bool {
    model.phases().iter().flat_map(|phase| phase.outputs()).any(|port| port.name() == name)
}
