//! Colours of materials: the diffuse part of their effects.

use std::collections::BTreeMap;

use super::super::assembly::{Paint, WHITE};
use super::super::material::{Images, color};
use super::document::{ById, Node, floats};
use crate::Problem;

/// Looks of a geometry by the symbols of its materials.
pub(super) type Colors = BTreeMap<String, Paint>;

/// The effects of a file, each evaluated once.
pub(super) struct Effects<'i> {
    images: &'i Images<'i>,
    /// Colours of materials by the index of their element.
    known: BTreeMap<u32, Paint>,
}

impl<'i> Effects<'i> {
    pub(super) fn new(images: &'i Images<'i>) -> Self {
        Self { images, known: BTreeMap::new() }
    }

    /// Returns the colours of a geometry as an instance binds its materials. A symbol without a binding is
    /// the id of a material.
    pub(super) fn colors<'d>(
        &mut self,
        instance: Option<Node<'d>>,
        geometry: Node<'d>,
        by_id: &ById<'d>,
    ) -> Result<Colors, Problem> {
        let binding = instance.and_then(|instance| instance.child("bind_material"));
        let technique = binding.and_then(|binding| binding.child("technique_common"));
        let mut colors = Colors::new();
        let Some(mesh) = geometry.child("mesh") else { return Ok(colors) };
        for symbol in mesh.children().filter_map(|primitive| primitive.attribute("material")) {
            let bound = technique.into_iter().flat_map(|technique| {
                technique
                    .children_named("instance_material")
                    .filter(|bound| bound.attribute("symbol") == Some(symbol))
            });
            let target = bound.filter_map(|bound| referred(bound, "target", by_id)).next();
            let material = target.or_else(|| by_id.get(symbol).copied());
            let color = match material {
                Some(material) => self.color(material, by_id)?,
                None => Paint::WHITE,
            };
            colors.insert(symbol.to_owned(), color);
        }
        Ok(colors)
    }

    /// Returns the colour of a `<material>`.
    fn color<'d>(&mut self, material: Node<'d>, by_id: &ById<'d>) -> Result<Paint, Problem> {
        if let Some(known) = self.known.get(&material.index()) {
            return Ok(*known);
        }
        let instance = material.child("instance_effect");
        let effect = instance.and_then(|instance| referred(instance, "url", by_id));
        let profile = effect.and_then(|effect| effect.child("profile_COMMON"));
        let shader = profile.and_then(|profile| {
            let technique = profile.child("technique")?;
            technique.children().find(|child| SHADERS.contains(&child.name()))
        });
        // a constant shader emits its colour
        let diffuse = shader.and_then(|shader| {
            shader.child(if shader.name() == "constant" { "emission" } else { "diffuse" })
        });
        let found = match diffuse.and_then(|diffuse| diffuse.child("color")) {
            Some(given) => match floats(given)?[..] {
                [red, green, blue, ..] => Paint::plain(color([red, green, blue, 1.0])),
                _ => Paint::WHITE,
            },
            None => {
                let texture = diffuse.and_then(|diffuse| diffuse.child("texture"));
                let file = texture.and_then(|texture| image(texture, profile?, by_id));
                file.map_or(Paint::WHITE, |file| self.images.paint(WHITE, file))
            }
        };
        self.known.insert(material.index(), found);
        Ok(found)
    }
}

/// Shaders of the common profile.
const SHADERS: [&str; 4] = ["phong", "lambert", "blinn", "constant"];

/// Returns the element to which an attribute refers.
fn referred<'d>(node: Node<'d>, attribute: &str, by_id: &ById<'d>) -> Option<Node<'d>> {
    by_id.get(node.attribute(attribute)?.trim().strip_prefix('#')?).copied()
}

/// Returns the file of a texture: the file of the image on the surface of its sampler, or of the
/// image that it names itself.
fn image<'d>(texture: Node<'d>, profile: Node<'d>, by_id: &ById<'d>) -> Option<&'d str> {
    let parameter = |sid: &str, kind: &'static str| {
        let found = profile.children_named("newparam");
        found.filter(|found| found.attribute("sid") == Some(sid)).find_map(|it| it.child(kind))
    };
    let named = texture.attribute("texture")?;
    let sampler = parameter(named, "sampler2D");
    let surface = sampler.and_then(|sampler| sampler.child("source"));
    let surface = surface.and_then(|source| parameter(source.text().trim(), "surface"));
    let id = surface.and_then(|surface| surface.child("init_from")).map(|from| from.text().trim());
    let instance = sampler.and_then(|sampler| sampler.child("instance_image"));
    let image = match (id, instance) {
        (Some(id), _) => by_id.get(id).copied(),
        (None, Some(instance)) => referred(instance, "url", by_id),
        (None, None) => by_id.get(named).copied(),
    };
    let from = image?.child("init_from")?;
    let file = from.child("ref").unwrap_or(from);
    Some(file.text().trim())
}
