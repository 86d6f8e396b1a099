//! How things look, and the outlines that follow from it.

use std::path::Path;
use std::rc::Rc;

use simhost_assets::mesh;
use simhost_scene::{Mesh, Pose3, Section};

use crate::description::{Pose, Visual};
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::visual::VISUAL;
use crate::xml::Element;

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
        let model_uri = uri?;
        Some(Visual {
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

    /// Outline and heights of all visuals together, within a window of heights; none where a model
    /// could not be had, or where there is nothing.
    pub(crate) fn section_of(
        &mut self,
        visuals: &[Visual],
        scale: Option<f64>,
        window: [f64; 2],
        place: &Element,
    ) -> Option<Section> {
        let mut all: Option<Section> = None;
        for visual in visuals {
            let Some(path) = &visual.model else { continue };
            let mesh = self.mesh(path, place)?;
            let factor = scale.unwrap_or(visual.scale);
            let section = match mesh.transformed(factor, &Pose3::from(visual.pose)) {
                Ok(mesh) => mesh.section(window[0], window[1]),
                Err(error) => {
                    let message = format!("`{}`: {error}", visual.model_uri);
                    self.error(place.name_span, message, "", Vec::new());
                    return None;
                }
            };
            all = match (all, section) {
                (Some(all), Some(section)) => Some(all.union(&section)),
                (all, section) => section.or(all),
            };
        }
        all
    }

    /// The triangles of a file, which is read once.
    fn mesh(&mut self, path: &Path, place: &Element) -> Option<Rc<Mesh>> {
        if let Some((_, mesh)) = self.meshes.iter().find(|(known, _)| known == path) {
            return Some(Rc::clone(mesh));
        }
        let limits = self.asset_limits;
        let mesh = self.read_asset(place.name_span, path, |path| mesh::read(path, &limits))?;
        let bytes = size_of_val(mesh.vertices()) + size_of_val(mesh.triangles());
        let mesh = self.keep(bytes, place.name_span).then(|| Rc::new(mesh))?;
        self.meshes.push((path.to_owned(), Rc::clone(&mesh)));
        Some(mesh)
    }
}
