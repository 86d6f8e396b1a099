//! What a world file says, checked and in SI units.

mod joint;
mod motion;
mod scenery;
mod surroundings;

pub use joint::{BodyRef, Joint, JointKind};
pub use motion::{Actor, Animation, Gait, Waypoint};
pub use scenery::{
    Georeference, GroundGrid, Gui, Lights, Marker, Publish, Scenery, Skybox, Texture, Visual,
};
pub use surroundings::{
    ElevationMap, GridMap, HorizontalPlane, Opening, OpeningKind, PointCloud, PropertyRegion,
    PropertyValue, VerticalPlane,
};

use std::sync::Arc;

use simhost_abi::WheelDesc;

use crate::compat::Profile;
use crate::sources::Span;
use simhost_model::{ModelRef, ParamValue, View};

/// A whole world. Lists are in document order.
#[derive(Clone, Debug)]
pub struct World {
    /// What holds for all of it.
    pub settings: Settings,
    /// What moves under its own power.
    pub vehicles: Vec<Vehicle>,
    /// Obstacles.
    pub blocks: Vec<Block>,
    /// Wall segments.
    pub walls: Vec<Wall>,
    /// People and the like, who follow a path.
    pub actors: Vec<Actor>,
    /// Links between bodies.
    pub joints: Vec<Joint>,
    /// Occupancy grids.
    pub grids: Vec<GridMap>,
    /// Terrain.
    pub elevation_maps: Vec<ElevationMap>,
    /// Floors, platforms and lifts.
    pub horizontal_planes: Vec<HorizontalPlane>,
    /// Walls with doors and windows.
    pub vertical_planes: Vec<VerticalPlane>,
    /// Points that sensors see.
    pub point_clouds: Vec<PointCloud>,
    /// Properties of places; of regions of one name, the first that holds a point wins.
    pub regions: Vec<PropertyRegion>,
    /// Sensors that no vehicle carries, with poses in the world frame.
    pub sensors: Vec<SensorUse>,
    /// What only a picture shows.
    pub scenery: Scenery,
    /// Of everything that was read: worlds of equal ones are the same, wherever their files lie. 0 for
    /// a world that was not read.
    pub fingerprint: u128,
}

impl World {
    /// A world with nothing in it.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            vehicles: Vec::new(),
            blocks: Vec::new(),
            walls: Vec::new(),
            actors: Vec::new(),
            joints: Vec::new(),
            grids: Vec::new(),
            elevation_maps: Vec::new(),
            horizontal_planes: Vec::new(),
            vertical_planes: Vec::new(),
            point_clouds: Vec::new(),
            regions: Vec::new(),
            sensors: Vec::new(),
            scenery: Scenery::default(),
            fingerprint: 0,
        }
    }
}

/// What holds for the whole world.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Simulated time of a run, s.
    pub duration: Option<f64>,
    /// Seed of every random draw.
    pub seed: Option<u64>,
    /// Length of a step, s; none or 0 means automatic.
    pub timestep: Option<f64>,
    /// Gravity, m/s².
    pub gravity: f64,
    /// Density of the air, kg/m³.
    pub air_density: f64,
    /// Parts of a step in which wheels and bodies move.
    pub substeps: u32,
    /// How they move within a part.
    pub integrator: Integrator,
    /// Whose numbers are wanted.
    pub profile: Profile,
    /// What happens when a model faults.
    pub faults: FaultPolicy,
    /// The friction model that takes over where the policy says so.
    pub fallback_friction: Option<Arc<ModelUse>>,
}

/// How wheels and bodies are moved through a part of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Semi-implicit Euler: forces, then velocities, then places. First order.
    #[default]
    Euler,
    /// The same made whole and in halves, and extrapolated. Second order.
    Extrapolated,
}

/// What happens when a model faults, by the kind of the fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultPolicy {
    /// It panicked, or failed in a way it did not foresee.
    pub panic: FaultAction,
    /// It gave a number that is not finite.
    pub non_finite: FaultAction,
    /// It cannot take a step of this length.
    pub step_too_large: FaultAction,
}

/// What happens when a model faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultAction {
    /// The run ends.
    #[default]
    Stop,
    /// The models of the vehicle are not called again and the run goes on.
    Disable,
    /// As `Disable`, but where friction faulted the built-in `default` model takes over.
    Fallback,
}

/// A pose in the world frame: turned by yaw, then pitch (nose down positive), then roll.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// m.
    pub x: f64,
    /// m.
    pub y: f64,
    /// Height, m.
    pub z: f64,
    /// Counter-clockwise from the world x axis, rad.
    pub yaw: f64,
    /// Positive nose down, rad.
    pub pitch: f64,
    /// Positive right side down, rad.
    pub roll: f64,
}

/// A vehicle.
#[derive(Clone, Debug)]
pub struct Vehicle {
    /// Unique among vehicles.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Reference point at the start.
    pub pose: Pose,
    /// Forward, leftward (m/s) and yaw rate (rad/s) at the start, as given: the profile tells the frame.
    pub velocity: [f64; 3],
    /// Keeps the height that its pose gives instead of looking for the ground below.
    pub skip_elevation_adjust: bool,
    /// The body.
    pub chassis: Arc<Chassis>,
    /// Wheels, in the order of the dynamics class.
    pub wheels: Arc<[WheelSpec]>,
    /// From actuators to wheel torques and steering angles.
    pub dynamics: Arc<ModelUse>,
    /// Force between wheel and ground.
    pub friction: Arc<ModelUse>,
    /// From commands to actuators.
    pub controller: Arc<ModelUse>,
    /// Sensors: those of includes, of the vehicle, of its class.
    pub sensors: Arc<[SensorUse]>,
    /// What the air does to it.
    pub aerodynamics: Aerodynamics,
    /// What its body rests on, where that is not stiff.
    pub suspension: Option<Suspension>,
    /// Factors on the odometry's increments of x, y and yaw.
    pub odometry_multipliers: [f64; 3],
    /// A motion that is played instead of driving.
    pub animation: Option<Arc<Animation>>,
    /// Looks.
    pub visuals: Arc<[Visual]>,
    /// What other processes are told.
    pub publish: Option<Arc<Publish>>,
}

impl Chassis {
    /// Height of its centre of mass above the ground: midway between its ends where nothing is given, m.
    pub fn centre_height(&self) -> f64 {
        self.cg_height.unwrap_or(0.5 * (self.z_min + self.z_max))
    }
}

/// What the air does to a vehicle, by its speed: F = ½ ρ A v².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aerodynamics {
    /// Drag coefficient times frontal area, m².
    pub drag_area: f64,
    /// Lift coefficient times area, m²; negative presses the vehicle on the ground.
    pub lift_area: f64,
}

/// Springs and dampers between wheels and body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspension {
    /// Of each wheel, N/m.
    pub stiffness: f64,
    /// Of each wheel, N·s/m.
    pub damping: f64,
    /// Of the chassis about its x axis where given, kg·m².
    pub roll_inertia: Option<f64>,
    /// Of the chassis about its y axis where given, kg·m².
    pub pitch_inertia: Option<f64>,
}

/// The body of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Chassis {
    /// Without the wheels, kg.
    pub mass: f64,
    /// Lowest point above the ground, m.
    pub z_min: f64,
    /// Highest point above the ground, m.
    pub z_max: f64,
    /// Outline in the vehicle frame, m; any winding.
    pub polygon: Vec<[f64; 2]>,
    /// Height of its centre of mass above the ground where given, m.
    pub cg_height: Option<f64>,
    /// Where given, 1/s.
    pub linear_damping: Option<f64>,
    /// Where given, 1/s.
    pub angular_damping: Option<f64>,
    /// Red, green, blue, opacity, where given: for a vehicle without visuals.
    pub color: Option<[u8; 4]>,
}

/// A wheel of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelSpec {
    /// Tag in the world file, such as `l_wheel`, with a number where it may be given repeatedly.
    pub tag: String,
    /// Ahead of the reference point, m.
    pub x: f64,
    /// Left of the reference point, m.
    pub y: f64,
    /// Heading at zero steering, rad.
    pub yaw: f64,
    /// kg.
    pub mass: f64,
    /// m.
    pub width: f64,
    /// m.
    pub diameter: f64,
    /// About the axle where given, kg·m².
    pub inertia: Option<f64>,
    /// Inputs of the dynamics class that the world file sets for this wheel, in the ports' units.
    pub inputs: Vec<(String, f64)>,
    /// Red, green, blue, opacity: for a wheel without visuals.
    pub color: [u8; 4],
    /// Looks, in the frame of the wheel.
    pub visuals: Arc<[Visual]>,
    /// Name of the visual of the vehicle that turns with the steering of this wheel.
    pub linked_yaw: Option<String>,
    /// Added to that turn, rad.
    pub linked_yaw_offset: f64,
}

impl WheelSpec {
    /// What holds when the world file has no tag for this wheel.
    pub(crate) fn absent(desc: &'static View<WheelDesc>, tag: &str) -> Self {
        Self {
            tag: tag.to_owned(),
            x: desc.x,
            y: desc.y,
            yaw: 0.0,
            mass: 2.0,
            width: 0.2,
            diameter: 0.4,
            inertia: None,
            inputs: Vec::new(),
            color: [0x32, 0x32, 0x32, 0xff],
            visuals: Arc::default(),
            linked_yaw: None,
            linked_yaw_offset: 0.0,
        }
    }
}

/// A model with its parameters.
#[derive(Clone, Debug)]
pub struct ModelUse {
    /// The class.
    pub model: ModelRef,
    /// In the order of the model's parameters, defaults filled in, in the model's units.
    pub values: Vec<ParamValue>,
    /// Input ports that the world file sets, in the ports' units.
    pub set_points: Vec<(String, f64)>,
    /// Where it is chosen.
    pub span: Span,
}

/// A sensor of a vehicle.
#[derive(Clone, Debug)]
pub struct SensorUse {
    /// Unique within the vehicle.
    pub name: String,
    /// Time between samples, s.
    pub period: f64,
    /// The class.
    pub model: ModelUse,
    /// Looks.
    pub visuals: Arc<[Visual]>,
    /// What other processes are told.
    pub publish: Option<Arc<Publish>>,
}

impl SensorUse {
    /// Whether its class measures anything yet.
    pub fn gives_readings(&self) -> bool {
        self.model.model.model.gives_readings()
    }
}

/// An obstacle.
#[derive(Clone, Debug)]
pub struct Block {
    /// May repeat.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Origin of the outline at the start.
    pub pose: Pose,
    /// As [`Vehicle::velocity`].
    pub velocity: [f64; 3],
    /// Keeps the height that its pose gives instead of looking for the ground below.
    pub skip_elevation_adjust: bool,
    /// Outline in the block's frame, m: convex where it comes from visuals.
    pub polygon: Vec<[f64; 2]>,
    /// Lowest point above the origin of the outline, m.
    pub z_min: f64,
    /// Highest point above the origin of the outline, m.
    pub z_max: f64,
    /// The surface that wheels roll on.
    pub top: BlockTop,
    /// kg.
    pub mass: f64,
    /// Never moves.
    pub is_static: bool,
    /// Touches nothing.
    pub intangible: bool,
    /// Coulomb coefficient between block and ground.
    pub ground_friction: f64,
    /// Friction coefficient of its sides.
    pub lateral_friction: f64,
    /// Part of the closing speed that is kept in a contact.
    pub restitution: f64,
    /// Where given, 1/s.
    pub linear_damping: Option<f64>,
    /// Where given, 1/s.
    pub angular_damping: Option<f64>,
    /// A motion that is played instead of being pushed about.
    pub animation: Option<Arc<Animation>>,
    /// Looks.
    pub visuals: Arc<[Visual]>,
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
    /// What other processes are told.
    pub publish: Option<Arc<Publish>>,
}

/// The upper surface of a block, within its outline and in its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BlockTop {
    /// Flat at `z_max`.
    #[default]
    Flat,
    /// From 0 at x = 0 up to `height` at x = `length`, m.
    Ramp {
        /// Along x, m.
        length: f64,
        /// At the upper end, m.
        height: f64,
    },
    /// Half an ellipse across y: height √(1 − (2y/width)²), m.
    Bump {
        /// Along y, m.
        width: f64,
        /// At y = 0, m.
        height: f64,
    },
}

/// A straight wall that stands on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// World frame, m.
    pub from: [f64; 2],
    /// World frame, m.
    pub to: [f64; 2],
    /// m.
    pub thickness: f64,
    /// m.
    pub height: f64,
    /// Where the segment's first point is given.
    pub span: Span,
}
