//! Constants of a vehicle that follow from its description: wheels, mass, outline and loads.

use std::sync::Arc;

use simhost_abi::WheelGeometry;
use simhost_model::Instance;
use simhost_scene::{MassProperties, Pose2, polygon};
use simhost_world::{AxleSprings, Settings, Vehicle, WheelTurning};

use crate::loads;
use crate::loads::Support;
use crate::model::{LaneInstances, ModelError, arrange};
use crate::physics::BodyError;
use crate::springs::Springs;
use crate::table::loading::Loading;
use crate::tipping::Tipping;

/// Constants of a vehicle.
pub(super) struct VehicleParts {
    /// Wheels as the dynamics class arranges them.
    pub wheels: Vec<WheelGeometry>,
    /// Whether and how each wheel turns about its vertical axis.
    pub turning: Vec<WheelTurning>,
    /// Mass properties of chassis and wheels.
    pub mass: MassProperties,
    /// Convex hull of chassis and wheels, vehicle frame, m.
    pub outline: Vec<[f64; 2]>,
    /// Load of each wheel on level ground, its own weight included, N.
    pub loads: Vec<f64>,
    /// Coupling of the wheels by the vehicle, as friction models read it.
    pub coupling: f64,
    /// Masses and geometry that determine the wheel loads.
    pub loading: Loading,
    /// Moment of inertia of each wheel about its axle, kg·m².
    pub inertia: Vec<f64>,
}

impl VehicleParts {
    /// Computes the constants of all vehicles of a table. Those of a vehicle that repeats the one
    /// before it are shared.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_all(
        vehicles: &[(usize, &Vehicle)],
        dynamics: &LaneInstances,
        settings: &Settings,
    ) -> Result<Vec<Arc<Self>>, TableError> {
        let mut all: Vec<Arc<Self>> = Vec::with_capacity(vehicles.len());
        for (lane, (_, vehicle)) in vehicles.iter().enumerate() {
            let repeated = lane.checked_sub(1).filter(|last| {
                are_alike(vehicles[*last].1, vehicle)
                    && Arc::ptr_eq(dynamics.of(*last), dynamics.of(lane))
            });
            all.push(match repeated {
                Some(last) => Arc::clone(&all[last]),
                None => Arc::new(Self::new(vehicle, dynamics.of(lane), settings)?),
            });
        }
        Ok(all)
    }

    /// Computes the constants of a vehicle.
    ///
    /// # Errors
    /// [`TableError`] if the dynamics class rejects the wheels or the suspension is too soft.
    fn new(
        vehicle: &Vehicle,
        dynamics: &Instance,
        settings: &Settings,
    ) -> Result<Self, TableError> {
        let wheels = arranged_wheels(vehicle, dynamics)?;
        let boxes = settings.profile.wheels_are_boxes;
        let (chassis, mass, outline) = mass_and_outline(vehicle, &wheels, boxes);
        let places: Vec<[f64; 2]> = wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
        let weight = chassis.mass * settings.gravity;
        let mut share = vec![weight / wheels.len() as f64; wheels.len()];
        let springs = springs(vehicle, chassis.centre, &places, settings)?;
        let shares = springs.as_ref().and_then(|springs| springs.shares.as_deref());
        let support = shares.map_or_else(|| Support::new(&places), |[springs, _]| springs.clone());
        if !settings.profile.equal_wheel_loads {
            support.distribute(weight, chassis.centre, |wheel, load| share[wheel] = load);
        }
        let own = vehicle.wheels.iter().map(|wheel| wheel.mass * settings.gravity);
        let loads: Vec<f64> = share.iter().zip(own).map(|(share, own)| share + own).collect();
        let coupling = match settings.profile.equal_wheel_loads {
            true => 0.0,
            false => loads::coupling(&places, &loads, &mass),
        };
        // by default a wheel is a solid cylinder
        let inertia = vehicle
            .wheels
            .iter()
            .map(|wheel| {
                wheel.inertia.unwrap_or(0.125 * wheel.mass * wheel.diameter * wheel.diameter)
            })
            .collect();
        let heights = vehicle.wheels.iter().zip(&wheels).map(|(wheel, at)| wheel.mass * at.radius);
        let moment = chassis.mass * vehicle.chassis.centre_height() + heights.sum::<f64>();
        let trails = vehicle.wheels.iter().map(|wheel| match wheel.turning {
            WheelTurning::Steered => wheel.mechanical_trail,
            _ => f64::NAN,
        });
        let loading = Loading {
            support,
            chassis: chassis.mass,
            wheels: vehicle.wheels.iter().map(|wheel| wheel.mass).collect(),
            centre: chassis.centre,
            moment,
            air: vehicle.aerodynamics,
            springs,
            trails: trails.collect(),
            tipping: Arc::new(Tipping::new(
                &places,
                mass.centre,
                moment / mass.mass,
                Springs::gyration(vehicle.suspension.as_ref(), &vehicle.chassis),
            )),
        };
        let turning = vehicle.wheels.iter().map(|wheel| wheel.turning).collect();
        Ok(Self { wheels, turning, mass, outline, loads, coupling, loading, inertia })
    }
}

/// Returns whether two vehicles of a table have the same constants where that is known without
/// comparing their geometry.
fn are_alike(one: &Vehicle, other: &Vehicle) -> bool {
    Arc::ptr_eq(&one.chassis, &other.chassis)
        && Arc::ptr_eq(&one.wheels, &other.wheels)
        && one.aerodynamics == other.aerodynamics
        && one.suspension == other.suspension
}

fn arranged_wheels(
    vehicle: &Vehicle,
    dynamics: &Instance,
) -> Result<Vec<WheelGeometry>, ModelError> {
    let mut wheels: Vec<WheelGeometry> = vehicle
        .wheels
        .iter()
        .map(|wheel| WheelGeometry {
            x: wheel.x,
            y: wheel.y,
            yaw: wheel.yaw,
            radius: 0.5 * wheel.diameter,
        })
        .collect();
    arrange(dynamics, &mut wheels, vehicle.dynamics.span)?;
    Ok(wheels)
}

/// Returns the mass properties of the chassis and of the whole vehicle, and the outline of the whole
/// vehicle. The yaw inertia of a wheel is that of a cylinder, or of a box with `boxes`.
fn mass_and_outline(
    vehicle: &Vehicle,
    wheels: &[WheelGeometry],
    boxes: bool,
) -> (MassProperties, MassProperties, Vec<[f64; 2]>) {
    let chassis = vehicle.chassis.mass_properties();
    let mut mass = chassis;
    let mut corners = polygon::convex_hull(&vehicle.chassis.polygon);
    for (wheel, place) in vehicle.wheels.iter().zip(wheels) {
        let pose = Pose2 { x: place.x, y: place.y, yaw: place.yaw };
        let form = if boxes { MassProperties::rectangle } else { MassProperties::wheel };
        mass = mass + form(wheel.mass, wheel.diameter, wheel.width, pose);
        let (half_length, half_width) = (place.radius, 0.5 * wheel.width);
        for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            corners.push(pose.transform([x * half_length, y * half_width]));
        }
    }
    (chassis, mass, polygon::convex_hull(&corners))
}

/// Returns the suspension of a vehicle, unless it is rigid.
fn springs(
    vehicle: &Vehicle,
    centre: [f64; 2],
    wheels: &[[f64; 2]],
    settings: &Settings,
) -> Result<Option<Springs>, BodyError> {
    let Some(suspension) = &vehicle.suspension else { return Ok(None) };
    let has_width = |axle: &AxleSprings| {
        let mut places = axle.wheels.iter().map(|wheel| wheels[*wheel][1]);
        places.next().is_some_and(|first| places.any(|y| y != first))
    };
    if suspension.axles.iter().any(|axle| axle.anti_roll_bar > 0.0 && !has_width(axle)) {
        let text = format!(
            "an anti-roll bar of vehicle '{}' without two wheels next to each other",
            vehicle.name
        );
        return Err(BodyError { text, span: vehicle.span });
    }
    let springs = Springs::new(suspension, &vehicle.chassis, centre, wheels);
    if springs.are_too_soft(settings.gravity) {
        let text = format!(
            "vehicle '{}' topples over: its springs are too soft for the height of its centre of \
             mass, or its wheels are in one line",
            vehicle.name
        );
        return Err(BodyError { text, span: vehicle.span });
    }
    Ok(Some(springs))
}

/// A table cannot be built.
#[derive(Debug)]
pub(crate) enum TableError {
    /// A model cannot be used.
    Model(ModelError),
    /// The body of a vehicle cannot exist.
    Body(BodyError),
}

impl From<ModelError> for TableError {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl From<BodyError> for TableError {
    fn from(error: BodyError) -> Self {
        Self::Body(error)
    }
}
