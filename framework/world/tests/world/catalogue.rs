//! A catalogue of models for the tests. They have declarations, but no behaviour.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::host_port::{DRIVE_OUTPUTS, HostPort};
use simhost_abi::{
    Batch, ChassisDesc, Fault, Kind, Model, ParamDesc, ParamKind, Phase, PortDesc, Slice, Str,
    Value, WheelDesc, param_flag, port_flag, wheel_flag,
};
use simhost_model::{ClassError, Classes, ModelRef, View};

unsafe extern "C" fn create(_: Slice<Value>, _: *mut *mut c_void, _: *mut Fault) -> u32 {
    0
}
unsafe extern "C" fn destroy(_: *mut c_void) {}
unsafe extern "C" fn call(_: *const c_void, _: *const Batch, _: *mut Fault) -> u32 {
    0
}

fn keep<T: 'static>(items: Vec<T>) -> Slice<T> {
    Slice::new(Box::leak(items.into_boxed_slice()))
}

fn number(key: &'static str, default: f64) -> ParamDesc {
    ParamDesc {
        size: 0,
        kind: ParamKind::Number as u32,
        flags: 0,
        count: 0,
        key: Str::new(key),
        aliases: Slice::new(&[]),
        doc: Str::new("what it means"),
        unit: Str::new("1"),
        scale: 1.0,
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
        default: Value::number(default),
        choices: Slice::new(&[]),
        children: Slice::new(&[]),
    }
}

fn kind(kind: ParamKind, key: &'static str, default: Value) -> ParamDesc {
    ParamDesc { kind: kind as u32, default, ..number(key, 0.0) }
}

fn boolean(key: &'static str) -> ParamDesc {
    kind(ParamKind::Bool, key, Value::boolean(false))
}

fn numbers(keys: &[&'static str]) -> Vec<ParamDesc> {
    keys.iter().map(|key| number(key, 0.5)).collect()
}

fn degrees(key: &'static str, default: f64) -> ParamDesc {
    let scale = 1_f64.to_radians();
    ParamDesc { unit: Str::new("deg"), scale, ..number(key, default) }
}

fn port(name: &'static str, key: &'static str, flags: u32) -> PortDesc {
    PortDesc {
        size: 0,
        scope: 0,
        flags,
        reserved: 0,
        name: Str::new(name),
        unit: Str::new(match name {
            "vx" | "twist_vx" | "twist_vy" => "m/s",
            "w" | "twist_omega" => "rad/s",
            _ => "1",
        }),
        doc: Str::new(""),
        default: 0.0,
        key: Str::new(key),
        key_unit: Str::new(if key == "W" { "deg/s" } else { "1" }),
        key_scale: if key == "W" { 1_f64.to_radians() } else { 1.0 },
    }
}

fn phase(id: &'static str, inputs: Vec<PortDesc>, outputs: &[&'static str]) -> Phase {
    let outputs = keep(outputs.iter().map(|name| port(name, "", 0)).collect());
    Phase { size: 0, reserved: 0, id: Str::new(id), inputs: keep(inputs), outputs, call }
}

fn model(kind: Kind, id: &'static str, params: Vec<ParamDesc>, phases: Vec<Phase>) -> Model {
    Model {
        size: 0,
        kind: kind as u32,
        flags: 0,
        schema: 1,
        id: Str::new(id),
        version: Str::new("1"),
        doc: Str::new(""),
        params: keep(params),
        states: Slice::new(&[]),
        commands: Slice::new(&[]),
        wheels: Slice::new(&[]),
        chassis: std::ptr::null(),
        phases: keep(phases),
        create,
        destroy,
        arrange: None,
        capacity: None,
        ability: None,
    }
}

fn dynamics(
    id: &'static str,
    params: Vec<ParamDesc>,
    wheels: &[(&'static str, f64, f64)],
    inputs: &[&'static str],
) -> Model {
    let wheel = |(tag, x, y): &(&'static str, f64, f64)| WheelDesc {
        size: 0,
        flags: if tag.starts_with('f') { wheel_flag::PLACED_BY_MODEL } else { 0 },
        tag: Str::new(tag),
        x: *x,
        y: *y,
    };
    let polygon = keep(vec![-0.4, -0.5, 0.4, -0.5, 0.6, 0.0, 0.4, 0.5, -0.4, 0.5]);
    let chassis =
        ChassisDesc { size: 0, reserved: 0, mass: 15.0, z_min: 0.05, z_max: 0.6, polygon };
    let inputs = inputs.iter().map(|name| port(name, "", 0)).collect();
    let driven = |of_host: &HostPort| PortDesc {
        scope: of_host.scope as u32,
        unit: Str::new(of_host.unit),
        ..port(of_host.name, "", 0)
    };
    let driven = DRIVE_OUTPUTS.iter().map(driven).collect();
    Model {
        wheels: keep(wheels.iter().map(wheel).collect()),
        chassis: Box::leak(Box::new(chassis)),
        ..model(
            Kind::Dynamics,
            id,
            params,
            vec![
                Phase { outputs: keep(driven), ..phase("drive", inputs, &[]) },
                phase("measure", vec![], &[]),
            ],
        )
    }
}

fn controller(
    id: &'static str,
    params: Vec<ParamDesc>,
    keys: &[&'static str],
    outputs: &[&'static str],
) -> Model {
    let mut inputs: Vec<_> =
        keys.iter().map(|key| port(key.to_lowercase().leak(), key, port_flag::COMMAND)).collect();
    inputs.push(port("vx", "", 0));
    model(Kind::Controller, id, params, vec![phase("control", inputs, outputs)])
}

fn drivetrain() -> ParamDesc {
    let choices =
        ["open_front", "open_rear", "open_4wd", "torsen_front", "torsen_rear", "torsen_4wd"];
    let mut children = vec![ParamDesc {
        choices: keep(choices.map(Str::new).to_vec()),
        ..kind(ParamKind::Choice, "type", Value::text(Str::new("torsen_4wd")))
    }];
    children.extend(numbers(&[
        "front_rear_split",
        "front_left_right_split",
        "rear_left_right_split",
        "front_rear_bias",
        "front_left_right_bias",
        "rear_left_right_bias",
    ]));
    ParamDesc { children: keep(children), ..kind(ParamKind::Group, "drivetrain", Value::NONE) }
}

fn friction() -> Vec<Model> {
    let mut mu = number("mu", 0.8);
    (mu.min, mu.aliases) = (0.0, keep(vec![Str::new("friction_mu")]));
    let with = |keys: &[&'static str]| [vec![mu], numbers(keys)].concat();
    let mut ellipse = numbers(&[
        "C_damping",
        "C_rr",
        "C_alpha",
        "slip_angle_saturation",
        "C_alpha_s",
        "C_s",
        "slip_ratio_saturation",
        "C_s_alpha",
    ]);
    ellipse.push(boolean("double_steering"));
    let mut odd = vec![ParamDesc { flags: param_flag::REQUIRED, ..number("needed", 0.0) }];
    odd.push(kind(ParamKind::Path, "table", Value::NONE));
    odd.push(ParamDesc { count: 3, ..kind(ParamKind::List, "triple", Value::NONE) });
    odd.push(kind(ParamKind::Integer, "rounds", Value::number(2.0)));
    odd.push(ParamDesc { max: 1.0, flags: param_flag::ABOVE_MIN, min: 0.0, ..number("part", 0.5) });
    odd.push(ParamDesc {
        children: keep(numbers(&["t", "x"])),
        ..kind(ParamKind::List, "stop", Value::NONE)
    });
    vec![
        model(Kind::Friction, "default", with(&["C_damping", "C_rr"]), vec![]),
        model(
            Kind::Friction,
            "wardiagnemma",
            with(&["C_damping", "C_rr", "A_roll", "R1", "R2"]),
            vec![],
        ),
        model(Kind::Friction, "ellipse", ellipse, vec![]),
        model(Kind::Friction, "odd", odd, vec![]),
    ]
}

fn controllers() -> Vec<Model> {
    let pid = || {
        let mut params = numbers(&["KP", "KI", "KD", "max_torque", "N"]);
        params.push(boolean("enable_antiwindup"));
        params
    };
    let two = &["torque_left", "torque_right"];
    let drive = &["engine_torque", "steer"];
    let front = &["torque_fl", "torque_fr", "steer"];
    vec![
        controller("raw", vec![], &[], two),
        controller("raw", vec![], &["fl_torque", "fr_torque", "steer_ang_deg"], front),
        controller("raw", vec![], &["torque", "steer_ang_deg"], drive),
        controller("twist_pid", pid(), &["V", "W"], two),
        controller("twist_ideal", vec![], &["V", "W"], &["twist_vx", "twist_vy", "twist_omega"]),
        controller("twist_front_steer_pid", pid(), &["V", "W"], front),
        controller("twist_front_steer_pid", pid(), &["V", "W"], drive),
        controller("front_steer_pid", pid(), &["V", "STEER_ANG"], front),
        controller("front_steer_pid", pid(), &["V", "STEER_ANG"], drive),
    ]
}

fn dynamics_classes() -> Vec<Model> {
    let sides = &["torque_left", "torque_right"];
    let steered = || {
        vec![
            number("f_wheels_x", 1.3),
            number("f_wheels_d", 2.0),
            degrees("max_steer_ang_deg", 30.0),
        ]
    };
    let with_train = [steered(), vec![drivetrain()]].concat();
    let four: &[_] = &[
        ("rl_wheel", 0.0, 0.9),
        ("rr_wheel", 0.0, -0.9),
        ("fl_wheel", 1.3, 0.9),
        ("fr_wheel", 1.3, -0.9),
    ];
    let (left, right) = (("l_wheel", 0.0, 0.5), ("r_wheel", 0.0, -0.5));
    let corners = &[
        ("lr_wheel", 0.0, 0.5),
        ("rr_wheel", 0.0, -0.5),
        ("lf_wheel", 0.5, 0.5),
        ("rf_wheel", 0.5, -0.5),
    ];
    vec![
        dynamics("differential", vec![], &[left, right], sides),
        dynamics(
            "differential_3_wheels",
            vec![boolean("rigid_caster")],
            &[left, right, ("caster_wheel", 0.5, 0.0)],
            sides,
        ),
        dynamics("differential_4_wheels", vec![], corners, sides),
        dynamics("ackermann", steered(), four, &["torque_fl", "torque_fr", "steer"]),
        dynamics("ackermann_drivetrain", with_train, four, &["engine_torque", "steer"]),
    ]
}

fn laser() -> Model {
    let mut params = vec![
        kind(ParamKind::List, "pose", Value::NONE),
        kind(ParamKind::List, "pose_3d", Value::NONE),
    ];
    params.push(degrees("fov_degrees", 180.0));
    params.push(ParamDesc { min: 2.0, ..kind(ParamKind::Integer, "nrays", Value::number(181.0)) });
    params.extend(numbers(&["max_range", "range_std_noise", "angle_std_noise_deg"]));
    params.push(boolean("raytrace_3d"));
    params.push(kind(ParamKind::Text, "label", Value::NONE));
    model(Kind::Sensor, "laser", params, vec![phase("read", vec![], &["range"])])
}

fn gnss() -> Model {
    model(
        Kind::Sensor,
        "gnss",
        numbers(&["horizontal_std_noise"]),
        vec![phase("read", vec![], &[])],
    )
}

/// A class that checks parameters without measuring.
fn camera() -> Model {
    model(Kind::Sensor, "camera", numbers(&["clip_min"]), vec![phase("read", vec![], &[])])
}

/// A class of each kind that stands on its own, named like its kind.
fn others() -> Vec<Model> {
    let of = |kind: Kind, phases| model(kind, kind.tag(), vec![], phases);
    let value = || vec![phase("actuate", vec![port("command", "", 0)], &["value"])];
    let update = vec![phase("update", vec![], &[])];
    let command = vec![phase("command", vec![], &["vx"])];
    vec![
        of(Kind::Actuator, value()),
        of(Kind::Environment, update),
        of(Kind::Fleet, command),
        of(Kind::Observer, vec![]),
        of(Kind::Suspension, vec![]),
    ]
}

/// The catalogue of the tests.
pub struct Catalogue {
    models: Vec<ModelRef>,
}

impl Catalogue {
    pub fn new() -> Self {
        let models = [
            friction(),
            dynamics_classes(),
            controllers(),
            vec![laser(), gnss(), camera()],
            others(),
        ]
        .concat();
        let wrap = |model: Model| {
            // SAFETY: all models of this file are built from constants, which live forever.
            let model = unsafe { View::new(Box::leak(Box::new(model))) };
            ModelRef {
                model,
                full_name: format!("simhost/{}", model.id()).into(),
                source: Arc::from("linked in"),
            }
        };
        Self { models: models.into_iter().map(wrap).collect() }
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = (&'static str, &ModelRef)> {
        let models = self.models.iter().filter(move |model| model.model.kind == kind as u32);
        models.map(|model| (model.id(), model))
    }
}

impl Classes for Catalogue {
    fn find(&self, kind: Kind, class: &str) -> Result<Vec<ModelRef>, ClassError> {
        if class == "twofold" {
            let full_names = vec!["a/twofold".to_owned(), "b/twofold".to_owned()];
            return Err(ClassError::Ambiguous { full_names });
        }
        let found: Vec<_> =
            self.of(kind).filter(|(id, _)| *id == class).map(|(_, m)| m.clone()).collect();
        if found.is_empty() {
            let note = (class == "broken").then(|| "note: libbroken.so was skipped".to_owned());
            return Err(ClassError::Unknown { note });
        }
        Ok(found)
    }

    fn names(&self, kind: Kind) -> Vec<String> {
        let mut names: Vec<_> = self.of(kind).map(|(id, _)| id.to_owned()).collect();
        names.sort();
        names.dedup();
        names
    }
}
