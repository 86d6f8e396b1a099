//! The checked description of a world.

use super::settings::Settings;
use crate::actor::Actor;
use crate::block::Block;
use crate::fleet::FleetUse;
use crate::georeference::Georeference;
use crate::gui::Gui;
use crate::joint::Joint;
use crate::maps::{GridMap, GroundGrid, PointCloud};
use crate::marker::Marker;
use crate::observer::ObserverUse;
use crate::plane::{HorizontalPlane, VerticalPlane};
use crate::region::PropertyRegion;
use crate::roads::RoadNetwork;
use crate::sensor::SensorUse;
use crate::sky::{Lights, Skybox};
use crate::stream::{QuantityPattern, StreamUse};
use crate::terrain::ElevationMap;
use crate::value::RandomValue;
use crate::vehicle::Vehicle;
use crate::walls::Wall;

/// A world. All values are checked, complete and in SI units; lists are in document order.
#[derive(Clone, Debug)]
pub struct World {
    /// Settings of the whole world.
    pub settings: Settings,
    /// Vehicles.
    pub vehicles: Vec<Vehicle>,
    /// Obstacles.
    pub blocks: Vec<Block>,
    /// Straight walls.
    pub walls: Vec<Wall>,
    /// People and other bodies that follow a path.
    pub actors: Vec<Actor>,
    /// Controllers of many vehicles.
    pub fleets: Vec<FleetUse>,
    /// Joints between bodies.
    pub joints: Vec<Joint>,
    /// Occupancy grids.
    pub grids: Vec<GridMap>,
    /// Road network.
    pub roads: Option<RoadNetwork>,
    /// Terrain.
    pub elevation_maps: Vec<ElevationMap>,
    /// Floors, platforms and lifts.
    pub horizontal_planes: Vec<HorizontalPlane>,
    /// Walls with doors and windows.
    pub vertical_planes: Vec<VerticalPlane>,
    /// Points that 3D sensors see.
    pub point_clouds: Vec<PointCloud>,
    /// Property regions. Of several regions of one property that contain a point, the first one
    /// applies.
    pub regions: Vec<PropertyRegion>,
    /// Sensors without a vehicle. Their poses are in the world frame.
    pub sensors: Vec<SensorUse>,
    /// Observers, which do not affect the others.
    pub observers: Vec<ObserverUse>,
    /// Patterns of the quantities that a run with output records.
    pub recorded: Vec<QuantityPattern>,
    /// Streams of quantities.
    pub streams: Vec<StreamUse>,
    /// Everything that affects visualisation only, and the georeference.
    pub scenery: Scenery,
    /// Fingerprint of everything that was read except the duration of a run, what it records
    /// and its observers. Worlds with equal
    /// fingerprints behave the same, wherever their files are. A world that was not read from a file has 0.
    pub fingerprint: u128,
    /// Values that were drawn while the file was expanded, each expression once.
    pub random_values: Vec<RandomValue>,
}

impl World {
    /// Creates an empty world.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            vehicles: Vec::new(),
            blocks: Vec::new(),
            walls: Vec::new(),
            actors: Vec::new(),
            fleets: Vec::new(),
            joints: Vec::new(),
            grids: Vec::new(),
            roads: None,
            elevation_maps: Vec::new(),
            horizontal_planes: Vec::new(),
            vertical_planes: Vec::new(),
            point_clouds: Vec::new(),
            regions: Vec::new(),
            sensors: Vec::new(),
            observers: Vec::new(),
            recorded: Vec::new(),
            streams: Vec::new(),
            scenery: Scenery::default(),
            fingerprint: 0,
            random_values: Vec::new(),
        }
    }
}

/// The parts of a world that affect visualisation only, and its georeference.
#[derive(Clone, Debug, Default)]
pub struct Scenery {
    /// The window and its camera.
    pub gui: Gui,
    /// Whether a gamepad drives nothing in the page.
    pub has_no_gamepad: bool,
    /// The sun and its shadows.
    pub lights: Lights,
    /// Position of the world on Earth.
    pub georeference: Option<Georeference>,
    /// Drawn lines.
    pub markers: Vec<Marker>,
    /// Grids of lines on the ground.
    pub ground_grids: Vec<GroundGrid>,
    /// Images of the surroundings.
    pub skybox: Option<Skybox>,
}
