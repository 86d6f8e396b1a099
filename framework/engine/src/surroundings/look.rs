//! How objects look to rays: their meshes, wheels, surfaces and semantic classes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_scene::{Pose3, Primitive, Rotation};
use simhost_sensing::{Body, Geometry, GeometryId, Label, Solids, Space, Surface};
use simhost_world::{Block, CLASSES, RoadNetwork, Vehicle, Visual, WheelSpec};

use super::decals::{Decals, Sheet};
use crate::physics::BodyError;

/// Largest coordinate of a scaled mesh, m.
const MAX_COORDINATE: f64 = 1e9;
/// Colour of a vehicle that gives none.
const BODY: [u8; 4] = [0xd5, 0x8a, 0x45, 0xff];
/// Colour of a model without colours.
const WHITE: [u8; 4] = [0xff; 4];

/// A part of an object.
#[derive(Clone, Debug)]
pub(super) struct LookPart {
    geometry: GeometryId,
    surface: u32,
    scale: f64,
    /// Pose in the frame of the object or of its wheel.
    position: [f64; 3],
    rotation: Rotation,
    /// Wheel to which it belongs.
    wheel: Option<WheelLook>,
}

/// A wheel that carries a part.
#[derive(Clone, Copy, Debug)]
struct WheelLook {
    index: usize,
    /// Position of its centre in the vehicle frame, m.
    centre: [f64; 3],
}

/// The appearance of an object.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// Surface of its prism, or `None` if the prism is not seen.
    pub prism: Option<u32>,
    /// Parts that are seen.
    pub(super) parts: Arc<[LookPart]>,
}

/// Steering and rotation angles of a wheel, rad.
pub(crate) type Turn = [f64; 2];

impl Look {
    /// Returns the surface of the prism or, without one, of the first part, that of the body before those
    /// of wheels.
    pub fn surface(&self) -> Option<u32> {
        let of_body = self.parts.iter().find(|part| part.wheel.is_none());
        let part = of_body.or_else(|| self.parts.first());
        self.prism.or_else(|| part.map(|part| part.surface))
    }

    /// Returns the number of wheels that carry parts, up to the last one that does.
    pub fn wheels(&self) -> usize {
        let wheels = self.parts.iter().filter_map(|part| part.wheel);
        wheels.map(|wheel| wheel.index + 1).max().unwrap_or(0)
    }

    /// Adds the parts of an object at a pose, given the angles of its wheels.
    pub fn add_to(&self, solids: &mut Solids<'_>, number: u32, pose: &Pose3, turns: &[Turn]) {
        if self.parts.is_empty() {
            return;
        }
        let (position, rotation) = (pose.position(), pose.rotation());
        for part in self.parts.iter() {
            let label = Label { number, surface: part.surface };
            let (at, turned) = match &part.wheel {
                None => (
                    placed(&position, &rotation, part.position),
                    product(&rotation, &part.rotation),
                ),
                Some(wheel) => {
                    let [yaw, pitch] = turns[wheel.index];
                    let axes = Pose3 { yaw, pitch, ..Pose3::default() }.rotation();
                    let axes = product(&rotation, &axes);
                    let centre = placed(&position, &rotation, wheel.centre);
                    (placed(&centre, &axes, part.position), product(&axes, &part.rotation))
                }
            };
            solids.place_turned(label, part.geometry, (at, turned), part.scale);
        }
    }
}

/// A model of a file.
#[derive(Clone, Debug)]
struct Model {
    geometry: GeometryId,
    /// Largest coordinate, m.
    reach: f64,
    palette: Arc<[[u8; 4]]>,
    /// Whether each colour has an image; empty for a model without images.
    skins: Arc<[bool]>,
}

/// Geometries, surfaces and classes of a world that is being built.
#[derive(Default)]
pub(crate) struct Looks {
    meshes: BTreeMap<PathBuf, Option<Model>>,
    /// First surface of a class for the colours of a model, or for one colour in their place.
    painted: BTreeMap<(u16, PathBuf, Option<[u8; 4]>), u32>,
    decals: Decals,
    cylinders: BTreeMap<[u64; 2], GeometryId>,
    surfaces: BTreeMap<(u16, [u8; 4]), u32>,
    /// Names of the semantic classes by their numbers.
    pub classes: Vec<String>,
}

impl Looks {
    pub fn new() -> Self {
        Self { classes: CLASSES.map(str::to_owned).to_vec(), ..Self::default() }
    }

    /// Returns the surface of a class, by default that of the kind of object, and a colour.
    pub fn surface(
        &mut self,
        space: &mut Space,
        given: Option<&str>,
        kind: &str,
        color: [u8; 4],
    ) -> u32 {
        let class = self.class(given.unwrap_or(kind));
        let add = || space.add_surface(Surface::of_color(class, color));
        *self.surfaces.entry((class, color)).or_insert_with(add)
    }

    /// As [`Self::surface`], for a surface with an image, whose mean is its colour.
    pub fn covered(
        &mut self,
        space: &mut Space,
        given: Option<&str>,
        kind: &str,
        color: [u8; 4],
        sheet: Option<&Sheet<'_>>,
    ) -> Result<u32, BodyError> {
        let decal = match sheet {
            Some(sheet) => self.decals.add(space, sheet)?,
            None => None,
        };
        let Some((decal, mean)) = decal else { return Ok(self.surface(space, given, kind, color)) };
        let class = self.class(given.unwrap_or(kind));
        let surface = Surface { decal: Some(decal), ..Surface::of_color(class, mean) };
        Ok(space.add_surface(surface))
    }

    /// Returns the number of a class.
    fn class(&mut self, name: &str) -> u16 {
        let known = self.classes.iter().position(|class| class == name);
        let class = known.unwrap_or_else(|| {
            self.classes.push(name.to_owned());
            self.classes.len() - 1
        });
        // worlds have fewer objects than classes would need to exceed this
        u16::try_from(class).unwrap_or(0)
    }

    /// Returns the first of the surfaces of a model, which follow each other in the order of its colours.
    fn paint(
        &mut self,
        space: &mut Space,
        name: &str,
        path: &Path,
        model: &Model,
        color: Option<[u8; 4]>,
    ) -> u32 {
        let class = self.class(name);
        let first = self.painted.entry((class, path.to_owned(), color));
        *first.or_insert_with(|| {
            let own = model.palette.iter().copied();
            // a model without colours has one surface
            let own = own.chain(model.palette.is_empty().then_some(WHITE));
            let skins = model.skins.iter().copied().chain(std::iter::repeat(false));
            let surfaces = own.zip(skins).map(|(own, has_skin)| {
                let has_skin = has_skin && color.is_none();
                let surface = Surface::of_color(class, color.unwrap_or(own));
                space.add_surface(Surface { has_skin, ..surface })
            });
            surfaces.min().expect("there is at least one colour")
        })
    }

    /// Returns the appearance of a vehicle. `centre` returns the centre of a wheel, m, vehicle frame, where
    /// its dynamics class has put it.
    pub fn vehicle(
        &mut self,
        space: &mut Space,
        vehicle: &Vehicle,
        centre: impl Fn(usize) -> [f64; 3],
    ) -> Result<Look, BodyError> {
        let class = vehicle.semantic.as_deref();
        let mut parts = Vec::new();
        let body = self.visuals(
            space,
            &vehicle.visuals,
            None,
            class.unwrap_or("vehicle"),
            None,
            &mut parts,
        )?;
        for (index, wheel) in vehicle.wheels.iter().enumerate() {
            let carrier = Some(WheelLook { index, centre: centre(index) });
            if !self.visuals(space, &wheel.visuals, None, "wheel", carrier, &mut parts)? {
                parts.push(self.wheel(space, wheel, carrier));
            }
        }
        let color = vehicle.chassis.color.unwrap_or(BODY);
        let prism = (!body).then(|| self.surface(space, class, "vehicle", color));
        Ok(Look { prism, parts: parts.into() })
    }

    /// Returns the cylinder of a wheel without visuals.
    fn wheel(
        &mut self,
        space: &mut Space,
        wheel: &WheelSpec,
        carrier: Option<WheelLook>,
    ) -> LookPart {
        let (radius, half) = (0.5 * wheel.diameter, 0.5 * wheel.width);
        let key = [radius.to_bits(), half.to_bits()];
        let add = || space.add_geometry(Geometry::Cylinder { radius, half });
        let geometry = *self.cylinders.entry(key).or_insert_with(add);
        let surface = self.surface(space, None, "wheel", wheel.color);
        // the axle of a wheel is its y axis, and that of a cylinder its z axis
        let rotation = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
        LookPart { geometry, surface, scale: 1.0, position: [0.0; 3], rotation, wheel: carrier }
    }

    /// Returns the appearance of a block.
    pub fn block(&mut self, space: &mut Space, block: &Block) -> Result<Look, BodyError> {
        let class = block.semantic.as_deref();
        let mut parts = Vec::new();
        let scale = block.visual_scale;
        if self.visuals(space, &block.visuals, scale, class.unwrap_or("block"), None, &mut parts)? {
            return Ok(Look { prism: None, parts: parts.into() });
        }
        let surface = self.surface(space, class, "block", block.color);
        let solid = match block.geometry {
            Some(Primitive::Cylinder { radius, length, .. }) => {
                Some((Geometry::Cylinder { radius, half: 0.5 * length }, 0.5 * length))
            }
            Some(Primitive::Sphere { radius, .. }) => Some((Geometry::Sphere(radius), 0.0)),
            Some(Primitive::Box { lengths }) => Some((Geometry::Box([[0.0; 3], lengths]), 0.0)),
            _ => None,
        };
        let Some((geometry, height)) = solid else {
            return Ok(Look { prism: Some(surface), parts: Arc::default() });
        };
        let rotation = Pose3::default().rotation();
        let geometry = space.add_geometry(geometry);
        let position = [0.0, 0.0, height];
        let part = LookPart { geometry, surface, scale: 1.0, position, rotation, wheel: None };
        Ok(Look { prism: None, parts: [part].into() })
    }

    /// Returns the surface of a road network, which is the entity `number`; `None` for one without an area.
    pub fn roads(
        &mut self,
        space: &mut Space,
        roads: &RoadNetwork,
        number: u32,
    ) -> Option<(Label, GeometryId)> {
        let body = Body::new(&roads.surface);
        if body.is_empty() {
            return None;
        }
        let class = self.class(roads.semantic.as_deref().unwrap_or("road"));
        let palette = roads.surface.palette().iter();
        let surfaces = palette.map(|color| space.add_surface(Surface::of_color(class, *color)));
        let surface = surfaces.min()?;
        let geometry = space.add_geometry(Geometry::Mesh(Arc::new(body)));
        Some((Label { number, surface }, geometry))
    }

    /// Returns the appearance of an actor with these visuals and this class.
    pub fn actor(
        &mut self,
        space: &mut Space,
        visuals: &[Visual],
        class: Option<&str>,
    ) -> Result<Look, BodyError> {
        let mut parts = Vec::new();
        let is_seen =
            self.visuals(space, visuals, None, class.unwrap_or("actor"), None, &mut parts)?;
        let prism = (!is_seen).then(|| self.surface(space, class, "actor", WHITE));
        Ok(Look { prism, parts: parts.into() })
    }

    /// Adds the meshes of visuals. Returns whether there are any.
    fn visuals(
        &mut self,
        space: &mut Space,
        visuals: &[Visual],
        scale: Option<f64>,
        class: &str,
        wheel: Option<WheelLook>,
        parts: &mut Vec<LookPart>,
    ) -> Result<bool, BodyError> {
        let before = parts.len();
        for visual in visuals.iter().filter(|visual| visual.enabled) {
            let Some(path) = &visual.model else { continue };
            let Some(model) = self.mesh(space, visual, path)? else { continue };
            let Model { geometry, reach, .. } = model;
            let scale = scale.unwrap_or(visual.scale);
            if reach * scale > MAX_COORDINATE {
                let text = format!(
                    "the model `{}` is too large for sensors: it reaches {} m; expected at most \
                     {MAX_COORDINATE:e} m",
                    visual.model_uri,
                    reach * scale
                );
                return Err(BodyError { text, span: visual.span });
            }
            let pose = visual.pose;
            let surface = self.paint(space, class, path, &model, visual.color);
            let (position, rotation) = (pose.position(), pose.rotation());
            parts.push(LookPart { geometry, surface, scale, position, rotation, wheel });
        }
        Ok(parts.len() > before)
    }

    /// Returns the model of a visual, or `None` if it has no area. A file is read once.
    fn mesh(
        &mut self,
        space: &mut Space,
        visual: &Visual,
        path: &Path,
    ) -> Result<Option<Model>, BodyError> {
        if let Some(known) = self.meshes.get(path) {
            return Ok(known.clone());
        }
        let mesh = visual.read_mesh().transpose().map_err(|error| BodyError {
            text: format!("the model `{}` cannot be used by sensors: {error}", visual.model_uri),
            span: visual.span,
        })?;
        let found = mesh.and_then(|mesh| {
            let body = Body::new(&mesh);
            let bounds = mesh.bounds().filter(|_| !body.is_empty())?;
            let reach = bounds.min.iter().chain(&bounds.max).fold(0.0f64, |a, b| a.max(b.abs()));
            let geometry = space.add_geometry(Geometry::Mesh(Arc::new(body)));
            let skins = mesh.skins().iter().map(Option::is_some).collect();
            Some(Model { geometry, reach, palette: mesh.palette().into(), skins })
        });
        self.meshes.insert(path.to_owned(), found.clone());
        Ok(found)
    }
}

fn placed(position: &[f64; 3], rotation: &Rotation, point: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let row = &rotation[axis];
        (row[0] * point[0] + row[1] * point[1] + row[2] * point[2]) + position[axis]
    })
}

fn product(a: &Rotation, b: &Rotation) -> Rotation {
    // the closures of `map` would not be inlined
    let mut all = [[0.0; 3]; 3];
    for (of_row, row) in all.iter_mut().zip(a) {
        for (column, sum) in of_row.iter_mut().enumerate() {
            *sum = row[0] * b[0][column] + row[1] * b[1][column] + row[2] * b[2][column];
        }
    }
    all
}
