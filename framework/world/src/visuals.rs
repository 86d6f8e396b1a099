//! How things look, and the outlines that follow from it.

use std::path::Path;
use std::rc::Rc;

use simhost_assets::mesh;
use simhost_scene::{Bounds, Mesh, MeshError, Pose3, Section};

use crate::description::{Pose, Visual};
use crate::reader::Reader;
use crate::resources::MissingAssets;
use crate::sources::Span;
use crate::tag::Tag;
use crate::vocabulary::visual::VISUAL;
use crate::xml::Element;

/// What the visuals of a body tell of its shape.
pub(crate) enum Shape {
    Known(Section),
    /// They have no area within the window.
    Nothing,
    /// None of their models could be had, which has been told.
    Missing,
    /// Something is wrong, and has been reported.
    Reported,
}

/// The sides of a box.
fn boxed(Bounds { min, max }: &Bounds) -> Result<Mesh, MeshError> {
    let corner = |index: usize| {
        std::array::from_fn(|axis| if index & 1 << axis == 0 { min[axis] } else { max[axis] })
    };
    let faces: [[u32; 4]; 6] =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    Mesh::new((0..8).map(corner).collect(), faces.into_iter().flat_map(halves).collect())
}

impl Reader<'_> {
    /// All `<visual>`s that show a model.
    pub(crate) fn visuals(&mut self, elements: &[&Element]) -> Vec<Visual> {
        elements.iter().filter_map(|element| self.visual(element)).collect()
    }

    /// None where no model is named, as then it shows nothing.
    fn visual(&mut self, element: &Element) -> Option<Visual> {
        let mut tag = Tag::new(self, element, &VISUAL);
        let enabled = tag.flag("enabled");
        let scale = tag.number("model_scale");
        let pose = Pose {
            x: tag.number("model_offset_x"),
            y: tag.number("model_offset_y"),
            z: tag.number("model_offset_z"),
            yaw: tag.number("model_yaw"),
            pitch: tag.number("model_pitch"),
            roll: tag.number("model_roll"),
        };
        let color = tag.given_color("model_color");
        let cull_faces = tag.word("model_cull_faces").to_owned();
        let show_bounding_box = tag.flag("show_bounding_box");
        let (split_size, name) = (tag.number("model_split_size"), tag.text("name"));
        let uri = tag.given_text("model_uri");
        let text = uri.as_ref().and_then(|_| tag.text_of("model_uri"));
        let model = text.and_then(|text| tag.reader.resource(text));
        tag.finish();
        let (model_uri, span) = (uri?, text.map_or(element.name_span, |text| text.span));
        Some(Visual {
            span,
            name,
            model,
            model_uri,
            enabled,
            scale,
            pose,
            color,
            cull_faces,
            show_bounding_box,
            split_size,
        })
    }

    /// Outline and heights of all visuals together, within a window of heights.
    pub(crate) fn section_of(
        &mut self,
        visuals: &[Visual],
        scale: Option<f64>,
        window: [f64; 2],
    ) -> Shape {
        let mut all: Option<Section> = None;
        let mut missing = false;
        for visual in visuals {
            let mesh = visual.model.as_ref().and_then(|path| self.mesh(path, visual.span));
            let Some(mesh) = mesh else {
                missing = true;
                continue;
            };
            let factor = scale.unwrap_or(visual.scale);
            let section = match mesh.transformed(factor, &Pose3::from(visual.pose)) {
                Ok(mesh) => mesh.section(window[0], window[1]),
                Err(error) => {
                    let message = format!("`{}`: {error}", visual.model_uri);
                    self.error(visual.span, message, "", Vec::new());
                    return Shape::Reported;
                }
            };
            all = match (all, section) {
                (Some(all), Some(section)) => Some(all.union(&section)),
                (all, section) => section.or(all),
            };
        }
        match (all, missing, self.missing_assets) {
            (_, true, MissingAssets::Error) => Shape::Reported,
            (Some(section), ..) => Shape::Known(section),
            (None, true, _) => Shape::Missing,
            (None, false, _) => Shape::Nothing,
        }
    }

    /// Tells what stands for a body whose model could not be had.
    pub(crate) fn placeholder(&mut self, place: &Element, outline: &str, heights: [f64; 2]) {
        let message = format!("the shape of this <{}> is not known", place.name);
        let [low, high] = heights;
        let label = format!("{outline} from {low} m to {high} m stands for it");
        self.warning(place.name_span, message, label);
    }

    fn bounds_of(&self, path: &Path) -> Option<Bounds> {
        match self.missing_assets {
            MissingAssets::Error => None,
            MissingAssets::Placeholder => mesh::read_bounds(path, &self.asset_limits),
        }
    }

    /// The triangles of a file, which is read once.
    fn mesh(&mut self, path: &Path, place: Span) -> Option<Rc<Mesh>> {
        if let Some((_, mesh)) = self.meshes.iter().find(|(known, _)| known == path) {
            return mesh.clone();
        }
        let limits = self.asset_limits;
        let read = |()| mesh::read(path, &limits).map_err(|error| error.to_string());
        let mesh = match self.pay(path).and_then(read) {
            Ok(mesh) => {
                let bytes = size_of_val(mesh.vertices()) + size_of_val(mesh.triangles());
                self.keep(bytes, place).then(|| Rc::new(mesh))
            }
            Err(error) => {
                let bounds = self.bounds_of(path);
                let found = bounds.and_then(|bounds| boxed(&bounds).ok());
                match (self.missing_assets, bounds.filter(|_| found.is_some())) {
                    (MissingAssets::Error, _) => {
                        let help = "help: `--missing-assets placeholder` goes on without it";
                        let notes = vec![help.to_owned()];
                        self.error(place, error, "cannot be used", notes);
                    }
                    (_, Some(Bounds { min, max })) => {
                        let size: [f64; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
                        let [x, y, z] = size.map(|side| (side * 1e3).round() / 1e3);
                        let label =
                            format!("the box around its vertices, {x} × {y} × {z}, is used");
                        self.warning(place, error, label);
                    }
                    (_, None) => self.warning(place, error, "left out"),
                }
                found.map(Rc::new)
            }
        };
        self.meshes.push((path.to_owned(), mesh.clone()));
        mesh
    }
}
